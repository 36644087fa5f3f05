//! What a text says of a position, before the game adds what it does not say.

use crate::cube::{Cube, Doublings};
use crate::dice::Roll;
use crate::terms::Stakes;
use game::{BySide, Side};

/// A position as a text has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stated {
    /// The checkers of each side on its own [`Canonical`](crate::Canonical) places.
    pub(crate) checkers: BySide<[u8; 25]>,
    /// Who rolls, has rolled or has doubled.
    pub(crate) on_roll: Side,
    pub(crate) table: Table,
    pub(crate) cube: Cube,
    /// What it is played for, if that is said.
    pub(crate) stakes: Option<Stakes>,
    /// How far the cube goes, if that is said.
    pub(crate) cube_limit: Option<Doublings>,
}

/// What lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Table {
    /// No dice yet.
    Bare,
    /// No dice, but the cube is offered.
    Doubled,
    /// Dice.
    Rolled(Roll),
}
