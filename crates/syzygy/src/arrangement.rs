//! The index of a position: the men of a table in the order of the file, in groups, and a factor for each group.
//!
//! The first group leads. Without pawns it is three different men, or the two kings if no other man is single; the symmetries
//! of the board put its first man into the triangle a1-d1-d4. With pawns it is the pawns of one side, mirrored so that the
//! leading pawn stands on the files a to d. Each further group is a set of equal men on the squares that are still free.

use crate::error::Problem;
use crate::material::{MOST_MEN, Material};
use crate::squares::{
    BELOW_DIAGONAL, CHOOSE, KING_PAIRS, KINGS, LEAD_COUNT, LEAD_START, MOST_LEADING, PAWN_ORDER, TRIANGLE,
    TRIPLES, above_diagonal, transposed,
};
use chess::{Board, Kind, Piece};
use game::Side;

/// The men of a position as sets of squares, seen with the first side of the table as White.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    kinds: [u64; 6],
    sides: [u64; 2],
}

impl Men {
    /// The men of a board. With `swap`, the colours are exchanged and the board is turned upside down.
    #[inline]
    pub fn of(board: &Board, swap: bool) -> Self {
        let kinds = Kind::ALL.map(|kind| board.of_kind(kind).word());
        let sides = Side::ALL.map(|side| board.of_side(side).word());
        match swap {
            false => Self { kinds, sides },
            true => Self {
                kinds: kinds.map(u64::swap_bytes),
                sides: [sides[1].swap_bytes(), sides[0].swap_bytes()],
            },
        }
    }

    #[inline]
    fn set(&self, piece: Piece) -> u64 {
        self.kinds[piece.kind as usize] & self.sides[piece.side as usize]
    }

    /// The square of a man that is the only one of its kind and side.
    #[inline]
    fn square(&self, piece: Piece) -> u32 {
        self.set(piece).trailing_zeros() & 63
    }

    /// The file of the leading pawn of a side, counted from the nearer edge of the board: 0 to 3.
    #[inline]
    pub fn lead_file(&self, side: Side) -> usize {
        let order = pawn_places(self.set(Piece { side, kind: Kind::Pawn }));
        // The places go through the six ranks of two files before the next files begin.
        3 - order.checked_ilog2().map_or(0, |place| (place / 12) as usize).min(3)
    }
}

/// The places of pawns in [`PAWN_ORDER`], as a set.
#[inline]
fn pawn_places(pawns: u64) -> u64 {
    squares(pawns).fold(0, |places, square| places | 1 << (PAWN_ORDER[square as usize] & 63))
}

/// The squares of a set, in ascending order.
#[inline]
fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// The group of men that is numbered first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// Three men, each the only one of its kind and side.
    Three([Piece; 3]),
    /// The two kings.
    Kings([Piece; 2]),
    /// The pawns of this side.
    Pawns(Side),
}

/// Equal men that are numbered together.
#[derive(Clone, Copy, Debug)]
struct Group {
    piece: Piece,
    factor: u64,
    /// Squares that the group cannot use: the first rank, for pawns.
    below: u64,
}

/// How the positions of one part of a table are numbered.
#[derive(Debug)]
pub(crate) struct Arrangement {
    lead: Lead,
    lead_factor: u64,
    groups: Box<[Group]>,
    size: u64,
}

impl Arrangement {
    /// Reads the arrangement from the list of men in the file, and the orders of the leading group and of the pawns of the
    /// other side. `file` is that of the leading pawn.
    pub fn new(
        pieces: &[Piece],
        material: Material,
        (lead_order, pawn_order): (usize, usize),
        file: usize,
    ) -> Result<Self, Problem> {
        // Runs of equal men. Each man must occur in one run only, with its number.
        let mut runs: Vec<(Piece, usize)> = Vec::with_capacity(MOST_MEN as usize);
        for &piece in pieces {
            match runs.last_mut() {
                Some((last, count)) if *last == piece => *count += 1,
                _ => runs.push((piece, 1)),
            }
        }
        let fits = |&(piece, count): &(Piece, usize)| {
            let runs_of = runs.iter().filter(|(other, _)| *other == piece).count();
            runs_of == 1 && count == material.count(piece.side, piece.kind) as usize
        };
        if pieces.len() != material.men() as usize || !runs.iter().all(fits) {
            return Err(Problem::Pieces);
        }

        let is_pawn = |run: Option<&(Piece, usize)>| run.is_some_and(|(piece, _)| piece.kind == Kind::Pawn);
        let (lead, lead_runs, lead_men, lead_size) = if material.has_pawns() {
            let (piece, count) = runs[0];
            if piece.kind != Kind::Pawn || count > MOST_LEADING {
                return Err(Problem::Pieces);
            }
            (Lead::Pawns(piece.side), 1, count, LEAD_COUNT[count][file])
        } else if material.has_single_man() {
            match runs[..] {
                [(a, 1), (b, 1), (c, 1), ..] => (Lead::Three([a, b, c]), 3, 3, TRIPLES),
                _ => return Err(Problem::Pieces),
            }
        } else {
            match runs[..] {
                [(a, 1), (b, 1), ..] if a.kind == Kind::King && b.kind == Kind::King => {
                    (Lead::Kings([a, b]), 2, 2, KING_PAIRS)
                }
                _ => return Err(Problem::Pieces),
            }
        };
        let rest = &runs[lead_runs..];
        let both_have_pawns = Side::ALL.into_iter().all(|side| material.count(side, Kind::Pawn) > 0);
        if both_have_pawns != (material.has_pawns() && is_pawn(rest.first())) {
            return Err(Problem::Pieces);
        }

        // The groups get their factors in the order that the file says, not in the order of the list.
        let places = 1 + rest.len();
        let other_pawns = if both_have_pawns { pawn_order } else { usize::MAX };
        if lead_order >= places || both_have_pawns && other_pawns >= places || lead_order == other_pawns {
            return Err(Problem::Pieces);
        }
        let (mut size, mut lead_factor) = (1, 1);
        let mut groups: Vec<Group> =
            rest.iter().map(|&(piece, _)| Group { piece, factor: 0, below: 0 }).collect();
        let mut next = usize::from(both_have_pawns);
        let mut free = 64 - lead_men - if both_have_pawns { rest[0].1 } else { 0 };
        for place in 0..places {
            if place == lead_order {
                lead_factor = size;
                size *= lead_size;
            } else if place == other_pawns {
                groups[0] = Group { factor: size, below: 8, ..groups[0] };
                size *= CHOOSE[rest[0].1][48 - lead_men];
            } else {
                let count = rest[next].1;
                groups[next].factor = size;
                size *= CHOOSE[count][free];
                free -= count;
                next += 1;
            }
        }
        Ok(Self { lead, lead_factor, groups: groups.into(), size })
    }

    /// The number of indices.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The side whose pawns lead.
    pub fn lead_side(&self) -> Option<Side> {
        match self.lead {
            Lead::Pawns(side) => Some(side),
            _ => None,
        }
    }

    /// The index of a position. The men must be those of the table.
    #[inline]
    pub fn index(&self, men: &Men) -> u64 {
        match self.lead {
            Lead::Three(pieces) => {
                let placed = pieces.map(|piece| men.square(piece));
                let (flip, transpose) = normal(&placed);
                let image = |square: u32| if transpose { transposed(square ^ flip) } else { square ^ flip };
                let placed = placed.map(image);
                self.complete(men, triple(placed), set_of(&placed), image)
            }
            Lead::Kings(pieces) => {
                let placed = pieces.map(|piece| men.square(piece));
                let (flip, transpose) = normal(&placed);
                let image = |square: u32| if transpose { transposed(square ^ flip) } else { square ^ flip };
                let [first, second] = placed.map(image);
                let row = usize::from(TRIANGLE[first as usize]).min(9);
                self.complete(men, KINGS[row][second as usize].into(), 1 << first | 1 << second, image)
            }
            Lead::Pawns(side) => {
                let pawns = men.set(Piece { side, kind: Kind::Pawn });
                let mut places = pawn_places(pawns);
                // The leading pawn must stand on the files a to d: its place is odd.
                let mirror = places.checked_ilog2().is_some_and(|place| place & 1 == 0);
                let flip = if mirror { 7 } else { 0 };
                if mirror {
                    const EVEN: u64 = 0x5555_5555_5555_5555;
                    places = (places & EVEN) << 1 | places >> 1 & EVEN;
                }
                let image = |square: u32| square ^ flip;
                let occupied = squares(pawns).fold(0, |set, square| set | 1 << image(square));
                self.complete(men, lead_pawns(places), occupied, image)
            }
        }
    }

    /// Adds the other groups to the index of the leading group, which occupies these squares.
    #[inline(always)]
    fn complete(&self, men: &Men, lead: u64, mut occupied: u64, image: impl Fn(u32) -> u32) -> u64 {
        let mut index = lead * self.lead_factor;
        for group in &self.groups {
            let set = squares(men.set(group.piece)).fold(0, |set, square| set | 1 << image(square));
            let mut number = 0;
            for (i, square) in squares(set).enumerate() {
                let below = u64::from((occupied & ((1 << square) - 1)).count_ones()) + group.below;
                number += choose(i + 1, u64::from(square).saturating_sub(below));
            }
            occupied |= set;
            index += number * group.factor;
        }
        index
    }
}

/// `n` over `k`, from the table.
#[inline]
fn choose(k: usize, n: u64) -> u64 {
    match k {
        1 => n,
        _ => CHOOSE.get(k).map_or(0, |row| row[n as usize & 63]),
    }
}

#[inline]
fn set_of(squares: &[u32; 3]) -> u64 {
    squares.iter().fold(0, |set, square| set | 1 << square)
}

/// The symmetry that brings the first man into the triangle: a mask for the numbers of squares, and whether the board is then
/// mirrored at the diagonal. The first man that is not on the diagonal must be below it.
#[inline]
fn normal(leading: &[u32]) -> (u32, bool) {
    let first = leading.first().map_or(0, |&square| square);
    let flip = if first & 4 != 0 { 7 } else { 0 } | if first & 32 != 0 { 56 } else { 0 };
    let transpose = leading.iter().map(|square| above_diagonal(square ^ flip)).find(|&above| above != 0);
    (flip, transpose.is_some_and(|above| above > 0))
}

/// The number of a placement of three men, of which the first is in the triangle.
#[inline]
fn triple([a, b, c]: [u32; 3]) -> u64 {
    let after_a = u32::from(b > a);
    let after_both = u32::from(c > a) + u32::from(c > b);
    let below = |square: u32| u32::from(BELOW_DIAGONAL[square as usize]);
    let rank = |square: u32| square >> 3;
    let number = if above_diagonal(a) != 0 {
        (u32::from(TRIANGLE[a as usize]) * 63 + (b - after_a)) * 62 + c - after_both
    } else if above_diagonal(b) != 0 {
        (6 * 63 + rank(a) * 28 + below(b)) * 62 + c - after_both
    } else if above_diagonal(c) != 0 {
        (6 * 63 + 4 * 28) * 62 + (rank(a) * 7 + rank(b) - after_a) * 28 + below(c)
    } else {
        (6 * 63 + 4 * 28) * 62 + 4 * 7 * 28 + (rank(a) * 7 + rank(b) - after_a) * 6 + rank(c) - after_both
    };
    number.into()
}

/// The number of a placement of leading pawns, by their places in [`PAWN_ORDER`].
#[inline]
fn lead_pawns(places: u64) -> u64 {
    let pawns = places.count_ones() as usize;
    let Some(lead) = places.checked_ilog2() else { return 0 };
    let start = LEAD_START.get(pawns).map_or(0, |row| row[lead as usize % 48]);
    let others = places ^ 1 << lead;
    squares(others).enumerate().map(|(i, place)| choose(i + 1, place.into())).sum::<u64>() + start
}
