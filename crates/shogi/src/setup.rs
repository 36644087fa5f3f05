//! A setup: a position as it was written, not yet checked; and the checks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, dead_end, files_of, lowest};
use crate::key;
use crate::moves::name;
use crate::pieces::{Hand, Kind};
use crate::position::Position;
use crate::state::State;
use game::{BySide, Side};

/// A board, hands and the side to move, not yet checked. [`Position::try_from`] checks it.
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

/// Why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A side has no king, or more than one.
    #[error("{} needs one king, not {found}", side_name(*side))]
    Kings {
        /// The side.
        side: Side,
        /// The number of kings.
        found: u32,
    },
    /// There are more men of a kind than a set has.
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
    /// A side has two unpromoted pawns on a file.
    #[error("{} has two pawns on file {file}", side_name(*side))]
    TwoPawns {
        /// The side.
        side: Side,
        /// The number of the file.
        file: u8,
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

fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

fn square_name(square: Square) -> String {
    name(square).map(char::from).iter().collect()
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let Setup { board, hands, turn, move_number } = setup;
        for kind in Kind::ORIGINAL {
            let found = board.of_original(kind).len() + hands.first.count(kind) + hands.second.count(kind);
            // Kings are checked below: each side must have one.
            if found > kind.supply() && kind != Kind::King {
                return Err(SetupError::TooMany { kind, found });
            }
        }
        for side in Side::ALL {
            let found = board.of(side, Kind::King).len();
            if found != 1 {
                return Err(SetupError::Kings { side, found });
            }
            for kind in [Kind::Pawn, Kind::Lance, Kind::Knight] {
                let stuck = match side {
                    Side::First => dead_end::<true>(kind),
                    Side::Second => dead_end::<false>(kind),
                };
                if let Some(square) = (board.of(side, kind) & stuck).first() {
                    return Err(SetupError::DeadEnd { side, kind, square });
                }
            }
            let pawns = board.of(side, Kind::Pawn);
            let crowded = pawns.iter().find(|&pawn| (files_of(SquareSet::from(pawn)) & pawns).is_several());
            if let Some(pawn) = crowded {
                return Err(SetupError::TwoPawns { side, file: 9 - pawn.file() });
            }
        }
        let king = lowest(board.of(turn.other(), Kind::King));
        if board.is_attacked(king, turn) {
            return Err(SetupError::OpponentInCheck { turn, king });
        }
        let state = State { board, hands };
        Ok(Self { state, turn, move_number, key: key::of(&state, turn) })
    }
}
