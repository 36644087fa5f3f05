//! Kinds of observations, and what is known of each before it is made.

use crate::error::UnknownObservation;
use std::fmt::{Debug, Display};

/// A kind of observation: a position as numbers, seen by whoever is to act. Its text is its name.
pub trait ObservationKind: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// All of a game; the first is the usual one.
    fn all() -> Vec<Self>;

    /// The shapes of its arrays, in C-order, which follow each other: one, or several for networks with several inputs.
    fn shapes(self) -> Vec<Vec<usize>>;

    /// How many numbers it has: those of all its arrays.
    fn length(self) -> usize;

    /// That of this name.
    ///
    /// # Errors
    /// If there is none.
    fn named(name: &str) -> Result<Self, UnknownObservation> {
        let known = || Self::all().iter().map(ToString::to_string).collect();
        let found = Self::all().into_iter().find(|kind| kind.to_string() == name);
        found.ok_or_else(|| UnknownObservation { name: name.to_owned(), known: known() })
    }

    /// What is known of it.
    fn spec(self) -> ObservationSpec {
        ObservationSpec { name: self.to_string(), shapes: self.shapes(), length: self.length() }
    }
}

/// What is known of a kind of observation, whatever the game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ObservationSpec {
    /// Its name.
    pub name: String,
    /// The shapes of its arrays, in C-order, which follow each other.
    pub shapes: Vec<Vec<usize>>,
    /// How many numbers it has.
    pub length: usize,
}
