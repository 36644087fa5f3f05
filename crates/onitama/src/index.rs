//! The index of a position. A slice is given by the number of men of both sides, the side to move first. The index in the
//! slice is built from the squares of the side to move, those of the opponent, the two masters, and the deal of the cards.
//!
//! All positions are seen by the side to move: when Red is to move, the board is turned by 180 degrees. A card set and its
//! mirror image share one set of tables. It is named after the card set whose name comes first. Positions of the other
//! card set are mirrored.

use crate::grid::{Square, SquareSet, temple};
use crate::rules::CARDS;
use crate::{Card, CardSet, Onitama, Position};
use crate::{moves, neighbours, short};
use bits::subsets::{self, of_25};
use bits::{pdep, pdep_dense, pext};
use game::{
    BySide, Catalogue, Endgame, GameOption, Index, Location, Metric, Options, Position as _, Predecessors,
    ShortNumbering, Side,
};
use std::fmt;
use std::ops::ControlFlow;

/// The positions with given numbers of men. In `2v1` the side to move has two men and the opponent has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    pub(crate) mover: u32,
    pub(crate) opponent: u32,
}

const MOST_MEN: u32 = 5;
pub(crate) const DEALS: u64 = 30;

impl Slice {
    /// The slice with these numbers of men, masters included. Returns `None` unless each side has one to five men.
    pub fn new(mover: u32, opponent: u32) -> Option<Self> {
        let possible = 1..=MOST_MEN;
        (possible.contains(&mover) && possible.contains(&opponent)).then_some(Self { mover, opponent })
    }

    /// The number of men of the side to move and of the opponent.
    pub fn men(self) -> (u32, u32) {
        (self.mover, self.opponent)
    }

    /// The number of ways to place the opponent's men after the men of the side to move are placed.
    fn opponent_sets(self) -> u64 {
        subsets::count(25 - self.mover, self.opponent)
    }

    /// The slice with the roles exchanged, as after a move without a capture.
    fn turned(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.opponent)
    }
}

/// The thirty deals of five cards. A deal is given by two hands, as bits among the five cards: that of the side to move and
/// that of the opponent. `number[mover][opponent]` is the number of a deal, and `hands` is the inverse.
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

/// Men and masters as the side to move sees them: it plays up the board like Blue and is the first side.
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

    /// The slice, and the index without the deal.
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
        // All squares but a few: the dense version is faster on machines without `pdep`.
        let opponent = SquareSet::from_word(pdep_dense(free.into(), (!mover).word().into()) as u32);
        let nth = |men: SquareSet, n: u32| spread(1 << n, men);
        let masters = nth(mover, masters / slice.opponent) | nth(opponent, masters % slice.opponent);
        Self { men: BySide { first: mover, second: opponent }, masters }
    }
}

/// The squares of `set`, numbered among those of `mask`.
#[inline]
pub(crate) fn gather(set: SquareSet, mask: SquareSet) -> u32 {
    pext(set.word().into(), mask.word().into()) as u32
}

/// The squares of `mask` that have these numbers. The inverse of [`gather`].
#[inline]
fn spread(gathered: u32, mask: SquareSet) -> SquareSet {
    SquareSet::from_word(pdep(gathered.into(), mask.word().into()) as u32)
}

/// The part of an index that depends on the side to move. It is the same after all moves of the opponent that capture
/// nothing.
#[derive(Clone, Copy)]
pub(crate) struct HalfRank {
    pub(crate) slice: Slice,
    /// The squares that are free for the opponent's men.
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

/// The number of a master: how many men of its side come before it.
#[inline]
pub(crate) fn men_before(men: SquareSet, masters: SquareSet) -> u32 {
    let below_master = (masters & men).word() - 1;
    (below_master & men.word()).count_ones()
}

impl Onitama {
    /// Returns whether positions of this card set are found in the tables of its mirror image.
    #[inline]
    pub(crate) fn is_mirrored(&self) -> bool {
        self.table_cards() != self.cards()
    }

    /// The number of a deal, given the hand of the side to move and that of the opponent.
    #[inline]
    pub(crate) fn deal(&self, mover: CardSet, opponent: CardSet) -> u64 {
        let among_five = |hand: CardSet| {
            let hand = if self.is_mirrored() { hand.mirror() } else { hand };
            pext(hand.bits().into(), self.table_cards().bits().into()) as usize
        };
        DEAL.number[among_five(mover)][among_five(opponent)].into()
    }

    /// The slice of a view and its index without the deal. The view is mirrored first if the tables are those of the
    /// mirrored card set.
    #[inline]
    fn rank(&self, view: View) -> (Slice, u64) {
        if self.is_mirrored() { view.mirrored().rank() } else { view.rank() }
    }
}

impl Endgame for Onitama {
    type Slice = Slice;
    type Unmoves = Self;
    type Short = Self;
    const INDEX: &'static str = "men-masters-deals-1";

    fn solve_command(&self, slice: Slice) -> String {
        format!("endspiel solve onitama {slice} --cards {}", game::Game::rules_id(self).replace('-', ","))
    }

    #[inline]
    fn unmoves(&self) -> Option<&Self> {
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

    /// Groups are ordered by the number of men. Two slices with exchanged roles are one group, because moves without a
    /// capture lead from one to the other.
    fn groups(&self) -> Vec<Vec<Slice>> {
        let mut groups = Vec::new();
        for men in 2..=2 * MOST_MEN {
            for fewer in 1..=men / 2 {
                let Some(slice) = Slice::new(fewer, men - fewer) else { continue };
                let roles = if slice == slice.turned() { vec![slice] } else { vec![slice, slice.turned()] };
                groups.push(roles);
            }
        }
        groups
    }

    /// The side to move captures a man and becomes the opponent.
    fn needs(&self, slice: Slice) -> Vec<Slice> {
        Slice::new(slice.opponent - 1, slice.mover).into_iter().collect()
    }

    fn size(&self, slice: Slice) -> u64 {
        let sets = subsets::count(25, slice.mover) * slice.opponent_sets();
        sets * u64::from(slice.mover * slice.opponent) * DEALS
    }

    fn digits(&self, slice: Slice) -> Vec<u64> {
        let masters = u64::from(slice.mover * slice.opponent);
        vec![subsets::count(25, slice.mover), slice.opponent_sets(), masters, DEALS]
    }

    #[inline]
    fn locate(&self, position: &Position) -> Location<Slice> {
        if let Some(outcome) = position.outcome() {
            return Location::Over(outcome.value(position.turn));
        }
        let (us, them) = (position.turn, position.turn.other());
        if position.men[us].len().max(position.men[them].len()) > MOST_MEN {
            return Location::Beyond("a side has more than five men, and tables have no such positions");
        }
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
    /// The opponent made the last move. The card that is beside the board now is the one that was used. One of the two cards
    /// in the opponent's hand was beside the board before. Captures come from slices with one man more, which are not in
    /// this group.
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
            // A step taken back is a step of the other side with the same card.
            let sources = used.reach(us, to) & free;
            // A master does not come from its goal: there the game was over.
            let sources = if is_master { sources & !goal } else { sources };
            for from in sources {
                let (slice, number) = self.rank(View::of(&moved_back(position, them, from, to, is_master)));
                deals.iter().for_each(|deal| visit(slice, Index(number * DEALS + deal)));
            }
        }
        // Only a side with all five men can be unable to move.
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
        help: "All slices with at most N men, at most N/2 on each side; N is 2, 4, 6, 8 or 10",
        proposed: &["2", "4", "6", "8", "10"],
        default: "4",
    });

    /// Every set of five cards, but only one of each set and its mirror image: 2,348 sets.
    const ALL_RULES: Option<fn() -> Vec<Options>> = Some(|| {
        let with_own_tables = Self::all_card_sets().filter(|cards| *cards <= cards.mirror());
        let as_options = |cards: CardSet| {
            let mut options = Options::default();
            options.set(&CARDS, cards.to_string());
            options
        };
        with_own_tables.map(as_options).collect()
    });

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
        Some(self.groups().into_iter().flatten().filter(fits).collect())
    }
}

/// The position with `side` to move and its man on `to` back on `from`. The cards do not change.
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
