//! A position before it is checked.

use crate::board::Board;
use crate::cube::Cube;
use crate::field::Field;
use crate::places::Canonical;
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use crate::terms::Terms;
use game::{BySide, Faults, Game, Side};

/// A position to be checked by [`position`](game::Setup::position).
///
/// ```
/// use endspiel_backgammon::SetupFault;
/// use endspiel_backgammon::prelude::*;
///
/// let mut setup = Setup {
///     checkers: BySide::default(),
///     turn: Side::First,
///     phase: Phase::Roll,
///     cube: Cube::new(Doublings::to(2).expect("a power of two"), None),
///     terms: Terms::default(),
/// };
/// setup.checkers.first[24] = 16; // the ace point
/// setup.checkers.second[1] = 2; // the same point, seen by the other side
/// assert_eq!(
///     setup.position().unwrap_err().to_string(),
///     "white has 16 checkers; there are 15; \
///      both sides have checkers on one point, which is the 1 point of the player to move; \
///      the cube cannot be at 2 in the middle"
/// );
///
/// // Some players agree on automatic doubles, which leave the cube in the middle.
/// setup.checkers.first[24] = 3;
/// setup.checkers.second = [0; 25];
/// setup.checkers.second[24] = 2;
/// let accepted = setup.position_accepting(|fault| matches!(fault, SetupFault::Cube { .. }))?;
/// assert_eq!(accepted.cube().value(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The checkers of each side on its own [`Canonical`] places, bar first. The rest of the fifteen are off.
    pub checkers: BySide<[u8; 25]>,
    /// The side to move.
    pub turn: Side,
    /// What happens next.
    pub phase: Phase,
    /// The doubling cube.
    pub cube: Cube,
    /// The terms of the game: stakes, cube limit and dice.
    pub terms: Terms,
}

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// A reason why a setup is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// A side has more checkers than the variant.
    #[error("{} has {count} checkers; there are {most}", Backgammon::INFO.sides[*.side])]
    TooMany {
        /// The side.
        side: Side,
        /// Its number of checkers.
        count: u32,
        /// The number of checkers of each side in the variant.
        most: u8,
    },
    /// Both sides have checkers on the same point.
    #[error("both sides have checkers on one point, which is the {} point of the player to move", point.human())]
    SharedPoint {
        /// The point in the numbering of the side to move.
        point: Canonical,
    },
    /// Neither side has a checker on the board.
    #[error("neither side has a checker left")]
    BothOff,
    /// Both sides are shut out, so that nobody could ever move again. It is playable, though it never ends.
    #[error("both sides are on the bar against six closed points: nobody could ever move")]
    BothShutOut,
    /// The cube is above its limit, has an owner before the first double, or has no owner after one. It is
    /// playable.
    #[error("the cube cannot be at {value} {}", if *.owned { "in a player's hands" } else { "in the middle" })]
    Cube {
        /// The value of the cube.
        value: u32,
        /// Whether a player owns the cube.
        owned: bool,
    },
    /// The phase needs a double that the cube or the score does not allow.
    #[error("the cube or the score allows no double here; to play with a cube, use `--cube on`")]
    NoDouble,
    /// The game is over, but the phase needs a game in progress.
    #[error("the game is over: there is nothing to roll or to double")]
    Over,
}

impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        match self {
            Self::BothShutOut | Self::Cube { .. } => true,
            Self::TooMany { .. } | Self::SharedPoint { .. } | Self::BothOff | Self::NoDouble | Self::Over => {
                false
            }
        }
    }
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let Self { checkers, turn, phase, cube, terms } = self;
        let mut faults = Vec::new();
        let count = |side: Side| checkers[side].iter().map(|&count| u32::from(count)).sum::<u32>();
        let most = terms.variant.checkers();
        let too_many = Side::ALL.into_iter().filter(|&side| count(side) > u32::from(most));
        faults.extend(too_many.map(|side| SetupFault::TooMany { side, count: count(side), most }));
        let shared = |point: &Canonical| {
            let there = |side: Side, point: Canonical| checkers[side][usize::from(point.number())];
            there(*turn, *point) > 0 && there(turn.other(), point.seen_by_opponent()) > 0
        };
        faults.extend(Canonical::points().filter(shared).map(|point| SetupFault::SharedPoint { point }));
        let is_off = |side| count(side) == 0;
        if Side::ALL.into_iter().all(is_off) {
            faults.push(SetupFault::BothOff);
        }
        // Only checkers that fit on a board can be shut out.
        let is_board = faults.is_empty();
        if is_board {
            let board = Board::from_counts(checkers);
            if Side::ALL.into_iter().all(|side| is_shut_out(&board, side)) {
                faults.push(SetupFault::BothShutOut);
            }
        }
        let owned = cube.owner().is_some();
        if cube.doublings() > terms.cube_limit || owned != (cube.value() > 1) {
            faults.push(SetupFault::Cube { value: cube.value(), owned });
        }
        let doubles = match phase {
            Phase::Answer => Some(turn.other()),
            Phase::Double => Some(*turn),
            _ => None,
        };
        if doubles.is_some_and(|side| !cube.may_be_doubled_by(side, terms)) {
            faults.push(SetupFault::NoDouble);
        }
        let is_in_progress = matches!(phase, Phase::Answer | Phase::Double | Phase::Play(_));
        if is_in_progress && Side::ALL.into_iter().any(is_off) {
            faults.push(SetupFault::Over);
        }
        faults
    }

    fn position_unchecked(&self) -> Position {
        let Self { checkers, turn, phase, cube, terms } = *self;
        Position::assembled_unchecked(Board::from_counts(&checkers), turn, phase, cube, terms)
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
}

/// Returns whether the side is on the bar and no die can bring it in.
fn is_shut_out(board: &Board, side: Side) -> bool {
    let field = Field::new(board, side);
    field.own & 1 != 0 && (1..=6).all(|die| field.steps(die) == 0)
}
