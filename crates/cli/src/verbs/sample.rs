//! `endspiel sample GAME`: random positions, one per line; the same for the same seed.

use crate::arguments::{game_verb, number};
use crate::failure::Failure;
use clap::{ArgMatches, Command};
use registry::{Host, Registry};
use std::io::{self, BufWriter, Write};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        number("count", "How many").default_value("10"),
        number("seed", "The same seed gives the same positions").default_value("1"),
    ];
    game_verb(
        registry,
        "sample",
        "Give random positions, reached by random play, one per line",
        "--count 1000 --seed 7",
        &arguments,
    )
}

pub fn run(host: &dyn Host, matches: &ArgMatches) -> Result<(), Failure> {
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let mut output = BufWriter::new(io::stdout().lock());
    host.sample(number("count"), number("seed"), &mut output)?;
    Ok(output.flush()?)
}
