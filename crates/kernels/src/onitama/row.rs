//! A row: all positions in which the attacker's men stand on the same squares.
//!
//! The defender's moves stay within a row, so that it is solved like a game of its own; the attacker's
//! moves lead to other rows. A *layout* of the row is a set of squares for the defender's men. Free squares are counted without
//! the attacker's: the layouts of every row are the subsets of the same numbers, and have the same ranks.

use super::deals::{ALL, Deals, Word};
use bits::subsets::{self, of_25};
use bits::{pdep, pext};

/// The temple that the attacker's master wants to reach.
pub const ATTACKERS_GOAL: usize = 22;
/// The one that the defender's does.
pub const DEFENDERS_GOAL: usize = 2;

/// Words of a layout's king of the defender, one per attacker's master, filled up for the vector unit.
pub const LANES: usize = 8;
/// As many words.
pub type Lanes = [Word; LANES];

/// All squares.
pub const BOARD: u32 = (1 << 25) - 1;

/// The number of layouts in a row of a system.
pub const fn layouts<const A: usize, const B: usize>() -> usize {
    let (mut count, mut i) = (1, 0);
    while i < B {
        count = count * (25 - A - i) / (i + 1);
        i += 1;
    }
    count
}

/// The number of words in a row.
pub const fn words<const A: usize, const B: usize>() -> usize {
    layouts::<A, B>() * A * B
}

/// The words of a row, the layouts one after another, each by the defender's master, then by the attacker's. A few more
/// at the end can be read as lanes.
pub type Dense = Vec<Word>;

/// A row with nothing in it.
pub fn dense<const A: usize, const B: usize>() -> Dense {
    vec![0; words::<A, B>() + LANES]
}

/// The lanes from a word on.
#[inline]
pub fn lanes(dense: &[Word], at: usize) -> &Lanes {
    dense[at..at + LANES].try_into().expect("as many")
}

/// Is there nothing in them?
#[inline]
pub fn are_zero<const B: usize>(words: &[Lanes; B]) -> bool {
    let mut any = [0; LANES];
    for lanes in words {
        for lane in 0..LANES {
            any[lane] |= lanes[lane];
        }
    }
    any == [0; LANES]
}

/// Where a man goes: the square, and the deals that such a move does not lead to.
#[derive(Clone, Copy, Default)]
struct Step {
    to: u32,
    other_deals: Word,
}

/// The taking of an attacker's man.
#[derive(Clone, Copy, Default)]
struct Taking {
    lane: u8,
    other_deals: Word,
}

/// Bytes at the end of a packed row, so that eight can be read from any of its bytes on. What is in them does not matter.
pub const SPARE: usize = 8;

/// At most four offsets a card.
const MOST_STEPS: usize = 20;

/// A short list.
#[derive(Clone, Copy)]
struct Few<T> {
    items: [T; MOST_STEPS],
    len: usize,
}

impl<T: Copy + Default> Few<T> {
    fn new() -> Self {
        Self { items: [T::default(); MOST_STEPS], len: 0 }
    }

    #[inline]
    fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    #[inline]
    fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items[..self.len].iter()
    }
}

/// What does not depend on the defender's men. `A` attackers against `B` defenders.
pub struct Row<const A: usize, const B: usize> {
    /// The attacker's men.
    pub men: u32,
    /// The other squares.
    pub free: u32,
    /// By free square: the quiet moves of a defender there.
    quiet: [Few<Step>; 25],
    /// Where he may have come from.
    sources: [u32; 25],
    /// What he takes besides the master.
    takings: [Few<Taking>; 25],
    /// Deals before which, with the master of a lane, he did not take that.
    spares_master: [Lanes; 25],
    /// Deals before which, as a master, he did not reach his goal.
    off_goal: [Word; 25],
    /// The goal, if it is free.
    goal: u32,
    /// By the square of the defender's master: the deals in which the attacker wins at once, with the master of a lane,
    wins_at_once: [Lanes; 25],
    /// and those in which that is to be found out.
    open: [Lanes; 25],
    /// All deals, for lanes of masters that are not at their goal.
    masters: Lanes,
}

/// `PLACES[i][j][g]`: when the `i`th of some men moves and is the `j`th of them then, which place has the `g`th?
static PLACES: [[[u8; 5]; 5]; 5] = {
    let mut places = [[[0; 5]; 5]; 5];
    let mut i = 0;
    while i < 125 {
        let (from, to, g) = (i / 25, i / 5 % 5, i % 5);
        let among_others = if g > from { g - 1 } else { g };
        places[from][to][g] = if g == from {
            to
        } else if among_others >= to {
            among_others + 1
        } else {
            among_others
        } as u8;
        i += 1;
    }
    places
};

/// Which place the `g`th man has when the `from`th goes where `to` of the others are before him.
#[inline]
pub fn place(from: usize, to: usize, g: usize) -> usize {
    PLACES[from][to][g].into()
}

/// The board turned by 180 degrees: what the other player sees.
#[inline]
pub fn turned(set: u32) -> u32 {
    set.reverse_bits() >> 7
}

/// The squares of a set, in order.
#[inline]
pub fn squares<const N: usize>(mut set: u32) -> [usize; N] {
    std::array::from_fn(|_| {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        square
    })
}

impl<const A: usize, const B: usize> Row<A, B> {
    /// The row of these men.
    pub fn new(deals: &Deals, men: u32) -> Self {
        let free = !men & BOARD;
        let attackers: [usize; A] = squares(men);
        let mut row = Self {
            men,
            free,
            quiet: [Few::new(); 25],
            sources: [0; 25],
            takings: [Few::new(); 25],
            spares_master: [[ALL; LANES]; 25],
            off_goal: [ALL; 25],
            goal: pext(1 << DEFENDERS_GOAL & u64::from(free), free.into()) as u32,
            wins_at_once: [[0; LANES]; 25],
            open: [[0; LANES]; 25],
            masters: [0; LANES],
        };
        let mut reaches_goal = [0; A];
        for (lane, &master) in attackers.iter().enumerate() {
            if master != ATTACKERS_GOAL {
                row.masters[lane] = ALL;
                if men >> ATTACKERS_GOAL & 1 == 0 {
                    reaches_goal[lane] = deals.attacks(master, ATTACKERS_GOAL);
                }
            }
        }
        for from in 0..25 - A {
            let square = row.square(from);
            for to in 0..25 {
                let cards = deals.defends(square, to);
                if cards == 0 {
                    continue;
                }
                let deals_after = deals.beside(cards);
                let other_deals = !deals_after & ALL;
                if let Some(lane) = attackers.iter().position(|&man| man == to) {
                    row.takings[from].push(Taking { lane: lane as u8, other_deals });
                    row.spares_master[from][lane] &= other_deals;
                } else {
                    let to_free = (free & ((1 << to) - 1)).count_ones();
                    row.quiet[from].push(Step { to: 1 << to_free, other_deals });
                    row.sources[to_free as usize] |= 1 << from;
                }
                if to == DEFENDERS_GOAL {
                    row.off_goal[from] &= other_deals;
                }
            }
            if square == DEFENDERS_GOAL {
                // A master there has won, and no one is to move.
                row.off_goal[from] = 0;
                continue;
            }
            let takes = attackers.iter().fold(0, |cards, &man| cards | deals.attacks(man, square));
            for (lane, reaches_goal) in reaches_goal.into_iter().enumerate() {
                let wins = deals.attacker_has(takes | reaches_goal);
                row.wins_at_once[from][lane] = wins & row.masters[lane];
                row.open[from][lane] = !wins & row.masters[lane];
            }
        }
        row
    }

    /// The square with this number among the free ones.
    fn square(&self, free: usize) -> usize {
        pdep(1 << free, self.free.into()).trailing_zeros() as usize
    }

    /// The layouts, by rank, as sets of free squares.
    #[inline]
    pub fn layouts() -> &'static [u32] {
        &of_25::of_size(B as u32)[..layouts::<A, B>()]
    }

    /// The rank of a layout given as squares of the board.
    #[inline]
    pub fn rank_on_board(&self, defenders: u32) -> usize {
        of_25::rank_of::<B>(pext(defenders.into(), self.free.into()) as u32) as usize
    }

    /// A layout as squares of the board.
    #[inline]
    pub fn on_board(&self, layout: u32) -> u32 {
        pdep(layout.into(), self.free.into()) as u32
    }

    /// The deals in which wins are to be found out, over all layouts.
    pub fn open_bits(&self) -> u64 {
        Self::over_all_layouts(&self.open)
    }

    /// The deals in which the attacker wins at once, over all layouts.
    pub fn bits_won_at_once(&self) -> u64 {
        Self::over_all_layouts(&self.wins_at_once)
    }

    fn over_all_layouts(by_square: &[Lanes; 25]) -> u64 {
        let bits: u64 = by_square.iter().flatten().map(|word| u64::from(word.count_ones())).sum();
        bits * subsets::count(24 - A as u32, B as u32 - 1)
    }

    /// The deals in which the attacker wins at once, with his master in a lane and the defender's on a free square; none if
    /// one of them is at its goal.
    pub fn won_at_once(&self, square: usize, lane: usize) -> Option<Word> {
        let is_over = self.masters[lane] == 0 || square < 25 - A && self.square(square) == DEFENDERS_GOAL;
        (!is_over).then_some(self.wins_at_once[square][lane])
    }

    /// The words in which all that is unknown is not won.
    pub fn start(&self, dense: &mut Dense) {
        for (layout, words) in Self::layouts().iter().zip(dense.chunks_exact_mut(A * B)) {
            for (square, words) in squares::<B>(*layout).into_iter().zip(words.chunks_exact_mut(A)) {
                words.copy_from_slice(&self.wins_at_once[square][..A]);
            }
        }
    }

    /// The bytes that [`pack`](Self::pack) gives.
    pub fn packed_bytes(&self) -> u64 {
        self.open_bits().div_ceil(64) * 8 + SPARE as u64
    }

    /// The open deals of all words, side by side, and a few bytes more.
    pub fn pack(&self, dense: &Dense, packed: &mut Vec<u8>) {
        let bytes = self.packed_bytes() as usize;
        packed.clear();
        packed.reserve(bytes + 8);
        let (mut held, mut bits) = (0u64, 0);
        for (layout, words) in Self::layouts().iter().zip(dense.chunks_exact(A * B)) {
            for (square, words) in squares::<B>(*layout).into_iter().zip(words.chunks_exact(A)) {
                for (&word, &open) in words.iter().zip(&self.open[square]) {
                    let gathered = pext(word.into(), open.into());
                    held |= gathered << bits;
                    bits += open.count_ones();
                    if bits >= 64 {
                        packed.extend_from_slice(&held.to_le_bytes());
                        bits -= 64;
                        held = gathered >> (open.count_ones() - bits);
                    }
                }
            }
        }
        packed.extend_from_slice(&held.to_le_bytes());
        packed.resize(bytes, 0);
    }

    /// The other way.
    pub fn unpack(&self, packed: &[u8], dense: &mut Dense) {
        let mut at = 0usize;
        for (layout, words) in Self::layouts().iter().zip(dense.chunks_exact_mut(A * B)) {
            for (square, words) in squares::<B>(*layout).into_iter().zip(words.chunks_exact_mut(A)) {
                let (open, won) = (&self.open[square], &self.wins_at_once[square]);
                for ((word, &open), &won) in words.iter_mut().zip(open).zip(won) {
                    // Thirty bits are always within eight bytes.
                    let bytes: [u8; 8] = packed[at / 8..at / 8 + 8].try_into().expect("eight");
                    let bits = u64::from_le_bytes(bytes) >> (at % 8);
                    *word = won | pdep(bits, open.into()) as Word;
                    at += open.count_ones() as usize;
                }
            }
        }
    }

    /// Deals after a move of the defender: with which of them, whatever he did, has the attacker won or is the
    /// move impossible? Quiet moves only, and the taking of the master and reaching the goal, after which he has not.
    ///
    /// By the defender's master.
    #[inline]
    pub fn quiet_replies(&self, won: &[Word], layout: u32) -> [Lanes; B] {
        let men: [usize; B] = squares(layout);
        let mut spared = self.masters;
        for man in men {
            for (spared, deals) in spared.iter_mut().zip(&self.spares_master[man]) {
                *spared &= deals;
            }
        }
        let goal_is_free = layout & self.goal == 0;
        let mut replies: [Lanes; B] = std::array::from_fn(|g| {
            // Behind an own man the goal cannot be reached.
            let at_goal = self.goal >> men[g] & 1 != 0;
            let off_goal = if goal_is_free || at_goal { self.off_goal[men[g]] } else { ALL };
            spared.map(|deals| deals & off_goal)
        });
        for (i, &man) in men.iter().enumerate() {
            let others = layout ^ 1 << man;
            for &Step { to, other_deals } in self.quiet[man].iter() {
                if others & to != 0 {
                    continue;
                }
                let moved = of_25::rank_of::<B>(others | to) as usize * (A * B);
                let j = (others & (to - 1)).count_ones() as usize;
                let places = &PLACES[i][j];
                for g in 0..B {
                    let won = lanes(won, moved + usize::from(places[g]) * A);
                    for lane in 0..LANES {
                        replies[g][lane] &= won[lane] | other_deals;
                    }
                }
            }
            if are_zero(&replies) {
                break;
            }
        }
        replies
    }

    /// The same for the taking of men other than the master: `fewer[lane]` is the row without the attacker's man of a lane.
    pub fn takings(&self, fewer: [&Dense; A], layout: u32, replies: &mut [Lanes; B]) {
        let men: [usize; B] = squares(layout);
        let attackers: [usize; A] = squares(self.men);
        for (i, &man) in men.iter().enumerate() {
            for &Taking { lane, other_deals } in self.takings[man].iter() {
                let lane = usize::from(lane);
                let taken = 1 << attackers[lane];
                let others = self.on_board(layout ^ 1 << man);
                let free = self.free | taken;
                let moved = of_25::rank_of::<B>(pext((others | taken).into(), free.into()) as u32) as usize;
                let j = (others & (taken - 1)).count_ones() as usize;
                for (g, replies) in replies.iter_mut().enumerate() {
                    let at = moved * (A - 1) * B + place(i, j, g) * (A - 1);
                    let won = &fewer[lane][at..at + A - 1];
                    // The lane of the taken man had its master taken.
                    for (reply, won) in replies[..lane].iter_mut().zip(&won[..lane]) {
                        *reply &= won | other_deals;
                    }
                    for (reply, won) in replies[lane + 1..A].iter_mut().zip(&won[lane..]) {
                        *reply &= won | other_deals;
                    }
                }
            }
        }
    }

    /// The layouts from which a quiet move of the defender leads to this one.
    #[inline]
    pub fn before(&self, layout: u32, mut visit: impl FnMut(usize)) {
        let mut men = layout;
        while men != 0 {
            let others = layout & !(men & men.wrapping_neg());
            let mut from = self.sources[men.trailing_zeros() as usize] & !layout;
            while from != 0 {
                visit(of_25::rank_of::<B>(others | (from & from.wrapping_neg())) as usize);
                from &= from - 1;
            }
            men &= men - 1;
        }
    }
}
