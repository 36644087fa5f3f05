//! A position as it was written down, before it is checked, and the checks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, home_rank, rank};
use crate::key;
use crate::pieces::Kind;
use crate::position::{Clock, Position};
use crate::state::State;
use game::Side;

/// Any board with a side to move, rights and clocks. [`Position::try_from`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Side,
    /// The rooks that may castle.
    pub castling: SquareSet,
    /// The square behind a pawn that has just moved two squares, whether or not a pawn can capture there.
    pub en_passant: Option<Square>,
    /// The clocks.
    pub clock: Clock,
}

/// The reason why a position is not legal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A side does not have exactly one king.
    #[error("{} needs one king, not {found}", name(*side))]
    Kings {
        /// The side.
        side: Side,
        /// The number of its kings.
        found: u32,
    },
    /// A pawn is on the first or last rank.
    #[error("a pawn on {square}: pawns are never on the first or last rank")]
    PawnOnLastRank {
        /// The square of the pawn.
        square: Square,
    },
    /// A side has more pawns or pieces than are possible.
    #[error("{} has {found} {}; at most {most} are possible", name(*side), if *of_pawns { "pawns" } else { "pieces" })]
    TooMany {
        /// The side.
        side: Side,
        /// True if there are too many pawns, false if there are too many pieces.
        of_pawns: bool,
        /// The number of pawns or pieces.
        found: u32,
        /// The largest possible number.
        most: u32,
    },
    /// The side that has just moved is in check.
    #[error("it is {}'s turn, but {}'s king on {king} is attacked: it could be taken", name(*turn), name(turn.other()))]
    OpponentInCheck {
        /// The side to move.
        turn: Side,
        /// The king that is attacked.
        king: Square,
    },
    /// A castling right without king and rook on the home rank.
    #[error("{} cannot castle with {square}: there must be a rook there, and the king on the same home rank", name(*side))]
    Castling {
        /// The side.
        side: Side,
        /// The square where the rook should be.
        square: Square,
    },
    /// Two rooks may castle to the same side.
    #[error("{} has two rooks that may castle to the same side", name(*side))]
    TwoCastlingRooks {
        /// The side.
        side: Side,
    },
    /// An en-passant square that no double step left behind.
    #[error("no pawn can just have passed {square} by a double step")]
    EnPassant {
        /// The square.
        square: Square,
    },
}

pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let Setup { board, turn, castling, en_passant, clock } = setup;
        for side in Side::ALL {
            let found = board.of(side, Kind::King).len();
            if found != 1 {
                return Err(SetupError::Kings { side, found });
            }
            let limits =
                [(true, board.of(side, Kind::Pawn).len(), 8), (false, board.of_side(side).len(), 16)];
            for (of_pawns, found, most) in limits {
                if found > most {
                    return Err(SetupError::TooMany { side, of_pawns, found, most });
                }
            }
        }
        if let Some(square) = (board.of_kind(Kind::Pawn) & (rank(0) | rank(7))).first() {
            return Err(SetupError::PawnOnLastRank { square });
        }
        let king = board.of(turn.other(), Kind::King).first().unwrap_or_default();
        if board.is_attacked(king, turn) {
            return Err(SetupError::OpponentInCheck { turn, king });
        }
        check_castling(&board, castling)?;
        let mut state = State { board, castling, en_passant: SquareSet::EMPTY };
        if let Some(square) = en_passant {
            state.en_passant = SquareSet::from(square);
            if !has_just_passed(&board, turn.other(), square) {
                return Err(SetupError::EnPassant { square });
            }
            let takers = match turn {
                Side::First => state.en_passant_takers::<true>(),
                Side::Second => state.en_passant_takers::<false>(),
            };
            if takers.is_empty() {
                state.en_passant = SquareSet::EMPTY;
            }
        }
        Ok(Self { state, turn, clock, key: key::of(&state, turn) })
    }
}

fn check_castling(board: &Board, castling: SquareSet) -> Result<(), SetupError> {
    for square in castling {
        let side = if square.rank() <= 3 { Side::First } else { Side::Second };
        let home = rank(home_rank(side));
        let has_rook = (board.of(side, Kind::Rook) & home).contains(square);
        if !has_rook || !board.of(side, Kind::King).intersects(home) {
            return Err(SetupError::Castling { side, square });
        }
    }
    for side in Side::ALL {
        let king = board.of(side, Kind::King).word();
        let rooks = (castling & rank(home_rank(side))).word();
        let (below, above) = (rooks & king.wrapping_sub(1), rooks & !king.wrapping_sub(1));
        if below.count_ones() > 1 || above.count_ones() > 1 {
            return Err(SetupError::TwoCastlingRooks { side });
        }
    }
    Ok(())
}

/// Returns whether a pawn of this side could just have passed the square by a double step.
fn has_just_passed(board: &Board, side: Side, square: Square) -> bool {
    let (passed, forward) = match side {
        Side::First => (2, 1),
        Side::Second => (5, -1),
    };
    let is_at = |dy: i8, set: SquareSet| square.offset(0, dy).is_some_and(|square| set.contains(square));
    square.rank() == passed
        && is_at(forward, board.of(side, Kind::Pawn))
        && !board.occupied().contains(square)
        && is_at(-forward, !board.occupied())
}
