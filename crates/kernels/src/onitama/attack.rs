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
use super::row::{self, Dense, Lanes, Row, place, squares};
use bits::subsets::of_25;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// What is known of an attack, row by row. Rows whose mirror image comes before them are empty, if they can be.
#[derive(Default)]
pub struct Wins {
    /// By the rank of the attacker's men: the open deals of the row, packed.
    pub rows: Vec<Vec<u64>>,
}

/// The positions that the defender has lost, row by row.
pub struct AllLosses {
    pub rows: Vec<Box<[u32]>>,
}

/// A row while its attack is solved.
#[derive(Default)]
struct State {
    packed: Vec<u64>,
    /// By layout and defender's master: how many losses there would be if nothing could be taken.
    counts: Vec<u8>,
    /// The neighbours whose losses of this sweep have been seen.
    seen: u128,
}

/// What a thread needs.
struct Scratch {
    won: Dense,
    gained: Dense,
    gained_mirrored: Dense,
    fewer: Vec<Dense>,
    fewer_of: Option<u32>,
    mirrored: Dense,
    packed: Vec<u64>,
    losses: Losses,
    changed: Vec<u32>,
    dirty: Vec<u64>,
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

/// `A` attackers, `FEWER` when one is taken, against `B` defenders.
pub struct Attack<'a, const A: usize, const B: usize, const FEWER: usize> {
    pub deals: &'a Deals,
    /// With one attacker less, if there is one.
    pub fewer_attackers: Option<&'a Wins>,
    /// With one defender less, if there is one.
    pub fewer_defenders: Option<&'a AllLosses>,
}

impl<const A: usize, const B: usize, const FEWER: usize> Attack<'_, A, B, FEWER> {
    fn scratch() -> Scratch {
        Scratch {
            won: row::dense::<A, B>(),
            gained: row::dense::<A, B>(),
            gained_mirrored: row::dense::<A, B>(),
            fewer: (0..A).map(|_| if FEWER > 0 { row::dense::<FEWER, B>() } else { Vec::new() }).collect(),
            fewer_of: None,
            mirrored: if FEWER > 0 { row::dense::<FEWER, B>() } else { Vec::new() },
            packed: Vec::new(),
            losses: Losses::default(),
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

    /// Solves it.
    pub fn solve(&self) -> (Wins, AllLosses) {
        let states: Vec<Mutex<State>> = Self::sets().iter().map(|_| Mutex::default()).collect();
        let mut before: Vec<Box<[u32]>> = Vec::new();
        let mut sweep = 0;
        loop {
            let news: Vec<OnceLock<Box<[u32]>>> = Self::sets().iter().map(|_| OnceLock::new()).collect();
            self.all_rows(|scratch, rank| {
                let mut state = states[rank].lock().expect("no thread has failed");
                self.visit(rank, &mut state, &before, &news, scratch);
                news[rank].set(scratch.losses.to_boxed()).expect("a row is visited once");
            });
            before = news.into_iter().map(|list| list.into_inner().unwrap_or_default()).collect();
            let size: usize = before.iter().map(|list| list.len()).sum();
            if std::env::var_os("TRACE").is_some() {
                eprintln!("{A}v{B} sweep {sweep}: {size} numbers");
            }
            if size == 0 {
                break;
            }
            sweep += 1;
        }
        let losses: Vec<OnceLock<Box<[u32]>>> = Self::sets().iter().map(|_| OnceLock::new()).collect();
        self.all_rows(|scratch, rank| {
            let men = Self::sets()[rank];
            let row = Row::<A, B>::new(self.deals, men);
            row.unpack(&states[rank].lock().expect("no thread has failed").packed, &mut scratch.won);
            let mut counts = vec![0; row::layouts::<A, B>() * B];
            self.find_losses(&row, &mut counts, None, scratch);
            losses[rank].set(scratch.losses.to_boxed()).expect("a row is visited once");
        });
        let rows = states.into_iter().map(|state| state.into_inner().expect("no thread has failed").packed);
        let losses = losses.into_iter().map(|list| list.into_inner().unwrap_or_default());
        (Wins { rows: rows.collect() }, AllLosses { rows: losses.collect() })
    }

    /// Visits all rows that are kept, those with men far ahead first: wins come from there.
    fn all_rows(&self, visit: impl Fn(&mut Scratch, usize) + Sync) {
        let taken = AtomicUsize::new(0);
        rayon::broadcast(|_| {
            let mut scratch = Self::scratch();
            loop {
                let n = taken.fetch_add(1, Relaxed);
                let Some(rank) = Self::sets().len().checked_sub(n + 1) else { break };
                if self.is_kept(Self::sets()[rank]) {
                    visit(&mut scratch, rank);
                }
            }
        });
    }

    fn visit(
        &self,
        rank: usize,
        state: &mut State,
        before: &[Box<[u32]>],
        news: &[OnceLock<Box<[u32]>>],
        scratch: &mut Scratch,
    ) {
        let men = Self::sets()[rank];
        let neighbours = self.neighbours(men);
        let is_first = state.packed.is_empty();
        scratch.losses.clear();
        let mut pulled = [false; 2];
        let free = !men & ((1 << 25) - 1);
        let frees = [free, mirror::set(free)];
        for (i, neighbour) in neighbours.iter().enumerate() {
            let gained = if neighbour.mirrored { &mut scratch.gained_mirrored } else { &mut scratch.gained };
            let free = frees[usize::from(neighbour.mirrored)];
            let any = &mut pulled[usize::from(neighbour.mirrored)];
            if is_first && let Some(fewer) = self.fewer_defenders {
                *any |= pull_taking::<A, B>(&fewer.rows[neighbour.rank], neighbour, free, gained);
            }
            if state.seen >> i & 1 == 0 && let Some(list) = before.get(neighbour.rank) {
                *any |= pull::<A, B>(list, neighbour, free, gained);
            }
            match news[neighbour.rank].get() {
                Some(list) => {
                    *any |= pull::<A, B>(list, neighbour, free, gained);
                    state.seen |= 1 << i;
                }
                None => state.seen &= !(1 << i),
            }
        }
        let stuck = if A == 5 { self.deals.stuck_attacker(men) } else { 0 };
        if pulled == [false; 2] && !is_first && stuck == 0 {
            return;
        }
        let row = Row::<A, B>::new(self.deals, men);
        if is_first {
            row.start(&mut scratch.won);
            state.counts = vec![0; row::layouts::<A, B>() * B];
        } else {
            row.unpack(&state.packed, &mut scratch.won);
        }
        scratch.changed.clear();
        if pulled[1] {
            self.unmirror(&row, scratch);
        }
        if pulled[0] || pulled[1] {
            self.gain(scratch);
        }
        if stuck != 0 && let Some(list) = before.get(rank) {
            // Who cannot move passes, and exchanges a card all the same.
            losses::visit(list, |defenders, present, words| {
                let rank = row.rank_on_board(defenders);
                for (number, word) in losses::numbered(present, words) {
                    let won = &mut scratch.won[rank * A * B + number];
                    let gained = self.deals.before_attack(word) & stuck & !*won;
                    if gained != 0 {
                        *won |= gained;
                        scratch.changed.push(rank as u32);
                    }
                }
            });
        }
        if scratch.changed.is_empty() && !is_first {
            return;
        }
        let many = scratch.changed.len() * 8 > row::layouts::<A, B>();
        let dirty = if is_first || many {
            None
        } else {
            let mut dirty = std::mem::take(&mut scratch.dirty);
            dirty.fill(0);
            for &changed in &scratch.changed {
                dirty[changed as usize / 64] |= 1 << (changed % 64);
                let layout = Row::<A, B>::layouts()[changed as usize];
                Row::<A, B>::before(layout, row.sources(), |rank| dirty[rank / 64] |= 1 << (rank % 64));
            }
            Some(dirty)
        };
        self.find_losses(&row, &mut state.counts, dirty.as_deref(), scratch);
        if let Some(dirty) = dirty {
            scratch.dirty = dirty;
        }
        row.pack(&scratch.won, &mut scratch.packed);
        state.packed.clear();
        state.packed.extend_from_slice(&scratch.packed);
    }

    /// Adds what came from neighbours to the wins, and empties it.
    fn gain(&self, scratch: &mut Scratch) {
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
    fn unmirror(&self, row: &Row<A, B>, scratch: &mut Scratch) {
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
    fn find_losses(&self, row: &Row<A, B>, counts: &mut [u8], dirty: Option<&[u64]>, scratch: &mut Scratch) {
        scratch.losses.clear();
        match dirty {
            None => {
                for (rank, &layout) in Row::<A, B>::layouts().iter().enumerate() {
                    self.find_losses_of(row, rank, layout, counts, scratch);
                }
            }
            Some(dirty) => {
                for (i, &bits) in dirty.iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let rank = i * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        self.find_losses_of(row, rank, Row::<A, B>::layouts()[rank], counts, scratch);
                    }
                }
            }
        }
    }

    #[inline]
    fn find_losses_of(
        &self,
        row: &Row<A, B>,
        rank: usize,
        layout: u32,
        counts: &mut [u8],
        scratch: &mut Scratch,
    ) {
        let mut replies = row.quiet_replies(&scratch.won, layout);
        let mut news = 0;
        for (g, replies) in replies.iter().enumerate() {
            let mut count = 0;
            for &reply in &replies[..A] {
                count += both(reply).count_ones() as u8;
            }
            let known = &mut counts[rank * B + g];
            news |= u32::from(*known != count) << g;
            *known = count;
        }
        if news == 0 {
            return;
        }
        if FEWER > 0 {
            self.load_fewer(row, scratch);
            row.takings(&scratch.fewer, layout, &mut replies);
        }
        let defenders = row.on_board(layout);
        let stuck = if B == 5 { self.deals.stuck_defender(defenders) } else { 0 };
        let lost = |g: usize, lane: usize, replies: &Lanes| {
            let lost = both(replies[lane]);
            if stuck == 0 {
                return lost;
            }
            lost & !stuck | both(scratch.won[rank * A * B + g * A + lane]) & stuck
        };
        let words = replies.iter().enumerate().flat_map(|(g, replies)| {
            let new = news >> g & 1 != 0;
            (0..A).map(move |lane| if new { self.deals.by_defender(lost(g, lane, replies)) } else { 0 })
        });
        scratch.losses.push(defenders, words);
    }

    /// The rows without one of the attacker's men.
    fn load_fewer(&self, row: &Row<A, B>, scratch: &mut Scratch) {
        if scratch.fewer_of == Some(row.men) {
            return;
        }
        scratch.fewer_of = Some(row.men);
        let Some(wins) = self.fewer_attackers else { return };
        for (lane, man) in squares::<A>(row.men).into_iter().enumerate() {
            load::<FEWER, B>(self.deals, wins, row.men ^ 1 << man, &mut scratch.fewer[lane], &mut scratch.mirrored);
        }
    }
}

/// The words of a row.
pub fn load<const A: usize, const B: usize>(
    deals: &Deals,
    wins: &Wins,
    men: u32,
    dense: &mut Dense,
    spare: &mut Dense,
) {
    match deals.mirror() {
        Some(mirror) if men > mirror::set(men) => {
            let image = Row::<A, B>::new(deals, mirror::set(men));
            image.unpack(&wins.rows[of_25::rank_of::<A>(image.men) as usize], spare);
            let free = u64::from(mirror::set(image.free));
            let place_of = mirrored_places::<A>(image.men);
            for (rank, &layout) in Row::<A, B>::layouts().iter().enumerate() {
                let defenders = image.on_board(layout);
                let to = of_25::rank_of::<B>(bits::pext(mirror::set(defenders).into(), free) as u32) as usize;
                let group_of = mirrored_places::<B>(defenders);
                for g in 0..B {
                    for lane in 0..A {
                        dense[to * A * B + group_of[g] * A + place_of[lane]] =
                            mirror.of(spare[rank * A * B + g * A + lane]);
                    }
                }
            }
        }
        _ => Row::<A, B>::new(deals, men).unpack(&wins.rows[of_25::rank_of::<A>(men) as usize], dense),
    }
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
    pub fn count(&self, wins: &Wins, losses: &AllLosses) -> (u64, u64) {
        let counted = AtomicU64::new(0);
        let lost = AtomicU64::new(0);
        self.all_rows(|scratch, rank| {
            let men = Self::sets()[rank];
            Row::<A, B>::new(self.deals, men).unpack(&wins.rows[rank], &mut scratch.won);
            let twice = u64::from(self.deals.mirror().is_some() && mirror::set(men) != men) + 1;
            let sum: u64 = scratch.won[..row::words::<A, B>()].iter().map(|word| u64::from(word.count_ones())).sum();
            counted.fetch_add(sum * twice, Relaxed);
            let mut sum = 0;
            losses::visit(&losses.rows[rank], |_, _, words| {
                sum += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            });
            lost.fetch_add(sum * twice, Relaxed);
        });
        (counted.into_inner(), lost.into_inner())
    }
}

use std::sync::atomic::AtomicU64;
