//! The eight directions on a board.

/// One of the eight directions. North is up the board and east is to the right.
///
/// ```
/// use endspiel_bits::Direction;
///
/// assert_eq!(Direction::NorthWest.delta(), (-1, 1));
/// assert_eq!(Direction::NorthWest.reversed(), Direction::SouthEast);
/// let straight = Direction::ALL.into_iter().filter(|direction| !direction.is_diagonal());
/// assert_eq!(straight.count(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it all
pub enum Direction {
    North,
    East,
    South,
    West,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    /// All eight directions. Those along files and ranks come first.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::NorthWest,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// Returns the results of `f` for each direction, in the order of [`ALL`](Self::ALL).
    ///
    /// The eight calls are written out, so the compiler knows the direction of each call. In a loop, a large `f` would
    /// have to branch on the direction at run time.
    ///
    /// ```
    /// # use endspiel_bits::{Direction, PointSet};
    /// let queen = "d4".parse()?;
    /// let rays = Direction::each(|direction| PointSet::<8, 8>::ray_to(queen, direction, PointSet::EMPTY));
    /// assert_eq!(PointSet::total(&rays), 27);
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    #[inline]
    pub fn each<T>(f: impl Fn(Self) -> T) -> [T; 8] {
        let [a, b, c, d, e, g, h, i] = Self::ALL;
        [f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i)]
    }

    /// The step in this direction: files to the right, ranks up.
    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
        }
    }

    /// True if the direction runs along neither a file nor a rank.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Self::NorthEast as u8
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::NorthEast => Self::SouthWest,
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
        }
    }
}
