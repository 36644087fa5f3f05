//! Start positions: the 960 of Chess960 by their numbers. One of them is the start position of standard chess.

use crate::board::Board;
use crate::grid::{Square, home_rank};
use crate::pieces::{Kind, Piece};
use crate::position::{Clock, Position};
use crate::setup::Setup;
use game::Side;

/// A start position by its number, 0 to 959, in Scharnagl's numbering. The bishops are placed first, then the queen, then
/// the knights. King and rooks take the remaining squares, with the king between the rooks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Start(u16);

/// The places of the two knights among the five squares that bishops and queen leave free.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

impl Start {
    /// The number of start positions.
    pub const COUNT: u16 = 960;
    /// The start position of standard chess: rook, knight, bishop, queen, king, bishop, knight, rook.
    pub const STANDARD: Self = Self(518);

    /// Returns the start position with this number, or `None` if the number is 960 or more.
    ///
    /// ```
    /// use endspiel_chess::Start;
    ///
    /// let start = Start::new(0).expect("below 960");
    /// assert_eq!(start.position().to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub const fn new(number: u16) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// All start positions, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The number of the start position.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The pieces behind the pawns, from the a-file.
    pub fn back_rank(self) -> [Kind; 8] {
        let number = usize::from(self.0);
        let mut rank = [None; 8];
        rank[number % 4 * 2 + 1] = Some(Kind::Bishop); // on a light square
        rank[number / 4 % 4 * 2] = Some(Kind::Bishop); // on a dark square
        fill(&mut rank, &[(number / 16 % 6, Kind::Queen)]);
        let [first, second] = KNIGHTS[number / 96];
        fill(&mut rank, &[(first, Kind::Knight), (second, Kind::Knight)]);
        fill(&mut rank, &[(0, Kind::Rook), (1, Kind::King), (2, Kind::Rook)]);
        rank.map(|kind| kind.unwrap_or(Kind::King))
    }

    /// The position. White is to move, and both rooks of both sides may castle.
    pub fn position(self) -> Position {
        let mut board = Board::EMPTY;
        for side in Side::ALL {
            let home = home_rank(side);
            let pawns = home.abs_diff(1); // rank 2 or rank 7; ranks count from 0
            for (file, kind) in (0..8).zip(self.back_rank()) {
                board.set(Square::at(file, home), Some(Piece { side, kind }));
                board.set(Square::at(file, pawns), Some(Piece { side, kind: Kind::Pawn }));
            }
        }
        let castling = board.of_kind(Kind::Rook);
        let setup = Setup { board, turn: Side::First, castling, en_passant: None, clock: Clock::default() };
        Position::try_from(setup).expect("a start has one king each, between its rooks, and no check")
    }
}

/// Puts pieces on free squares. The number of a piece says how many free squares come before its own.
fn fill(rank: &mut [Option<Kind>; 8], kinds: &[(usize, Kind)]) {
    let free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
    for &(nth, kind) in kinds {
        rank[free[nth]] = Some(kind);
    }
}
