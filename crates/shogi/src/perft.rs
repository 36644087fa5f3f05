//! Counting sequences of moves, with the sides known to the compiler.

use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use game::perft::Walk;

/// The bare state will do to count.
impl Walk for State {
    type Move = Move;

    const BULK: bool = true;

    #[inline(always)]
    fn count<const FIRST: bool>(&self) -> u64 {
        State::count::<FIRST>(self)
    }

    #[inline(always)]
    fn visit<const FIRST: bool>(&self, visit: impl FnMut(Move)) {
        self.for_each::<FIRST>(visit);
    }

    #[inline(always)]
    fn play<const FIRST: bool>(&self, m: Move) -> Self {
        State::play::<FIRST>(self, m)
    }
}

/// Moves that are played are played in full, with all that a position knows.
impl Walk for Position {
    type Move = Move;

    const BULK: bool = false;

    #[inline(always)]
    fn count<const FIRST: bool>(&self) -> u64 {
        self.state.count::<FIRST>()
    }

    #[inline(always)]
    fn visit<const FIRST: bool>(&self, visit: impl FnMut(Move)) {
        self.state.for_each::<FIRST>(visit);
    }

    #[inline(always)]
    fn play<const FIRST: bool>(&self, m: Move) -> Self {
        self.played::<FIRST>(m)
    }
}
