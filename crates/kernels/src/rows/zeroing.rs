//! Distances to the next irreversible move (DTZ), for positions of which it is known who wins.
//!
//! - A win has distance 1 if an irreversible move, or one that ends the game, keeps it. Otherwise it has one ply more than the
//!   nearest lost position that a reversible move reaches.
//! - A loss without moves has distance 0. An irreversible move counts 1; a reversible one counts one ply more than the won
//!   position that it reaches. The loser takes the longest.

use super::front::Front;
use super::game::{Moves, RowGame};
use super::rounds::{each_with_cells, record};
use super::row::Row;
use super::storage::{Space, Storage};
use super::tensors::{Tensors, each_turned};
use game::{Plies, Value, parallel};
use solve::Cell;
use std::io;
use std::sync::Mutex;

/// What is needed of a slab besides the tensors, whose fronts are those of losses.
struct Slab<R> {
    /// The lost positions that have no distance yet.
    lost: Storage<R>,
    /// The wins that were found last, before and after the move.
    won: Front<R>,
    won_after: Front<R>,
}

/// Finds the distances of all wins and losses. `tensors` are those of finished [rounds](super::Rounds); they are used as
/// work space. Returns `None` if the run is interrupted.
///
/// # Errors
/// Returns an error if there is no room in this space.
pub fn distances_to_zeroing<G: RowGame>(
    game: &G,
    tensors: &mut Tensors<G::Row>,
    space: &Space,
    mut goes_on: impl FnMut(Plies) -> bool,
) -> io::Result<Option<Storage<u16>>> {
    let mut cells = Storage::<u16>::new(game.cells(game.slabs() - 1).end, space)?;
    let mut slabs = prepare(game, tensors, &mut cells, space)?;
    let mut round = Plies(0);
    loop {
        if !goes_on(round) {
            return Ok(None);
        }
        let (won, lost) = (<u16 as Cell>::of(Value::Win(round)), <u16 as Cell>::of(Value::Loss(round)));
        let (won, lost) =
            won.zip(lost).expect("a distance of fewer plies than there are positions of a class");
        let shared: Vec<Mutex<&mut Slab<G::Row>>> = slabs.iter_mut().map(Mutex::new).collect();
        each_with_cells(game, tensors, &mut cells, &|slab, before, _, cells| {
            let this = &mut *shared[slab].lock().expect("no thread has failed");
            let found = [(&this.won, won), (&before.front, lost)];
            for (front, code) in found {
                front.each_touched(0, this.lost.len(), |row| {
                    record(game, slab, row, front.row(row), cells, code);
                    before.unknown[row] = before.unknown[row].and_not(front.row(row));
                });
            }
            before.front.each_touched(0, this.lost.len(), |row| {
                this.lost[row] = this.lost[row].and_not(before.front.row(row));
            });
        });
        drop(shared);
        turn(game, tensors, &mut slabs);
        let nothing_new = tensors.after.iter().all(|after| after.front.is_empty())
            && slabs.iter().all(|slab| slab.won_after.is_empty());
        if nothing_new && round > Plies(1) {
            return Ok(Some(cells));
        }
        find(game, tensors, &mut slabs, round);
        round = round.next();
    }
}

/// Sets up the rows: the decided positions in `before.unknown`, the won ones in `after.open`, and the positions without moves
/// in the fronts.
fn prepare<G: RowGame>(
    game: &G,
    tensors: &mut Tensors<G::Row>,
    cells: &mut [u16],
    space: &Space,
) -> io::Result<Vec<Slab<G::Row>>> {
    let rows = game.rows();
    tensors.clear_fronts();
    let slabs = parallel::try_map(game.slabs(), |slab| -> io::Result<_> {
        let mut lost = Storage::<G::Row>::new(rows, space)?;
        each_turned(game, slab, |slab| &tensors.after[slab].open, |row, bits| lost[row] = bits);
        let undecided = &tensors.before[slab].unknown;
        lost.iter_mut().zip(undecided.iter()).for_each(|(lost, undecided)| *lost = lost.and_not(*undecided));
        Ok(Slab { lost, won: Front::new(rows, space)?, won_after: Front::new(rows, space)? })
    })?;
    each_with_cells(game, tensors, cells, &|slab, before, _, cells| {
        cells.fill(<u16 as Cell>::HOLE);
        for (row, unknown) in before.unknown.iter_mut().enumerate() {
            let legal = game.legal(slab, row);
            record(game, slab, row, legal, cells, <u16 as Cell>::UNKNOWN);
            *unknown = legal.and_not(*unknown);
        }
    });
    let Tensors { before, after } = tensors;
    parallel::for_each_mut(after, &|slab, after| {
        each_turned(
            game,
            slab,
            |slab| &before[slab].unknown,
            |row, decided| {
                after.open[row] = decided.and_not(after.open[row]);
            },
        );
    });
    tensors.each_slab(&|slab, before, after| {
        for (row, &lost) in slabs[slab].lost.iter().enumerate().filter(|(_, lost)| !lost.is_empty()) {
            let ended = game.stuck(slab, row, lost, Moves::All, |row| after.open[row]);
            if !ended.is_empty() {
                before.front.add(row, ended);
            }
        }
    });
    Ok(slabs)
}

/// Brings the fronts to the other side, and takes the new wins from the open ones.
fn turn<G: RowGame>(game: &G, tensors: &mut Tensors<G::Row>, slabs: &mut [Slab<G::Row>]) {
    let swap = |tensors: &mut Tensors<G::Row>, slabs: &mut [Slab<G::Row>]| {
        for ((before, after), slab) in tensors.before.iter_mut().zip(&mut tensors.after).zip(slabs) {
            std::mem::swap(&mut before.front, &mut slab.won);
            std::mem::swap(&mut after.front, &mut slab.won_after);
        }
    };
    tensors.turn_fronts(game, &|_, _| ());
    swap(tensors, slabs);
    tensors.turn_fronts(game, &|open, won| *open = open.and_not(won));
    swap(tensors, slabs);
}

/// Finds the wins and losses of the next round.
fn find<G: RowGame>(game: &G, tensors: &mut Tensors<G::Row>, slabs: &mut [Slab<G::Row>], round: Plies) {
    let is_first = round == Plies(0);
    let Tensors { before, after } = tensors;
    let lost_after = is_first.then(|| &*slabs).map(|slabs| {
        // In the first round, an irreversible move to any loss counts.
        parallel::map(game.slabs(), |slab| {
            let mut rows = Vec::new();
            each_turned(
                game,
                slab,
                |slab| &slabs[slab].lost,
                |row, bits| {
                    if !bits.is_empty() {
                        rows.push((row, bits));
                    }
                },
            );
            rows
        })
    });
    let mut parts: Vec<_> = before.iter_mut().zip(after).zip(slabs).collect();
    parallel::for_each_mut(&mut parts, &|slab, ((before, after), this)| {
        before.front.take_touched(|_, _| ());
        this.won.take_touched(|_, _| ());
        let Slab { lost, won, won_after } = &mut **this;
        let unknown = &before.unknown;
        let mut win = |row: usize, bits: G::Row, moves: Moves| {
            game.visit_before(slab, row, bits, moves, |row, bits| {
                let new = bits.and(unknown[row]);
                if !new.is_empty() {
                    won.add(row, new);
                }
            });
        };
        let moves = if is_first { Moves::All } else { Moves::Reversible };
        after.front.take_touched(|row, lost| win(row, lost, moves));
        if let Some(lost_after) = &lost_after {
            lost_after[slab].iter().for_each(|&(row, lost)| win(row, lost, Moves::Irreversible));
        }
        let front = &mut before.front;
        if is_first {
            lost.iter().enumerate().filter(|(_, lost)| !lost.is_empty()).for_each(|(row, &lost)| {
                front.add(row, lost);
            });
        }
        won_after.take_touched(|row, won| {
            game.visit_before(slab, row, won, Moves::Reversible, |row, bits| {
                let may_be = bits.and(lost[row]);
                if !may_be.is_empty() {
                    front.add(row, may_be);
                }
            });
        });
        front.change_touched(|row, may_be| {
            game.stuck(slab, row, may_be, Moves::Reversible, |row| after.open[row])
        });
    });
}
