//! Perpetual check: a draw that a side can hold only by giving check for ever is lost for it.
//!
//! The rule decides some positions that are drawn otherwise. Play from a draw goes on for ever, and stays within the draws.
//!
//! - A *pursuit* is a draw in which the side to move can stay within the draws only by giving check, now and for ever.
//! - A *flight* is a draw in which the side to move is in check and can go to a pursuit.
//!
//! At first every draw counts as a pursuit from which all moves to draws give check. A pursuit with a move to a draw that is not
//! a flight is dropped, and so on until nothing changes. The pursuits that are left are lost by rule, and the flights are won.
//! The positions follow from which these are forced. Now there are fewer draws, so new pursuits may appear: all is repeated
//! until there are none.
//!
//! This is the plain way, for the generic solver and the verifier. It uses only the moves of the rules.

use crate::offsets::Offsets;
use game::{Endgame, Location, Position, parallel};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The cells that perpetual check decides.
#[derive(Debug, Default)]
pub(crate) struct ByRule {
    /// The cells that the side to move wins.
    pub won: BTreeSet<usize>,
    /// The cells that the side to move loses.
    pub lost: BTreeSet<usize>,
}

impl ByRule {
    /// Finds the cells of a group that perpetual check decides. `is_draw` tells which cells are drawn without the rule.
    pub fn find<G: Endgame>(
        game: &G,
        offsets: &Offsets<G>,
        is_check: fn(&G::Position) -> bool,
        is_draw: &(dyn Fn(usize) -> bool + Sync),
    ) -> Self {
        let graph = GraphOf { game, offsets, is_check };
        let mut search = Search { graph: &graph, cells: offsets.len(), is_draw, decided: Self::default() };
        while search.decide_lasting_pursuits() {
            while search.follow() {}
        }
        search.decided
    }
}

/// What the search asks about cells. The search itself is the same for all games, and compiled once.
trait Graph: Sync {
    /// Returns whether the side to move is in check.
    fn is_check(&self, cell: usize) -> bool;

    /// Returns whether `test` holds for a move within the group: it gets the cell after the move, and can ask whether the move
    /// gives check. Returns `None` if the cell has no position.
    fn any_move(&self, cell: usize, test: &dyn Fn(usize, &dyn Fn() -> bool) -> bool) -> Option<bool>;
}

struct GraphOf<'a, G: Endgame> {
    game: &'a G,
    offsets: &'a Offsets<G>,
    is_check: fn(&G::Position) -> bool,
}

impl<G: Endgame> GraphOf<'_, G> {
    fn position(&self, cell: usize) -> Option<G::Position> {
        let (slice, index) = self.offsets.index(cell)?;
        self.game.unrank(slice, index)
    }
}

impl<G: Endgame> Graph for GraphOf<'_, G> {
    fn is_check(&self, cell: usize) -> bool {
        self.position(cell).as_ref().is_some_and(self.is_check)
    }

    fn any_move(&self, cell: usize, test: &dyn Fn(usize, &dyn Fn() -> bool) -> bool) -> Option<bool> {
        let position = self.position(cell)?;
        let walk = position.visit_moves(|m| {
            let next = position.play_unchecked(m);
            let cell = match self.game.locate(&next) {
                Location::At(slice, index) => self.offsets.cell(slice, index),
                _ => None,
            };
            if cell.is_some_and(|cell| test(cell, &|| (self.is_check)(&next))) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        Some(walk.is_break())
    }
}

struct Search<'a> {
    graph: &'a dyn Graph,
    cells: usize,
    is_draw: &'a (dyn Fn(usize) -> bool + Sync),
    decided: ByRule,
}

impl Search<'_> {
    fn is_open(&self, cell: usize) -> bool {
        (self.is_draw)(cell) && !self.decided.won.contains(&cell) && !self.decided.lost.contains(&cell)
    }

    /// Returns whether the cell has a position and a move to a cell for which `test` holds.
    fn leads_to(&self, cell: usize, test: impl Fn(usize) -> bool) -> bool {
        self.graph.any_move(cell, &|next, _| test(next)) == Some(true)
    }

    /// Returns whether the cell has a position, and no move to a cell for which `test` holds.
    fn never_leads_to(&self, cell: usize, test: impl Fn(usize) -> bool) -> bool {
        self.graph.any_move(cell, &|next, _| test(next)) == Some(false)
    }

    /// The open cells for which `test` holds.
    fn open_cells(&self, test: impl Fn(usize) -> bool + Sync) -> BTreeSet<usize> {
        let add = |found: &mut Vec<usize>, cell: usize| {
            if self.is_open(cell) && test(cell) {
                found.push(cell);
            }
        };
        let both = |a: Vec<usize>, b| [a, b].concat();
        parallel::fold(self.cells, Vec::new, add, both).into_iter().collect()
    }

    /// Finds the pursuits that last for ever, and decides them and the flights between them. Returns whether there are any.
    fn decide_lasting_pursuits(&mut self) -> bool {
        let is_quiet = |next: usize, gives_check: &dyn Fn() -> bool| self.is_open(next) && !gives_check();
        let mut pursuits = self.open_cells(|cell| self.graph.any_move(cell, &is_quiet) == Some(false));
        if pursuits.is_empty() {
            return false;
        }
        let mut flights = self.open_cells(|cell| {
            self.graph.is_check(cell) && self.leads_to(cell, |next| pursuits.contains(&next))
        });
        loop {
            let before = pursuits.len();
            pursuits.retain(|&cell| {
                self.never_leads_to(cell, |next| self.is_open(next) && !flights.contains(&next))
            });
            flights.retain(|&cell| self.leads_to(cell, |next| pursuits.contains(&next)));
            if pursuits.len() == before {
                break;
            }
        }
        let found = !pursuits.is_empty();
        self.decided.lost.extend(pursuits);
        self.decided.won.extend(flights);
        found
    }

    /// Decides the cells that follow from the decided ones in one move. Returns whether there are any.
    fn follow(&mut self) -> bool {
        let wins = self.open_cells(|cell| self.leads_to(cell, |next| self.decided.lost.contains(&next)));
        let found = !wins.is_empty();
        self.decided.won.extend(wins);
        let losses = self.open_cells(|cell| self.never_leads_to(cell, |next| self.is_open(next)));
        let found = found || !losses.is_empty();
        self.decided.lost.extend(losses);
        found
    }
}
