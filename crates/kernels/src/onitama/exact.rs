//! Solves attacks with exact distances: the number of plies in which the attacker wins and the defender loses.
//!
//! As in [`attack`](super::attack), won and lost positions determine each other row by row. But here a result is used only
//! in the sweep of its distance. Sweep `t` adds the wins in exactly `2t + 1` plies: they come from losses in `2t` plies,
//! which the sweep before found or which are known from a finished attack. Then it finds the losses in exactly `2t + 2`
//! plies. So the result does not depend on the order of rows and threads.

use super::attack::{AttackError, Means, all_rows};
use super::cells::{self, DEALS, Numbers};
use super::deals::{Deals, Word, both};
use super::gained::Gained;
use super::known::Men;
use super::losses::{self, Losses};
use super::men::with_men;
use super::neighbour;
use super::row::{self, Dense, MOST_MEN, Row, squares};
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

/// Solves the slices of a group. A slice is given by the number of men of the side to move and of the opponent. A group is
/// one slice with equal numbers, or two slices with the roles exchanged. `finished` gives the slices with one man less.
///
/// The result has the cells of each slice, in the order of the game's index for the cards of its tables. A cell is 0 for a
/// draw, odd for a win in that many plies, even for a loss in that many plies, and 255 for a hole.
///
/// # Errors
/// Returns an error if the run is interrupted, if a distance does not fit into a cell, or if an I/O operation fails.
///
/// # Panics
/// Panics if the slices are not a group, or if a slice that the group needs is missing.
pub fn solve<'a>(
    deals: &Deals,
    group: &[(usize, usize)],
    finished: &dyn Fn(usize, usize) -> Option<&'a [u8]>,
    means: &Means<'_>,
) -> Result<Vec<Vec<u8>>, AttackError> {
    let numbers = Numbers::new(deals);
    let unknown = |&(mover, opponent): &(usize, usize)| {
        vec![0; cells::count(mover, opponent)].into_iter().map(AtomicU8::new).collect::<Vec<_>>()
    };
    let slices: Vec<Vec<AtomicU8>> = group.iter().map(unknown).collect();
    for &(a, b) in group {
        let slice = |mover: usize, opponent: usize| {
            let place = group.iter().position(|&slice| slice == (mover, opponent));
            &slices[place.expect("a group has both roles")][..]
        };
        let fewer = |mover: usize, opponent: usize| {
            (mover > 0).then(|| finished(mover, opponent).expect("slices with one man less are finished"))
        };
        let inputs = Inputs { deals, numbers: &numbers, won: slice(a, b), lost: slice(b, a), means };
        inputs.solve(a, b, fewer(b - 1, a), fewer(a - 1, b))?;
    }
    let solved = group.iter().zip(slices).map(|(&(mover, opponent), cells)| {
        let mut cells: Vec<u8> = cells.into_iter().map(AtomicU8::into_inner).collect();
        cells::complete((mover, opponent), deals, &numbers, &mut cells);
        cells
    });
    Ok(solved.collect())
}

fn attack<const B: usize>(
    attackers: usize,
    inputs: Inputs<'_>,
    fewer_defenders: Option<&[u8]>,
    fewer_attackers: Option<&[u8]>,
) -> Result<(), AttackError> {
    let taken =
        fewer_defenders.map(|cells| losses_by_plies(inputs.deals, inputs.numbers, cells, (attackers, B - 1)));
    let within = fewer_attackers.map(|cells| Within::new(cells, inputs.numbers, attackers - 1, B));
    let rows = of_25::of_size(attackers as u32).iter().map(|_| Mutex::default()).collect();
    let pair_of = std::array::from_fn(|number| (number % attackers * B + number / attackers) as u8);
    Attack::<B> { attackers, pair_of, inputs, rows, taken }.solve(within)
}

/// The inputs for solving an attack.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    deals: &'a Deals,
    numbers: &'a Numbers,
    /// The cells of the slice in which the attacker is to move.
    won: &'a [AtomicU8],
    /// The cells of the slice in which the defender is to move.
    lost: &'a [AtomicU8],
    means: &'a Means<'a>,
}

impl Inputs<'_> {
    fn solve(
        self,
        a: usize,
        b: usize,
        fewer_defenders: Option<&[u8]>,
        fewer_attackers: Option<&[u8]>,
    ) -> Result<(), AttackError> {
        with_men!(b, B => attack::<B>(a, self, fewer_defenders, fewer_attackers))
    }
}

/// Lists of losses, by row and by half the number of plies.
type ByPlies = Vec<Vec<Box<[u32]>>>;

/// The losses of a finished attack, from the cells of the defender's slice.
fn losses_by_plies(deals: &Deals, numbers: &Numbers, cells: &[u8], (attackers, defenders): Men) -> ByPlies {
    let of_row = |&men: &u32| {
        let mut lists: Vec<Losses> = Vec::new();
        if !deals.keeps(men) {
            return Vec::new();
        }
        let free = u64::from(!men & row::BOARD);
        let pairs = attackers * defenders;
        let mut words = [[0; 25]; LONGEST / 2 + 1];
        for placement in bits::subsets::all(25 - attackers as u32, defenders as u32) {
            let defenders = pdep(placement, free) as u32;
            let cells = &cells[cells::of_defender(men, defenders)..][..pairs * DEALS];
            let mut plies = 0u128;
            for (pair, cells) in cells.as_chunks::<DEALS>().0.iter().enumerate() {
                for (number, &cell) in cells.iter().enumerate() {
                    if cell != 0 && cell % 2 == 0 {
                        let half = usize::from(cell / 2);
                        plies |= 1 << half;
                        // Places are counted from the other end of the board: the defender sees it turned.
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
    of_25::of_size(attackers as u32).par_iter().map(of_row).collect()
}

/// The results of a row so far.
#[derive(Default)]
struct Known {
    /// The wins of the row, packed.
    won: Vec<u8>,
    /// The number of losses of each placement with each master of the defender.
    lost: Vec<u8>,
}

/// An attack with `B` defenders.
struct Attack<'a, const B: usize> {
    attackers: usize,
    /// The number of each word's masters among the pairs of a placement's cells.
    pair_of: [u8; MOST_MEN * MOST_MEN],
    inputs: Inputs<'a>,
    rows: Vec<Mutex<Known>>,
    /// The losses with one defender less.
    taken: Option<ByPlies>,
}

/// Scratch memory of a thread.
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

/// The inputs of a sweep.
struct Sweep<'a> {
    /// The number of the sweep.
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

impl<const B: usize> Attack<'_, B> {
    fn scratch(&self) -> Scratch {
        let a = self.attackers;
        Scratch {
            won: row::dense(a, B),
            gained: Gained::new(a, B),
            losses: Losses::default(),
            found: Vec::with_capacity(AT_ONCE),
            packed: Vec::new(),
            buffers: Buffers::default(),
            changed: Vec::new(),
            dirty: vec![0; row::placements(a, B).div_ceil(64)],
        }
    }

    fn solve(&self, within: Option<Within<'_>>) -> Result<(), AttackError> {
        let Inputs { deals, means, .. } = self.inputs;
        // The last sweep that gets new results from finished attacks.
        let taken = self.taken.iter().flatten().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        let last = within.as_ref().map_or(0, |within| within.longest() / 2).max(taken);
        let mut sweep = Sweep { t: 0, before: None, within };
        loop {
            if let Some(within) = &mut sweep.within {
                within.raise((2 * sweep.t + 1) as u8);
            }
            let news = Lists::new(self.rows.len(), means.room / 2);
            all_rows(
                self.attackers,
                deals,
                means,
                sweep.t,
                || self.scratch(),
                |scratch, rank| {
                    self.visit(rank, &sweep, scratch)?;
                    news.set(rank, scratch.losses.as_slice(), means.spill, &mut scratch.packed)
                },
            )?;
            if news.numbers() == 0 && sweep.t >= last {
                return Ok(());
            }
            if news.numbers() > 0 && 2 * sweep.t + 2 > LONGEST {
                return Err(AttackError::Overflow);
            }
            sweep = Sweep { t: sweep.t + 1, before: Some(news), within: sweep.within };
        }
    }

    fn visit(&self, rank: usize, sweep: &Sweep<'_>, scratch: &mut Scratch) -> io::Result<()> {
        let deals = self.inputs.deals;
        let men = of_25::of_size(self.attackers as u32)[rank];
        let is_first = sweep.t == 0;
        scratch.losses.clear();
        scratch.changed.clear();
        self.pull_all(men, sweep, scratch)?;
        let stuck = if self.attackers == MOST_MEN && !is_first { deals.stuck_attacker(men) } else { 0 };
        let squares = squares::<MOST_MEN>(men);
        let squares = &squares[..self.attackers];
        let mut fewer = [0; MOST_MEN];
        for (fewer, man) in fewer.iter_mut().zip(squares) {
            *fewer = of_25::rank(men ^ 1 << man) as usize;
        }
        let fewer = &fewer[..self.attackers];
        let has_changed = |within: &Within<'_>| fewer.iter().any(|&rank| within.has_changed(rank));
        let fewer_changed = sweep.within.as_ref().filter(|within| has_changed(within));
        if scratch.gained.is_empty() && stuck == 0 && fewer_changed.is_none() && !is_first {
            return Ok(());
        }
        let row = Row::<B>::new(deals, men);
        let mut known = self.rows[rank].lock().expect("no thread has failed");
        let Known { won: packed, lost: counts } = &mut *known;
        if is_first {
            row.start(&mut scratch.won);
            row.pack(&scratch.won, packed);
            counts.resize(row.placements().len() * B, 0);
        } else {
            row.unpack(packed, &mut scratch.won);
        }
        self.win(&row, rank, stuck, sweep, scratch)?;
        if !scratch.changed.is_empty() {
            row.pack(&scratch.won, packed);
        } else if fewer_changed.is_none() && !is_first {
            return Ok(());
        }

        let placements = row.placements();
        let fewer_rows: Option<Vec<&Dense>> =
            sweep.within.as_ref().map(|within| fewer.iter().map(|&rank| within.row(rank)).collect());
        let mut lose = |rank: usize, scratch: &mut Scratch| {
            self.lose(&row, rank, fewer_rows.as_deref(), sweep.lost_in(), counts, scratch);
        };
        if is_first || scratch.changed.len() * 8 > placements.len() {
            (0..placements.len()).for_each(|rank| lose(rank, scratch));
            self.note(sweep.lost_in(), scratch);
            return Ok(());
        }
        let mut dirty = std::mem::take(&mut scratch.dirty);
        dirty.fill(0);
        let mut mark = |rank: usize| dirty[rank / 64] |= 1 << (rank % 64);
        for &changed in &scratch.changed {
            if B == MOST_MEN {
                // The defender may have to pass, which does not change the placement.
                mark(changed as usize);
            }
            row.before(placements[changed as usize], &mut mark);
        }
        if let Some(within) = fewer_changed {
            for (&man, &rank) in squares.iter().zip(fewer) {
                self.before_taking(&row, man, within.changed(rank), &mut mark);
            }
        }
        each(&dirty, |rank| lose(rank, scratch));
        self.note(sweep.lost_in(), scratch);
        scratch.dirty = dirty;
        Ok(())
    }

    /// Gathers the losses from which the wins of this sweep follow.
    fn pull_all(&self, men: u32, sweep: &Sweep<'_>, scratch: &mut Scratch) -> io::Result<()> {
        let Scratch { gained, buffers, .. } = scratch;
        let Some(before) = &sweep.before else { return Ok(()) };
        for neighbour in &neighbour::of(self.inputs.deals, men) {
            let list = before.get(neighbour.rank, buffers)?.unwrap_or_default();
            gained.pull::<B>(list, neighbour, men);
            if let Some(list) = self.taken.as_ref().and_then(|taken| taken[neighbour.rank].get(sweep.t)) {
                gained.pull_taking::<B>(list, neighbour, men);
            }
        }
        Ok(())
    }

    /// Adds the gathered wins to the row and to the cells. `stuck` has the deals in which the attacker passes.
    fn win(
        &self,
        row: &Row<B>,
        rank: usize,
        stuck: Word,
        sweep: &Sweep<'_>,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        let Inputs { deals, numbers, won: cells, .. } = self.inputs;
        let a = self.attackers;
        let cells = &cells[rank * cells::row_len(a, B)..][..cells::row_len(a, B)];
        let Scratch { won, gained, changed, buffers, .. } = scratch;
        let mut tell = |rank: usize, number: usize, mut new: Word| {
            if changed.last() != Some(&(rank as u32)) {
                changed.push(rank as u32);
            }
            let pair = usize::from(self.pair_of[number]);
            let cells = &cells[(rank * a * B + pair) * DEALS..][..DEALS];
            while new != 0 {
                cells[numbers.of(new.trailing_zeros())].store(sweep.won_in(), Relaxed);
                new &= new - 1;
            }
        };
        gained.settle(deals, row, won, &mut tell);
        if stuck != 0
            && let Some(before) = &sweep.before
        {
            // An attacker that cannot move passes, but still exchanges a card.
            losses::visit(before.get(rank, buffers)?.unwrap_or_default(), |defenders, present, words| {
                let rank = row.rank_on_board(defenders);
                for (number, word) in losses::numbered(present, words) {
                    let won = &mut won[rank * a * B + number];
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

    /// Marks the placements from which the capture of `man` leads to one of the `changed` placements of the row without it.
    fn before_taking(&self, row: &Row<B>, man: usize, changed: &[u64], mut mark: impl FnMut(usize)) {
        let takes = |from: &usize| row.free >> from & 1 != 0 && self.inputs.deals.defends(*from, man) != 0;
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

    /// Finds the new losses of a placement. There are some if the number of losses differs from the last count.
    #[inline]
    fn lose(
        &self,
        row: &Row<B>,
        rank: usize,
        fewer: Option<&[&Dense]>,
        plies: u8,
        counts: &mut [u8],
        scratch: &mut Scratch,
    ) {
        let deals = self.inputs.deals;
        let a = self.attackers;
        let count = |lanes: &row::Lanes| lanes.iter().map(|word| word.count_ones()).sum::<u32>() as u8;
        let placement = row.placements()[rank];
        let mut replies = row.quiet_replies(a, &scratch.won, placement);
        let mut lost = replies.map(|lanes| lanes.map(both));
        let defenders = row.on_board(placement);
        let stuck = if B == MOST_MEN { deals.stuck_defender(defenders) } else { 0 };
        let counts = &mut counts[rank * B..][..B];
        if stuck == 0 && (0..B).all(|g| count(&lost[g]) == counts[g]) {
            return;
        }
        if let Some(fewer) = fewer {
            row.takings(fewer, placement, &mut replies);
            lost = replies.map(|lanes| lanes.map(both));
        }
        let mut found = Found { defenders, first: 0, words: [0; 25] };
        let mut any = false;
        for g in 0..B {
            if stuck != 0 {
                // The defender passes, but still exchanges a card.
                let won = &scratch.won[(rank * B + g) * a..][..a];
                for (lost, &won) in lost[g].iter_mut().zip(won) {
                    *lost = *lost & !stuck | both(won) & stuck;
                }
            }
            let count = count(&lost[g]);
            if count != counts[g] {
                counts[g] = count;
                any = true;
                for (word, &lost) in found.words[g * a..][..a].iter_mut().zip(&lost[g]) {
                    *word = lost;
                }
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

    /// Writes the losses that were found into the cells, and lists those that are new.
    fn note(&self, plies: u8, scratch: &mut Scratch) {
        let Inputs { deals, numbers, lost: cells, .. } = self.inputs;
        let Scratch { found, losses, .. } = scratch;
        let pairs = self.attackers * B;
        // The cells are far from each other in memory. Loading all of them first makes the cache misses overlap.
        let touch = |found: &Found| {
            (0..pairs * DEALS).step_by(64).fold(0, |any, i| any | cells[found.first + i].load(Relaxed))
        };
        std::hint::black_box(found.iter().fold(0, |any, found| any | touch(found)));
        for mut found in found.drain(..) {
            for (number, word) in found.words[..pairs].iter_mut().enumerate().filter(|(_, word)| **word != 0)
            {
                // Places are counted from the other end of the board: the defender sees it turned.
                let pair = pairs - 1 - number;
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
            losses.push(found.defenders, &found.words[..pairs]);
        }
    }
}

/// The losses of a placement, including those that are already known.
struct Found {
    defenders: u32,
    /// The first cell of the placement.
    first: usize,
    words: [Word; 25],
}

/// The number of placements with losses that are written to the cells together.
const AT_ONCE: usize = 32;

/// Visits the numbers in a set.
fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (i, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(i * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
