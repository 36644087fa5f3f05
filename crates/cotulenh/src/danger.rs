//! Attacks on commanders, and which turns must be checked because they might leave their own commander attacked.

use crate::air::{Air, Flight};
use crate::board::{Board, Sign};
use crate::grid::{Point, PointSet, Ray, straight, straight_rays};
use crate::pieces::{Kind, Piece};
use crate::reach::Reach;
use crate::stacks::{Kinds, Stack};
use game::Side;

/// A commander as the target of attacks, on its point or on a point where it would be.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    point: Point,
    /// Whether a ship carries it.
    on_ship: bool,
    /// The point that it would leave, which is then empty.
    left: Option<Point>,
}

impl Target {
    /// The commander of a side, on its point.
    #[inline]
    pub fn commander(board: &Board, side: Side) -> Option<Self> {
        let point = board.commander(side)?;
        Some(Self { point, on_ship: board.stacks[point].carrier().kind == Kind::Navy, left: None })
    }

    /// The stacks of a side that are near enough to attack it.
    #[inline]
    pub fn near(self, board: &Board, by: Side) -> PointSet {
        board.occupied(by) & Reach::star(self.point)
    }

    /// The kinds of a stack on a near point that attack it.
    #[inline]
    pub fn attackers(self, board: &Board, by: Side, from: Point, stack: Stack) -> Kinds {
        let ray = Ray::between(from, self.point);
        let is_diagonal = ray.direction.is_diagonal();
        if ray.distance > stack.reach(is_diagonal) {
            return Kinds::default();
        }
        let is_blocked = between(from, ray).any(|at| !board.is_empty(at) && Some(at) != self.left);
        let attacks = |piece: &Piece| {
            (!is_diagonal || piece.goes_diagonally())
                && ray.distance <= piece.capture_range(is_diagonal, self.on_ship)
                && (!is_blocked || piece.kind.reaches_over())
                && !board.is_shot_down(by, *piece, from, ray)
        };
        stack.pieces().filter(attacks).map(|piece| Kinds::one(piece.kind)).collect()
    }

    /// Returns whether a side attacks it.
    #[inline]
    fn is_attacked(self, board: &Board, by: Side) -> bool {
        let attacks = |from| self.attackers(board, by, from, board.stacks[from]) != Kinds::default();
        self.near(board, by).iter().any(attacks)
    }
}

impl Board {
    /// Returns whether the piece is a plane that air defence keeps from the end of its ray.
    #[inline]
    fn is_shot_down(&self, by: Side, piece: Piece, from: Point, ray: Ray) -> bool {
        let defence = self.air(by.other());
        piece.kind == Kind::AirForce
            && !piece.is_heroic
            && Flight::new(defence, &self.stacks, from, ray.direction)
                .take(ray.distance.into())
                .any(|(_, air)| air == Air::Dead)
    }

    /// Returns whether the commander of a side is attacked.
    #[inline]
    pub(crate) fn is_attacked(&self, side: Side) -> bool {
        Target::commander(self, side).is_some_and(|target| target.is_attacked(self, side.other()))
    }

    /// The points that the commander of a side sees along its file and rank, as if the point `empty` were empty.
    #[inline]
    pub(crate) fn sight(&self, of: Side, empty: Point) -> PointSet {
        let Some(commander) = self.commander(of) else { return PointSet::EMPTY };
        let stops = self.all_occupied().without(empty);
        straight_rays(commander, stops) - stops
    }

    /// The stacks between the commanders. Returns `None` if these are not on one file or rank.
    #[inline]
    pub(crate) fn between_commanders(&self) -> Option<PointSet> {
        let (first, second) = (self.commander(Side::First)?, self.commander(Side::Second)?);
        let direction = straight(first, second)?;
        Some(
            PointSet::ray(first, direction)
                & PointSet::ray(second, direction.reversed())
                & self.all_occupied(),
        )
    }

    /// Returns whether a side has lost its commander, or its commander is attacked or sees the other commander.
    #[inline]
    pub(crate) fn is_in_danger(&self, side: Side) -> bool {
        self.commander(side).is_none()
            || self.between_commanders().is_some_and(PointSet::is_empty)
            || self.is_attacked(side)
    }
}

/// The points of a ray between its ends.
#[inline]
fn between(from: Point, ray: Ray) -> impl Iterator<Item = Point> {
    let next = move |at: &Point| at.next(ray.direction);
    std::iter::successors(next(&from), next).take(usize::from(ray.distance) - 1)
}

/// Returns whether the stack has a plane that air defence can stop. Its attack depends on the other side's air
/// defence, which grows when pieces become heroes.
#[inline]
fn is_shy(stack: Stack) -> bool {
    stack.has(Kind::AirForce) && !stack.has_hero(Kind::AirForce)
}

/// Tells which turns of a side might leave its commander in danger. All other turns are legal without a check of the
/// board after them.
pub(crate) struct Caution {
    /// Every turn might leave the commander in danger.
    is_total: bool,
    /// The other side has a last guard that is not a hero yet. Any turn makes it a hero.
    makes_hero: bool,
    /// Every capture might leave the commander in danger: it leaves the other side with a last guard, which becomes a
    /// hero.
    of_captures: bool,
    commander: Point,
    /// A stack that leaves one of these points might leave the commander in danger.
    shields: PointSet,
}

impl Caution {
    /// Finds the turns of the side to move that must be checked. Returns `None` if a commander is missing.
    pub fn new(board: &Board, side: Side) -> Option<Self> {
        // The farthest capture of a piece that others can block, a heroic tank.
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
            let (stack, ray) = (board.stacks[point], Ray::between(point, commander));
            caution.is_total |= is_shy(stack);
            if ray.distance <= FARTHEST && ray.distance <= stack.reach(ray.direction.is_diagonal()) {
                caution.shields |= between(point, ray).filter(|&at| !board.is_empty(at)).collect();
            }
        }
        caution.is_total |= board.is_in_danger(side);
        Some(caution)
    }

    /// Returns whether this whole move is legal. If necessary, it makes the move and checks the board after it.
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
                let attackers = |(at, stack)| target.attackers(board, side.other(), at, stack);
                return near.all(|near| attackers(near) == Kinds::default());
            }
        }
        let mut next = *board;
        next.act(side, from, stack.kinds(), sign, to);
        !next.is_in_danger(side)
    }

    /// Returns whether this whole move might leave the commander in danger.
    #[inline]
    pub fn asks(&self, from: Point, sign: Sign, to: Point) -> bool {
        self.asks_from(from)
            || match sign {
                Sign::Move => false,
                Sign::Capture => self.of_captures,
                Sign::StayCapture | Sign::SuicideCapture => self.of_captures || self.shields.contains(to),
                // Other ships capture a ship from farther away, and so a commander on it.
                Sign::Combine => to == self.commander,
            }
    }

    /// Returns whether every whole move from this point might leave the commander in danger.
    #[inline]
    pub fn asks_from(&self, from: Point) -> bool {
        self.is_total || from == self.commander || self.shields.contains(from)
    }

    /// Returns whether every capture might leave the commander in danger.
    #[inline]
    pub fn of_captures(&self) -> bool {
        self.of_captures
    }

    /// The points that shield the commander: a stack that leaves one of them might leave the commander in danger.
    #[inline]
    pub fn shields(&self) -> PointSet {
        self.shields
    }

    /// The point of the commander.
    #[inline]
    pub fn commander(&self) -> Point {
        self.commander
    }
}
