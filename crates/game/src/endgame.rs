//! Positions as numbers: what a solver and a table ask of a game.

use crate::{Game, GameOption, Options, Position, Value};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::ControlFlow;

/// The number of a position within its slice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u64);

/// Where the value of a position is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location<S> {
    /// In the table of a slice, under an index.
    At(S, Index),
    /// Nowhere: the rules say it, or one look does. A taken master has no index.
    Over(Value),
    /// In no table itself, since no move of a solved position leads here: its value is one step over its moves.
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
}

impl Metric {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtm];

    /// As in file names and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wdl => "wdl",
            Self::Dtm => "dtm",
        }
    }
}

/// A numbering of the positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    /// Its name, which the tables carry.
    pub name: &'static str,
    /// How many numbers there are.
    pub entries: u64,
}

/// A game whose endings can be solved: slices of positions, each position with a number.
///
/// The laws: `unrank(locate(p)) = canonical(p)`, `locate(unrank(i)) = i`, and the predecessors are the inverse of the
/// successors within a batch.
pub trait Endgame: Game + Clone {
    /// Positions that share a file. Its text is part of the file's name.
    type Slice: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// Names the numbering; every table carries it. Another numbering takes another name.
    const INDEX: &'static str;

    /// An option that stands for many slices, such as `--men 4`.
    const SELECTOR: Option<GameOption> = None;

    /// Whether [`predecessors`](Self::predecessors) is there.
    const HAS_PREDECESSORS: bool = false;

    /// Do some indices stand for more than one position?
    const FOLDS: bool = false;

    /// Options for each of the rules that have tables of their own, of a game that has many; else nothing.
    fn all_rules() -> Vec<Options> {
        Vec::new()
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

    /// The slices outside its batch that one move from a slice can lead to.
    fn needs(&self, slice: Self::Slice) -> Vec<Self::Slice>;

    /// Slices that are solved within seconds: what a newcomer gets first.
    fn starter(&self) -> Vec<Self::Slice>;

    /// The slices that the value of the [`SELECTOR`](Self::SELECTOR) stands for; nothing if it is no such value.
    fn select(&self, value: &str) -> Option<Vec<Self::Slice>> {
        let _ = value;
        None
    }

    /// The number of indices of a slice.
    fn size(&self, slice: Self::Slice) -> u64;

    /// The numbering that the table of a slice has: the one with the name [`INDEX`](Self::INDEX), or a *short* one
    /// that leaves out positions which win at once. Only a solver of the game's own fills tables that have a short one.
    fn numbering(&self, slice: Self::Slice, metric: Metric) -> Numbering {
        let _ = metric;
        Numbering { name: Self::INDEX, entries: self.size(slice) }
    }

    /// The number in the short numbering of a slice that has one; nothing if the side to move wins at once.
    /// Not asked about other slices.
    fn short_index(&self, slice: Self::Slice, index: Index) -> Option<Index> {
        let _ = (slice, index);
        unimplemented!("a game whose tables have a short numbering gives it");
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

    /// Shows where the moves lead, always [`At`](Location::At) or [`Over`](Location::Over) from a position that is `At`;
    /// `visit` may stop the walk. By default every move is played. A game may give each
    /// result once where turns coincide, and leave out what cannot change the value of this position.
    #[inline]
    fn successors<B>(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Location<Self::Slice>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.visit_moves(|m| visit(self.locate(&position.play_unchecked(m))))
    }

    /// Shows every index of the same batch from which a move leads here, some perhaps more than once. Positions that
    /// win at once may be left out: they have nothing to learn.
    fn predecessors(&self, position: &Self::Position, visit: impl FnMut(Self::Slice, Index)) {
        let _ = (position, visit);
        unimplemented!("a game that says HAS_PREDECESSORS gives them");
    }

    /// The slice with this name.
    fn slice(&self, name: &str) -> Option<Self::Slice> {
        self.batches().into_iter().flatten().find(|slice| slice.to_string() == name)
    }
}
