//! A placeholder for optional parts that a game does not have.

use crate::{Endgame, Index, Metric, Predecessors, ShortNumbering};

/// The type for an optional part that a game does not have. It has no values, so its methods are never called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Without {}

impl<G: Endgame> Predecessors<G> for Without {
    fn predecessors(&self, _: &G::Position, _: impl FnMut(G::Slice, Index)) {
        match *self {}
    }
}

impl<G: Endgame> ShortNumbering<G> for Without {
    const NAME: &'static str = "";

    fn entries(&self, _: G::Slice, _: Metric) -> Option<u64> {
        match *self {}
    }

    fn short_index(&self, _: G::Slice, _: Index) -> Option<Index> {
        match *self {}
    }
}
