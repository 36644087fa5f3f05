//! The law of deep counts.

use crate::perft::{self, Counting};
use crate::{Outcome, Position, Side};
use std::ops::ControlFlow;

/// Checks that the stack suffices for a count of 1000 moves, in all ways of counting. So that the count is quick, only the
/// first outcome of chance and the first move that does not finish the game are followed, with the move generator of the
/// game. From the position, a thousand such moves must be possible; in backgammon they are not.
pub fn stack_suffices<P: Position>(position: &P) {
    const DEPTH: u32 = 1000;
    let single = Single(position.clone());
    for bits in 0..16 {
        let counting = Counting {
            ended: bits & 1 > 0,
            unique: bits & 2 > 0,
            plain: bits & 4 > 0,
            weighted: false,
            hash: (bits & 8 > 0).then_some(1 << 20),
        };
        assert_eq!(perft::count(&single, DEPTH, counting), 1, "{counting:?}: {position:?}");
        let moves = perft::divide(&single, DEPTH, counting).expect("threads");
        let chances = perft::divide_chances(&single, DEPTH, counting).expect("threads");
        assert_eq!(moves.len() + chances.len(), 1, "{counting:?}: {position:?}");
    }
}

/// A position with one of its moves or outcomes of chance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Single<P>(P);

impl<P: Position> Position for Single<P> {
    type Move = P::Move;
    type Chance = P::Chance;

    fn turn(&self) -> Side {
        self.0.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn visit_moves<B>(&self, mut visit: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_successors(|m, _| visit(m))
    }

    fn visit_successors<B>(&self, mut visit: impl FnMut(P::Move, Self) -> ControlFlow<B>) -> ControlFlow<B> {
        only(self.0.visit_successors(|m, next| match next.outcome() {
            None => ControlFlow::Break(visit(m, Self(next))),
            Some(_) => ControlFlow::Continue(()),
        }))
    }

    fn play_unchecked(&self, m: P::Move) -> Self {
        Self(self.0.play_unchecked(m))
    }

    fn awaits_chance(&self) -> bool {
        self.0.awaits_chance()
    }

    fn visit_chances<B>(&self, mut visit: impl FnMut(P::Chance, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        only(self.0.visit_chances(|outcome, weight| ControlFlow::Break(visit(outcome, weight))))
    }

    fn play_chance_unchecked(&self, outcome: P::Chance) -> Self {
        Self(self.0.play_chance_unchecked(outcome))
    }
}

/// The end of a visit that stopped after one visited item.
fn only<B>(visited: ControlFlow<ControlFlow<B>>) -> ControlFlow<B> {
    match visited {
        ControlFlow::Break(only) => only,
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
    }
}
