//! `endspiel sample GAME`: prints random positions, one per line. The same seed gives the same positions.

use crate::arguments::{self, game_verb, number};
use crate::failure::{Failure, tell};
use clap::{ArgMatches, Command};
use registry::{Opened, OutputFormat, Registry};
use std::io::Write;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        number("count", "The number of positions", 0..=u64::MAX).default_value("10"),
        number("seed", "The same seed gives the same positions", 0..=u64::MAX).default_value("1"),
        arguments::json(),
    ];
    game_verb(
        registry,
        "sample",
        "Print random positions, reached by random play, one per line",
        "--count 1000 --seed 7",
        &arguments,
    )
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let format = if matches.get_flag("json") { OutputFormat::Json } else { OutputFormat::Text };
    if let Some(drawn) = game.drawn() {
        tell(&arguments::told_drawn(drawn));
    }
    Ok(game.rules().sample(number("count"), number("seed"), format, out)?)
}
