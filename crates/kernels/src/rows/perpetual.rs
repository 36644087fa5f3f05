//! Perpetual check: who can hold a draw only by giving check for ever, loses.
//!
//! The rule decides some of the positions that rounds leave undecided. Neither side can force the end there, so play goes
//! on for ever, within these positions. Two kinds of positions are found together:
//!
//! - *pursuits*: the side to move can stay only by giving check, however often;
//! - *flights*: the side to move is in check and can go to a pursuit, so the check goes on.
//!
//! At first every position counts as a pursuit from which all moves that stay give check. A pursuit from which a move leads
//! anywhere else than to a flight is none, and so on until nothing changes. What is left is lost for the pursuer, and won
//! for the other side. Then the other positions follow from which these are forced. As there are fewer moves that stay now,
//! new pursuits may appear, and all is repeated until there are none.

use super::game::{Moves, PerpetualCheck};
use super::row::Row;
use super::tensors::{Tensors, each_slab, turned};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io;

/// A few rows: by slab and number, the bits.
pub type Few<R> = BTreeMap<(usize, usize), R>;

/// The positions that perpetual check decides, in rows before the move.
pub struct ByRule<R> {
    /// Those that the side to move wins.
    pub won: Few<R>,
    /// Those that the side to move loses.
    pub lost: Few<R>,
}

/// Finds the positions that perpetual check decides among the undecided ones, and takes them from `tensors.unknown`.
/// `tensors.open` is used as work space.
///
/// # Errors
/// Returns an error if a file cannot be read or written.
pub fn decide<G: PerpetualCheck>(game: &G, tensors: &Tensors<G::Row>) -> io::Result<ByRule<G::Row>> {
    let search = Search { game, tensors };
    let (mut won, mut lost) = (Few::new(), Few::new());
    loop {
        search.note_quiet()?;
        // Flights are won, and pursuits are lost.
        let ByRule { won: mut new_wins, lost: mut new_losses } = search.lasting(search.pursuits()?)?;
        if new_losses.is_empty() {
            return Ok(ByRule { won, lost });
        }
        while !new_wins.is_empty() || !new_losses.is_empty() {
            search.take(&new_wins)?;
            search.take(&new_losses)?;
            add(&mut won, &new_wins);
            add(&mut lost, &new_losses);
            let wins = search.before(&search.turned(&new_losses))?;
            search.take(&wins)?;
            add(&mut won, &wins);
            add(&mut new_wins, &wins);
            let candidates = search.before(&search.turned(&new_wins))?;
            new_losses = search.stuck(&candidates, &Few::new())?;
            new_wins = Few::new();
        }
    }
}

struct Search<'a, G: PerpetualCheck> {
    game: &'a G,
    tensors: &'a Tensors<G::Row>,
}

impl<G: PerpetualCheck> Search<'_, G> {
    /// Writes into `open` the undecided positions in which the side to move is not in check.
    fn note_quiet(&self) -> io::Result<()> {
        let Self { game, tensors } = *self;
        each_slab(game, |slab| {
            let mut quiet = turned(game, slab, &tensors.unknown)?;
            for (row, bits) in quiet.iter_mut().enumerate().filter(|(_, bits)| !bits.is_empty()) {
                *bits = bits.and_not(game.checks(slab, row));
            }
            tensors.open.put(slab, quiet)
        })
    }

    /// The undecided positions from which every move to an undecided position gives check.
    fn pursuits(&self) -> io::Result<Few<G::Row>> {
        let lists = self.tensors.ended(self.game)?;
        let mut found = Few::new();
        for slab in 0..self.game.slabs() {
            lists.each(slab, 0..usize::MAX, |row, bits| put(&mut found, slab, row, bits))?;
        }
        Ok(found)
    }

    /// Reduces pursuits to those that last for ever, and finds the flights between them.
    fn lasting(&self, mut pursuits: Few<G::Row>) -> io::Result<ByRule<G::Row>> {
        loop {
            let escapes = self.before(&self.turned(&pursuits))?;
            let mut flights = self.turned(&escapes);
            flights.iter_mut().for_each(|(&(slab, row), bits)| *bits = bits.and(self.game.checks(slab, row)));
            let left = self.stuck(&pursuits, &flights)?;
            if left == pursuits {
                return Ok(ByRule { won: self.turned(&flights), lost: pursuits });
            }
            pursuits = left;
        }
    }

    /// The same positions as the other side sees them.
    fn turned(&self, few: &Few<G::Row>) -> Few<G::Row> {
        let (game, per_block) = (self.game, self.game.rows_per_block());
        let mut turned = Few::new();
        for (&(slab, row), &bits) in few {
            game.each_image(slab, row / per_block, |image| {
                let row = image.block * per_block + game.turned_row(row % per_block, image.symmetry);
                put(&mut turned, image.slab, row, game.turned(bits, image.symmetry));
            });
        }
        turned
    }

    /// The undecided positions of a row after the move.
    fn undecided_after(&self, slab: usize, row: usize) -> io::Result<G::Row> {
        let (game, per_block) = (self.game, self.game.rows_per_block());
        let source = game.source(slab, row / per_block);
        let from = source.block * per_block + game.turned_row(row % per_block, source.symmetry);
        Ok(game.turned(self.tensors.unknown.some(source.slab, from, 1)?[0], source.symmetry))
    }

    /// The undecided positions with a move to some positions after the move.
    fn before(&self, after: &Few<G::Row>) -> io::Result<Few<G::Row>> {
        let mut before = Few::new();
        for (&(slab, row), &bits) in after {
            self.game
                .visit_before(slab, row, bits, Moves::All, |row, bits| put(&mut before, slab, row, bits));
        }
        let mut undecided = Few::new();
        for ((slab, row), bits) in before {
            let unknown = self.tensors.unknown.some(slab, row, 1)?[0];
            put(&mut undecided, slab, row, bits.and(unknown));
        }
        Ok(undecided)
    }

    /// Those positions that have no move to an undecided position, except to the positions `allowed` after the move.
    fn stuck(&self, positions: &Few<G::Row>, allowed: &Few<G::Row>) -> io::Result<Few<G::Row>> {
        let mut left = Few::new();
        for (&(slab, row), &bits) in positions {
            let damage = OnceCell::new();
            let elsewhere = |row: usize| {
                let allowed = allowed.get(&(slab, row)).copied().unwrap_or(G::Row::EMPTY);
                match self.undecided_after(slab, row) {
                    Ok(undecided) => undecided.and_not(allowed),
                    Err(error) => {
                        let _ = damage.set(error);
                        G::Row::EMPTY
                    }
                }
            };
            put(&mut left, slab, row, self.game.stuck(slab, row, bits, Moves::All, elsewhere));
            damage.into_inner().map_or(Ok(()), Err)?;
        }
        Ok(left)
    }

    /// Takes positions from the undecided ones.
    fn take(&self, few: &Few<G::Row>) -> io::Result<()> {
        few.iter().try_for_each(|(&(slab, row), &bits)| self.tensors.unknown.remove(slab, row, bits))
    }
}

/// Adds bits to a row, if there are any.
fn put<R: Row>(few: &mut Few<R>, slab: usize, row: usize, bits: R) {
    if !bits.is_empty() {
        let known = few.entry((slab, row)).or_insert(R::EMPTY);
        *known = known.or(bits);
    }
}

fn add<R: Row>(sum: &mut Few<R>, few: &Few<R>) {
    few.iter().for_each(|(&(slab, row), &bits)| put(sum, slab, row, bits));
}
