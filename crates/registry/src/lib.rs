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

mod error;
mod host;
mod json;
mod lines;
mod session;

pub use error::Error;
pub use host::{Host, Hosted};
pub use json::push_string;
pub use session::{Ending, Session};

use game::{Info, Notation, Options};

/// The games that a program knows.
#[derive(Default)]
pub struct Registry(Vec<Family>);

/// A game before its options are fixed.
pub struct Family {
    info: Info,
    open: fn(&Options) -> Result<Box<dyn Host>, Error>,
}

impl Registry {
    /// The games of this house.
    pub fn standard() -> Self {
        Self::default().with::<dobutsu::Dobutsu>().with::<onitama::Onitama>()
    }

    /// With one more game.
    #[must_use]
    pub fn with<G: Notation>(mut self) -> Self {
        self.0.push(Family {
            info: G::INFO,
            open: |options| match G::new(options) {
                Ok(game) => Ok(Box::new(Hosted::new(game))),
                Err(source) => Err(Error::Option { game: G::INFO.title, source: Box::new(source) }),
            },
        });
        self
    }

    /// All games, as registered.
    pub fn games(&self) -> impl Iterator<Item = &Family> {
        self.0.iter()
    }

    /// The game with this name.
    pub fn find(&self, name: &str) -> Result<&Family, Error> {
        self.games().find(|family| family.info.name == name).ok_or_else(|| Error::UnknownGame {
            name: name.to_owned(),
            known: self.games().map(|family| family.info.name).collect(),
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
}
