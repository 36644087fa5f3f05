//! Air defence: the points that a side covers, and how a plane flies through them.

use crate::grid::{ByPoint, Direction, Point, PointSet};
use crate::stacks::Stack;

/// The air defence of one side, kept up to date with every stack that comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct AirDefence {
    /// The points of guns, missiles and ships that are not carried.
    pub sources: PointSet,
    /// All points that one of them covers.
    pub zone: PointSet,
}

/// The highest level, that of a heroic missile.
const LEVELS: usize = 3;

/// `ZONES[level - 1][point]`: the points no farther away than the level.
static ZONES: [ByPoint<PointSet>; LEVELS] = {
    let mut zones = [ByPoint([PointSet::EMPTY; Point::NUMBERS]); LEVELS];
    let mut i = 0;
    while i < LEVELS * Point::NUMBERS {
        let (level, source) = (i / Point::NUMBERS + 1, i % Point::NUMBERS);
        if let Some(center) = Point::from_index(source as u8) {
            let reach = level as i8;
            let mut dx = -reach;
            while dx <= reach {
                let mut dy = -reach;
                while dy <= reach {
                    if let Some(point) = center.offset(dx, dy)
                        && dx * dx + dy * dy <= reach * reach
                    {
                        zones[level - 1].0[source] = zones[level - 1].0[source].with(point);
                    }
                    dy += 1;
                }
                dx += 1;
            }
        }
        i += 1;
    }
    zones
};

/// The points that the carrier of a stack covers.
#[inline]
fn zone_of(stack: Stack, point: Point) -> PointSet {
    match stack.carrier().air_defence() {
        0 => PointSet::EMPTY,
        level => ZONES[usize::from(level) - 1][point],
    }
}

impl AirDefence {
    /// Updates the air defence after the stack on a point has changed. `stacks` already has the new stack.
    #[inline]
    pub fn change(&mut self, point: Point, before: Stack, after: Stack, stacks: &ByPoint<Stack>) {
        let level = |stack: Stack| if stack.is_empty() { 0 } else { stack.carrier().air_defence() };
        if level(before) == level(after) {
            return;
        }
        if level(before) > 0 {
            self.sources.remove(point);
            self.zone = self
                .sources
                .iter()
                .fold(PointSet::EMPTY, |zone, source| zone | zone_of(stacks[source], source));
        }
        if level(after) > 0 {
            self.sources.insert(point);
            self.zone |= zone_of(after, point);
        }
    }
}

/// The state of a plane in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Air {
    /// No air defence has hit it.
    Free,
    /// One source covers it: it can still capture here, but is then lost.
    Hit,
    /// It does not reach this point.
    Dead,
}

/// The flight of a plane along a ray.
pub(crate) struct Flight<'a> {
    defence: &'a AirDefence,
    stacks: &'a ByPoint<Stack>,
    at: Option<Point>,
    direction: Direction,
    /// The one source that has hit it.
    shot_by: Option<Point>,
}

impl<'a> Flight<'a> {
    pub fn new(
        defence: &'a AirDefence,
        stacks: &'a ByPoint<Stack>,
        from: Point,
        direction: Direction,
    ) -> Self {
        Self { defence, stacks, at: Some(from), direction, shot_by: None }
    }
}

/// Yields the points along the ray with the state of the plane.
impl Iterator for Flight<'_> {
    type Item = (Point, Air);

    fn next(&mut self) -> Option<(Point, Air)> {
        self.at = self.at?.next(self.direction);
        let point = self.at?;
        let is_covered = self.defence.zone.contains(point);
        if is_covered {
            for source in self.defence.sources {
                let covers = zone_of(self.stacks[source], source).contains(point);
                if covers && *self.shot_by.get_or_insert(source) != source {
                    return Some((point, Air::Dead));
                }
            }
        }
        Some((
            point,
            match (self.shot_by, is_covered) {
                (None, _) => Air::Free,
                (Some(_), true) => Air::Hit,
                (Some(_), false) => Air::Dead,
            },
        ))
    }
}
