//! Agents against each other, by their names.

use crate::Error;
use backgammon::Backgammon;
use env::backgammon::agents::AgentKind;
use env::backgammon::{Contest, Encounter, Tally};

/// A game with its options fixed, that agents play.
pub trait ContestHost {
    /// The names of its agents.
    fn agents(&self) -> Vec<String>;

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
