//! The 132 points and what they are made of.

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

/// Only ships stand here.
pub(crate) const DEEP: PointSet = {
    let mut set = PointSet::EMPTY;
    let mut rank = 0;
    while rank < RANKS {
        set = set.with(Point::at(0, rank)).with(Point::at(1, rank));
        rank += 1;
    }
    set
};

/// Anything stands here.
pub(crate) const MIXED: PointSet = {
    let mut set = PointSet::EMPTY;
    let mut rank = 0;
    while rank < RANKS {
        set = set.with(Point::at(2, rank));
        rank += 1;
    }
    set.with(Point::at(3, 5)).with(Point::at(4, 5)).with(Point::at(3, 6)).with(Point::at(4, 6))
};

/// Where ships stand.
pub(crate) const NAVIGABLE: PointSet = union(DEEP, MIXED);

/// Where all others stand.
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

/// On Red's side of the river?
pub(crate) const fn is_south(point: Point) -> bool {
    point.rank() < RANKS / 2
}

/// Something for each point.
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

/// What lies between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub direction: Direction,
    /// How many steps it is long.
    pub distance: u8,
}

impl Line {
    /// No piece but a commander goes or takes farther.
    pub const LONGEST: u8 = 5;

    /// The line from a point to another that is not farther away than [`LONGEST`](Self::LONGEST) in one of the directions:
    /// then the difference of their numbers tells it.
    #[inline]
    pub fn between(from: Point, to: Point) -> Self {
        const MIDDLE: usize = 5 * 16 + 5;
        static LINES: [Line; 2 * MIDDLE + 1] = {
            let mut lines = [Line { direction: Direction::North, distance: 0 }; 2 * MIDDLE + 1];
            let mut d = 0;
            while d < 8 {
                let direction = Direction::ALL[d];
                let (dx, dy) = direction.delta();
                let mut distance = 1;
                while distance <= Line::LONGEST {
                    let difference = (16 * dy as i16 + dx as i16) * distance as i16;
                    lines[(MIDDLE as i16 + difference) as usize] = Line { direction, distance };
                    distance += 1;
                }
                d += 1;
            }
            lines
        };
        LINES[(MIDDLE + to.index()).wrapping_sub(from.index()).min(2 * MIDDLE)]
    }
}

/// The direction from a point to another on the same file or rank.
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

/// Along its file and its rank, from a point up to the first of these each way, and that one.
#[inline]
pub(crate) fn straight_rays(from: Point, stops: PointSet) -> PointSet {
    // Written out, so that each knows its direction.
    PointSet::ray_to(from, Direction::North, stops)
        | PointSet::ray_to(from, Direction::East, stops)
        | PointSet::ray_to(from, Direction::South, stops)
        | PointSet::ray_to(from, Direction::West, stops)
}
