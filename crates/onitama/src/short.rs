//! A shorter numbering, for tables that hold one bit: positions in which the mover wins at once have no number.
//!
//! A *row* is all positions with the same squares of the mover's men; rows come one after another by the rank of these
//! squares, each filled up to a multiple of 64 numbers. Within a row come the sets of the opponent's men by rank, then
//! his master, then the mover's, each by the men of its side before it, and then the *open* deals: those in which no card
//! of the mover takes the master or brings his own to the goal. Where the card set is its own mirror image, of two
//! rows that mirror each other only the one with the lower word is there.
//!
//! Which deals are open depends only on the cards that win, and these on the two masters and the mover's men. So the numbers
//! before a set of the opponent's are a sum over its squares, and no list of sets is needed.

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

/// A row begins with a new word of so many bits.
const WORD: u64 = 64;

/// Has a table of this metric the short numbering? The small ones do without: they may as well say it all.
pub(crate) fn is_short(slice: Slice, metric: Metric) -> bool {
    metric == Metric::Wdl && slice.mover.max(slice.opponent) > 3
}

/// All five cards.
const ALL_WIN: u8 = 0b11111;

/// The deals in which the mover holds none of some cards. Deals are numbered as bits of a word with three planes
/// of ten: the plane says which of the three cards that he does not hold lies beside the board, and the
/// place in it which two he holds.
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

/// The bit of a deal, by the mover's hand.
fn bit(hands: BySide<u8>) -> u32 {
    let held = u32::from(hands.first);
    let side_card = u32::from(!(hands.first | hands.second) & ALL_WIN);
    let plane = (!held & (side_card - 1)).count_ones();
    plane * PLANE + of_25::rank(held)
}

/// What the squares of the mover's men decide.
struct Row {
    free: SquareSet,
    /// By free square: the cards, as bits among the five, that take a master there.
    takes: [u8; 25],
    /// By the mover's man: the cards that bring it to the goal as a master.
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
            // Behind an own man the goal cannot be reached.
            if !men.contains(goal) {
                // Backwards a card is what it is for the other side.
                let from = card.reach(Side::Second, goal);
                for (man, arrives) in men.iter().zip(&mut row.arrives) {
                    *arrives |= u8::from(from.contains(man)) << i;
                }
            }
        }
        // A master that stands on its goal has won: as if every card did.
        if men.contains(goal) {
            row.arrives[men_before(men, goal.into()) as usize] = ALL_WIN;
        }
        if row.free.contains(lost) {
            row.takes[gather(lost.into(), row.free).trailing_zeros() as usize] = ALL_WIN;
        }
        row
    }

    /// The open deals with the opponent's master on a free square and the mover's on one of his.
    #[inline]
    fn open(&self, theirs: usize, ours: usize) -> u32 {
        OPEN[usize::from(self.takes[theirs] | self.arrives[ours])]
    }

    /// Their number with the opponent's master there, over the first of the mover's men as his.
    #[inline]
    fn weight(&self, theirs: usize, ours: usize) -> u64 {
        (0..ours).map(|ours| u64::from(self.open(theirs, ours).count_ones())).sum()
    }

    /// The same over all squares and masters.
    fn sum_of_weights(&self) -> u64 {
        (0..25 - self.men).map(|square| self.weight(square, self.men)).sum()
    }

    /// How many numbers are before those of a set of the opponent's, given as free squares.
    ///
    /// The sets before {c₁ < c₂ < …} share with it the squares above some cᵢ and have i others below cᵢ: these are
    /// C(cᵢ, i) sets, and each square below cᵢ is in C(cᵢ - 1, i - 1) of them.
    fn before_set(&self, set: u32) -> u64 {
        let (mut before, mut sets_before) = (0, 0);
        let (mut summed, mut sum_below) = (0, 0);
        for (square, i) in numbers(set).zip(1..) {
            sum_below += (summed..square).map(|below| self.weight(below, self.men)).sum::<u64>();
            summed = square;
            // This square is above all those that the sets so far differ in.
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

/// Where each row begins, by the rank of the mover's men, and at the end how many numbers there are. A row that is
/// not there has no numbers.
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

/// The same, kept: they take milliseconds, and a probe asks again and again. Whoever asks about many card sets asks about
/// one after the other, so that beginning anew when the room is full (up to 27 MB) loses little.
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
    /// Where the rows of the short numbering of a slice begin, by the rank of the mover's men, and at the end how many
    /// numbers there are; rows that are not there are empty. Some ten milliseconds for a slice and card set that
    /// was not asked about lately.
    pub fn short_row_starts(&self, slice: Slice) -> Arc<[u64]> {
        row_starts(self.table_cards(), slice)
    }

    pub(crate) fn short_entries(&self, slice: Slice) -> u64 {
        *self.short_row_starts(slice).last().expect("an end behind the rows")
    }

    /// The short number of a position by its ordinary one; nothing if the mover wins at once. Below a microsecond.
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
