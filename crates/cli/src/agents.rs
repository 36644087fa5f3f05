//! The agents that a command names: their options, and what is wrong with a name.

use crate::arguments::number;
use crate::endgames;
use crate::failure::Failure;
use clap::{Arg, ArgMatches, Command};
use registry::{EXEC, Family, MatchError, Matches, Opened, Registry};
use std::sync::Arc;
use std::time::Duration;
use table::Library;

/// What the help of a verb says of names of agents.
pub const NAMES: &str = "random, perfect (by the tables; at random where they end), or exec:COMMAND, a program that \
                         answers lines (docs/agents.md). Backgammon also has pips (greedy by pip count), gnubg:0, gnubg:1, \
                         gnubg:2, and perfect:AGENT, which plays as AGENT where the tables end";

/// What the help of a game says of the names of its agents.
fn names(family: &Family) -> &'static str {
    match family.has_equities() {
        true => {
            "random, pips (greedy by pip count), gnubg:0, gnubg:1, gnubg:2 (GNU Backgammon, by the plies that it looks \
             ahead), perfect (by the tables; as pips where they end), perfect:AGENT (as AGENT there), or exec:COMMAND, \
             a program that answers lines (docs/agents.md)"
        }
        false => {
            "random, perfect (by the tables; at random where they end), or exec:COMMAND, a program that answers lines \
             (docs/agents.md)"
        }
    }
}

/// Replaces the names of agents in the help of an argument by those of each game.
pub fn with_names(registry: &Registry, verb: Command, argument: &'static str) -> Command {
    registry.games().fold(verb, |verb, family| {
        let named = |arg: Arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(help.replace(NAMES, names(family)))
        };
        verb.mut_subcommand(family.info().name, |game| game.mut_arg(argument, named))
    })
}

/// The names of agents that a shell proposes.
pub fn proposed(family: &Family, game: &Opened) -> Vec<String> {
    let known = game.matches().map(Matches::agents).unwrap_or_default();
    let perfect = family.endgames().map(|_| "perfect".to_owned());
    known.into_iter().chain(perfect).chain([EXEC.to_owned()]).collect()
}

/// `--move-time`
pub fn move_time() -> Arg {
    number("move-time", "The most seconds that an agent exec:COMMAND takes for a move", 1..=1_000_000)
        .value_name("SECONDS")
        .default_value("60")
}

/// The time of [`move_time`].
pub fn patience(matches: &ArgMatches) -> Duration {
    Duration::from_secs(*matches.get_one::<u64>("move-time").expect("it has a default"))
}

/// The agents of a game, with perfect play if it has tables.
pub fn of(game: &Opened, library: &Arc<Library>) -> Result<Box<dyn Matches>, Failure> {
    Ok(game.tables()?.matches(Arc::clone(library)))
}

/// Returns whether a name is that of perfect play, with or without the agent that plays where tables end.
pub fn is_perfect(name: &str) -> bool {
    name.to_ascii_lowercase().starts_with("perfect")
}

/// The names of agents as people are told them. Where only one agent can play on when tables end, it is not named.
pub fn told(known: Vec<String>) -> Vec<String> {
    let perfect = known.iter().filter(|name| is_perfect(name)).count();
    let short = |name: String| if perfect == 1 && is_perfect(&name) { "perfect".to_owned() } else { name };
    known.into_iter().map(short).collect()
}

/// Returns whether there is perfect play among the agents.
pub fn have_perfect(known: &dyn Matches) -> bool {
    known.agents().iter().any(|name| is_perfect(name))
}

/// The name of the best agent that needs no other program.
pub fn best(known: &dyn Matches, has_tables: bool) -> &'static str {
    match () {
        () if has_tables => "perfect",
        () if known.agents().iter().any(|name| name == "pips") => "pips",
        () => "random",
    }
}

/// The name of the agent that plays where the tables of a perfect one end. Returns `None` if the agent is not perfect.
pub fn fallback(known: &dyn Matches, name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    match name.split_once(':') {
        Some(("perfect", fallback)) => Some(fallback.to_owned()),
        None if name == "perfect" => Some(best(known, false).to_owned()),
        _ => None,
    }
}

/// The failure of a command with agents. Perfect play is missing because tables are.
pub fn failure(error: MatchError, game: &Opened, library: &Library) -> Failure {
    match &error {
        // Only at the score of a match does a game with such tables have no judge.
        MatchError::NoJudge { .. } if game.equities().is_ok() => registry::Error::MatchScore.into(),
        MatchError::UnknownAgent(unknown) if is_perfect(&unknown.name) => {
            let present = game.tables().map(|tables| endgames::present(game, tables, library));
            match present {
                Ok(Err(no_tables)) => no_tables,
                Ok(Ok(_)) if game.equities().is_ok() => registry::Error::MatchScore.into(),
                _ => registry::Error::from(error).into(),
            }
        }
        _ => registry::Error::from(error).into(),
    }
}
