//! The only place that lists the games: a name gives a [`Host`], which answers in text.
//!
//! ```
//! use endspiel_registry::Registry;
//! use game::{Options, perft::Counting};
//!
//! let registry = Registry::standard();
//! let onitama = registry.find("onitama")?.open(&Options::default())?;
//! assert_eq!(onitama.perft(None, 3, Counting::default(), &|_, _| ())?, 1_989);
//! assert!(registry.find("chess boxing").is_err());
//! # Ok::<(), endspiel_registry::Error>(())
//! ```

mod contest;
mod error;
mod host;
mod json;
mod lines;
mod move_list;
mod session;
mod tables;
mod turns;

pub use contest::{ContestHost, Opponent, Pairing, Shown};
pub use env::backgammon::{Encounter, Estimate, GameReport, Tally};
pub use error::Error;
pub use host::{Form, Host, Hosted, Listing};
pub use json::push_string;
pub use session::{Ending, Session};
pub use solve::{MovesBack, Progress, Unwatched, Watch, Way};
pub use table::{LineEnd, Probed};
pub use tables::{Answer, PlannedStep, SliceStats, Solving, TableHost, Tables, Wanted};

use backgammon::Backgammon;
use game::{Endgame, Info, Notation, Options};
use kernels::onitama::OnitamaKernel;
use solve::Kernel;
use tables::Solvable;

/// The games that a program knows.
#[derive(Default)]
pub struct Registry(Vec<Family>);

/// A game before its options are fixed.
pub struct Family {
    info: Info,
    open: fn(&Options) -> Result<Box<dyn Host>, Error>,
    tables: Option<Tables>,
    contest: Option<OpenContest>,
}

type OpenContest = fn(&Options) -> Result<Box<dyn ContestHost>, Error>;

impl Registry {
    /// The games of this house.
    pub fn standard() -> Self {
        Self::default()
            .with_tables::<dobutsu::Dobutsu>()
            .with_kernel::<onitama::Onitama, OnitamaKernel>()
            .with::<chess::Chess>()
            .with::<shogi::Shogi>()
            .with_tables::<cotulenh::CoTuLenh>()
            .with_backgammon()
    }

    /// With one more game.
    #[must_use]
    pub fn with<G: Notation>(mut self) -> Self {
        self.0.push(Family {
            info: G::INFO,
            open: |options| Ok(Box::new(Hosted::new(new_game::<G>(options)?))),
            tables: None,
            contest: None,
        });
        self
    }

    /// With backgammon, whose turns are cut into numbered actions, and which has agents to play it.
    fn with_backgammon(self) -> Self {
        let mut registry = self.with::<Backgammon>();
        if let Some(family) = registry.0.last_mut() {
            family.open = |options| {
                let game = new_game::<Backgammon>(options)?;
                Ok(Box::new(Hosted::with_environment(game, turns::list, env::backgammon::BENCHMARKS)))
            };
            family.contest = Some(|options| Ok(Box::new(new_game::<Backgammon>(options)?)));
        }
        registry
    }

    /// With one more game, which can be solved.
    #[must_use]
    pub fn with_tables<G: Endgame + Notation + PartialEq>(self) -> Self {
        self.with_solver::<G>(|options| {
            Ok(Box::new(Solvable { game: new_game::<G>(options)?, kernel: None }))
        })
    }

    /// With one more game, which has a special solver.
    #[must_use]
    pub fn with_kernel<G: Endgame + Notation + PartialEq, K: Kernel<G> + Default + Send + 'static>(
        self,
    ) -> Self {
        self.with_solver::<G>(|options| {
            let kernel: Box<dyn Kernel<G> + Send> = Box::new(K::default());
            Ok(Box::new(Solvable { game: new_game::<G>(options)?, kernel: Some(kernel) }))
        })
    }

    fn with_solver<G: Endgame + Notation>(
        self,
        open: fn(&Options) -> Result<Box<dyn TableHost>, Error>,
    ) -> Self {
        let mut registry = self.with::<G>();
        if let Some(family) = registry.0.last_mut() {
            family.tables = Some(Tables { selector: G::SELECTOR, all_rules: G::all_rules, open });
        }
        registry
    }

    /// All games, as registered.
    pub fn games(&self) -> impl Iterator<Item = &Family> {
        self.0.iter()
    }

    /// The game with this name, in upper or lower case.
    pub fn find(&self, name: &str) -> Result<&Family, Error> {
        self.games().find(|family| family.info.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            Error::UnknownGame {
                name: name.to_owned(),
                known: self.games().map(|family| family.info.name).collect(),
            }
        })
    }
}

impl Family {
    /// What the game says about itself.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The game with these options.
    pub fn open(&self, options: &Options) -> Result<Box<dyn Host>, Error> {
        (self.open)(options)
    }

    /// How it is solved, if it can be.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()
    }

    /// The game with these options, to be solved or asked.
    pub fn open_tables(&self, options: &Options) -> Result<Box<dyn TableHost>, Error> {
        match &self.tables {
            Some(tables) => (tables.open)(options),
            None => Err(Error::NotSolvable { game: self.info.title }),
        }
    }

    /// Are there agents that play it?
    pub fn has_agents(&self) -> bool {
        self.contest.is_some()
    }

    /// The game with these options, for agents to play against each other.
    pub fn open_contest(&self, options: &Options) -> Result<Box<dyn ContestHost>, Error> {
        match self.contest {
            Some(open) => open(options),
            None => Err(Error::NoAgents { game: self.info.title }),
        }
    }
}

fn new_game<G: Notation>(options: &Options) -> Result<G, Error> {
    G::new(options).map_err(|source| Error::Option { game: G::INFO.title, source: Box::new(source) })
}
