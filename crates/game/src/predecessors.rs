//! Unmoves: moves taken back.

use crate::{Endgame, Index};

/// The inverse of [`successors`](Endgame::successors) within a group: of what it reports with an index.
pub trait Predecessors<G: Endgame> {
    /// Calls `visit` with every index of the same group from which a move leads to this position. An index may occur
    /// more than once. Positions that win at once may be left out, because their value is already known. Positions that
    /// lead here [through](crate::Location::Through) another position are left out, because a solver finds them itself.
    fn predecessors(&self, position: &G::Position, visit: impl FnMut(G::Slice, Index));
}
