//! A position before it is checked, and the checks that make it legal.

use crate::grid::{Square, SquareSet, temple};
use crate::{Card, CardError, CardSet, Position};
use game::{BySide, Side};

/// Any placement of men and cards, legal or not. [`Position::try_from`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The students of each side.
    pub students: BySide<SquareSet>,
    /// The masters of each side.
    pub masters: BySide<SquareSet>,
    /// The cards of each side.
    pub hands: BySide<CardSet>,
    /// The card beside the board.
    pub side_card: Card,
    /// The side to move.
    pub turn: Side,
}

/// The reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A set of squares has bits that are not on the board.
    #[error("{} has men beyond the board", name(*side))]
    OffBoard {
        /// The side that has such men.
        side: Side,
    },
    /// Two men stand on one square.
    #[error("two men stand on {square}")]
    SharedSquare {
        /// The square.
        square: Square,
    },
    /// A side does not have exactly one master. Only the side to move may have lost it.
    #[error("{} has {found} masters instead of one; only the side to move can have lost its master", name(*side))]
    Masters {
        /// The side.
        side: Side,
        /// The number that was found.
        found: u32,
    },
    /// A side has more than four students.
    #[error("{} has {found} students; there are only four", name(*side))]
    Students {
        /// The side.
        side: Side,
        /// The number that was found.
        found: u32,
    },
    /// A side does not hold two cards.
    #[error("the number of {}'s cards is {found}; each side holds two", name(*side))]
    Hand {
        /// The side.
        side: Side,
        /// The number that was found.
        found: u32,
    },
    /// A card is in two places.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The side to move has already won.
    #[error("{0}'s master stands on {1}: {0} has won already and cannot be to move", name(*side), temple(side.other()))]
    WonBefore {
        /// The winner.
        side: Side,
    },
}

pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Blue",
        Side::Second => "Red",
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let Setup { students, masters, hands, side_card, turn } = setup;
        if let Some(side) =
            Side::ALL.into_iter().find(|&side| !(students[side] | masters[side]).is_on_board())
        {
            return Err(SetupError::OffBoard { side });
        }
        let mut men = SquareSet::EMPTY;
        for group in [students.first, students.second, masters.first, masters.second] {
            if let Some(square) = (men & group).first() {
                return Err(SetupError::SharedSquare { square });
            }
            men |= group;
        }
        for side in Side::ALL {
            let found = masters[side].len();
            if found != 1 && !(found == 0 && side == turn) {
                return Err(SetupError::Masters { side, found });
            }
            let found = students[side].len();
            if found > 4 {
                return Err(SetupError::Students { side, found });
            }
            let found = hands[side].len();
            if found != 2 {
                return Err(SetupError::Hand { side, found });
            }
        }
        let twice = |card: &Card| hands.first.contains(*card) && hands.second.contains(*card);
        if let Some(card) = hands.first.iter().find(twice) {
            return Err(CardError::Repeated { card }.into());
        }
        if hands.first.contains(side_card) || hands.second.contains(side_card) {
            return Err(CardError::Repeated { card: side_card }.into());
        }
        if masters[turn].contains(temple(turn.other())) {
            return Err(SetupError::WonBefore { side: turn });
        }
        Ok(Self {
            men: BySide::from_fn(|side| students[side] | masters[side]),
            masters: masters.first | masters.second,
            hands,
            side_card,
            turn,
        })
    }
}
