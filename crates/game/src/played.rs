//! Positions with the moves that led to them, as users of UCI and USI write them.

use crate::{ChanceError, Event, MoveError, Notation, Position, quoted};
use std::error::Error;

/// A start position and what was played from it: moves, and outcomes of chance where chance is next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<P: Position> {
    /// The position from which the moves were played.
    pub start: P,
    /// The moves and the outcomes of chance, in order.
    pub events: Vec<Event<P::Move, P::Chance>>,
    /// The position after them.
    pub position: P,
}

/// The start, in the position command of UCI and USI.
const START: &str = "startpos";
/// The word before the moves.
const MOVES: &str = "moves";
/// Words that may stand before a position, and say nothing about it.
const COMMAND: &str = "position";
const FORMATS: [&str; 2] = ["fen", "sfen"];

/// Reads a position as the game writes it, or in the words of UCI and USI: `startpos`, `POSITION moves e2e4 …`, `fen POSITION`,
/// `sfen POSITION`, and `position` before any of these. All games understand all of these words.
///
/// A text that is simply a position costs nothing more than [`Notation::parse_position`].
///
/// # Errors
/// Returns an error if the text is not a position, or names the move that is not legal.
#[inline]
pub fn read_position<G: Notation>(
    game: &G,
    text: &str,
) -> Result<G::Position, PlayedError<G::PositionError>> {
    match game.parse_position(text) {
        Ok(position) => Ok(position),
        Err(error) => Ok(Played::read(game, text, error)?.position),
    }
}

impl<P: Position> Played<P> {
    /// A position from which nothing was played.
    pub fn from_start(start: P) -> Self {
        Self { position: start.clone(), start, events: Vec::new() }
    }

    /// Reads a text as [`read_position`] does, and keeps what was played.
    ///
    /// # Errors
    /// Returns an error if the text is not a position, or names the move that is not legal.
    pub fn parse<G: Notation<Position = P>>(
        game: &G,
        text: &str,
    ) -> Result<Self, PlayedError<G::PositionError>> {
        game.parse_position(text).map(Self::from_start).or_else(|error| Self::read(game, text, error))
    }

    /// Reads a text that is not simply a position. `error` says why it is not.
    fn read<G: Notation<Position = P>>(
        game: &G,
        text: &str,
        error: G::PositionError,
    ) -> Result<Self, PlayedError<G::PositionError>> {
        let (position, moves) = split_at_moves(text);
        let command = without_word(position, COMMAND).unwrap_or(position);
        let start = match without_word(command, START) {
            Some("") => game.start(),
            Some(behind) => return Err(PlayedError::Behind { found: behind.to_owned() }),
            None => {
                let position = FORMATS.into_iter().find_map(|format| without_word(command, format));
                let position = position.unwrap_or(command);
                if position == text {
                    return Err(PlayedError::Position(error));
                }
                game.parse_position(position).map_err(PlayedError::Position)?
            }
        };
        let mut played = Self::from_start(start);
        played.play(game, moves)?;
        Ok(played)
    }

    /// Plays moves and outcomes of chance, separated by spaces.
    ///
    /// # Errors
    /// Returns an error that names the first one that is not possible. What comes before it is then played.
    pub fn play<G: Notation<Position = P>>(&mut self, game: &G, text: &str) -> Result<(), NotPlayed> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let mut rest = &words[..];
        while !rest.is_empty() {
            let length = match self.position.awaits_chance() {
                true => 1,
                false => game.words_of_move(rest).clamp(1, rest.len()),
            };
            let (words, behind) = rest.split_at(length);
            let number = self.events.len() + 1;
            self.play_one(game, &words.join(" ")).map_err(|fault| NotPlayed { number, fault })?;
            rest = behind;
        }
        Ok(())
    }

    fn play_one<G: Notation<Position = P>>(&mut self, game: &G, text: &str) -> Result<(), PlayFault> {
        let before = &self.position;
        let impossible = "the notation reads only what is possible";
        let (event, after) = if before.outcome().is_some() {
            return Err(PlayFault::Over { text: text.to_owned() });
        } else if before.awaits_chance() {
            let outcome = game.parse_chance(before, text)?;
            (Event::Chance(outcome), before.play_chance(outcome).expect(impossible))
        } else {
            let m = game.parse_reply(before, Event::last_move(&self.events), text)?;
            (Event::Move(m), before.play_unchecked(m))
        };
        self.events.push(event);
        self.position = after;
        Ok(())
    }
}

/// Splits a text at the word before the moves. Without it, there are no moves.
fn split_at_moves(text: &str) -> (&str, &str) {
    let is_space = |letter: char| letter.is_ascii_whitespace();
    let is_word = |&(at, word): &(usize, &str)| {
        let behind = &text[at + word.len()..];
        text[..at].ends_with(is_space) && (behind.is_empty() || behind.starts_with(is_space))
    };
    match text.match_indices(MOVES).find(is_word) {
        Some((at, word)) => (text[..at].trim_ascii(), &text[at + word.len()..]),
        None => (text, ""),
    }
}

/// Returns what follows this word at the beginning of a text.
fn without_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let behind = text.trim_ascii_start().strip_prefix(word)?;
    let is_word = behind.is_empty() || behind.starts_with(|letter: char| letter.is_ascii_whitespace());
    is_word.then(|| behind.trim_ascii())
}

/// A text that is neither a position nor a position with moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayedError<E: Error> {
    /// The position itself is wrong.
    #[error(transparent)]
    Position(E),
    /// Something other than moves follows the start.
    #[error("{} behind `startpos`: the word `moves` comes before the moves", quoted(found))]
    Behind {
        /// What follows.
        found: String,
    },
    /// A move is not possible.
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
}

/// A move or an outcome of chance that is not possible where it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}: {fault}")]
pub struct NotPlayed {
    /// Its number among the moves and the outcomes of chance, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub fault: PlayFault,
}

/// What is wrong with a move or an outcome of chance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayFault {
    /// It is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// It is no possible outcome of chance.
    #[error(transparent)]
    Chance(#[from] ChanceError),
    /// The game is over before it.
    #[error("{} comes after the end of the game", quoted(text))]
    Over {
        /// The move or the outcome.
        text: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_the_moves_stands_alone() {
        assert_eq!(split_at_moves("startpos moves a b"), ("startpos", " a b"));
        assert_eq!(split_at_moves("startpos\tmoves"), ("startpos", ""));
        assert_eq!(split_at_moves("x movesy moves moves"), ("x movesy", " moves"));
        for text in ["", "moves a", "xmoves a", "startpos"] {
            assert_eq!(split_at_moves(text), (text, ""));
        }
    }

    #[test]
    fn words_end_at_spaces() {
        assert_eq!(without_word("startpos", START), Some(""));
        assert_eq!(without_word(" fen 8/8 w ", "fen"), Some("8/8 w"));
        assert_eq!(without_word("fence", "fen"), None);
    }
}
