//! Environments and batches of a game that is known only at run time.

use crate::batch::Batch;
use crate::buffers::Buffers;
use crate::environment::Environment;
use crate::error::{BatchError, UnknownObservation};
use crate::numbered::Numbered;
use crate::observation::{ObservationKind, ObservationSpec};

/// An [`Environment`] of any game: the sizes of its buffers, and its batches.
///
/// ```
/// use endspiel_env::{AnyEnvironment, Environment};
///
/// let game: Box<dyn AnyEnvironment> = Box::new(dobutsu::Dobutsu);
/// assert_eq!((game.action_count(), game.observations()[0].shapes[0].as_slice()), (180, &[17, 4, 3][..]));
/// let batch = game.batch(1_000, 1, "planes")?;
/// assert_eq!(batch.count(), 1_000);
/// # Ok::<(), endspiel_env::UnknownObservation>(())
/// ```
pub trait AnyEnvironment: Send + Sync {
    /// The number of actions, which is the length of an action mask.
    fn action_count(&self) -> usize;

    /// The number of outcomes of chance. 0 in games without chance.
    fn chance_count(&self) -> usize;

    /// The kinds of observations. The first is the usual one.
    fn observations(&self) -> Vec<ObservationSpec>;

    /// The number of entries of a context. 0 if there is none.
    fn context_length(&self) -> usize;

    /// Makes a batch of `count` games with this kind of observation.
    ///
    /// # Errors
    /// Returns an error if no observation has this name.
    fn batch(
        &self,
        count: usize,
        seed: u64,
        observation: &str,
    ) -> Result<Box<dyn AnyBatch>, UnknownObservation>;
}

impl<E: Environment> AnyEnvironment for E {
    fn action_count(&self) -> usize {
        E::Action::COUNT
    }

    fn chance_count(&self) -> usize {
        E::Chance::COUNT
    }

    fn observations(&self) -> Vec<ObservationSpec> {
        E::Observation::all().into_iter().map(ObservationKind::spec).collect()
    }

    fn context_length(&self) -> usize {
        E::CONTEXT
    }

    fn batch(
        &self,
        count: usize,
        seed: u64,
        observation: &str,
    ) -> Result<Box<dyn AnyBatch>, UnknownObservation> {
        let observation = E::Observation::named(observation)?;
        Ok(Box::new(Batch::new(self.clone(), count, seed, observation)))
    }
}

/// A [`Batch`] of any game.
pub trait AnyBatch: Send + Sync {
    /// The number of games.
    fn count(&self) -> usize;

    /// The number of actions, which is the length of an action mask.
    fn action_count(&self) -> usize;

    /// The kind of observation that is written for each game.
    fn observation(&self) -> ObservationSpec;

    /// The number of entries of a context. 0 if there is none.
    fn context_length(&self) -> usize;

    /// Begins all games anew: [`Batch::reset`].
    fn reset(&mut self, seed: u64);

    /// Begins one game anew: [`Batch::reset_slot`].
    ///
    /// # Errors
    /// Returns an error if there is no such slot.
    fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError>;

    /// Writes the current states of all games: [`Batch::observe`].
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length. Nothing is written then.
    fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError>;

    /// Plays one action in every game. Actions are given by their numbers from 0. See [`Batch::step`].
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length, or if an action cannot be played. No game is changed then.
    fn step(&mut self, actions: &[i64], buffers: &mut Buffers<'_>) -> Result<(), BatchError>;
}

impl<E: Environment> AnyBatch for Batch<E> {
    fn count(&self) -> usize {
        Self::count(self)
    }

    fn action_count(&self) -> usize {
        E::Action::COUNT
    }

    fn observation(&self) -> ObservationSpec {
        Self::observation(self).spec()
    }

    fn context_length(&self) -> usize {
        E::CONTEXT
    }

    fn reset(&mut self, seed: u64) {
        Self::reset(self, seed);
    }

    fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError> {
        Self::reset_slot(self, slot)
    }

    fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError> {
        Self::observe(self, buffers)
    }

    fn step(&mut self, actions: &[i64], buffers: &mut Buffers<'_>) -> Result<(), BatchError> {
        Self::step(self, actions, buffers)
    }
}
