//! A setup: a position as it was written, not yet checked; and the checks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, dead_end, files_of};
use crate::key;
use crate::moves::name;
use crate::pieces::{Hand, Kind};
use crate::position::Position;
use crate::state::State;
use game::{BySide, Faults, Side};

/// A board, hands and the side to move, not yet checked. [`position`](game::Setup::position) checks it.
///
/// ```
/// use endspiel_shogi::SetupFault;
/// use endspiel_shogi::prelude::*;
///
/// let setup: Setup = "P3k4/p8/9/p8/9/9/9/9/4K4 b 3B 1".parse()?;
/// assert_eq!(
///     setup.position().unwrap_err().to_string(),
///     "there are 3 of the kind bishop; a set has 2; Black's pawn on 9a could never move; White has 2 pawns on file 9"
/// );
///
/// // What the rules do not need may be accepted.
/// let two_pawns: Setup = "4k4/p8/9/p8/9/9/9/9/4K4 b - 1".parse()?;
/// let accepted = two_pawns.position_accepting(|fault| matches!(fault, SetupFault::PawnsOnFile { .. }))?;
/// assert_eq!(accepted.count_moves(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The men on the board.
    pub board: Board,
    /// The hand of each side.
    pub hands: BySide<Hand>,
    /// The side to move.
    pub turn: Side,
    /// The move number.
    pub move_number: u16,
}

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// A reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// A side has no king, or more than one.
    #[error("{} needs one king, not {found}", side_name(*side))]
    Kings {
        /// The side.
        side: Side,
        /// The number of kings.
        found: u32,
    },
    /// There are more men of a kind than a set has. It is playable with up to 18 men of the kind, as many as a set has pawns.
    #[error("there are {found} of the kind {}; a set has {}", kind.name(), kind.supply())]
    TooMany {
        /// The original kind; promoted men are included.
        kind: Kind,
        /// The number of men on the board and in both hands.
        found: u32,
    },
    /// A man stands where it could never move.
    #[error("{}'s {} on {} could never move", side_name(*side), kind.name(), square_name(*square))]
    DeadEnd {
        /// The side.
        side: Side,
        /// The kind of the man.
        kind: Kind,
        /// The square of the man.
        square: Square,
    },
    /// A side has several unpromoted pawns on a file. It is playable.
    #[error("{} has {found} pawns on file {file}", side_name(*side))]
    PawnsOnFile {
        /// The side.
        side: Side,
        /// The number of the file.
        file: u8,
        /// The number of pawns.
        found: u32,
    },
    /// The side that has just moved is in check.
    #[error(
        "it is {}'s turn, but {}'s king on {} is attacked: it could be taken",
        side_name(*turn), side_name(turn.other()), square_name(*king)
    )]
    OpponentInCheck {
        /// The side to move.
        turn: Side,
        /// The king that is attacked.
        king: Square,
    },
}

impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        match self {
            Self::Kings { .. } | Self::DeadEnd { .. } | Self::OpponentInCheck { .. } => false,
            // Keys have a number for each count up to this one.
            Self::TooMany { found, .. } => *found <= Kind::Pawn.supply(),
            Self::PawnsOnFile { .. } => true,
        }
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

fn square_name(square: Square) -> String {
    name(square).map(char::from).iter().collect()
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let Self { board, hands, turn, .. } = self;
        let mut faults = Vec::new();
        // Each side must have one king, so kings are checked apart.
        for kind in Kind::IN_HAND {
            let found = board.of_original(kind).len() + hands.first.count(kind) + hands.second.count(kind);
            if found > kind.supply() {
                faults.push(SetupFault::TooMany { kind, found });
            }
        }
        for side in Side::ALL {
            let found = board.of(side, Kind::King).len();
            if found != 1 {
                faults.push(SetupFault::Kings { side, found });
            }
            for kind in [Kind::Pawn, Kind::Lance, Kind::Knight] {
                let stuck = match side {
                    Side::First => dead_end::<true>(kind),
                    Side::Second => dead_end::<false>(kind),
                };
                let men = (board.of(side, kind) & stuck).iter();
                faults.extend(men.map(|square| SetupFault::DeadEnd { side, kind, square }));
            }
            let mut crowded = crowded_pawns(board, side);
            while let Some(pawn) = crowded.first() {
                let file = files_of(pawn.into());
                let found = (crowded & file).len();
                faults.push(SetupFault::PawnsOnFile { side, file: 9 - pawn.file(), found });
                crowded &= !file;
            }
        }
        let attacked = |&king: &Square| board.is_attacked(king, *turn);
        let kings = board.of(turn.other(), Kind::King).iter().filter(attacked);
        faults.extend(kings.map(|king| SetupFault::OpponentInCheck { turn: *turn, king }));
        faults
    }

    fn position_unchecked(&self) -> Position {
        let Self { board, hands, turn, move_number } = *self;
        let state = State { board, hands };
        Position { state, turn, move_number, key: key::of(&state, turn) }
    }
}

/// The unpromoted pawns of a side that share their file with another one.
pub(crate) fn crowded_pawns(board: &Board, side: Side) -> SquareSet {
    let pawns = board.of(side, Kind::Pawn);
    // Nine pawns on nine files are the usual case.
    if files_of(pawns).len() == 9 * pawns.len() {
        return SquareSet::EMPTY;
    }
    pawns.iter().filter(|&pawn| (files_of(pawn.into()) & pawns).is_several()).collect()
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
}
