//! A position before it is checked, and the checks that make it legal.

use crate::notation::TURN_LETTERS;
use crate::{ByKind, Dobutsu, Grid, Hand, Kind, Piece, Position, Square, SquareSet};
use bits::Geometry;
use game::{BySide, Game, Side};

/// The number of giraffes, of elephants, and of chicks and hens, on the board and in the hands together.
const OF_EACH: usize = 2;

/// The content of a position's text before it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, in the order of the square numbers.
    pub board: [Option<Piece>; Grid::SQUARES as usize],
    /// The number of pieces of each kind that a side has in hand.
    pub hands: BySide<ByKind<u8>>,
    /// The side to move.
    pub turn: Side,
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let squares_of = |wanted: &dyn Fn(Piece) -> bool| -> SquareSet {
            Square::all().filter(|square| setup.board[square.index()].is_some_and(wanted)).collect()
        };
        let kinds = ByKind(Kind::ALL.map(|kind| squares_of(&|piece| piece.kind == kind)));
        let sides = BySide::from_fn(|side| squares_of(&|piece| piece.side == side));

        for kind in Kind::IN_HAND {
            let grown = if kind == Kind::Chick { kinds[Kind::Hen] } else { SquareSet::EMPTY };
            let on_board = (kinds[kind] | grown).len() as usize;
            let in_hands = Side::ALL.map(|side| usize::from(setup.hands[side][kind]));
            let found = on_board + in_hands.into_iter().sum::<usize>();
            if found != OF_EACH {
                return Err(SetupError::Count { kind, found });
            }
        }
        let lions = BySide::from_fn(|side| (kinds[Kind::Lion] & sides[side]).len() as usize);
        if lions == (BySide { first: 0, second: 0 }) {
            return Err(SetupError::NoLion);
        }
        for side in Side::ALL {
            match lions[side] {
                0 if side != setup.turn => return Err(SetupError::CaughtTooEarly { side }),
                0 | 1 => {}
                found => return Err(SetupError::Lions { side, found }),
            }
        }
        let hands = setup.hands.map(|held| Hand::from_counts(Kind::IN_HAND.map(|kind| held[kind])));
        Ok(Self { kinds, sides, hands, turn: setup.turn })
    }
}

/// The reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// There are not exactly two pieces of a kind.
    #[error("{found} {} on the board and in the hands together; there are always 2", plural(*kind))]
    Count {
        /// The kind. Hens count as chicks.
        kind: Kind,
        /// The number that was found.
        found: usize,
    },
    /// A side has more than one lion.
    #[error("{} has {found} lions; it starts with 1", name(*side))]
    Lions {
        /// The side.
        side: Side,
        /// The number that was found.
        found: usize,
    },
    /// Neither side has a lion.
    #[error("no lion on the board; the game ends when the first is caught")]
    NoLion,
    /// A side has lost its lion but is not to move.
    #[error("{}'s lion is missing, so it was caught a move ago and it would be {}'s turn (`{}`)", name(*side), name(*side), TURN_LETTERS[*side])]
    CaughtTooEarly {
        /// The side without a lion.
        side: Side,
    },
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Giraffe => "giraffes",
        Kind::Elephant => "elephants",
        Kind::Chick | Kind::Hen => "chicks and hens",
        Kind::Lion => "lions",
    }
}

fn name(side: Side) -> &'static str {
    Dobutsu::INFO.sides[side]
}
