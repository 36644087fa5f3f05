//! Who attacks a commander, and which moves need a second look because they might uncover such an attack.

use crate::air::{Air, Flight};
use crate::board::{Board, Sign};
use crate::grid::{Direction, Line, Point, PointSet, straight};
use crate::pieces::{Kind, Piece};
use crate::reach::Reach;
use game::Side;
use std::ops::ControlFlow;

impl Board {
    /// Shows every piece of a side that attacks the other commander, those of one stack together.
    #[inline]
    pub(crate) fn visit_attackers<B>(
        &self,
        by: Side,
        mut visit: impl FnMut(Point, Kind) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(target) = self.commander(by.other()) else { return ControlFlow::Continue(()) };
        let near = self.occupied(by) & Reach::star(target);
        if near.is_empty() {
            return ControlFlow::Continue(());
        }
        let of_navy = self.stacks[target].carrier().kind == Kind::Navy;
        for point in near {
            let (stack, line) = (self.stacks[point], Line::between(point, target));
            let is_diagonal = line.direction.is_diagonal();
            if line.distance > stack.reach(is_diagonal) {
                continue;
            }
            let is_blocked = between(point, line).any(|at| !self.is_empty(at));
            for piece in stack.pieces() {
                let is_able = (!is_diagonal || piece.goes_diagonally())
                    && line.distance <= piece.capture_range(is_diagonal, of_navy)
                    && (!is_blocked || piece.kind.reaches_over());
                if is_able && !self.is_shot_down(by, piece, point, line) {
                    visit(point, piece.kind)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A plane that never gets to the end of its line.
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
        self.visit_attackers(side.other(), |_, _| ControlFlow::Break(())).is_break()
    }

    /// The points that the commander of a side looks upon, were a certain point empty.
    #[inline]
    pub(crate) fn sight(&self, of: Side, empty: Point) -> PointSet {
        let Some(commander) = self.commander(of) else { return PointSet::EMPTY };
        let stops = self.all_occupied().without(empty);
        let seen = Direction::ALL[..4]
            .iter()
            .map(|&direction| PointSet::ray_to(commander, direction, stops))
            .fold(PointSet::EMPTY, |all, ray| all | ray);
        seen - stops
    }

    /// What stands between the commanders, if they are on one file or rank.
    #[inline]
    fn between_commanders(&self) -> Option<PointSet> {
        let (first, second) = (self.commander(Side::First)?, self.commander(Side::Second)?);
        let direction = straight(first, second)?;
        Some(PointSet::ray(first, direction) & PointSet::ray(second, direction.reversed()) & self.all_occupied())
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

/// Which turns of a side might leave its commander in danger: all others are legal without a look at the board after them.
pub(crate) struct Caution {
    /// Every turn might.
    is_total: bool,
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
        let mut caution = Self {
            // A guard who is the last already becomes a hero by any turn, if he is none.
            is_total: guards <= 1,
            of_captures: guards == 2,
            commander,
            shields: board.between_commanders().unwrap_or_default(),
        };
        for point in board.occupied(other) & Reach::star(commander) {
            let (stack, line) = (board.stacks[point], Line::between(point, commander));
            if stack.has(Kind::AirForce) && !stack.has_hero(Kind::AirForce) {
                // It may depend on any source of air defence, and sources grow with promotions.
                caution.is_total = true;
            }
            if line.distance <= FARTHEST && line.distance <= stack.reach(line.direction.is_diagonal()) {
                caution.shields |= between(point, line).filter(|&at| !board.is_empty(at)).collect();
            }
        }
        caution.is_total |= board.is_attacked(side);
        Some(caution)
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

    /// Might no whole move from this point but one that takes, or joins the commander?
    #[inline]
    pub fn of_captures(&self) -> bool {
        self.of_captures
    }

    pub fn shields(&self) -> PointSet {
        self.shields
    }

    pub fn commander(&self) -> Point {
        self.commander
    }
}
