//! Contests by the names of the agents, for whoever knows a game by its name only.

use crate::agent::{Agent, AgentError, Entrant, UnknownAgent};
use crate::contest::{Contest, Contested, NoFile};
use crate::encounter::AnyEncounter;
use crate::tally::Tally;
use game::{Rng, quoted};

/// Who plays whom, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    /// The names of the agents: the first plays the first side.
    pub agents: [&'a str; 2],
    /// So many games, or matches.
    pub encounters: u64,
    /// All luck follows from this.
    pub seed: u64,
    /// The number of games that are played at once; `None` for as many as suit the agents.
    pub at_once: Option<usize>,
    /// Are files to be made?
    pub keep: bool,
}

/// A game, or a match, that has been played.
pub struct Shown<'a> {
    /// How it went.
    pub encounter: &'a dyn AnyEncounter,
    /// How it stands after it.
    pub tally: &'a Tally,
    /// Its file, if files are to be made.
    pub file: Option<Result<String, NoFile>>,
}

/// An agent that plays against a person.
pub trait Opponent {
    /// Its move in a position, both as text.
    ///
    /// # Errors
    /// If the text is no position, or the agent has no answer.
    fn choose(&mut self, position: &str, rng: &mut Rng) -> Result<String, ContestError>;
}

/// A game with its options fixed, that agents play: the [`Contested`] game that is known by its name only.
///
/// ```
/// use endspiel_env::{Pairing, contests};
///
/// let onitama = contests(onitama::Onitama::default());
/// assert_eq!(onitama.agents(), ["random"]);
/// let agents = ["random", "random"];
/// let mut wins = 0;
/// onitama.play(&Pairing { agents, encounters: 10, seed: 1, at_once: None, keep: false }, &mut |shown| {
///     wins = shown.tally.wins.first;
///     true
/// })?;
/// assert!(wins <= 10);
/// # Ok::<(), endspiel_env::ContestError>(())
/// ```
pub trait Contests: Send + Sync {
    /// The names of its agents.
    fn agents(&self) -> Vec<String>;

    /// One of them, ready to play.
    ///
    /// # Errors
    /// If there is none of that name, or it cannot be started.
    fn opponent(&self, name: &str) -> Result<Box<dyn Opponent>, ContestError>;

    /// Is every encounter a match of several games?
    fn plays_matches(&self) -> bool;

    /// Can a game be a draw?
    fn has_draws(&self) -> bool;

    /// The ways to win, each by its name and in the plural.
    fn wins(&self) -> &'static [(&'static str, &'static str)];

    /// How the files of its games end, if it has some.
    fn file_ending(&self) -> Option<&'static str>;

    /// Lets two agents play each other. `show` sees their games in order, with how it stands after each, and says whether
    /// to go on.
    ///
    /// # Errors
    /// If there is no agent of a name, or an agent cannot play on. The encounters that were shown before stay valid.
    fn play(
        &self,
        pairing: &Pairing<'_>,
        show: &mut dyn FnMut(Shown<'_>) -> bool,
    ) -> Result<(), ContestError>;
}

/// What can be wrong with a contest.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A name that no agent has.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// An agent that could not play on.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Games that no file can hold.
    #[error(transparent)]
    File(NoFile),
    /// A text that is no position.
    #[error("{} is not a position of {game}: {source}", quoted(text))]
    Position {
        /// The game.
        game: &'static str,
        /// The text.
        text: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// The contests of a game.
pub fn contests<G: Contested>(game: G) -> Box<dyn Contests> {
    Box::new(Hall { entrants: game.entrants(), game })
}

/// A game and those who play it.
struct Hall<G: Contested> {
    game: G,
    entrants: Vec<Entrant<G::Position>>,
}

impl<G: Contested> Hall<G> {
    fn entrant(&self, name: &str) -> Result<&Entrant<G::Position>, UnknownAgent> {
        let unknown = || UnknownAgent { name: name.to_owned(), known: self.agents() };
        self.entrants.iter().find(|entrant| entrant.is_called(name)).ok_or_else(unknown)
    }
}

impl<G: Contested> Contests for Hall<G> {
    fn agents(&self) -> Vec<String> {
        self.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    fn opponent(&self, name: &str) -> Result<Box<dyn Opponent>, ContestError> {
        let agent = (self.entrant(name)?.start)()?;
        Ok(Box::new(Seated { game: self.game.clone(), agent }))
    }

    fn plays_matches(&self) -> bool {
        self.game.plays_matches()
    }

    fn has_draws(&self) -> bool {
        G::MOST_PLIES.is_some()
    }

    fn wins(&self) -> &'static [(&'static str, &'static str)] {
        G::WINS
    }

    fn file_ending(&self) -> Option<&'static str> {
        G::FILE_ENDING
    }

    fn play(
        &self,
        pairing: &Pairing<'_>,
        show: &mut dyn FnMut(Shown<'_>) -> bool,
    ) -> Result<(), ContestError> {
        // A program of its own is mostly waited for: docs/experiments.md.
        const OUTSIDE_AT_ONCE: usize = 12;
        let &Pairing { agents: [first, second], encounters, seed, keep, .. } = pairing;
        let [first, second] = [self.entrant(first)?, self.entrant(second)?];
        let usual = match first.is_outside || second.is_outside {
            true => OUTSIDE_AT_ONCE,
            false => rayon::current_num_threads(),
        };
        let at_once = pairing.at_once.unwrap_or(usual).min(usize::try_from(encounters).unwrap_or(usize::MAX));
        let contest = Contest { keep, ..Contest::new(self.game.clone(), encounters, seed) };
        let mut tally = Tally::default();
        contest.play([&*first.start, &*second.start], at_once, |encounter| {
            tally.add(encounter);
            let file = keep.then(|| self.game.file([&first.name, &second.name], encounter));
            show(Shown { encounter, tally: &tally, file })
        })?;
        Ok(())
    }
}

struct Seated<G: Contested> {
    game: G,
    agent: Box<dyn Agent<G::Position>>,
}

impl<G: Contested> Opponent for Seated<G> {
    fn choose(&mut self, text: &str, rng: &mut Rng) -> Result<String, ContestError> {
        let position = self.game.parse_position(text).map_err(|source| ContestError::Position {
            game: G::INFO.title,
            text: text.to_owned(),
            source: Box::new(source),
        })?;
        let chosen = self.agent.choose(&position, rng)?;
        Ok(self.game.move_text(&position, chosen))
    }
}
