//! What the search asks tables.

use crate::score::Score;
use crate::transposition::Bound;
use game::{Endgame, Plies, Position, Value, Wdl};
use table::{Probed, Prober};

/// Knows the values of some positions. A value that cannot be read is not known: the search goes on without it.
pub trait Oracle<P: Position>: Send + Sync {
    /// Returns whether it may know the position. This is asked at every position, so it must be quick.
    fn may_know(&self, position: &P, depth: u8) -> bool;

    /// Who wins, and the distance if it costs nothing more.
    fn outcome(&self, position: &P) -> Option<Known>;

    /// Who wins, and the distance if it is known. It may take longer than [`outcome`](Self::outcome).
    fn value(&self, position: &P) -> Option<Known> {
        self.outcome(position)
    }

    /// Of the moves of a position, those that keep its value best: the quickest wins or those that come nearest to one, or the longest
    /// defences. Returns `None` if it does not know.
    fn best_moves(&self, position: &P, moves: &[P::Move]) -> Option<BestMoves<P::Move>> {
        let rank = |&m: &P::Move| {
            let known = self.value(&position.play_unchecked(m))?.before_move();
            Some((known.rank(), known, m))
        };
        let ranked: Vec<_> = moves.iter().map(rank).collect::<Option<_>>()?;
        let &(best, known, _) = ranked.iter().max_by_key(|(rank, ..)| *rank)?;
        let moves = ranked.iter().filter(|(rank, ..)| *rank == best).map(|&(.., m)| m).collect();
        Some(BestMoves { moves, known })
    }
}

/// The moves that are best by the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMoves<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// The value that they keep.
    pub known: Known,
}

/// A value from a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Who wins.
    pub wdl: Wdl,
    /// The distance to the end of the game, if it is known.
    pub plies: Option<Plies>,
}

impl Known {
    /// The value before the move to this position, for the side that makes it.
    #[must_use]
    pub fn before_move(self) -> Self {
        let wdl = match self.wdl {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        };
        Self { wdl, plies: self.plies.map(Plies::next) }
    }

    /// The score `ply` plies after the root, and what it says about the true score.
    pub fn score(self, ply: usize) -> (Score, Bound) {
        match (self.wdl, self.plies) {
            (Wdl::Draw, _) => (Score::DRAW, Bound::Exact),
            (Wdl::Win, Some(plies)) => (Score::from_value(Value::Win(plies), ply), Bound::Exact),
            (Wdl::Loss, Some(plies)) => (Score::from_value(Value::Loss(plies), ply), Bound::Exact),
            (Wdl::Win, None) => (Score::known_win(ply), Bound::Lower),
            (Wdl::Loss, None) => (-Score::known_win(ply), Bound::Upper),
        }
    }

    /// Values in order: the quickest win is the greatest.
    fn rank(self) -> (Wdl, i32) {
        let plies = self.plies.map_or(i32::from(u16::MAX), |Plies(plies)| plies.into());
        match self.wdl {
            Wdl::Win => (self.wdl, -plies),
            Wdl::Draw => (self.wdl, 0),
            Wdl::Loss => (self.wdl, plies),
        }
    }
}

impl From<Probed> for Known {
    fn from(probed: Probed) -> Self {
        Self { wdl: probed.wdl, plies: probed.plies }
    }
}

/// The oracle that knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<P: Position> Oracle<P> for NoOracle {
    #[inline]
    fn may_know(&self, _: &P, _: u8) -> bool {
        false
    }

    fn outcome(&self, _: &P) -> Option<Known> {
        None
    }
}

/// Asks the tables of a game. A damaged or missing table knows nothing.
impl<G: Endgame + PartialEq> Oracle<G::Position> for Prober<G> {
    fn may_know(&self, _: &G::Position, _: u8) -> bool {
        true
    }

    fn outcome(&self, position: &G::Position) -> Option<Known> {
        self.known_value(position).ok().flatten().map(Known::from)
    }
}
