//! The short numbering, for tables with one bit per entry. Positions in which the side to move wins at once (with its next
//! move) have no number.
//!
//! A *row* is the set of all positions in which the men of the side to move stand on the same squares. Rows are ordered by
//! the rank of these squares. Each row is filled up to a multiple of 64 numbers. Within a row, positions are ordered by
//!
//! 1. the rank of the squares of the opponent's men,
//! 2. the opponent's master: how many men of its side come before it,
//! 3. the master of the side to move, numbered in the same way,
//! 4. the *open* deal. A deal is open if no card of the side to move captures the master or brings the own master to its
//!    goal.
//!
//! If the card set is its own mirror image, only one of two mirrored rows is present: the one with the lower word.
//!
//! Whether a deal is open depends only on the cards that win. These depend only on the two masters and the men of the side
//! to move. So the count of numbers before a set of opponent's men is a sum over its squares, and no list of sets is needed.

use crate::grid::{SquareSet, temple};
use crate::index::{DEAL, DEALS, Slice, View, gather, men_before};
use crate::{CardSet, Onitama};
use bits::subsets::{self, of_25};
use bits::{pdep, pext};
use game::{BySide, Index, Metric, Side};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The name of the numbering.
pub(crate) const NAME: &str = "men-open-deals-1";

/// Rows begin at multiples of this many bits.
const WORD: u64 = 64;

/// Returns whether a table of this slice and metric uses the short numbering. Small tables do not need it: they store every
/// position.
pub(crate) fn is_short(slice: Slice, metric: Metric) -> bool {
    metric == Metric::Wdl && slice.mover.max(slice.opponent) > 3
}

/// The set of all five cards: every card wins.
const ALL_WIN: u8 = 0b11111;

/// `OPEN[cards]`: the deals in which the side to move holds none of these cards. Deals are bits of a word with three planes
/// of ten bits. The plane says which of the three cards that the side to move does not hold is beside the board. The bit in
/// the plane says which two cards it holds.
static OPEN: [u32; 32] = {
    const PLANES: u32 = 1 | 1 << PLANE | 1 << (2 * PLANE);
    let mut open = [0; 32];
    let mut cards = 0;
    while cards < 32u32 {
        let (mut hand, mut number) = (0u32, 0);
        while hand < 32 {
            if hand.count_ones() == 2 {
                if hand & cards == 0 {
                    open[cards as usize] |= PLANES << number;
                }
                number += 1;
            }
            hand += 1;
        }
        cards += 1;
    }
    open
};

const PLANE: u32 = 10;

/// The bit of a deal. `hands.first` is the hand of the side to move.
fn bit(hands: BySide<u8>) -> u32 {
    let held = u32::from(hands.first);
    let side_card = u32::from(!(hands.first | hands.second) & ALL_WIN);
    let plane = (!held & (side_card - 1)).count_ones();
    plane * PLANE + of_25::rank(held)
}

/// The data of a row: it depends only on the squares of the men of the side to move.
struct Row {
    free: SquareSet,
    /// For each free square: the cards, as bits among the five, that capture a master there.
    takes: [u8; 25],
    /// For each man of the side to move: the cards that bring it to the goal if it is the master.
    arrives: [u8; 5],
    men: usize,
}

impl Row {
    fn new(cards: CardSet, men: SquareSet) -> Self {
        let (goal, lost) = (temple(Side::Second), temple(Side::First));
        let mut row = Self { free: !men, takes: [0; 25], arrives: [0; 5], men: men.len() as usize };
        for (card, i) in cards.iter().zip(0..) {
            let reached =
                card.steps(Side::First).iter().fold(SquareSet::EMPTY, |all, step| all | step.of(men));
            let reached = gather(reached & row.free, row.free);
            for (square, takes) in row.takes.iter_mut().enumerate() {
                *takes |= ((reached >> square & 1) as u8) << i;
            }
            // The goal cannot be reached if an own man stands on it.
            if !men.contains(goal) {
                // A step taken back is a step of the other side with the same card.
                let from = card.reach(Side::Second, goal);
                for (man, arrives) in men.iter().zip(&mut row.arrives) {
                    *arrives |= u8::from(from.contains(man)) << i;
                }
            }
        }
        // A master on its goal has already won. Such positions have no number, as if every card won.
        if men.contains(goal) {
            row.arrives[men_before(men, goal.into()) as usize] = ALL_WIN;
        }
        if row.free.contains(lost) {
            row.takes[gather(lost.into(), row.free).trailing_zeros() as usize] = ALL_WIN;
        }
        row
    }

    /// The open deals with the opponent's master on free square `theirs` and man `ours` as the master of the side to move.
    #[inline]
    fn open(&self, theirs: usize, ours: usize) -> u32 {
        OPEN[usize::from(self.takes[theirs] | self.arrives[ours])]
    }

    /// The number of open deals with the opponent's master on free square `theirs`, summed over the first `ours` men of the
    /// side to move as its master.
    #[inline]
    fn weight(&self, theirs: usize, ours: usize) -> u64 {
        (0..ours).map(|ours| u64::from(self.open(theirs, ours).count_ones())).sum()
    }

    /// The number of open deals, summed over all free squares and all masters of the side to move.
    fn sum_of_weights(&self) -> u64 {
        (0..25 - self.men).map(|square| self.weight(square, self.men)).sum()
    }

    /// The count of numbers before those of a set of opponent's men, given as free squares.
    ///
    /// A set before {c₁ < c₂ < …} has the same squares above some cᵢ and i other squares below cᵢ. For each i, these are
    /// C(cᵢ, i) sets, and each square below cᵢ is in C(cᵢ - 1, i - 1) of them.
    fn before_set(&self, set: u32) -> u64 {
        let (mut before, mut sets_before) = (0, 0);
        let (mut summed, mut sum_below) = (0, 0);
        for (square, i) in numbers(set).zip(1..) {
            sum_below += (summed..square).map(|below| self.weight(below, self.men)).sum::<u64>();
            summed = square;
            // All sets counted so far differ only below this square, so they contain it.
            before += sets_before * self.weight(square, self.men);
            sets_before += subsets::count(square as u32, i);
            before += sum_below * subsets::count((square as u32).saturating_sub(1), i - 1);
        }
        before
    }
}

/// The numbers of the squares of a set.
fn numbers(set: u32) -> impl Iterator<Item = usize> {
    SquareSet::from_word(set).iter().map(|square| square.index())
}

/// The first number of each row, by the rank of the squares of the side to move. The last item is the count of all numbers.
/// A row that is not present is empty.
fn compute_row_starts(cards: CardSet, slice: Slice) -> Arc<[u64]> {
    let sets_with_a_square = subsets::count(24 - slice.mover, slice.opponent - 1);
    let folded = cards.mirror() == cards;
    let mut next = 0;
    let starts = of_25::of_size(slice.mover).iter().map(|&men| {
        let men = SquareSet::from_word(men);
        let start = next;
        if !(folded && men.mirrored().word() < men.word()) {
            next += (Row::new(cards, men).sum_of_weights() * sets_with_a_square).next_multiple_of(WORD);
        }
        start
    });
    let mut starts: Vec<u64> = starts.collect();
    starts.push(next);
    starts.into()
}

/// Returns the result of [`compute_row_starts`] from a cache. Computing takes milliseconds, and every probe needs it. When
/// the cache is full (up to 27 MB) it is cleared. This costs little, because callers use card sets one after another.
fn row_starts(cards: CardSet, slice: Slice) -> Arc<[u64]> {
    type Kept = HashMap<(CardSet, Slice), Arc<[u64]>>;
    static KEPT: RwLock<Option<Kept>> = RwLock::new(None);
    const MOST: usize = 64;
    let key = (cards, slice);
    let kept = KEPT.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(starts) = kept.as_ref().and_then(|kept| kept.get(&key)) {
        return Arc::clone(starts);
    }
    drop(kept);
    let starts = compute_row_starts(cards, slice);
    let mut kept = KEPT.write().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if kept.len() >= MOST {
        kept.clear();
    }
    kept.insert(key, Arc::clone(&starts));
    starts
}

impl Onitama {
    /// The first number of each row in the short numbering of a slice, by the rank of the squares of the side to move. The
    /// last item is the count of all numbers. Rows that are not present are empty. This takes about ten milliseconds if the
    /// slice and card set are not in the cache.
    pub fn short_row_starts(&self, slice: Slice) -> Arc<[u64]> {
        row_starts(self.table_cards(), slice)
    }

    pub(crate) fn short_entries(&self, slice: Slice) -> u64 {
        *self.short_row_starts(slice).last().expect("an end behind the rows")
    }

    /// Converts the ordinary index of a position to its short one. Returns `None` if the side to move wins at once. It takes
    /// less than a microsecond.
    pub(crate) fn shortened(&self, slice: Slice, index: Index) -> Option<Index> {
        let cards = self.table_cards();
        let mut view = View::unrank(slice, index.0 / DEALS);
        let mut hands = DEAL.hands[(index.0 % DEALS) as usize];
        if view.men.first.mirrored().word() < view.men.first.word() && cards.mirror() == cards {
            let five = u64::from(cards.bits());
            let mirrored = |hand: u8| {
                let hand = CardSet::from_bits(pdep(hand.into(), five) as u16);
                pext(hand.mirror().bits().into(), five) as u8
            };
            (view, hands) = (view.mirrored(), hands.map(mirrored));
        }
        let View { men: BySide { first: ours, second: theirs }, masters } = view;
        let row = Row::new(cards, ours);
        let our_master = men_before(ours, masters) as usize;
        let their_master = gather(masters & theirs, row.free).trailing_zeros() as usize;
        let (open, deal) = (row.open(their_master, our_master), 1 << bit(hands));
        if open & deal == 0 {
            return None;
        }
        let set = gather(theirs, row.free);
        let before_master =
            numbers(set & ((1 << their_master) - 1)).map(|square| row.weight(square, row.men));
        let before = row.before_set(set)
            + before_master.sum::<u64>()
            + row.weight(their_master, our_master)
            + u64::from((open & (deal - 1)).count_ones());
        Some(Index(self.short_row_starts(slice)[of_25::rank(ours.word()) as usize] + before))
    }
}
