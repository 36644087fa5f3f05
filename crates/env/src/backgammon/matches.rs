//! Game after game: a match to its end, or money games for ever.

use super::actions::Action;
use super::state::State;
use crate::error::ActionError;
use backgammon::{Backgammon, Score};
use game::{BySide, Rng, Side};

/// A game, and what comes after it.
///
/// The score is kept for each side. Points beyond the length of the match do not count. The Crawford game is the one after a side
/// first came within a point of the match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Match {
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
    /// The beginning of the next game, in which this side has the first roll: of the match with its new score, or for
    /// money. Nothing if this one is not over, or has decided the match.
    pub fn next_game(&self, game: &Backgammon, first: Side) -> Option<Self> {
        game.begin_after(self.position(), first).map(Self::from)
    }
}

impl Match {
    /// The first choice of the first game: rolled for this side, or for one drawn by lot.
    pub fn reset(game: &Backgammon, first: Option<Side>, rng: &mut Rng) -> Self {
        Self { game: *game, state: State::reset(game, first, rng) }
    }

    /// The game that is played.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// How the match stood before this game, if it is one.
    pub fn score(&self) -> Option<&Score> {
        self.state.position().terms().stakes.score()
    }

    /// Is there nothing more to play? Money games go on for ever.
    pub fn is_over(&self) -> bool {
        self.state.is_terminal()
    }

    /// Plays an action, and goes on to the next choice. If the action ends the game, its end is given, and the next game begins
    /// with a side drawn by lot. After the last game of a match its state stays.
    ///
    /// # Errors
    /// If the action is not legal; nothing is changed then.
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
