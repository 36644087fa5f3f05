//! A position and its moves.

use crate::fold::BuildFold;
use crate::{ImpossibleChance, Key, Outcome, Side, perft};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

/// A legal position: a small value that knows its moves.
///
/// Moves follow the movement rules only. What ends a game because of its past or its prospects (repetition, clocks, dead
/// material) belongs to the [`Rulebook`](crate::Rulebook) of a [`Record`](crate::Record): moves, perft and tables ignore it. Four methods are required; a game
/// overrides a default where it can do better. A game with dice has three more: `awaits_chance`, `visit_chances` and
/// `play_chance_unchecked`.
///
/// Positions are equal when the rules of repetition take them for the same: a clock may be in them, but not in their
/// `Eq` and `Hash`.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A whole turn of one player. The order means nothing; it is there to sort and search by.
    type Move: Copy + Ord + Hash + Debug + Send + Sync + 'static;

    /// An outcome of chance, such as a roll; [`NoChance`](crate::NoChance) in games without. The order means nothing here either.
    type Chance: Copy + Ord + Hash + Debug + Send + Sync + 'static;

    /// Whose turn it is. In a finished position: whose turn it would be.
    fn turn(&self) -> Side;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// What the winner of a finished position gets, in games that are played for points.
    fn points_won(&self) -> Option<u32> {
        None
    }

    /// Shows every legal move to `visit`, which may stop the walk. A finished position has none;
    /// a position with none is finished, or [awaits chance](Self::awaits_chance).
    fn visit_moves<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// The position after a legal move. After any other the result is unspecified, but no harm is done to memory.
    #[must_use]
    fn play_unchecked(&self, m: Self::Move) -> Self;

    /// Is it for chance to decide what comes next? Then there are no moves, but [chances](Self::visit_chances).
    #[inline]
    fn awaits_chance(&self) -> bool {
        false
    }

    /// Shows every outcome that chance may bring, with its weight: a whole number, so that sums are exact.
    /// Only where chance is [awaited](Self::awaits_chance) there are any; after them somebody moves.
    fn visit_chances<B>(&self, visit: impl FnMut(Self::Chance, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let _ = visit;
        ControlFlow::Continue(())
    }

    /// The position after an outcome that is possible here. After any other the result is unspecified, but no harm is done
    /// to memory. In games without chance there is no outcome to call it with, so the default does nothing.
    #[must_use]
    fn play_chance_unchecked(&self, outcome: Self::Chance) -> Self {
        let _ = outcome;
        self.clone()
    }

    /// The position after an outcome, if it is possible here.
    ///
    /// # Errors
    /// If it is not, or if chance is not awaited.
    fn play_chance(&self, outcome: Self::Chance) -> Result<Self, ImpossibleChance> {
        let is_possible = self.visit_chances(|possible, _| match possible == outcome {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if is_possible.is_break() { Ok(self.play_chance_unchecked(outcome)) } else { Err(ImpossibleChance) }
    }

    /// 64 bits that are equal for equal positions, and hardly ever for others. By default the hash of the position; games that keep
    /// a key while they move give that one.
    fn key(&self) -> Key {
        Key(BuildFold::default().hash_one(self))
    }

    /// The position after a move, if it is legal.
    fn play(&self, m: Self::Move) -> Result<Self, IllegalMove> {
        if self.is_legal(m) { Ok(self.play_unchecked(m)) } else { Err(IllegalMove) }
    }

    /// Is this one of the legal moves?
    fn is_legal(&self, m: Self::Move) -> bool {
        self.visit_moves(|legal| if legal == m { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            .is_break()
    }

    /// Number of legal moves. Games that generate moves as sets count them without looking at each.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// The number of legal moves after all that chance may bring, where it is [awaited](Self::awaits_chance); 0 elsewhere.
    fn count_moves_after_chance(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_chances(|outcome, _| {
            count += self.play_chance_unchecked(outcome).count_moves();
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The number of sequences of so many moves, the last of which are counted in bulk. Games that walk more quickly
    /// on something less than a position do so.
    fn count_sequences(&self, depth: u32) -> u64 {
        perft::sequences::<Self, false>(self, depth)
    }

    /// The same, but the last moves are played too.
    fn play_sequences(&self, depth: u32) -> u64 {
        perft::sequences::<Self, true>(self, depth)
    }

    /// Shows every legal move to `visit`.
    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Self::Move)) {
        let _ = self.visit_moves(|m| {
            visit(m);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Shows every legal move with the position after it. Games that make that position anyway, to see whether the
    /// move is legal, do not make it twice.
    fn visit_successors<B>(
        &self,
        mut visit: impl FnMut(Self::Move, Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_moves(|m| visit(m, self.play_unchecked(m)))
    }

    /// The legal moves, each with the position after it; of those that lead to the same one, the first.
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

    /// The legal moves in a list, for those who are not in a hurry.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|m| moves.push(m));
        moves
    }
}

/// A move that its position does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// Ways to look at a position that the rules do not notice: turning the board with the colours exchanged, a mirror.
///
/// Playing a move and taking the image commute, and the images of the legal moves are those of the image.
pub trait Symmetric: Position {
    /// One symmetry of the rules.
    type Symmetry: Copy + Debug + 'static;

    /// All of them but the identity.
    const SYMMETRIES: &'static [Self::Symmetry];

    /// Does it exchange the two sides?
    fn swaps_sides(symmetry: Self::Symmetry) -> bool;

    /// The position as the symmetry shows it.
    #[must_use]
    fn image(&self, symmetry: Self::Symmetry) -> Self;

    /// The move as the symmetry shows it.
    fn move_image(m: Self::Move, symmetry: Self::Symmetry) -> Self::Move;
}
