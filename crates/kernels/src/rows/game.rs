//! The interface of a game for the solver by rows.

use super::row::Row;
use std::ops::Range;

/// A block as the other side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image<S> {
    /// The slab.
    pub slab: usize,
    /// The block.
    pub block: usize,
    /// What has to be done with the row.
    pub symmetry: S,
}

/// Which moves count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// All moves.
    All,
    /// Only moves that can be taken back by later moves of the same side.
    Reversible,
    /// Only the others.
    Irreversible,
}

impl Moves {
    /// Returns whether a move counts that is reversible or not.
    #[inline(always)]
    pub fn include(self, is_reversible: bool) -> bool {
        match self {
            Self::All => true,
            Self::Reversible => is_reversible,
            Self::Irreversible => !is_reversible,
        }
    }
}

/// A set of positions in rows of bits, and the moves between the rows.
///
/// A position is described from the view of one side, the *mover*. Rows are kept in two forms. In a row *before* the
/// move, it is the mover's turn. In a row *after* the move, it is the other side's turn. Slabs and rows have the same
/// numbers in both forms. No move of the mover leaves a slab, so threads can work on slabs without sharing. A slab is
/// divided into blocks of rows.
///
/// The same position is in a row before a move and, from the view of the other side, in a row after a move. The methods
/// [`source`](Self::source), [`turned_row`](Self::turned_row) and [`turned`](Self::turned) relate them.
pub trait RowGame: Sync {
    /// The type of a row.
    type Row: Row;
    /// What is done with a row when the other side looks at it, besides turning the board.
    type Symmetry: Copy;

    /// The number of slabs.
    fn slabs(&self) -> usize;
    /// The number of blocks of a slab.
    fn blocks(&self) -> usize;
    /// The number of rows of a block.
    fn rows_per_block(&self) -> usize;

    /// The number of rows of a slab.
    fn rows(&self) -> usize {
        self.blocks() * self.rows_per_block()
    }

    /// The legal positions of a row before the move.
    fn legal(&self, slab: usize, row: usize) -> Self::Row;

    /// Those positions of a row before the move that are lost if they have no moves. By default, these are all.
    fn lost_without_moves(&self, slab: usize, row: usize, positions: Self::Row) -> Self::Row {
        let _ = (slab, row);
        positions
    }

    /// Visits the rows before the move that lead to some positions of a row after the move, with the bits that do so.
    /// Bits that are not legal positions may be among them. Every legal predecessor is visited.
    fn visit_before(
        &self,
        slab: usize,
        row: usize,
        after: Self::Row,
        moves: Moves,
        visit: impl FnMut(usize, Self::Row),
    );

    /// Returns those positions of a row before the move that have no move to a position in `after`, which gives the bits
    /// of each row after the move.
    fn stuck(
        &self,
        slab: usize,
        row: usize,
        positions: Self::Row,
        moves: Moves,
        after: impl Fn(usize) -> Self::Row,
    ) -> Self::Row;

    /// A block before the move that has the same positions as a block after the move.
    fn source(&self, slab: usize, block: usize) -> Image<Self::Symmetry>;

    /// The place in its block of a row of an image.
    fn turned_row(&self, row: usize, symmetry: Self::Symmetry) -> usize;

    /// The bits of a row of an image.
    fn turned(&self, bits: Self::Row, symmetry: Self::Symmetry) -> Self::Row;

    /// The cells of a slab among all cells.
    fn cells(&self, slab: usize) -> Range<usize>;

    /// The first cell of a row among the cells of its slab, and the bits that have a cell. Returns `None` if the row has
    /// no cells, because its positions have their cells elsewhere.
    fn row_cells(&self, slab: usize, row: usize) -> Option<(usize, Self::Row)>;

    /// The place of each bit among the cells of its row.
    fn places(&self) -> &[u16];
}

/// A game in which perpetual check decides positions. Its symmetries are their own inverses.
pub trait PerpetualCheck: RowGame {
    /// The positions of a row in which a man of the mover attacks the king of the other side: after the move, those in
    /// which it has given check.
    fn checks(&self, slab: usize, row: usize) -> Self::Row;

    /// Visits all blocks in one form that have the same positions as a block in the other form. There can be more than
    /// one, if blocks are their own mirror images.
    fn each_image(&self, slab: usize, block: usize, visit: impl FnMut(Image<Self::Symmetry>));
}
