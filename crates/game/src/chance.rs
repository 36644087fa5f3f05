//! What chance may bring.

use crate::{Notation, Position, quoted};
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

/// The outcomes of chance in games that have none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoChance {}

/// An outcome of chance that its position does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("chance cannot bring this here")]
pub struct ImpossibleChance;

/// A text that is no possible outcome of chance in its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanceError {
    /// The text.
    pub text: String,
    /// What is possible; nothing where chance is not awaited.
    pub possible: Vec<String>,
}

impl ChanceError {
    /// The text is none of those that are possible here.
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
            [] => write!(f, "{text} is not possible here: nothing is left to chance now"),
            possible => write!(f, "{text} is not possible here; possible are {}", possible.join(", ")),
        }
    }
}
