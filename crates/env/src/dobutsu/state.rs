//! The state of a game of Dobutsu shogi. It keeps the past, because the repetition rule needs it.

use dobutsu::{Dobutsu, Move, Position};
use game::{Game, Outcome, Position as _};

/// A position, and the positions before it, 18 bytes each.
///
/// No move of Dobutsu shogi is irreversible, because captured pieces are dropped again. So a repetition may go back to
/// any earlier position, and all of them are kept. Games are short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    position: Position,
    past: Vec<Position>,
    /// How often the position has occurred, including this time.
    occurrences: u32,
}

impl From<Position> for State {
    fn from(position: Position) -> Self {
        Self { position, past: Vec::new(), occurrences: 1 }
    }
}

impl State {
    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How often the position has occurred, including this time.
    #[inline]
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// Returns whether the game is drawn by repetition.
    #[inline]
    pub fn is_drawn(&self) -> bool {
        Dobutsu::INFO.capabilities.repetition.draw.is_some_and(|limit| self.occurrences >= limit)
    }

    /// The outcome of the game. Returns `None` if it is not over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        let repeated = || self.is_drawn().then(|| Outcome::draw("repetition"));
        self.position.outcome().or_else(repeated)
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn play(&mut self, m: Move) {
        self.past.push(self.position);
        self.position = self.position.play_unchecked(m);
        // The position before the move has the other side to move. So compare with every second position, from the one two
        // plies ago.
        let before = self.past.iter().rev().skip(1).step_by(2);
        self.occurrences = 1 + before.filter(|&stood| *stood == self.position).count() as u32;
    }
}
