//! A format of records of one game.

use super::BadGame;
use game::move_lists::{Given, ListedGame};
use game::{Notation, Recorded};
use std::any::Any;
use std::error::Error;
use std::io::{self, BufRead, Write};

/// A format of records, such as PGN.
pub struct RecordFormat<G: Notation> {
    /// The name, as in `--from pgn`.
    pub(crate) name: &'static str,
    /// The name extensions of its files.
    pub(crate) extensions: &'static [&'static str],
    pub(crate) read: ReadGames<G>,
    pub(crate) writer: fn() -> Box<dyn GameWriter<G>>,
}

impl<G: Notation> Clone for RecordFormat<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Notation> Copy for RecordFormat<G> {}

/// Reads the games of a file, one at a time and in bounded memory.
pub(crate) type ReadGames<G> = for<'a> fn(Given<'a, G>, &'a mut dyn BufRead) -> Games<'a, G>;

/// The games of a file. Those that cannot be read are errors, and the games after them follow.
pub(crate) type Games<'a, G> = Box<dyn Iterator<Item = Result<ReadGame<G>, BadGame>> + 'a>;

/// A game that was read.
pub(crate) struct ReadGame<G: Notation> {
    /// The game with its options, if the record has its own.
    pub(crate) rules: Option<G>,
    pub(crate) played: Recorded<G::Position>,
    /// The game with all that its own format can hold, such as comments. Related formats keep them.
    pub(crate) original: Option<Box<dyn Any>>,
}

impl<G: Notation> ReadGame<G> {
    pub(crate) fn new(played: Recorded<G::Position>) -> Self {
        Self { rules: None, played, original: None }
    }

    pub(crate) fn original<T: 'static>(&self) -> Option<&T> {
        self.original.as_ref()?.downcast_ref()
    }
}

impl<G: Notation> From<ListedGame<G>> for ReadGame<G> {
    fn from(ListedGame { rules, played }: ListedGame<G>) -> Self {
        Self { rules, played, original: None }
    }
}

/// Writes games to one file.
pub(crate) trait GameWriter<G: Notation> {
    /// Writes a game with its number in the file that it comes from. Nothing is written if the format cannot hold it.
    fn write(
        &mut self,
        game: &G,
        number: u64,
        read: &ReadGame<G>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError>;
}

/// Why a game is not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The format cannot hold the game.
    #[error(transparent)]
    Unwritable(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WriteError {
    pub(crate) fn unwritable(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unwritable(why.into())
    }
}

/// A writer of formats that have a text between two games, and no other connection between them.
pub(crate) struct Joined<G: Notation> {
    between: &'static str,
    text: fn(&G, &ReadGame<G>) -> Result<String, WriteError>,
    is_first: bool,
}

impl<G: Notation> Joined<G> {
    pub(crate) fn boxed(
        between: &'static str,
        text: fn(&G, &ReadGame<G>) -> Result<String, WriteError>,
    ) -> Box<dyn GameWriter<G>> {
        Box::new(Self { between, text, is_first: true })
    }
}

impl<G: Notation> GameWriter<G> for Joined<G> {
    fn write(&mut self, game: &G, _: u64, read: &ReadGame<G>, out: &mut dyn Write) -> Result<(), WriteError> {
        let text = (self.text)(game, read)?;
        if !std::mem::take(&mut self.is_first) {
            out.write_all(self.between.as_bytes())?;
        }
        Ok(out.write_all(text.as_bytes())?)
    }
}
