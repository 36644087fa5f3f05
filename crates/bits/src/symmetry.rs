//! The symmetries of a board: rotation by 180 degrees, mirror image, and both together.

use crate::{Geometry, Square, SquareSet};

/// A symmetry of a rectangle other than the identity.
///
/// ```
/// use endspiel_bits::Symmetry;
///
/// let image = |symmetry: Symmetry| symmetry.apply((1, 2), |(x, y)| (-x, -y), |(x, y)| (-x, y));
/// assert_eq!(Symmetry::ALL.map(image), [(-1, -2), (-1, 2), (1, -2)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Turns the board by 180 degrees, as the other side of the table sees it.
    Rotate,
    /// Exchanges left and right.
    Mirror,
    /// Does both, which exchanges up and down.
    RotateMirror,
}

impl Symmetry {
    /// All three symmetries.
    pub const ALL: [Self; 3] = [Self::Rotate, Self::Mirror, Self::RotateMirror];

    /// True if the symmetry exchanges the near and the far side of the board.
    #[inline]
    pub const fn swaps_sides(self) -> bool {
        !matches!(self, Self::Mirror)
    }

    /// Returns the image of a value, given functions that rotate it and mirror it.
    #[inline]
    pub fn apply<T>(self, value: T, rotate: impl FnOnce(T) -> T, mirror: impl FnOnce(T) -> T) -> T {
        match self {
            Self::Rotate => rotate(value),
            Self::Mirror => mirror(value),
            Self::RotateMirror => mirror(rotate(value)),
        }
    }
}

impl<G: Geometry> Square<G> {
    /// The image of the square under a symmetry.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        symmetry.apply(self, Self::rotate, Self::mirror)
    }
}

impl<G: Geometry> SquareSet<G> {
    /// The image of the set under a symmetry.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        symmetry.apply(self, Self::rotated, Self::mirrored)
    }
}
