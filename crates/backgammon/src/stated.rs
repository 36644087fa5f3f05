//! A position as its text states it, before the options of the game complete it.

use crate::cube::{Cube, Doublings};
use crate::dice::Roll;
use crate::terms::Stakes;
use game::{BySide, Side};

/// A position as a text states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stated {
    /// The checkers of each side on its own [`Canonical`](crate::Canonical) places.
    pub(crate) checkers: BySide<[u8; 25]>,
    /// The side that rolls, has rolled or has doubled.
    pub(crate) on_roll: Side,
    pub(crate) table: Table,
    pub(crate) cube: Cube,
    /// The stakes, or `None` if the text does not state them.
    pub(crate) stakes: Option<Stakes>,
    /// The limit of the cube, or `None` if the text does not state it.
    pub(crate) cube_limit: Option<Doublings>,
}

/// Whether there are dice or a double.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Table {
    /// No dice have been rolled.
    Bare,
    /// No dice have been rolled, but a double is offered.
    Doubled,
    /// The dice have been rolled.
    Rolled(Roll),
}
