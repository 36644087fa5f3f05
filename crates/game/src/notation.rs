//! Positions and moves as people and programs write them.

use crate::{ChanceError, Game, Position, Style, quoted};
use std::error::Error;
use std::ops::ControlFlow;

/// Reads and writes a game's positions and moves in the formats its users already have.
///
/// `parse(print(p)) = p`, for positions, for the legal moves of each, and for what chance may bring to it.
pub trait Notation: Game {
    /// What is wrong with a position's text: one sentence that names the place.
    type PositionError: Error + Send + Sync + 'static;

    /// Reads a position.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Self::PositionError>;

    /// Appends a position in one line.
    fn write_position(&self, position: &Self::Position, out: &mut String);

    /// Appends a move: printable ASCII without quotes and backslashes, and no spaces at its ends.
    fn write_move(&self, position: &Self::Position, m: <Self::Position as Position>::Move, out: &mut String);

    /// Appends an outcome that is possible in a position, such as a roll, in the letters of a move. Games without chance
    /// leave it to the default, which nobody calls.
    fn write_chance(
        &self,
        position: &Self::Position,
        outcome: <Self::Position as Position>::Chance,
        out: &mut String,
    ) {
        let _ = (position, outcome, out);
    }

    /// Reads an outcome that is possible in a position. By default the one that is written so.
    ///
    /// # Errors
    /// If it is none of them; the error lists them.
    fn parse_chance(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<<Self::Position as Position>::Chance, ChanceError> {
        let found = position.visit_chances(|outcome, _| match self.chance_text(position, outcome) == text {
            true => ControlFlow::Break(outcome),
            false => ControlFlow::Continue(()),
        });
        found.break_value().ok_or_else(|| ChanceError::new(self, position, text))
    }

    /// Reads a legal move. By default the one that is written so, upper and lower case alike where that is clear.
    fn parse_move(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<<Self::Position as Position>::Move, MoveError> {
        let mut exact = None;
        let mut alike = Vec::new();
        let mut related = Vec::new();
        let mut most_shared = 2;
        position.for_each_move(|m| {
            let written = self.move_text(position, m);
            if written == text {
                exact = Some(m);
            } else if written.eq_ignore_ascii_case(text) {
                alike.push(m);
            } else {
                let shared = shared_start(&written, text);
                if shared > most_shared {
                    most_shared = shared;
                    related.clear();
                }
                if shared == most_shared {
                    related.push(written);
                }
            }
        });
        match (exact, alike.as_slice()) {
            (Some(m), _) | (None, &[m]) => Ok(m),
            _ => {
                related.sort();
                let fault = MoveFault::NotFound { format: Self::INFO.move_format };
                Err(MoveError { text: text.to_owned(), fault, related })
            }
        }
    }

    /// Names the rules that this position brings along: those of [`rules_id`](Game::rules_id), unless a position can
    /// carry others, as one of Onitama carries its cards.
    fn rules_id_of(&self, position: &Self::Position) -> String {
        let _ = position;
        self.rules_id()
    }

    /// Is the position one of the rules that this game asks for? One that brings rules along may contradict them.
    fn keeps_rules(&self, position: &Self::Position) -> bool {
        self.rules_id_of(position) == self.rules_id()
    }

    /// The board as a picture of characters, a line feed at the end of each line.
    fn draw(&self, position: &Self::Position, style: Style) -> String {
        let _ = style;
        self.position_text(position) + "\n"
    }

    /// A position in one line.
    fn position_text(&self, position: &Self::Position) -> String {
        let mut out = String::new();
        self.write_position(position, &mut out);
        out
    }

    /// An outcome of chance as text.
    fn chance_text(
        &self,
        position: &Self::Position,
        outcome: <Self::Position as Position>::Chance,
    ) -> String {
        let mut out = String::new();
        self.write_chance(position, outcome, &mut out);
        out
    }

    /// A move as text.
    fn move_text(&self, position: &Self::Position, m: <Self::Position as Position>::Move) -> String {
        let mut out = String::new();
        self.write_move(position, m, &mut out);
        out
    }
}

/// How many letters they begin with alike: the more, the likelier that the one was meant by who wrote the other.
fn shared_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// A text that is no legal move of its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub fault: MoveFault,
    /// The legal moves that begin most alike, or those that the text could mean.
    pub related: Vec<String>,
}

/// Why a text is no legal move of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFault {
    /// No legal move is written so.
    NotFound {
        /// How moves are written.
        format: &'static str,
    },
    /// It is written as a move, but not a legal one.
    Illegal,
    /// It is written as a move that a rule forbids.
    Forbidden {
        /// The rule, in a few words.
        why: &'static str,
    },
    /// It could be one of several.
    Ambiguous,
}

impl Error for MoveError {}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 10;
        let related = self.related[..self.related.len().min(SHOWN)].join(", ");
        let text = quoted(&self.text);
        match self.fault {
            MoveFault::Ambiguous => write!(f, "{text} could be several moves: {related}"),
            MoveFault::Forbidden { why } => write!(f, "{text} is not a legal move here: {why}"),
            _ if !related.is_empty() => {
                write!(f, "{text} is not a legal move here; similar ones are {related}")
            }
            MoveFault::Illegal => write!(f, "{text} is not a legal move here"),
            MoveFault::NotFound { format } => {
                write!(f, "{text} is not a legal move here; moves are written {format}")
            }
        }
    }
}
