//! Batches: thousands of games that are stepped together, on all cores.
//!
//! Each game has a slot. Each slot has its own random generator, which depends only on the seed and the number of the slot.
//! So any number of threads gives the same games. Slots are grouped into blocks; a block is the unit of work of a thread.

use crate::buffers::{Buffers, End, Extras};
use crate::environment::Environment;
use crate::error::{BatchError, BufferError};
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::{Rng, parallel};

/// The number of slots of a block: enough to make the cost of scheduling small, and few enough to keep all cores busy.
pub(crate) const BLOCK: usize = 64;

/// Many games that are stepped together. When a game ends, the same step begins another: the next game of the match, or a
/// new one.
///
/// # For learners
///
/// * Every game is an episode, also a game of a longer match: `terminated` is 1 at its end. Do not bootstrap across it.
/// * `rewards` are those of that game. To train for matches instead of points, end the episode when `match_over` is set.
///   The winner of the last game has won the match. Between the games of a match, bootstrap on the observation after the
///   step, which contains the new score.
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

/// A game, and its random generator.
#[derive(Clone, Debug)]
struct Slot<S> {
    state: S,
    rng: Rng,
}

/// The random generator of a slot.
pub fn slot_rng(seed: u64, slot: usize) -> Rng {
    // The generator adds a constant to its state at every step. So two seeds that differ by a multiple of the constant give
    // the same dice, one some rolls behind the other. Hashing the seed and the slot avoids this in practice.
    let scattered = |number: u64| Rng::new(number).next_u64();
    Rng::new(scattered(scattered(seed) ^ scattered(!(slot as u64))))
}

impl<E: Environment> Batch<E> {
    /// Makes a batch of `count` games, each at its first choice.
    pub fn new(environment: E, count: usize, seed: u64, observation: E::Observation) -> Self {
        let slots = begun(&environment, count, seed);
        Self { environment, observation, slots }
    }

    /// Begins all games anew, with a new seed.
    pub fn reset(&mut self, seed: u64) {
        self.slots = begun(&self.environment, self.slots.len(), seed);
    }

    /// Begins one game anew, with the random generator of its slot. A match begins again with its first game.
    ///
    /// # Errors
    /// Returns an error if there is no such slot.
    pub fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError> {
        let count = self.slots.len();
        let Slot { state, rng } = self.slots.get_mut(slot).ok_or(BatchError::Slot { slot, count })?;
        *state = self.environment.reset(rng);
        Ok(())
    }

    /// Puts a state into a slot. If no player is to choose in it, the game goes on to the next choice with the random
    /// generator of the slot.
    ///
    /// In a batch of matches the state may have any score and any match length. The slot plays that match to its end,
    /// and then begins a match of the batch.
    ///
    /// # Errors
    /// Returns an error if there is no such slot, if the game is over in the state, or if the state belongs to a game with
    /// other options than the batch. Nothing is changed then.
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

    /// The number of games.
    pub const fn count(&self) -> usize {
        self.slots.len()
    }

    /// The kind of observation that is written for each game.
    pub const fn observation(&self) -> E::Observation {
        self.observation
    }

    /// The state of the game in a slot. Returns `None` if there is no such slot.
    pub fn state(&self, slot: usize) -> Option<&E::State> {
        self.slots.get(slot).map(|slot| &slot.state)
    }

    /// Writes the current states of all games. Rewards and ends are written as 0. Call it after [`Batch::new`], and
    /// after every change that is not a step.
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length. Nothing is written then.
    pub fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError> {
        self.check_buffers(buffers)?;
        let (environment, kind) = (&self.environment, self.observation);
        // Nothing is changed, so the work needs no items but only their places. This vector takes no memory.
        let mut places = vec![(); self.slots.len()];
        in_blocks(&mut places, 0, buffers.reborrow(), &|places, first, buffers| {
            for (at, slot) in self.slots[first..][..places.len()].iter().enumerate() {
                buffers.write_end(at, &End::default());
                buffers.write(at, environment, &slot.state, kind);
            }
        });
        Ok(())
    }

    /// Plays one action in every game, and goes on to the next choice of each. Actions are given by their numbers from
    /// 0. When a game ends, another begins: rewards and ends are those of the old game; observations, masks and players
    /// are those of the new one.
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length, or if an action cannot be played. The error names the first
    /// slot with such an action. No game is changed then.
    pub fn step<N>(&mut self, actions: &[N], buffers: &mut Buffers<'_>) -> Result<(), BatchError>
    where
        N: Copy + Sync + Into<i64>,
    {
        self.check_buffers(buffers)?;
        BufferError::check("action", self.slots.len(), actions.len())?;
        self.check_actions(actions)?;
        let (environment, kind) = (&self.environment, self.observation);
        in_blocks(&mut self.slots, 0, buffers.reborrow(), &|slots, first, buffers| {
            for (at, (slot, &action)) in slots.iter_mut().zip(&actions[first..]).enumerate() {
                // The numbers were checked above, so every number is an action.
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
        let errors = parallel::map(self.slots.len().div_ceil(BLOCK), |block| {
            let slots = self.slots.iter().zip(actions).enumerate().skip(block * BLOCK).take(BLOCK);
            slots
                .map(|(slot, (kept, &action))| (slot, check(kept, action)))
                .find_map(|(slot, checked)| checked.err().map(|source| BatchError::Action { slot, source }))
        });
        errors.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

/// Begins `count` games and goes on to the first choice of each.
fn begun<E: Environment>(environment: &E, count: usize, seed: u64) -> Vec<Slot<E::State>> {
    let begin = |slot: usize| {
        let mut rng = slot_rng(seed, slot);
        Slot { state: environment.reset(&mut rng), rng }
    };
    let blocks = parallel::map(count.div_ceil(BLOCK), |block| {
        (block * BLOCK..count.min((block + 1) * BLOCK)).map(begin).collect::<Vec<_>>()
    });
    blocks.concat()
}

/// What is done with some items of a batch: it gets the place of the first one, and their part of the buffers.
type Work<'a, T> = dyn Fn(&mut [T], usize, &mut Buffers<'_>) + Sync + 'a;

/// Splits the items of a batch and its buffers into blocks, and works on these on all threads.
fn in_blocks<T: Send>(items: &mut [T], first: usize, mut buffers: Buffers<'_>, work: &Work<'_, T>) {
    if items.len() <= BLOCK {
        return work(items, first, &mut buffers);
    }
    let half = items.len().div_ceil(BLOCK) / 2 * BLOCK;
    let (before, after) = items.split_at_mut(half);
    let (of_before, of_after) = buffers.split_at(half);
    rayon::join(
        || in_blocks(before, first, of_before, work),
        || in_blocks(after, first + half, of_after, work),
    );
}

impl<S> Slot<S> {
    /// Plays a legal action. If it ends the game, calls `see_last` with the last state, and begins another game.
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
