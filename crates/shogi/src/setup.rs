//! What a position's text says, not yet checked, and the checks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, dead_end, files_of, lowest};
use crate::key;
use crate::moves::name;
use crate::pieces::{Hand, Kind};
use crate::position::Position;
use crate::state::State;
use game::{BySide, Side};

/// Any board and hands with a turn. [`Position::try_from`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The men on the board.
    pub board: Board,
    /// What each side holds.
    pub hands: BySide<Hand>,
    /// Who moves.
    pub turn: Side,
    /// The number of the move.
    pub move_number: u16,
}

/// Why no game has such a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Not one king.
    #[error("{} needs one king, not {found}", side_name(*side))]
    Kings {
        /// Whose.
        side: Side,
        /// Their number.
        found: u32,
    },
    /// More men than there are.
    #[error("there are {found} of the kind {}; a set has {}", kind.name(), kind.supply())]
    TooMany {
        /// Of which kind, promoted ones included.
        kind: Kind,
        /// Their number, on the board and in both hands.
        found: u32,
    },
    /// A man that could never move again.
    #[error("{}'s {} on {} could never move", side_name(*side), kind.name(), square_name(*square))]
    DeadEnd {
        /// Whose.
        side: Side,
        /// Of which kind.
        kind: Kind,
        /// Where.
        square: Square,
    },
    /// Two pawns on a file.
    #[error("{} has two pawns on file {file}", side_name(*side))]
    TwoPawns {
        /// Whose.
        side: Side,
        /// Where.
        file: u8,
    },
    /// The side that has just moved is in check.
    #[error(
        "it is {}'s turn, but {}'s king on {} is attacked: it could be taken",
        side_name(*turn), side_name(turn.other()), square_name(*king)
    )]
    OpponentInCheck {
        /// Whose turn it is.
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
            // Of kings each side must have one: see below.
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
