//! The tables that a search of chess asks: our own, and those of Syzygy.

use super::fits_fifty_moves;
use crate::oracle::{BestMoves, Known, Oracle};
use crate::own_tables::OwnTables;
use chess::{Chess, Move, Position};
use game::{Endgame, Location, Position as _, Wdl};
use std::fmt;
use std::sync::Arc;
use syzygy::{Tablebase, Wdl5};
use table::Library;

/// Tables of chess endgames. The default has none.
///
/// A win that the fifty-move rule may spoil is not taken for a win, unless [`fifty_moves`](Self::fifty_moves) is off.
pub struct Tables {
    own: Option<OwnTables<Chess>>,
    syzygy: Option<Tablebase>,
    /// Positions with more men are not looked up.
    pub most_men: u32,
    /// Positions that are to be searched less deeply are not looked up in our own tables.
    pub least_depth: u8,
    /// The same for Syzygy tables, which are slower.
    pub syzygy_most_men: u32,
    /// The least depth for Syzygy tables.
    pub syzygy_least_depth: u8,
    /// Whether the fifty-move rule counts.
    pub fifty_moves: bool,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            own: None,
            syzygy: None,
            most_men: 8,
            least_depth: 1,
            syzygy_most_men: 7,
            syzygy_least_depth: 1,
            fifty_moves: true,
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { own, syzygy, .. } = self;
        write!(f, "Tables {{ own: {}, syzygy: {} }}", own.is_some(), syzygy.is_some())
    }
}

impl Tables {
    /// Uses the tables of a library, or none. Returns how many tables it has.
    pub fn set_library(&mut self, library: Option<Arc<Library>>) -> usize {
        // A name has a letter for each man, and one between the sides.
        let men = |name: &str| name.len() as u32 - 1;
        self.own = library.and_then(|library| OwnTables::of(Chess::STANDARD, &library, men));
        self.own.as_ref().map_or(0, |own| own.count)
    }

    /// Uses Syzygy tables, or none.
    pub fn set_syzygy(&mut self, tables: Option<Tablebase>) {
        self.syzygy = tables;
    }

    fn own_outcome(&self, position: &Position, is_exact: bool) -> Option<Known> {
        let own = self.own.as_ref()?;
        if position.board().occupied().len() > own.men.min(self.most_men) {
            return None;
        }
        let known = Known::from(own.outcomes.known_value(position).ok()??);
        if known.wdl == Wdl::Draw {
            return Some(known);
        }
        // The distance tells whether the fifty-move rule comes first.
        let known = match known.plies {
            None if is_exact || self.fifty_moves => Known::from(own.distances.known_value(position).ok()??),
            _ => known,
        };
        let holds = known.plies.is_some_and(|plies| fits_fifty_moves(position, plies));
        (holds || !self.fifty_moves).then_some(known)
    }

    /// The moves with the best values and distances. Returns `None` if a value is not known, or if the fifty-move rule may change it.
    fn best_by_own(
        &self,
        own: &OwnTables<Chess>,
        position: &Position,
        moves: &[Move],
    ) -> Option<BestMoves<Move>> {
        let best = own.distances.best_moves(position, moves)?;
        let plies = best.known.plies;
        let holds = plies.is_none_or(|plies| !self.fifty_moves || fits_fifty_moves(position, plies));
        (holds && (plies.is_some() || best.known.wdl == Wdl::Draw)).then_some(best)
    }

    fn syzygy_outcome(&self, position: &Position) -> Option<Known> {
        let syzygy = self.syzygy.as_ref()?;
        // The tables count from a capture or a pawn move on.
        let is_fresh = position.clock().quiet_plies == 0 || !self.fifty_moves;
        if !is_fresh || position.board().occupied().len() > syzygy.largest().min(self.syzygy_most_men) {
            return None;
        }
        let wdl = match syzygy.wdl(position).ok()? {
            Wdl5::Win => Wdl::Win,
            Wdl5::Loss => Wdl::Loss,
            Wdl5::CursedWin if !self.fifty_moves => Wdl::Win,
            Wdl5::BlessedLoss if !self.fifty_moves => Wdl::Loss,
            _ => Wdl::Draw,
        };
        Some(Known { wdl, plies: None })
    }

    /// The best moves by the Syzygy tables, which tell the distance to the next capture or pawn move. A win goes there as quickly as
    /// possible, a loss as slowly.
    fn best_by_syzygy(&self, position: &Position, moves: &[Move]) -> Option<BestMoves<Move>> {
        let syzygy = self.syzygy.as_ref()?;
        if position.board().occupied().len() > syzygy.largest().min(self.syzygy_most_men) {
            return None;
        }
        let clock = i32::from(position.clock().quiet_plies);
        let rank = |&m: &Move| {
            let after = position.play_unchecked(m);
            if after.outcome().is_some_and(|outcome| outcome.winner == Some(position.turn())) {
                return Some((Wdl::Win, i32::MAX, m));
            }
            // The plies after this move, and the clock as it will be.
            let dtz = -syzygy.dtz(&after).ok()?.plies();
            let clock = if position.is_zeroing(m) { 0 } else { clock + 1 };
            let plies = if position.is_zeroing(m) { dtz.signum() } else { dtz };
            let is_in_time = dtz.abs() + clock <= i32::from(chess::FIFTY_MOVES.0) || !self.fifty_moves;
            let wdl = match dtz.signum() {
                1 if is_in_time => Wdl::Win,
                -1 if is_in_time => Wdl::Loss,
                _ => Wdl::Draw,
            };
            // Among draws, those that the clock makes out of wins come first.
            Some((wdl, if wdl == Wdl::Draw { dtz.signum() } else { -plies }, m))
        };
        let ranked: Vec<_> = moves.iter().map(rank).collect::<Option<_>>()?;
        let &(wdl, order, _) = ranked.iter().max_by_key(|(wdl, order, _)| (*wdl, *order))?;
        let best = ranked.iter().filter(|ranked| (ranked.0, ranked.1) == (wdl, order));
        Some(BestMoves { moves: best.map(|ranked| ranked.2).collect(), known: Known { wdl, plies: None } })
    }
}

impl Oracle<Position> for Tables {
    #[inline]
    fn may_know(&self, position: &Position, depth: u8) -> bool {
        if self.own.is_none() && self.syzygy.is_none() {
            return false;
        }
        let men = position.board().occupied().len();
        let own = self.own.as_ref().is_some_and(|own| men <= own.men.min(self.most_men));
        let syzygy = self.syzygy.as_ref();
        own && depth >= self.least_depth
            || syzygy.is_some_and(|tables| men <= tables.largest().min(self.syzygy_most_men))
                && depth >= self.syzygy_least_depth
    }

    fn outcome(&self, position: &Position) -> Option<Known> {
        self.own_outcome(position, false).or_else(|| self.syzygy_outcome(position))
    }

    fn value(&self, position: &Position) -> Option<Known> {
        self.own_outcome(position, true).or_else(|| self.syzygy_outcome(position))
    }

    fn best_moves(&self, position: &Position, moves: &[Move]) -> Option<BestMoves<Move>> {
        let own = self.own.as_ref();
        let men = position.board().occupied().len();
        let by_own = own.filter(|own| men <= own.men.min(self.most_men)).and_then(|own| {
            let located = Chess::STANDARD.locate(position);
            if matches!(located, Location::Beyond(_)) {
                return None;
            }
            self.best_by_own(own, position, moves)
        });
        by_own.or_else(|| self.best_by_syzygy(position, moves))
    }
}
