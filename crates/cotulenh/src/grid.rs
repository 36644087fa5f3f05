//! The 132 points and their ground.

use std::ops::{Index, IndexMut};

/// Files of the board, a to k.
pub const FILES: u8 = 11;
/// Ranks of the board, 1 to 12.
pub const RANKS: u8 = 12;

/// A point of the board.
pub type Point = bits::Point<FILES, RANKS>;
/// A set of points.
pub type PointSet = bits::PointSet<FILES, RANKS>;

pub(crate) use bits::Direction;

/// Deep water: only ships stand here.
pub(crate) const DEEP: PointSet = {
    let mut set = PointSet::EMPTY;
    let mut rank = 0;
    while rank < RANKS {
        set = set.with(Point::at(0, rank)).with(Point::at(1, rank));
        rank += 1;
    }
    set
};

/// The shore: all pieces stand here.
pub(crate) const MIXED: PointSet = {
    let mut set = PointSet::EMPTY;
    let mut rank = 0;
    while rank < RANKS {
        set = set.with(Point::at(2, rank));
        rank += 1;
    }
    set.with(Point::at(3, 5)).with(Point::at(4, 5)).with(Point::at(3, 6)).with(Point::at(4, 6))
};

/// The points where ships stand.
pub(crate) const NAVIGABLE: PointSet = union(DEEP, MIXED);

/// The points where all other pieces stand.
pub(crate) const GROUND: PointSet = {
    let (full, deep) = (PointSet::FULL.words(), DEEP.words());
    let mut words = [0; 4];
    let mut i = 0;
    while i < 4 {
        words[i] = full[i] & !deep[i];
        i += 1;
    }
    PointSet::from_words(words).expect("points of the board")
};

const fn union(a: PointSet, b: PointSet) -> PointSet {
    let (a, b) = (a.words(), b.words());
    let words = [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]];
    PointSet::from_words(words).expect("points of the board")
}

/// Returns whether the point is on Red's side of the river.
pub(crate) const fn is_south(point: Point) -> bool {
    point.rank() < RANKS / 2
}

/// One `T` for each point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ByPoint<T>(pub [T; Point::NUMBERS]);

impl<T> Index<Point> for ByPoint<T> {
    type Output = T;

    #[inline]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for ByPoint<T> {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}

/// The ray from one point to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub direction: Direction,
    /// Its length in steps.
    pub distance: u8,
}

impl Ray {
    /// The farthest that a piece moves or captures. Only a commander moves farther.
    pub const LONGEST: u8 = 5;

    /// Returns the ray from one point to another. The other point must be in one of the eight directions and not
    /// farther away than [`LONGEST`](Self::LONGEST). Then the difference of the two numbers determines the ray.
    #[inline]
    pub fn between(from: Point, to: Point) -> Self {
        const MIDDLE: usize = 5 * 16 + 5;
        static RAYS: [Ray; 2 * MIDDLE + 1] = {
            let mut rays = [Ray { direction: Direction::North, distance: 0 }; 2 * MIDDLE + 1];
            let mut d = 0;
            while d < 8 {
                let direction = Direction::ALL[d];
                let (dx, dy) = direction.delta();
                let mut distance = 1;
                while distance <= Ray::LONGEST {
                    let difference = (16 * dy as i16 + dx as i16) * distance as i16;
                    rays[(MIDDLE as i16 + difference) as usize] = Ray { direction, distance };
                    distance += 1;
                }
                d += 1;
            }
            rays
        };
        RAYS[(MIDDLE + to.index()).wrapping_sub(from.index()).min(2 * MIDDLE)]
    }
}

/// Returns the direction from one point to another on the same file or rank. Returns `None` if there is none.
pub(crate) fn straight(from: Point, to: Point) -> Option<Direction> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
        (Equal, Greater) => Some(Direction::North),
        (Equal, Less) => Some(Direction::South),
        (Greater, Equal) => Some(Direction::East),
        (Less, Equal) => Some(Direction::West),
        _ => None,
    }
}

/// The points along the file and rank of a point, in each direction up to the first of `stops`, which is included.
#[inline]
pub(crate) fn straight_rays(from: Point, stops: PointSet) -> PointSet {
    // Written out, so that each direction is a constant for the compiler.
    PointSet::ray_to(from, Direction::North, stops)
        | PointSet::ray_to(from, Direction::East, stops)
        | PointSet::ray_to(from, Direction::South, stops)
        | PointSet::ray_to(from, Direction::West, stops)
}
