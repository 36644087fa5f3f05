//! Agents against each other, by their names.

use crate::Error;
use crate::host::parse_position;
use backgammon::Backgammon;
use env::backgammon::agents::{Agent, AgentKind};
use env::backgammon::{Contest, Encounter, Tally};
use game::{Notation, Rng};

/// An agent that plays against whoever is at the table.
pub trait Opponent {
    /// Its move in a position, both as text.
    fn choose(&mut self, position: &str, rng: &mut Rng) -> Result<String, Error>;
}

/// A game with its options fixed, that agents play.
pub trait ContestHost {
    /// The names of its agents.
    fn agents(&self) -> Vec<String>;

    /// One of them, ready to play.
    fn opponent(&self, name: &str) -> Result<Box<dyn Opponent>, Error>;

    /// Is every encounter a match of several games?
    fn plays_matches(&self) -> bool;

    /// Lets two agents play so many games, or matches, at so many tables side by side; without a number, at as many as
    /// suits them. `show` sees them in order, with how it stands after each, and says whether to go on.
    fn play(
        &self,
        agents: [&str; 2],
        encounters: u64,
        seed: u64,
        tables: Option<usize>,
        show: &mut dyn FnMut(&Encounter, &Tally) -> bool,
    ) -> Result<(), Error>;
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

    fn play(
        &self,
        agents: [&str; 2],
        encounters: u64,
        seed: u64,
        tables: Option<usize>,
        show: &mut dyn FnMut(&Encounter, &Tally) -> bool,
    ) -> Result<(), Error> {
        // GNU Backgammon is mostly waited for: docs/experiments.md.
        const OUTSIDE_TABLES: usize = 12;
        let [first, second] = agents.map(str::parse::<AgentKind>);
        let agents = [first?, second?];
        let usual = match agents.iter().any(|agent| agent.is_outside()) {
            true => OUTSIDE_TABLES,
            false => rayon::current_num_threads(),
        };
        let tables = tables.unwrap_or(usual).min(usize::try_from(encounters).unwrap_or(usize::MAX));
        let mut standing = Tally::default();
        Contest { game: *self, agents, encounters, seed }.play(tables, |encounter| {
            standing.add(encounter);
            show(encounter, &standing)
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
