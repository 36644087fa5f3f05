//! A position as someone wrote it down, and what makes it legal.

use crate::notation::TURN_LETTERS;
use crate::{ByKind, Dobutsu, Grid, Hand, Kind, Piece, Position, Square, SquareSet};
use bits::Geometry;
use game::{BySide, Game, Side};

/// How many giraffes, elephants, and chicks with hens there are, on the board and in the hands together.
const OF_EACH: usize = 2;

/// What a position's text says, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by the squares' numbers.
    pub board: [Option<Piece>; Grid::SQUARES as usize],
    /// How many of each kind a side has in hand.
    pub hands: BySide<ByKind<u8>>,
    /// Who moves.
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

/// Pieces that no game has so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Not two of a kind.
    #[error("{found} {} on the board and in the hands together; there are always 2", plural(*kind))]
    Count {
        /// Which, a hen being a chick.
        kind: Kind,
        /// Their number.
        found: usize,
    },
    /// Several lions of one side.
    #[error("{} has {found} lions; it starts with 1", name(*side))]
    Lions {
        /// Whose.
        side: Side,
        /// Their number.
        found: usize,
    },
    /// Neither side has a lion.
    #[error("no lion on the board; the game ends when the first is caught")]
    NoLion,
    /// A side has lost its lion, but it is not its turn.
    #[error("{}'s lion is missing, so it was caught a move ago and it would be {}'s turn (`{}`)", name(*side), name(*side), TURN_LETTERS[*side])]
    CaughtTooEarly {
        /// Whose lion is missing.
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
