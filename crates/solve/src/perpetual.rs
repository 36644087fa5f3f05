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
        let mut search = Search { game, offsets, is_check, is_draw, decided: Self::default() };
        while search.decide_lasting_pursuits() {
            while search.follow() {}
        }
        search.decided
    }
}

struct Search<'a, G: Endgame> {
    game: &'a G,
    offsets: &'a Offsets<G>,
    is_check: fn(&G::Position) -> bool,
    is_draw: &'a (dyn Fn(usize) -> bool + Sync),
    decided: ByRule,
}

impl<G: Endgame> Search<'_, G> {
    fn is_open(&self, cell: usize) -> bool {
        (self.is_draw)(cell) && !self.decided.won.contains(&cell) && !self.decided.lost.contains(&cell)
    }

    fn position(&self, cell: usize) -> Option<G::Position> {
        let (slice, index) = self.offsets.index(cell)?;
        self.game.unrank(slice, index)
    }

    /// Returns whether `test` holds for a move: it gets the position after the move, and its cell.
    fn any_move(&self, position: &G::Position, test: impl Fn(&G::Position, usize) -> bool) -> bool {
        let walk = position.visit_moves(|m| {
            let next = position.play_unchecked(m);
            let cell = match self.game.locate(&next) {
                Location::At(slice, index) => self.offsets.cell(slice, index),
                _ => None,
            };
            if cell.is_some_and(|cell| test(&next, cell)) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        walk.is_break()
    }

    /// The open cells for whose positions `test` holds.
    fn open_cells(&self, test: impl Fn(&G::Position) -> bool + Sync) -> BTreeSet<usize> {
        let add = |found: &mut Vec<usize>, cell: usize| {
            if self.is_open(cell) && self.position(cell).is_some_and(|position| test(&position)) {
                found.push(cell);
            }
        };
        let both = |a: Vec<usize>, b| [a, b].concat();
        parallel::fold(self.offsets.len(), Vec::new, add, both).into_iter().collect()
    }

    /// Keeps those cells of a set for whose positions `test` holds.
    fn keep(&self, cells: &mut BTreeSet<usize>, test: impl Fn(&G::Position) -> bool) {
        cells.retain(|&cell| self.position(cell).is_some_and(|position| test(&position)));
    }

    /// Finds the pursuits that last for ever, and decides them and the flights between them. Returns whether there are any.
    fn decide_lasting_pursuits(&mut self) -> bool {
        let leaves = |position: &G::Position, flights: &BTreeSet<usize>| {
            self.any_move(position, |_, cell| self.is_open(cell) && !flights.contains(&cell))
        };
        let is_quiet = |next: &G::Position, cell| self.is_open(cell) && !(self.is_check)(next);
        let mut pursuits = self.open_cells(|position| !self.any_move(position, is_quiet));
        let mut flights = match pursuits.is_empty() {
            true => return false,
            false => self.open_cells(|position| {
                (self.is_check)(position) && self.any_move(position, |_, cell| pursuits.contains(&cell))
            }),
        };
        loop {
            let before = pursuits.len();
            self.keep(&mut pursuits, |position| !leaves(position, &flights));
            self.keep(&mut flights, |position| self.any_move(position, |_, cell| pursuits.contains(&cell)));
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
        let wins =
            self.open_cells(|position| self.any_move(position, |_, cell| self.decided.lost.contains(&cell)));
        let found = !wins.is_empty();
        self.decided.won.extend(wins);
        let losses = self.open_cells(|position| !self.any_move(position, |_, cell| self.is_open(cell)));
        let found = found || !losses.is_empty();
        self.decided.lost.extend(losses);
        found
    }
}
