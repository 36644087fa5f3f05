//! The text formats of positions and moves.

use crate::{ChanceError, Game, Position, Side, Style, quoted};
use std::error::Error;
use std::ops::ControlFlow;

/// Reads and writes the positions and moves of a game in the usual formats of the game.
///
/// `parse(print(p)) = p` must hold for positions, for their legal moves, and for their outcomes of chance.
pub trait Notation: Game {
    /// The error for an invalid text of a position. Its message is one sentence that names the wrong place in the text.
    type PositionError: Error + Send + Sync + 'static;

    /// Reads a position.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Self::PositionError>;

    /// Appends a position to `out`, in one line.
    fn write_position(&self, position: &Self::Position, out: &mut String);

    /// Appends a move to `out`. The text is printable ASCII without quotes and backslashes, and has no spaces at its
    /// ends.
    fn write_move(&self, position: &Self::Position, m: <Self::Position as Position>::Move, out: &mut String);

    /// Appends an outcome of chance that is possible in the position, such as a roll, to `out`. The text has the same
    /// characters as that of a move. Games without chance keep the default, which is never called.
    fn write_chance(
        &self,
        position: &Self::Position,
        outcome: <Self::Position as Position>::Chance,
        out: &mut String,
    ) {
        let _ = (position, outcome, out);
    }

    /// Reads an outcome of chance that is possible in the position. The default finds the outcome with exactly this
    /// text.
    ///
    /// # Errors
    /// Returns an error if the text is no possible outcome. The error lists the possible ones.
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

    /// Returns whether a text may mean the move with this text, which it is not exactly. The default ignores the case of letters.
    fn may_mean(&self, text: &str, written: &str) -> bool {
        written.eq_ignore_ascii_case(text)
    }

    /// Reads a legal move. The default finds the move with exactly this text, or else the only one that the text
    /// [may mean](Self::may_mean).
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
            } else if self.may_mean(text, &written) {
                alike.push((m, written));
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
            (Some(m), _) | (None, &[(m, _)]) => Ok(m),
            (None, several) => {
                let fault = match several {
                    [] => MoveFault::NotFound { format: Self::INFO.move_format },
                    _ => MoveFault::Ambiguous,
                };
                if !several.is_empty() {
                    related = alike.into_iter().map(|(_, written)| written).collect();
                }
                related.sort();
                Err(MoveError { text: text.to_owned(), fault, related })
            }
        }
    }

    /// Reads a legal move that answers `previous`, the move before it, if there is one that is known. Some notations refer to it.
    /// The default is [`parse_move`](Self::parse_move).
    ///
    /// # Errors
    /// Returns an error if the text is no legal move.
    fn parse_reply(
        &self,
        position: &Self::Position,
        previous: Option<<Self::Position as Position>::Move>,
        text: &str,
    ) -> Result<<Self::Position as Position>::Move, MoveError> {
        let _ = previous;
        self.parse_move(position, text)
    }

    /// The resignation that these words offer for a side, without the word `resign` itself; there may be no words. Returns `None`
    /// if they mean nothing. By default, there are neither words nor points.
    fn resignation(&self, position: &Self::Position, loser: Side, words: &str) -> Option<Resignation> {
        let _ = (position, loser);
        words.is_empty().then(Resignation::default)
    }

    /// Returns how many of these words, at least one, make the first move of a list of moves. The default is one, because most
    /// moves are written without spaces.
    fn words_of_move(&self, words: &[&str]) -> usize {
        let _ = words;
        1
    }

    /// The name of the rules of this position. This is [`rules_id`](Game::rules_id), unless positions contain their own
    /// rules, as an Onitama position contains its cards.
    fn rules_id_of(&self, position: &Self::Position) -> String {
        let _ = position;
        self.rules_id()
    }

    /// Returns whether the position has the rules of this game. A position that contains its own rules may have others.
    fn keeps_rules(&self, position: &Self::Position) -> bool {
        self.rules_id_of(position) == self.rules_id()
    }

    /// Draws the board with characters, as the first side sees it.
    fn draw(&self, position: &Self::Position, style: Style) -> String {
        self.draw_from(position, Side::First, style)
    }

    /// Draws the board with characters, as this side sees it. Every line ends with a line feed.
    fn draw_from(&self, position: &Self::Position, view: Side, style: Style) -> String {
        let _ = (view, style);
        self.position_text(position) + "\n"
    }

    /// The text of a position, in one line.
    fn position_text(&self, position: &Self::Position) -> String {
        let mut out = String::new();
        self.write_position(position, &mut out);
        out
    }

    /// The text of an outcome of chance.
    fn chance_text(
        &self,
        position: &Self::Position,
        outcome: <Self::Position as Position>::Chance,
    ) -> String {
        let mut out = String::new();
        self.write_chance(position, outcome, &mut out);
        out
    }

    /// The text of a move.
    fn move_text(&self, position: &Self::Position, m: <Self::Position as Position>::Move) -> String {
        let mut out = String::new();
        self.write_move(position, m, &mut out);
        out
    }
}

/// What a player gives up by a resignation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resignation {
    /// The points of the winner, in games that are played for points.
    pub points: Option<u32>,
}

/// The length of the common beginning of two texts, ignoring case. The longer it is, the more likely is it that one
/// text is a typing error for the other.
fn shared_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// The error for a text that is no legal move of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub fault: MoveFault,
    /// The legal moves with the most similar beginning, or those that an ambiguous text could mean.
    pub related: Vec<String>,
}

/// The reason why a text is no legal move of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFault {
    /// No legal move has this text.
    NotFound {
        /// How moves are written.
        format: &'static str,
    },
    /// The text is a move, but not a legal one.
    Illegal,
    /// The text is a move that a rule forbids.
    Forbidden {
        /// The rule, in a few words.
        why: &'static str,
    },
    /// The text fits several legal moves.
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
