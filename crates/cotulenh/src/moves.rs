//! Turns and the move generator. A turn is a whole move, or a deployment of up to three steps.

use crate::board::{Board, Sign};
use crate::danger::Caution;
use crate::grid::{Point, PointSet};
use crate::targets::Targets;
use game::Side;
use std::fmt;
use std::ops::ControlFlow;

/// The most steps of a deployment: one for each piece of a stack.
const STEPS: usize = 3;

/// Some pieces of a stack: one bit for each place in the stack. The carrier has the lowest bit.
pub type Places = u8;

/// One action of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The pieces that act, by their places in the stack before the turn.
    pub group: Places,
    /// The action.
    pub sign: Sign,
    /// The point of the action.
    pub to: Point,
}

/// A turn of one player in 64 bits: where it begins, whether it is a deployment, and its steps.
///
/// It holds the places of pieces in a stack, not their kinds. [`Position::turn_text`](crate::Position::turn_text)
/// writes the kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(u64);

impl Turn {
    /// Bit 8 marks a deployment. The steps begin at bit 16 and have sixteen bits each: target, group, sign.
    const DEPLOYED: u64 = 1 << 8;

    const fn new(from: Point, is_deployed: bool) -> Self {
        Self(from.index() as u64 | if is_deployed { Self::DEPLOYED } else { 0 })
    }

    #[inline]
    const fn with_step(self, number: usize, Step { group, sign, to }: Step) -> Self {
        let step = to.index() as u64 | (group as u64) << 8 | (sign as u64) << 11;
        Self(self.0 | step << (16 * (number + 1)))
    }

    /// The point where it begins.
    #[inline]
    pub fn from(self) -> Point {
        point(self.0)
    }

    /// Returns whether it is a deployment.
    #[inline]
    pub fn is_deployed(self) -> bool {
        self.0 & Self::DEPLOYED != 0
    }

    /// The steps, in order.
    #[inline]
    pub fn steps(self) -> impl Iterator<Item = Step> {
        let mut rest = self.0 >> 16;
        std::iter::from_fn(move || {
            // No sign is 0, so that a 0 ends the steps.
            let sign = *Sign::ALL.get((rest >> 11 & 7).wrapping_sub(1) as usize)?;
            let step = Step { group: (rest >> 8 & 7) as Places, sign, to: point(rest) };
            rest >>= 16;
            Some(step)
        })
    }

    /// Returns origin and target if a whole stack moves without a capture or a union. Returns `None` for all other
    /// turns.
    #[inline]
    pub(crate) fn only_move(self) -> Option<(Point, Point)> {
        let is_move = !self.is_deployed() && self.0 >> 27 & 7 == Sign::Move as u64;
        is_move.then(|| (self.from(), point(self.0 >> 16)))
    }

    /// The same turn on the board turned upside down.
    #[must_use]
    pub fn flipped(self) -> Self {
        let flipped = Self::new(self.from().flip(), self.is_deployed());
        self.steps()
            .enumerate()
            .fold(flipped, |turn, (n, step)| turn.with_step(n, Step { to: step.to.flip(), ..step }))
    }

    /// Returns whether the turn captures something.
    #[inline]
    pub fn takes(self) -> bool {
        self.steps().any(|step| step.sign.takes())
    }
}

/// The point in the lowest byte.
#[inline]
fn point(bits: u64) -> Point {
    Point::from_index(bits as u8).expect("a turn was made of points")
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut turn = f.debug_struct("Turn");
        turn.field("from", &self.from()).field("is_deployed", &self.is_deployed());
        turn.field("steps", &self.steps().collect::<Vec<_>>()).finish()
    }
}

/// Visits every legal turn of a side. The board after a turn is made only if it must be checked.
#[inline]
pub(crate) fn visit<B>(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some(caution) = Caution::new(board, side) else { return ControlFlow::Continue(()) };
    visit_whole(board, side, &mut |turn, Step { sign, to, .. }| match caution.allows(
        board,
        side,
        turn.from(),
        sign,
        to,
    ) {
        true => visit(turn),
        false => ControlFlow::Continue(()),
    })?;
    visit_deployments(board, side, &mut |turn, _| visit(turn))
}

/// Visits every legal turn of a side with the board after it.
#[inline]
pub(crate) fn visit_boards<B>(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn, &Board) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some(caution) = Caution::new(board, side) else { return ControlFlow::Continue(()) };
    visit_whole(board, side, &mut |turn, Step { group, sign, to }| {
        let from = turn.from();
        let mut next = *board;
        next.act(side, from, board.stacks[from].kinds().at(group), sign, to);
        if caution.asks(from, sign, to) && next.is_in_danger(side) {
            return ControlFlow::Continue(());
        }
        visit(turn, &next)
    })?;
    visit_deployments(board, side, visit)
}

/// Counts the legal turns. Whole moves that need no check are counted as sets.
pub(crate) fn count(board: &Board, side: Side) -> u64 {
    let Some(caution) = Caution::new(board, side) else { return 0 };
    let mut count = 0;
    for from in board.occupied(side) {
        let stack = board.stacks[from];
        let mut targets = Targets::of(board, side, from, stack, false);
        if !caution.asks_from(from) {
            count += u64::from(targets.take_certain(&caution));
        }
        let _ = targets.visit(|sign, to| {
            count += u64::from(caution.allows(board, side, from, sign, to));
            ControlFlow::<()>::Continue(())
        });
    }
    let _ = visit_deployments(board, side, &mut |_, _| {
        count += 1;
        ControlFlow::<()>::Continue(())
    });
    count
}

/// All places of a stack with this number of pieces.
const fn all_places(count: u32) -> Places {
    (1 << count) - 1
}

/// Visits every whole move, legal or not.
#[inline]
fn visit_whole<B>(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn, Step) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for from in board.occupied(side) {
        let stack = board.stacks[from];
        let (targets, group) = (Targets::of(board, side, from, stack, false), all_places(stack.len()));
        targets.visit(|sign, to| {
            let step = Step { group, sign, to };
            visit(Turn::new(from, false).with_step(0, step), step)
        })?;
    }
    ControlFlow::Continue(())
}

/// Visits every legal deployment with the board after it.
fn visit_deployments<B>(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn, &Board) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for from in board.occupied(side) {
        let count = board.stacks[from].len();
        if count > 1 {
            let idle = all_places(count);
            Deployment { side, idle, turn: Turn::new(from, true), steps: 0 }.visit(board, board, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// A deployment that may go on.
#[derive(Clone, Copy)]
struct Deployment {
    side: Side,
    /// The pieces that have not acted yet.
    idle: Places,
    turn: Turn,
    steps: usize,
}

impl Deployment {
    fn visit<B>(
        self,
        start: &Board,
        board: &Board,
        visit: &mut impl FnMut(Turn, &Board) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (side, from) = (self.side, self.turn.from());
        let kinds = start.stacks[from].kinds();
        let mut group: Places = 0;
        loop {
            // The subsets of the idle pieces, from the smallest number up.
            group = group.wrapping_sub(self.idle) & self.idle;
            if group == 0 {
                return ControlFlow::Continue(());
            }
            // A step of all pieces at once is a whole move.
            if group == self.idle && self.steps == 0 {
                continue;
            }
            let acting = kinds.at(group);
            let mut targets = Targets::of(board, side, from, board.stacks[from].only(acting), true);
            if group.count_ones() > 1 {
                targets.stay_captures = PointSet::EMPTY;
            }
            targets.visit(|sign, to| {
                let mut next = *board;
                next.act(side, from, acting, sign, to);
                let turn = self.turn.with_step(self.steps, Step { group, sign, to });
                let further = Self { idle: self.idle & !group, turn, steps: self.steps + 1, ..self };
                let left = next.of(side, from);
                let is_grounded = left.is_empty() || left.carrier().kind.can_stand(from);
                if is_grounded && !next.is_in_danger(side) {
                    visit(turn, &next)?;
                }
                if further.idle != 0 && further.steps < STEPS {
                    further.visit(start, &next, visit)?;
                }
                ControlFlow::Continue(())
            })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Kind;
    use crate::stacks::Stack;
    use game::Rng;

    /// Random stacks of both sides near each other, with heroes among them, and the commanders.
    fn scattered(rng: &mut Rng) -> Board {
        let mut board = Board::EMPTY;
        let below = |rng: &mut Rng, end: u64| rng.next_u64() % end;
        // A small window has more lines between its pieces.
        let (width, height) = (3 + below(rng, 9) as u8, 3 + below(rng, 10) as u8);
        let (left, low) = (below(rng, 12 - u64::from(width)) as u8, below(rng, 13 - u64::from(height)) as u8);
        for n in 0..2 + below(rng, 14) {
            let side = Side::ALL[(n % 2) as usize];
            let mut stack = Stack::EMPTY;
            for _ in 0..1 + below(rng, 3) {
                let kind = Kind::ALL[below(rng, 11) as usize];
                let kind = if n < 2 { Kind::Commander } else { kind };
                if (n < 2) == (kind == Kind::Commander) {
                    let piece = Stack::one(kind, n >= 2 && below(rng, 3) == 0);
                    stack = stack.combined(piece).unwrap_or(stack);
                }
            }
            let point =
                Point::at(left + below(rng, width.into()) as u8, low + below(rng, height.into()) as u8);
            if !stack.is_empty() && board.is_empty(point) && stack.carrier().kind.can_stand(point) {
                board.set(side, point, stack);
            }
        }
        board
    }

    /// `Caution` allows exactly the whole moves after which the commander is not in danger.
    #[test]
    fn caution_overlooks_no_danger() {
        let mut rng = Rng::new(1);
        let mut moves = 0;
        for _ in 0..30_000 {
            let board = scattered(&mut rng);
            for side in Side::ALL {
                let Some(caution) = Caution::new(&board, side) else { continue };
                let _ = visit_whole(&board, side, &mut |turn, Step { sign, to, .. }| {
                    let from = turn.from();
                    let mut next = board;
                    next.act(side, from, board.stacks[from].kinds(), sign, to);
                    let is_allowed = caution.allows(&board, side, from, sign, to);
                    assert_eq!(
                        is_allowed,
                        !next.is_in_danger(side),
                        "{sign:?} {from}{to} of {side:?} on {board}"
                    );
                    moves += 1;
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        assert!(moves > 100_000, "{moves}");
    }
}
