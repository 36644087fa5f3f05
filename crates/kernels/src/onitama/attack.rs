//! One attack: so many attackers against so many defenders, and who of them wins.
//!
//! `Won(row, layout)` with the attacker to move and `Lost(row, layout)` with the defender to move determine each other:
//! lost is what leads only to won positions, all of them in the same row; won is what leads to a lost one, in the rows
//! that a man's move away. So a row is visited with the new losses of its neighbours, finds its new wins, and from
//! them its own new losses. Rows are visited in turn until nothing is new. What is taken leads to an attack with a man less,
//! which is finished: the attacker's captures are added once, the defender's are looked up when all else is lost.

use super::deals::{Deals, Word, both};
use super::losses::{self, Losses};
use super::mirror;
use super::row::{self, Dense, Row, place, squares};
use super::store::{Buffers, Lists, Rows};
use bits::subsets::of_25;
use std::fs::File;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// What a thread needs.
struct Scratch<const A: usize> {
    won: Dense,
    gained: Dense,
    gained_mirrored: Dense,
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

/// A row that a move of the attacker leads to.
struct Neighbour<const A: usize> {
    /// Its rank.
    rank: usize,
    /// Seen in the mirror?
    mirrored: bool,
    from: u32,
    to: u32,
    /// Deals after such a move, by the defender's hand.
    deals: Word,
    /// The place of each man before the move, by the one after it.
    before: [u8; A],
}

/// Why an attack was not solved to its end.
pub enum Stop {
    /// Someone asked for it.
    Interrupted,
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
    /// The memory for lists of losses, in bytes.
    pub room: u64,
    /// A new file for what does not fit.
    pub spill: &'a (dyn Fn() -> io::Result<File> + Sync),
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
    fn scratch() -> Scratch<A> {
        Scratch {
            won: row::dense::<A, B>(),
            gained: row::dense::<A, B>(),
            gained_mirrored: row::dense::<A, B>(),
            fewer: FewerRows::new::<FEWER, B>(),
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

    /// Is the row kept, or its mirror image?
    fn is_kept(&self, men: u32) -> bool {
        self.deals.mirror().is_none() || men <= mirror::set(men)
    }

    fn neighbours(&self, men: u32) -> Vec<Neighbour<A>> {
        let mut neighbours = Vec::new();
        let seen = |mirrored: bool, from: usize, to: usize, rank: usize, cards: usize| {
            let men = if mirrored { mirror::set(men) } else { men };
            let others = men ^ 1 << from;
            let i = (men & ((1 << from) - 1)).count_ones() as usize;
            let j = (others & ((1 << to) - 1)).count_ones() as usize;
            let mut before = [0; A];
            for g in 0..A {
                before[place(i, j, g)] = g as u8;
            }
            let deals = self.deals.beside_by_defender(cards);
            Neighbour { rank, mirrored, from: 1 << from, to: 1 << to, deals, before }
        };
        for from in squares::<A>(men) {
            for to in (0..25).filter(|to| men >> to & 1 == 0) {
                let cards = self.deals.attacks(from, to);
                if cards == 0 {
                    continue;
                }
                let moved = men ^ 1 << from ^ 1 << to;
                neighbours.push(if self.is_kept(moved) {
                    seen(false, from, to, of_25::rank_of::<A>(moved) as usize, cards)
                } else {
                    let (from, to) = (mirror::square(from), mirror::square(to));
                    let rank = of_25::rank_of::<A>(mirror::set(moved)) as usize;
                    seen(true, from, to, rank, self.deals.attacks(from, to))
                });
            }
        }
        neighbours
    }

    /// The sizes of the rows of wins.
    pub fn row_sizes(deals: &Deals) -> Vec<u64> {
        let kept = |men: u32| deals.mirror().is_none() || men <= mirror::set(men);
        let size = |&men: &u32| if kept(men) { Row::<A, B>::new(deals, men).packed_bytes() } else { 0 };
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
            let news = Lists::new(rows, self.means.room / 2, Some((self.means.spill)()?));
            self.all_rows(sweep, |scratch, rank| {
                let mut seen = seen[rank].lock().expect("no thread has failed");
                let lists = match &before {
                    None => Known::Taken(taken),
                    Some(before) => Known::Before(before),
                };
                self.visit(rank, lists, &news, &mut seen, counts, scratch)?;
                news.set(rank, scratch.losses.as_slice(), &mut scratch.packed)
            })?;
            if std::env::var_os("TRACE").is_some() {
                eprintln!("{A}v{B} sweep {sweep}: {} numbers", news.numbers());
            }
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
        let lists = Lists::new(Self::sets().len(), self.means.room / 2, Some((self.means.spill)()?));
        self.all_rows(0, |scratch, rank| {
            let row = Row::<A, B>::new(self.deals, Self::sets()[rank]);
            self.won.read(rank, &mut scratch.packed)?;
            row.unpack(&scratch.packed, &mut scratch.won);
            scratch.counts.clear();
            scratch.counts.resize(row::layouts::<A, B>() * B, 0);
            self.find_losses(&row, None, scratch)?;
            lists.set(rank, scratch.losses.as_slice(), &mut scratch.packed)
        })?;
        Ok(lists)
    }

    /// Visits all rows that are kept, those with men far ahead first: wins come from there.
    fn all_rows(
        &self,
        sweep: usize,
        visit: impl Fn(&mut Scratch<A>, usize) -> io::Result<()> + Sync,
    ) -> Result<(), Stop> {
        let rows = Self::sets().len();
        let taken = AtomicUsize::new(0);
        let results = rayon::broadcast(|_| {
            let mut scratch = Self::scratch();
            loop {
                let n = taken.fetch_add(1, Relaxed);
                let Some(rank) = rows.checked_sub(n + 1) else { return Ok(()) };
                if self.means.interrupt.load(Relaxed) {
                    return Err(Stop::Interrupted);
                }
                if self.is_kept(Self::sets()[rank]) {
                    visit(&mut scratch, rank)?;
                    (self.means.watch)(sweep, n + 1, rows);
                }
            }
        });
        results.into_iter().collect()
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
        let pulled = self.pull_all(men, known, news, seen, scratch)?;
        scratch.losses.clear();
        let stuck = if A == 5 { self.deals.stuck_attacker(men) } else { 0 };
        if pulled == [false; 2] && !is_first && stuck == 0 {
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
        if pulled[1] {
            self.unmirror(&row, scratch);
        }
        if pulled[0] {
            self.gain(scratch);
        }
        if stuck != 0 && let Known::Before(before) = known {
            let Scratch { won, changed, buffers, .. } = scratch;
            // Who cannot move passes, and exchanges a card all the same.
            losses::visit(before.get(rank, buffers)?.unwrap_or_default(), |defenders, present, words| {
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
        self.won.write(rank, &scratch.packed)?;
        counts.write(rank, &scratch.counts)
    }

    /// The losses of the neighbours that this row has not seen: directly, and in the mirror. Were there any?
    fn pull_all(
        &self,
        men: u32,
        known: Known<'_>,
        news: &Lists,
        seen: &mut u128,
        scratch: &mut Scratch<A>,
    ) -> io::Result<[bool; 2]> {
        let Scratch { gained, gained_mirrored, buffers, .. } = scratch;
        let free = !men & ((1 << 25) - 1);
        let mut pulled = [false; 2];
        for (i, neighbour) in self.neighbours(men).iter().enumerate() {
            let (gained, free, any) = match neighbour.mirrored {
                false => (&mut *gained, free, &mut pulled[0]),
                true => (&mut *gained_mirrored, mirror::set(free), &mut pulled[1]),
            };
            match known {
                Known::Taken(Some(taken)) => {
                    let list = taken.get(neighbour.rank, buffers)?.unwrap_or_default();
                    *any |= pull_taking::<A, B>(list, neighbour, free, gained);
                }
                Known::Before(before) if *seen >> i & 1 == 0 => {
                    let list = before.get(neighbour.rank, buffers)?.unwrap_or_default();
                    *any |= pull::<A, B>(list, neighbour, free, gained);
                }
                _ => {}
            }
            match news.get(neighbour.rank, buffers)? {
                Some(list) => {
                    *any |= pull::<A, B>(list, neighbour, free, gained);
                    *seen |= 1 << i;
                }
                None => *seen &= !(1 << i),
            }
        }
        Ok(pulled)
    }

    /// Adds what came from neighbours to the wins, and empties it.
    fn gain(&self, scratch: &mut Scratch<A>) {
        let Scratch { won, gained, changed, .. } = scratch;
        let words = row::words::<A, B>();
        let layouts = won[..words].chunks_exact_mut(A * B).zip(gained[..words].chunks_exact_mut(A * B));
        for (rank, (won, gained)) in layouts.enumerate() {
            let mut any = 0;
            for &gained in gained.iter() {
                any |= gained;
            }
            if any == 0 {
                continue;
            }
            let mut new = 0;
            for (won, gained) in won.iter_mut().zip(gained) {
                if *gained != 0 {
                    let more = self.deals.before_attack(*gained) & !*won;
                    *won |= more;
                    new |= more;
                    *gained = 0;
                }
            }
            if new != 0 {
                changed.push(rank as u32);
            }
        }
    }

    /// What came from neighbours seen in the mirror, seen directly.
    fn unmirror(&self, row: &Row<A, B>, scratch: &mut Scratch<A>) {
        let Some(mirror) = self.deals.mirror() else { return };
        let Scratch { won, gained_mirrored, changed, .. } = scratch;
        let free = mirror::set(row.free);
        let place_of = mirrored_places::<A>(mirror::set(row.men));
        let words = row::words::<A, B>();
        for (rank, gained) in gained_mirrored[..words].chunks_exact_mut(A * B).enumerate() {
            let mut any = 0;
            for &gained in gained.iter() {
                any |= gained;
            }
            if any == 0 {
                continue;
            }
            let defenders = bits::pdep(Row::<A, B>::layouts()[rank].into(), free.into()) as u32;
            let rank = row.rank_on_board(mirror::set(defenders));
            let group_of = mirrored_places::<B>(defenders);
            let mut new = 0;
            for (g, gained) in gained.chunks_exact_mut(A).enumerate() {
                for (lane, gained) in gained.iter_mut().enumerate() {
                    if *gained != 0 {
                        let word = mirror.of(self.deals.before_attack(*gained));
                        let won = &mut won[rank * A * B + group_of[g] * A + place_of[lane]];
                        new |= word & !*won;
                        *won |= word;
                        *gained = 0;
                    }
                }
            }
            if new != 0 {
                changed.push(rank as u32);
            }
        }
    }

    /// The losses of all layouts, or of the dirty ones, where there are more than were counted.
    fn find_losses(&self, row: &Row<A, B>, dirty: Option<&[u64]>, scratch: &mut Scratch<A>) -> io::Result<()> {
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

/// What the first sweep begins with, and what each of the others.
#[derive(Clone, Copy)]
enum Known<'a> {
    Taken(Option<&'a Lists>),
    Before(&'a Lists),
}

impl<const A: usize> FewerRows<A> {
    fn new<const FEWER: usize, const B: usize>() -> Self {
        let (rows, mirrored) = if FEWER == 0 {
            (Vec::new(), Vec::new())
        } else {
            const ROOM: usize = 64 << 20;
            let count = (ROOM / (4 * row::words::<FEWER, B>())).clamp(2 * A, 64);
            ((0..count).map(|_| (0, Vec::new())).collect(), row::dense::<FEWER, B>())
        };
        Self { rows, of: None, places: [0; A], next: 0, packed: Vec::new(), mirrored }
    }

    fn load<const FEWER: usize, const B: usize>(&mut self, deals: &Deals, wins: &Rows, men: u32) -> io::Result<()> {
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
            let place_of = mirrored_places::<A>(image.men);
            for (&layout, words) in Row::<A, B>::layouts().iter().zip(spare.chunks_exact(A * B)) {
                let defenders = image.on_board(layout);
                let to = of_25::rank_of::<B>(bits::pext(mirror::set(defenders).into(), free) as u32) as usize;
                let group_of = mirrored_places::<B>(defenders);
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

/// The places of men among their mirror images.
#[inline]
fn mirrored_places<const N: usize>(men: u32) -> [usize; N] {
    let image = mirror::set(men);
    squares::<N>(men).map(|square| (image & ((1 << mirror::square(square)) - 1)).count_ones() as usize)
}

/// Adds the losses that a quiet move of the attacker leads to. Were there any?
#[inline]
fn pull<const A: usize, const B: usize>(
    list: &[u32],
    neighbour: &Neighbour<A>,
    free: u32,
    gained: &mut Dense,
) -> bool {
    let target: [u8; 25] = std::array::from_fn(|number| {
        if number < A * B { (number / A * A) as u8 + neighbour.before[number % A] } else { 0 }
    });
    losses::visit(list, |defenders, present, words| {
        if defenders & neighbour.from == 0 {
            let rank = of_25::rank_of::<B>(bits::pext(defenders.into(), free.into()) as u32) as usize;
            let layout = &mut gained[rank * A * B..][..A * B];
            for (number, word) in losses::numbered(present, words) {
                layout[usize::from(target[number])] |= word & neighbour.deals;
            }
        }
    });
    !list.is_empty()
}

/// Adds the losses that the taking of a defender leads to. Were there any?
fn pull_taking<const A: usize, const B: usize>(
    list: &[u32],
    neighbour: &Neighbour<A>,
    free: u32,
    gained: &mut Dense,
) -> bool {
    losses::visit(list, |others, present, words| {
        if others & neighbour.from == 0 {
            let defenders = others | neighbour.to;
            let taken = (others & (neighbour.to - 1)).count_ones() as usize;
            let rank = of_25::rank_of::<B>(bits::pext(defenders.into(), free.into()) as u32) as usize;
            for (number, word) in losses::numbered(present, words) {
                let g = number / A;
                let g = if g >= taken { g + 1 } else { g };
                gained[rank * A * B + g * A + usize::from(neighbour.before[number % A])] |= word & neighbour.deals;
            }
        }
    });
    !list.is_empty()
}

impl<const A: usize, const B: usize, const FEWER: usize> Attack<'_, A, B, FEWER> {
    /// How many positions the attacker wins, with those won at once; and how many the defender loses.
    pub fn count(&self, losses: &Lists) -> Result<(u64, u64), Stop> {
        let counted = AtomicU64::new(0);
        let lost = AtomicU64::new(0);
        self.all_rows(0, |scratch, rank| {
            let men = Self::sets()[rank];
            self.won.read(rank, &mut scratch.packed)?;
            Row::<A, B>::new(self.deals, men).unpack(&scratch.packed, &mut scratch.won);
            let twice = u64::from(self.deals.mirror().is_some() && mirror::set(men) != men) + 1;
            let sum: u64 = scratch.won[..row::words::<A, B>()].iter().map(|word| u64::from(word.count_ones())).sum();
            counted.fetch_add(sum * twice, Relaxed);
            let mut sum = 0;
            losses::visit(losses.get(rank, &mut scratch.buffers)?.unwrap_or_default(), |_, _, words| {
                sum += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            });
            lost.fetch_add(sum * twice, Relaxed);
            Ok(())
        })?;
        Ok((counted.into_inner(), lost.into_inner()))
    }
}

use std::sync::atomic::AtomicU64;
