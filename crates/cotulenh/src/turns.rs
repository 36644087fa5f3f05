//! A turn: a whole move, or a deployment of up to three steps; and all turns of a board.

use crate::board::{Board, Sign};
use crate::grid::Point;
use crate::pieces::Stack;
use game::Side;
use std::fmt;
use std::ops::ControlFlow;

/// The most steps of a deployment: one for each piece of a stack.
const STEPS: usize = 3;

/// A group does something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The pieces that act, heroic as they are just before.
    pub group: Stack,
    /// What they do.
    pub sign: Sign,
    /// Where.
    pub to: Point,
}

/// A whole turn of one player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    from: Point,
    /// The pieces that have not acted, as they were before the turn.
    stays: Stack,
    is_deployed: bool,
    steps: [Option<Step>; STEPS],
}

impl Turn {
    /// Where it begins.
    pub fn from(&self) -> Point {
        self.from
    }

    /// The pieces that do not act, of a deployment.
    pub fn stays(&self) -> Stack {
        self.stays
    }

    /// Is it a deployment?
    pub fn is_deployed(&self) -> bool {
        self.is_deployed
    }

    /// What is done, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().flatten()
    }

    /// Is anything taken?
    pub fn takes(&self) -> bool {
        self.steps().any(|step| step.sign.takes())
    }
}

/// Shows every legal turn of a side with the board after it.
pub(crate) fn visit<B>(
    board: &Board,
    side: Side,
    visit: &mut impl FnMut(Turn, &Board) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let defences = board.air_defences(side.other());
    for (from, stack) in board.stacks(side) {
        board.actions(side, from, stack, false, &defences, &mut |sign, to| {
            let next = board.after(side, from, stack, sign, to);
            if next.is_in_danger(side) {
                return ControlFlow::Continue(());
            }
            let step = Step { group: stack, sign, to };
            visit(
                Turn { from, stays: Stack::EMPTY, is_deployed: false, steps: [Some(step), None, None] },
                &next,
            )
        })?;
        if stack.len() > 1 {
            let deployment = Deployment { side, from, stack, idle: stack, steps: [None; STEPS], count: 0 };
            deployment.visit(board, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// A deployment that goes on.
#[derive(Clone, Copy)]
struct Deployment {
    side: Side,
    from: Point,
    stack: Stack,
    /// What has not acted yet, as it was before.
    idle: Stack,
    steps: [Option<Step>; STEPS],
    count: usize,
}

impl Deployment {
    fn visit<B>(
        self,
        board: &Board,
        visit: &mut impl FnMut(Turn, &Board) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Self { side, from, stack, idle, .. } = self;
        let defences = board.air_defences(side.other());
        for part in idle.parts() {
            // All at once is a whole move.
            if part == stack {
                continue;
            }
            let group = board.of(side, from).only(part);
            let mut found = Vec::new();
            let _ = board.actions(side, from, group, true, &defences, &mut |sign, to| {
                found.push((sign, to));
                ControlFlow::<()>::Continue(())
            });
            for (sign, to) in found {
                if sign == Sign::StayCapture && group.len() > 1 {
                    continue;
                }
                let next = board.after(side, from, group, sign, to);
                let mut further = self;
                further.idle = idle.without(part);
                further.steps[self.count] = Some(Step { group, sign, to });
                further.count += 1;
                let left = next.of(side, from);
                let is_grounded = left.is_empty() || left.carrier().kind.can_stand(from);
                if is_grounded && !next.is_in_danger(side) {
                    let turn = Turn { from, stays: further.idle, is_deployed: true, steps: further.steps };
                    visit(turn, &next)?;
                }
                if further.count < STEPS && !further.idle.is_empty() {
                    further.visit(&next, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// `(TI)e5xe7`, `Fd4@g4`; deployed `e5::T>xd5,I>xe4`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |stack: Stack| stack.text(Side::First);
        if !self.is_deployed {
            return self.steps().try_for_each(|Step { group, sign, to }| {
                write!(f, "{}{}{}{to}", text(group), self.from, sign.text())
            });
        }
        write!(f, "{}:{}:", self.from, text(self.stays))?;
        for (n, Step { group, sign, to }) in self.steps().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            write!(f, "{comma}{}>{}{to}", text(group), sign.text())?;
        }
        Ok(())
    }
}
