//! `endspiel perft GAME --depth N`: counts the sequences of moves.

use crate::arguments::{self, flag, game_verb, number};
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use game::perft::Counting;
use registry::{Opened, Registry, json_text};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Instant;

pub fn command(registry: &Registry) -> Command {
    let about = "Count the sequences of moves from a position";
    let stdin =
        flag("stdin", "Read a position per line and answer each in JSON, on one thread, without --hash")
            .conflicts_with_all(["position", "threads", "hash"]);
    let arguments: Vec<Arg> = arguments(0).into_iter().chain([stdin]).collect();
    of_chance(registry, game_verb(registry, "perft", about, "--depth DEPTH POSITION", &arguments))
}

/// Hides the options about chance in the help of games without it.
pub fn of_chance(registry: &Registry, verb: Command) -> Command {
    arguments::only_for(registry, verb, &["weighted"], |family| family.info().capabilities.chance)
}

/// The arguments that `perft` and `divide` share.
pub fn arguments(least_depth: u64) -> [Arg; 9] {
    // No count goes so deep. A larger number is probably a typing error.
    const DEEPEST: u64 = 1000;
    [
        arguments::position(),
        number("depth", "The number of moves in a sequence", least_depth..=DEEPEST).required(true),
        flag("ended", "Also count, once each, the sequences that end the game earlier"),
        flag("unique", "Of moves that lead to the same position, count only one"),
        flag("weighted", "Weight rolls by their frequency: a double counts 1, another roll 2"),
        flag("plain", "Play the last moves too, instead of only counting them, as a benchmark"),
        arguments::hash(),
        arguments::threads(),
        arguments::json(),
    ]
}

pub fn depth(matches: &ArgMatches) -> u32 {
    *matches.get_one::<u64>("depth").expect("clap asks for it") as u32
}

pub fn counting(matches: &ArgMatches) -> Counting {
    Counting {
        ended: matches.get_flag("ended"),
        unique: matches.get_flag("unique"),
        weighted: matches.get_flag("weighted"),
        plain: matches.get_flag("plain"),
        hash: matches.get_one("hash").copied(),
    }
}

/// Adds to an answer the options that were used for counting.
pub fn add_means(answer: &mut Value, counting: Counting) {
    if counting.weighted {
        answer["weighted"] = true.into();
    }
    if counting.plain {
        answer["plain"] = true.into();
    }
    if let Some(bytes) = counting.hash {
        answer["hash"] = bytes.into();
    }
}

/// Adds to an answer what was drawn by lot for its position.
pub fn add_drawn(answer: &mut Value, game: &Opened, matches: &ArgMatches) {
    if let Some(drawn) = arguments::drawn_start(game, matches) {
        answer["drawn"] = json!(drawn);
    }
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    if matches.get_flag("stdin") {
        let (depth, counting) = (depth(matches), counting(matches));
        return Ok(game.rules().perft_lines(depth, counting, &mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(game, matches, out)?;
    let pool = arguments::pool(matches)?;
    let (position, deepest, counting) = (session.position(), depth(matches), counting(matches));
    let as_json = matches.get_flag("json");
    if !as_json {
        if let Some(drawn) = arguments::drawn_start(game, matches) {
            writeln!(out, "{}\n", arguments::told_drawn(drawn))?;
        }
        writeln!(out, "{}, {position}\n\ndepth {:>24}", game.info().title, "sequences")?;
    }
    // People also see the counts of the smaller depths. Together these take a fraction of the time of the last depth.
    let first = if as_json { deepest } else { deepest.min(1) };
    for depth in first..=deepest {
        out.flush()?;
        let started = Instant::now();
        let progress = Progress::new(&format!("depth {depth}"), "sequences");
        let nodes = pool.install(|| {
            game.rules().perft(&*session, depth, counting, &|nodes, parts| progress.part_done(nodes, parts))
        })?;
        progress.finish();
        let time = started.elapsed();
        if as_json {
            let mut answer = json!({
                "game": game.info().name, "rules": session.rules_id(), "position": position, "depth": depth,
                "ended": counting.ended, "unique": counting.unique, "nodes": nodes, "seconds": time.as_secs_f64(),
            });
            add_means(&mut answer, counting);
            add_drawn(&mut answer, game, matches);
            writeln!(out, "{}", json_text(&answer))?;
            return Ok(());
        }
        writeln!(out, "{depth:>5} {:>24}", words::thousands(nodes))?;
        if depth == deepest {
            let (seconds, rate) = (time.as_secs_f64(), words::rate(nodes, time));
            writeln!(out, "\nThe last depth took {seconds:.2} s: {rate} per second.")?;
        }
    }
    Ok(())
}
