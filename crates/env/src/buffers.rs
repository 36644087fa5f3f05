//! The caller's arrays that a batch writes to, and how blocks of games share them.

use crate::batch::BLOCK;
use crate::environment::Environment;
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use rayon::prelude::*;

/// The arrays that a batch of N games writes to. The caller owns them, and the batch allocates nothing. The same
/// buffers serve every step.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// The observation of the player to act: N times the length of the observation.
    pub observations: &'a mut [f32],
    /// The action mask of that player: N times the number of actions, 1 for a legal action and 0 for any other.
    pub masks: &'a mut [u8],
    /// The rewards of the last step: N × 2, for the first side and the second.
    pub rewards: &'a mut [f32],
    /// Whether the last step ended a game: N entries, 1 if it did.
    pub terminated: &'a mut [u8],
    /// The player to act: N entries, 0 for the first side and 1 for the second.
    pub players: &'a mut [u8],
    /// The arrays that are written only on request.
    pub extras: Extras<'a>,
}

/// The arrays that a batch of N games writes only if there is a buffer: `Extras { contexts: Some(buffer),
/// ..Extras::default() }`.
#[derive(Debug, Default)]
pub struct Extras<'a> {
    /// The last observation of a game that this step ended, seen by the side that would move next: N times the length of the
    /// observation. The entries of a game that goes on are left unchanged.
    pub final_observations: Option<&'a mut [f32]>,
    /// The context of the player to act: N times the length of the context, which is 0 in games without a context.
    pub contexts: Option<&'a mut [f32]>,
    /// Whether the last step ended a match: N entries, 1 if it did. A match has ended when no other game follows the
    /// last one. In backgammon for money another game always follows.
    pub match_over: Option<&'a mut [u8]>,
}

/// The rewards and ends of a step in one game.
#[derive(Default)]
pub(crate) struct End {
    pub(crate) rewards: [f32; 2],
    pub(crate) is_over: bool,
    pub(crate) is_match_over: bool,
}

impl Buffers<'_> {
    /// The buffers of each block.
    pub(crate) fn by_block<E: Environment>(
        &mut self,
        kind: E::Observation,
    ) -> impl IndexedParallelIterator<Item = Buffers<'_>> {
        let (length, blocks) = (kind.length(), self.terminated.len().div_ceil(BLOCK));
        let required = (
            self.observations.par_chunks_mut(BLOCK * length),
            self.masks.par_chunks_mut(BLOCK * E::Action::COUNT),
            self.rewards.par_chunks_mut(BLOCK * 2),
            self.terminated.par_chunks_mut(BLOCK),
            self.players.par_chunks_mut(BLOCK),
        );
        let Extras { final_observations, contexts, match_over } = &mut self.extras;
        let extras = (
            chunks(final_observations, BLOCK * length, blocks),
            chunks(contexts, BLOCK * E::CONTEXT, blocks),
            chunks(match_over, BLOCK, blocks),
        );
        required.into_par_iter().zip(extras.into_par_iter()).map(|(required, extras)| {
            let (observations, masks, rewards, terminated, players) = required;
            let (final_observations, contexts, match_over) = extras;
            let extras = Extras { final_observations, contexts, match_over };
            Buffers { observations, masks, rewards, terminated, players, extras }
        })
    }

    // The lengths of the buffers were checked before: there is a place for every game of the block.

    #[inline]
    pub(crate) fn write<E: Environment>(
        &mut self,
        at: usize,
        environment: &E,
        state: &E::State,
        kind: E::Observation,
    ) {
        environment.write_observation(state, kind, part(self.observations, at, kind.length()));
        environment.write_mask(state, part(self.masks, at, E::Action::COUNT));
        self.players[at] = environment.current_player(state) as u8;
        if let Some(contexts) = &mut self.extras.contexts {
            environment.write_context(state, part(contexts, at, E::CONTEXT));
        }
    }

    pub(crate) fn write_end(&mut self, at: usize, end: &End) {
        part(self.rewards, at, 2).copy_from_slice(&end.rewards);
        self.terminated[at] = u8::from(end.is_over);
        if let Some(match_over) = &mut self.extras.match_over {
            match_over[at] = u8::from(end.is_match_over);
        }
    }

    pub(crate) fn write_final<E: Environment>(
        &mut self,
        at: usize,
        environment: &E,
        state: &E::State,
        kind: E::Observation,
    ) {
        if let Some(observations) = &mut self.extras.final_observations {
            environment.write_observation(state, kind, part(observations, at, kind.length()));
        }
    }
}

/// The entries of one game in the buffer of its block.
#[inline]
fn part<T>(buffer: &mut [T], at: usize, length: usize) -> &mut [T] {
    &mut buffer[at * length..(at + 1) * length]
}

/// Splits a buffer into parts, one for each of `count` blocks. The parts are `None` if there is no buffer, or if it is
/// empty.
fn chunks<'a, T: Send>(
    buffer: &'a mut Option<&mut [T]>,
    length: usize,
    count: usize,
) -> impl IndexedParallelIterator<Item = Option<&'a mut [T]>> {
    let chunks = buffer.as_deref_mut().unwrap_or_default().par_chunks_mut(length.max(1));
    let missing = count - chunks.len();
    chunks.map(Some).chain((0..missing).into_par_iter().map(|_| None))
}
