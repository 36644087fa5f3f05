//! The entry of a table for one index.

use game::{Metric, Plies, Value, Wdl};

/// The entry of a table for one index, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entry {
    /// The index stands for no position.
    Nothing,
    /// The side to move is beaten. The entry has a distance unless the table stores no distances.
    Loss(Option<Plies>),
    /// Neither side can force a win.
    Draw,
    /// The side to move wins. The entry has a distance unless the table stores no distances.
    Win(Option<Plies>),
    /// The side to move does not win. The values after its moves tell whether that is a loss or a draw. A table that
    /// does not store the difference takes one bit per position.
    NotWon,
    /// The side to move loses by a rule, such as the rule on perpetual check. It is not beaten on the board, so no table
    /// stores a distance.
    LossByRule,
    /// The side to move wins by a rule. No table stores a distance.
    WinByRule,
}

impl Entry {
    /// The entry of a value in a table of this metric. `None` gives [`Nothing`](Self::Nothing), the entry of an index
    /// without a position.
    pub fn new(value: Option<Value>, metric: Metric) -> Self {
        match (value, metric) {
            (None, _) => Self::Nothing,
            (Some(value), Metric::Wdl) => value.wdl().into(),
            (Some(value), _) => value.into(),
        }
    }

    /// Win, draw or loss. Returns `None` for [`Nothing`](Self::Nothing) and [`NotWon`](Self::NotWon).
    #[inline]
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Nothing | Self::NotWon => None,
            Self::Loss(_) | Self::LossByRule => Some(Wdl::Loss),
            Self::Draw => Some(Wdl::Draw),
            Self::Win(_) | Self::WinByRule => Some(Wdl::Win),
        }
    }

    /// Returns whether this is a win or loss by a rule, which has no distance.
    #[inline]
    pub fn is_by_rule(self) -> bool {
        matches!(self, Self::LossByRule | Self::WinByRule)
    }

    /// The distance, if the entry has one. It counts the plies to the end of the game, or to the next irreversible move
    /// in a table of [`Metric::Dtz`].
    #[inline]
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Loss(plies) | Self::Win(plies) => plies,
            Self::Nothing | Self::Draw | Self::NotWon | Self::LossByRule | Self::WinByRule => None,
        }
    }

    /// The value of the position. Returns `None` if there is no position, or if the entry lacks a part of the value. A
    /// win or loss by rule cannot be expressed as a [`Value`].
    #[inline]
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Loss(Some(plies)) => Some(Value::Loss(plies)),
            Self::Win(Some(plies)) => Some(Value::Win(plies)),
            Self::Draw => Some(Value::Draw),
            Self::Nothing | Self::Loss(None) | Self::Win(None) | Self::NotWon => None,
            Self::LossByRule | Self::WinByRule => None,
        }
    }

    /// Returns whether a table of this metric can hold the entry. The metric decides whether wins and losses have a
    /// distance; those by rule never have one. A distance of 65,535 plies is not allowed: the file uses this number for
    /// "none".
    pub(crate) fn fits(self, metric: Metric) -> bool {
        let with_distance = match metric {
            Metric::Wdl => false,
            Metric::Dtm | Metric::Dtz => true,
            Metric::Equity | Metric::Distribution => return false,
        };
        match self {
            Self::Nothing | Self::Draw | Self::LossByRule | Self::WinByRule => true,
            Self::Loss(None) | Self::Win(None) | Self::NotWon => !with_distance,
            Self::Loss(Some(plies)) | Self::Win(Some(plies)) => with_distance && plies.0 != u16::MAX,
        }
    }
}

impl From<Value> for Entry {
    #[inline]
    fn from(value: Value) -> Self {
        match value {
            Value::Loss(plies) => Self::Loss(Some(plies)),
            Value::Draw => Self::Draw,
            Value::Win(plies) => Self::Win(Some(plies)),
        }
    }
}

impl From<Wdl> for Entry {
    #[inline]
    fn from(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Loss(None),
            Wdl::Draw => Self::Draw,
            Wdl::Win => Self::Win(None),
        }
    }
}
