//! Owned arrays that a batch writes to, for tests.

use super::any;
use crate::batch::Batch;
use crate::buffers::{Buffers, Extras};
use crate::environment::Environment;
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::Rng;

/// A number that no observation contains. Unlike NaN it is equal to itself. New arrays of numbers are filled with it, and
/// arrays of bytes with [`UNSET`].
pub const UNSEEN: f32 = -9.0;

/// A byte that no mask, flag or player number contains.
pub const UNSET: u8 = 9;

/// All [`Buffers`] of a batch, with the [`Extras`].
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the fields of the buffers, under the same names")]
pub struct Arrays {
    pub observations: Vec<f32>,
    pub masks: Vec<u8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<u8>,
    pub players: Vec<u8>,
    pub final_observations: Vec<f32>,
    pub contexts: Vec<f32>,
    pub match_over: Vec<u8>,
}

impl Arrays {
    /// The arrays of a batch, before anything is written.
    pub fn new<E: Environment>(batch: &Batch<E>) -> Self {
        let (count, length) = (batch.count(), batch.observation().length());
        Self {
            observations: vec![UNSEEN; count * length],
            masks: vec![UNSET; count * E::Action::COUNT],
            rewards: vec![UNSEEN; count * 2],
            terminated: vec![UNSET; count],
            players: vec![UNSET; count],
            final_observations: vec![UNSEEN; count * length],
            contexts: vec![UNSEEN; count * E::CONTEXT],
            match_over: vec![UNSET; count],
        }
    }

    /// The arrays as buffers that the batch can write to.
    pub fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            players: &mut self.players,
            extras: Extras {
                final_observations: Some(&mut self.final_observations),
                contexts: Some(&mut self.contexts),
                match_over: Some(&mut self.match_over),
            },
        }
    }

    /// Chooses a random legal action for every game, and returns their numbers. All legal actions have the same probability.
    pub fn choose(&self, rng: &mut Rng) -> Vec<i64> {
        let legal =
            |mask: &[u8]| -> Vec<i64> { (0..).zip(mask).filter(|m| *m.1 == 1).map(|m| m.0).collect() };
        (0..self.terminated.len()).map(|slot| any(&legal(self.part(&self.masks, slot)), rng)).collect()
    }

    /// The entries of one game.
    #[must_use]
    pub fn of_slot(&self, slot: usize) -> Self {
        Self {
            observations: self.part(&self.observations, slot).to_vec(),
            masks: self.part(&self.masks, slot).to_vec(),
            rewards: self.part(&self.rewards, slot).to_vec(),
            terminated: self.part(&self.terminated, slot).to_vec(),
            players: self.part(&self.players, slot).to_vec(),
            final_observations: self.part(&self.final_observations, slot).to_vec(),
            contexts: self.part(&self.contexts, slot).to_vec(),
            match_over: self.part(&self.match_over, slot).to_vec(),
        }
    }

    /// The entries of one game in an array of all games.
    fn part<'a, T>(&self, all: &'a [T], slot: usize) -> &'a [T] {
        let length = all.len() / self.terminated.len();
        &all[slot * length..(slot + 1) * length]
    }
}
