//! A position as it was written down, before it is checked, and the checks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, home_rank, rank};
use crate::key;
use crate::pieces::Kind;
use crate::position::{Clock, Position};
use crate::state::State;
use game::{Faults, Side};

/// Any board with a side to move, rights and clocks. [`position`](game::Setup::position) checks it.
///
/// ```
/// use endspiel_chess::prelude::*;
/// use endspiel_chess::SetupFault;
///
/// // Two kings too few, nine pawns, and a right without a rook. FEN is read into a setup first, so all faults are found.
/// let setup: Setup = "8/8/8/8/8/P7/PPPPPPPP/4K3 w K - 0 1".parse()?;
/// let faults = setup.position().unwrap_err();
/// assert_eq!(
///     faults.to_string(),
///     "White has 9 pawns; at most 8 are possible; Black needs one king, not 0; \
///      White cannot castle with h1: there must be a rook there, and the king on the same home rank"
/// );
///
/// // What the rules do not need may be accepted.
/// let many: Setup = "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w K - 0 1".parse()?;
/// let accepted = many.position_accepting(|fault| !matches!(fault, SetupFault::EnPassant { .. }))?;
/// assert_eq!(accepted.to_string(), "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// A reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// A side does not have exactly one king.
    #[error("{} needs one king, not {found}", name(*side))]
    Kings {
        /// The side.
        side: Side,
        /// The number of its kings.
        found: u32,
    },
    /// Pawns are on the first or last rank.
    #[error("a pawn on {}: pawns are never on the first or last rank", squares.names())]
    PawnsOnLastRank {
        /// The squares of these pawns.
        squares: SquareSet,
    },
    /// A side has more pawns or pieces than are possible. It is playable.
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
    /// A castling right without king and rook on the home rank. It is playable, without the right.
    #[error("{} cannot castle with {square}: there must be a rook there, and the king on the same home rank", name(*side))]
    Castling {
        /// The side.
        side: Side,
        /// The square where the rook should be.
        square: Square,
    },
    /// Two rooks may castle to the same side. It is playable, without these rights.
    #[error("{} has two rooks that may castle to the same side: {}", name(*side), rooks.names())]
    TwoCastlingRooks {
        /// The side.
        side: Side,
        /// The rooks.
        rooks: SquareSet,
    },
    /// An en-passant square that no double step left behind. It is playable, without the square.
    #[error("no pawn can just have passed {square} by a double step")]
    EnPassant {
        /// The square.
        square: Square,
    },
}

impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        match self {
            Self::Kings { .. } | Self::PawnsOnLastRank { .. } | Self::OpponentInCheck { .. } => false,
            Self::TooMany { .. }
            | Self::Castling { .. }
            | Self::TwoCastlingRooks { .. }
            | Self::EnPassant { .. } => true,
        }
    }
}

pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let Self { board, turn, .. } = self;
        let mut faults = Vec::new();
        for side in Side::ALL {
            let found = board.of(side, Kind::King).len();
            if found != 1 {
                faults.push(SetupFault::Kings { side, found });
            }
            let limits =
                [(true, board.of(side, Kind::Pawn).len(), 8), (false, board.of_side(side).len(), 16)];
            let too_many = limits.into_iter().filter(|(_, found, most)| found > most);
            faults.extend(too_many.map(|(of_pawns, found, most)| SetupFault::TooMany {
                side,
                of_pawns,
                found,
                most,
            }));
        }
        let squares = board.of_kind(Kind::Pawn) & (rank(0) | rank(7));
        if !squares.is_empty() {
            faults.push(SetupFault::PawnsOnLastRank { squares });
        }
        let attacked = |&king: &Square| board.is_attacked(king, *turn);
        let kings = board.of(turn.other(), Kind::King).iter().filter(attacked);
        faults.extend(kings.map(|king| SetupFault::OpponentInCheck { turn: *turn, king }));
        faults.extend(self.impossible_castling().iter().map(|square| {
            let side = if square.rank() <= 3 { Side::First } else { Side::Second };
            SetupFault::Castling { side, square }
        }));
        for side in Side::ALL {
            let wings = self.wings(side).into_iter().filter(|wing| wing.is_several());
            faults.extend(wings.map(|rooks| SetupFault::TwoCastlingRooks { side, rooks }));
        }
        let wrong = self.en_passant.filter(|&square| !has_just_passed(board, turn.other(), square));
        faults.extend(wrong.map(|square| SetupFault::EnPassant { square }));
        faults
    }

    fn position_unchecked(&self) -> Position {
        let Self { board, turn, clock, .. } = *self;
        let wings = Side::ALL.into_iter().flat_map(|side| self.wings(side));
        let castling = wings.filter(|wing| !wing.is_several()).fold(SquareSet::EMPTY, |all, wing| all | wing);
        let passed = self.en_passant.filter(|&square| has_just_passed(&board, turn.other(), square));
        let en_passant = passed.map_or(SquareSet::EMPTY, SquareSet::from);
        let mut state = State { board, castling, en_passant };
        let takers = match turn {
            Side::First => state.en_passant_takers::<true>(),
            Side::Second => state.en_passant_takers::<false>(),
        };
        if takers.is_empty() {
            state.en_passant = SquareSet::EMPTY;
        }
        Position { state, turn, clock, key: key::of(&state, turn) }
    }
}

impl Setup {
    /// The squares that may not castle: without a rook of the side, or without its king on the home rank.
    fn impossible_castling(&self) -> SquareSet {
        self.castling
            & !Side::ALL.into_iter().fold(SquareSet::EMPTY, |all, side| all | self.possible_castling(side))
    }

    /// The rooks of a side that may castle and could.
    fn possible_castling(&self, side: Side) -> SquareSet {
        let home = rank(home_rank(side));
        match self.board.of(side, Kind::King).intersects(home) {
            true => self.castling & self.board.of(side, Kind::Rook) & home,
            false => SquareSet::EMPTY,
        }
    }

    /// The rooks of a side that may castle and could, on each side of its king: at most one each if the setup is legal.
    fn wings(&self, side: Side) -> [SquareSet; 2] {
        let rooks = self.possible_castling(side);
        let below_king = self.board.of(side, Kind::King).word().wrapping_sub(1);
        let below = rooks & SquareSet::from_word(below_king);
        [below, rooks & !below]
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
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
