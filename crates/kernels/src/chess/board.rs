//! The positions of a material in rows, and the moves between them.
//!
//! A slab has the positions with one side to move, the *mover*, and one square of the other side's king, folded as in an
//! index. A block has those with one square of the mover's king. Within a block, the squares of all other men but the last
//! select a row. The bits of a row are the squares of the last man.
//!
//! Only moves that can be taken back are made within the rows: those of pieces, without captures. Moves of pawns and
//! captures are conversions. So a board has only the positions in which the pawns have made the same number of steps, all
//! together: its *level*. Pawns lead from a level to higher ones, which are solved before.

use super::rays::{Rays, at, attackers, reached};
use crate::rows::{Image, Moves, Row as _, Row1, RowGame};
use chess::{Fold, Kind, Kings, Material, Piece, Square, SquareSet, Symmetry, steps};
use game::{Endgame as _, Side};
use std::ops::Range;

/// The number of men besides the kings and the last man.
const MOST_SELECTORS: usize = Material::MOST - 3;

/// Squares of the selectors. Those that do not exist are on a1.
pub type Squares = [u8; MOST_SELECTORS];

const NONE: u32 = u32::MAX;

/// The positions of a material on one level.
pub struct Board {
    material: Material,
    fold: Fold,
    /// The man in the row.
    last: Piece,
    /// The other men, which select rows.
    selectors: Vec<Piece>,
    /// The moves of each selector.
    rays: Vec<Rays>,
    /// By selection: the squares of the selectors.
    selections: Vec<Squares>,
    /// By square of the first selector, and of the second: the selection.
    numbers: Vec<u32>,
    /// By selection: the squares of the last man, and those among them that have cells.
    rows: Vec<(u64, u64)>,
    /// By selection: the first cell of its row among those of a block.
    first_cells: Vec<u32>,
    /// By symmetry and selection: the image of the selection.
    images: Vec<Vec<u32>>,
    /// The squares of the king that does not move.
    slab_squares: Vec<Square>,
    /// By square: its slab among those of a side.
    slab_of: Vec<usize>,
    /// By slab of a side: the number of its first pair of kings, and at the end the number of all pairs.
    first_pairs: Vec<usize>,
    /// By place of the bits of a row.
    places: Vec<u16>,
    arrangements: usize,
    /// The number of indices with one side to move, and of all.
    indices: (usize, usize),
}

/// How far the pawns of a material have gone, in ranks: the least and the most.
pub fn levels(material: Material) -> Range<u32> {
    0..5 * material.pawns() + 1
}

/// How far a man has gone. Only pawns count.
fn steps_of(piece: Piece, square: u8) -> u32 {
    let rank = u32::from(square / 8);
    match (piece.kind, piece.side) {
        (Kind::Pawn, Side::First) => rank.wrapping_sub(1),
        (Kind::Pawn, Side::Second) => 6u32.wrapping_sub(rank),
        _ => 0,
    }
}

/// The squares of a row, as seen from its kings and selectors.
pub struct Selection {
    /// The mover.
    pub mover: Side,
    /// The king that does not move.
    pub other: u8,
    /// The mover's king.
    pub king: u8,
    /// The squares of the selectors.
    pub squares: Squares,
    /// All these squares.
    pub occupied: u64,
}

impl Board {
    /// Lays out a level of a material in rows.
    pub fn new(material: Material, level: u32) -> Self {
        let mut selectors = material.list();
        let last = selectors.pop().expect("a material has a man");
        let fold = material.fold();
        let squares = |i: usize| selectors.get(i).map_or(0..1, |piece| Material::squares(piece.kind));
        let are_same = selectors.len() == 2 && selectors[0] == selectors[1];
        let (mut selections, mut rows, mut first_cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut numbers = vec![NONE; 64 * 64];
        for (a, b) in squares(0).flat_map(|a| squares(1).map(move |b| (a, b))) {
            if selectors.len() == 2 && (a == b || (are_same && a > b)) {
                continue;
            }
            let selected: Squares = [a, b];
            let gone: u32 =
                selectors.iter().zip(selected).map(|(&piece, square)| steps_of(piece, square)).sum();
            let is_on_level = |square: &u8| gone + steps_of(last, *square) == level;
            let row =
                Material::squares(last.kind).filter(is_on_level).fold(0, |row, square| row | 1 << square);
            if row == 0 {
                continue;
            }
            // Of identical men, the last one has the lowest square.
            let same = selectors.iter().zip(selected).filter(|(piece, _)| **piece == last);
            let lowest = same.map(|(_, square)| square).min().unwrap_or(64);
            let with_cells = row & ((1u128 << lowest) - 1) as u64;
            // The cell of the lowest square follows from the others, whether or not the man can be there.
            let least = Material::squares(last.kind).start;
            let places = |piece: Piece| {
                let of_selectors = selectors.iter().zip(selected).filter(|(of, _)| **of == piece);
                let set = of_selectors.fold(0u64, |set, (_, square)| set | 1 << square);
                if piece == last { set | 1 << least } else { set }
            };
            let first = if with_cells == 0 { 0 } else { material.rank(places) as u32 };
            numbers[usize::from(a) * 64 + usize::from(b)] = selections.len() as u32;
            if are_same {
                numbers[usize::from(b) * 64 + usize::from(a)] = selections.len() as u32;
            }
            selections.push(selected);
            rows.push((row, with_cells));
            first_cells.push(first);
        }
        let image = |symmetry: Symmetry, squares: &Squares| {
            let [a, b] = squares.map(|square| symmetry.square(at(square)).index());
            numbers[if selectors.len() == 2 {
                64 * a + b
            } else if selectors.is_empty() {
                0
            } else {
                64 * a
            }]
        };
        let symmetries = &Symmetry::ALL[..fold.images() as usize];
        let images: Vec<Vec<u32>> = symmetries
            .iter()
            .map(|&symmetry| selections.iter().map(|squares| image(symmetry, squares)).collect())
            .collect();
        let slab_squares: Vec<Square> = Square::all()
            .filter(|&other| Square::all().any(|own| fold.number(Kings { own, other }).is_some()))
            .collect();
        let first_pair = |&other: &Square| Square::all().find_map(|own| fold.number(Kings { own, other }));
        let first_pairs = slab_squares.iter().filter_map(first_pair).map(usize::from).chain([fold.pairs()]);
        let slab_of =
            Square::all().map(|square| slab_squares.iter().position(|&of| of == square).unwrap_or(0));
        let chess = chess::Chess::STANDARD;
        let by_turn = chess.indices_by_turn(material).expect("sides are kept apart");
        Self {
            material,
            fold,
            last,
            rays: selectors.iter().map(|piece| Rays::new(piece.kind)).collect(),
            selectors,
            numbers,
            rows,
            first_cells,
            images,
            slab_of: slab_of.collect(),
            first_pairs: first_pairs.collect(),
            slab_squares,
            places: (0..64u16)
                .map(|square| square.saturating_sub(Material::squares(last.kind).start.into()))
                .collect(),
            arrangements: material.arrangements() as usize,
            indices: ((by_turn.first.end - by_turn.first.start) as usize, chess.size(material) as usize),
            selections,
        }
    }

    /// The man in the row.
    pub fn last(&self) -> Piece {
        self.last
    }

    /// The men that select rows.
    pub fn selectors(&self) -> &[Piece] {
        &self.selectors
    }

    /// The ways of a selector.
    pub fn rays(&self, selector: usize) -> &Rays {
        &self.rays[selector]
    }

    /// The squares of the king that does not move, by slab of a side.
    pub fn slab_squares(&self) -> &[Square] {
        &self.slab_squares
    }

    /// The squares of the last man in a row, legal or not.
    pub fn squares_in(&self, row: usize) -> u64 {
        self.rows[row % self.selections.len()].0
    }

    /// The kings and selectors of a row.
    #[inline(always)]
    pub fn selection(&self, slab: usize, row: usize) -> Selection {
        let slabs = self.slab_squares.len();
        let (king, selected) = ((row / self.selections.len()) as u8, row % self.selections.len());
        let mover = if slab < slabs { Side::First } else { Side::Second };
        let other = self.slab_squares[slab % slabs].index() as u8;
        let squares = self.selections[selected];
        let kings = 1 << king | 1 << other;
        let occupied = squares[..self.selectors.len()].iter().fold(kings, |all, &square| all | 1 << square);
        Selection { mover, other, king, squares, occupied }
    }

    /// The number of a selection on this level.
    #[inline(always)]
    fn number(&self, [a, b]: Squares) -> usize {
        self.numbers[usize::from(a) * 64 + usize::from(b)] as usize
    }

    /// The squares of the last man with which the mover, or the other side, attacks a square.
    fn attacks(&self, selection: &Selection, by: Side, square: u8) -> u64 {
        let empty = !selection.occupied;
        let mut attacks = if self.last.side == by { attackers(self.last, square, empty) } else { 0 };
        for (&piece, from) in
            self.selectors.iter().zip(selection.squares).filter(|(piece, _)| piece.side == by)
        {
            if attackers(piece, square, empty) >> from & 1 != 0 {
                // The last man can only stand in the way.
                attacks |= !steps::between(at(from), at(square)).word();
            }
        }
        attacks
    }

    /// Visits the cells of a slab that are holes because an image has a smaller index.
    pub fn each_folded_cell(&self, slab: usize, mut visit: impl FnMut(usize)) {
        let cells = self.cells(slab);
        for first in (0..cells.len()).step_by(self.arrangements) {
            let pair = ((cells.start + first) % self.indices.0 / self.arrangements) as u16;
            if !self.fold.numbered(pair).is_some_and(|kings| self.fold.is_own_image(kings)) {
                continue;
            }
            for arrangement in 0..self.arrangements as u64 {
                let mut sets = [(self.last, 0); Material::MOST];
                let groups = self.material.unrank(arrangement);
                sets.iter_mut().zip(groups).for_each(|(set, group)| *set = group);
                let image = self.material.rank(|piece| {
                    let places = sets.iter().find(|(of, _)| *of == piece).map_or(0, |(_, places)| *places);
                    Symmetry::TRANSPOSE.set(SquareSet::from_word(places)).word()
                });
                if image < arrangement {
                    visit(first + arrangement as usize);
                }
            }
        }
    }
}

/// Squares with the square of one selector changed.
#[inline(always)]
pub fn with(mut squares: Squares, selector: usize, square: u8) -> Squares {
    squares[selector] = square;
    squares
}

impl RowGame for Board {
    type Row = Row1;
    /// Takes the squares of an image to those of the row.
    type Symmetry = Symmetry;

    fn slabs(&self) -> usize {
        2 * self.slab_squares.len()
    }

    fn blocks(&self) -> usize {
        64
    }

    fn rows_per_block(&self) -> usize {
        self.selections.len()
    }

    fn legal(&self, slab: usize, row: usize) -> Row1 {
        let selection = self.selection(slab, row);
        let men = 2 + self.selectors.len() as u32;
        let are_apart = !(steps::king(at(selection.king)).contains(at(selection.other)));
        if selection.occupied.count_ones() != men || !are_apart {
            return Row1::EMPTY;
        }
        let placed = self.squares_in(row) & !selection.occupied;
        Row1::new(placed & !self.attacks(&selection, selection.mover, selection.other))
    }

    /// Stalemate is no loss.
    fn lost_without_moves(&self, slab: usize, row: usize, positions: Row1) -> Row1 {
        let selection = self.selection(slab, row);
        let attacked = self.attacks(&selection, selection.mover.other(), selection.king);
        positions.and(Row1::new(attacked))
    }

    #[inline(always)]
    fn visit_before(
        &self,
        slab: usize,
        row: usize,
        after: Row1,
        moves: Moves,
        mut visit: impl FnMut(usize, Row1),
    ) {
        if !moves.include(true) {
            return;
        }
        let selection = self.selection(slab, row);
        let per_block = self.selections.len();
        let block = usize::from(selection.king) * per_block;
        let mut from = steps::king(at(selection.king)) & !steps::king(at(selection.other));
        from &= !SquareSet::from_word(selection.occupied);
        for king in from {
            visit(row - block + king.index() * per_block, after);
        }
        if self.last.side == selection.mover {
            visit(row, Row1::new(reached(self.last.kind, after.bits(), !selection.occupied)));
        }
        for (i, _) in self.selectors.iter().enumerate().filter(|(_, piece)| piece.side == selection.mover) {
            for ray in self.rays[i].from(selection.squares[i]) {
                let mut bits = after.bits();
                for &from in ray {
                    bits &= !(1 << from);
                    if selection.occupied >> from & 1 != 0 || bits == 0 {
                        break;
                    }
                    visit(block + self.number(with(selection.squares, i, from)), Row1::new(bits));
                }
            }
        }
    }

    #[inline(always)]
    fn stuck(
        &self,
        slab: usize,
        row: usize,
        positions: Row1,
        moves: Moves,
        after: impl Fn(usize) -> Row1,
    ) -> Row1 {
        if !moves.include(true) {
            return positions;
        }
        let selection = self.selection(slab, row);
        let per_block = self.selections.len();
        let block = usize::from(selection.king) * per_block;
        let mut left = positions.bits();
        let mut to = steps::king(at(selection.king)) & !steps::king(at(selection.other));
        to &= !SquareSet::from_word(selection.occupied);
        for king in to {
            left &= !after(row - block + king.index() * per_block).bits();
            if left == 0 {
                return Row1::EMPTY;
            }
        }
        if self.last.side == selection.mover {
            left &= !reached(self.last.kind, after(row).bits(), !selection.occupied);
            if left == 0 {
                return Row1::EMPTY;
            }
        }
        for (i, _) in self.selectors.iter().enumerate().filter(|(_, piece)| piece.side == selection.mover) {
            for ray in self.rays[i].from(selection.squares[i]) {
                let mut blocked = 0;
                for &to in ray {
                    blocked |= 1 << to;
                    if selection.occupied >> to & 1 != 0 {
                        break;
                    }
                    left &= !(after(block + self.number(with(selection.squares, i, to))).bits() & !blocked);
                    if left == 0 {
                        return Row1::EMPTY;
                    }
                }
            }
        }
        Row1::new(left)
    }

    fn source(&self, slab: usize, block: usize) -> Image<Symmetry> {
        let slabs = self.slab_squares.len();
        // It is the other side's turn, so its king is the own one.
        let kings = Kings { own: self.slab_squares[slab % slabs], other: at(block as u8) };
        let symmetry = self.fold.symmetry(kings);
        let Kings { own, other } = kings.image(symmetry);
        let of_other_side = if slab < slabs { slabs } else { 0 };
        Image {
            slab: of_other_side + self.slab_of[other.index()],
            block: own.index(),
            symmetry: symmetry.inverse(),
        }
    }

    #[inline]
    fn turned_row(&self, row: usize, symmetry: Symmetry) -> usize {
        self.images[symmetry.index()][row] as usize
    }

    #[inline(always)]
    fn turned(&self, bits: Row1, symmetry: Symmetry) -> Row1 {
        Row1::new(symmetry.set(SquareSet::from_word(bits.bits())).word())
    }

    /// Tables of equal armies have no cells with Black to move.
    fn cells(&self, slab: usize) -> Range<usize> {
        let slabs = self.slab_squares.len();
        let (of_a_side, all) = self.indices;
        let half = if slab < slabs { 0 } else { of_a_side };
        let first = |slab: usize| (half + self.first_pairs[slab] * self.arrangements).min(all);
        first(slab % slabs)..first(slab % slabs + 1)
    }

    #[inline]
    fn row_cells(&self, slab: usize, row: usize) -> Option<(usize, Row1)> {
        let slabs = self.slab_squares.len();
        if slab >= slabs && self.material.is_symmetric() {
            return None;
        }
        let (block, selected) = (row / self.selections.len(), row % self.selections.len());
        let other = self.slab_squares[slab % slabs];
        let pair = usize::from(self.fold.number(Kings { own: at(block as u8), other })?);
        let first = self.first_pairs[slab % slabs];
        let cell = (pair - first) * self.arrangements + self.first_cells[selected] as usize;
        Some((cell, Row1::new(self.rows[selected].1)))
    }

    fn places(&self) -> &[u16] {
        &self.places
    }
}
