//! What claims to be a position, before it is believed.

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
    /// The checkers of each side on its own [`Canonical`] places, the bar first. What is missing of fifteen is off.
    pub checkers: BySide<[u8; 25]>,
    /// Whose turn it is.
    pub turn: Side,
    /// What happens next.
    pub phase: Phase,
    /// Where the cube is.
    pub cube: Cube,
    /// What is played for.
    pub terms: Terms,
}

/// Why a setup is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// More than fifteen.
    #[error("{} has {count} checkers; there are 15", Backgammon::INFO.sides[*.side])]
    TooMany {
        /// Who.
        side: Side,
        /// So many.
        count: u32,
    },
    /// Both sides are there.
    #[error("both sides have checkers on one point, which is the {} point of the player to move", point.human())]
    SharedPoint {
        /// As the player to move numbers it.
        point: Canonical,
    },
    /// Nobody is left.
    #[error("neither side has a checker left")]
    BothOff,
    /// Nobody could ever move again.
    #[error("both sides are on the bar against six closed points: nobody could ever move")]
    BothShutOut,
    /// Beyond the limit, or owned before it was doubled, or the other way round.
    #[error("the cube cannot be at {value} {}", if *.owned { "in a player's hands" } else { "in the middle" })]
    Cube {
        /// Its value.
        value: u32,
        /// Does somebody own it?
        owned: bool,
    },
    /// Somebody doubled who may not.
    #[error("the cube, or the score, allows no double here; is there a cube? `--cube on` brings it")]
    NoDouble,
    /// The game is over.
    #[error("the game is over: there is nothing to roll or to double")]
    Over,
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let Setup { checkers, turn, phase, cube, terms } = setup;
        for side in Side::ALL {
            let count: u32 = checkers[side].iter().map(|&count| u32::from(count)).sum();
            if count > u32::from(CHECKERS) {
                return Err(SetupError::TooMany { side, count });
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

/// Is the side on the bar, and can no die bring it in?
fn is_shut_out(board: &Board, side: Side) -> bool {
    let field = Field::new(board, side);
    field.own & 1 != 0 && (1..=6).all(|die| field.steps(die) == 0)
}
