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

use super::game::{Moves, RowGame};
use super::row::Row;
use super::tensors::{Tensors, each_turned};
use game::parallel;
use std::collections::BTreeMap;

/// A few rows: by slab and number, the bits.
pub type Few<R> = BTreeMap<(usize, usize), R>;

/// The positions that perpetual check decides, in rows before the move.
pub struct ByRule<R> {
    /// Those that the side to move wins.
    pub won: Few<R>,
    /// Those that the side to move loses.
    pub lost: Few<R>,
}

/// Finds the positions that perpetual check decides among the undecided ones, which are in `tensors.before.unknown`.
/// `tensors.after` is used as work space.
pub fn decide<G: RowGame>(game: &G, tensors: &mut Tensors<G::Row>) -> ByRule<G::Row> {
    let (mut won, mut lost) = (Few::new(), Few::new());
    loop {
        note_quiet(game, tensors);
        let pursuits = pursuits(game, tensors);
        let (pursuits, flights) = lasting(game, tensors, pursuits);
        if pursuits.is_empty() {
            return ByRule { won, lost };
        }
        let (mut new_wins, mut new_losses) = (flights, pursuits);
        while !new_wins.is_empty() || !new_losses.is_empty() {
            take(tensors, &new_wins);
            take(tensors, &new_losses);
            add(&mut won, &new_wins);
            add(&mut lost, &new_losses);
            let wins = before(game, tensors, &turned(game, &new_losses));
            take(tensors, &wins);
            add(&mut won, &wins);
            add(&mut new_wins, &wins);
            let candidates = before(game, tensors, &turned(game, &new_wins));
            new_losses = stuck(game, &candidates, |slab, row| undecided_after(game, tensors, slab, row));
            new_wins = Few::new();
        }
    }
}

/// Writes into `after.open` the undecided positions in which the side to move is not in check.
fn note_quiet<G: RowGame>(game: &G, tensors: &mut Tensors<G::Row>) {
    let Tensors { before, after } = tensors;
    parallel::for_each_mut(after, &|slab, after| {
        each_turned(
            game,
            slab,
            |slab| &before[slab].unknown,
            |row, bits| {
                after.open[row] = if bits.is_empty() { bits } else { bits.and_not(game.checks(slab, row)) };
            },
        );
    });
}

/// The undecided positions from which every move to an undecided position gives check.
fn pursuits<G: RowGame>(game: &G, tensors: &Tensors<G::Row>) -> Few<G::Row> {
    let found = parallel::map(game.slabs(), |slab| {
        let open = &tensors.after[slab].open;
        let mut found = Few::new();
        for (row, &unknown) in tensors.before[slab].unknown.iter().enumerate() {
            if !unknown.is_empty() {
                let stuck = game.stuck(slab, row, unknown, Moves::All, |row| open[row]);
                if !stuck.is_empty() {
                    found.insert((slab, row), stuck);
                }
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Reduces pursuits to those that last for ever, and finds the flights between them.
fn lasting<G: RowGame>(
    game: &G,
    tensors: &Tensors<G::Row>,
    mut pursuits: Few<G::Row>,
) -> (Few<G::Row>, Few<G::Row>) {
    loop {
        let escapes = before(game, tensors, &turned(game, &pursuits));
        let flights_after: Few<G::Row> = turned(game, &escapes)
            .into_iter()
            .map(|((slab, row), bits)| ((slab, row), bits.and(game.checks(slab, row))))
            .collect();
        let elsewhere = |slab: usize, row: usize| {
            let flights = flights_after.get(&(slab, row)).copied().unwrap_or(G::Row::EMPTY);
            undecided_after(game, tensors, slab, row).and_not(flights)
        };
        let left = stuck(game, &pursuits, elsewhere);
        if left == pursuits {
            return (pursuits, turned(game, &flights_after));
        }
        pursuits = left;
    }
}

/// The same positions as the other side sees them.
fn turned<G: RowGame>(game: &G, few: &Few<G::Row>) -> Few<G::Row> {
    let per_block = game.rows_per_block();
    let mut turned = Few::new();
    for (&(slab, row), &bits) in few {
        game.each_image(slab, row / per_block, |image| {
            let row = image.block * per_block + game.turned_row(row % per_block, image.mirrored);
            put(&mut turned, image.slab, row, game.turned(bits, image.mirrored));
        });
    }
    turned
}

/// The undecided positions of a row after the move.
fn undecided_after<G: RowGame>(game: &G, tensors: &Tensors<G::Row>, slab: usize, row: usize) -> G::Row {
    let per_block = game.rows_per_block();
    let source = game.source(slab, row / per_block);
    let from = source.block * per_block + game.turned_row(row % per_block, source.mirrored);
    game.turned(tensors.before[source.slab].unknown[from], source.mirrored)
}

/// The undecided positions with a move to some positions after the move.
fn before<G: RowGame>(game: &G, tensors: &Tensors<G::Row>, after: &Few<G::Row>) -> Few<G::Row> {
    let mut before = Few::new();
    for (&(slab, row), &bits) in after {
        let unknown = &tensors.before[slab].unknown;
        game.visit_before(slab, row, bits, Moves::All, |row, bits| {
            put(&mut before, slab, row, bits.and(unknown[row]));
        });
    }
    before
}

/// Those positions that have no move to a position in `after`.
fn stuck<G: RowGame>(
    game: &G,
    positions: &Few<G::Row>,
    after: impl Fn(usize, usize) -> G::Row,
) -> Few<G::Row> {
    let mut left = Few::new();
    for (&(slab, row), &bits) in positions {
        put(&mut left, slab, row, game.stuck(slab, row, bits, Moves::All, |row| after(slab, row)));
    }
    left
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

/// Takes positions from the undecided ones.
fn take<R: Row>(tensors: &mut Tensors<R>, few: &Few<R>) {
    for (&(slab, row), &bits) in few {
        let unknown = &mut tensors.before[slab].unknown[row];
        *unknown = unknown.and_not(bits);
    }
}
