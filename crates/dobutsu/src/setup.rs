//! A position before it is checked, and the checks that make it legal.

use crate::notation::TURN_LETTERS;
use crate::{ByKind, Dobutsu, Grid, Hand, Kind, Piece, Position, Square, SquareSet};
use bits::Geometry;
use game::{BySide, Faults, Game, Side};

/// The number of giraffes, of elephants, and of chicks and hens, on the board and in the hands together.
const OF_EACH: usize = 2;

/// The content of a position's text before it is checked. [`position`](game::Setup::position) checks it and tells every fault.
///
/// ```
/// use endspiel_dobutsu::prelude::*;
///
/// let setup: Setup = "gle/1c1/LC1/ELG b 2g 1".parse()?;
/// assert_eq!(
///     setup.position().unwrap_err().to_string(),
///     "4 giraffes on the board and in the hands together; there are always 2; black has 2 lions; it starts with 1"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, in the order of the square numbers.
    pub board: [Option<Piece>; Grid::SQUARES as usize],
    /// The number of pieces of each kind that a side has in hand.
    pub hands: BySide<ByKind<u8>>,
    /// The side to move.
    pub turn: Side,
}

impl Setup {
    /// The squares with a piece of this sort.
    fn squares_of(&self, wanted: impl Fn(Piece) -> bool) -> SquareSet {
        Square::all().filter(|square| self.board[square.index()].is_some_and(&wanted)).collect()
    }
}

impl game::Setup for Setup {
    type Position = Position;
    type Fault = SetupFault;

    fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        for kind in Kind::IN_HAND {
            let is_counted =
                |piece: Piece| piece.kind == kind || kind == Kind::Chick && piece.kind == Kind::Hen;
            let in_hands: usize = Side::ALL.iter().map(|&side| usize::from(self.hands[side][kind])).sum();
            let found = self.squares_of(is_counted).len() as usize + in_hands;
            if found != OF_EACH {
                faults.push(SetupFault::Count { kind, found });
            }
        }
        for side in Side::ALL {
            for kind in [Kind::Hen, Kind::Lion] {
                let found = self.hands[side][kind];
                if found > 0 {
                    faults.push(SetupFault::NeverInHand { side, kind, found });
                }
            }
        }
        let lions = BySide::from_fn(|side| {
            self.squares_of(|piece| piece == Piece { side, kind: Kind::Lion }).len() as usize
        });
        if lions == (BySide { first: 0, second: 0 }) {
            faults.push(SetupFault::NoLion);
            return faults;
        }
        faults.extend(Side::ALL.into_iter().filter_map(|side| match lions[side] {
            0 if side != self.turn => Some(SetupFault::CaughtTooEarly { side }),
            0 | 1 => None,
            found => Some(SetupFault::Lions { side, found }),
        }));
        faults
    }

    fn position_unchecked(&self) -> Position {
        Position {
            kinds: ByKind(Kind::ALL.map(|kind| self.squares_of(|piece| piece.kind == kind))),
            sides: BySide::from_fn(|side| self.squares_of(|piece| piece.side == side)),
            hands: self.hands.map(|held| Hand::from_counts(Kind::IN_HAND.map(|kind| held[kind]))),
            turn: self.turn,
        }
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        game::Setup::position(&setup)
    }
}

/// All reasons why a setup is not a legal position.
pub type SetupError = Faults<SetupFault>;

/// The numbering of positions needs every piece, and the rules need the lions.
impl game::Fault for SetupFault {
    fn is_playable(&self) -> bool {
        false
    }
}

/// A reason why a setup is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// There are not exactly two pieces of a kind.
    #[error("{found} {} on the board and in the hands together; there are always 2", plural(*kind))]
    Count {
        /// The kind. Hens count as chicks.
        kind: Kind,
        /// The number that was found.
        found: usize,
    },
    /// A side has pieces in hand that are never there: a hen becomes a chick, and a caught lion ends the game.
    #[error("{} has {found} {} in hand; a hand has only giraffes, elephants and chicks", name(*side), singular_or_plural(*kind, *found))]
    NeverInHand {
        /// The side.
        side: Side,
        /// The kind.
        kind: Kind,
        /// The number that was found.
        found: u8,
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

fn singular_or_plural(kind: Kind, found: u8) -> &'static str {
    match (kind, found) {
        (Kind::Hen, 1) => "hen",
        (Kind::Hen, _) => "hens",
        (_, 1) => "lion",
        _ => "lions",
    }
}

fn name(side: Side) -> &'static str {
    Dobutsu::INFO.sides[side]
}
