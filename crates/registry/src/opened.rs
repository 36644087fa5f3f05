//! A game, opened once: its rules, and what else it can do.

use crate::error::Error;
use crate::rules::{Rules, RulesOf};
use crate::session::Session;
use crate::tables::Tables;
use env::{AnyEnvironment, Contests};
use game::{Info, Notation};
use std::sync::Arc;

/// A game with its options fixed. It has rules; what else it can do, it hands out on request.
pub struct Opened {
    rules: Box<dyn Rules>,
    pub(crate) tables: Option<Box<dyn Tables>>,
    pub(crate) contests: Option<Box<dyn Contests>>,
    pub(crate) environment: Option<Box<dyn AnyEnvironment>>,
}

impl Opened {
    /// A game that has its rules and nothing else.
    pub fn new<G: Notation>(game: G) -> Self {
        Self::with_rules(RulesOf { game: Arc::new(game), annotate: None })
    }

    pub(crate) fn with_rules<G: Notation>(rules: RulesOf<G>) -> Self {
        Self { rules: Box::new(rules), tables: None, contests: None, environment: None }
    }

    /// What the game says about itself.
    pub fn info(&self) -> &'static Info {
        self.rules.info()
    }

    /// Its rules.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// A game to play or look at, from a position or from the start.
    ///
    /// # Errors
    /// If the text is no position.
    pub fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error> {
        self.rules.session(position)
    }

    /// Its tables.
    ///
    /// # Errors
    /// If its endings cannot be solved here.
    pub fn tables(&self) -> Result<&dyn Tables, Error> {
        self.tables.as_deref().ok_or(Error::NotSolvable { game: self.info().title })
    }

    /// Agents that play it, against each other or against whoever is at the table.
    ///
    /// # Errors
    /// If nobody plays it.
    pub fn contests(&self) -> Result<&dyn Contests, Error> {
        self.contests.as_deref().ok_or(Error::NoAgents { game: self.info().title })
    }

    /// Its environment for learning agents.
    ///
    /// # Errors
    /// If it has none.
    pub fn environment(&self) -> Result<&dyn AnyEnvironment, Error> {
        self.environment.as_deref().ok_or(Error::NoEnvironment { game: self.info().title })
    }
}
