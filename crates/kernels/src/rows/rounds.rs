//! The rounds: from the lost positions to the wins before them, and from these to new losses.

use super::cells::Cells;
use super::game::RowGame;
use super::list::Lists;
use super::perpetual;
use super::row::Row;
use super::space::Space;
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
    /// The positions after the move that were lost in the last round.
    lost: Lists<G::Row>,
    /// The last round that is done. In this round, positions were lost.
    done: Plies,
    /// The number of bits that are decided. Positions whose cells are elsewhere are counted too.
    decided: u64,
}

impl<'a, G: RowGame, C: Cell> Rounds<'a, G, C> {
    /// Begins with a game of which nothing is known. The finished positions are found first.
    ///
    /// # Errors
    /// Returns an error if there is no room for the cells in this space.
    pub fn new(game: &'a G, tensors: Tensors<G::Row>, space: &Space) -> io::Result<Self> {
        let cells = Cells::new(game, space)?;
        let ended = C::of(Value::Loss(Plies(0))).expect("every cell can hold it");
        let lost = tensors.ended(game)?;
        each_slab(game, |slab| {
            tensors.unknown.change(slab, |unknown| {
                lost.each(slab, 0..usize::MAX, |row, bits| unknown[row] = unknown[row].and_not(bits))
            })?
        })?;
        let decided = record(game, &cells, &lost, ended)?;
        let lost = tensors.turn(game, &lost)?;
        Ok(Self { game, tensors, cells, lost, done: Plies(0), decided })
    }

    /// Writes the state to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, saving: &mut Saving) -> io::Result<()> {
        saving.number(C::BYTES as u64)?;
        saving.number(self.done.0.into())?;
        saving.number(self.decided)?;
        let mut bytes = Vec::new();
        for slab in 0..self.game.slabs() {
            bytes.clear();
            self.cells.slab(self.game, slab)?.iter().for_each(|cell| cell.push_to(&mut bytes));
            saving.bytes(&bytes)?;
            for shelf in [&self.tensors.unknown, &self.tensors.open] {
                saving.bytes(&shelf.with(slab, Row::to_bytes)?)?;
            }
        }
        self.lost.save(saving)
    }

    /// Reads the state from a checkpoint. `tensors` gets its rows. Returns `None` if its cells have another width.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(
        game: &'a G,
        tensors: Tensors<G::Row>,
        space: &Space,
        loading: &mut Loading,
    ) -> io::Result<Option<Self>> {
        if loading.number()? != C::BYTES as u64 {
            return Ok(None);
        }
        let done = u16::try_from(loading.number()?).map_err(|_| unusable("it is damaged"))?;
        let decided = loading.number()?;
        let cells = Cells::<C>::new(game, space)?;
        for slab in 0..game.slabs() {
            let mut bytes = vec![0; game.cells(slab).len() * C::BYTES];
            loading.bytes(&mut bytes)?;
            cells.put(slab, bytes.chunks_exact(C::BYTES).map(C::from_bytes).collect())?;
            for shelf in [&tensors.unknown, &tensors.open] {
                let mut bytes = vec![0; game.rows() * size_of::<G::Row>()];
                loading.bytes(&mut bytes)?;
                shelf.put(slab, Row::from_bytes(&bytes))?;
            }
        }
        let lost = tensors.lists(game);
        lost.load(game.rows(), loading)?;
        Ok(Some(Self { game, tensors, cells, lost, done: Plies(done), decided }))
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
        self.lost.are_empty()
    }

    /// Plays two rounds: the wins before the last losses, and the losses before these wins. Returns `None` if a cell cannot
    /// hold their distance.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn play(&mut self) -> io::Result<Option<()>> {
        let Self { game, tensors, cells, lost, done, decided } = self;
        let (game, last): (&G, &Lists<_>) = (game, lost);
        let codes = (C::of(Value::Win(done.next())), C::of(Value::Loss(done.next().next())));
        let (Some(won_code), Some(lost_code)) = codes else { return Ok(None) };
        let won = tensors.take_before(game, last)?;
        *decided += record(game, cells, &won, won_code)?;
        let won = tensors.turn_and_close(game, &won)?;
        let now_lost = tensors.take_stuck_before(game, &won)?;
        *decided += record(game, cells, &now_lost, lost_code)?;
        *lost = tensors.turn(game, &now_lost)?;
        *done = done.next().next();
        Ok(Some(()))
    }

    /// Decides what perpetual check decides, when all rounds are done. Returns the cells.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn with_perpetual_check(self) -> io::Result<Cells<C>> {
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
