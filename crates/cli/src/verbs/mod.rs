//! The verbs: a file each, with its arguments and what it does.

mod bench;
mod divide;
mod games;
mod info;
mod manual;
mod moves;
mod perft;
mod play;
mod sample;

use crate::failure::Failure;
use clap::{Arg, ArgMatches, Command};
use registry::Registry;

/// The whole command line.
pub fn command(registry: &Registry) -> Command {
    Command::new("endspiel")
        .version(clap::crate_version!())
        .about("Plays board games by their exact rules. Ask it for moves, counts and games.")
        .after_help(
            "Examples:\n  endspiel games\n  endspiel moves onitama\n  endspiel perft onitama --depth 6\n  \
             endspiel play dobutsu",
        )
        .subcommand_value_name("COMMAND")
        .disable_help_subcommand(true)
        .arg_required_else_help(true)
        .arg(
            Arg::new("color")
                .long("color")
                .global(true)
                .value_name("WHEN")
                .value_parser(["auto", "always", "never"])
                .default_value("auto")
                .help("Colour the drawn boards"),
        )
        .subcommands([
            games::command(),
            info::command(registry),
            moves::command(registry),
            perft::command(registry),
            divide::command(registry),
            sample::command(registry),
            play::command(registry),
            bench::command(registry),
            manual::completions_command(),
            manual::man_command(),
        ])
}

/// Does what the command line says.
pub fn run(registry: &Registry, matches: &ArgMatches) -> Result<(), Failure> {
    let (verb, matches) = matches.subcommand().expect("clap asks for a verb");
    match verb {
        "games" => return games::run(registry, matches),
        "completions" => return manual::completions(registry, matches),
        "man" => return manual::man(registry, matches),
        "bench" => return bench::run(registry, matches),
        _ => {}
    }
    let (game, matches) = matches.subcommand().expect("clap asks for a game");
    let host = crate::arguments::open(registry, game, matches)?;
    match verb {
        "info" => info::run(&*host, matches),
        "moves" => moves::run(&*host, matches),
        "perft" => perft::run(&*host, matches),
        "divide" => divide::run(&*host, matches),
        "sample" => sample::run(&*host, matches),
        "play" => play::run(&*host, matches),
        _ => unreachable!("clap knows the verbs"),
    }
}
