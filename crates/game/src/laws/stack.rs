//! The law of deep counts.

use crate::perft::{self, Count, Counting, Walk};
use crate::{Outcome, Position, Side};
use std::ops::ControlFlow;

/// The deepest count that the command offers.
const DEPTH: u32 = 1000;

/// Checks that the stack suffices for a count of 1000 moves, in all ways of counting. So that the count is quick, only the
/// first outcome of chance and the first move that does not finish the game are followed, with the move generator of the
/// game. From the position, a thousand such moves must be possible.
pub fn stack_suffices<P: Position>(position: &P) {
    forced_moves_are_counted(&Single(position.clone()));
}

/// Checks that the stack suffices for a count of 1000 moves, in all ways of counting, from a position in which every move is
/// forced for so long. This also tries the counts of a game that does not use those of all games.
pub fn forced_moves_are_counted<P: Position>(position: &P) {
    for counting in Counting::WAYS {
        let counted = perft::count(position, DEPTH, counting).expect("a thread");
        assert_eq!(counted, 1, "{counting:?}: {position:?}");
        let moves = perft::divide(position, DEPTH, counting).expect("threads");
        let chances = perft::divide_chances(position, DEPTH, counting).expect("threads");
        let parts = moves.iter().map(|(_, nodes)| nodes).chain(chances.iter().map(|(_, nodes)| nodes));
        assert!(parts.eq(&[1]), "{counting:?}: {position:?}");
    }
}

/// Checks that the stack suffices for a count of 1000 moves by sides: `counted` is the node of [`perft::count_by_sides`], and
/// `played` that of [`perft::play_by_sides`]. As in [`stack_suffices`], only one move of each position is followed. This is
/// for games without a long sequence of forced moves.
pub fn stack_suffices_by_sides<C, W>(counted: C, played: W, turn: Side)
where
    C: Count<Move: Copy> + Sync,
    W: Walk<Move: Copy> + Sync,
{
    let (counted, played) = (Single(counted), Single(played));
    let counted = perft::with_stack(DEPTH, || perft::count_by_sides(&counted, turn, DEPTH));
    let played = perft::with_stack(DEPTH, || perft::play_by_sides(&played, turn, DEPTH));
    assert_eq!([counted, played].map(|nodes| nodes.expect("a thread")), [1; 2]);
}

/// A position, or a node of a count by sides, with one of its moves or outcomes of chance.
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
        only(self.0.visit_chances(|outcome, _| ControlFlow::Break(visit(outcome, 1))))
    }

    fn play_chance_unchecked(&self, outcome: P::Chance) -> Self {
        Self(self.0.play_chance_unchecked(outcome))
    }
}

impl<W: Walk<Move: Copy>> Walk for Single<W> {
    type Move = W::Move;

    fn visit<const FIRST: bool, B>(
        &self,
        mut visit: impl FnMut(W::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        only(self.0.visit::<FIRST, _>(|m| {
            let next = self.0.played::<FIRST>(m);
            let is_over = match FIRST {
                true => next.visit::<false, _>(|_| ControlFlow::Break(())).is_continue(),
                false => next.visit::<true, _>(|_| ControlFlow::Break(())).is_continue(),
            };
            if is_over { ControlFlow::Continue(()) } else { ControlFlow::Break(visit(m)) }
        }))
    }

    fn played<const FIRST: bool>(&self, m: W::Move) -> Self {
        Self(self.0.played::<FIRST>(m))
    }
}

impl<W: Count<Move: Copy>> Count for Single<W> {
    fn count<const FIRST: bool>(&self) -> u64 {
        self.0.count::<FIRST>().min(1)
    }
}

/// The end of a visit that stopped after one visited item.
fn only<B>(visited: ControlFlow<ControlFlow<B>>) -> ControlFlow<B> {
    match visited {
        ControlFlow::Break(only) => only,
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
    }
}
