//! Looking for attackers square by square.

use crate::men::{EMPTY, man};
use crate::squares::Squares;
use endspiel_chess::Kind;
use game::Side;

pub const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub const FILE: [(i8, i8); 2] = [(0, 1), (0, -1)];
pub const RANK: [(i8, i8); 2] = [(1, 0), (-1, 0)];
pub const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The question: is this square attacked by this side?
#[derive(Clone, Copy)]
pub struct Query<S> {
    pub squares: S,
    pub file: i8,
    pub rank: i8,
    pub by: Side,
}

impl<S: Squares> Query<S> {
    #[inline]
    pub fn new(squares: S, square: u8, by: Side) -> Self {
        Self { squares, file: (square & 7) as i8, rank: (square >> 3) as i8, by }
    }

    /// The man on a square, or none beyond the edge.
    #[inline]
    fn at(self, file: i8, rank: i8) -> u8 {
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        if is_on_board { self.squares.man(8 * rank + file) } else { EMPTY }
    }

    #[inline]
    pub fn is(self, found: u8, kind: Kind) -> bool {
        found == man(self.by, kind)
    }

    /// A scan along the rank: to the left, then to the right.
    #[inline]
    pub fn rank_walk(self) -> bool {
        for file in (0..self.file).rev() {
            let found = self.at(file, self.rank);
            if found != EMPTY {
                if self.is(found, Kind::Rook) || self.is(found, Kind::Queen) {
                    return true;
                }
                break;
            }
        }
        for file in self.file + 1..8 {
            let found = self.at(file, self.rank);
            if found != EMPTY {
                return self.is(found, Kind::Rook) || self.is(found, Kind::Queen);
            }
        }
        false
    }

    /// A scan along the file: down, then up.
    #[inline]
    pub fn file_walk(self) -> bool {
        for rank in (0..self.rank).rev() {
            let found = self.at(self.file, rank);
            if found != EMPTY {
                if self.is(found, Kind::Rook) || self.is(found, Kind::Queen) {
                    return true;
                }
                break;
            }
        }
        for rank in self.rank + 1..8 {
            let found = self.at(self.file, rank);
            if found != EMPTY {
                return self.is(found, Kind::Rook) || self.is(found, Kind::Queen);
            }
        }
        false
    }

    /// A scan along the four diagonals.
    #[inline]
    pub fn diagonal_walk(self) -> bool {
        for (dx, dy) in DIAGONALS {
            let (mut file, mut rank) = (self.file + dx, self.rank + dy);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let found = self.at(file, rank);
                if found != EMPTY {
                    if self.is(found, Kind::Bishop) || self.is(found, Kind::Queen) {
                        return true;
                    }
                    break;
                }
                (file, rank) = (file + dx, rank + dy);
            }
        }
        false
    }

    /// A knight within two files and two ranks: each square there is looked at, if it is a knight's jump away.
    #[inline]
    pub fn knight_by_distance(self) -> bool {
        for dy in -2i8..=2 {
            for dx in -2i8..=2 {
                let is_jump = dx.abs() + dy.abs() == 3;
                if is_jump && self.is(self.at(self.file + dx, self.rank + dy), Kind::Knight) {
                    return true;
                }
            }
        }
        false
    }

    /// A pawn diagonally in front of the square, as its owner's enemy sees it.
    #[inline]
    pub fn pawn(self) -> bool {
        let rank = if self.by == Side::First { self.rank - 1 } else { self.rank + 1 };
        self.is(self.at(self.file - 1, rank), Kind::Pawn) || self.is(self.at(self.file + 1, rank), Kind::Pawn)
    }

    /// A king on a neighbouring square.
    #[inline]
    pub fn king(self) -> bool {
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dx, dy) != (0, 0) && self.is(self.at(self.file + dx, self.rank + dy), Kind::King) {
                    return true;
                }
            }
        }
        false
    }

    /// A knight on one of eight squares, from an array of steps.
    #[inline]
    pub fn knight_by_steps(self) -> bool {
        KNIGHT.into_iter().any(|(dx, dy)| self.is(self.at(self.file + dx, self.rank + dy), Kind::Knight))
    }

    /// The helper for all sliders: the first man in one of these directions is this slider or a queen.
    #[inline]
    pub fn slider<const N: usize>(self, directions: [(i8, i8); N], slider: Kind) -> bool {
        directions.into_iter().any(|(dx, dy)| {
            let (mut file, mut rank) = (self.file + dx, self.rank + dy);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let found = self.at(file, rank);
                if found != EMPTY {
                    return self.is(found, slider) || self.is(found, Kind::Queen);
                }
                (file, rank) = (file + dx, rank + dy);
            }
            false
        })
    }
}
