//! The tables that a search of shogi asks.

use crate::oracle::{BestMoves, Known, Oracle};
use crate::own_tables::OwnTables;
use game::Side;
use shogi::{Move, Position, Shogi};
use std::fmt;
use std::sync::Arc;
use table::Library;

/// Tables of shogi endgames. The default has none.
pub struct Tables {
    own: Option<OwnTables<Shogi>>,
    /// Positions with more men are not looked up. Kings and men in hand count.
    pub most_men: u32,
    /// Positions that are to be searched less deeply are not looked up.
    pub least_depth: u8,
}

impl Default for Tables {
    fn default() -> Self {
        Self { own: None, most_men: 5, least_depth: 1 }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables {{ own: {} }}", self.own.is_some())
    }
}

impl Tables {
    /// Uses the tables of a library, or none.
    pub fn set_library(&mut self, library: Option<Arc<Library>>) {
        // The names of the tables leave out the kings.
        self.own = library
            .and_then(|library| OwnTables::of(Shogi::default(), &library, |name| name.len() as u32 + 2));
    }

    #[inline]
    fn covers(&self, own: &OwnTables<Shogi>, position: &Position) -> bool {
        let most = own.men.min(self.most_men);
        let on_board = position.board().occupied().len();
        on_board <= most
            && on_board + Side::ALL.map(|side| position.hand(side).len()).iter().sum::<u32>() <= most
    }
}

impl Oracle<Position> for Tables {
    #[inline]
    fn may_know(&self, position: &Position, depth: u8) -> bool {
        self.own.as_ref().is_some_and(|own| depth >= self.least_depth && self.covers(own, position))
    }

    fn outcome(&self, position: &Position) -> Option<Known> {
        let own = self.own.as_ref().filter(|own| self.covers(own, position))?;
        own.outcomes.outcome(position)
    }

    fn value(&self, position: &Position) -> Option<Known> {
        let own = self.own.as_ref().filter(|own| self.covers(own, position))?;
        own.distances.outcome(position)
    }

    /// Only with distances can a win be brought home.
    fn best_moves(&self, position: &Position, moves: &[Move]) -> Option<BestMoves<Move>> {
        let own = self.own.as_ref().filter(|own| self.covers(own, position))?;
        let best = own.distances.best_moves(position, moves)?;
        (best.known.plies.is_some() || best.known.wdl == game::Wdl::Draw).then_some(best)
    }
}
