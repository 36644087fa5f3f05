//! A position before it is checked, and the checks.

use crate::board::Board;
use crate::grid::{Point, PointSet};
use crate::pieces::Kind;
use crate::position::Position;
use crate::stacks::Stack;
use game::{Faults, Side, quoted};

/// A board that may be edited, with the side to move and the counters. [`position`](game::Setup::position) checks it.
///
/// ```
/// use endspiel_cotulenh::prelude::*;
///
/// // A tank at sea, and no commanders yet.
/// let mut setup = Setup::new(Board::EMPTY, Side::First);
/// setup.board.put(Side::First, "a4".parse()?, Stack::one(Kind::Tank, false));
/// assert_eq!(
///     setup.position().unwrap_err().to_string(),
///     "`T` cannot stand on a4; Red has no commander; Blue has no commander"
/// );
///
/// setup.board.clear("a4".parse()?);
/// setup.board.put(Side::First, "d1".parse()?, Stack::one(Kind::Commander, false));
/// setup.board.put(Side::Second, "g12".parse()?, Stack::one(Kind::Commander, false));
/// setup.board.put(Side::First, "d4".parse()?, Stack::one(Kind::Tank, false));
/// setup.board.promote("d4".parse()?, Kind::Tank);
/// let position = setup.position()?;
/// assert_eq!(position.to_string(), "6c4/11/11/11/11/11/11/11/3+T7/11/11/3C7 r - - 0 1");
/// assert_eq!(position.board().heroes(Side::First).names(), "d4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The stacks.
    pub board: Board,
    /// The side to move.
    pub turn: Side,
    /// The number of turns without a capture.
    pub quiet_turns: u16,
    /// The number of the turn.
    pub number: u16,
}

impl Setup {
    /// A board and the side to move, with the counters at their start.
    pub const fn new(board: Board, turn: Side) -> Self {
        Self { board, turn, quiet_turns: 0, number: 1 }
    }
}

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// A reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// A ship stands on land, or another piece on deep water.
    #[error("{} cannot stand on {point}", quoted(&stack.text(*side)))]
    Terrain {
        /// The point.
        point: Point,
        /// The side of the stack.
        side: Side,
        /// The stack.
        stack: Stack,
    },
    /// A side has more than one commander.
    #[error("{} has more than one commander: {}", name(*side), points.names())]
    Commanders {
        /// The side.
        side: Side,
        /// Their points.
        points: PointSet,
    },
    /// A commander is missing. Only the side to move may have lost its own.
    #[error("{} has no commander", name(*side))]
    NoCommander {
        /// The side.
        side: Side,
    },
    /// The number of the turn is 0. It is playable, as turn 1.
    #[error("turns are counted from 1, not from 0")]
    Number,
}

impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        *self == Self::Number
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Red",
        Side::Second => "Blue",
    }
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let Self { board, turn, number, .. } = self;
        let mut faults = Vec::new();
        // In the order of the text: from a12 along the ranks.
        for point in board.all_occupied().flipped().iter().map(Point::flip) {
            if let Some((side, stack)) = board.at(point)
                && !stack.carrier().kind.can_stand(point)
            {
                faults.push(SetupFault::Terrain { point, side, stack });
            }
        }
        let commanders = |side: Side| board.of_kind(side, Kind::Commander);
        for side in Side::ALL {
            let points = commanders(side);
            if points.len() > 1 {
                faults.push(SetupFault::Commanders { side, points });
            }
            // Only the side to move may have no commander: it has just lost it.
            if points.is_empty() && (side != *turn || commanders(side.other()).is_empty()) {
                faults.push(SetupFault::NoCommander { side });
            }
        }
        faults.extend((*number == 0).then_some(SetupFault::Number));
        faults
    }

    fn position_unchecked(&self) -> Position {
        let Self { board, turn, quiet_turns, number } = *self;
        Position { board, turn, quiet_turns, number: number.max(1) }
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
}
