//! The rounds: from the lost positions to the wins before them, and from these to new losses.

use super::game::{Moves, RowGame};
use super::perpetual::{self, ByRule};
use super::row::Row;
use super::storage::{Plain, Space, Storage};
use super::tensors::{After, Before, Tensors};
use game::{Plies, Value, parallel};
use solve::{Cell, Loading, Saving, unusable};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A game that is being solved by rows.
pub struct Rounds<'a, G: RowGame, C> {
    game: &'a G,
    tensors: Tensors<G::Row>,
    cells: Storage<C>,
    /// The last round that is done. In this round, positions were lost.
    done: Plies,
    /// The number of bits that are decided. Positions whose cells are elsewhere are counted too.
    decided: u64,
}

impl<'a, G: RowGame, C: Cell + Plain> Rounds<'a, G, C> {
    /// Begins with a game of which nothing is known. The finished positions are found first.
    ///
    /// # Errors
    /// Returns an error if there is no room for the cells in this space.
    pub fn new(game: &'a G, mut tensors: Tensors<G::Row>, space: &Space) -> io::Result<Self> {
        let mut cells = Storage::<C>::new(cells_of(game), space)?;
        let ended = C::of(Value::Loss(Plies(0))).expect("every cell can hold it");
        let decided = AtomicU64::new(0);
        tensors.find_ended(game);
        each_with_cells(game, &mut tensors, &mut cells, &|slab, before, _, cells| {
            cells.fill(C::HOLE);
            let mut count = 0;
            for (row, unknown) in before.unknown.iter_mut().enumerate() {
                record(game, slab, row, *unknown, cells, C::UNKNOWN);
                let lost = before.front.row(row);
                record(game, slab, row, lost, cells, ended);
                *unknown = unknown.and_not(lost);
                count += lost.len();
            }
            decided.fetch_add(count, Relaxed);
        });
        tensors.turn_fronts(game, &|_, _| ());
        Ok(Self { game, tensors, cells, done: Plies(0), decided: decided.into_inner() })
    }

    /// Writes the state to a checkpoint.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn save(&self, saving: &mut Saving) -> io::Result<()> {
        saving.number(C::BYTES as u64)?;
        saving.number(self.done.0.into())?;
        saving.number(self.decided)?;
        saving.bytes(self.cells.bytes())?;
        for (before, after) in self.tensors.before.iter().zip(&self.tensors.after) {
            saving.bytes(before.unknown.bytes())?;
            saving.bytes(after.open.bytes())?;
            after.front.save(saving)?;
        }
        Ok(())
    }

    /// Reads the state from a checkpoint. Returns `None` if its cells have another width.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails, or if the checkpoint is damaged.
    pub fn load(
        game: &'a G,
        mut tensors: Tensors<G::Row>,
        space: &Space,
        loading: &mut Loading,
    ) -> io::Result<Option<Self>> {
        if loading.number()? != C::BYTES as u64 {
            return Ok(None);
        }
        let done = u16::try_from(loading.number()?).map_err(|_| unusable("it is damaged"))?;
        let decided = loading.number()?;
        let mut cells = Storage::<C>::new(cells_of(game), space)?;
        loading.bytes(cells.bytes_mut())?;
        for (before, after) in tensors.before.iter_mut().zip(&mut tensors.after) {
            loading.bytes(before.unknown.bytes_mut())?;
            loading.bytes(after.open.bytes_mut())?;
            after.front.load(loading)?;
        }
        Ok(Some(Self { game, tensors, cells, done: Plies(done), decided }))
    }

    /// The cells.
    pub fn cells(&self) -> &[C] {
        &self.cells
    }

    /// The last round that is done.
    pub fn done(&self) -> Plies {
        self.done
    }

    /// The share of the cells that is known, roughly.
    pub fn known(&self) -> u64 {
        // About half of the bits have no cell: mirror images, and men of a kind in another order.
        self.decided.min(self.cells.len() as u64)
    }

    /// Returns whether nothing is left to find.
    pub fn is_finished(&self) -> bool {
        self.tensors.after.iter().all(|after| after.front.is_empty())
    }

    /// Plays two rounds: the wins before the last losses, and the losses before these wins. Returns `None` if a cell cannot
    /// hold their distance.
    pub fn play(&mut self) -> Option<()> {
        let Self { game, tensors, cells, done, decided } = self;
        let game: &G = game;
        let (won, lost) = (done.next(), done.next().next());
        let (won_code, lost_code) = (C::of(Value::Win(won))?, C::of(Value::Loss(lost))?);
        let new = AtomicU64::new(0);
        each_with_cells(game, tensors, cells, &|slab, before, after, cells| {
            // The last losses were turned already.
            before.front.take_touched(|_, _| ());
            let (unknown, front) = (&mut before.unknown, &mut before.front);
            after.front.take_touched(|row, lost| {
                game.visit_before(slab, row, lost, Moves::All, |row, bits| {
                    let new = bits.and(unknown[row]);
                    if !new.is_empty() {
                        unknown[row] = unknown[row].and_not(new);
                        front.add(row, new);
                    }
                });
            });
            let mut count = 0;
            front.each_touched(0, unknown.len(), |row| {
                count += front.row(row).len();
                record(game, slab, row, front.row(row), cells, won_code);
            });
            new.fetch_add(count, Relaxed);
        });
        tensors.turn_fronts(game, &|open, won| *open = open.and_not(won));
        each_with_cells(game, tensors, cells, &|slab, before, after, cells| {
            before.front.take_touched(|_, _| ());
            let (unknown, front) = (&mut before.unknown, &mut before.front);
            after.front.take_touched(|row, won| {
                game.visit_before(slab, row, won, Moves::All, |row, bits| {
                    let may_be_lost = bits.and(unknown[row]);
                    if !may_be_lost.is_empty() {
                        front.add(row, may_be_lost);
                    }
                });
            });
            let mut count = 0;
            front.change_touched(|row, may_be_lost| {
                let lost = game.stuck(slab, row, may_be_lost, Moves::All, |row| after.open[row]);
                if !lost.is_empty() {
                    unknown[row] = unknown[row].and_not(lost);
                    record(game, slab, row, lost, cells, lost_code);
                    count += lost.len();
                }
                lost
            });
            new.fetch_add(count, Relaxed);
        });
        tensors.turn_fronts(game, &|_, _| ());
        *done = lost;
        *decided += new.into_inner();
        Some(())
    }

    /// Decides what perpetual check decides, when all rounds are done. Returns the cells.
    pub fn with_perpetual_check(self) -> Storage<C> {
        let Self { game, mut tensors, mut cells, .. } = self;
        let ByRule { won, lost } = perpetual::decide(game, &mut tensors);
        for (few, code) in [(won, C::WIN_BY_RULE), (lost, C::LOSS_BY_RULE)] {
            for ((slab, row), bits) in few {
                record(game, slab, row, bits, &mut cells[game.cells(slab)], code);
            }
        }
        cells
    }

    /// The rows, with the undecided positions, those that are not won, and empty fronts.
    pub fn tensors(&mut self) -> &mut Tensors<G::Row> {
        &mut self.tensors
    }
}

fn cells_of<G: RowGame>(game: &G) -> usize {
    game.cells(game.slabs() - 1).end
}

/// Works on each slab and its cells, on all threads.
pub(super) fn each_with_cells<G: RowGame, C: Send>(
    game: &G,
    tensors: &mut Tensors<G::Row>,
    cells: &mut [C],
    work: &(dyn Fn(usize, &mut Before<G::Row>, &mut After<G::Row>, &mut [C]) + Sync),
) {
    let mut rest = cells;
    let mut slabs = Vec::new();
    for (slab, (before, after)) in tensors.before.iter_mut().zip(&mut tensors.after).enumerate() {
        let (own, others) = rest.split_at_mut(game.cells(slab).len());
        slabs.push((before, after, own));
        rest = others;
    }
    parallel::for_each_mut(&mut slabs, &|slab, (before, after, cells)| work(slab, before, after, cells));
}

/// Writes a code into the cells of some positions of a row.
#[inline]
pub(super) fn record<G: RowGame, C: Cell>(
    game: &G,
    slab: usize,
    row: usize,
    bits: G::Row,
    cells: &mut [C],
    code: C,
) {
    let Some((first, with_cells)) = game.row_cells(slab, row) else { return };
    let places = game.places();
    bits.and(with_cells).each(|bit| cells[first + usize::from(places[bit])] = code);
}
