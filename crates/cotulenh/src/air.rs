//! Air defence: which points a side covers, and what a plane meets on its way.

use crate::grid::{ByPoint, Direction, Point, PointSet};
use crate::stacks::Stack;

/// The air defence of one side, kept up to date with every stack that comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct AirDefence {
    /// Guns, missiles and ships.
    pub sources: PointSet,
    /// What any of them covers.
    pub zone: PointSet,
}

/// The highest level: a heroic missile.
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

/// What the carrier of a stack covers.
#[inline]
fn zone_of(stack: Stack, point: Point) -> PointSet {
    match stack.carrier().air_defence() {
        0 => PointSet::EMPTY,
        level => ZONES[usize::from(level) - 1][point],
    }
}

impl AirDefence {
    /// The stack on a point became another; `stacks` has the new one already.
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

/// How a plane fares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Air {
    /// Nobody has shot.
    Free,
    /// It is hit: all it can still do is to take something with it.
    Hit,
    /// It never gets here.
    Dead,
}

/// The way of a plane along a ray.
pub(crate) struct Flight<'a> {
    defence: &'a AirDefence,
    stacks: &'a ByPoint<Stack>,
    at: Option<Point>,
    direction: Direction,
    /// The one source in whose zone it is.
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

/// The points that it reaches, and how.
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
