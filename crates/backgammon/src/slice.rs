//! The endgames that are solved: bear-offs, hypergammon, and contact with few checkers left. Each is a table.

use crate::board::CHECKERS;
use crate::terms::Variant;
use std::fmt;
use std::str::FromStr;

/// The endgames of one table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slice {
    /// Both sides bear off up to so many checkers from their home boards. Expected points, without the cube: `6x6-cubeless`.
    TwoSided {
        /// The most checkers of a side, 1 to 15.
        checkers: u8,
    },
    /// The same with the cube: one number each for no cube, an own cube, a centred cube, the opponent's cube. `6x6`.
    Cubeful {
        /// The most checkers of a side, 1 to 10.
        checkers: u8,
    },
    /// One side bears off up to fifteen checkers from its first points: in how many rolls, and in how many the first of
    /// fifteen. `os6x15`.
    OneSided {
        /// The points from which checkers are borne off, 1 to 10.
        points: u8,
    },
    /// Hypergammon: each side has so many checkers in all, which are on the board, on the bar, or off. `hyper3`.
    Hyper {
        /// The checkers of a side, 1 to 3.
        checkers: u8,
    },
    /// Backgammon in which each side has so many checkers left at most, anywhere. Nobody can lose a gammon. `left3`.
    Left {
        /// The most checkers of a side, 1 to 3.
        checkers: u8,
    },
}

impl Slice {
    /// The variant of the game in which its positions occur.
    pub fn variant(self) -> Variant {
        let of = |most| Variant::ALL.into_iter().find(|variant| variant.checkers() == most);
        match self {
            Self::Hyper { checkers } => of(checkers).unwrap_or_default(),
            _ => Variant::Standard,
        }
    }

    /// Returns whether a side can lose a gammon. With fewer than fifteen checkers in all, it has borne off one before.
    pub const fn has_gammons(self) -> bool {
        match self {
            Self::TwoSided { checkers } => checkers == CHECKERS,
            Self::OneSided { .. } | Self::Hyper { .. } => true,
            Self::Cubeful { .. } | Self::Left { .. } => false,
        }
    }

    /// All slices, in an order in which each comes after those that it needs.
    pub fn all() -> impl Iterator<Item = Self> {
        let cubeless = (1..=15).map(|checkers| Self::TwoSided { checkers });
        let cubeful = (1..=10).map(|checkers| Self::Cubeful { checkers });
        let one_sided = (1..=10).map(|points| Self::OneSided { points });
        let hyper = (1..=3).map(|checkers| Self::Hyper { checkers });
        let left = (1..=3).map(|checkers| Self::Left { checkers });
        one_sided.chain(cubeless).chain(cubeful).chain(hyper).chain(left)
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoSided { checkers } => write!(f, "6x{checkers}-cubeless"),
            Self::Cubeful { checkers } => write!(f, "6x{checkers}"),
            Self::OneSided { points } => write!(f, "os{points}x15"),
            Self::Hyper { checkers } => write!(f, "hyper{checkers}"),
            Self::Left { checkers } => write!(f, "left{checkers}"),
        }
    }
}

/// The error for a text that names no slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no such endgame")]
pub struct NoSlice;

impl FromStr for Slice {
    type Err = NoSlice;

    /// Reads a name. There is no cube above ten checkers, so that `6x15` is `6x15-cubeless`.
    fn from_str(name: &str) -> Result<Self, NoSlice> {
        let found = Self::all().find(|slice| slice.to_string() == name);
        found
            .or_else(|| Self::all().find(|slice| slice.to_string() == format!("{name}-cubeless")))
            .ok_or(NoSlice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for slice in Slice::all() {
            assert_eq!(slice.to_string().parse(), Ok(slice));
        }
        assert_eq!("6x15".parse(), Ok(Slice::TwoSided { checkers: 15 }));
        assert_eq!("6x6".parse(), Ok(Slice::Cubeful { checkers: 6 }));
        for wrong in ["", "6x0", "6x16", "os0x15", "os11x15", "os6x14", "hyper4", "7x6", "6x06", "6x6 "] {
            assert_eq!(wrong.parse::<Slice>(), Err(NoSlice), "{wrong}");
        }
    }
}
