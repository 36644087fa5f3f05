//! Who attacks a commander, and which moves need a second look because they might uncover such an attack.

use crate::air::{Air, Flight};
use crate::board::{Board, Sign};
use crate::grid::{Line, Point, PointSet, straight, straight_rays};
use crate::pieces::{Kind, Piece};
use crate::reach::Reach;
use crate::stacks::{Kinds, Stack};
use game::Side;

/// A commander that might be attacked, or the point where it would be.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    point: Point,
    /// Does a ship carry it?
    on_ship: bool,
    /// Where it came from: nobody stands there any more.
    left: Option<Point>,
}

impl Target {
    /// A side's commander, where it is.
    #[inline]
    pub fn commander(board: &Board, side: Side) -> Option<Self> {
        let point = board.commander(side)?;
        Some(Self { point, on_ship: board.stacks[point].carrier().kind == Kind::Navy, left: None })
    }

    /// Whoever of a side might attack it.
    #[inline]
    pub fn near(self, board: &Board, by: Side) -> PointSet {
        board.occupied(by) & Reach::star(self.point)
    }

    /// Those of a stack nearby that attack it.
    #[inline]
    pub fn attackers(self, board: &Board, by: Side, from: Point) -> Kinds {
        let (stack, line) = (board.stacks[from], Line::between(from, self.point));
        let is_diagonal = line.direction.is_diagonal();
        if line.distance > stack.reach(is_diagonal) {
            return Kinds::default();
        }
        let is_blocked = between(from, line).any(|at| !board.is_empty(at) && Some(at) != self.left);
        let attacks = |piece: &Piece| {
            (!is_diagonal || piece.goes_diagonally())
                && line.distance <= piece.capture_range(is_diagonal, self.on_ship)
                && (!is_blocked || piece.kind.reaches_over())
                && !board.is_shot_down(by, *piece, from, line)
        };
        stack.pieces().filter(attacks).map(|piece| Kinds::one(piece.kind)).collect()
    }

    /// Does a side attack it?
    #[inline]
    fn is_attacked(self, board: &Board, by: Side) -> bool {
        self.near(board, by).iter().any(|from| self.attackers(board, by, from) != Kinds::default())
    }
}

impl Board {
    /// A plane that never gets to the end of its line.
    #[inline]
    fn is_shot_down(&self, by: Side, piece: Piece, from: Point, line: Line) -> bool {
        let defence = self.air(by.other());
        piece.kind == Kind::AirForce
            && !piece.is_heroic
            && Flight::new(defence, &self.stacks, from, line.direction)
                .take(line.distance.into())
                .any(|(_, air)| air == Air::Dead)
    }

    /// Is the commander of a side attacked?
    #[inline]
    pub(crate) fn is_attacked(&self, side: Side) -> bool {
        Target::commander(self, side).is_some_and(|target| target.is_attacked(self, side.other()))
    }

    /// The points that the commander of a side looks upon, were a certain point empty.
    #[inline]
    pub(crate) fn sight(&self, of: Side, empty: Point) -> PointSet {
        let Some(commander) = self.commander(of) else { return PointSet::EMPTY };
        let stops = self.all_occupied().without(empty);
        straight_rays(commander, stops) - stops
    }

    /// What stands between the commanders, if they are on one file or rank.
    #[inline]
    fn between_commanders(&self) -> Option<PointSet> {
        let (first, second) = (self.commander(Side::First)?, self.commander(Side::Second)?);
        let direction = straight(first, second)?;
        Some(
            PointSet::ray(first, direction)
                & PointSet::ray(second, direction.reversed())
                & self.all_occupied(),
        )
    }

    /// Has a side lost its commander, or could lose it, or does it look upon the other?
    #[inline]
    pub(crate) fn is_in_danger(&self, side: Side) -> bool {
        self.commander(side).is_none()
            || self.between_commanders().is_some_and(PointSet::is_empty)
            || self.is_attacked(side)
    }
}

/// The points of a line between its ends.
#[inline]
fn between(from: Point, line: Line) -> impl Iterator<Item = Point> {
    let next = move |at: &Point| at.next(line.direction);
    std::iter::successors(next(&from), next).take(usize::from(line.distance) - 1)
}

/// Has it a plane that air defence keeps away? Then all depends on the other side's sources, which grow with promotions.
#[inline]
fn is_shy(stack: Stack) -> bool {
    stack.has(Kind::AirForce) && !stack.has_hero(Kind::AirForce)
}

/// Which turns of a side might leave its commander in danger: all others are legal without a look at the board after them.
pub(crate) struct Caution {
    /// Every turn might.
    is_total: bool,
    /// The last guard of the other side becomes a hero by any turn, if he is none yet.
    makes_hero: bool,
    /// Every capture might: it leaves the other side with a last guard, who becomes a hero.
    of_captures: bool,
    commander: Point,
    /// Whoever leaves these points might.
    shields: PointSet,
}

impl Caution {
    /// For the side whose turn it is, if both have a commander.
    pub fn new(board: &Board, side: Side) -> Option<Self> {
        // No piece that others can block takes farther: a heroic tank.
        const FARTHEST: u8 = 3;
        let (commander, other) = (board.commander(side)?, side.other());
        board.commander(other)?;
        let guards = board.count_guards(other);
        let makes_hero = board.last_guard(other).is_some();
        let mut caution = Self {
            is_total: makes_hero,
            makes_hero,
            of_captures: guards == 2,
            commander,
            shields: board.between_commanders().unwrap_or_default(),
        };
        for point in board.occupied(other) & Reach::star(commander) {
            let (stack, line) = (board.stacks[point], Line::between(point, commander));
            caution.is_total |= is_shy(stack);
            if line.distance <= FARTHEST && line.distance <= stack.reach(line.direction.is_diagonal()) {
                caution.shields |= between(point, line).filter(|&at| !board.is_empty(at)).collect();
            }
        }
        caution.is_total |= board.is_in_danger(side);
        Some(caution)
    }

    /// Is this whole move legal? Where it must, it is made and looked at.
    #[inline]
    pub fn allows(&self, board: &Board, side: Side, from: Point, sign: Sign, to: Point) -> bool {
        if !self.asks(from, sign, to) {
            return true;
        }
        let stack = board.stacks[from];
        if sign == Sign::Move && stack == Stack::one(Kind::Commander, false) {
            let target = Target { point: to, on_ship: false, left: Some(from) };
            let mut near = target.near(board, side.other()).iter().map(|at| (at, board.stacks[at]));
            if near.clone().all(|(_, stack)| !is_shy(stack)) && !self.makes_hero {
                return near.all(|(at, _)| target.attackers(board, side.other(), at) == Kinds::default());
            }
        }
        let mut next = *board;
        next.act(side, from, stack.kinds(), sign, to);
        !next.is_in_danger(side)
    }

    /// Might this whole move?
    #[inline]
    pub fn asks(&self, from: Point, sign: Sign, to: Point) -> bool {
        self.asks_from(from)
            || match sign {
                Sign::Move => false,
                Sign::Capture => self.of_captures,
                Sign::StayCapture | Sign::SuicideCapture => self.of_captures || self.shields.contains(to),
                // A ship under the commander brings it into the reach of others.
                Sign::Combine => to == self.commander,
            }
    }

    /// Might every whole move from this point?
    #[inline]
    pub fn asks_from(&self, from: Point) -> bool {
        self.is_total || from == self.commander || self.shields.contains(from)
    }

    /// Might every whole move that takes something?
    #[inline]
    pub fn of_captures(&self) -> bool {
        self.of_captures
    }

    /// Whoever leaves these points might.
    #[inline]
    pub fn shields(&self) -> PointSet {
        self.shields
    }

    /// Where the commander is.
    #[inline]
    pub fn commander(&self) -> Point {
        self.commander
    }
}
