//! Kinds of observations, and their names and shapes.

use crate::error::UnknownObservation;
use std::fmt::{Debug, Display};

/// A kind of observation: a position as numbers, seen by the player to act. `Display` writes its name.
pub trait ObservationKind: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// All kinds of a game. The first is the usual one.
    fn all() -> Vec<Self>;

    /// The shapes of its arrays, in C-order. The arrays follow each other in the buffer. There is one array, or several for
    /// networks with several inputs.
    fn shapes(self) -> Vec<Vec<usize>>;

    /// The number of entries of all its arrays together.
    fn length(self) -> usize;

    /// Finds the kind with this name.
    ///
    /// # Errors
    /// Returns an error if no kind has this name.
    fn named(name: &str) -> Result<Self, UnknownObservation> {
        let known = || Self::all().iter().map(ToString::to_string).collect();
        let found = Self::all().into_iter().find(|kind| kind.to_string() == name);
        found.ok_or_else(|| UnknownObservation { name: name.to_owned(), known: known() })
    }

    /// The description of this kind.
    fn spec(self) -> ObservationSpec {
        ObservationSpec { name: self.to_string(), shapes: self.shapes(), length: self.length() }
    }
}

/// The description of a kind of observation, the same type for every game.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ObservationSpec {
    /// The name of the kind.
    pub name: String,
    /// The shapes of its arrays, in C-order. The arrays follow each other in the buffer.
    pub shapes: Vec<Vec<usize>>,
    /// The number of entries of all its arrays together.
    pub length: usize,
}
