//! Moves taken back.

use crate::{Endgame, Index};

/// The inverse of [`successors`](Endgame::successors) within a batch.
pub trait Predecessors<G: Endgame> {
    /// Shows every index of the same batch from which a move leads here, some perhaps more than once. Positions that
    /// win at once may be left out: they have nothing to learn. So are those that lead here
    /// [through](crate::Location::Through) another position: a solver finds these itself.
    fn predecessors(&self, position: &G::Position, visit: impl FnMut(G::Slice, Index));
}
