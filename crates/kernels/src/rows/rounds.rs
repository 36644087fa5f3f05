//! The rounds: from the lost positions to the wins before them, and from these to new losses.

use super::cells::Cells;
use super::game::{PerpetualCheck, RowGame};
use super::list::Lists;
use super::perpetual;
use super::row::Row;
use super::tensors::{Tensors, each_slab};
use game::{Plies, Value};
use solve::{Cell, Loading, Saving, unusable};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A game that is being solved by rows.
pub struct Rounds<'a, G: RowGame, C> {
    game: &'a G,
    tensors: Tensors<G::Row>,
    cells: Cells<C>,
    /// The positions after the move that were won in the last round.
    won: Lists<G::Row>,
    /// The positions after the move that were lost in the last round.
    lost: Lists<G::Row>,
    /// The last round that is done.
    done: Plies,
    /// The number of bits that are decided. Positions whose cells are elsewhere are counted too.
    decided: u64,
}

impl<'a, G: RowGame, C: Cell> Rounds<'a, G, C> {
    /// Begins with a game of which nothing is known. The finished positions are found first. The cells must be
    /// [marked](Cells::mark) for this game.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn new(game: &'a G, tensors: Tensors<G::Row>, cells: Cells<C>) -> io::Result<Self> {
        let ended = C::of(Value::Loss(Plies(0))).expect("every cell can hold it");
        let lost = tensors.ended(game)?;
        each_slab(game, |slab| {
            tensors.unknown.change(slab, |unknown| {
                lost.each(slab, 0..usize::MAX, |row, bits| unknown[row] = unknown[row].and_not(bits))
            })?
        })?;
        let decided = record(game, &cells, &lost, ended)?;
        let (won, lost) = (tensors.lists(game), tensors.turn(game, &lost)?);
        Ok(Self { game, tensors, cells, won, lost, done: Plies(0), decided })
    }

    /// Writes the state to a checkpoint, except for the cells, which are [saved](Cells::save) before.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, saving: &mut Saving) -> io::Result<()> {
        saving.number(self.done.0.into())?;
        saving.number(self.decided)?;
        for slab in 0..self.game.slabs() {
            for shelf in [&self.tensors.unknown, &self.tensors.open] {
                saving.bytes(&shelf.with(slab, Row::to_bytes)?)?;
            }
        }
        self.won.save(saving)?;
        self.lost.save(saving)
    }

    /// Reads the state from a checkpoint, except for the cells, which were [read](Cells::load) before. `tensors` gets its
    /// rows.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(
        game: &'a G,
        tensors: Tensors<G::Row>,
        cells: Cells<C>,
        loading: &mut Loading,
    ) -> io::Result<Self> {
        let done = u16::try_from(loading.number()?).map_err(|_| unusable("it is damaged"))?;
        let decided = loading.number()?;
        for slab in 0..game.slabs() {
            for shelf in [&tensors.unknown, &tensors.open] {
                let mut bytes = vec![0; game.rows() * size_of::<G::Row>()];
                loading.bytes(&mut bytes)?;
                shelf.put(slab, Row::from_bytes(&bytes))?;
            }
            for plies in (0..=done).map(Plies) {
                let losses = tensors.conversions().and_then(|conversions| conversions.losses(slab, plies));
                tensors.unbar(slab, losses)?;
            }
        }
        let (won, lost) = (tensors.lists(game), tensors.lists(game));
        won.load(game.rows(), loading)?;
        lost.load(game.rows(), loading)?;
        Ok(Self { game, tensors, cells, won, lost, done: Plies(done), decided })
    }

    /// The last round that is done.
    pub fn done(&self) -> Plies {
        self.done
    }

    /// The number of positions that are decided, roughly: some are counted several times.
    pub fn decided(&self) -> u64 {
        self.decided
    }

    /// Returns whether nothing is left to find.
    pub fn is_finished(&self) -> bool {
        let conversions = self.tensors.conversions();
        self.won.are_empty()
            && self.lost.are_empty()
            && !conversions.is_some_and(|conversions| conversions.go_on_after(self.done))
    }

    /// Plays a round: finds the wins and the losses with one ply more. Returns `None` if a cell cannot hold their distance.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn play(&mut self) -> io::Result<Option<()>> {
        let Self { game, tensors, cells, won, lost, done, decided } = self;
        let (game, plies): (&G, Plies) = (game, done.next());
        let now_won = tensors.take_before(game, lost, plies)?;
        let now_lost = tensors.take_stuck_before(game, won, plies)?;
        for (lists, value) in [(&now_won, Value::Win(plies)), (&now_lost, Value::Loss(plies))] {
            if !lists.are_empty() {
                let Some(code) = C::of(value) else { return Ok(None) };
                *decided += record(game, cells, lists, code)?;
            }
        }
        *won = tensors.turn_and_close(game, &now_won)?;
        *lost = tensors.turn(game, &now_lost)?;
        *done = plies;
        Ok(Some(()))
    }

    /// The cells.
    pub fn cells(&self) -> &Cells<C> {
        &self.cells
    }

    /// The cells, when all rounds are done.
    pub fn into_cells(self) -> Cells<C> {
        self.cells
    }

    /// Decides what perpetual check decides, when all rounds are done. Returns the cells.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn with_perpetual_check(self) -> io::Result<Cells<C>>
    where
        G: PerpetualCheck,
    {
        let Self { game, tensors, cells, .. } = self;
        cells.record_by_rule(game, perpetual::decide(game, &tensors)?)?;
        Ok(cells)
    }

    /// The rows, with the undecided positions and those that are not won.
    pub fn tensors(&self) -> &Tensors<G::Row> {
        &self.tensors
    }
}

/// Writes a code into the cells of the positions in lists. Returns their number.
pub(super) fn record<G: RowGame, C: Cell>(
    game: &G,
    cells: &Cells<C>,
    lists: &Lists<G::Row>,
    code: C,
) -> io::Result<u64> {
    let count = AtomicU64::new(0);
    each_slab(game, |slab| {
        let list = lists.list(slab)?;
        count.fetch_add(list.bits(), Relaxed);
        cells.record(game, slab, &list, code)
    })?;
    Ok(count.into_inner())
}
