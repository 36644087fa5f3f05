//! Positions as numbers: what a solver and a table ask of a game.

use crate::{Game, Index, Numbering, Position, Predecessors, ShortNumbering, Value};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::ControlFlow;

/// Where the value of a position is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location<S> {
    /// In the table of a slice, under an index.
    At(S, Index),
    /// Nowhere: the rules say it, or one look does. A taken master has no index.
    Over(Value),
    /// In no table itself: its value is one step over its moves. Chess with an en-passant right is such a position: the right
    /// lasts for one move only, and a number for it would be wasted. Such positions may lead to each other, but not in
    /// circles.
    Through,
    /// In no table, and there will be none, for this reason: it has more than the slices have, or cannot arise in play.
    Beyond(&'static str),
}

/// What a table stores for each index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// The same with the distance to the end in plies.
    Dtm,
    /// The same with the distance to the next irreversible move in plies.
    Dtz,
    /// Expected points.
    Equity,
    /// How likely each of a row of results is, such as the number of turns that a bear-off takes.
    Distribution,
}

impl Metric {
    /// All.
    pub const ALL: [Self; 5] = [Self::Wdl, Self::Dtm, Self::Dtz, Self::Equity, Self::Distribution];

    /// Those that solvers make.
    pub const SOLVED: [Self; 2] = [Self::Wdl, Self::Dtm];

    /// As in file names and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wdl => "wdl",
            Self::Dtm => "dtm",
            Self::Dtz => "dtz",
            Self::Equity => "equity",
            Self::Distribution => "distribution",
        }
    }
}

/// A game whose endings can be solved: slices of positions, each position with a number.
///
/// This is all that a solver asks for. Moves back and a short numbering are traits of their own, which a game may have:
/// [`Predecessors`] and [`ShortNumbering`]. What people choose by is in the [`Catalogue`](crate::Catalogue).
///
/// The laws: `unrank(locate(p)) = canonical(p)`, `locate(unrank(i)) = i`, the predecessors are the inverse of the
/// successors within a batch, and no move leads out of the batch and its [`needs`](Self::needs).
pub trait Endgame: Game + Clone {
    /// Positions that share a file. Its text is part of the file's name.
    type Slice: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// What takes moves back: the game itself, or [`Without`](crate::Without) where moves are only known forward.
    type MovesBack: Predecessors<Self>;

    /// What numbers positions in the short way: the game itself, or [`Without`](crate::Without).
    type Short: ShortNumbering<Self>;

    /// Names the numbering; every table carries it. Another numbering takes another name.
    const INDEX: &'static str;

    /// Do some indices stand for more than one position?
    const FOLDS: bool = false;

    /// The moves back, if the game has them. Without, a solver turns the moves round.
    #[inline]
    fn moves_back(&self) -> Option<&Self::MovesBack> {
        None
    }

    /// The short numbering, if some of its tables have it.
    #[inline]
    fn short(&self) -> Option<&Self::Short> {
        None
    }

    /// The rules under which tables are stored: those of [`rules_id`](Game::rules_id), unless a symmetry makes one
    /// set of tables serve several.
    fn table_rules_id(&self) -> String {
        self.rules_id()
    }

    /// The same game with the options that this position carries.
    fn of_position(&self, position: &Self::Position) -> Self {
        let _ = position;
        self.clone()
    }

    /// All slices in batches, in an order in which each batch needs only those before it and itself.
    fn batches(&self) -> Vec<Vec<Self::Slice>>;

    /// The slices outside its batch that one move from a slice can lead to, also [through](Location::Through) a position
    /// without an index.
    fn needs(&self, slice: Self::Slice) -> Vec<Self::Slice>;

    /// The number of indices of a slice.
    fn size(&self, slice: Self::Slice) -> u64;

    /// The numbering that the table of a slice has: the one with the name [`INDEX`](Self::INDEX), or the
    /// [short](Self::short) one.
    fn numbering(&self, slice: Self::Slice, metric: Metric) -> Numbering {
        let short = self.short().and_then(|short| short.entries(slice, metric));
        match short {
            Some(entries) => Numbering { name: Self::Short::NAME, entries },
            None => Numbering { name: Self::INDEX, entries: self.size(slice) },
        }
    }

    /// Where the value of a position is found.
    fn locate(&self, position: &Self::Position) -> Location<Self::Slice>;

    /// The position with this index; nothing where the number stands for none.
    fn unrank(&self, slice: Self::Slice, index: Index) -> Option<Self::Position>;

    /// How many positions share this one's index, colours folded: 2 where a table folds the mirror and the position
    /// is not its own mirror image. Asked of games that say [`FOLDS`](Self::FOLDS).
    fn multiplicity(&self, position: &Self::Position) -> u64 {
        let _ = position;
        1
    }

    /// Shows where the moves of a position that has an index lead; `visit` may stop the walk. By default every move is
    /// played. A game may give each result once where turns coincide, and leave out what cannot change the value of this
    /// position.
    #[inline]
    fn successors<B>(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Location<Self::Slice>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.visit_moves(|m| visit(self.locate(&position.play_unchecked(m))))
    }

    /// The slice with this name.
    fn slice(&self, name: &str) -> Option<Self::Slice> {
        self.batches().into_iter().flatten().find(|slice| slice.to_string() == name)
    }
}
