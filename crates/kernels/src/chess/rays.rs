//! The ways of one piece from a square: rays of squares, each behind the other.

use chess::{Kind, Square, SquareSet, fills, sliders, steps};

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The squares that a piece can reach from each square, ray by ray. A knight has rays of one square. Pawns and
/// kings have none: they move in other ways.
pub struct Rays {
    /// All squares of all rays, ray behind ray.
    squares: Vec<u8>,
    /// By square: the ends of its rays. The rays of a square begin where those of the last square end.
    ends: Vec<Vec<usize>>,
}

impl Rays {
    /// The rays of a kind.
    pub fn new(kind: Kind) -> Self {
        let directions: Vec<(i8, i8)> = match kind {
            Kind::Rook => STRAIGHT.to_vec(),
            Kind::Bishop => DIAGONAL.to_vec(),
            Kind::Queen => [STRAIGHT, DIAGONAL].concat(),
            Kind::Knight => KNIGHT.to_vec(),
            Kind::Pawn | Kind::King => Vec::new(),
        };
        let longest = if kind == Kind::Knight { 1 } else { 7 };
        let (mut squares, mut ends) = (Vec::new(), Vec::new());
        for from in Square::all() {
            let mut of_square = vec![squares.len()];
            for &(dx, dy) in &directions {
                let ray = std::iter::successors(from.offset(dx, dy), |square| square.offset(dx, dy));
                squares.extend(ray.take(longest).map(|square| square.index() as u8));
                if of_square.last() != Some(&squares.len()) {
                    of_square.push(squares.len());
                }
            }
            ends.push(of_square);
        }
        Self { squares, ends }
    }

    /// The rays from a square.
    #[inline(always)]
    pub fn from(&self, square: u8) -> impl Iterator<Item = &[u8]> {
        self.ends[usize::from(square)].windows(2).map(|ends| &self.squares[ends[0]..ends[1]])
    }
}

/// The squares from which a piece reaches a set of squares over empty squares, by moves that are not captures. Pawns are
/// not moved here.
#[inline(always)]
pub fn reached(kind: Kind, set: u64, empty: u64) -> u64 {
    let (set, empty) = (SquareSet::from_word(set), SquareSet::from_word(empty));
    match kind {
        Kind::Pawn | Kind::King => SquareSet::EMPTY,
        Kind::Knight => fills::knights(set),
        Kind::Bishop => fills::sliders(SquareSet::EMPTY, set, empty),
        Kind::Rook => fills::sliders(set, SquareSet::EMPTY, empty),
        Kind::Queen => fills::sliders(set, set, empty),
    }
    .word()
}

/// The squares from which a piece of this kind and side attacks a square.
#[inline(always)]
pub fn attackers(piece: chess::Piece, square: u8, empty: u64) -> u64 {
    match piece.kind {
        Kind::Pawn => steps::pawn(piece.side.other(), at(square)).word(),
        kind => reached(kind, 1 << square, empty),
    }
}

/// The squares that a piece attacks. Pawns and kings are not asked here.
#[inline(always)]
pub fn attacks(kind: Kind, from: u8, occupied: u64) -> u64 {
    let (from, occupied) = (at(from), SquareSet::from_word(occupied));
    match kind {
        Kind::Knight => steps::knight(from),
        Kind::Bishop => sliders::bishop(from, occupied),
        Kind::Rook => sliders::rook(from, occupied),
        Kind::Queen => sliders::bishop(from, occupied) | sliders::rook(from, occupied),
        Kind::Pawn | Kind::King => SquareSet::EMPTY,
    }
    .word()
}

/// The square with this number.
#[inline(always)]
pub fn at(square: u8) -> Square {
    Square::from_index(square).expect("a square of the board")
}
