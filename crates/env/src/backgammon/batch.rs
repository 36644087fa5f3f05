//! Thousands of games at once, on all cores.
//!
//! A game lives in a slot, whose dice are its own: what happens in it depends on the seed, its number and what is done with it, and on
//! nothing else, so any number of threads gives the same. Slots lie in blocks, of which every part of a state is an array
//! of its own; a block is a thread's work.

use super::actions::{Action, ActionError};
use super::buffers::{Buffers, End, Extras};
use super::features::CONTEXT;
use super::observe::{BufferError, Observation};
use super::state::State;
use backgammon::{Backgammon, Board, Cube, Phase, Position, Stakes, Terms};
use game::{Position as _, Rng, Side};
use rayon::prelude::*;

/// Slots of a block: enough that handing it to a thread costs nothing, few enough that all cores have some.
pub(super) const BLOCK: usize = 64;

/// Many games that are stepped together. A game that ends begins anew in the same step; of a match, with its next game.
///
/// # For learners
///
/// * Every game is an episode: `terminated` is 1 after each, of a match too, and what comes after it is nothing to
///   bootstrap on.
/// * `rewards` are the points of that game, in a match never more than the winner needs. Who learns to win matches, and
///   not points, takes `match_over` for the end of the episode, who won that game for who won the match, and bootstraps
///   across the games before, on the observation after the step: it tells the new score.
/// * The observation after a step that ended a game is of the next one; the last of the old one is among the [`Extras`].
/// * No game is cut short. Who wants that counts its actions, has its last observation in the buffers, and calls
///   [`Batch::reset_slot`] and [`Batch::observe`].
///
/// ```
/// use backgammon::Backgammon;
/// use endspiel_env::backgammon::{Action, Batch, Buffers, Extras, Observation};
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
///     let actions: Vec<_> = masks.filter_map(first_legal).map(|index| index as i64 + 1).collect();
///     batch.step(&actions, &mut buffers)?;
/// }
/// # Ok::<(), endspiel_env::backgammon::BatchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    game: Backgammon,
    observation: Observation,
    count: usize,
    blocks: Vec<Block>,
}

/// The games of a block: an array for every part.
#[derive(Clone, Debug, Default)]
struct Block {
    boards: Vec<Board>,
    turns: Vec<Side>,
    phases: Vec<Phase>,
    half_played: Vec<bool>,
    cubes: Vec<Cube>,
    stakes: Vec<Stakes>,
    dice: Vec<Rng>,
}

/// What is wrong with what a batch was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A buffer of the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An action that cannot be played.
    #[error("game {slot} of the batch: {source}")]
    Action {
        /// In which slot.
        slot: usize,
        /// What is wrong with it.
        source: ActionError,
    },
    /// A slot that is none.
    #[error("there is no game {slot} in a batch of {count}: they are numbered from 0")]
    Slot {
        /// Its number.
        slot: usize,
        /// How many there are.
        count: usize,
    },
    /// A state in which nobody is to act any more.
    #[error("game {slot} of the batch cannot go on from the end of a game")]
    Over {
        /// For which slot.
        slot: usize,
    },
    /// A state of another kind of game.
    #[error("game {slot} of the batch is played with other dice, another cube or for something else")]
    Terms {
        /// For which slot.
        slot: usize,
    },
}

/// The dice of a slot.
pub fn slot_rng(seed: u64, slot: usize) -> Rng {
    // The generator goes on by adding a constant to its seed, so seeds that differ by a multiple of it have the same dice,
    // one some rolls behind the other. Scattered, no seeds and slots that anybody chooses do.
    let scattered = |number: u64| Rng::new(number).next_u64();
    Rng::new(scattered(scattered(seed) ^ scattered(!(slot as u64))))
}

impl Batch {
    /// So many games, each at its first choice; who begins is drawn by lot.
    pub fn new(game: Backgammon, count: usize, seed: u64, observation: Observation) -> Self {
        let mut batch = Self { game, observation, count, blocks: Vec::new() };
        batch.reset(seed);
        batch
    }

    /// All games anew.
    pub fn reset(&mut self, seed: u64) {
        let (game, count) = (&self.game, self.count);
        let block = |first: usize| {
            let mut block = Block::default();
            for slot in first..count.min(first + BLOCK) {
                let mut rng = slot_rng(seed, slot);
                let state = State::reset(game, None, &mut rng);
                block.push(&state, rng);
            }
            block
        };
        self.blocks = (0..count.div_ceil(BLOCK)).into_par_iter().map(|at| block(at * BLOCK)).collect();
    }

    /// One game anew, by the dice of its slot; a match with its first game.
    ///
    /// # Errors
    /// If there is no such slot.
    pub fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError> {
        let game = self.game;
        self.put(slot, |rng| State::reset(&game, None, rng))
    }

    /// Lets a game go on from a state, or where that is no choice, from the next one by the dice of the slot.
    ///
    /// In a batch of matches it may have any score of any match, which is played to its end; after that the slot goes on
    /// with the game of the batch.
    ///
    /// # Errors
    /// If there is no such slot, or if the state is over or has other dice, another cube or other stakes than the game of
    /// the batch. Nothing is changed then.
    pub fn set_state(&mut self, slot: usize, mut state: State) -> Result<(), BatchError> {
        if state.is_terminal() {
            return Err(BatchError::Over { slot });
        }
        if !self.holds(state.position().terms()) {
            return Err(BatchError::Terms { slot });
        }
        self.put(slot, |rng| {
            state.settle(rng);
            state
        })
    }

    /// Could a game of this batch be on these terms?
    fn holds(&self, terms: &Terms) -> bool {
        let ours = &self.game.terms;
        let same_stakes = match (terms.stakes, ours.stakes) {
            (Stakes::Match(_), Stakes::Match(_)) => true,
            (theirs, ours) => theirs == ours,
        };
        same_stakes && Terms { stakes: ours.stakes, ..*terms } == *ours
    }

    fn put(&mut self, slot: usize, state: impl FnOnce(&mut Rng) -> State) -> Result<(), BatchError> {
        let (count, at) = (self.count, slot % BLOCK);
        let block = self.blocks.get_mut(slot / BLOCK).filter(|block| at < block.boards.len());
        let block = block.ok_or(BatchError::Slot { slot, count })?;
        let state = state(&mut block.dice[at]);
        block.put(at, &state);
        Ok(())
    }

    /// How many games there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// What is written of each.
    pub const fn observation(&self) -> Observation {
        self.observation
    }

    /// A game as it stands, if there is one of this number.
    pub fn state(&self, slot: usize) -> Option<State> {
        let (block, at) = (self.blocks.get(slot / BLOCK)?, slot % BLOCK);
        (at < block.boards.len()).then(|| block.state(&self.game, at))
    }

    /// Writes how all games stand, after [`Batch::new`] or what changed them otherwise than by a step; no rewards, no ends.
    ///
    /// # Errors
    /// If a buffer has the wrong length; nothing is written then.
    pub fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError> {
        self.check_buffers(buffers)?;
        let (game, observation) = (&self.game, self.observation);
        self.blocks.par_iter().zip(buffers.by_block(observation)).for_each(|(block, mut buffers)| {
            for at in 0..block.boards.len() {
                buffers.write_end(at, &End::default());
                buffers.write(at, &block.state(game, at), observation);
            }
        });
        Ok(())
    }

    /// Plays one action in every game, and goes on to the next choice of each. What ended is told and begun anew: rewards
    /// and ends are of the game before, observations, masks and players of the one after.
    ///
    /// # Errors
    /// If a buffer has the wrong length, or an action cannot be played, of which the first slot is named. Nothing is
    /// changed then, in any game.
    pub fn step<N>(&mut self, actions: &[N], buffers: &mut Buffers<'_>) -> Result<(), BatchError>
    where
        N: Copy + Sync + Into<i64>,
    {
        self.check_buffers(buffers)?;
        BufferError::check("action", self.count, actions.len())?;
        self.check_actions(actions)?;
        let (game, observation) = (&self.game, self.observation);
        let work = self.blocks.par_iter_mut().zip(actions.par_chunks(BLOCK));
        work.zip(buffers.by_block(observation)).for_each(|((block, actions), mut buffers)| {
            for (at, &action) in actions.iter().enumerate() {
                // Checked above; a number that is none would leave its game as it is.
                let Ok(action) = Action::new(action) else { continue };
                let see_last = |state: &State| buffers.write_final(at, state, observation);
                let (state, end) = block.step(game, at, action, see_last);
                buffers.write_end(at, &end);
                buffers.write(at, &state, observation);
            }
        });
        Ok(())
    }

    fn check_buffers(&self, buffers: &Buffers<'_>) -> Result<(), BufferError> {
        let (count, length) = (self.count, self.observation.len());
        let check = |what, each, found| BufferError::check(what, count * each, found);
        check("observation", length, buffers.observations.len())?;
        check("mask", Action::COUNT, buffers.masks.len())?;
        check("reward", 2, buffers.rewards.len())?;
        check("terminated", 1, buffers.terminated.len())?;
        check("player", 1, buffers.players.len())?;
        let Extras { final_observations, contexts, match_over } = &buffers.extras;
        let check = |what, each, found: Option<usize>| found.map_or(Ok(()), |found| check(what, each, found));
        check("final observation", length, final_observations.as_ref().map(|buffer| buffer.len()))?;
        check("context", CONTEXT, contexts.as_ref().map(|buffer| buffer.len()))?;
        check("match over", 1, match_over.as_ref().map(|buffer| buffer.len()))
    }

    fn check_actions<N: Copy + Sync + Into<i64>>(&self, actions: &[N]) -> Result<(), BatchError> {
        let check =
            |block: &Block, at: usize, action: N| block.state(&self.game, at).check(Action::new(action)?);
        let first_error = self.blocks.par_iter().zip(actions.par_chunks(BLOCK)).enumerate().find_map_first(
            |(number, (block, actions))| {
                let mut checked =
                    actions.iter().enumerate().map(|(at, &action)| (at, check(block, at, action)));
                checked.find_map(|(at, result)| {
                    result.err().map(|source| BatchError::Action { slot: number * BLOCK + at, source })
                })
            },
        );
        first_error.map_or(Ok(()), Err)
    }
}

impl Block {
    fn push(&mut self, state: &State, rng: Rng) {
        let position = state.position();
        self.boards.push(*position.board());
        self.turns.push(position.turn());
        self.phases.push(position.phase());
        self.half_played.push(state.is_half_played());
        self.cubes.push(position.cube());
        self.stakes.push(position.terms().stakes);
        self.dice.push(rng);
    }

    #[inline]
    fn state(&self, game: &Backgammon, at: usize) -> State {
        let mut terms = game.terms;
        terms.stakes = self.stakes[at];
        let (board, turn, phase) = (self.boards[at], self.turns[at], self.phases[at]);
        State::assembled_unchecked(
            Position::assembled_unchecked(board, turn, phase, self.cubes[at], terms),
            self.half_played[at],
        )
    }

    #[inline]
    fn put(&mut self, at: usize, state: &State) {
        let position = state.position();
        self.boards[at] = *position.board();
        self.turns[at] = position.turn();
        self.phases[at] = position.phase();
        self.half_played[at] = state.is_half_played();
        self.cubes[at] = position.cube();
        self.stakes[at] = position.terms().stakes;
    }

    /// Plays a legal action, and begins anew what it ends, which is shown: how the game stands then, and what that brought.
    #[inline]
    fn step(
        &mut self,
        game: &Backgammon,
        at: usize,
        action: Action,
        see_last: impl FnOnce(&State),
    ) -> (State, End) {
        let mut state = self.state(game, at);
        let rng = &mut self.dice[at];
        state.play(action);
        state.settle(rng);
        let mut end = End::default();
        if state.is_terminal() {
            see_last(&state);
            let rewards = state.rewards();
            let next = state.next_game(game, Side::by_lot(rng));
            end = End {
                rewards: [rewards.first, rewards.second],
                is_over: true,
                is_match_over: next.is_none(),
            };
            state = match next {
                Some(mut next) => {
                    next.settle(rng);
                    next
                }
                None => State::reset(game, None, rng),
            };
        }
        self.put(at, &state);
        (state, end)
    }
}
