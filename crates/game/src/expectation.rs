//! Numbered positions of games of chance: the interface of a game for solvers and tables of expected points.

use crate::{Game, Index};
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// Where the expected points of a position are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// In the table of the slice, at an index.
    At(Index),
    /// In no table, because the game is over. These are the points of the side that would be to move.
    Over(i64),
    /// In no table of this slice. The text is the reason.
    Beyond(&'static str),
}

/// A game of chance whose positions have numbers, so that their expected points can be solved and stored.
///
/// Only positions that [await chance](crate::Position::awaits_chance) are numbered, each seen by the side to move. Every
/// move after an outcome of chance leads to the same slice, or ends the game. The expected points of the side to move are
/// the mean over the outcomes of chance, and for each of them the maximum over the moves.
///
/// The laws: `locate(unrank(i)) = At(i)`, and no successor of a position of a slice is [`Beyond`](Expected::Beyond).
pub trait Expectation: Game {
    /// A set of positions that share a table. Its text is part of the file name.
    type Slice: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The name of the numbering, which is stored in every table. If the numbering changes, the name must change.
    const INDEX: &'static str;

    /// The number of indices of a slice.
    fn size(&self, slice: Self::Slice) -> u64;

    /// Returns the position with this index, or `None` if the index is a hole.
    fn unrank(&self, slice: Self::Slice, index: Index) -> Option<Self::Position>;

    /// Returns where the expected points of a position are found.
    fn locate(&self, slice: Self::Slice, position: &Self::Position) -> Expected;
}
