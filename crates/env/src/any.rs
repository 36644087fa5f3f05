//! Environments and batches of a game that is known by its name only.

use crate::batch::Batch;
use crate::buffers::Buffers;
use crate::environment::Environment;
use crate::error::{BatchError, UnknownObservation};
use crate::numbered::Numbered;
use crate::observation::{ObservationKind, ObservationSpec};

/// An [`Environment`] of whatever game: what has to be known to make its buffers, and its batches.
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
    /// How many actions there are, in all states: the entries of a mask.
    fn action_count(&self) -> usize;

    /// What chance may bring, in all states; 0 in games without.
    fn chance_count(&self) -> usize;

    /// The kinds of observations; the first is the usual one.
    fn observations(&self) -> Vec<ObservationSpec>;

    /// Numbers of a context; 0 if there is none.
    fn context_length(&self) -> usize;

    /// So many games at once, observed in this way.
    ///
    /// # Errors
    /// If there is no such observation.
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

/// A [`Batch`] of whatever game.
pub trait AnyBatch: Send + Sync {
    /// How many games there are.
    fn count(&self) -> usize;

    /// How many actions there are: the entries of a mask.
    fn action_count(&self) -> usize;

    /// What is written of each game.
    fn observation(&self) -> ObservationSpec;

    /// Numbers of a context; 0 if there is none.
    fn context_length(&self) -> usize;

    /// All games anew.
    fn reset(&mut self, seed: u64);

    /// One game anew: [`Batch::reset_slot`].
    ///
    /// # Errors
    /// If there is no such slot.
    fn reset_slot(&mut self, slot: usize) -> Result<(), BatchError>;

    /// Writes how all games stand: [`Batch::observe`].
    ///
    /// # Errors
    /// If a buffer has the wrong length; nothing is written then.
    fn observe(&self, buffers: &mut Buffers<'_>) -> Result<(), BatchError>;

    /// Plays one action in every game, by its number from 0: [`Batch::step`].
    ///
    /// # Errors
    /// If a buffer has the wrong length, or an action cannot be played. Nothing is changed then, in any game.
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
