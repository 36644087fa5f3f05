//! A position and its moves.

use crate::fold::BuildFold;
use crate::{ImpossibleChance, Key, Outcome, Side, perft};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

/// A legal position with its moves. It should be a small value.
///
/// Moves follow the movement rules only. Rules that end a game because of earlier positions, or because nobody can win
/// any more (repetition, clocks, dead material), belong to the [`Rulebook`](crate::Rulebook) of a [`Record`](crate::Record). Moves, perft and
/// tables ignore them.
///
/// Four methods are required. A game overrides a default if it has a faster way. A game with dice also needs
/// `awaits_chance`, `visit_chances` and `play_chance_unchecked`.
///
/// Two positions are equal if they are the same under the rules of repetition. A clock may be part of a position, but
/// not of its `Eq` and `Hash`.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A whole turn of one player. The order has no meaning; it serves only to sort and search.
    type Move: Copy + Ord + Hash + Debug + Send + Sync + 'static;

    /// An outcome of chance, such as a roll; [`NoChance`](crate::NoChance) in games without chance. The order has no
    /// meaning.
    type Chance: Copy + Ord + Hash + Debug + Send + Sync + 'static;

    /// The side to move. In a finished position, the side that would be to move.
    fn turn(&self) -> Side;

    /// The outcome of the game, or `None` if the position is not finished.
    fn outcome(&self) -> Option<Outcome>;

    /// The points for the winner of a finished position, in games that are played for points.
    fn points_won(&self) -> Option<u32> {
        None
    }

    /// Calls `visit` with every legal move. `visit` can stop the iteration. A finished position has no legal moves. A
    /// position without legal moves is finished, or [awaits chance](Self::awaits_chance).
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Returns the position after a legal move. For any other move the result is unspecified, but memory-safe.
    #[must_use]
    fn play_unchecked(&self, m: Self::Move) -> Self;

    /// Returns whether chance decides next, for example a roll. Such a position has no legal moves, but
    /// [outcomes of chance](Self::visit_chances).
    #[inline]
    fn awaits_chance(&self) -> bool {
        false
    }

    /// Calls `visit` with every possible outcome of chance and its weight. Weights are integers, so that sums are
    /// exact. Only positions that [await chance](Self::awaits_chance) have outcomes. After each outcome there are legal
    /// moves.
    fn visit_chances<B>(&self, visit: impl FnMut(Self::Chance, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let _ = visit;
        ControlFlow::Continue(())
    }

    /// Returns the position after a possible outcome of chance. For any other outcome the result is unspecified, but
    /// memory-safe. Games without chance keep the default, which cannot be called because they have no outcomes.
    #[must_use]
    fn play_chance_unchecked(&self, outcome: Self::Chance) -> Self {
        let _ = outcome;
        self.clone()
    }

    /// Returns the position after an outcome of chance, if it is possible here.
    ///
    /// # Errors
    /// Returns an error if the outcome is not possible, or if the position does not await chance.
    fn play_chance(&self, outcome: Self::Chance) -> Result<Self, ImpossibleChance> {
        let is_possible = self.visit_chances(|possible, _| match possible == outcome {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if is_possible.is_break() { Ok(self.play_chance_unchecked(outcome)) } else { Err(ImpossibleChance) }
    }

    /// A 64-bit hash: equal positions have equal keys, different positions almost never do. The default hashes the
    /// position. Games that update a key with every move return that key.
    fn key(&self) -> Key {
        Key(BuildFold::default().hash_one(self))
    }

    /// Returns the position after a move, or an error if the move is not legal.
    fn play(&self, m: Self::Move) -> Result<Self, IllegalMove> {
        if self.is_legal(m) { Ok(self.play_unchecked(m)) } else { Err(IllegalMove) }
    }

    /// Returns whether the move is legal.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.visit_moves(|legal| if legal == m { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            .is_break()
    }

    /// The number of legal moves. Games that generate moves as sets count them without visiting each one.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// The total number of legal moves after all outcomes of chance; 0 if the position does not
    /// [await chance](Self::awaits_chance).
    fn count_moves_after_chance(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_chances(|outcome, _| {
            count += self.play_chance_unchecked(outcome).count_moves();
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The number of sequences of `depth` moves. The last ply is counted in bulk. A game overrides it if it can count
    /// faster on a smaller structure than a position. It may call itself for each move: for a deep count,
    /// [`perft()`](perft::perft()) provides the stack.
    fn count_sequences(&self, depth: u32) -> u64 {
        perft::sequences::<Self, false>(self, depth)
    }

    /// The number of sequences of `depth` moves. The last moves are played too.
    fn play_sequences(&self, depth: u32) -> u64 {
        perft::sequences::<Self, true>(self, depth)
    }

    /// Calls `visit` with every legal move.
    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Self::Move)) {
        let _ = self.visit_moves(|m| {
            visit(m);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Calls `visit` with every legal move and the position after it. A game overrides it if it computes that position
    /// anyway to test the legality of the move; so it is computed only once.
    fn visit_successors<B>(
        &self,
        mut visit: impl FnMut(Self::Move, Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves(|m| visit(m, self.play_unchecked(m)))
    }

    /// The legal moves, each with the position after it. Of moves that lead to the same position, only the first is
    /// listed.
    fn unique_successors(&self) -> Vec<(Self::Move, Self)> {
        let mut seen = HashSet::with_hasher(BuildFold::default());
        let mut unique = Vec::new();
        let _ = self.visit_successors(|m, next| {
            if seen.insert(next.clone()) {
                unique.push((m, next));
            }
            ControlFlow::<()>::Continue(())
        });
        unique
    }

    /// The legal moves in a list. [`visit_moves`](Self::visit_moves) is faster, because it does not allocate.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|m| moves.push(m));
        moves
    }
}

/// The error for a move that is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A position with symmetries of the rules, such as turning the board with exchanged colours, or a mirror image.
///
/// A move and then the image must give the same position as the image and then the image of the move. The legal moves of
/// the image must be the images of the legal moves.
pub trait Symmetric: Position {
    /// One symmetry of the rules.
    type Symmetry: Copy + Debug + 'static;

    /// All symmetries except the identity.
    const SYMMETRIES: &'static [Self::Symmetry];

    /// Returns whether the symmetry exchanges the two sides.
    fn swaps_sides(symmetry: Self::Symmetry) -> bool;

    /// Returns the image of the position under a symmetry.
    #[must_use]
    fn image(&self, symmetry: Self::Symmetry) -> Self;

    /// Returns the image of a move under a symmetry.
    fn move_image(m: Self::Move, symmetry: Self::Symmetry) -> Self::Move;
}
