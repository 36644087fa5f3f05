//! The men of a table: how many of each kind each side has.

use chess::{Board, Kind};
use game::{BySide, Side};
use std::fmt;
use std::str::FromStr;

/// The largest number of men in a Syzygy table, kings included.
pub const MOST_MEN: u32 = 7;

/// How many men of each kind the two sides have, kings included. The first side is the one that the name of a table puts
/// first; in a file it plays White.
///
/// ```
/// use endspiel_syzygy::Material;
///
/// let material: Material = "KQvKR".parse()?;
/// assert_eq!(material.men(), 4);
/// assert_eq!(material.swapped().to_string(), "KRvKQ");
/// assert_eq!(material.swapped().canonical(), material, "the stronger side comes first");
/// # Ok::<(), endspiel_syzygy::NoMaterial>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// Four bits for each side and kind, without the kings: first side, then second side; each from the pawn to the queen.
    key: u64,
}

/// The error for a text that is not the name of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a table such as KQvKR, with a king on each side and up to {MOST_MEN} men")]
pub struct NoMaterial;

/// The bits of one side.
const SIDE_BITS: u32 = 20;

const fn shift(side: Side, kind: Kind) -> u32 {
    side as u32 * SIDE_BITS + 4 * kind as u32
}

impl Material {
    /// The men on a board, with White as the first side. A board with more than 15 men of a kind has no valid material;
    /// probing refuses such boards before.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut key = 0;
        for side in Side::ALL {
            for kind in Kind::STRONGEST_FIRST {
                key |= u64::from(board.of(side, kind).len()) << shift(side, kind);
            }
        }
        Self { key }
    }

    /// A number that only this material has.
    #[inline]
    pub(crate) const fn key(self) -> u64 {
        self.key
    }

    /// The number of men of a side and kind.
    pub const fn count(self, side: Side, kind: Kind) -> u32 {
        match kind {
            Kind::King => 1,
            _ => (self.key >> shift(side, kind)) as u32 & 15,
        }
    }

    /// The number of all men, kings included.
    pub fn men(self) -> u32 {
        Side::ALL.into_iter().flat_map(|side| Kind::ALL.map(|kind| self.count(side, kind))).sum()
    }

    /// Returns whether there are pawns.
    pub fn has_pawns(self) -> bool {
        Side::ALL.into_iter().any(|side| self.count(side, Kind::Pawn) > 0)
    }

    /// Returns whether both sides have the same men.
    pub const fn is_symmetric(self) -> bool {
        self.key == self.swapped().key
    }

    /// Returns whether a side has exactly one man of some kind, apart from its king.
    pub(crate) fn has_single_man(self) -> bool {
        Side::ALL
            .into_iter()
            .any(|side| Kind::STRONGEST_FIRST.iter().any(|&kind| self.count(side, kind) == 1))
    }

    /// The same men with the sides exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        let first = self.key & ((1 << SIDE_BITS) - 1);
        Self { key: self.key >> SIDE_BITS | first << SIDE_BITS }
    }

    /// The material in the order of the file names: the side with more men comes first, and with equal numbers the side
    /// with the stronger men.
    #[must_use]
    pub fn canonical(self) -> Self {
        let strength = |side| {
            let counts = Kind::STRONGEST_FIRST.map(|kind| self.count(side, kind));
            (counts.iter().sum::<u32>(), counts)
        };
        if strength(Side::First) >= strength(Side::Second) { self } else { self.swapped() }
    }
}

/// Writes the name of the table: `KQvKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, start) in [(Side::First, "K"), (Side::Second, "vK")] {
            f.write_str(start)?;
            for kind in Kind::STRONGEST_FIRST {
                (0..self.count(side, kind)).try_for_each(|_| write!(f, "{}", kind.letter()))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads a name as `Display` writes it.
impl FromStr for Material {
    type Err = NoMaterial;

    fn from_str(text: &str) -> Result<Self, NoMaterial> {
        if text.len() > MOST_MEN as usize + 1 {
            return Err(NoMaterial);
        }
        let (first, second) = text.split_once('v').ok_or(NoMaterial)?;
        let sides = BySide { first, second };
        let mut key = 0;
        for side in Side::ALL {
            for letter in sides[side].strip_prefix('K').ok_or(NoMaterial)?.chars() {
                let kind = Kind::STRONGEST_FIRST
                    .into_iter()
                    .find(|kind| kind.letter() == letter)
                    .ok_or(NoMaterial)?;
                key += 1 << shift(side, kind);
            }
        }
        let material = Self { key };
        if material.to_string() == text { Ok(material) } else { Err(NoMaterial) }
    }
}
