//! The rules that end a game although its position has moves.

use crate::{Outcome, Position, Repetition};

/// What only a game knows, beside its positions: repetition, clocks, declarations. Moves, perft and tables ignore it.
#[derive(Clone, Copy, Debug)]
pub struct Rulebook<P> {
    /// What it means that a position stands again.
    pub repetition: Repetition,
    /// Where repetition is no draw for who gave check with every move of it, but a loss: is the side to move in check?
    pub is_check: Option<fn(&P) -> bool>,
    /// What ends a game here although the position has moves: dead material, a clock that ran out, a goal that is reached.
    pub ends: fn(&P) -> Option<Outcome>,
    /// What the side to move may claim here: the draw of the fifty-move rule, a declaration.
    pub claims: fn(&P) -> Option<Outcome>,
}

impl<P: Position> Rulebook<P> {
    /// Nothing but repetition.
    pub fn new(repetition: Repetition) -> Self {
        Self { repetition, is_check: None, ends: |_| None, claims: |_| None }
    }
}
