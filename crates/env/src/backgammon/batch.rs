//! Thousands of games at once, on all cores.
//!
//! A game lives in a slot, whose dice are its own: what happens in it depends on the seed, its number and its actions, and on
//! nothing else, so any number of threads gives the same. Slots lie in blocks, of which every part of a state is an array
//! of its own; a block is a thread's work.

use super::actions::{Action, ActionError};
use super::observe::{BufferError, Observation};
use super::state::{State, by_lot};
use backgammon::{Backgammon, Board, Cube, Phase, Position, Stakes};
use game::{Position as _, Rng, Side};
use rayon::prelude::*;

/// Slots of a block: enough that handing it to a thread costs nothing, few enough that all cores have some.
const BLOCK: usize = 64;

/// Many games that are stepped together. A game that ends begins anew in the same step; of a match, with its next game.
#[derive(Clone, Debug)]
pub struct Batch {
    game: Backgammon,
    observation: Observation,
    count: usize,
    blocks: Vec<Block>,
    match_over: Vec<u8>,
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

/// Where a batch of N games writes. All are the caller's; nothing is allocated.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// What whoever is to act sees: N times the numbers of the observation.
    pub observations: &'a mut [f32],
    /// What he may do: N × 680, 1 for what is legal.
    pub masks: &'a mut [u8],
    /// What the last step brought: N × 2, for the first side and the second.
    pub rewards: &'a mut [f32],
    /// Did the last step end a game? N, 1 if so.
    pub terminated: &'a mut [u8],
    /// Who is to act: N, 0 the first side and 1 the second.
    pub players: &'a mut [u8],
}

/// What is wrong with a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A buffer of the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An action that cannot be played.
    #[error("game {slot} of the batch")]
    Action {
        /// In which slot.
        slot: usize,
        /// What is wrong with it.
        source: ActionError,
    },
}

/// The dice of a slot.
pub fn slot_rng(seed: u64, slot: usize) -> Rng {
    // The generator goes from seed to seed by adding a constant, so seeds that are near each other would share dice: both
    // are scattered first.
    let scattered = |number: u64| Rng::new(number).next_u64();
    Rng::new(scattered(scattered(seed) ^ scattered(!(slot as u64))))
}

impl Batch {
    /// So many games, each at its first choice; who begins is drawn by lot.
    pub fn new(game: Backgammon, count: usize, seed: u64, observation: Observation) -> Self {
        let mut batch = Self { game, observation, count, blocks: Vec::new(), match_over: vec![0; count] };
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
        self.match_over.fill(0);
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

    /// For each game, whether the last step decided the match: 1 if so. Money games decide none.
    pub fn match_over(&self) -> &[u8] {
        &self.match_over
    }

    /// Writes how all games stand; no rewards, no ends.
    ///
    /// # Errors
    /// If a buffer has the wrong length; nothing is written then.
    pub fn observe(&self, buffers: Buffers<'_>) -> Result<(), BatchError> {
        self.check_buffers(&buffers)?;
        buffers.rewards.fill(0.0);
        buffers.terminated.fill(0);
        let (game, observation) = (&self.game, self.observation);
        self.blocks.par_iter().zip(Parts::split(buffers, observation)).for_each(|(block, mut parts)| {
            for at in 0..block.boards.len() {
                parts.write(at, &block.state(game, at), observation);
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
    pub fn step<N>(&mut self, actions: &[N], buffers: Buffers<'_>) -> Result<(), BatchError>
    where
        N: Copy + Sync + Into<i64>,
    {
        self.check_buffers(&buffers)?;
        BufferError::check("action", self.count, actions.len())?;
        self.check_actions(actions)?;
        let (game, observation) = (&self.game, self.observation);
        let work = self.blocks.par_iter_mut().zip(actions.par_chunks(BLOCK));
        let ends = self.match_over.par_chunks_mut(BLOCK);
        work.zip(ends).zip(Parts::split(buffers, observation)).for_each(
            |(((block, actions), ends), mut parts)| {
                for (at, (&action, match_over)) in actions.iter().zip(ends).enumerate() {
                    // Checked above; a number that is none would leave its game as it is.
                    let Ok(action) = Action::new(action) else { continue };
                    let (state, end) = block.step(game, at, action);
                    *match_over = u8::from(end.is_match_over);
                    parts.write_end(at, &end);
                    parts.write(at, &state, observation);
                }
            },
        );
        Ok(())
    }

    fn check_buffers(&self, buffers: &Buffers<'_>) -> Result<(), BufferError> {
        let count = self.count;
        BufferError::check("observation", count * self.observation.len(), buffers.observations.len())?;
        BufferError::check("mask", count * Action::COUNT, buffers.masks.len())?;
        BufferError::check("reward", count * 2, buffers.rewards.len())?;
        BufferError::check("terminated", count, buffers.terminated.len())?;
        BufferError::check("player", count, buffers.players.len())
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

/// What a step brought.
#[derive(Default)]
struct End {
    rewards: [f32; 2],
    is_over: bool,
    is_match_over: bool,
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
        State::assembled(Position::assembled(board, turn, phase, self.cubes[at], terms), self.half_played[at])
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

    /// Plays a legal action, and begins anew what it ends: how the game stands then, and what that brought.
    #[inline]
    fn step(&mut self, game: &Backgammon, at: usize, action: Action) -> (State, End) {
        let mut state = self.state(game, at);
        let rng = &mut self.dice[at];
        state.play(action);
        state.settle(rng);
        let mut end = End::default();
        if state.is_terminal() {
            let rewards = state.rewards();
            let next = state.next_game(game, by_lot(rng));
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

/// Where a block writes.
struct Parts<'a> {
    observations: &'a mut [f32],
    masks: &'a mut [u8],
    rewards: &'a mut [f32],
    terminated: &'a mut [u8],
    players: &'a mut [u8],
}

impl<'a> Parts<'a> {
    /// The buffers of each block.
    fn split(
        buffers: Buffers<'a>,
        observation: Observation,
    ) -> impl IndexedParallelIterator<Item = Parts<'a>> {
        let Buffers { observations, masks, rewards, terminated, players } = buffers;
        let floats =
            observations.par_chunks_mut(BLOCK * observation.len()).zip(rewards.par_chunks_mut(BLOCK * 2));
        let bytes = masks.par_chunks_mut(BLOCK * Action::COUNT).zip(terminated.par_chunks_mut(BLOCK));
        floats.zip(bytes).zip(players.par_chunks_mut(BLOCK)).map(
            |(((observations, rewards), (masks, terminated)), players)| Parts {
                observations,
                masks,
                rewards,
                terminated,
                players,
            },
        )
    }

    #[inline]
    fn write(&mut self, at: usize, state: &State, observation: Observation) {
        let length = observation.len();
        // The lengths were checked; there is a place for every game of the block.
        let _ = observation.write(state, &mut self.observations[at * length..(at + 1) * length]);
        state.write_mask(&mut self.masks[at * Action::COUNT..(at + 1) * Action::COUNT]);
        self.players[at] = state.current_player() as u8;
    }

    fn write_end(&mut self, at: usize, end: &End) {
        self.rewards[at * 2..(at + 1) * 2].copy_from_slice(&end.rewards);
        self.terminated[at] = u8::from(end.is_over);
    }
}
