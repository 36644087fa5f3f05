//! The board: stacks on points, and values that follow from them. Every change of a stack updates these values.

use crate::air::AirDefence;
use crate::danger::Target;
use crate::grid::{ByPoint, Point, PointSet};
use crate::key;
use crate::pieces::Kind;
use crate::stacks::{Kinds, Stack};
use game::{BySide, Key, Side};
use std::fmt;

/// The stacks on their points, legal or not. A [`Position`](crate::Position) has a board that was checked; a
/// [`Setup`](crate::Setup) has one that may be edited.
///
/// ```
/// use endspiel_cotulenh::prelude::*;
///
/// let start = CoTuLenh::default().start();
/// let board = start.board();
/// assert_eq!(board.of_kind(Side::First, Kind::Navy).names(), "b2 c4");
/// assert_eq!(PointSet::counts(&Kind::ALL.map(|kind| board.of_kind(Side::First, kind))), [2, 2, 2, 2, 2, 1, 2, 1, 2, 2, 1]);
/// assert_eq!((board.all_occupied().len(), board.heroes(Side::First).len()), (38, 0));
/// assert!(board.of_kind(Side::Second, Kind::Commander).is_single());
/// assert!(board.of_kind(Side::First, Kind::Tank).labelled("tanks of Red").starts_with("tanks of Red: 2\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    key: Key,
    pub(crate) stacks: ByPoint<Stack>,
    occupied: BySide<PointSet>,
    air: BySide<AirDefence>,
    commanders: BySide<Option<Point>>,
}

/// The action of a group on a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Sign {
    /// It moves to the point, which is empty.
    Move = 1,
    /// It captures the stack on the point and takes its place.
    Capture,
    /// It captures the stack on the point and stays where it is.
    StayCapture,
    /// It captures the stack on the point and is lost itself.
    SuicideCapture,
    /// It joins the stack of its own side on the point.
    Combine,
}

impl Sign {
    /// All actions.
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

    /// Returns whether the action is a capture.
    #[inline]
    pub const fn takes(self) -> bool {
        matches!(self, Self::Capture | Self::StayCapture | Self::SuicideCapture)
    }
}

/// Writes the first field of the FEN, which holds the whole board.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl Board {
    /// The board without stacks.
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

    /// The points where a side has a piece of this kind, as a carrier or carried. It looks at every stack of the side.
    pub fn of_kind(&self, side: Side, kind: Kind) -> PointSet {
        self.points_where(side, |stack| stack.has(kind))
    }

    /// The points where a side has a heroic piece, as a carrier or carried. It looks at every stack of the side.
    pub fn heroes(&self, side: Side) -> PointSet {
        self.points_where(side, |stack| stack.heroes() != Kinds::default())
    }

    fn points_where(&self, side: Side, is_wanted: impl Fn(Stack) -> bool) -> PointSet {
        self.stacks(side).filter(|&(_, stack)| is_wanted(stack)).map(|(point, _)| point).collect()
    }

    /// Puts a stack of a side on a point. What stood there before is gone. An empty stack [clears](Self::clear) the point.
    pub fn put(&mut self, side: Side, point: Point, stack: Stack) {
        self.clear(point);
        self.edit(side, point, stack);
    }

    /// Removes the stack on a point, if there is one.
    pub fn clear(&mut self, point: Point) {
        if let Some((side, _)) = self.at(point) {
            self.edit(side, point, Stack::EMPTY);
        }
    }

    /// Makes a piece of this kind on a point a hero. Returns whether there is one that was none.
    pub fn promote(&mut self, point: Point, kind: Kind) -> bool {
        let Some((side, stack)) =
            self.at(point).filter(|(_, stack)| stack.has(kind) && !stack.has_hero(kind))
        else {
            return false;
        };
        self.edit(side, point, stack.promoted(Kinds::one(kind)));
        true
    }

    /// Replaces a stack by hand.
    fn edit(&mut self, side: Side, point: Point, stack: Stack) {
        self.set(side, point, stack);
        self.find_commanders();
    }

    /// Finds the commanders again. A board that is edited may have several of a side: then the first one counts, whatever the
    /// order of the edits.
    pub(crate) fn find_commanders(&mut self) {
        self.commanders = BySide::from_fn(|side| self.of_kind(side, Kind::Commander).first());
    }

    /// The stack of a side on a point. It is empty if the side has none there.
    #[inline]
    pub fn of(&self, side: Side, point: Point) -> Stack {
        if self.occupied[side].contains(point) { self.stacks[point] } else { Stack::EMPTY }
    }

    /// Returns the stack on a point and its side. Returns `None` if the point is empty.
    pub fn at(&self, point: Point) -> Option<(Side, Stack)> {
        let side = Side::ALL.into_iter().find(|&side| self.occupied[side].contains(point))?;
        Some((side, self.stacks[point]))
    }

    /// Returns whether the point is empty.
    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.stacks[point].is_empty()
    }

    /// The points with stacks of a side.
    #[inline]
    pub fn occupied(&self, side: Side) -> PointSet {
        self.occupied[side]
    }

    /// The points with stacks of either side.
    #[inline]
    pub fn all_occupied(&self) -> PointSet {
        self.occupied.first | self.occupied.second
    }

    /// The point of a side's commander. Returns `None` if the commander is missing.
    #[inline]
    pub fn commander(&self, side: Side) -> Option<Point> {
        self.commanders[side]
    }

    /// The points that a side's air defence covers.
    pub fn air_defence(&self, side: Side) -> PointSet {
        self.air[side].zone
    }

    #[inline]
    pub(crate) fn air(&self, side: Side) -> &AirDefence {
        &self.air[side]
    }

    /// The key of the stacks, without the side to move.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// The stacks of a side with their points.
    pub fn stacks(&self, side: Side) -> impl Iterator<Item = (Point, Stack)> {
        self.occupied[side].iter().map(|point| (point, self.stacks[point]))
    }

    /// Replaces the stack of a side on a point, which may be empty before and after. The other side must have none
    /// there.
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

    /// Performs an action of a group. The group is the pieces of these kinds in the stack of `side` on `from`.
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
            // Stacks that cannot join make the action illegal. The result is then unspecified.
            Sign::Combine => self.set(side, to, self.stacks[to].combined(moved).unwrap_or(moved)),
            Sign::StayCapture | Sign::SuicideCapture => {}
        }
        self.promote_by_rules(side);
    }

    /// Makes heroes of the mover's pieces that attack the other commander, and then of a last guard of either side.
    fn promote_by_rules(&mut self, mover: Side) {
        if let Some(target) = Target::commander(self, mover.other()) {
            for point in target.near(self, mover) {
                // Whether a stack attacks does not depend on the marks of other stacks.
                let attackers = target.attackers(self, mover, point, self.stacks[point]);
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

    /// The number of guards of a side: its stacks, without a commander that stands alone.
    #[inline]
    pub(crate) fn count_guards(&self, side: Side) -> u32 {
        self.guards(side).len()
    }

    /// The guards of a side: its stacks, without a commander that stands alone.
    #[inline]
    fn guards(&self, side: Side) -> PointSet {
        let stacks = self.occupied[side];
        match self.commanders[side] {
            Some(point) if self.stacks[point].carrier().kind == Kind::Commander => stacks.without(point),
            _ => stacks,
        }
    }

    /// Returns the only guard of a side if it is a single piece and not a hero yet.
    #[inline]
    pub(crate) fn last_guard(&self, side: Side) -> Option<Point> {
        let guards = self.guards(side);
        let point = guards.first()?;
        let guard = self.stacks[point];
        let is_last = guards.without(point).is_empty() && guard.len() == 1 && !guard.carrier().is_heroic;
        is_last.then_some(point)
    }
}
