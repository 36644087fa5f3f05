//! Positions as numbers. A slice is the number of men of both sides, the mover's first; within it a number is built
//! from the mover's men, the opponent's, which of each is the master, and the deal of the cards.
//!
//! Everything is seen by the mover: when Red is to move, the board is turned. One set of tables serves a card set and
//! its mirror image; it is named after the set whose name comes first, and positions of the other are mirrored.

use crate::grid::{Square, SquareSet, temple};
use crate::rules::CARDS;
use crate::{Card, CardSet, Onitama, Position};
use crate::{moves, neighbours, short};
use bits::subsets::{self, of_25};
use bits::{pdep, pext};
use game::{
    BySide, Catalogue, Endgame, GameOption, Index, Location, Metric, Options, Position as _, Predecessors,
    ShortNumbering, Side,
};
use std::fmt;
use std::ops::ControlFlow;

/// The positions with so many men: `2v1` is two of the mover's against one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    pub(crate) mover: u32,
    pub(crate) opponent: u32,
}

const MOST_MEN: u32 = 5;
pub(crate) const DEALS: u64 = 30;

impl Slice {
    /// The slice with so many men, masters included; each side has one to five.
    pub fn new(mover: u32, opponent: u32) -> Option<Self> {
        let possible = 1..=MOST_MEN;
        (possible.contains(&mover) && possible.contains(&opponent)).then_some(Self { mover, opponent })
    }

    /// The mover's men and the opponent's.
    pub fn men(self) -> (u32, u32) {
        (self.mover, self.opponent)
    }

    /// The number of ways to place the opponent's men when the mover's stand.
    fn opponent_sets(self) -> u64 {
        subsets::count(25 - self.mover, self.opponent)
    }

    /// With the roles exchanged, as after a quiet move.
    fn turned(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.opponent)
    }
}

/// The thirty deals of five cards: by the mover's two cards and the opponent's two, as bits among the five.
/// `NUMBER[mover][opponent]` and back.
pub(crate) struct Deals {
    number: [[u8; 32]; 32],
    pub(crate) hands: [BySide<u8>; DEALS as usize],
}

pub(crate) static DEAL: Deals = {
    let mut number = [[0; 32]; 32];
    let mut hands = [BySide { first: 0, second: 0 }; DEALS as usize];
    let mut n = 0;
    let mut mover: u8 = 0;
    while mover < 32 {
        let mut opponent: u8 = 0;
        while opponent < 32 {
            if mover.count_ones() == 2 && opponent.count_ones() == 2 && mover & opponent == 0 {
                number[mover as usize][opponent as usize] = n as u8;
                hands[n] = BySide { first: mover, second: opponent };
                n += 1;
            }
            opponent += 1;
        }
        mover += 1;
    }
    assert!(n == DEALS as usize);
    Deals { number, hands }
};

/// Men and masters as the mover sees them, Blue's way up the board.
#[derive(Clone, Copy)]
pub(crate) struct View {
    pub(crate) men: BySide<SquareSet>,
    pub(crate) masters: SquareSet,
}

impl View {
    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        let Position { men, masters, turn, .. } = *position;
        match turn {
            Side::First => Self { men, masters },
            Side::Second => Self { men: men.swap().map(SquareSet::rotated), masters: masters.rotated() },
        }
    }

    #[inline]
    pub(crate) fn mirrored(self) -> Self {
        Self { men: self.men.map(SquareSet::mirrored), masters: self.masters.mirrored() }
    }

    /// The slice, and the number without the deal.
    #[inline]
    pub(crate) fn rank(self) -> (Slice, u64) {
        let half = HalfRank::new(self.men.first, self.masters, self.men.second.len());
        (half.slice, half.with_opponent(self.men.second, self.masters))
    }

    pub(crate) fn unrank(slice: Slice, number: u64) -> Self {
        let pairs = u64::from(slice.mover * slice.opponent);
        let (sets, masters) = (number / pairs, (number % pairs) as u32);
        let mover = SquareSet::from_word(of_25::unrank((sets / slice.opponent_sets()) as u32, slice.mover));
        let free = of_25::unrank((sets % slice.opponent_sets()) as u32, slice.opponent);
        let opponent = spread(free, !mover);
        let nth = |men: SquareSet, n: u32| spread(1 << n, men);
        let masters = nth(mover, masters / slice.opponent) | nth(opponent, masters % slice.opponent);
        Self { men: BySide { first: mover, second: opponent }, masters }
    }
}

/// The squares of `set` numbered among those of `mask`.
#[inline]
pub(crate) fn gather(set: SquareSet, mask: SquareSet) -> u32 {
    pext(set.word().into(), mask.word().into()) as u32
}

/// The squares of `mask` with these numbers: the inverse of [`gather`].
#[inline]
fn spread(gathered: u32, mask: SquareSet) -> SquareSet {
    SquareSet::from_word(pdep(gathered.into(), mask.word().into()) as u32)
}

/// The mover's part of a number: the same for all moves of the player before him that take nothing.
#[derive(Clone, Copy)]
pub(crate) struct HalfRank {
    pub(crate) slice: Slice,
    /// The squares left to the opponent.
    free: SquareSet,
    first_set: u64,
    master: u32,
}

impl HalfRank {
    #[inline]
    pub(crate) fn new(mover: SquareSet, masters: SquareSet, opponents: u32) -> Self {
        let slice = Slice { mover: mover.len(), opponent: opponents };
        Self {
            slice,
            free: !mover,
            first_set: u64::from(of_25::rank(mover.word())) * slice.opponent_sets(),
            master: men_before(mover, masters),
        }
    }

    #[inline]
    pub(crate) fn with_opponent(self, opponent: SquareSet, masters: SquareSet) -> u64 {
        let set = self.first_set + u64::from(of_25::rank(gather(opponent, self.free)));
        let pair = self.master * self.slice.opponent + men_before(opponent, masters);
        set * u64::from(self.slice.mover * self.slice.opponent) + u64::from(pair)
    }
}

/// A master is numbered by the men of its side before it.
#[inline]
pub(crate) fn men_before(men: SquareSet, masters: SquareSet) -> u32 {
    let below_master = (masters & men).word() - 1;
    (below_master & men.word()).count_ones()
}

impl Onitama {
    /// Are positions of this card set found in the tables of its mirror image?
    #[inline]
    pub(crate) fn is_mirrored(&self) -> bool {
        self.table_cards() != self.cards()
    }

    /// The number of a deal, hands as the mover sees them.
    #[inline]
    pub(crate) fn deal(&self, mover: CardSet, opponent: CardSet) -> u64 {
        let among_five = |hand: CardSet| {
            let hand = if self.is_mirrored() { hand.mirror() } else { hand };
            pext(hand.bits().into(), self.table_cards().bits().into()) as usize
        };
        DEAL.number[among_five(mover)][among_five(opponent)].into()
    }

    /// The slice of a view and its number without the deal, mirrored where the tables are.
    #[inline]
    fn rank(&self, view: View) -> (Slice, u64) {
        if self.is_mirrored() { view.mirrored().rank() } else { view.rank() }
    }
}

impl Endgame for Onitama {
    type Slice = Slice;
    type MovesBack = Self;
    type Short = Self;
    const INDEX: &'static str = "men-masters-deals-1";

    #[inline]
    fn moves_back(&self) -> Option<&Self> {
        Some(self)
    }

    #[inline]
    fn short(&self) -> Option<&Self> {
        Some(self)
    }

    fn table_rules_id(&self) -> String {
        Self::rules_id_of(self.table_cards())
    }

    fn of_position(&self, position: &Position) -> Self {
        if position.cards() == self.cards() { *self } else { Self::dealt_as(position) }
    }

    /// By the number of men; slices that differ in the roles lead into each other by quiet moves.
    fn batches(&self) -> Vec<Vec<Slice>> {
        let mut batches = Vec::new();
        for men in 2..=2 * MOST_MEN {
            for fewer in 1..=men / 2 {
                let Some(slice) = Slice::new(fewer, men - fewer) else { continue };
                let roles = if slice == slice.turned() { vec![slice] } else { vec![slice, slice.turned()] };
                batches.push(roles);
            }
        }
        batches
    }

    /// The mover takes a man and becomes the opponent.
    fn needs(&self, slice: Slice) -> Vec<Slice> {
        Slice::new(slice.opponent - 1, slice.mover).into_iter().collect()
    }

    fn size(&self, slice: Slice) -> u64 {
        let sets = subsets::count(25, slice.mover) * slice.opponent_sets();
        sets * u64::from(slice.mover * slice.opponent) * DEALS
    }

    #[inline]
    fn locate(&self, position: &Position) -> Location<Slice> {
        if let Some(outcome) = position.outcome() {
            return Location::Over(outcome.value(position.turn));
        }
        let (us, them) = (position.turn, position.turn.other());
        let (slice, number) = self.rank(View::of(position));
        Location::At(slice, Index(number * DEALS + self.deal(position.hands[us], position.hands[them])))
    }

    #[inline]
    fn successors<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Location<Slice>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        neighbours::visit(self, position, visit)
    }

    fn unrank(&self, slice: Slice, index: Index) -> Option<Position> {
        let mut view = View::unrank(slice, index.0 / DEALS);
        let hands = DEAL.hands[(index.0 % DEALS) as usize];
        let on_goal = |side: Side| (view.masters & view.men[side]).contains(temple(side.other()));
        if Side::ALL.into_iter().any(on_goal) {
            return None;
        }
        let from_five = |hand: u64| {
            let hand = CardSet::from_bits(pdep(hand, self.table_cards().bits().into()) as u16);
            if self.is_mirrored() { hand.mirror() } else { hand }
        };
        let side_card = from_five(u64::from(!(hands.first | hands.second) & 0b11111));
        if self.is_mirrored() {
            view = view.mirrored();
        }
        Some(Position {
            men: view.men,
            masters: view.masters,
            hands: hands.map(|hand| from_five(hand.into())),
            side_card: side_card.iter().next().expect("five cards less four"),
            turn: Side::First,
        })
    }
}

impl Predecessors<Self> for Onitama {
    /// The opponent moved last. Whichever of his cards he took then lay beside the board before, and the card beside
    /// the board now is the one he used. His captures come from slices with one man more: not of this batch.
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(Slice, Index)) {
        let (us, them) = (position.turn, position.turn.other());
        let used = position.side_card;
        let before = |taken: Card| position.hands[them].exchange(taken, used);
        let mut taken = position.hands[them].iter();
        let (one, other) = (taken.next().expect("two cards"), taken.next().expect("two cards"));
        let deals = [one, other].map(|taken| self.deal(before(taken), position.hands[us]));

        let men = position.men[them];
        let free = !(men | position.men[us]);
        let goal = SquareSet::from(temple(us));
        for to in men {
            let is_master = position.masters.contains(to);
            // Backwards a card is what it is for the other side.
            let sources = used.reach(us, to) & free;
            // A master that stood on its goal had won before.
            let sources = if is_master { sources & !goal } else { sources };
            for from in sources {
                let (slice, number) = self.rank(View::of(&moved_back(position, them, from, to, is_master)));
                deals.iter().for_each(|deal| visit(slice, Index(number * DEALS + deal)));
            }
        }
        // Only who has all five men can be unable to move.
        if men.len() == MOST_MEN {
            for (taken, deal) in [one, other].into_iter().zip(deals) {
                let passed = Position {
                    hands: match them {
                        Side::First => BySide { first: before(taken), ..position.hands },
                        Side::Second => BySide { second: before(taken), ..position.hands },
                    },
                    side_card: taken,
                    turn: them,
                    ..*position
                };
                if moves::must_pass(&passed) {
                    let (slice, number) = self.rank(View::of(&passed));
                    visit(slice, Index(number * DEALS + deal));
                }
            }
        }
    }
}

impl ShortNumbering<Self> for Onitama {
    const NAME: &'static str = short::NAME;

    fn entries(&self, slice: Slice, metric: Metric) -> Option<u64> {
        short::is_short(slice, metric).then(|| self.short_entries(slice))
    }

    fn short_index(&self, slice: Slice, index: Index) -> Option<Index> {
        self.shortened(slice, index)
    }
}

impl Catalogue for Onitama {
    const SELECTOR: Option<GameOption> = Some(GameOption {
        name: "men",
        value: "N",
        help: "All slices with up to so many men, half of them each side's: 2, 4, 6, 8 or 10",
        default: "4",
    });

    /// Every set of five cards, but of a set and its mirror image only one: 2,348.
    fn all_rules() -> Vec<Options> {
        let with_own_tables = Self::all_card_sets().filter(|cards| *cards <= cards.mirror());
        with_own_tables
            .map(|cards| {
                let mut options = Options::default();
                options.set(&CARDS, cards.to_string());
                options
            })
            .collect()
    }

    fn starter(&self) -> Vec<Slice> {
        self.select("4").expect("four is a number of men")
    }

    fn select(&self, value: &str) -> Option<Vec<Slice>> {
        let most = match value {
            "2" => 1,
            "4" => 2,
            "6" => 3,
            "8" => 4,
            "10" => 5,
            _ => return None,
        };
        let fits = |slice: &Slice| slice.mover <= most && slice.opponent <= most;
        Some(self.batches().into_iter().flatten().filter(fits).collect())
    }
}

/// The position with the other side to move and its man on `to` back on `from`. The cards are left as they are.
#[inline]
fn moved_back(position: &Position, side: Side, from: Square, to: Square, is_master: bool) -> Position {
    let step = SquareSet::from(from) | SquareSet::from(to);
    let mut before = Position { turn: side, ..*position };
    before.men[side] ^= step;
    if is_master {
        before.masters ^= step;
    }
    before
}
