//! A position before it is checked, and the checks that make it legal.

use crate::grid::{Square, SquareSet, temple};
use crate::{Card, CardError, CardSet, Position};
use game::{BySide, Faults, Side};

/// Any placement of men and cards, legal or not. [`position`](game::Setup::position) checks it.
///
/// ```
/// use endspiel_onitama::SetupFault;
/// use endspiel_onitama::prelude::*;
///
/// let setup: Setup = "1111110000000000000033333 b boar,ox elephant,horse ox".parse()?;
/// assert_eq!(
///     setup.position().unwrap_err().to_string(),
///     "Blue has 6 students; there are only four; \
///      Red has 0 masters instead of one; only the side to move can have lost its master; \
///      Red has 5 students; there are only four; \
///      the card `ox` is named twice; there is one of each"
/// );
///
/// // What the rules do not need may be accepted.
/// let many: Setup = "1111211000000000000033433 b boar,ox elephant,horse crab".parse()?;
/// let accepted = many.position_accepting(|fault| matches!(fault, SetupFault::Students { .. }))?;
/// assert_eq!(accepted.men(Side::First).len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// A reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// A set of squares has bits that are not on the board.
    #[error("{} has men beyond the board", name(*side))]
    OffBoard {
        /// The side that has such men.
        side: Side,
    },
    /// Several men stand on one square.
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
    /// A side has more than four students. It is playable.
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

impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        matches!(self, Self::Students { .. })
    }
}

pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Blue",
        Side::Second => "Red",
    }
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let Self { hands, side_card, turn, .. } = self;
        let mut faults = Vec::new();
        let is_off = |&side: &Side| !(self.students[side] | self.masters[side]).is_on_board();
        faults.extend(Side::ALL.into_iter().filter(is_off).map(|side| SetupFault::OffBoard { side }));
        let [students, masters] =
            [self.students, self.masters].map(|sets| sets.map(|set| set & SquareSet::full()));
        let (mut men, mut shared) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for group in [students.first, students.second, masters.first, masters.second] {
            shared |= men & group;
            men |= group;
        }
        faults.extend(shared.iter().map(|square| SetupFault::SharedSquare { square }));
        for side in Side::ALL {
            let found = masters[side].len();
            if found != 1 && !(found == 0 && side == *turn) {
                faults.push(SetupFault::Masters { side, found });
            }
            let found = students[side].len();
            if found > 4 {
                faults.push(SetupFault::Students { side, found });
            }
            let found = hands[side].len();
            if found != 2 {
                faults.push(SetupFault::Hand { side, found });
            }
        }
        let is_repeated = |card: &Card| {
            let holders = Side::ALL.into_iter().filter(|&side| hands[side].contains(*card)).count();
            holders + usize::from(card == side_card) > 1
        };
        let repeated = Card::ALL.into_iter().filter(is_repeated);
        faults.extend(repeated.map(|card| CardError::Repeated { card }.into()));
        if masters[*turn].contains(temple(turn.other())) {
            faults.push(SetupFault::WonBefore { side: *turn });
        }
        faults
    }

    fn position_unchecked(&self) -> Position {
        let Self { students, masters, hands, side_card, turn } = *self;
        Position {
            men: BySide::from_fn(|side| students[side] | masters[side]),
            masters: masters.first | masters.second,
            hands,
            side_card,
            turn,
        }
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
}
