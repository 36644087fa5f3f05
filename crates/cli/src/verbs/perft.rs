//! `endspiel perft GAME --depth N`: how many sequences of moves there are.

use crate::arguments::{self, flag, game_verb, number};
use crate::failure::Failure;
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::perft::Counting;
use registry::{Host, Registry};
use serde_json::json;
use std::time::Instant;

pub fn command(registry: &Registry) -> Command {
    let about = "Count the sequences of moves from a position";
    game_verb(registry, "perft", about, "--depth 5 POSITION", &arguments())
}

/// What `perft` and `divide` share.
pub fn arguments() -> [Arg; 6] {
    [
        arguments::position(),
        number("depth", "The number of moves in a sequence").required(true),
        flag("ended", "Add, once each, the sequences that ended the game earlier"),
        flag("unique", "At each step take one move per resulting position"),
        arguments::threads(),
        arguments::json(),
    ]
}

/// No game is looked at so deep; more is a slip of the finger.
const DEEPEST: u64 = 1000;

pub fn depth(matches: &ArgMatches) -> u32 {
    (*matches.get_one::<u64>("depth").expect("clap asks for it")).min(DEEPEST) as u32
}

pub fn counting(matches: &ArgMatches) -> Counting {
    Counting { ended: matches.get_flag("ended"), unique: matches.get_flag("unique") }
}

pub fn run(host: &dyn Host, matches: &ArgMatches) -> Result<(), Failure> {
    let given = arguments::given_position(matches);
    let position = host.session(given.as_deref())?.position();
    let (deepest, counting, as_json) = (depth(matches), counting(matches), matches.get_flag("json"));
    if !as_json {
        println!("{}, {position}\n\ndepth {:>24}", host.info().title, "sequences");
    }
    // People like to see the smaller counts too; together they cost a fraction of the last.
    let first = if as_json { deepest } else { deepest.min(1) };
    for depth in first..=deepest {
        let started = Instant::now();
        let bar = terminal::progress_bar(&format!("depth {depth}"));
        let nodes = arguments::on_threads(matches, || {
            host.perft(Some(&position), depth, counting, &|done, of| {
                bar.set_length(of as u64);
                bar.set_position(done as u64);
            })
        })?;
        bar.finish_and_clear();
        let time = started.elapsed();
        if as_json {
            let answer = json!({
                "game": host.info().name, "rules": host.rules_id(), "position": position, "depth": depth,
                "ended": counting.ended, "unique": counting.unique, "nodes": nodes, "seconds": time.as_secs_f64(),
            });
            println!("{answer}");
            return Ok(());
        }
        println!("{depth:>5} {:>24}", words::thousands(nodes));
        if depth == deepest {
            println!("\nThe last took {:.2} s: {} a second.", time.as_secs_f64(), words::rate(nodes, time));
        }
    }
    Ok(())
}
