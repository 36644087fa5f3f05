//! A position before it is checked.

use crate::board::{Board, CHECKERS};
use crate::cube::Cube;
use crate::field::Field;
use crate::places::Canonical;
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use crate::terms::Terms;
use game::{BySide, Game, Side};

/// A position to be checked.
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

/// Why a setup is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
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
    /// Both sides are shut out, so that nobody could ever move again.
    #[error("both sides are on the bar against six closed points: nobody could ever move")]
    BothShutOut,
    /// The cube is above its limit, has an owner before the first double, or has no owner after one.
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

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let Setup { checkers, turn, phase, cube, terms } = setup;
        for side in Side::ALL {
            let count: u32 = checkers[side].iter().map(|&count| u32::from(count)).sum();
            let most = terms.variant.checkers();
            if count > u32::from(most) {
                return Err(SetupError::TooMany { side, count, most });
            }
        }
        let shared = |point: &Canonical| {
            let there = |side: Side, point: Canonical| checkers[side][usize::from(point.number())];
            there(turn, *point) > 0 && there(turn.other(), point.seen_by_opponent()) > 0
        };
        if let Some(point) = Canonical::points().find(shared) {
            return Err(SetupError::SharedPoint { point });
        }
        let board = Board::from_counts(&checkers);
        let is_off = |side| board.off(side) == CHECKERS;
        if Side::ALL.into_iter().all(is_off) {
            return Err(SetupError::BothOff);
        }
        if Side::ALL.into_iter().all(|side| is_shut_out(&board, side)) {
            return Err(SetupError::BothShutOut);
        }
        let owned = cube.owner().is_some();
        if cube.doublings() > terms.cube_limit || owned != (cube.value() > 1) {
            return Err(SetupError::Cube { value: cube.value(), owned });
        }
        let position = Self::assembled_unchecked(board, turn, phase, cube, terms);
        match phase {
            Phase::Answer if !position.may_double(turn.other()) => Err(SetupError::NoDouble),
            Phase::Double if !position.may_double(turn) => Err(SetupError::NoDouble),
            Phase::Answer | Phase::Double | Phase::Play(_) if Side::ALL.into_iter().any(is_off) => {
                Err(SetupError::Over)
            }
            _ => Ok(position),
        }
    }
}

/// Returns whether the side is on the bar and no die can bring it in.
fn is_shut_out(board: &Board, side: Side) -> bool {
    let field = Field::new(board, side);
    field.own & 1 != 0 && (1..=6).all(|die| field.steps(die) == 0)
}
