//! The positions of a table: their number, their places, and the position at an index.

use crate::bearoff::BearOff;
use crate::board::{Board, CHECKERS};
use crate::cube::Cube;
use crate::few::Few;
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use crate::slice::Slice;
use crate::terms::{Terms, Variant};
use game::{BySide, Expectation as _, Index, Position as _, Side};

/// The points of a home board.
const HOME: u8 = 6;

/// Where a table has a position before a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At an index.
    At(Index),
    /// At one index for each side: first the side to move, then the opponent.
    Sides(Index, Index),
}

impl Slice {
    /// The number of indices.
    pub fn entries(self) -> u64 {
        match self {
            Self::TwoSided { .. } | Self::Cubeful { .. } => self.boards().pow(2),
            Self::OneSided { .. } => self.boards(),
            Self::Hyper { .. } | Self::Left { .. } => {
                Few::of(self).map_or(0, |few| Backgammon::default().size(few))
            }
        }
    }

    /// The boards of one side, if both sides, or the only one, bear off.
    pub fn bear_off(self) -> Option<BearOff> {
        match self {
            Self::TwoSided { checkers } | Self::Cubeful { checkers } => BearOff::new(HOME, checkers),
            Self::OneSided { points } => BearOff::new(points, CHECKERS),
            Self::Hyper { .. } | Self::Left { .. } => None,
        }
    }

    fn boards(self) -> u64 {
        self.bear_off().map_or(0, |bear_off| bear_off.boards().into())
    }

    /// Where the table of the slice has a position that awaits a roll. Returns `None` if it does not have it.
    pub fn place(self, position: &Position) -> Option<Place> {
        let (board, turn) = (position.board(), position.turn());
        let variant = position.terms().variant;
        let numbers = || self.bear_off()?.numbers(board, turn);
        match self {
            Self::Hyper { checkers } if variant.checkers() != checkers => None,
            Self::Hyper { .. } => self.place_of_few(position),
            _ if variant != Variant::Standard => None,
            Self::Left { .. } => self.place_of_few(position),
            Self::TwoSided { .. } | Self::Cubeful { .. } => {
                let (mine, theirs) = numbers()?;
                Some(Place::At(Index(u64::from(mine) * self.boards() + u64::from(theirs))))
            }
            Self::OneSided { .. } => {
                let (mine, theirs) = numbers()?;
                Some(Place::Sides(Index(mine.into()), Index(theirs.into())))
            }
        }
    }

    fn place_of_few(self, position: &Position) -> Option<Place> {
        let few = Few::of(self)?;
        let set = |side| few.set_number(&position.board().counts(side));
        Some(Place::At(few.index(set(position.turn())?, set(position.turn().other())?)))
    }

    /// The position at an index, with the first side to roll. In a one-sided table, both sides have the board. Returns `None` if the
    /// index has no position.
    pub fn position(self, index: Index) -> Option<Position> {
        let (mine, theirs) = match self {
            _ if index.0 >= self.entries() => return None,
            Self::Hyper { .. } | Self::Left { .. } => {
                return Backgammon::default().unrank(Few::of(self)?, index);
            }
            Self::TwoSided { .. } | Self::Cubeful { .. } => {
                (index.0 / self.boards(), index.0 % self.boards())
            }
            Self::OneSided { .. } => (index.0, index.0),
        };
        let bear_off = self.bear_off()?;
        let counts = |number: u64| {
            let home = bear_off.unrank(u32::try_from(number).ok()?);
            let mut counts = [0; 25];
            (1..).zip(home.0).for_each(|(point, count)| counts[25 - point] = count);
            // A game is over when a side has no checkers.
            (number > 0).then_some(counts)
        };
        let board = Board::from_counts(&BySide { first: counts(mine)?, second: counts(theirs)? });
        Some(Position::assembled_unchecked(board, Side::First, Phase::Roll, Cube::CENTRED, Terms::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    #[test]
    fn places_and_positions_lead_back() {
        let mut rng = Rng::new(5);
        for slice in Slice::all() {
            let entries = slice.entries();
            let mut found = 0;
            for _ in 0..300 {
                let index = Index(rng.below(entries));
                let Some(position) = slice.position(index) else { continue };
                found += 1;
                let expected = match slice {
                    Slice::OneSided { .. } => Place::Sides(index, index),
                    _ => Place::At(index),
                };
                assert_eq!(slice.place(&position), Some(expected), "{slice}");
                // The same position, seen from the other side of the board.
                assert_eq!(slice.place(&position.turned()), Some(expected), "{slice}");
            }
            assert!(found > 0, "{slice} has positions");
            assert_eq!(slice.position(Index(entries)), None);
        }
        assert_eq!(Slice::TwoSided { checkers: 15 }.entries(), 2_944_581_696);
        assert_eq!(Slice::Hyper { checkers: 3 }.entries(), 10_732_176);
    }

    #[test]
    fn positions_of_other_games_have_no_place() {
        let start = Backgammon::default().begin(Side::First);
        assert!(Slice::all().all(|slice| slice.place(&start).is_none()), "both sides are far from home");
        let hyper = Slice::Hyper { checkers: 2 };
        let position = hyper.position(Index(351 * 40 + 77)).expect("a position");
        let holds: Vec<Slice> = Slice::all().filter(|slice| slice.place(&position).is_some()).collect();
        assert_eq!(holds, [hyper]);
    }
}
