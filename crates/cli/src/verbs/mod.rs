//! The verbs. Each has a file with its arguments and its code.

mod apply;
mod atlas;
mod bench;
mod divide;
mod export;
mod games;
mod info;
mod manual;
mod matches;
mod moves;
mod perft;
mod play;
mod probe;
mod probe_equities;
mod record;
mod regret;
mod sample;
pub mod solve;
mod stats;
mod stats_equities;
mod tables;
mod threats;
mod uci;
mod usi;
mod verify;

pub use play::PERSON;

use crate::advice::advised;
use crate::failure::Failure;
use crate::output::Output;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use registry::{Opened, Registry};
use std::io::Write;

/// Builds the whole command line.
pub fn command(registry: &Registry) -> Command {
    Command::new("endspiel")
        .version(clap::crate_version!())
        .about("Plays board games by their exact rules, solves their endgames, and tells who wins in a position.")
        .after_help(
            "Examples:\n  endspiel solve\n  endspiel solve onitama --men 4\n  endspiel games\n  \
             endspiel moves onitama\n  endspiel perft onitama --depth 6\n  endspiel play dobutsu\n  \
             endspiel match backgammon pips random",
        )
        .subcommand_value_name("COMMAND")
        .subcommand_required(true)
        .max_term_width(words::COLUMNS)
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
            solve::command(registry),
            probe::command(registry),
            stats::command(registry),
            verify::command(registry),
            atlas::command(registry),
            export::command(registry),
            regret::command(registry),
            tables::command(),
            games::command(),
            info::command(registry),
            moves::command(registry),
            apply::command(registry),
            threats::command(registry),
            perft::command(registry),
            divide::command(registry),
            sample::command(registry),
            play::command(registry),
            record::command(registry),
            matches::command(registry),
            uci::command(),
            usi::command(),
            bench::command(registry),
            manual::completions_command(),
            manual::man_command(),
        ])
}

/// The function that runs a verb on one game.
type RunOnGame = fn(&Opened, &ArgMatches, &mut dyn Write) -> Result<(), Failure>;

/// Returns whether a verb does more than print: it writes files or checks tables. If the output is lost, it goes on to its end.
/// Otherwise it ends, as its output is all that it makes.
fn does_more_than_print(verb: &str, matches: &ArgMatches) -> bool {
    let has = |option| matches.subcommand().is_some_and(|(_, of_game)| of_game.contains_id(option));
    match verb {
        "solve" | "verify" | "tables" | "atlas" | "export" => true,
        "stats" => has("svg"),
        "match" => has("save"),
        _ => false,
    }
}

/// Runs the command line. The output goes to `out`.
pub fn run(
    registry: &Registry,
    matches: &ArgMatches,
    out: &mut Output<impl Write + Send>,
) -> Result<(), Failure> {
    let (verb, matches) = matches.subcommand().expect("clap asks for a verb");
    if does_more_than_print(verb, matches) {
        out.go_on_when_lost();
    }
    let run_on_game: RunOnGame = match verb {
        "solve" => return solve::run(registry, matches, out),
        "tables" => return tables::run(registry, matches, out),
        "uci" => return uci::run(out),
        "usi" => return usi::run(out),
        "games" => return games::run(registry, matches, out),
        "record" => return record::run(registry, matches, out),
        "completions" => return manual::completions(registry, matches, out),
        "man" => return manual::man(registry, matches, out),
        "bench" => return bench::run(registry, matches, out),
        "probe" => probe::run,
        "stats" => stats::run,
        // A manifest is about tables of all games.
        "verify" if matches.contains_id("manifest") => return crate::manifest::check(matches, out),
        "verify" => verify::run,
        "atlas" => atlas::run,
        "export" => export::run,
        "regret" => regret::run,
        "match" => matches::run,
        "info" => info::run,
        "moves" => moves::run,
        "apply" => apply::run,
        "threats" => threats::run,
        "perft" => perft::run,
        "divide" => divide::run,
        "sample" => sample::run,
        "play" => play::run,
        _ => unreachable!("clap knows the verbs"),
    };
    let Some((game, matches)) = matches.subcommand() else {
        // Clap asks for a game unless a verb has something to do without one.
        return Err(crate::arguments::missing_game(registry, verb));
    };
    let game = crate::arguments::open(registry, game, matches)?;
    run_on_game(&game, matches, out).map_err(|failure| advised(failure, &game, matches))
}
