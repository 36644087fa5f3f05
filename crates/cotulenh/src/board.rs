//! What stands where, who attacks whom, and what a group may do.

use crate::grid::{Direction, GRID, Point};
use crate::pieces::{Kind, Piece, Stack};
use game::{BySide, Side};
use std::ops::ControlFlow;

/// The stacks on their points.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    stacks: BySide<[Stack; GRID]>,
    commanders: BySide<Option<Point>>,
}

/// What a group does on a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// It goes there, and nobody is there.
    Move,
    /// It takes what is there and stands in its place.
    Capture,
    /// It takes what is there and stays where it is.
    StayCapture,
    /// It takes what is there and is lost itself.
    SuicideCapture,
    /// It joins what is there.
    Combine,
}

impl Sign {
    /// Its sign in the text of a turn.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Move => "",
            Self::Capture => "x",
            Self::StayCapture => "_",
            Self::SuicideCapture => "@",
            Self::Combine => "&",
        }
    }

    /// Is something taken?
    #[inline]
    pub const fn takes(self) -> bool {
        matches!(self, Self::Capture | Self::StayCapture | Self::SuicideCapture)
    }
}

/// A point that is defended against planes, and how far around it.
type AirDefence = (Point, u8);

/// What a plane meets on its way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Air {
    Free,
    Hit,
    Dead,
}

/// The way of a plane through air defences.
struct Flight<'a> {
    defences: &'a [AirDefence],
    /// The one whose zone it is in, or was.
    entered: Option<Point>,
}

impl Flight<'_> {
    /// What it is like there, after the points before.
    fn to(&mut self, point: Point) -> Air {
        let mut is_covered = false;
        for &(source, level) in self.defences {
            if source.distance_squared(point) <= u32::from(level) * u32::from(level) {
                is_covered = true;
                if *self.entered.get_or_insert(source) != source {
                    return Air::Dead;
                }
            }
        }
        match (self.entered, is_covered) {
            (None, _) => Air::Free,
            (Some(_), true) => Air::Hit,
            (Some(_), false) => Air::Dead,
        }
    }
}

impl Board {
    /// No stack at all.
    pub const EMPTY: Self = Self {
        stacks: BySide { first: [Stack::EMPTY; GRID], second: [Stack::EMPTY; GRID] },
        commanders: BySide { first: None, second: None },
    };

    /// What a side has on a point.
    #[inline]
    pub fn of(&self, side: Side, point: Point) -> Stack {
        self.stacks[side][point.index()]
    }

    /// What stands on a point, and whose it is.
    pub fn at(&self, point: Point) -> Option<(Side, Stack)> {
        Side::ALL.into_iter().map(|side| (side, self.of(side, point))).find(|(_, stack)| !stack.is_empty())
    }

    /// Is nothing there?
    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.of(Side::First, point).is_empty() && self.of(Side::Second, point).is_empty()
    }

    /// Where a side's commander is.
    pub fn commander(&self, side: Side) -> Option<Point> {
        self.commanders[side]
    }

    /// Puts a stack there, or nothing.
    pub(crate) fn set(&mut self, side: Side, point: Point, stack: Stack) {
        self.stacks[side][point.index()] = stack;
        if stack.has(Kind::Commander) {
            self.commanders[side] = Some(point);
        } else if self.commanders[side] == Some(point) {
            self.commanders[side] = None;
        }
    }

    /// The stacks of a side.
    pub(crate) fn stacks(&self, side: Side) -> impl Iterator<Item = (Point, Stack)> {
        Point::all().map(move |point| (point, self.of(side, point))).filter(|(_, stack)| !stack.is_empty())
    }

    /// The air defences of a side.
    pub(crate) fn air_defences(&self, side: Side) -> Vec<AirDefence> {
        let defence = |(point, stack): (Point, Stack)| {
            let Piece { kind, is_heroic } = stack.carrier();
            let level = kind.air_defence();
            (level > 0).then_some((point, level + u8::from(is_heroic)))
        };
        self.stacks(side).filter_map(defence).collect()
    }

    /// Shows what a group of this side that stands there may do: with its stack, or in a deployment without the rest of it.
    pub(crate) fn actions<B>(
        &self,
        side: Side,
        from: Point,
        group: Stack,
        is_deployed: bool,
        defences: &[AirDefence],
        visit: &mut impl FnMut(Sign, Point) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let carrier = group.carrier();
        Direction::ALL
            .into_iter()
            .filter(|&direction| !direction.is_diagonal() || carrier.goes_diagonally())
            .try_for_each(|direction| {
                self.actions_along(side, from, group, is_deployed, defences, direction, visit)
            })
    }

    #[allow(clippy::too_many_arguments)] // a ray knows all that its group knows, and its direction
    fn actions_along<B>(
        &self,
        side: Side,
        from: Point,
        group: Stack,
        is_deployed: bool,
        defences: &[AirDefence],
        direction: Direction,
        visit: &mut impl FnMut(Sign, Point) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let carrier = group.carrier();
        let Piece { kind, is_heroic } = carrier;
        let is_diagonal = direction.is_diagonal();
        let move_range = carrier.move_range(is_diagonal);
        let reach = move_range.max(carrier.capture_range(is_diagonal, true));
        let is_plane = kind == Kind::AirForce;
        let mut flight = Flight { defences: if is_heroic { &[] } else { defences }, entered: None };
        let (mut is_terrain_blocked, mut is_piece_blocked) = (false, false);
        let (mut at, mut distance) = (from, 0);
        while let Some(point) = at.next(direction) {
            at = point;
            distance += 1;
            if distance > reach || kind == Kind::Commander && self.is_in_sight(side.other(), point, from) {
                break;
            }
            let air = if is_plane { flight.to(point) } else { Air::Free };
            if air == Air::Dead {
                break;
            }
            is_terrain_blocked |= !is_plane && is_barred(kind, from, point, direction);
            let (friends, enemies) = (self.of(side, point), self.of(side.other(), point));
            let is_open =
                distance <= move_range && !is_terrain_blocked && !is_piece_blocked && air == Air::Free;
            if friends.is_empty() && enemies.is_empty() {
                if is_open && kind.can_stand(point) {
                    visit(Sign::Move, point)?;
                }
                continue;
            }
            if !enemies.is_empty() {
                let of_navy = enemies.carrier().kind == Kind::Navy;
                if distance <= carrier.capture_range(is_diagonal, of_navy) {
                    if air == Air::Hit {
                        visit(Sign::SuicideCapture, point)?;
                    } else if !kind.can_stand(point) {
                        visit(Sign::StayCapture, point)?;
                    } else {
                        visit(Sign::Capture, point)?;
                        if is_plane && !is_deployed {
                            visit(Sign::StayCapture, point)?;
                        }
                    }
                }
            } else if is_open
                && group.combined(friends).is_some_and(|union| union.carrier().kind.can_stand(point))
            {
                visit(Sign::Combine, point)?;
            }
            is_piece_blocked |= match kind {
                Kind::AirForce => false,
                Kind::Navy => friends.with(enemies).carrier().kind == Kind::Navy,
                _ => true,
            };
            if kind == Kind::Commander || is_piece_blocked && !kind.reaches_over() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Does the commander of a side look upon this point, were a second point empty?
    fn is_in_sight(&self, of: Side, point: Point, empty: Point) -> bool {
        let Some(commander) = self.commander(of) else { return false };
        let Some(direction) = straight(commander, point) else { return false };
        let mut at = commander;
        while let Some(next) = at.next(direction) {
            if next != empty && !self.is_empty(next) {
                return false;
            }
            if next == point {
                return true;
            }
            at = next;
        }
        false
    }

    /// Do the commanders look upon each other?
    pub(crate) fn are_commanders_exposed(&self) -> bool {
        let (Some(first), Some(second)) = (self.commanders.first, self.commanders.second) else {
            return false;
        };
        let Some(direction) = straight(first, second) else { return false };
        std::iter::successors(first.next(direction), |at| at.next(direction))
            .take_while(|&at| at != second)
            .all(|at| self.is_empty(at))
    }

    /// Every piece of a side that attacks the other commander.
    fn attackers(&self, by: Side) -> Vec<(Point, Kind)> {
        const FARTHEST: u8 = 5;
        let Some(target) = self.commander(by.other()) else { return Vec::new() };
        let of_navy = self.of(by.other(), target).carrier().kind == Kind::Navy;
        let mut defences = None;
        let mut attackers = Vec::new();
        for direction in Direction::ALL {
            let (mut at, mut is_blocked) = (target, false);
            for distance in 1..=FARTHEST {
                let Some(point) = at.next(direction) else { break };
                at = point;
                for piece in self.of(by, point).pieces() {
                    let is_able = (!direction.is_diagonal() || piece.goes_diagonally())
                        && distance <= piece.capture_range(direction.is_diagonal(), of_navy)
                        && (!is_blocked || piece.kind.reaches_over());
                    let mut is_shot = || {
                        let defences = defences.get_or_insert_with(|| self.air_defences(by.other()));
                        let mut flight = Flight { defences, entered: None };
                        let back = direction.reversed();
                        std::iter::successors(point.next(back), |at| at.next(back))
                            .take(usize::from(distance))
                            .any(|at| flight.to(at) == Air::Dead)
                    };
                    let is_plane = piece.kind == Kind::AirForce && !piece.is_heroic;
                    if is_able && !(is_plane && is_shot()) {
                        attackers.push((point, piece.kind));
                    }
                }
                is_blocked |= !self.is_empty(point);
            }
        }
        attackers
    }

    /// Is the commander of a side attacked?
    pub(crate) fn is_attacked(&self, side: Side) -> bool {
        !self.attackers(side.other()).is_empty()
    }

    /// Has a side lost its commander, or could lose it, or does it look upon the other?
    pub(crate) fn is_in_danger(&self, side: Side) -> bool {
        self.commander(side).is_none() || self.are_commanders_exposed() || self.is_attacked(side)
    }

    /// After a group of this side has done something.
    #[must_use]
    pub(crate) fn after(&self, side: Side, from: Point, group: Stack, sign: Sign, to: Point) -> Self {
        let mut next = *self;
        if sign.takes() {
            next.set(side.other(), to, Stack::EMPTY);
        }
        if sign != Sign::StayCapture {
            next.set(side, from, self.of(side, from).without(group));
        }
        if matches!(sign, Sign::Move | Sign::Capture | Sign::Combine) {
            next.set(side, to, self.of(side, to).with(group));
        }
        next.promote(side);
        next
    }

    /// Who attacks the other commander becomes heroic, and who is the last to guard its own.
    fn promote(&mut self, mover: Side) {
        for (point, kind) in self.attackers(mover) {
            let promoted = self.of(mover, point).promoted(kind);
            self.set(mover, point, promoted);
        }
        for side in Side::ALL {
            let mut guards = self.stacks(side).filter(|(_, stack)| stack.carrier().kind != Kind::Commander);
            if let (Some((point, stack)), None) = (guards.next(), guards.next())
                && stack.len() == 1
            {
                let promoted = stack.promoted(stack.carrier().kind);
                drop(guards);
                self.set(side, point, promoted);
            }
        }
    }
}

/// The direction from a point to another on the same file or rank.
fn straight(from: Point, to: Point) -> Option<Direction> {
    let (dx, dy) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    ((dx == 0) != (dy == 0)).then_some(Direction { dx: dx.signum(), dy: dy.signum() })
}

/// Does the ground bar the way to this point and beyond?
fn is_barred(kind: Kind, from: Point, point: Point, direction: Direction) -> bool {
    const F: u8 = 5;
    const H: u8 = 7;
    let crosses_river = from.is_south() != point.is_south();
    let on_bridge = direction.dx == 0 && (point.file() == F || point.file() == H);
    // The diagonals c5-d6 and c8-d7.
    let (file, rank) = (point.file(), point.rank());
    let cuts_corner = matches!(
        (direction.dx, direction.dy, file, rank),
        (1, 1, 3, 5) | (-1, -1, 2, 4) | (-1, 1, 2, 7) | (1, -1, 3, 6)
    );
    !kind.can_stand(point)
        || kind.is_heavy() && crosses_river && !on_bridge
        || kind == Kind::Navy && cuts_corner
}
