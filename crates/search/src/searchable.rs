//! What a game gives to be searched.

use crate::oracle::Oracle;
use crate::score::Score;
use game::{Game, Position, Rulebook, Value};
use std::hash::{Hash, Hasher};

/// The move of a game.
pub type MoveOf<G> = <<G as game::Game>::Position as Position>::Move;

/// A game that can be searched.
///
/// Only two types are required. A game that gives nothing more is searched without pruning, to the end if the depth allows it: so
/// a small game has a perfect player. What a larger game gives makes the search quicker, and better where it cannot see the end.
/// `tests/small_game.rs` is an example.
pub trait Searchable: Game {
    /// Estimates positions. [`Blind`] takes all positions for equal.
    type Evaluator: Evaluator<Self::Position>;
    /// The tables that the search asks. [`NoOracle`](crate::NoOracle) has none.
    type Oracle: Oracle<Self::Position>;

    /// Whether the search may leave moves out, or search them less deeply, because they look bad. The estimates must be good enough
    /// for this.
    const SELECTIVE: bool = false;

    /// The number of [slots](Self::slot) for moves.
    const SLOTS: usize = 1;

    /// The value of a position in which the game ends, or may be ended by a claim of the side to move; `None` if it goes on. A game
    /// whose positions without moves are found later, when the moves are listed, need not look for them here.
    fn over(&self, position: &Self::Position, rules: &Rulebook<Self::Position>) -> Option<Value> {
        let outcome = position.outcome().or_else(|| (rules.ends)(position));
        outcome.or_else(|| (rules.claims)(position)).map(|outcome| outcome.value(position.turn()))
    }

    /// Returns whether the side to move is in check, or under another threat that it must answer at once.
    fn is_check(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// The number of plies for which the moves before a position can be taken back. An earlier position cannot occur again.
    fn reversible_plies(&self, position: &Self::Position) -> usize {
        let _ = position;
        usize::MAX
    }

    /// The position after the side to move passes, if a pass is worse than some move in nearly all such positions.
    fn pass(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// Returns whether a move changes the balance of the material: it captures or promotes. Estimates do not hold where such moves
    /// are left.
    fn is_tactical(&self, position: &Self::Position, m: MoveOf<Self>) -> bool {
        let _ = (position, m);
        false
    }

    /// Visits the [tactical](Self::is_tactical) moves.
    fn for_each_tactical(&self, position: &Self::Position, mut visit: impl FnMut(MoveOf<Self>)) {
        position.for_each_move(|m| {
            if self.is_tactical(position, m) {
                visit(m);
            }
        });
    }

    /// What a tactical move wins at once, in hundredths of a pawn, and a little less if a strong piece takes it.
    fn gain(&self, position: &Self::Position, m: MoveOf<Self>) -> i32 {
        let _ = (position, m);
        0
    }

    /// Returns whether a move wins at least this much, in hundredths of a pawn, if both sides go on to capture on its target as long
    /// as it pays.
    fn exchange_gains(&self, position: &Self::Position, m: MoveOf<Self>, at_least: i32) -> bool {
        let _ = (position, m, at_least);
        true
    }

    /// The slot of a move, below [`SLOTS`](Self::SLOTS). Moves with the same slot are similar: if one of them was good, so may the
    /// others be.
    fn slot(&self, position: &Self::Position, m: MoveOf<Self>) -> usize {
        let _ = (position, m);
        0
    }

    /// A number for what lasts in a position, such as its pawns. Where the estimate was wrong, it is corrected in positions with the
    /// same number. By default, all positions are different.
    fn structure(&self, position: &Self::Position) -> u64 {
        position.key().0
    }

    /// A number for a move of a position, never 0, by which the transposition table recognises it. If two moves have the same
    /// number, only time is lost.
    fn move_code(m: MoveOf<Self>) -> u16 {
        let mut hasher = Fnv::default();
        m.hash(&mut hasher);
        (hasher.finish() >> 48) as u16 | 1
    }
}

/// Estimates the positions of a game. Each thread has one, which may remember what it has computed.
pub trait Evaluator<P: Position>: Default + Send {
    /// What is known of a position before it is estimated. It is computed from that of the position before.
    type Sums: Copy + Send;

    /// The sums of a position.
    fn sums(&self, position: &P) -> Self::Sums;

    /// The sums of a position after a move.
    #[inline]
    fn sums_after(&self, sums: Self::Sums, before: &P, m: P::Move, after: &P) -> Self::Sums {
        let _ = (sums, before, m);
        self.sums(after)
    }

    /// The sums of a position after a pass.
    #[inline]
    fn sums_after_pass(&self, sums: Self::Sums, before: &P, after: &P) -> Self::Sums {
        let _ = (sums, before);
        self.sums(after)
    }

    /// The estimate of a position for the side to move.
    fn estimate(&mut self, position: &P, sums: Self::Sums) -> Score;
}

/// The evaluator that takes all positions for equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<P: Position> Evaluator<P> for Blind {
    type Sums = ();

    fn sums(&self, _: &P) {}

    fn estimate(&mut self, _: &P, (): ()) -> Score {
        Score::DRAW
    }
}

/// The hash of Fowler, Noll and Vo, for moves.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        // The upper bits of a short text are poor without a last step.
        (self.0 ^ self.0 >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
