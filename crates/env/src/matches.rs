//! Series of matches for a game that is known only at run time; agents are chosen by their names.

use crate::agent::{Agent, AgentError, NamedAgent, UnknownAgent};
use crate::exec::exec_agent;
use crate::judge::Judge;
use crate::losses::{LossReport, Losses};
use crate::match_result::{AnyMatchResult, MatchResult};
use crate::regret::Regret;
use crate::series::{MatchGame, NoFile, Series};
use crate::tally::Tally;
use game::{BySide, Position, Rng, quoted};
use std::sync::Arc;
use std::time::Duration;

/// The settings of a series: the agents, and how many matches they play.
#[derive(Clone, Copy, Debug)]
pub struct SeriesSettings<'a> {
    /// The names of the agents. The first agent plays the first side.
    pub agents: [&'a str; 2],
    /// The number of matches. A match is one game unless [`Matches::plays_matches`] says otherwise.
    pub matches: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of matches that are played at once. `None` for a number that suits the agents.
    pub at_once: Option<usize>,
    /// Whether to make a file of every match.
    pub keep: bool,
    /// The most time that an agent of the name `exec:COMMAND` takes for a move.
    pub patience: Duration,
    /// The options with which the game was made, by name. Files tell them.
    pub options: &'a [(String, String)],
}

/// The time that an agent which is a program has for a move, if nobody says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

impl<'a> SeriesSettings<'a> {
    /// The settings of a series that keeps no files, with usual values for the rest.
    pub const fn new(agents: [&'a str; 2], matches: u64, seed: u64) -> Self {
        Self { agents, matches, seed, at_once: None, keep: false, patience: PATIENCE, options: &[] }
    }
}

/// The settings of a measurement of what an agent loses.
#[derive(Clone, Copy)]
pub struct RegretSettings<'a> {
    /// The name of the agent.
    pub agent: &'a str,
    /// The positions in which it chooses, as text. Where chance decides first, its outcome is drawn by the seed.
    pub positions: &'a [String],
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of agents that choose at the same time. `None` for a number that suits the agent.
    pub at_once: Option<usize>,
    /// As in [`SeriesSettings`].
    pub patience: Duration,
    /// Is told from any thread how many more positions are judged.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> RegretSettings<'a> {
    /// The settings of a measurement that nobody watches, with usual values for the rest.
    pub const fn new(agent: &'a str, positions: &'a [String], seed: u64) -> Self {
        Self { agent, positions, seed, at_once: None, patience: PATIENCE, progress: &|_| () }
    }
}

/// A match that has been played.
pub struct Shown<'a> {
    /// The result of the match.
    pub result: &'a dyn AnyMatchResult,
    /// The sums over all matches up to this one.
    pub tally: &'a Tally,
    /// The text of its file. `None` if no files are made.
    pub file: Option<Result<String, NoFile>>,
    /// What each agent has lost against perfect play in all matches up to this one. `None` without a judge.
    pub losses: Option<BySide<LossReport>>,
}

/// An agent that plays against a person.
pub trait Opponent {
    /// Chooses a move in a position. Both are given as text.
    ///
    /// # Errors
    /// Returns an error if the text is not a position, or if the agent fails.
    fn choose(&mut self, position: &str, rng: &mut Rng) -> Result<String, MatchError>;
}

/// A game with its options fixed that agents can play: a [`MatchGame`] that is known only at run time.
///
/// ```
/// use endspiel_env::{SeriesSettings, matches};
///
/// let onitama = matches(onitama::Onitama::default());
/// assert_eq!(onitama.agents(), ["random"]);
/// let agents = ["random", "random"];
/// let mut wins = 0;
/// onitama.play(&SeriesSettings::new(agents, 10, 1), &mut |shown| {
///     wins = shown.tally.wins.first;
///     true
/// })?;
/// assert!(wins <= 10);
/// # Ok::<(), endspiel_env::MatchError>(())
/// ```
pub trait Matches: Send + Sync {
    /// The names of all agents of the game.
    fn agents(&self) -> Vec<String>;

    /// Starts the agent with this name. If it is a program, `patience` is its time for a move.
    ///
    /// # Errors
    /// Returns an error if no agent has this name, or if the agent cannot be started.
    fn opponent(&self, name: &str, patience: Duration) -> Result<Box<dyn Opponent>, MatchError>;

    /// Returns whether a match has several games. Otherwise a match is one game.
    fn plays_matches(&self) -> bool;

    /// Returns whether a game can be a draw.
    fn has_draws(&self) -> bool;

    /// The ways to win. Each is a pair: the name that the outcome has, and a plural for the summary of many games.
    fn wins(&self) -> &'static [(&'static str, &'static str)];

    /// The file name extension of its match files.
    fn file_ending(&self) -> &'static str;

    /// Lets two agents play a series. Calls `show` with every match in order, together with the sums so far. If `show`
    /// returns false, the series stops.
    ///
    /// # Errors
    /// Returns an error if there is no agent with one of the names, or if an agent fails. The matches that were shown before
    /// stay valid.
    fn play(
        &self,
        settings: &SeriesSettings<'_>,
        show: &mut dyn FnMut(Shown<'_>) -> bool,
    ) -> Result<(), MatchError>;

    /// Lets an agent choose in each of these positions, and sums up what it loses against perfect play. Where chance decides first,
    /// its outcome is drawn by the seed. The same seed gives the same result for any number of threads.
    ///
    /// # Errors
    /// Returns an error if nothing is known of perfect play, if there is no such agent, if a text is not a position, or if the agent
    /// fails.
    fn regret(&self, settings: &RegretSettings<'_>) -> Result<LossReport, MatchError>;
}

/// An error of a series, or of an opponent.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// There is no agent with this name.
    #[error(transparent)]
    UnknownAgent(#[from] UnknownAgent),
    /// An agent failed.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Nothing is known of perfect play, so losses cannot be told.
    #[error("nothing is known here of perfect play in {game}, so nobody can tell what an agent loses")]
    NoJudge {
        /// The title of the game.
        game: &'static str,
    },
    /// The games of a match cannot be written to a file.
    #[error(transparent)]
    File(NoFile),
    /// A text is not a position.
    #[error("{} is not a position of {game}: {source}", quoted(text))]
    Position {
        /// The title of the game.
        game: &'static str,
        /// The text.
        text: String,
        /// Why the text is not a position.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Returns the game as [`Matches`].
pub fn matches<G: MatchGame>(game: G) -> Box<dyn Matches> {
    matches_with(game, Vec::new(), None)
}

/// Returns the game as [`Matches`], with more agents, and with a judge of what the agents lose against perfect play.
pub fn matches_with<G: MatchGame>(
    game: G,
    agents: Vec<NamedAgent<G::Position>>,
    judge: Option<Arc<dyn Judge<G::Position>>>,
) -> Box<dyn Matches> {
    let mut named_agents = game.named_agents();
    named_agents.extend(agents);
    Box::new(MatchesOf { named_agents, judge, game })
}

/// A game and its agents.
struct MatchesOf<G: MatchGame> {
    game: G,
    named_agents: Vec<NamedAgent<G::Position>>,
    judge: Option<Arc<dyn Judge<G::Position>>>,
}

impl<G: MatchGame> MatchesOf<G> {
    fn named_agent(&self, name: &str, patience: Duration) -> Result<NamedAgent<G::Position>, UnknownAgent> {
        let known = self.named_agents.iter().find(|named_agent| named_agent.is_called(name)).cloned();
        let found = known.or_else(|| exec_agent(&self.game, name, patience));
        found.ok_or_else(|| UnknownAgent { name: name.to_owned(), known: self.agents() })
    }
}

impl<G: MatchGame> Matches for MatchesOf<G> {
    fn agents(&self) -> Vec<String> {
        self.named_agents.iter().map(|named_agent| named_agent.name.clone()).collect()
    }

    fn opponent(&self, name: &str, patience: Duration) -> Result<Box<dyn Opponent>, MatchError> {
        let agent = (self.named_agent(name, patience)?.start)()?;
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

    fn file_ending(&self) -> &'static str {
        G::FILE_ENDING
    }

    fn play(
        &self,
        settings: &SeriesSettings<'_>,
        show: &mut dyn FnMut(Shown<'_>) -> bool,
    ) -> Result<(), MatchError> {
        let &SeriesSettings { agents: [first, second], matches, seed, keep, patience, options, .. } =
            settings;
        let [first, second] = [self.named_agent(first, patience)?, self.named_agent(second, patience)?];
        let usual = usual_at_once(first.sleeps || second.sleeps);
        let at_once = settings.at_once.unwrap_or(usual).min(usize::try_from(matches).unwrap_or(usize::MAX));
        let keep_moves = keep || self.judge.is_some();
        let series = Series { keep: keep_moves, ..Series::new(self.game.clone(), matches, seed) };
        let mut tally = Tally::default();
        let mut losses = BySide::<Losses<G::Position>>::default();
        let mut judged = Ok(());
        series.play([&*first.start, &*second.start], at_once, |result| {
            tally.add(result);
            let file = keep.then(|| self.game.file([&first.name, &second.name], options, result));
            if let Some(judge) = &self.judge {
                judged = add_losses(&mut losses, &**judge, result);
            }
            let reported = self.judge.is_some();
            let losses = reported.then(|| BySide::from_fn(|side| losses[side].report(&self.game)));
            judged.is_ok() && show(Shown { result, tally: &tally, file, losses })
        })?;
        Ok(judged?)
    }

    fn regret(&self, settings: &RegretSettings<'_>) -> Result<LossReport, MatchError> {
        let &RegretSettings { agent, positions, seed, at_once, patience, progress } = settings;
        let judge = self.judge.as_deref().ok_or(MatchError::NoJudge { game: G::INFO.title })?;
        let agent = self.named_agent(agent, patience)?;
        let positions = positions.iter().map(|text| parsed(&self.game, text));
        let positions = positions.collect::<Result<Vec<_>, _>>()?;
        let at_once = at_once.unwrap_or_else(|| usual_at_once(agent.sleeps));
        let regret = Regret { game: &self.game, positions: &positions, judge, seed, at_once, progress };
        Ok(regret.measure(&*agent.start)?.report(&self.game))
    }
}

/// The number of agents that play at once, unless the caller asks for another.
fn usual_at_once(sleeps: bool) -> usize {
    // A process that sleeps is mostly waited for, so more matches than cores are played at once: docs/experiments.md.
    const SLEEPERS_AT_ONCE: usize = 12;
    if sleeps { SLEEPERS_AT_ONCE } else { rayon::current_num_threads() }
}

/// Adds what each side lost in the games of a match.
fn add_losses<P: Position, R>(
    losses: &mut BySide<Losses<P>>,
    judge: &dyn Judge<P>,
    result: &MatchResult<P, R>,
) -> Result<(), AgentError> {
    let mut kept = result.kept.iter().flatten();
    kept.try_for_each(|(position, chosen)| losses[position.turn()].judge(judge, position, *chosen))
}

/// Reads a position of a game.
fn parsed<G: MatchGame>(game: &G, text: &str) -> Result<G::Position, MatchError> {
    game.parse_position(text).map_err(|source| MatchError::Position {
        game: G::INFO.title,
        text: text.to_owned(),
        source: Box::new(source),
    })
}

struct Seated<G: MatchGame> {
    game: G,
    agent: Box<dyn Agent<G::Position>>,
}

impl<G: MatchGame> Opponent for Seated<G> {
    fn choose(&mut self, text: &str, rng: &mut Rng) -> Result<String, MatchError> {
        let position = parsed(&self.game, text)?;
        let chosen = self.agent.choose(&position, rng)?;
        Ok(self.game.move_text(&position, chosen))
    }
}
