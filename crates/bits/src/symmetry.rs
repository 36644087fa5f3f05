//! The ways to look at a board: from the other side, in a mirror, and both.

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
    /// The board turned by 180 degrees, as the other side of the table sees it.
    Rotate,
    /// Left and right exchanged.
    Mirror,
    /// Both: up and down exchanged.
    RotateMirror,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rotate, Self::Mirror, Self::RotateMirror];

    /// Does it exchange the near and the far side of the board?
    #[inline]
    pub const fn swaps_sides(self) -> bool {
        !matches!(self, Self::Mirror)
    }

    /// The image of something that can be turned and mirrored.
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
    /// The square as the symmetry shows it.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        symmetry.apply(self, Self::rotate, Self::mirror)
    }
}

impl<G: Geometry> SquareSet<G> {
    /// The set as the symmetry shows it.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        symmetry.apply(self, Self::rotated, Self::mirrored)
    }
}
