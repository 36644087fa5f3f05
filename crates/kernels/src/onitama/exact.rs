//! Attacks with exact distances: in how many plies the attacker wins, and the defender loses.
//!
//! As in [`attack`](super::attack), won and lost positions determine each other row by row, but nothing is used before
//! its time: sweep `t` adds what is won in exactly `2t + 1` plies, because a loss in `2t` was found in the sweep before
//! or is known of a finished attack, and then finds what is lost in exactly `2t + 2`. So the result does not depend on
//! the order of rows and threads.

use super::attack::{Means, Stop, all_rows};
use super::cells::{self, DEALS, Numbers};
use super::deals::{Deals, Word, both};
use super::gained::Gained;
use super::losses::{self, Losses};
use super::men::with_men;
use super::neighbour;
use super::row::{self, Dense, Row, squares};
use super::store::{Buffers, Lists};
use super::within::Within;
use bits::pdep;
use bits::subsets::of_25;
use rayon::prelude::*;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The longest distance that a cell holds.
pub const LONGEST: usize = 253;

/// Solves the slices of a batch, each given by the mover's men and the opponent's: one slice with as many of both, or two
/// with the roles exchanged. `finished` gives the slices with one man less.
///
/// Slices are cells in the order of the game's numbers for the cards of its tables: 0 is a draw, odd a win in so many plies, even
/// a loss, and 255 no position.
///
/// # Errors
/// If someone interrupts, a distance is more than a cell holds, or the disk refuses.
///
/// # Panics
/// If the batch is not one, or a slice that it needs is missing.
pub fn solve<'a>(
    deals: &Deals,
    batch: &[(usize, usize)],
    finished: &dyn Fn(usize, usize) -> Option<&'a [u8]>,
    means: &Means<'_>,
) -> Result<Vec<Vec<u8>>, Stop> {
    let numbers = Numbers::new(deals);
    let unknown = |&(mover, opponent): &(usize, usize)| {
        vec![0; cells::count(mover, opponent)].into_iter().map(AtomicU8::new).collect::<Vec<_>>()
    };
    let slices: Vec<Vec<AtomicU8>> = batch.iter().map(unknown).collect();
    for &(a, b) in batch {
        let slice = |mover: usize, opponent: usize| {
            let place = batch.iter().position(|&slice| slice == (mover, opponent));
            &slices[place.expect("a batch has both roles")][..]
        };
        let fewer = |mover: usize, opponent: usize| {
            (mover > 0).then(|| finished(mover, opponent).expect("slices with one man less are finished"))
        };
        let run = Run { deals, numbers: &numbers, won: slice(a, b), lost: slice(b, a), means };
        run.solve(a, b, fewer(b - 1, a), fewer(a - 1, b))?;
    }
    let solved = batch.iter().zip(slices).map(|(&(mover, opponent), cells)| {
        let mut cells: Vec<u8> = cells.into_iter().map(AtomicU8::into_inner).collect();
        with_men!((mover, opponent), A B FEWER => cells::complete::<A, B>(deals, &numbers, &mut cells));
        cells
    });
    Ok(solved.collect())
}

fn attack<const A: usize, const B: usize>(
    run: Run<'_>,
    fewer_defenders: Option<&[u8]>,
    fewer_attackers: Option<&[u8]>,
) -> Result<(), Stop> {
    let taken = fewer_defenders.map(|cells| losses_by_plies::<A>(run.deals, run.numbers, cells, B - 1));
    let within = fewer_attackers.map(|cells| Within::new(cells, run.numbers, A - 1, B));
    let rows = of_25::of_size(A as u32).iter().map(|_| Mutex::default()).collect();
    Attack::<A, B> { run, rows, taken }.solve(within)
}

/// What it takes to solve an attack.
#[derive(Clone, Copy)]
struct Run<'a> {
    deals: &'a Deals,
    numbers: &'a Numbers,
    /// The cells of the slice in which the attacker is to move.
    won: &'a [AtomicU8],
    /// The cells of the slice in which the defender is.
    lost: &'a [AtomicU8],
    means: &'a Means<'a>,
}

impl Run<'_> {
    fn solve(
        self,
        a: usize,
        b: usize,
        fewer_defenders: Option<&[u8]>,
        fewer_attackers: Option<&[u8]>,
    ) -> Result<(), Stop> {
        with_men!((a, b), A B FEWER => attack::<A, B>(self, fewer_defenders, fewer_attackers))
    }
}

/// Lists of losses by row and half the plies.
type ByPlies = Vec<Vec<Box<[u32]>>>;

/// The losses of a finished attack, from the cells of the defender's slice.
fn losses_by_plies<const A: usize>(
    deals: &Deals,
    numbers: &Numbers,
    cells: &[u8],
    defenders: usize,
) -> ByPlies {
    let of_row = |&men: &u32| {
        let mut lists: Vec<Losses> = Vec::new();
        if !deals.keeps(men) {
            return Vec::new();
        }
        let free = u64::from(!men & row::BOARD);
        let pairs = A * defenders;
        let mut words = [[0; 25]; LONGEST / 2 + 1];
        for layout in bits::subsets::all(25 - A as u32, defenders as u32) {
            let defenders = pdep(layout, free) as u32;
            let cells = &cells[cells::of_defender(men, defenders)..][..pairs * DEALS];
            let mut plies = 0u128;
            for (pair, cells) in cells.as_chunks::<DEALS>().0.iter().enumerate() {
                for (number, &cell) in cells.iter().enumerate() {
                    if cell != 0 && cell % 2 == 0 {
                        let half = usize::from(cell / 2);
                        plies |= 1 << half;
                        // Places are counted from the other end of the board.
                        words[half][pairs - 1 - pair] |= 1 << numbers.bit(number);
                    }
                }
            }
            while plies != 0 {
                let half = plies.trailing_zeros() as usize;
                plies &= plies - 1;
                if lists.len() <= half {
                    lists.resize(half + 1, Losses::default());
                }
                lists[half].push(defenders, &words[half][..pairs]);
                words[half] = [0; 25];
            }
        }
        lists.into_iter().map(|list| list.as_slice().into()).collect()
    };
    of_25::of_size(A as u32).par_iter().map(of_row).collect()
}

/// What is known of a row.
#[derive(Default)]
struct Known {
    /// Its wins, packed.
    won: Vec<u8>,
    /// How many losses each layout has with each master of the defender.
    lost: Vec<u8>,
}

/// `A` attackers against `B` defenders.
struct Attack<'a, const A: usize, const B: usize> {
    run: Run<'a>,
    rows: Vec<Mutex<Known>>,
    /// The losses with one defender less.
    taken: Option<ByPlies>,
}

/// What a thread needs.
struct Scratch {
    won: Dense,
    gained: Gained,
    losses: Losses,
    found: Vec<Found>,
    packed: Vec<u8>,
    buffers: Buffers,
    changed: Vec<u32>,
    dirty: Vec<u64>,
}

/// A sweep: what it begins with.
struct Sweep<'a> {
    /// Its number.
    t: usize,
    /// The losses found in the sweep before.
    before: Option<Lists>,
    /// The wins with one attacker less.
    within: Option<Within<'a>>,
}

impl Sweep<'_> {
    fn won_in(&self) -> u8 {
        (2 * self.t + 1) as u8
    }

    fn lost_in(&self) -> u8 {
        (2 * self.t + 2) as u8
    }
}

impl<const A: usize, const B: usize> Attack<'_, A, B> {
    fn scratch() -> Scratch {
        Scratch {
            won: row::dense::<A, B>(),
            gained: Gained::new::<A, B>(),
            losses: Losses::default(),
            found: Vec::with_capacity(AT_ONCE),
            packed: Vec::new(),
            buffers: Buffers::default(),
            changed: Vec::new(),
            dirty: vec![0; row::layouts::<A, B>().div_ceil(64)],
        }
    }

    fn solve(&self, within: Option<Within<'_>>) -> Result<(), Stop> {
        let Run { deals, means, .. } = self.run;
        // The sweep of the last news from finished attacks.
        let taken = self.taken.iter().flatten().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        let last = within.as_ref().map_or(0, |within| within.longest() / 2).max(taken);
        let mut sweep = Sweep { t: 0, before: None, within };
        loop {
            if let Some(within) = &mut sweep.within {
                within.raise((2 * sweep.t + 1) as u8);
            }
            let news = Lists::new(self.rows.len(), means.room / 2);
            all_rows::<A, _>(deals, means, sweep.t, Self::scratch, |scratch, rank| {
                self.visit(rank, &sweep, scratch)?;
                news.set(rank, scratch.losses.as_slice(), means.spill, &mut scratch.packed)
            })?;
            if news.numbers() == 0 && sweep.t >= last {
                return Ok(());
            }
            if news.numbers() > 0 && 2 * sweep.t + 2 > LONGEST {
                return Err(Stop::Overflow);
            }
            sweep = Sweep { t: sweep.t + 1, before: Some(news), within: sweep.within };
        }
    }

    fn visit(&self, rank: usize, sweep: &Sweep<'_>, scratch: &mut Scratch) -> io::Result<()> {
        let deals = self.run.deals;
        let men = of_25::of_size(A as u32)[rank];
        let is_first = sweep.t == 0;
        scratch.losses.clear();
        scratch.changed.clear();
        self.pull_all(men, sweep, scratch)?;
        let stuck = if A == 5 && !is_first { deals.stuck_attacker(men) } else { 0 };
        let fewer = squares::<A>(men).map(|man| of_25::rank(men ^ 1 << man) as usize);
        let has_changed = |within: &Within<'_>| fewer.iter().any(|&rank| within.has_changed(rank));
        let fewer_changed = sweep.within.as_ref().filter(|within| has_changed(within));
        if scratch.gained.is_empty() && stuck == 0 && fewer_changed.is_none() && !is_first {
            return Ok(());
        }
        let row = Row::<A, B>::new(deals, men);
        let mut known = self.rows[rank].lock().expect("no thread has failed");
        let Known { won: packed, lost: counts } = &mut *known;
        if is_first {
            row.start(&mut scratch.won);
            row.pack(&scratch.won, packed);
            counts.resize(row::layouts::<A, B>() * B, 0);
        } else {
            row.unpack(packed, &mut scratch.won);
        }
        self.win(&row, rank, stuck, sweep, scratch)?;
        if !scratch.changed.is_empty() {
            row.pack(&scratch.won, packed);
        } else if fewer_changed.is_none() && !is_first {
            return Ok(());
        }

        let layouts = Row::<A, B>::layouts();
        let fewer_rows = sweep.within.as_ref().map(|within| fewer.map(|rank| within.row(rank)));
        let mut lose = |rank: usize, scratch: &mut Scratch| {
            self.lose(&row, rank, fewer_rows, sweep.lost_in(), counts, scratch);
        };
        if is_first || scratch.changed.len() * 8 > layouts.len() {
            (0..layouts.len()).for_each(|rank| lose(rank, scratch));
            self.note(sweep.lost_in(), scratch);
            return Ok(());
        }
        let mut dirty = std::mem::take(&mut scratch.dirty);
        dirty.fill(0);
        let mut mark = |rank: usize| dirty[rank / 64] |= 1 << (rank % 64);
        for &changed in &scratch.changed {
            if B == 5 {
                // He may have to pass.
                mark(changed as usize);
            }
            row.before(layouts[changed as usize], &mut mark);
        }
        if let Some(within) = fewer_changed {
            for (man, rank) in squares::<A>(men).into_iter().zip(fewer) {
                self.before_taking(&row, man, within.changed(rank), &mut mark);
            }
        }
        each(&dirty, |rank| lose(rank, scratch));
        self.note(sweep.lost_in(), scratch);
        scratch.dirty = dirty;
        Ok(())
    }

    /// The losses from which the wins of this sweep come.
    fn pull_all(&self, men: u32, sweep: &Sweep<'_>, scratch: &mut Scratch) -> io::Result<()> {
        let Scratch { gained, buffers, .. } = scratch;
        let Some(before) = &sweep.before else { return Ok(()) };
        for neighbour in &neighbour::of::<A>(self.run.deals, men) {
            let list = before.get(neighbour.rank, buffers)?.unwrap_or_default();
            gained.pull::<A, B>(list, neighbour, men);
            if let Some(list) = self.taken.as_ref().and_then(|taken| taken[neighbour.rank].get(sweep.t)) {
                gained.pull_taking::<A, B>(list, neighbour, men);
            }
        }
        Ok(())
    }

    /// Adds them to the wins, and to the cells. `stuck`: the deals in which the attacker passes.
    fn win(
        &self,
        row: &Row<A, B>,
        rank: usize,
        stuck: Word,
        sweep: &Sweep<'_>,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        let Run { deals, numbers, won: cells, .. } = self.run;
        let cells = &cells[rank * cells::row_len(A, B)..][..cells::row_len(A, B)];
        let Scratch { won, gained, changed, buffers, .. } = scratch;
        let mut tell = |rank: usize, number: usize, mut new: Word| {
            if changed.last() != Some(&(rank as u32)) {
                changed.push(rank as u32);
            }
            let cells = &cells[(rank * A * B + number % A * B + number / A) * DEALS..][..DEALS];
            while new != 0 {
                cells[numbers.of(new.trailing_zeros())].store(sweep.won_in(), Relaxed);
                new &= new - 1;
            }
        };
        gained.settle(deals, row, won, &mut tell);
        if stuck != 0
            && let Some(before) = &sweep.before
        {
            // Who cannot move passes, and exchanges a card all the same.
            losses::visit(before.get(rank, buffers)?.unwrap_or_default(), |defenders, present, words| {
                let rank = row.rank_on_board(defenders);
                for (number, word) in losses::numbered(present, words) {
                    let won = &mut won[rank * A * B + number];
                    let new = deals.before_attack(word) & stuck & !*won;
                    if new != 0 {
                        *won |= new;
                        tell(rank, number, new);
                    }
                }
            });
        }
        Ok(())
    }

    /// The layouts from which the taking of a man leads to one of these, of the row without him.
    fn before_taking(&self, row: &Row<A, B>, man: usize, changed: &[u64], mut mark: impl FnMut(usize)) {
        let takes = |from: &usize| row.free >> from & 1 != 0 && self.run.deals.defends(*from, man) != 0;
        let takers = (0..25).filter(takes).fold(0u32, |set, from| set | 1 << from);
        let free = u64::from(row.free | 1 << man);
        each(changed, |rank| {
            let defenders = pdep(of_25::of_size(B as u32)[rank].into(), free) as u32;
            if defenders >> man & 1 != 0 {
                let others = defenders ^ 1 << man;
                let mut from = takers & !others;
                while from != 0 {
                    mark(row.rank_on_board(others | (from & from.wrapping_neg())));
                    from &= from - 1;
                }
            }
        });
    }

    /// Finds the new losses of a layout: there are some where there are more than were counted.
    #[inline]
    fn lose(
        &self,
        row: &Row<A, B>,
        rank: usize,
        fewer: Option<[&Dense; A]>,
        plies: u8,
        counts: &mut [u8],
        scratch: &mut Scratch,
    ) {
        let deals = self.run.deals;
        let count = |lanes: &row::Lanes| lanes[..A].iter().map(|word| word.count_ones()).sum::<u32>() as u8;
        let layout = Row::<A, B>::layouts()[rank];
        let mut replies = row.quiet_replies(&scratch.won, layout);
        let mut lost = replies.map(|lanes| lanes.map(both));
        let defenders = row.on_board(layout);
        let stuck = if B == 5 { deals.stuck_defender(defenders) } else { 0 };
        let counts = &mut counts[rank * B..][..B];
        if stuck == 0 && (0..B).all(|g| count(&lost[g]) == counts[g]) {
            return;
        }
        if let Some(fewer) = fewer {
            row.takings(fewer, layout, &mut replies);
            lost = replies.map(|lanes| lanes.map(both));
        }
        let mut found = Found { defenders, first: 0, words: [0; 25] };
        let mut any = false;
        for g in 0..B {
            if stuck != 0 {
                // He passes, and exchanges a card all the same.
                let won = &scratch.won[(rank * B + g) * A..][..A];
                for (lost, &won) in lost[g].iter_mut().zip(won) {
                    *lost = *lost & !stuck | both(won) & stuck;
                }
            }
            let count = count(&lost[g]);
            if count != counts[g] {
                counts[g] = count;
                any = true;
                found.words[g * A..][..A].copy_from_slice(&lost[g][..A]);
            }
        }
        if any {
            found.first = cells::of_defender(row.men, defenders);
            scratch.found.push(found);
            if scratch.found.len() == AT_ONCE {
                self.note(plies, scratch);
            }
        }
    }

    /// Writes what was found into the cells, and lists what is new.
    fn note(&self, plies: u8, scratch: &mut Scratch) {
        let Run { deals, numbers, lost: cells, .. } = self.run;
        let Scratch { found, losses, .. } = scratch;
        // The cells lie far from each other. Looked at in one go, they come from memory together.
        let touch = |found: &Found| {
            (0..A * B * DEALS).step_by(64).fold(0, |any, i| any | cells[found.first + i].load(Relaxed))
        };
        std::hint::black_box(found.iter().fold(0, |any, found| any | touch(found)));
        for mut found in found.drain(..) {
            for (number, word) in found.words[..A * B].iter_mut().enumerate().filter(|(_, word)| **word != 0)
            {
                // Places are counted from the other end of the board.
                let pair = A * B - 1 - number;
                let cells = &cells[found.first + pair * DEALS..][..DEALS];
                let mut all = deals.by_defender(std::mem::take(word));
                while all != 0 {
                    let bit = all.trailing_zeros();
                    let cell = &cells[numbers.of(bit)];
                    if cell.load(Relaxed) == 0 {
                        cell.store(plies, Relaxed);
                        *word |= 1 << bit;
                    }
                    all &= all - 1;
                }
            }
            losses.push(found.defenders, &found.words[..A * B]);
        }
    }
}

/// The losses of a layout, old ones among them.
struct Found {
    defenders: u32,
    /// Its first cell.
    first: usize,
    words: [Word; 25],
}

/// How many layouts with losses are noted at once.
const AT_ONCE: usize = 32;

/// The numbers in a set.
fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (i, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(i * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
