//! An opened game: its rules and its other capabilities.

use crate::equity_tables::EquityTables;
use crate::error::Error;
use crate::opinion::Opinion;
use crate::records::{Records, RecordsOf};
use crate::rules::{Rules, RulesOf};
use crate::session::Session;
use crate::syzygy::Syzygy;
use crate::tables::{Contents, Tables};
use crate::threats::Threats;
use crate::value_tables::ValueTables;
use env::{AnyEnvironment, Matches};
use game::{Info, Notation, Options};
use serde::{Serialize, Serializer};
use std::ffi::OsStr;
use std::sync::Arc;

/// A game with its options fixed. Every game has rules and records. Tables, matches and an environment are optional.
pub struct Opened {
    rules: Box<dyn Rules>,
    pub(crate) records: Box<dyn Records>,
    pub(crate) tables: Option<Box<dyn Tables>>,
    pub(crate) matches: Option<Box<dyn Matches>>,
    pub(crate) environment: Option<Box<dyn AnyEnvironment>>,
    pub(crate) syzygy: Option<Box<OpenSyzygy>>,
    pub(crate) opinion: Option<Box<AskOpinion>>,
    pub(crate) threats: Option<Box<dyn Threats>>,
    pub(crate) drawn: Option<Drawn>,
}

/// The value of an option that was drawn by lot. As JSON: `{"start": "518"}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The name of the option.
    pub option: &'static str,
    /// Its value.
    pub value: String,
}

impl Serialize for Drawn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.option, &self.value)])
    }
}

/// Asks GNU Backgammon about the position of a session, with this many plies.
pub(crate) type AskOpinion = dyn Fn(&dyn Session, u8) -> Result<Opinion, Error> + Send + Sync;

/// Opens the Syzygy files in some folders.
pub(crate) type OpenSyzygy = dyn Fn(&OsStr) -> Result<Syzygy, Error> + Send + Sync;

impl Opened {
    /// Makes a game that has only its rules.
    pub fn new<G: Notation>(game: G) -> Self {
        Self::with_rules(RulesOf { game: Arc::new(game), annotate: None })
    }

    pub(crate) fn with_rules<G: Notation>(rules: RulesOf<G>) -> Self {
        let records = RecordsOf::new(Arc::clone(&rules.game), &Options::default(), &[]);
        Self {
            rules: Box::new(rules),
            records: Box::new(records),
            tables: None,
            matches: None,
            environment: None,
            syzygy: None,
            opinion: None,
            threats: None,
            drawn: None,
        }
    }

    /// Name, notation and options of the game.
    pub fn info(&self) -> &'static Info {
        self.rules.info()
    }

    /// What was drawn by lot when the game was opened.
    pub fn drawn(&self) -> Option<&Drawn> {
        self.drawn.as_ref()
    }

    /// The rules of the game.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// The records of games, read and written.
    pub fn records(&self) -> &dyn Records {
        &*self.records
    }

    /// Begins a session from a position, or from the start if there is none.
    ///
    /// # Errors
    /// Returns an error if the text is not a position.
    pub fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error> {
        self.rules.session(position)
    }

    /// Begins a session from a position, and keeps the moves that stand behind it, as in `startpos moves e2e4`.
    ///
    /// # Errors
    /// Returns an error if the text is not a position with moves, or if the game is over before a move.
    pub fn session_with_past(&self, position: &str) -> Result<Box<dyn Session>, Error> {
        self.rules.session_with_past(position)
    }

    /// The tables of the game.
    ///
    /// # Errors
    /// Returns an error if the game cannot be solved.
    pub fn tables(&self) -> Result<&dyn Tables, Error> {
        self.tables.as_deref().ok_or(Error::NotSolvable { game: self.info().title })
    }

    /// The tables of the game, which tell who wins.
    ///
    /// # Errors
    /// Returns an error if the game cannot be solved, or if its tables tell expected points.
    pub fn values(&self) -> Result<&dyn ValueTables, Error> {
        match self.tables()?.contents() {
            Contents::Values(values) => Ok(values),
            Contents::Equities(_) => Err(Error::OfEquities { game: self.info().title }),
        }
    }

    /// The tables of the game, which tell expected points.
    ///
    /// # Errors
    /// Returns an error if the game cannot be solved, or if its tables tell who wins.
    pub fn equities(&self) -> Result<&dyn EquityTables, Error> {
        match self.tables()?.contents() {
            Contents::Equities(equities) => Ok(equities),
            Contents::Values(_) => Err(Error::OfValues { game: self.info().title }),
        }
    }

    /// Opens the Syzygy files in some folders, separated as in `PATH`.
    ///
    /// # Errors
    /// Returns an error if the game is not chess, or if a folder has no files or cannot be read.
    pub fn syzygy(&self, folders: impl AsRef<OsStr>) -> Result<Syzygy, Error> {
        let open = self.syzygy.as_ref().ok_or(Error::NoSyzygy { game: self.info().title })?;
        open(folders.as_ref())
    }

    /// What GNU Backgammon thinks of the position of a session, if it looks this many plies ahead. The program is started for it.
    ///
    /// # Errors
    /// Returns an error if the game is not backgammon, or if the program is not installed or does not answer.
    pub fn gnubg(&self, session: &dyn Session, ply: u8) -> Result<Opinion, Error> {
        let ask = self.opinion.as_ref().ok_or(Error::NoGnubg { game: self.info().title })?;
        ask(session, ply)
    }

    /// Who attacks what in a position.
    ///
    /// # Errors
    /// Returns an error if threats are not told for the game.
    pub fn threats(&self) -> Result<&dyn Threats, Error> {
        self.threats.as_deref().ok_or(Error::NoThreats { game: self.info().title })
    }

    /// The agents that play the game, against each other or against a person.
    ///
    /// # Errors
    /// Returns an error if there are no agents.
    pub fn matches(&self) -> Result<&dyn Matches, Error> {
        self.matches.as_deref().ok_or(Error::NoAgents { game: self.info().title })
    }

    /// The environment for learning agents.
    ///
    /// # Errors
    /// Returns an error if the game has none.
    pub fn environment(&self) -> Result<&dyn AnyEnvironment, Error> {
        self.environment.as_deref().ok_or(Error::NoEnvironment { game: self.info().title })
    }
}
