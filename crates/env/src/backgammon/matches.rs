//! Several games in a row: a match to its end, or money games without end.

use super::actions::Action;
use super::state::State;
use crate::error::ActionError;
use backgammon::{Backgammon, Score};
use game::{BySide, Rng, Side};

/// A game of a match, or a money game. When it ends, the next game begins.
///
/// The score is kept for each side. Points beyond the length of the match do not count. The Crawford game is the one
/// after a side first came within a point of the match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchState {
    game: Backgammon,
    state: State,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchEvent {
    /// The rewards of the game.
    pub rewards: BySide<f32>,
    /// The winner of the match, if the game decided it.
    pub match_winner: Option<Side>,
}

impl State {
    /// The beginning of the next game: the next game of the match with its new score, or another money game. The side
    /// `first` has the first roll. Returns `None` if this game is not over, or if it has decided the match.
    pub fn next_game(&self, game: &Backgammon, first: Side) -> Option<Self> {
        game.begin_after(self.position(), first).map(Self::from)
    }
}

impl MatchState {
    /// Begins the first game and goes on to its first choice. The side `first` has the first roll; if it is `None`, the
    /// side is drawn by lot.
    pub fn reset(game: &Backgammon, first: Option<Side>, rng: &mut Rng) -> Self {
        Self { game: *game, state: State::reset(game, first, rng) }
    }

    /// The state of the current game.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The score of the match before this game. Returns `None` for money games.
    pub fn score(&self) -> Option<&Score> {
        self.state.position().terms().stakes.score()
    }

    /// Returns whether the match is over. Money games never are: another game always follows.
    pub fn is_over(&self) -> bool {
        self.state.is_terminal()
    }

    /// Plays an action, and goes on to the next choice. If the action ends the game, returns the end of the game and
    /// begins the next game; the side with the first roll is drawn by lot. After the last game of a match, the state
    /// stays at its end.
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The state is unchanged then.
    pub fn step(&mut self, action: Action, rng: &mut Rng) -> Result<Option<MatchEvent>, ActionError> {
        self.state.step(action, rng)?;
        let Some(winner) = self.state.winner() else { return Ok(None) };
        let rewards = self.state.rewards();
        let next = self.state.next_game(&self.game, Side::by_lot(rng));
        if let Some(mut next) = next {
            next.settle(rng);
            self.state = next;
        }
        Ok(Some(MatchEvent { rewards, match_winner: next.is_none().then_some(winner) }))
    }
}
