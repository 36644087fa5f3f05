//! The rules that end a game although its position has legal moves.

use crate::{Outcome, Position, Repetition};

/// The rules of a game that are not part of its positions: repetition, clocks, declarations. Moves, perft and tables
/// ignore them.
#[derive(Clone, Copy, Debug)]
pub struct Rulebook<P> {
    /// The rules about repeated positions.
    pub repetition: Repetition,
    /// Returns whether the side to move is in check. Only games need this in which perpetual check loses.
    pub is_check: Option<fn(&P) -> bool>,
    /// Returns the outcome if a rule ends the game here although the position has legal moves: dead material, a clock
    /// that ran out, a goal that is reached.
    pub ends: fn(&P) -> Option<Outcome>,
    /// Returns the outcome that the side to move may claim here: a draw by the fifty-move rule, a declaration.
    pub claims: fn(&P) -> Option<Outcome>,
}

impl<P: Position> Rulebook<P> {
    /// Creates a rulebook with rules about repetition only.
    pub fn new(repetition: Repetition) -> Self {
        Self { repetition, is_check: None, ends: |_| None, claims: |_| None }
    }
}
