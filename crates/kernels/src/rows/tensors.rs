//! The positions of a game as bits: what is not decided yet.

use super::conversions::Conversions;
use super::game::{Moves, RowGame};
use super::list::{List, Lists};
use super::row::Row;
use super::scratch::{Pool, Scratch};
use super::shelf::Shelf;
use super::space::Space;
use game::{Plies, parallel};
use std::io;

/// The rows of all slabs.
pub struct Tensors<R> {
    /// The positions before the move that are not decided yet.
    pub unknown: Shelf<R>,
    /// The positions after the move that the side to move has not won, as far as is known.
    pub open: Shelf<R>,
    /// The moves that leave the rows, if there are any.
    conversions: Option<Conversions<R>>,
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
        let (scratch, space) = (Pool::new(game.rows()), space.clone());
        Ok(Self { unknown: shelf()?, open: shelf()?, conversions: None, scratch, space })
    }

    /// Adds the moves that leave the rows.
    #[must_use]
    pub fn with_conversions(self, conversions: Conversions<R>) -> Self {
        Self { conversions: Some(conversions), ..self }
    }

    /// The moves that leave the rows, if there are any.
    pub fn conversions(&self) -> Option<&Conversions<R>> {
        self.conversions.as_ref()
    }

    /// Those positions of a row that can be lost, as far as the moves that leave the rows allow it.
    fn losable(barred: Option<&[R]>, row: usize, positions: R) -> R {
        barred.map_or(positions, |barred| positions.and_not(barred[row]))
    }

    /// Works with the rows of positions that cannot be lost yet.
    fn with_barred<T>(&self, slab: usize, work: impl FnOnce(Option<&[R]>) -> T) -> io::Result<T> {
        match &self.conversions {
            None => Ok(work(None)),
            Some(conversions) => conversions.barred.with(slab, |barred| work(Some(barred))),
        }
    }

    /// Empty lists.
    pub fn lists<G: RowGame<Row = R>>(&self, game: &G) -> Lists<R> {
        Lists::new(game.slabs(), &self.space)
    }

    /// The undecided positions that are lost because they have no move to an open position.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn ended<G: RowGame<Row = R>>(&self, game: &G) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let mut ended = List::default();
            self.with_barred(slab, |barred| {
                self.unknown.with(slab, |unknown| {
                    self.open.with(slab, |open| {
                        for (row, &unknown) in unknown.iter().enumerate() {
                            let losable = Self::losable(barred, row, unknown);
                            if !losable.is_empty() {
                                let losable = game.lost_without_moves(slab, row, losable);
                                ended.push(row, stuck(game, slab, row, losable, Moves::All, open));
                            }
                        }
                    })
                })
            })???;
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
        if lists.are_empty() {
            return Ok(turned);
        }
        each_slab(game, |slab| {
            let list = self.scratch.with(|scratch| {
                each_turned(game, slab, lists, |row, bits| scratch.add(row, bits))?;
                Ok::<_, io::Error>(scratch.take(|_, bits| bits))
            })?;
            turned.put(slab, list)
        })?;
        Ok(turned)
    }

    /// The undecided positions with a move to one of these positions after the move, or with a conversion that wins in so
    /// many plies. They are decided now.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn take_before<G: RowGame<Row = R>>(
        &self,
        game: &G,
        after: &Lists<R>,
        plies: Plies,
    ) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let conversions = self.conversions.as_ref().and_then(|conversions| conversions.wins(slab, plies));
            if after.is_empty(slab) && conversions.is_none_or(List::is_empty) {
                return Ok(());
            }
            let list = self.scratch.with(|scratch| {
                self.unknown.change(slab, |unknown| {
                    for (row, bits) in conversions.into_iter().flat_map(List::iter) {
                        scratch.add(row, bits.and(unknown[row]));
                    }
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

    /// The undecided positions with a move to one of these positions after the move, or whose best conversion loses in so many
    /// plies, but without a move to an open position. They are decided now.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn take_stuck_before<G: RowGame<Row = R>>(
        &self,
        game: &G,
        after: &Lists<R>,
        plies: Plies,
    ) -> io::Result<Lists<R>> {
        let lists = self.lists(game);
        each_slab(game, |slab| {
            let conversions =
                self.conversions.as_ref().and_then(|conversions| conversions.losses(slab, plies));
            if after.is_empty(slab) && conversions.is_none_or(List::is_empty) {
                return Ok(());
            }
            self.unbar(slab, conversions)?;
            let list = self.scratch.with(|scratch| {
                self.unknown.change(slab, |unknown| {
                    for (row, bits) in conversions.into_iter().flat_map(List::iter) {
                        scratch.add(row, bits.and(unknown[row]));
                    }
                    before(game, slab, after, Moves::All, unknown, scratch)?;
                    self.with_barred(slab, |barred| {
                        self.open.with(slab, |open| {
                            scratch.take(|row, bits| {
                                let losable = Self::losable(barred, row, bits);
                                if losable.is_empty() {
                                    return losable;
                                }
                                let stuck = stuck(game, slab, row, losable, Moves::All, open);
                                unknown[row] = unknown[row].and_not(stuck);
                                stuck
                            })
                        })
                    })?
                })?
            })?;
            lists.put(slab, list)
        })?;
        Ok(lists)
    }

    /// From now on, these positions can be lost.
    pub(super) fn unbar(&self, slab: usize, positions: Option<&List<R>>) -> io::Result<()> {
        let (Some(positions), Some(conversions)) = (positions, &self.conversions) else { return Ok(()) };
        conversions.barred.change(slab, |barred| {
            positions.iter().for_each(|(row, bits)| barred[row] = barred[row].and_not(bits));
        })
    }

    /// The same positions as the other side sees them. They are open no longer.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn turn_and_close<G: RowGame<Row = R>>(&self, game: &G, lists: &Lists<R>) -> io::Result<Lists<R>> {
        let turned = self.turn(game, lists)?;
        each_slab(game, |slab| {
            if turned.is_empty(slab) {
                return Ok(());
            }
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
            let turned = block * per_block + game.turned_row(row - first, source.symmetry);
            visit(turned, game.turned(bits, source.symmetry));
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
                let place = block * per_block + game.turned_row(row, source.symmetry);
                turned[place] = game.turned(bits, source.symmetry);
            }
        }
    }
    Ok(turned)
}
