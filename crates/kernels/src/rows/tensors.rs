//! The positions of a game as bits: what is not decided yet.

use super::game::{Moves, RowGame};
use super::list::{List, Lists};
use super::row::Row;
use super::scratch::{Pool, Scratch};
use super::shelf::Shelf;
use super::space::Space;
use game::parallel;
use std::io;

/// The rows of all slabs.
pub struct Tensors<R> {
    /// The positions before the move that are not decided yet.
    pub unknown: Shelf<R>,
    /// The positions after the move that the side to move has not won, as far as is known.
    pub open: Shelf<R>,
    /// Rows to work with.
    pub scratch: Pool<R>,
    /// Where the rows are kept.
    pub space: Space,
}

impl<R: Row> Tensors<R> {
    /// The rows of a game of which nothing is known: all legal positions are open.
    ///
    /// # Errors
    /// Returns an error if there is no room for the rows in this space.
    pub fn new<G: RowGame<Row = R>>(game: &G, space: &Space) -> io::Result<Self> {
        let tensors = Self::empty(game, space)?;
        each_slab(game, |slab| {
            tensors.unknown.put(slab, (0..game.rows()).map(|row| game.legal(slab, row)).collect())
        })?;
        each_slab(game, |slab| tensors.open.put(slab, turned(game, slab, &tensors.unknown)?))?;
        Ok(tensors)
    }

    /// Rows without bits.
    ///
    /// # Errors
    /// Returns an error if there is no room for the rows in this space.
    pub fn empty<G: RowGame<Row = R>>(game: &G, space: &Space) -> io::Result<Self> {
        let shelf = || Shelf::new(game.slabs(), game.rows(), space);
        Ok(Self { unknown: shelf()?, open: shelf()?, scratch: Pool::new(game.rows()), space: space.clone() })
    }

    /// Empty lists.
    pub fn lists<G: RowGame<Row = R>>(&self, game: &G) -> Lists<R> {
        Lists::new(game.slabs(), &self.space)
    }

    /// The undecided positions without a move to an open position.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn ended<G: RowGame<Row = R>>(&self, game: &G) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let mut ended = List::default();
            self.unknown.with(slab, |unknown| {
                self.open.with(slab, |open| {
                    for (row, &unknown) in unknown.iter().enumerate().filter(|(_, bits)| !bits.is_empty()) {
                        ended.push(row, stuck(game, slab, row, unknown, Moves::All, open));
                    }
                })
            })??;
            lists.put(slab, ended)
        })?;
        Ok(lists)
    }

    /// The same positions as the other side sees them.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn turn<G: RowGame<Row = R>>(&self, game: &G, lists: &Lists<R>) -> io::Result<Lists<R>> {
        let turned = self.lists(game);
        each_slab(game, |slab| {
            let list = self.scratch.with(|scratch| {
                each_turned(game, slab, lists, |row, bits| scratch.add(row, bits))?;
                Ok::<_, io::Error>(scratch.take(|_, bits| bits))
            })?;
            turned.put(slab, list)
        })?;
        Ok(turned)
    }

    /// The undecided positions with a move to one of these positions after the move. They are decided now.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn take_before<G: RowGame<Row = R>>(&self, game: &G, after: &Lists<R>) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let list = self.scratch.with(|scratch| {
                self.unknown.change(slab, |unknown| {
                    before(game, slab, after, Moves::All, unknown, scratch)?;
                    Ok::<_, io::Error>(scratch.take(|row, bits| {
                        unknown[row] = unknown[row].and_not(bits);
                        bits
                    }))
                })?
            })?;
            lists.put(slab, list)
        })?;
        Ok(lists)
    }

    /// The undecided positions with a move to one of these positions after the move, but with none to an open position. They are
    /// decided now.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn take_stuck_before<G: RowGame<Row = R>>(&self, game: &G, after: &Lists<R>) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let list = self.scratch.with(|scratch| {
                self.unknown.change(slab, |unknown| {
                    before(game, slab, after, Moves::All, unknown, scratch)?;
                    self.open.with(slab, |open| {
                        scratch.take(|row, bits| {
                            let stuck = stuck(game, slab, row, bits, Moves::All, open);
                            unknown[row] = unknown[row].and_not(stuck);
                            stuck
                        })
                    })
                })?
            })?;
            lists.put(slab, list)
        })?;
        Ok(lists)
    }

    /// The same positions as the other side sees them. They are open no longer.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn turn_and_close<G: RowGame<Row = R>>(&self, game: &G, lists: &Lists<R>) -> io::Result<Lists<R>> {
        let turned = self.turn(game, lists)?;
        each_slab(game, |slab| {
            self.open.change(slab, |open| {
                turned.each(slab, 0..usize::MAX, |row, bits| open[row] = open[row].and_not(bits))
            })?
        })?;
        Ok(turned)
    }
}

// The moves of a game are long functions. So that they are compiled few times, the next two are not inlined.

/// Adds to `scratch` the positions with a move to one of a slab's list, as far as they are in `among`.
///
/// # Errors
/// Returns an error if a file cannot be read.
#[inline(never)]
pub(super) fn before<G: RowGame>(
    game: &G,
    slab: usize,
    after: &Lists<G::Row>,
    moves: Moves,
    among: &[G::Row],
    scratch: &mut Scratch<G::Row>,
) -> io::Result<()> {
    after.each(slab, 0..usize::MAX, |row, bits| {
        game.visit_before(slab, row, bits, moves, |row, bits| {
            let found = bits.and(among[row]);
            if !found.is_empty() {
                scratch.add(row, found);
            }
        });
    })
}

/// Those positions of a row that have no move to one of the rows `after` the move.
#[inline(never)]
pub(super) fn stuck<G: RowGame>(
    game: &G,
    slab: usize,
    row: usize,
    positions: G::Row,
    moves: Moves,
    after: &[G::Row],
) -> G::Row {
    game.stuck(slab, row, positions, moves, |row| after[row])
}

/// Works on each slab, on all threads.
///
/// # Errors
/// Returns an error if `work` does.
pub fn each_slab<G: RowGame>(game: &G, work: impl Fn(usize) -> io::Result<()> + Sync) -> io::Result<()> {
    parallel::try_map(game.slabs(), work).map(|_| ())
}

/// Visits the rows of lists as the other side sees them: those that belong to a slab.
pub(super) fn each_turned<G: RowGame>(
    game: &G,
    slab: usize,
    lists: &Lists<G::Row>,
    mut visit: impl FnMut(usize, G::Row),
) -> io::Result<()> {
    let per_block = game.rows_per_block();
    for block in 0..game.blocks() {
        let source = game.source(slab, block);
        let first = source.block * per_block;
        lists.each(source.slab, first..first + per_block, |row, bits| {
            let turned = block * per_block + game.turned_row(row - first, source.mirrored);
            visit(turned, game.turned(bits, source.mirrored));
        })?;
    }
    Ok(())
}

/// The rows of a slab as the other side sees them.
pub(super) fn turned<G: RowGame>(game: &G, slab: usize, rows: &Shelf<G::Row>) -> io::Result<Vec<G::Row>> {
    let per_block = game.rows_per_block();
    let mut turned = vec![G::Row::EMPTY; game.rows()];
    for block in 0..game.blocks() {
        let source = game.source(slab, block);
        for (row, bits) in
            rows.some(source.slab, source.block * per_block, per_block)?.into_iter().enumerate()
        {
            if !bits.is_empty() {
                let place = block * per_block + game.turned_row(row, source.mirrored);
                turned[place] = game.turned(bits, source.mirrored);
            }
        }
    }
    Ok(turned)
}
