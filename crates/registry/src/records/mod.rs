//! Records of games: read, checked, shown, and written in another format.

mod backgammon;
mod bad_game;
mod chess;
mod format;
mod json;
mod lists;
mod reading;
mod shogi;

pub(crate) use backgammon::MAT;
pub use bad_game::BadGame;
pub(crate) use chess::PGN;
pub use format::RecordFormat;
pub use reading::{Counts, Reading, Report, Task};
pub(crate) use shogi::{CSA, KIF};

use crate::error::Error;
use crate::session::{Session, record_of};
use format::{ReadGame, WriteError};
use game::move_lists::Given;
use game::{Notation, Options, Recorded};
use reading::ReadingOf;
use std::sync::Arc;

/// The records of an opened game.
pub trait Records: Send + Sync {
    /// The names of the formats, the usual one of the game first.
    fn formats(&self) -> Vec<&'static str>;

    /// The name of the format whose files have this name extension.
    fn format_of(&self, extension: &str) -> Option<&'static str>;

    /// Prepares to read games in a format.
    ///
    /// # Errors
    /// Returns an error if the game has no such format.
    fn reading(&self, from: &str, task: Task<'_>) -> Result<Box<dyn Reading + '_>, Error>;

    /// The options with which the game was opened, by name.
    fn options(&self) -> Vec<(String, String)>;

    /// Returns the game of a session in a format.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game, or if the format does not exist or cannot hold the game.
    fn session_text(&self, session: &dyn Session, to: &str) -> Result<String, Error>;
}

/// The [`Records`] of any game.
pub(crate) struct RecordsOf<G: Notation> {
    game: Arc<G>,
    /// The options of the game that were given.
    options: Options,
    formats: Vec<RecordFormat<G>>,
}

impl<G: Notation> RecordsOf<G> {
    /// The records of a game in these formats, and in those that every game has.
    pub(crate) fn new(game: Arc<G>, options: &Options, formats: &[RecordFormat<G>]) -> Self {
        let every = [lists::format(), json::format()];
        let formats = formats.iter().copied().chain(every).collect();
        Self { game, options: options.clone(), formats }
    }

    fn given(&self) -> Given<'_, G> {
        Given { game: &self.game, options: &self.options }
    }

    fn format(&self, name: &str) -> Result<&RecordFormat<G>, Error> {
        let found = self.formats.iter().find(|format| format.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::RecordFormat {
            game: G::INFO.title,
            name: name.to_owned(),
            known: self.formats(),
        })
    }
}

/// The options as names and values.
fn option_pairs(options: &Options) -> Vec<(String, String)> {
    options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl<G: Notation> Records for RecordsOf<G> {
    fn formats(&self) -> Vec<&'static str> {
        self.formats.iter().map(|format| format.name).collect()
    }

    fn format_of(&self, extension: &str) -> Option<&'static str> {
        let has = |format: &&RecordFormat<G>| {
            format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        self.formats.iter().find(has).map(|format| format.name)
    }

    fn reading(&self, from: &str, task: Task<'_>) -> Result<Box<dyn Reading + '_>, Error> {
        let to = match task {
            Task::Convert { to } => Some(self.format(to)?),
            _ => None,
        };
        Ok(Box::new(ReadingOf::new(self.given(), self.format(from)?, to, &task)))
    }

    fn options(&self) -> Vec<(String, String)> {
        option_pairs(&self.options)
    }

    fn session_text(&self, session: &dyn Session, to: &str) -> Result<String, Error> {
        let format = self.format(to)?;
        let played = Recorded {
            options: option_pairs(&self.options),
            ..Recorded::of_record(record_of::<G>(session)?)
        };
        let (read, mut out) = (ReadGame::new(played), Vec::new());
        match (format.writer)().write(&self.game, 1, &read, &mut out) {
            Ok(()) => Ok(String::from_utf8(out).expect("records are written as UTF-8")),
            Err(WriteError::Unwritable(source)) => Err(Error::Unwritable { format: format.name, source }),
            Err(WriteError::Io(_)) => unreachable!("memory has no I/O errors"),
        }
    }
}
