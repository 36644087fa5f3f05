//! The positions of a game as bits: what is not decided yet, and what has changed last.

use super::front::Front;
use super::game::{Moves, RowGame};
use super::row::Row;
use super::storage::{Space, Storage};
use game::parallel;
use std::io;

/// The rows of a slab before the move.
pub struct Before<R> {
    /// The positions that are not decided yet.
    pub unknown: Storage<R>,
    /// The positions that were decided last, or that may be.
    pub front: Front<R>,
}

/// The rows of a slab after the move.
pub struct After<R> {
    /// The positions that the side to move has not won, as far as is known.
    pub open: Storage<R>,
    /// The positions that were decided last.
    pub front: Front<R>,
}

/// The rows of all slabs.
pub struct Tensors<R> {
    /// By slab, before the move.
    pub before: Vec<Before<R>>,
    /// By slab, after the move.
    pub after: Vec<After<R>>,
}

impl<R: Row> Tensors<R> {
    /// The rows of a game of which nothing is known: all legal positions are open.
    ///
    /// # Errors
    /// Returns an error if there is no room for the rows in this space.
    pub fn new<G: RowGame<Row = R>>(game: &G, space: &Space) -> io::Result<Self> {
        let rows = game.rows();
        let before = parallel::try_map(game.slabs(), |slab| -> io::Result<_> {
            let mut unknown = Storage::new(rows, space)?;
            unknown.iter_mut().enumerate().for_each(|(row, bits)| *bits = game.legal(slab, row));
            Ok(Before { unknown, front: Front::new(rows, space)? })
        })?;
        let after = parallel::try_map(game.slabs(), |slab| -> io::Result<_> {
            let mut open = Storage::new(rows, space)?;
            each_turned(game, slab, |slab| &before[slab].unknown, |row, bits| open[row] = bits);
            Ok(After { open, front: Front::new(rows, space)? })
        })?;
        Ok(Self { before, after })
    }

    /// The number of bytes that the rows of a game take.
    pub fn bytes<G: RowGame<Row = R>>(game: &G) -> u64 {
        // Four arrays of rows, and two bitmaps.
        let rows = (game.slabs() * game.rows()) as u64;
        rows * (4 * size_of::<R>() as u64) + rows / 4
    }

    /// Works on each slab, both before and after the move, on all threads.
    pub fn each_slab(&mut self, work: &(dyn Fn(usize, &mut Before<R>, &mut After<R>) + Sync)) {
        let mut slabs: Vec<_> = self.before.iter_mut().zip(&mut self.after).collect();
        parallel::for_each_mut(&mut slabs, &|slab, (before, after)| work(slab, before, after));
    }

    /// Puts the undecided positions without a move to an open position into the fronts before the move.
    pub fn find_ended<G: RowGame<Row = R>>(&mut self, game: &G) {
        self.each_slab(&|slab, before, after| {
            for (row, &unknown) in before.unknown.iter().enumerate() {
                if !unknown.is_empty() {
                    let ended = game.stuck(slab, row, unknown, Moves::All, |row| after.open[row]);
                    if !ended.is_empty() {
                        before.front.add(row, ended);
                    }
                }
            }
        });
    }

    /// Empties all fronts.
    pub fn clear_fronts(&mut self) {
        self.each_slab(&|_, before, after| {
            before.front.take_touched(|_, _| ());
            after.front.take_touched(|_, _| ());
        });
    }

    /// Brings the fronts before the move to the other side, as fronts after the move. `tell` gets each row after the move
    /// of what the side to move has not won, and the bits that are new in the front.
    pub fn turn_fronts<G: RowGame<Row = R>>(&mut self, game: &G, tell: &(dyn Fn(&mut R, R) + Sync)) {
        let Self { before, after } = self;
        let per_block = game.rows_per_block();
        parallel::for_each_mut(after, &|slab, after| {
            for block in 0..game.blocks() {
                let source = game.source(slab, block);
                let front = &before[source.slab].front;
                front.each_touched(source.block * per_block, per_block, |row| {
                    let bits = game.turned(front.row(row), source.mirrored);
                    let turned = game.turned_row(row - source.block * per_block, source.mirrored);
                    let turned = block * per_block + turned;
                    after.front.add(turned, bits);
                    tell(&mut after.open[turned], bits);
                });
            }
        });
    }
}

/// Visits the rows of a slab as the other side sees them. `rows` gives the rows of each slab in the other form.
pub(super) fn each_turned<'r, G: RowGame>(
    game: &G,
    slab: usize,
    rows: impl Fn(usize) -> &'r [G::Row],
    mut visit: impl FnMut(usize, G::Row),
) {
    let per_block = game.rows_per_block();
    for block in 0..game.blocks() {
        let source = game.source(slab, block);
        for (row, &bits) in rows(source.slab)[source.block * per_block..][..per_block].iter().enumerate() {
            let turned = block * per_block + game.turned_row(row, source.mirrored);
            visit(turned, if bits.is_empty() { bits } else { game.turned(bits, source.mirrored) });
        }
    }
}
