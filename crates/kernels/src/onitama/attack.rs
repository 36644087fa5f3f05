//! Solves one attack: given numbers of attackers and defenders, without distances.
//!
//! `Won(row, placement)` with the attacker to move and `Lost(row, placement)` with the defender to move determine each
//! other. A position is lost if all its moves lead to won positions, which are in the same row. A position is won if a move
//! leads to a lost position, which is in a neighbouring row: one man has moved. So a visit of a row takes the new losses of
//! its neighbours, finds the new wins of the row, and from them its new losses. The rows are visited in turn until there is
//! nothing new.
//!
//! A capture leads to an attack with one man less, which is already finished. The attacker's captures are added once. The
//! defender's captures are looked up only if all other moves lose.

use super::deals::{Deals, Word, both};
use super::gained::Gained;
use super::losses::{self, Losses};
use super::men::with_men;
use super::mirror;
use super::neighbour;
use super::row::{self, Dense, MOST_MEN, Row, SPARE, squares};
use super::store::{Buffers, Lists, Rows, Spill};
use bits::subsets::of_25;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Scratch memory of a thread.
struct Scratch {
    won: Dense,
    gained: Gained,
    fewer: FewerRows,
    packed: Vec<u8>,
    counts: Vec<u8>,
    losses: Losses,
    buffers: Buffers,
    changed: Vec<u32>,
    dirty: Vec<u64>,
}

/// A cache of rows with one attacker less. Consecutive rows need some of the same ones.
struct FewerRows {
    rows: Vec<(u32, Dense)>,
    /// The attacker's men of the row for which `places` is valid.
    of: Option<u32>,
    places: [usize; MOST_MEN],
    next: usize,
    packed: Vec<u8>,
    mirrored: Dense,
}

/// The reason why an attack was not solved completely.
pub enum AttackError {
    /// The run was interrupted.
    Interrupted,
    /// A distance does not fit into a byte.
    Overflow,
    /// An I/O error.
    Disk(io::Error),
}

impl From<io::Error> for AttackError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// The resources and callbacks of a run, the same for every attack.
pub struct Means<'a> {
    /// The memory for the losses of a sweep, in bytes. The losses of two sweeps are kept at a time.
    pub room: u64,
    /// The memory for rows with one attacker less, in bytes, for each thread.
    pub cache: u64,
    /// Opens a new temporary file for lists that do not fit the memory.
    pub spill: &'a Spill<'a>,
    /// Stops the solver at the next row when it is set to true.
    pub interrupt: &'a AtomicBool,
    /// Is called after each row with the number of the sweep, the number of rows done, and the number of all rows.
    pub watch: &'a (dyn Fn(usize, usize, usize) + Sync),
}

/// An attack with `B` defenders.
pub struct Attack<'a, const B: usize> {
    /// The number of attackers.
    pub attackers: usize,
    /// The tables of the card set.
    pub deals: &'a Deals,
    /// The wins of the attacker, by row.
    pub won: &'a Rows,
    /// The wins with one attacker less. `None` if there is only one attacker, or if they are not needed.
    pub fewer_attackers: Option<&'a Rows>,
    /// The resources and callbacks of the run.
    pub means: &'a Means<'a>,
}

impl<const B: usize> Attack<'_, B> {
    fn scratch(&self) -> Scratch {
        let a = self.attackers;
        Scratch {
            won: row::dense(a, B),
            gained: Gained::new(a, B),
            fewer: FewerRows::new(a - 1, B, self.means.cache),
            packed: Vec::new(),
            counts: Vec::new(),
            losses: Losses::default(),
            buffers: Buffers::default(),
            changed: Vec::new(),
            dirty: vec![0; row::placements(a, B).div_ceil(64)],
        }
    }

    fn sets(&self) -> &'static [u32] {
        of_25::of_size(self.attackers as u32)
    }

    /// Finds all wins, starting with those that are already in the rows. `taken` has the losses with one defender less.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted or an I/O operation fails. The wins in the rows are still correct then.
    pub fn solve(&self, taken: Option<&Lists>, counts: &Rows) -> Result<(), AttackError> {
        let rows = self.sets().len();
        // For each row: the neighbours whose losses of the last sweep the row has already used.
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

    /// Finds all positions that the defender loses. All wins must be known.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted or an I/O operation fails.
    pub fn losses(&self) -> Result<Lists, AttackError> {
        let lists = Lists::new(self.sets().len(), self.means.room);
        self.all_rows(0, |scratch, rank| {
            let row = Row::<B>::new(self.deals, self.sets()[rank]);
            self.won.read(rank, &mut scratch.packed)?;
            row.unpack(&scratch.packed, &mut scratch.won);
            scratch.counts.clear();
            scratch.counts.resize(row.placements().len() * B, 0);
            self.find_losses(&row, None, scratch)?;
            lists.set(rank, scratch.losses.as_slice(), self.means.spill, &mut scratch.packed)
        })?;
        Ok(lists)
    }

    fn all_rows(
        &self,
        sweep: usize,
        visit: impl Fn(&mut Scratch, usize) -> io::Result<()> + Sync,
    ) -> Result<(), AttackError> {
        all_rows(self.attackers, self.deals, self.means, sweep, || self.scratch(), visit)
    }

    fn visit(
        &self,
        rank: usize,
        known: Known<'_>,
        news: &Lists,
        seen: &mut u128,
        counts: &Rows,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        let men = self.sets()[rank];
        let is_first = matches!(known, Known::Taken(_));
        self.pull_all(men, known, news, seen, scratch)?;
        scratch.losses.clear();
        let stuck = if self.attackers == MOST_MEN { self.deals.stuck_attacker(men) } else { 0 };
        if scratch.gained.is_empty() && !is_first && stuck == 0 {
            return Ok(());
        }
        let row = Row::<B>::new(self.deals, men);
        self.won.read(rank, &mut scratch.packed)?;
        if scratch.packed.is_empty() {
            row.start(&mut scratch.won);
        } else {
            row.unpack(&scratch.packed, &mut scratch.won);
        }
        if is_first {
            scratch.counts.clear();
            scratch.counts.resize(row.placements().len() * B, 0);
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
        let many = scratch.changed.len() * 8 > row.placements().len();
        if is_first || many {
            self.find_losses(&row, None, scratch)?;
        } else {
            let mut dirty = std::mem::take(&mut scratch.dirty);
            dirty.fill(0);
            for &changed in &scratch.changed {
                dirty[changed as usize / 64] |= 1 << (changed % 64);
                let placement = row.placements()[changed as usize];
                row.before(placement, |rank| dirty[rank / 64] |= 1 << (rank % 64));
            }
            self.find_losses(&row, Some(&dirty), scratch)?;
            scratch.dirty = dirty;
        }
        row.pack(&scratch.won, &mut scratch.packed);
        self.won.write(rank, &mut scratch.packed)?;
        counts.write(rank, &mut scratch.counts)
    }

    /// Gathers the losses of the neighbours that this row has not used yet.
    fn pull_all(
        &self,
        men: u32,
        known: Known<'_>,
        news: &Lists,
        seen: &mut u128,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        let Scratch { gained, buffers, .. } = scratch;
        for (i, neighbour) in neighbour::of(self.deals, men).iter().enumerate() {
            match known {
                Known::Taken(Some(taken)) => {
                    let list = taken.get(neighbour.rank, buffers)?.unwrap_or_default();
                    gained.pull_taking::<B>(list, neighbour, men);
                }
                Known::Before(before) if *seen >> i & 1 == 0 => {
                    let list = before.get(neighbour.rank, buffers)?.unwrap_or_default();
                    gained.pull::<B>(list, neighbour, men);
                }
                _ => {}
            }
            match news.get(neighbour.rank, buffers)? {
                Some(list) => {
                    gained.pull::<B>(list, neighbour, men);
                    *seen |= 1 << i;
                }
                None => *seen &= !(1 << i),
            }
        }
        Ok(())
    }

    /// Finds the new losses of all placements, or only of the dirty ones. A placement has new losses if their number differs
    /// from the last count.
    fn find_losses(&self, row: &Row<B>, dirty: Option<&[u64]>, scratch: &mut Scratch) -> io::Result<()> {
        with_men!(self.attackers, A => self.find_losses_with::<A>(row, dirty, scratch))
    }

    fn find_losses_with<const A: usize>(
        &self,
        row: &Row<B>,
        dirty: Option<&[u64]>,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        scratch.losses.clear();
        let placements = row.placements();
        match dirty {
            None => {
                for (rank, &placement) in placements.iter().enumerate() {
                    self.find_losses_of::<A>(row, rank, placement, scratch)?;
                }
            }
            Some(dirty) => {
                for (i, &bits) in dirty.iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let rank = i * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        self.find_losses_of::<A>(row, rank, placements[rank], scratch)?;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn find_losses_of<const A: usize>(
        &self,
        row: &Row<B>,
        rank: usize,
        placement: u32,
        scratch: &mut Scratch,
    ) -> io::Result<()> {
        let mut replies = row.quiet_replies(A, &scratch.won, placement);
        let lost = replies.map(|lanes| lanes.map(both));
        let defenders = row.on_board(placement);
        let stuck = if B == MOST_MEN { self.deals.stuck_defender(defenders) } else { 0 };
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
            // Passes are rare, so such a placement always counts as new.
            news = [true; B];
        }
        if news == [false; B] {
            return Ok(());
        }
        if let Some(wins) = self.fewer_attackers {
            scratch.fewer.load::<B>(self.deals, wins, row.men)?;
            row.takings(&scratch.fewer.rows()[..row.attackers], placement, &mut replies);
        }
        let mut words = [0; 25];
        for g in (0..B).filter(|&g| news[g]) {
            for lane in 0..A {
                let mut lost = both(replies[g][lane]);
                if stuck != 0 {
                    // The defender passes, but still exchanges a card.
                    lost = lost & !stuck | both(scratch.won[rank * A * B + g * A + lane]) & stuck;
                }
                words[g * A + lane] = self.deals.by_defender(lost);
            }
        }
        scratch.losses.push(defenders, &words[..A * B]);
        Ok(())
    }
}

/// Visits all rows that are kept, on all threads. Rows with men far ahead come first, because wins begin there.
pub(super) fn all_rows<S>(
    attackers: usize,
    deals: &Deals,
    means: &Means<'_>,
    sweep: usize,
    scratch: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, usize) -> io::Result<()> + Sync,
) -> Result<(), AttackError> {
    let sets = of_25::of_size(attackers as u32);
    let taken = AtomicUsize::new(0);
    on_all_threads(&|| {
        let mut scratch = scratch();
        loop {
            let n = taken.fetch_add(1, Relaxed);
            let Some(rank) = sets.len().checked_sub(n + 1) else { return Ok(()) };
            if means.interrupt.load(Relaxed) {
                return Err(AttackError::Interrupted);
            }
            if deals.keeps(sets[rank]) {
                visit(&mut scratch, rank)?;
                (means.watch)(sweep, n + 1, sets.len());
            }
        }
    })
}

/// Runs the same work on every thread. Through a pointer, so that rayon's machinery is compiled once.
fn on_all_threads(work: &(dyn Fn() -> Result<(), AttackError> + Sync)) -> Result<(), AttackError> {
    rayon::broadcast(|_| work()).into_iter().collect()
}

/// The losses with which a sweep begins.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// In the first sweep: the losses with one defender less.
    Taken(Option<&'a Lists>),
    /// In each later sweep: the losses that the sweep before found.
    Before(&'a Lists),
}

impl FewerRows {
    fn new(attackers: usize, defenders: usize, room: u64) -> Self {
        let (rows, mirrored) = if attackers == 0 {
            (Vec::new(), Vec::new())
        } else {
            let least = 2 * (attackers + 1);
            let count = (room as usize / (4 * row::words(attackers, defenders))).clamp(least, 64);
            ((0..count).map(|_| (0, Vec::new())).collect(), row::dense(attackers, defenders))
        };
        Self { rows, of: None, places: [0; MOST_MEN], next: 0, packed: Vec::new(), mirrored }
    }

    fn load<const B: usize>(&mut self, deals: &Deals, wins: &Rows, men: u32) -> io::Result<()> {
        if self.of == Some(men) {
            return Ok(());
        }
        self.of = None;
        let attackers = men.count_ones() as usize;
        let wanted: Vec<u32> =
            squares::<MOST_MEN>(men)[..attackers].iter().map(|man| men ^ 1 << man).collect();
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
                        *dense = row::dense(attackers - 1, B);
                    }
                    *kept = 0;
                    load::<B>(deals, wins, men, dense, &mut self.packed, &mut self.mirrored)?;
                    *kept = men;
                    place
                }
            };
        }
        self.of = Some(men);
        Ok(())
    }

    #[inline]
    fn rows(&self) -> [&Dense; MOST_MEN] {
        self.places.map(|place| &self.rows[place].1)
    }
}

/// Reads the words of a row, from its mirror image if that is the row that is kept.
pub fn load<const B: usize>(
    deals: &Deals,
    wins: &Rows,
    men: u32,
    dense: &mut Dense,
    packed: &mut Vec<u8>,
    spare: &mut Dense,
) -> io::Result<()> {
    match deals.mirror() {
        Some(mirror) if men > mirror::set(men) => {
            let image = Row::<B>::new(deals, mirror::set(men));
            wins.read(of_25::rank(image.men) as usize, packed)?;
            image.unpack(packed, spare);
            let a = image.attackers;
            let free = u64::from(mirror::set(image.free));
            let place_of = mirror::places::<MOST_MEN>(image.men);
            for (&placement, words) in image.placements().iter().zip(spare.chunks_exact(a * B)) {
                let defenders = image.on_board(placement);
                let to = of_25::rank_of::<B>(bits::pext(mirror::set(defenders).into(), free) as u32) as usize;
                let defender_of = mirror::places::<B>(defenders);
                let to = &mut dense[to * a * B..][..a * B];
                for (words, g) in words.chunks_exact(a).zip(defender_of) {
                    for (&word, lane) in words.iter().zip(place_of) {
                        to[g * a + lane] = mirror.of(word);
                    }
                }
            }
        }
        _ => {
            wins.read(of_25::rank(men) as usize, packed)?;
            Row::<B>::new(deals, men).unpack(packed, dense);
        }
    }
    Ok(())
}

/// Counts the positions in the lists of losses of an attack. There is one list for each row.
///
/// # Errors
/// Returns an error if the run is interrupted or an I/O operation fails.
pub fn count_losses(
    attackers: usize,
    deals: &Deals,
    losses: &Lists,
    means: &Means<'_>,
) -> Result<u64, AttackError> {
    let count = AtomicU64::new(0);
    all_rows(attackers, deals, means, 0, Buffers::default, |buffers, rank| {
        let mut sum = 0;
        losses::visit(losses.get(rank, buffers)?.unwrap_or_default(), |_, _, words| {
            sum += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        });
        count.fetch_add(sum * images(deals, of_25::of_size(attackers as u32)[rank]), Relaxed);
        Ok(())
    })?;
    Ok(count.into_inner())
}

/// The number of rows that a kept row stands for: two if its mirror image is not kept, otherwise one.
fn images(deals: &Deals, men: u32) -> u64 {
    if deals.mirror().is_some() && mirror::set(men) != men { 2 } else { 1 }
}

/// The most wrong words that are kept while a table is checked.
const MOST_KEPT: usize = 4096;

/// A word of wins that does not follow from the losses that its positions lead to.
pub struct Mismatch {
    /// The attacker's men and the defender's.
    pub men: [u32; 2],
    /// The places of the two masters among the men of their side.
    pub masters: [usize; 2],
    /// The stored word, by the attacker's hand.
    pub stored: Word,
    /// The word that follows from the losses.
    pub expected: Word,
}

impl<const B: usize> Attack<'_, B> {
    /// Counts the positions that the attacker wins, including those won at once.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted or an I/O operation fails.
    pub fn count_wins(&self) -> Result<u64, AttackError> {
        let count = AtomicU64::new(0);
        self.all_rows(0, |scratch, rank| {
            let men = self.sets()[rank];
            self.won.read(rank, &mut scratch.packed)?;
            Row::<B>::new(self.deals, men).unpack(&scratch.packed, &mut scratch.won);
            let won = scratch.won[..row::words(self.attackers, B)].iter();
            let sum: u64 = won.map(|word| u64::from(word.count_ones())).sum();
            count.fetch_add(sum * images(self.deals, men), Relaxed);
            Ok(())
        })?;
        Ok(count.into_inner())
    }

    /// Derives all wins again from the losses and returns the first `most` words that differ. `losses` are those of this
    /// attack. `taken` are those with one defender less.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted or an I/O operation fails.
    pub fn check(
        &self,
        taken: Option<&Lists>,
        losses: &Lists,
        most: usize,
    ) -> Result<Vec<Mismatch>, AttackError> {
        let found = Mutex::new(Vec::new());
        self.all_rows(0, |scratch, rank| {
            let men = self.sets()[rank];
            let row = Row::<B>::new(self.deals, men);
            self.pull_all(men, Known::Taken(taken), losses, &mut 0, scratch)?;
            row.start(&mut scratch.won);
            scratch.gained.settle(self.deals, &row, &mut scratch.won, |_, _, _| ());
            self.pass(&row, rank, losses, scratch)?;
            scratch.changed.clear();
            self.won.read(rank, &mut scratch.packed)?;
            // Packed rows are compared, because only open bits matter: some other words stand for no position.
            let mut derived = Vec::new();
            row.pack(&scratch.won, &mut derived);
            let content = row.packed_bytes() as usize - SPARE;
            if derived[..content] == scratch.packed[..content] {
                return Ok(());
            }
            let a = self.attackers;
            let (mut expected, mut stored) = (row::dense(a, B), row::dense(a, B));
            row.unpack(&derived, &mut expected);
            row.unpack(&scratch.packed, &mut stored);
            let differ =
                expected.iter().zip(&stored).enumerate().filter(|(_, (expected, stored))| expected != stored);
            for (number, (&expected, &stored)) in differ.take(most) {
                let (placement, pair) = (number / (a * B), number % (a * B));
                let men = [men, row.on_board(row.placements()[placement])];
                let mismatch = Mismatch { men, masters: [pair % a, pair / a], stored, expected };
                let mut found = found.lock().expect("no thread has failed");
                // Only the first ones are shown, so there is a limit for tables that are completely wrong.
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

    /// Adds the wins by a pass: an attacker that cannot move passes, but still exchanges a card.
    fn pass(&self, row: &Row<B>, rank: usize, losses: &Lists, scratch: &mut Scratch) -> io::Result<()> {
        let stuck = if self.attackers == MOST_MEN { self.deals.stuck_attacker(row.men) } else { 0 };
        if stuck == 0 {
            return Ok(());
        }
        let Scratch { won, changed, buffers, .. } = scratch;
        losses::visit(losses.get(rank, buffers)?.unwrap_or_default(), |defenders, present, words| {
            let rank = row.rank_on_board(defenders);
            for (number, word) in losses::numbered(present, words) {
                let won = &mut won[rank * row.attackers * B + number];
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
