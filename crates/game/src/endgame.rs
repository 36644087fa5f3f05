//! Numbered positions: the interface of a game for solvers and tables.

use crate::{BySide, Game, Index, Numbering, Plies, Position, Predecessors, ShortNumbering, Value};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{ControlFlow, Range};

/// Where the value of a position is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location<S> {
    /// In the table of a slice, at an index.
    At(S, Index),
    /// In no table, because the rules give the value or it can be seen without a search. For example, an Onitama
    /// position in which a master was captured has no index.
    Over(Value),
    /// In no table, but the value follows from those of the successors. A chess position with an en-passant right is an
    /// example: the right lasts for one move only, so an index for it would waste space. Such positions may lead to
    /// each other, but not in cycles. If there are no moves, the outcome gives the value.
    Through,
    /// In no table, and there will never be one. The text is the reason: the position has more men than any slice, or
    /// it cannot occur in a game.
    Beyond(&'static str),
}

/// The kind of value that a table stores for each index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Win, draw or loss, with the distance to the end of the game in plies.
    Dtm,
    /// Win, draw or loss, with the distance to the next irreversible move in plies.
    Dtz,
    /// Expected points.
    Equity,
    /// The probabilities of a list of results, such as the numbers of turns that a bear-off takes.
    Distribution,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 5] = [Self::Wdl, Self::Dtm, Self::Dtz, Self::Equity, Self::Distribution];

    /// The metrics of tables of values, the most informative about the end of the game first.
    pub const OF_VALUES: [Self; 3] = [Self::Dtm, Self::Wdl, Self::Dtz];

    /// The name in file names and options.
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

/// A game whose endgames can be solved. Its positions are divided into slices, and each position has an index.
///
/// This is all that a solver needs. Unmoves and a short numbering are optional and have their own traits:
/// [`Predecessors`] and [`ShortNumbering`]. The [`Catalogue`](crate::Catalogue) lets users choose slices.
///
/// The laws: `unrank(locate(p)) = canonical(p)`; `locate(unrank(i)) = i`; the predecessors are the inverse of the
/// successors within a group; every move leads to the same group or to its [`needs`](Self::needs).
pub trait Endgame: Game + Clone + PartialEq {
    /// A set of positions that share a table file. Its text is part of the file name.
    type Slice: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The type that generates unmoves: the game itself, or [`Without`](crate::Without) if the game has no unmoves.
    type Unmoves: Predecessors<Self>;

    /// The type with the short numbering: the game itself, or [`Without`](crate::Without) if there is none.
    type Short: ShortNumbering<Self>;

    /// The name of the numbering, which is stored in every table. If the numbering changes, the name must change.
    const INDEX: &'static str;

    /// True if some indices stand for more than one position.
    const FOLDS: bool = false;

    /// True if play can come back to a position after one [without an index](Location::Through). In chess it cannot: no pawn moves
    /// back.
    const RETURNS_THROUGH: bool = true;

    /// The unmove generator, if the game has one. Otherwise a solver finds the predecessors by inverting all moves.
    #[inline]
    fn unmoves(&self) -> Option<&Self::Unmoves> {
        None
    }

    /// The short numbering, if some tables of the game use it.
    #[inline]
    fn short(&self) -> Option<&Self::Short> {
        None
    }

    /// The name of the rules under which tables are stored. This is [`rules_id`](Game::rules_id), unless several sets
    /// of rules share one set of tables because of a symmetry.
    fn table_rules_id(&self) -> String {
        self.rules_id()
    }

    /// The command that solves a slice with these rules. A game overrides it if the command needs options.
    fn solve_command(&self, slice: Self::Slice) -> String {
        format!("endspiel solve {} {slice}", Self::INFO.name)
    }

    /// The same game with the options that are part of this position.
    fn of_position(&self, position: &Self::Position) -> Self {
        let _ = position;
        self.clone()
    }

    /// All groups of slices, in an order in which each group depends only on itself and earlier groups.
    fn groups(&self) -> Vec<Vec<Self::Slice>>;

    /// The slices of other groups that moves from this slice lead to, directly or [through](Location::Through) positions
    /// without an index.
    fn needs(&self, slice: Self::Slice) -> Vec<Self::Slice>;

    /// The number of indices of a slice.
    fn size(&self, slice: Self::Slice) -> u64;

    /// The digits of the indices of a slice, the slowest first, at most eight. Their product is the [size](Self::size). Positions whose
    /// digits differ little should be alike, because small tables are cut into tiles along the digits. If a table keeps the sides to
    /// move [apart](Self::indices_by_turn), the first digit tells them apart.
    fn digits(&self, slice: Self::Slice) -> Vec<u64> {
        vec![self.size(slice)]
    }

    /// The numbering that the table of a slice uses: the one with the name [`INDEX`](Self::INDEX), or the
    /// [short](Self::short) one.
    fn numbering(&self, slice: Self::Slice, metric: Metric) -> Numbering {
        let short = self.short().and_then(|short| short.entries(slice, metric));
        match short {
            Some(entries) => Numbering { name: Self::Short::NAME, entries },
            None => Numbering { name: Self::INDEX, entries: self.size(slice) },
        }
    }

    /// Returns where the value of a position is found.
    fn locate(&self, position: &Self::Position) -> Location<Self::Slice>;

    /// Returns the position with this index, or `None` if the index is a hole.
    fn unrank(&self, slice: Self::Slice, index: Index) -> Option<Self::Position>;

    /// The indices of the positions with each side to move, if a table keeps them apart. They may be the same: then the values
    /// with one side to move are those with the other. `None` if a table is seen by the side to move.
    fn indices_by_turn(&self, slice: Self::Slice) -> Option<BySide<Range<u64>>> {
        let _ = slice;
        None
    }

    /// The number of positions that share the index of this one. Positions with exchanged colours are counted once. It
    /// is 2 if a table folds mirror images and the position is not its own mirror image. Only called if
    /// [`FOLDS`](Self::FOLDS) is true.
    fn multiplicity(&self, position: &Self::Position) -> u64 {
        let _ = position;
        1
    }

    /// The number of positions that share an index with a position. A game overrides it if it can tell this without the
    /// position.
    fn multiplicity_at(&self, slice: Self::Slice, index: Index) -> u64 {
        self.unrank(slice, index).map_or(1, |position| self.multiplicity(&position))
    }

    /// Returns whether the player who makes this move can never take it back by later moves. [`Metric::Dtz`] counts the
    /// plies to such moves.
    fn is_irreversible(&self, position: &Self::Position, m: <Self::Position as Position>::Move) -> bool {
        let _ = (position, m);
        false
    }

    /// The most plies to an irreversible move within which a win counts, if the rules have such a limit: the 50-move rule of
    /// chess.
    fn irreversible_within(&self) -> Option<Plies> {
        None
    }

    /// What an irreversible move promises that leads to this value, with the distance that [`Metric::Dtz`] counts. The count begins
    /// again with the move. So the distance is one ply, or, if the value behind the move does not count any more, one more than
    /// the [limit](Self::irreversible_within).
    fn before_irreversible(&self, after: Value) -> Value {
        let limit = self.irreversible_within();
        let restarted = |plies: Plies| limit.filter(|limit| plies > *limit).map_or(Plies(1), Plies::next);
        match after {
            Value::Win(plies) => Value::Loss(restarted(plies)),
            Value::Loss(plies) => Value::Win(restarted(plies)),
            Value::Draw => Value::Draw,
        }
    }

    /// Calls `visit` with the location of every successor of a position that has an index. `visit` can stop the
    /// iteration. The default plays every move. A game may report the same successor only once, and may leave out
    /// successors that cannot change the value of the position. Of a successor that wins at once it may report this value,
    /// [`Over`](Location::Over), although it has an index. Then it is not the successor of any position for
    /// [`Predecessors`].
    #[inline]
    fn successors<B>(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Location<Self::Slice>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.visit_moves(|m| visit(self.locate(&position.play_unchecked(m))))
    }

    /// Calls `visit` with every successor of a position that is in another group or over, such as those after captures. `visit` can
    /// stop the iteration. It may also be called with other successors: the default plays every move.
    #[inline]
    fn conversions<B>(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(&Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.visit_moves(|m| visit(&position.play_unchecked(m)))
    }

    /// Returns the slice with this name, if there is one.
    fn slice(&self, name: &str) -> Option<Self::Slice> {
        self.groups().into_iter().flatten().find(|slice| slice.to_string() == name)
    }
}
