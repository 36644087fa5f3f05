//! One attack: so many attackers against so many defenders, and who of them wins.
//!
//! `Won(row, layout)` with the attacker to move and `Lost(row, layout)` with the defender to move determine each other:
//! lost is what leads only to won positions, all of them in the same row; won is what leads to a lost one, in the rows
//! that a man's move away. So a row is visited with the new losses of its neighbours, finds its new wins, and from
//! them its own new losses. Rows are visited in turn until nothing is new. What is taken leads to an attack with a man less,
//! which is finished: the attacker's captures are added once, the defender's are looked up when all else is lost.

use super::deals::{Deals, Word, both};
use super::gained::Gained;
use super::losses::{self, Losses};
use super::mirror;
use super::neighbour;
use super::row::{self, Dense, Row, SPARE, squares};
use super::store::{Buffers, Lists, Rows, Spill};
use bits::subsets::of_25;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What a thread needs.
struct Scratch<const A: usize> {
    won: Dense,
    gained: Gained,
    fewer: FewerRows<A>,
    packed: Vec<u8>,
    counts: Vec<u8>,
    losses: Losses,
    buffers: Buffers,
    changed: Vec<u32>,
    dirty: Vec<u64>,
}

/// Rows with one attacker less. Rows that follow each other have some of them in common.
struct FewerRows<const A: usize> {
    rows: Vec<(u32, Dense)>,
    /// The row for which these places are.
    of: Option<u32>,
    places: [usize; A],
    next: usize,
    packed: Vec<u8>,
    mirrored: Dense,
}

/// Why an attack was not solved to its end.
pub enum Stop {
    /// Someone asked for it.
    Interrupted,
    /// A distance that a byte cannot hold.
    Overflow,
    /// The disk refuses.
    Disk(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// What a run gives to every attack.
pub struct Means<'a> {
    /// The memory for the losses of a sweep, in bytes; those of two sweeps are there at a time.
    pub room: u64,
    /// The memory for rows with an attacker less, in bytes, for each thread.
    pub cache: u64,
    /// A new file for what does not fit.
    pub spill: &'a Spill<'a>,
    /// Set by someone who wants it to stop.
    pub interrupt: &'a AtomicBool,
    /// Hears of each row that was visited: the sweep, how many of how many.
    pub watch: &'a (dyn Fn(usize, usize, usize) + Sync),
}

/// `A` attackers, `FEWER` when one is taken, against `B` defenders.
pub struct Attack<'a, const A: usize, const B: usize, const FEWER: usize> {
    /// The cards.
    pub deals: &'a Deals,
    /// What the attacker wins, by row.
    pub won: &'a Rows,
    /// The same with one attacker less, if there is one.
    pub fewer_attackers: Option<&'a Rows>,
    /// What it takes.
    pub means: &'a Means<'a>,
}

impl<const A: usize, const B: usize, const FEWER: usize> Attack<'_, A, B, FEWER> {
    fn scratch(&self) -> Scratch<A> {
        Scratch {
            won: row::dense::<A, B>(),
            gained: Gained::new::<A, B>(),
            fewer: FewerRows::new::<FEWER, B>(self.means.cache),
            packed: Vec::new(),
            counts: Vec::new(),
            losses: Losses::default(),
            buffers: Buffers::default(),
            changed: Vec::new(),
            dirty: vec![0; row::layouts::<A, B>().div_ceil(64)],
        }
    }

    fn sets() -> &'static [u32] {
        of_25::of_size(A as u32)
    }

    /// The sizes of the rows of wins.
    pub fn row_sizes(deals: &Deals) -> Vec<u64> {
        let size =
            |&men: &u32| if deals.keeps(men) { Row::<A, B>::new(deals, men).packed_bytes() } else { 0 };
        Self::sets().iter().map(size).collect()
    }

    /// Finds all wins, beginning with those that the rows know already; `taken` are the losses with one defender less.
    ///
    /// # Errors
    /// If someone interrupts or the disk refuses. What the rows know then is true.
    pub fn solve(&self, taken: Option<&Lists>, counts: &Rows) -> Result<(), Stop> {
        let rows = Self::sets().len();
        // The neighbours of a row whose losses of the last sweep it has seen already.
        let seen: Vec<Mutex<u128>> = (0..rows).map(|_| Mutex::default()).collect();
        let mut before: Option<Lists> = None;
        for sweep in 0.. {
            let news = Lists::new(rows, self.means.room);
            self.all_rows(sweep, |scratch, rank| {
                let mut seen = seen[rank].lock().expect("no thread has failed");
                let lists = match &before {
                    None => Known::Taken(taken),
                    Some(before) => Known::Before(before),
                };
                self.visit(rank, lists, &news, &mut seen, counts, scratch)?;
                news.set(rank, scratch.losses.as_slice(), self.means.spill, &mut scratch.packed)
            })?;
            if news.numbers() == 0 {
                break;
            }
            before = Some(news);
        }
        Ok(())
    }

    /// All positions that the defender has lost, once all wins are known.
    ///
    /// # Errors
    /// If someone interrupts or the disk refuses.
    pub fn losses(&self) -> Result<Lists, Stop> {
        let lists = Lists::new(Self::sets().len(), self.means.room);
        self.all_rows(0, |scratch, rank| {
            let row = Row::<A, B>::new(self.deals, Self::sets()[rank]);
            self.won.read(rank, &mut scratch.packed)?;
            row.unpack(&scratch.packed, &mut scratch.won);
            scratch.counts.clear();
            scratch.counts.resize(row::layouts::<A, B>() * B, 0);
            self.find_losses(&row, None, scratch)?;
            lists.set(rank, scratch.losses.as_slice(), self.means.spill, &mut scratch.packed)
        })?;
        Ok(lists)
    }

    fn all_rows(
        &self,
        sweep: usize,
        visit: impl Fn(&mut Scratch<A>, usize) -> io::Result<()> + Sync,
    ) -> Result<(), Stop> {
        all_rows::<A, _>(self.deals, self.means, sweep, || self.scratch(), visit)
    }

    fn visit(
        &self,
        rank: usize,
        known: Known<'_>,
        news: &Lists,
        seen: &mut u128,
        counts: &Rows,
        scratch: &mut Scratch<A>,
    ) -> io::Result<()> {
        let men = Self::sets()[rank];
        let is_first = matches!(known, Known::Taken(_));
        self.pull_all(men, known, news, seen, scratch)?;
        scratch.losses.clear();
        let stuck = if A == 5 { self.deals.stuck_attacker(men) } else { 0 };
        if scratch.gained.is_empty() && !is_first && stuck == 0 {
            return Ok(());
        }
        let row = Row::<A, B>::new(self.deals, men);
        self.won.read(rank, &mut scratch.packed)?;
        if scratch.packed.is_empty() {
            row.start(&mut scratch.won);
        } else {
            row.unpack(&scratch.packed, &mut scratch.won);
        }
        if is_first {
            scratch.counts.clear();
            scratch.counts.resize(row::layouts::<A, B>() * B, 0);
        } else {
            counts.read(rank, &mut scratch.counts)?;
        }
        scratch.changed.clear();
        let Scratch { won, gained, changed, .. } = scratch;
        gained.settle(self.deals, &row, won, |rank, _, _| {
            if changed.last() != Some(&(rank as u32)) {
                changed.push(rank as u32);
            }
        });
        if let Known::Before(before) = known {
            self.pass(&row, rank, before, scratch)?;
        }
        if scratch.changed.is_empty() && !is_first {
            return Ok(());
        }
        let many = scratch.changed.len() * 8 > row::layouts::<A, B>();
        if is_first || many {
            self.find_losses(&row, None, scratch)?;
        } else {
            let mut dirty = std::mem::take(&mut scratch.dirty);
            dirty.fill(0);
            for &changed in &scratch.changed {
                dirty[changed as usize / 64] |= 1 << (changed % 64);
                let layout = Row::<A, B>::layouts()[changed as usize];
                row.before(layout, |rank| dirty[rank / 64] |= 1 << (rank % 64));
            }
            self.find_losses(&row, Some(&dirty), scratch)?;
            scratch.dirty = dirty;
        }
        row.pack(&scratch.won, &mut scratch.packed);
        self.won.write(rank, &mut scratch.packed)?;
        counts.write(rank, &mut scratch.counts)
    }

    /// The losses of the neighbours that this row has not seen.
    fn pull_all(
        &self,
        men: u32,
        known: Known<'_>,
        news: &Lists,
        seen: &mut u128,
        scratch: &mut Scratch<A>,
    ) -> io::Result<()> {
        let Scratch { gained, buffers, .. } = scratch;
        for (i, neighbour) in neighbour::of::<A>(self.deals, men).iter().enumerate() {
            match known {
                Known::Taken(Some(taken)) => {
                    let list = taken.get(neighbour.rank, buffers)?.unwrap_or_default();
                    gained.pull_taking::<A, B>(list, neighbour, men);
                }
                Known::Before(before) if *seen >> i & 1 == 0 => {
                    let list = before.get(neighbour.rank, buffers)?.unwrap_or_default();
                    gained.pull::<A, B>(list, neighbour, men);
                }
                _ => {}
            }
            match news.get(neighbour.rank, buffers)? {
                Some(list) => {
                    gained.pull::<A, B>(list, neighbour, men);
                    *seen |= 1 << i;
                }
                None => *seen &= !(1 << i),
            }
        }
        Ok(())
    }

    /// The losses of all layouts, or of the dirty ones, where there are more than were counted.
    fn find_losses(
        &self,
        row: &Row<A, B>,
        dirty: Option<&[u64]>,
        scratch: &mut Scratch<A>,
    ) -> io::Result<()> {
        scratch.losses.clear();
        let layouts = Row::<A, B>::layouts();
        match dirty {
            None => {
                for (rank, &layout) in layouts.iter().enumerate() {
                    self.find_losses_of(row, rank, layout, scratch)?;
                }
            }
            Some(dirty) => {
                for (i, &bits) in dirty.iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let rank = i * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        self.find_losses_of(row, rank, layouts[rank], scratch)?;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn find_losses_of(
        &self,
        row: &Row<A, B>,
        rank: usize,
        layout: u32,
        scratch: &mut Scratch<A>,
    ) -> io::Result<()> {
        let mut replies = row.quiet_replies(&scratch.won, layout);
        let lost = replies.map(|lanes| lanes.map(both));
        let defenders = row.on_board(layout);
        let stuck = if B == 5 { self.deals.stuck_defender(defenders) } else { 0 };
        if row::are_zero(&lost) && stuck == 0 {
            return Ok(());
        }
        let mut news = [false; B];
        for g in 0..B {
            let count = lost[g][..A].iter().map(|word| word.count_ones()).sum::<u32>() as u8;
            let known = &mut scratch.counts[rank * B + g];
            news[g] = *known != count;
            *known = count;
        }
        if stuck != 0 {
            // Too rare to be counted.
            news = [true; B];
        }
        if news == [false; B] {
            return Ok(());
        }
        if let Some(wins) = self.fewer_attackers {
            scratch.fewer.load::<FEWER, B>(self.deals, wins, row.men)?;
            row.takings(scratch.fewer.rows(), layout, &mut replies);
        }
        let mut words = [0; 25];
        for g in (0..B).filter(|&g| news[g]) {
            for lane in 0..A {
                let mut lost = both(replies[g][lane]);
                if stuck != 0 {
                    // He passes, and exchanges a card all the same.
                    lost = lost & !stuck | both(scratch.won[rank * A * B + g * A + lane]) & stuck;
                }
                words[g * A + lane] = self.deals.by_defender(lost);
            }
        }
        scratch.losses.push(defenders, &words[..A * B]);
        Ok(())
    }
}

/// Visits all rows that are kept, on all threads, those with men far ahead first: wins come from there.
pub(super) fn all_rows<const A: usize, S>(
    deals: &Deals,
    means: &Means<'_>,
    sweep: usize,
    scratch: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, usize) -> io::Result<()> + Sync,
) -> Result<(), Stop> {
    let sets = of_25::of_size(A as u32);
    let taken = AtomicUsize::new(0);
    let results = rayon::broadcast(|_| {
        let mut scratch = scratch();
        loop {
            let n = taken.fetch_add(1, Relaxed);
            let Some(rank) = sets.len().checked_sub(n + 1) else { return Ok(()) };
            if means.interrupt.load(Relaxed) {
                return Err(Stop::Interrupted);
            }
            if deals.keeps(sets[rank]) {
                visit(&mut scratch, rank)?;
                (means.watch)(sweep, n + 1, sets.len());
            }
        }
    });
    results.into_iter().collect()
}

/// What the first sweep begins with, and what each of the others.
#[derive(Clone, Copy)]
enum Known<'a> {
    Taken(Option<&'a Lists>),
    Before(&'a Lists),
}

impl<const A: usize> FewerRows<A> {
    fn new<const FEWER: usize, const B: usize>(room: u64) -> Self {
        let (rows, mirrored) = if FEWER == 0 {
            (Vec::new(), Vec::new())
        } else {
            let count = (room as usize / (4 * row::words::<FEWER, B>())).clamp(2 * A, 64);
            ((0..count).map(|_| (0, Vec::new())).collect(), row::dense::<FEWER, B>())
        };
        Self { rows, of: None, places: [0; A], next: 0, packed: Vec::new(), mirrored }
    }

    fn load<const FEWER: usize, const B: usize>(
        &mut self,
        deals: &Deals,
        wins: &Rows,
        men: u32,
    ) -> io::Result<()> {
        if self.of == Some(men) {
            return Ok(());
        }
        self.of = None;
        let wanted = squares::<A>(men).map(|man| men ^ 1 << man);
        for (lane, &men) in wanted.iter().enumerate() {
            self.places[lane] = match self.rows.iter().position(|(kept, _)| *kept == men) {
                Some(place) => place,
                None => {
                    while wanted.contains(&self.rows[self.next].0) {
                        self.next = (self.next + 1) % self.rows.len();
                    }
                    let place = self.next;
                    self.next = (self.next + 1) % self.rows.len();
                    let (kept, dense) = &mut self.rows[place];
                    if dense.is_empty() {
                        *dense = row::dense::<FEWER, B>();
                    }
                    *kept = 0;
                    load::<FEWER, B>(deals, wins, men, dense, &mut self.packed, &mut self.mirrored)?;
                    *kept = men;
                    place
                }
            };
        }
        self.of = Some(men);
        Ok(())
    }

    #[inline]
    fn rows(&self) -> [&Dense; A] {
        self.places.map(|place| &self.rows[place].1)
    }
}

/// The words of a row.
pub fn load<const A: usize, const B: usize>(
    deals: &Deals,
    wins: &Rows,
    men: u32,
    dense: &mut Dense,
    packed: &mut Vec<u8>,
    spare: &mut Dense,
) -> io::Result<()> {
    match deals.mirror() {
        Some(mirror) if men > mirror::set(men) => {
            let image = Row::<A, B>::new(deals, mirror::set(men));
            wins.read(of_25::rank_of::<A>(image.men) as usize, packed)?;
            image.unpack(packed, spare);
            let free = u64::from(mirror::set(image.free));
            let place_of = mirror::places::<A>(image.men);
            for (&layout, words) in Row::<A, B>::layouts().iter().zip(spare.chunks_exact(A * B)) {
                let defenders = image.on_board(layout);
                let to = of_25::rank_of::<B>(bits::pext(mirror::set(defenders).into(), free) as u32) as usize;
                let group_of = mirror::places::<B>(defenders);
                let to = &mut dense[to * A * B..][..A * B];
                for (words, g) in words.chunks_exact(A).zip(group_of) {
                    for (&word, lane) in words.iter().zip(place_of) {
                        to[g * A + lane] = mirror.of(word);
                    }
                }
            }
        }
        _ => {
            wins.read(of_25::rank_of::<A>(men) as usize, packed)?;
            Row::<A, B>::new(deals, men).unpack(packed, dense);
        }
    }
    Ok(())
}

/// How many wrong words are remembered while a table is checked.
const MOST_KEPT: usize = 4096;

/// A word of wins that does not follow from the losses it leads to.
pub struct Mismatch {
    /// The attacker's men and the defender's.
    pub men: [u32; 2],
    /// The places of their masters among them.
    pub masters: [usize; 2],
    /// What is stored, by the attacker's hand.
    pub stored: Word,
    /// What follows.
    pub expected: Word,
}

impl<const A: usize, const B: usize, const FEWER: usize> Attack<'_, A, B, FEWER> {
    /// How many positions the attacker wins, with those won at once.
    ///
    /// # Errors
    /// If someone interrupts or the disk refuses.
    pub fn count_wins(&self) -> Result<u64, Stop> {
        let count = AtomicU64::new(0);
        self.all_rows(0, |scratch, rank| {
            let men = Self::sets()[rank];
            self.won.read(rank, &mut scratch.packed)?;
            Row::<A, B>::new(self.deals, men).unpack(&scratch.packed, &mut scratch.won);
            let won = scratch.won[..row::words::<A, B>()].iter();
            let sum: u64 = won.map(|word| u64::from(word.count_ones())).sum();
            count.fetch_add(sum * self.images(men), Relaxed);
            Ok(())
        })?;
        Ok(count.into_inner())
    }

    /// How many positions are in these lists, one for each row.
    ///
    /// # Errors
    /// If someone interrupts or the disk refuses.
    pub fn count_losses(&self, losses: &Lists) -> Result<u64, Stop> {
        let count = AtomicU64::new(0);
        self.all_rows(0, |scratch, rank| {
            let mut sum = 0;
            losses::visit(losses.get(rank, &mut scratch.buffers)?.unwrap_or_default(), |_, _, words| {
                sum += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            });
            count.fetch_add(sum * self.images(Self::sets()[rank]), Relaxed);
            Ok(())
        })?;
        Ok(count.into_inner())
    }

    /// How many rows a row stands for.
    fn images(&self, men: u32) -> u64 {
        if self.deals.mirror().is_some() && mirror::set(men) != men { 2 } else { 1 }
    }

    /// Derives all wins anew from what is lost, with nothing and with a defender taken, and gives the first few that differ.
    ///
    /// # Errors
    /// If someone interrupts or the disk refuses.
    pub fn check(&self, taken: Option<&Lists>, losses: &Lists, most: usize) -> Result<Vec<Mismatch>, Stop> {
        let found = Mutex::new(Vec::new());
        self.all_rows(0, |scratch, rank| {
            let men = Self::sets()[rank];
            let row = Row::<A, B>::new(self.deals, men);
            self.pull_all(men, Known::Taken(taken), losses, &mut 0, scratch)?;
            row.start(&mut scratch.won);
            scratch.gained.settle(self.deals, &row, &mut scratch.won, |_, _, _| ());
            self.pass(&row, rank, losses, scratch)?;
            scratch.changed.clear();
            self.won.read(rank, &mut scratch.packed)?;
            // Only what is open counts: other words stand for no position.
            let mut derived = Vec::new();
            row.pack(&scratch.won, &mut derived);
            let content = row.packed_bytes() as usize - SPARE;
            if derived[..content] == scratch.packed[..content] {
                return Ok(());
            }
            let (mut expected, mut stored) = (row::dense::<A, B>(), row::dense::<A, B>());
            row.unpack(&derived, &mut expected);
            row.unpack(&scratch.packed, &mut stored);
            let differ =
                expected.iter().zip(&stored).enumerate().filter(|(_, (expected, stored))| expected != stored);
            for (number, (&expected, &stored)) in differ.take(most) {
                let (layout, pair) = (number / (A * B), number % (A * B));
                let men = [men, row.on_board(Row::<A, B>::layouts()[layout])];
                let mismatch = Mismatch { men, masters: [pair % A, pair / A], stored, expected };
                let mut found = found.lock().expect("no thread has failed");
                // The first ones are shown; of a table that is all wrong not all is kept.
                if found.len() < MOST_KEPT {
                    found.push(mismatch);
                }
            }
            Ok(())
        })?;
        let mut found = found.into_inner().expect("no thread has failed");
        found.sort_by_key(|mismatch: &Mismatch| (mismatch.men, mismatch.masters));
        found.truncate(most);
        Ok(found)
    }

    /// Who cannot move passes, and exchanges a card all the same.
    fn pass(&self, row: &Row<A, B>, rank: usize, losses: &Lists, scratch: &mut Scratch<A>) -> io::Result<()> {
        let stuck = if A == 5 { self.deals.stuck_attacker(row.men) } else { 0 };
        if stuck == 0 {
            return Ok(());
        }
        let Scratch { won, changed, buffers, .. } = scratch;
        losses::visit(losses.get(rank, buffers)?.unwrap_or_default(), |defenders, present, words| {
            let rank = row.rank_on_board(defenders);
            for (number, word) in losses::numbered(present, words) {
                let won = &mut won[rank * A * B + number];
                let gained = self.deals.before_attack(word) & stuck & !*won;
                if gained != 0 {
                    *won |= gained;
                    changed.push(rank as u32);
                }
            }
        });
        Ok(())
    }
}
