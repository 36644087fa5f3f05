//! What stands where, and what follows from it: kept up to date with every stack that comes or goes.

use crate::air::AirDefence;
use crate::danger::Target;
use crate::grid::{ByPoint, Point, PointSet};
use crate::key;
use crate::pieces::Kind;
use crate::stacks::{Kinds, Stack};
use game::{BySide, Key, Side};

/// The stacks on their points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    key: Key,
    pub(crate) stacks: ByPoint<Stack>,
    occupied: BySide<PointSet>,
    air: BySide<AirDefence>,
    commanders: BySide<Option<Point>>,
}

/// What a group does on a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Sign {
    /// It goes there, and nobody is there.
    Move = 1,
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
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Move, Self::Capture, Self::StayCapture, Self::SuicideCapture, Self::Combine];

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

impl Board {
    /// No stack at all.
    pub const EMPTY: Self = Self {
        key: Key::EMPTY,
        stacks: ByPoint([Stack::EMPTY; Point::NUMBERS]),
        occupied: BySide { first: PointSet::EMPTY, second: PointSet::EMPTY },
        air: BySide {
            first: AirDefence { sources: PointSet::EMPTY, zone: PointSet::EMPTY },
            second: AirDefence { sources: PointSet::EMPTY, zone: PointSet::EMPTY },
        },
        commanders: BySide { first: None, second: None },
    };

    /// What a side has on a point.
    #[inline]
    pub fn of(&self, side: Side, point: Point) -> Stack {
        if self.occupied[side].contains(point) { self.stacks[point] } else { Stack::EMPTY }
    }

    /// What stands on a point, and whose it is.
    pub fn at(&self, point: Point) -> Option<(Side, Stack)> {
        let side = Side::ALL.into_iter().find(|&side| self.occupied[side].contains(point))?;
        Some((side, self.stacks[point]))
    }

    /// Is nothing there?
    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.stacks[point].is_empty()
    }

    /// Where a side has stacks.
    #[inline]
    pub fn occupied(&self, side: Side) -> PointSet {
        self.occupied[side]
    }

    /// Where anybody has.
    #[inline]
    pub(crate) fn all_occupied(&self) -> PointSet {
        self.occupied.first | self.occupied.second
    }

    /// Where a side's commander is.
    #[inline]
    pub fn commander(&self, side: Side) -> Option<Point> {
        self.commanders[side]
    }

    /// The points on which planes of the other side are shot at.
    pub fn air_defence(&self, side: Side) -> PointSet {
        self.air[side].zone
    }

    #[inline]
    pub(crate) fn air(&self, side: Side) -> &AirDefence {
        &self.air[side]
    }

    /// The key of its stacks.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// The stacks of a side.
    pub(crate) fn stacks(&self, side: Side) -> impl Iterator<Item = (Point, Stack)> {
        self.occupied[side].iter().map(|point| (point, self.stacks[point]))
    }

    /// Puts a stack there, or nothing. The other side has none there.
    #[inline]
    pub(crate) fn set(&mut self, side: Side, point: Point, stack: Stack) {
        let before = std::mem::replace(&mut self.stacks[point], stack);
        key::toggle(&mut self.key, side, point, before);
        key::toggle(&mut self.key, side, point, stack);
        if stack.is_empty() {
            self.occupied[side].remove(point);
        } else {
            self.occupied[side].insert(point);
        }
        if stack.has(Kind::Commander) {
            self.commanders[side] = Some(point);
        } else if self.commanders[side] == Some(point) {
            self.commanders[side] = None;
        }
        self.air[side].change(point, before, stack, &self.stacks);
    }

    /// A group of this side, these kinds of its stack there, does something.
    #[inline]
    pub(crate) fn act(&mut self, side: Side, from: Point, group: Kinds, sign: Sign, to: Point) {
        let stack = self.stacks[from];
        if sign.takes() {
            self.set(side.other(), to, Stack::EMPTY);
        }
        if sign != Sign::StayCapture {
            self.set(side, from, stack.without(group));
        }
        let moved = stack.only(group);
        match sign {
            Sign::Move | Sign::Capture => self.set(side, to, moved),
            // What does not fit was not legal; it is unspecified what becomes of it.
            Sign::Combine => self.set(side, to, self.stacks[to].combined(moved).unwrap_or(moved)),
            Sign::StayCapture | Sign::SuicideCapture => {}
        }
        self.promote(side);
    }

    /// Who attacks the other commander becomes heroic, and then who is the last to guard its own.
    fn promote(&mut self, mover: Side) {
        if let Some(target) = Target::commander(self, mover.other()) {
            for point in target.near(self, mover) {
                // Whether one attacks does not depend on the marks of the others.
                let attackers = target.attackers(self, mover, point);
                if attackers != Kinds::default() {
                    self.set(mover, point, self.stacks[point].promoted(attackers));
                }
            }
        }
        for side in Side::ALL {
            if let Some(point) = self.last_guard(side) {
                let guard = self.stacks[point];
                self.set(side, point, guard.promoted(guard.kinds()));
            }
        }
    }

    /// How many stacks of a side are more than its commander alone.
    #[inline]
    pub(crate) fn count_guards(&self, side: Side) -> u32 {
        self.guards(side).len()
    }

    /// The stacks of a side but its commander, if that stands alone.
    #[inline]
    fn guards(&self, side: Side) -> PointSet {
        let stacks = self.occupied[side];
        match self.commanders[side] {
            Some(point) if self.stacks[point].carrier().kind == Kind::Commander => stacks.without(point),
            _ => stacks,
        }
    }

    /// The only guard of a side, if it stands alone and is no hero yet.
    #[inline]
    pub(crate) fn last_guard(&self, side: Side) -> Option<Point> {
        let guards = self.guards(side);
        let point = guards.first()?;
        let guard = self.stacks[point];
        let is_last = guards.without(point).is_empty() && guard.len() == 1 && !guard.carrier().is_heroic;
        is_last.then_some(point)
    }
}
