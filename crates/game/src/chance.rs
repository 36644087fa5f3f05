//! Outcomes of chance, such as rolls of dice.

use crate::{Notation, Position, quoted};
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

/// The type of chance outcomes in games without chance. It has no values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoChance {}

/// The error for an outcome of chance that is not possible in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this outcome of chance is not possible in this position")]
pub struct ImpossibleChance;

/// The error for a text that is no possible outcome of chance in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanceError {
    /// The text.
    pub text: String,
    /// The texts of the possible outcomes. Empty if the position does not await chance.
    pub possible: Vec<String>,
}

impl ChanceError {
    /// Creates the error for a text and lists the possible outcomes.
    pub fn new<G: Notation>(game: &G, position: &G::Position, text: &str) -> Self {
        let mut possible = Vec::new();
        let _ = position.visit_chances(|outcome, _| {
            possible.push(game.chance_text(position, outcome));
            ControlFlow::<()>::Continue(())
        });
        Self { text: text.to_owned(), possible }
    }
}

impl Error for ChanceError {}

impl fmt::Display for ChanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = quoted(&self.text);
        match self.possible.as_slice() {
            [] => write!(f, "{text} is not possible here: no roll or other chance event is due now"),
            possible => write!(f, "{text} is not possible here; possible are {}", possible.join(", ")),
        }
    }
}
