//! What a table says about one index.

use game::{Metric, Plies, Value, Wdl};

/// What a table says about one index, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entry {
    /// The index stands for no position.
    Nothing,
    /// The side to move is beaten. The distance is there unless the table leaves distances out.
    Loss(Option<Plies>),
    /// Neither can force a win.
    Draw,
    /// The side to move wins; the distance as with a loss.
    Win(Option<Plies>),
    /// The side to move does not win. Whether that is a loss or a draw, one step over the moves tells: a table that
    /// leaves it out takes one bit per position.
    NotWon,
    /// The side to move loses by a rule, such as that on perpetual check, and not by being beaten: there is no distance,
    /// in any table.
    LossByRule,
    /// The side to move wins by a rule.
    WinByRule,
}

impl Entry {
    /// The entry of a position in a table of this metric; of an index that stands for no position if there is
    /// no value.
    pub fn new(value: Option<Value>, metric: Metric) -> Self {
        match (value, metric) {
            (None, _) => Self::Nothing,
            (Some(value), Metric::Wdl) => value.wdl().into(),
            (Some(value), _) => value.into(),
        }
    }

    /// Win, draw or loss, if there is a position and the entry tells: [`NotWon`](Self::NotWon) does not.
    #[inline]
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Nothing | Self::NotWon => None,
            Self::Loss(_) | Self::LossByRule => Some(Wdl::Loss),
            Self::Draw => Some(Wdl::Draw),
            Self::Win(_) | Self::WinByRule => Some(Wdl::Win),
        }
    }

    /// Is it a win or loss by a rule, which has no distance?
    #[inline]
    pub fn is_by_rule(self) -> bool {
        matches!(self, Self::LossByRule | Self::WinByRule)
    }

    /// The distance, where it is known: to the end, or in a table of [`Metric::Dtz`] to the next irreversible move.
    #[inline]
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Loss(plies) | Self::Win(plies) => plies,
            Self::Nothing | Self::Draw | Self::NotWon | Self::LossByRule | Self::WinByRule => None,
        }
    }

    /// The value, if there is a position and the entry tells all of it. A win or loss by rule is no [`Value`].
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

    /// Can a table of this metric hold it? Distances are in all of its wins and losses but those by rule, or in none;
    /// and 65,535 plies, which the file uses for "none", is one too far.
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
