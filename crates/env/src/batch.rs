//! Thousands of games at once, on all cores.
//!
//! A game lives in a slot. Each slot has a random generator of its own, which depends on the seed and the number of the slot. So any
//! number of threads gives the same games. Slots lie in blocks; a block is a thread's work.

use crate::buffers::{Buffers, End, Extras};
use crate::environment::Environment;
use crate::error::{BatchError, BufferError};
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::Rng;
use rayon::prelude::*;

/// Slots of a block: enough that handing it to a thread costs nothing, few enough that all cores have some.
pub(crate) const BLOCK: usize = 64;

/// Many games that are stepped together. Where a game ends, the same step begins another: the next game of the match, or a new
/// one.
///
/// # For learners
///
/// * Every game is an episode, also a game of a match: `terminated` is 1 at its end. Do not bootstrap across it.
/// * `rewards` are those of that game. To learn to win matches instead of points, take the match as the episode. It ends
///   where `match_over` is 1, and the winner of its last game has won it. Between its games, bootstrap on the observation
///   after the step, which tells the new score.
/// * After a step that ended a game, the observation shows the next game. The last observation of the old game is among the
///   [`Extras`].
/// * No game is cut short. To limit games, count their actions and call [`Batch::reset_slot`] and [`Batch::observe`]. The
///   buffers hold the last observation until then.
///
/// ```
/// use backgammon::Backgammon;
/// use endspiel_env::backgammon::{Action, Observation};
/// use endspiel_env::{Batch, Buffers, Extras};
///
/// let mut batch = Batch::new(Backgammon::default(), 100, 1, Observation::FULL);
/// let length = 100 * batch.observation().len();
/// let mut buffers = Buffers {
///     observations: &mut vec![0.0; length],
///     masks: &mut [0; 100 * Action::COUNT],
///     rewards: &mut [0.0; 200],
///     terminated: &mut [0; 100],
///     players: &mut [0; 100],
///     extras: Extras { final_observations: Some(&mut vec![0.0; length]), ..Extras::default() },
/// };
/// batch.observe(&mut buffers)?;
/// for _ in 0..10 {
///     let first_legal = |mask: &[u8]| mask.iter().position(|&legal| legal == 1);
///     let masks = buffers.masks.chunks_exact(Action::COUNT);
///     let actions: Vec<_> = masks.filter_map(first_legal).map(|index| index as i64).collect();
///     batch.step(&actions, &mut buffers)?;
/// }
/// # Ok::<(), endspiel_env::BatchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<E: Environment> {
    environment: E,
    observation: E::Observation,
    slots: Vec<Slot<E::State>>,
}

/// A game, and its luck.
#[derive(Clone, Debug)]
struct Slot<S> {
    state: S,
    rng: Rng,
}

/// The luck of a slot.
pub fn slot_rng(seed: u64, slot: usize) -> Rng {
    // The generator goes on by adding a constant to its seed, so seeds that differ by a multiple of it have the same dice,
    // one some rolls behind the other. Scattered, no seeds and slots that anybody chooses do.
    let scattered = |number: u64| Rng::new(number).next_u64();
    Rng::new(scattered(scattered(seed) ^ scattered(!(slot as u64))))
}

impl<E: Environment> Batch<E> {
    /// So many games, each at its first choice.
    pub fn new(environment: E, count: usize, seed: u64, observation: E::Observation) -> Self {
        let slots = begun(&environment, count, seed);
        Self { environment, observation, slots }
    }

    /// All games anew.
    pub fn reset(&mut self, seed: u64) {
        self.slots = begun(&self.environment, self.slots.len(), seed);
    }

    /// One game anew, by the luck of its slot; a match with its first game.
    ///
    /// # Errors
    /// If there is no such slot.
    pub fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError> {
        let count = self.slots.len();
        let Slot { state, rng } = self.slots.get_mut(slot).ok_or(BatchError::Slot { slot, count })?;
        *state = self.environment.reset(rng);
        Ok(())
    }

    /// Puts a state into a slot. If nobody is to choose in it, the slot's generator goes on to the next choice.
    ///
    /// In a batch of matches the state may have any score of any match. The slot plays that match to its end, and then begins a
    /// match of the batch.
    ///
    /// # Errors
    /// If there is no such slot, or if the state is over or of a game with other options than that of the batch. Nothing is
    /// changed then.
    pub fn set_state(&mut self, slot: usize, mut state: E::State) -> Result<(), BatchError> {
        if self.environment.is_terminal(&state) {
            return Err(BatchError::Over { slot });
        }
        if !self.environment.holds(&state) {
            return Err(BatchError::Foreign { slot });
        }
        let count = self.slots.len();
        let kept = self.slots.get_mut(slot).ok_or(BatchError::Slot { slot, count })?;
        self.environment.settle(&mut state, &mut kept.rng);
        kept.state = state;
        Ok(())
    }

    /// The game that is played.
    pub const fn environment(&self) -> &E {
        &self.environment
    }

    /// How many games there are.
    pub const fn count(&self) -> usize {
        self.slots.len()
    }

    /// What is written of each.
    pub const fn observation(&self) -> E::Observation {
        self.observation
    }

    /// A game as it stands, if there is one of this number.
    pub fn state(&self, slot: usize) -> Option<&E::State> {
        self.slots.get(slot).map(|slot| &slot.state)
    }

    /// Writes how all games stand, with no rewards and no ends. Call it after [`Batch::new`], and after every change that is not a
    /// step.
    ///
    /// # Errors
    /// If a buffer has the wrong length; nothing is written then.
    pub fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError> {
        self.check_buffers(buffers)?;
        let (environment, kind) = (&self.environment, self.observation);
        self.slots.par_chunks(BLOCK).zip(buffers.by_block::<E>(kind)).for_each(|(slots, mut buffers)| {
            for (at, slot) in slots.iter().enumerate() {
                buffers.write_end(at, &End::default());
                buffers.write(at, environment, &slot.state, kind);
            }
        });
        Ok(())
    }

    /// Plays one action in every game, by its number from 0, and goes on to the next choice of each. Where a game ends, another
    /// begins: rewards and ends are those of the old game; observations, masks and players are those of the new one.
    ///
    /// # Errors
    /// If a buffer has the wrong length, or an action cannot be played; the error names the first slot with such an action.
    /// Nothing is changed then, in any game.
    pub fn step<N>(&mut self, actions: &[N], buffers: &mut Buffers<'_>) -> Result<(), BatchError>
    where
        N: Copy + Sync + Into<i64>,
    {
        self.check_buffers(buffers)?;
        BufferError::check("action", self.slots.len(), actions.len())?;
        self.check_actions(actions)?;
        let (environment, kind) = (&self.environment, self.observation);
        let work = self.slots.par_chunks_mut(BLOCK).zip(actions.par_chunks(BLOCK));
        work.zip(buffers.by_block::<E>(kind)).for_each(|((slots, actions), mut buffers)| {
            for (at, (slot, &action)) in slots.iter_mut().zip(actions).enumerate() {
                // Checked above; a number that is none would leave its game as it is.
                let Ok(action) = environment.action(action) else { continue };
                let end = slot.step(environment, action, |last| {
                    buffers.write_final(at, environment, last, kind);
                });
                buffers.write_end(at, &end);
                buffers.write(at, environment, &slot.state, kind);
            }
        });
        Ok(())
    }

    fn check_buffers(&self, buffers: &Buffers<'_>) -> Result<(), BufferError> {
        let (count, length) = (self.slots.len(), self.observation.length());
        let check = |what, each, found| BufferError::check(what, count * each, found);
        check("observation", length, buffers.observations.len())?;
        check("mask", E::Action::COUNT, buffers.masks.len())?;
        check("reward", 2, buffers.rewards.len())?;
        check("terminated", 1, buffers.terminated.len())?;
        check("player", 1, buffers.players.len())?;
        let Extras { final_observations, contexts, match_over } = &buffers.extras;
        let check = |what, each, found: Option<usize>| found.map_or(Ok(()), |found| check(what, each, found));
        check("final observation", length, final_observations.as_ref().map(|buffer| buffer.len()))?;
        check("context", E::CONTEXT, contexts.as_ref().map(|buffer| buffer.len()))?;
        check("match over", 1, match_over.as_ref().map(|buffer| buffer.len()))
    }

    fn check_actions<N: Copy + Sync + Into<i64>>(&self, actions: &[N]) -> Result<(), BatchError> {
        let environment = &self.environment;
        let check = |slot: &Slot<E::State>, action: N| {
            environment.check_action(&slot.state, environment.action(action)?)
        };
        let blocks = self.slots.par_chunks(BLOCK).zip(actions.par_chunks(BLOCK)).enumerate();
        let first_error = blocks.find_map_first(|(block, (slots, actions))| {
            let mut checked =
                slots.iter().zip(actions).map(|(slot, &action)| check(slot, action)).enumerate();
            checked.find_map(|(at, result)| {
                result.err().map(|source| BatchError::Action { slot: block * BLOCK + at, source })
            })
        });
        first_error.map_or(Ok(()), Err)
    }
}

/// Games at their first choice.
fn begun<E: Environment>(environment: &E, count: usize, seed: u64) -> Vec<Slot<E::State>> {
    let begin = |slot| {
        let mut rng = slot_rng(seed, slot);
        Slot { state: environment.reset(&mut rng), rng }
    };
    (0..count).into_par_iter().with_min_len(BLOCK).map(begin).collect()
}

impl<S> Slot<S> {
    /// Plays a legal action and says what it ended. If it ended the game, `see_last` sees the last state, and another game begins.
    #[inline]
    fn step<E: Environment<State = S>>(
        &mut self,
        environment: &E,
        action: E::Action,
        see_last: impl FnOnce(&S),
    ) -> End {
        let Self { state, rng } = self;
        environment.play_action(state, action);
        environment.settle(state, rng);
        if !environment.is_terminal(state) {
            return End::default();
        }
        see_last(state);
        let rewards = environment.rewards(state);
        let next = environment.next_state(state, rng);
        let is_match_over = next.is_none();
        *state = next.unwrap_or_else(|| environment.reset(rng));
        End { rewards: [rewards.first, rewards.second], is_over: true, is_match_over }
    }
}
