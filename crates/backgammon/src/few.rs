//! Numbered positions in which each side has few checkers, anywhere on the board: hypergammon, and ordinary backgammon
//! shortly before its end. They await a roll, and there is no cube.

use crate::board::Board;
use crate::cube::Cube;
use crate::position::{Phase, Position, Win};
use crate::rules::Backgammon;
use crate::slice::Slice;
use crate::terms::{Terms, Variant};
use game::{BySide, Expectation, Expected, Index, Position as _, Side};
use std::fmt;

/// The endgames in which each side has up to so many checkers left, anywhere.
///
/// The checkers of one side are a *set*: a number for each of its places, from its ace point to its bar. The sets have the
/// numbers of GNU Backgammon's databases. A set without checkers has number 0. A position has the index *sets* · (set of
/// the side to move) + (set of the opponent).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Few {
    checkers: u8,
    variant: Variant,
}

/// The places of a set: the points from the ace point to the 24 point, and the bar.
const PLACES: usize = 25;

impl Few {
    /// The endgames of a slice, or `None` if the slice has other endgames.
    pub fn of(slice: Slice) -> Option<Self> {
        let hyper = |most| Variant::ALL.into_iter().find(|variant| variant.checkers() == most);
        let (checkers, variant) = match slice {
            Slice::Hyper { checkers } => (checkers, hyper(checkers)?),
            Slice::Left { checkers } => (checkers, Variant::Standard),
            _ => return None,
        };
        (1..=3).contains(&checkers).then_some(Self { checkers, variant })
    }

    /// The slice.
    pub const fn slice(self) -> Slice {
        match self.variant {
            Variant::Standard => Slice::Left { checkers: self.checkers },
            _ => Slice::Hyper { checkers: self.checkers },
        }
    }

    /// The smallest of these endgames that a position belongs to, or `None` if a side has too many checkers.
    pub fn of_position(position: &Position) -> Option<Self> {
        let left = |side| 15 - position.board().off(side);
        let most = left(Side::First).max(left(Side::Second)).max(1);
        match position.terms().variant {
            Variant::Standard => Self::of(Slice::Left { checkers: most }),
            hyper => Self::of(Slice::Hyper { checkers: hyper.checkers() }),
        }
    }

    /// The most checkers of a side.
    pub const fn checkers(self) -> u8 {
        self.checkers
    }

    /// Returns whether gammons are possible. They are not where checkers have been borne off already.
    pub fn has_gammons(self) -> bool {
        self.variant != Variant::Standard
    }

    /// The number of sets.
    pub fn sets(self) -> usize {
        choose(PLACES + usize::from(self.checkers), PLACES) as usize
    }

    /// The number of a set, given as the checkers on the [`Canonical`](crate::Canonical) places, bar first. Returns `None`
    /// if it has too many checkers.
    pub fn set_number(self, counts: &[u8; PLACES]) -> Option<usize> {
        let checkers: u8 = counts.iter().sum();
        if checkers > self.checkers {
            return None;
        }
        // As many zeros as checkers and as many ones as places, read as a number: the ones stand between the places.
        let mut one = PLACES - 1 + usize::from(checkers);
        let mut number = choose(one, PLACES);
        for (ones, &count) in (1..PLACES).rev().zip(counts.iter().rev()) {
            one -= usize::from(count) + 1;
            number += choose(one, ones);
        }
        Some(number as usize)
    }

    /// The set with this number, as the checkers on the [`Canonical`](crate::Canonical) places, bar first. Returns `None`
    /// if there is none.
    pub fn set(self, number: usize) -> Option<[u8; PLACES]> {
        if number >= self.sets() {
            return None;
        }
        let mut counts = [0; PLACES];
        let (mut left, mut one) = (number as u64, PLACES + usize::from(self.checkers));
        let mut last = None;
        for ones in (1..=PLACES).rev() {
            one = (0..one).rev().find(|&one| choose(one, ones) <= left)?;
            left -= choose(one, ones);
            if let Some(last) = last {
                let gap: usize = last - one - 1;
                counts[ones] = gap as u8;
            }
            last = Some(one);
        }
        counts[0] = one as u8;
        Some(counts)
    }

    /// The points of a player who has borne off all checkers while the opponent still has this set.
    pub fn points(self, loser: &[u8; PLACES]) -> u32 {
        let counts = BySide { first: [0; PLACES], second: *loser };
        self.position(&counts).won().map_or(0, |(_, win)| win.multiple())
    }

    /// The position with these checkers, as [`Board`] sees them, in which the first side rolls. It is not checked.
    fn position(self, counts: &BySide<[u8; PLACES]>) -> Position {
        let terms = Terms { variant: self.variant, ..Terms::default() };
        let board = Board::from_counts(counts);
        Position::assembled_unchecked(board, Side::First, Phase::Roll, Cube::CENTRED, terms)
    }

    /// The index of the sets of the side to move and of the opponent.
    pub fn index(self, mine: usize, theirs: usize) -> Index {
        Index((self.sets() * mine + theirs) as u64)
    }

    /// Returns whether there is a position with these sets: the game is not over, and no point has checkers of both sides.
    pub fn is_position(mine: &[u8; PLACES], theirs: &[u8; PLACES]) -> bool {
        let is_on_board = |counts: &[u8; PLACES]| counts.iter().any(|&count| count > 0);
        let shares = (1..PLACES).any(|point| mine[point] > 0 && theirs[PLACES - point] > 0);
        is_on_board(mine) && is_on_board(theirs) && !shares
    }
}

impl fmt::Display for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.slice().fmt(f)
    }
}

/// C(n, k) for the small numbers of this file.
const fn choose(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    // The difference is the smaller number here.
    let (mut result, mut i) = (1, 0);
    while i < n - k {
        result = result * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    result
}

impl Expectation for Backgammon {
    type Slice = Few;

    const INDEX: &'static str = "sets";

    fn size(&self, few: Few) -> u64 {
        (few.sets() * few.sets()) as u64
    }

    fn unrank(&self, few: Few, Index(index): Index) -> Option<Position> {
        let sets = few.sets() as u64;
        let set = |number: u64| usize::try_from(number).ok().and_then(|number| few.set(number));
        let (mine, theirs) = (set(index / sets)?, set(index % sets)?);
        Few::is_position(&mine, &theirs).then(|| few.position(&BySide { first: mine, second: theirs }))
    }

    fn locate(&self, few: Few, position: &Position) -> Expected {
        const NO_ROLL: &str = "it does not await a roll";
        let of_few = few.variant == position.terms().variant;
        match position.won() {
            _ if !of_few => Expected::Beyond("it is played with another number of checkers"),
            Some((_, Win::Drop)) => Expected::Beyond("a double was declined"),
            Some((winner, win)) => {
                let points = i64::from(win.multiple());
                Expected::Over(if winner == position.turn() { points } else { -points })
            }
            None if position.phase() != Phase::Roll => Expected::Beyond(NO_ROLL),
            None => {
                let number = |side| few.set_number(&position.board().counts(side));
                match (number(position.turn()), number(position.turn().other())) {
                    (Some(mine), Some(theirs)) => Expected::At(few.index(mine, theirs)),
                    _ => Expected::Beyond("a side has too many checkers on the board"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Few> {
        Slice::all().filter_map(Few::of)
    }

    #[test]
    fn sets_and_numbers_lead_back() {
        for few in all() {
            assert_eq!(few.sets(), [26, 351, 3276][usize::from(few.checkers) - 1]);
            for number in 0..few.sets() {
                let set = few.set(number).expect("a set");
                assert_eq!(few.set_number(&set), Some(number), "{set:?}");
            }
            assert_eq!(few.set(few.sets()), None);
            assert_eq!(Few::of(few.slice()), Some(few));
        }
    }

    #[test]
    fn the_winner_of_hypergammon_gets_up_to_three_points() {
        let [hyper, left] = [Slice::Hyper { checkers: 2 }, Slice::Left { checkers: 2 }].map(Few::of);
        let (hyper, left) = (hyper.expect("two"), left.expect("two"));
        let with = |places: &[usize]| {
            let mut counts = [0; PLACES];
            places.iter().for_each(|&place| counts[place] += 1);
            counts
        };
        for (places, points) in [(&[20][..], 1), (&[20, 21], 2), (&[7, 24], 2), (&[6, 24], 3), (&[0, 24], 3)]
        {
            assert_eq!(hyper.points(&with(places)), points, "{places:?}");
            assert_eq!(left.points(&with(places)), 1, "{places:?}");
        }
    }
}
