//! A game as it was played: undo, and the rules that ask about the past.

use crate::{IllegalMove, Outcome, Position};

/// A start position and the moves since. Adds to a position what only a game has: a past.
#[derive(Clone, Debug)]
pub struct Record<P: Position> {
    /// The start and every position since; never empty.
    positions: Vec<P>,
    moves: Vec<P::Move>,
    draw_at_occurrence: Option<u32>,
}

impl<P: Position> Record<P> {
    /// A game that begins here. `draw_at_occurrence`: a position that stands for the n-th time ends it.
    pub fn new(start: P, draw_at_occurrence: Option<u32>) -> Self {
        Self { positions: vec![start], moves: Vec::new(), draw_at_occurrence }
    }

    /// The position now.
    pub fn position(&self) -> &P {
        self.positions.last().expect("the start is never undone")
    }

    /// The moves played.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The positions, from the start to now: one more than the moves.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal, or the game is over; the record stays as it was.
    pub fn play(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove);
        }
        let next = self.position().play(m)?;
        self.positions.push(next);
        self.moves.push(m);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<P::Move> {
        let undone = self.moves.pop()?;
        self.positions.pop();
        Some(undone)
    }

    /// How often the position now has stood, this time included.
    pub fn occurrences(&self) -> u32 {
        self.positions.iter().filter(|&p| p == self.position()).count() as u32
    }

    /// How the game ended, if it has: by the position, or by its repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| {
            let limit = self.draw_at_occurrence?;
            (self.occurrences() >= limit).then(|| Outcome::draw("repetition"))
        })
    }
}
