//! Distances to the next irreversible move (DTZ), for positions of which it is known who wins.
//!
//! - A win has distance 1 if an irreversible move, or one that ends the game, keeps it. Otherwise it has one ply more than the
//!   nearest lost position that a reversible move reaches.
//! - A loss without moves has distance 0. An irreversible move counts 1; a reversible one counts one ply more than the won
//!   position that it reaches. The loser takes the longest.

use super::cells::Cells;
use super::game::{Moves, RowGame};
use super::list::{List, Lists};
use super::row::Row;
use super::shelf::Shelf;
use super::space::Space;
use super::tensors::{Tensors, before, each_slab, stuck, turned};
use game::{Plies, Value};
use solve::Cell;
use std::io;

/// Finds the distances of all wins and losses. `tensors` are those of finished [rounds](super::Rounds). `goes_on` is called
/// before each round. Returns `None` if it says no.
///
/// # Errors
/// Returns an error if there is no room in this space, or if a file cannot be read or written.
pub fn distances_to_zeroing<G: RowGame>(
    game: &G,
    tensors: &Tensors<G::Row>,
    space: &Space,
    mut goes_on: impl FnMut(Plies) -> bool,
) -> io::Result<Option<Cells<u16>>> {
    let cells = Cells::<u16>::new(game, space)?;
    let mut state = State::new(game, tensors)?;
    let mut round = Plies(0);
    // The positions of the last round, before the move.
    let (mut won, mut lost) = (tensors.lists(game), state.ended()?);
    loop {
        if !goes_on(round) {
            return Ok(None);
        }
        let codes = (<u16 as Cell>::of(Value::Win(round)), <u16 as Cell>::of(Value::Loss(round)));
        let (Some(win), Some(loss)) = codes else { unreachable!("distances are shorter than those to mate") };
        state.note(&cells, &won, win, &lost, loss)?;
        let (won_after, lost_after) = (state.rows.turn(game, &won)?, state.rows.turn(game, &lost)?);
        if round > Plies(1) && won_after.are_empty() && lost_after.are_empty() {
            return Ok(Some(cells));
        }
        (won, lost) = match round {
            Plies(0) => state.first(&lost_after)?,
            _ => state.next(&won_after, &lost_after)?,
        };
        round = round.next();
    }
}

/// The wins and the losses of a round, before the move.
type Found<G> = (Lists<<G as RowGame>::Row>, Lists<<G as RowGame>::Row>);

struct State<'a, G: RowGame> {
    game: &'a G,
    /// In `unknown` the decided positions without a distance, in `open` the wins without one, after the move.
    rows: Tensors<G::Row>,
    /// The losses without a distance.
    lost: Shelf<G::Row>,
}

impl<'a, G: RowGame> State<'a, G> {
    fn new(game: &'a G, solved: &Tensors<G::Row>) -> io::Result<Self> {
        let rows = Tensors::empty(game, &solved.space)?;
        let lost = Shelf::new(game.slabs(), game.rows(), &solved.space)?;
        each_slab(game, |slab| {
            // Not won and decided is lost.
            let mut losses = turned(game, slab, &solved.open)?;
            let decided = solved.unknown.with(slab, |draws| {
                losses.iter_mut().zip(draws).for_each(|(lost, draws)| *lost = lost.and_not(*draws));
                draws.iter().enumerate().map(|(row, draws)| game.legal(slab, row).and_not(*draws)).collect()
            })?;
            lost.put(slab, losses)?;
            rows.unknown.put(slab, decided)
        })?;
        each_slab(game, |slab| {
            let mut wins = turned(game, slab, &rows.unknown)?;
            solved.open.with(slab, |not_won| {
                wins.iter_mut().zip(not_won).for_each(|(win, not_won)| *win = win.and_not(*not_won));
            })?;
            rows.open.put(slab, wins)
        })?;
        Ok(Self { game, rows, lost })
    }

    /// The lost positions without a counted move to a win that has no distance.
    fn resolved(&self, slab: usize, losses: &List<G::Row>, moves: Moves) -> io::Result<List<G::Row>> {
        self.rows.open.with(slab, |open| {
            let mut resolved = List::default();
            for (row, lost) in losses.iter() {
                resolved.push(row, stuck(self.game, slab, row, lost, moves, open));
            }
            resolved
        })
    }

    fn all_losses(&self, slab: usize) -> io::Result<List<G::Row>> {
        self.lost.with(slab, |lost| {
            let mut list = List::default();
            lost.iter().enumerate().for_each(|(row, &bits)| list.push(row, bits));
            list
        })
    }

    /// The losses without moves.
    fn ended(&self) -> io::Result<Lists<G::Row>> {
        let lists = self.rows.lists(self.game);
        each_slab(self.game, |slab| {
            lists.put(slab, self.resolved(slab, &self.all_losses(slab)?, Moves::All)?)
        })?;
        Ok(lists)
    }

    /// Writes the distances of a round, and takes its positions from those without one.
    fn note(
        &mut self,
        cells: &Cells<u16>,
        won: &Lists<G::Row>,
        win: u16,
        lost: &Lists<G::Row>,
        loss: u16,
    ) -> io::Result<()> {
        let Self { game, rows, lost: losses } = self;
        let game: &G = game;
        each_slab(game, |slab| {
            for (lists, code) in [(won, win), (lost, loss)] {
                let list = lists.list(slab)?;
                cells.record(game, slab, &list, code)?;
                rows.unknown.change(slab, |unknown| remove(unknown, &list))?;
                losses.change(slab, |losses| remove(losses, &list))?;
            }
            Ok(())
        })
    }

    /// The first round: irreversible moves to any loss, moves to ended games, and losses with irreversible moves only.
    fn first(&self, ended_after: &Lists<G::Row>) -> io::Result<Found<G>> {
        let game = self.game;
        let losses = self.rows.lists(game);
        each_slab(game, |slab| losses.put(slab, self.all_losses(slab)?))?;
        let losses_after = self.rows.turn(game, &losses)?;
        let (won, lost) = (self.rows.lists(game), self.rows.lists(game));
        each_slab(game, |slab| {
            won.put(
                slab,
                self.wins(slab, &[(ended_after, Moves::All), (&losses_after, Moves::Irreversible)])?,
            )?;
            lost.put(slab, self.resolved(slab, &self.all_losses(slab)?, Moves::Reversible)?)
        })?;
        Ok((won, lost))
    }

    /// A later round: reversible moves only.
    fn next(&self, won_after: &Lists<G::Row>, lost_after: &Lists<G::Row>) -> io::Result<Found<G>> {
        let game = self.game;
        each_slab(game, |slab| {
            let list = won_after.list(slab)?;
            self.rows.open.change(slab, |open| remove(open, &list))
        })?;
        let (won, lost) = (self.rows.lists(game), self.rows.lists(game));
        each_slab(game, |slab| {
            won.put(slab, self.wins(slab, &[(lost_after, Moves::Reversible)])?)?;
            let may_be = self.rows.scratch.with(|scratch| {
                self.lost.with(slab, |losses| {
                    before(game, slab, won_after, Moves::Reversible, losses, scratch)
                })??;
                Ok::<_, io::Error>(scratch.take(|_, bits| bits))
            })?;
            lost.put(slab, self.resolved(slab, &may_be, Moves::Reversible)?)
        })?;
        Ok((won, lost))
    }

    /// The wins without a distance that have a counted move to one of these losses.
    fn wins(&self, slab: usize, losses_after: &[(&Lists<G::Row>, Moves)]) -> io::Result<List<G::Row>> {
        self.rows.scratch.with(|scratch| {
            self.rows.unknown.with(slab, |unknown| {
                losses_after
                    .iter()
                    .try_for_each(|(lists, moves)| before(self.game, slab, lists, *moves, unknown, scratch))
            })??;
            Ok(scratch.take(|_, bits| bits))
        })
    }
}

fn remove<R: Row>(rows: &mut [R], list: &List<R>) {
    list.iter().for_each(|(row, bits)| rows[row] = rows[row].and_not(bits));
}
