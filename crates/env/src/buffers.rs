//! The caller's arrays that a batch writes to, and how blocks of games share them.

use crate::environment::Environment;
use crate::numbered::Numbered;
use crate::observation::ObservationKind;

/// The arrays that a batch of N games writes to. The caller owns them, and the same buffers serve
/// every step.
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
    /// The same buffers, for a shorter time.
    pub(crate) fn reborrow(&mut self) -> Buffers<'_> {
        let Extras { final_observations, contexts, match_over } = &mut self.extras;
        Buffers {
            observations: self.observations,
            masks: self.masks,
            rewards: self.rewards,
            terminated: self.terminated,
            players: self.players,
            extras: Extras {
                final_observations: final_observations.as_deref_mut(),
                contexts: contexts.as_deref_mut(),
                match_over: match_over.as_deref_mut(),
            },
        }
    }

    /// The buffers of the first `games` games, and those of the others. The lengths were checked before.
    pub(crate) fn split_at(self, games: usize) -> (Self, Self) {
        let all = self.terminated.len();
        let (observations, other_observations) = split(self.observations, games, all);
        let (masks, other_masks) = split(self.masks, games, all);
        let (rewards, other_rewards) = split(self.rewards, games, all);
        let (terminated, other_terminated) = split(self.terminated, games, all);
        let (players, other_players) = split(self.players, games, all);
        let Extras { final_observations, contexts, match_over } = self.extras;
        let (final_observations, other_final) = split_some(final_observations, games, all);
        let (contexts, other_contexts) = split_some(contexts, games, all);
        let (match_over, other_match_over) = split_some(match_over, games, all);
        let first = Buffers {
            observations,
            masks,
            rewards,
            terminated,
            players,
            extras: Extras { final_observations, contexts, match_over },
        };
        let others = Buffers {
            observations: other_observations,
            masks: other_masks,
            rewards: other_rewards,
            terminated: other_terminated,
            players: other_players,
            extras: Extras {
                final_observations: other_final,
                contexts: other_contexts,
                match_over: other_match_over,
            },
        };
        (first, others)
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

/// Splits a buffer of `all` games before the entries of a game.
fn split<T>(buffer: &mut [T], games: usize, all: usize) -> (&mut [T], &mut [T]) {
    buffer.split_at_mut(buffer.len() / all * games)
}

fn split_some<T>(buffer: Option<&mut [T]>, games: usize, all: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
    buffer.map(|buffer| split(buffer, games, all)).unzip()
}
