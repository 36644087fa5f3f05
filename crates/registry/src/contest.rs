//! Agents against each other, by their names.

use crate::Error;
use crate::rules::parse_position;
use backgammon::Backgammon;
use env::backgammon::agents::{Agent, AgentKind};
use env::backgammon::{Contest, Encounter, NoMatchFile, Tally};
use game::{Notation, Rng};

/// Who plays whom, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    /// The names of the agents.
    pub agents: [&'a str; 2],
    /// So many games, or matches.
    pub encounters: u64,
    /// All luck follows from this.
    pub seed: u64,
    /// Games side by side; without a number, as many as suit the agents.
    pub tables: Option<usize>,
    /// Are match files to be made?
    pub keep: bool,
}

/// A game, or a match, that has been played.
#[derive(Debug)]
pub struct Shown<'a> {
    /// How it went.
    pub encounter: &'a Encounter,
    /// How it stands after it.
    pub tally: &'a Tally,
    /// Its match file, if files are to be made.
    pub file: Option<Result<String, NoMatchFile>>,
}

/// An agent that plays against whoever is at the table.
pub trait Opponent {
    /// Its move in a position, both as text.
    fn choose(&mut self, position: &str, rng: &mut Rng) -> Result<String, Error>;
}

/// A game with its options fixed, that agents play.
pub trait ContestHost: Send + Sync {
    /// The names of its agents.
    fn agents(&self) -> Vec<String>;

    /// One of them, ready to play.
    fn opponent(&self, name: &str) -> Result<Box<dyn Opponent>, Error>;

    /// Is every encounter a match of several games?
    fn plays_matches(&self) -> bool;

    /// Lets two agents play each other. `show` sees their games in order, with how it stands after each, and says whether
    /// to go on.
    fn play(&self, contest: &Pairing<'_>, show: &mut dyn FnMut(Shown<'_>) -> bool) -> Result<(), Error>;
}

impl ContestHost for Backgammon {
    fn agents(&self) -> Vec<String> {
        AgentKind::ALL.iter().map(ToString::to_string).collect()
    }

    fn opponent(&self, name: &str) -> Result<Box<dyn Opponent>, Error> {
        Ok(Box::new(Seated { game: *self, agent: name.parse::<AgentKind>()?.start()? }))
    }

    fn plays_matches(&self) -> bool {
        !self.terms.stakes.is_money()
    }

    fn play(&self, pairing: &Pairing<'_>, show: &mut dyn FnMut(Shown<'_>) -> bool) -> Result<(), Error> {
        // GNU Backgammon is mostly waited for: docs/experiments.md.
        const OUTSIDE_TABLES: usize = 12;
        let [first, second] = pairing.agents.map(str::parse::<AgentKind>);
        let agents = [first?, second?];
        let usual = match agents.iter().any(|agent| agent.is_outside()) {
            true => OUTSIDE_TABLES,
            false => rayon::current_num_threads(),
        };
        let &Pairing { encounters, seed, keep, .. } = pairing;
        let tables = pairing.tables.unwrap_or(usual).min(usize::try_from(encounters).unwrap_or(usize::MAX));
        // Names in match files have no colons.
        let names = agents.map(|agent| agent.to_string().replace(':', " ply "));
        let contest = Contest { game: *self, names, encounters, seed, keep };
        let mut tally = Tally::default();
        contest.play([&|| agents[0].start(), &|| agents[1].start()], tables, |encounter| {
            tally.add(encounter);
            let file = keep.then(|| contest.match_file(encounter));
            show(Shown { encounter, tally: &tally, file })
        })?;
        Ok(())
    }
}

struct Seated {
    game: Backgammon,
    agent: Box<dyn Agent>,
}

impl Opponent for Seated {
    fn choose(&mut self, position: &str, rng: &mut Rng) -> Result<String, Error> {
        let position = parse_position(&self.game, Some(position))?;
        let chosen = self.agent.choose(&position, rng)?;
        Ok(self.game.move_text(&position, chosen))
    }
}
