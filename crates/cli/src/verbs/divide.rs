//! `endspiel divide GAME --depth N`: perft, split by the first move. If two programs disagree, this shows for which move.

use crate::arguments::{self, game_verb};
use crate::failure::Failure;
use crate::verbs::perft;
use crate::words;
use clap::{ArgMatches, Command};
use registry::{Opened, Registry, json_text};
use serde_json::{Map, Value, json};
use std::io::Write;

pub fn command(registry: &Registry) -> Command {
    let about = "Count the sequences of moves, split by the first move";
    let verb = game_verb(registry, "divide", about, "--depth DEPTH POSITION", &perft::arguments(1));
    perft::of_chance(registry, verb)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let session = arguments::session(game, matches, out)?;
    let pool = arguments::pool(matches)?;
    let (position, depth, counting) = (session.position(), perft::depth(matches), perft::counting(matches));
    let parts = pool.install(|| game.rules().divide(&*session, depth, counting))?;
    let total: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
    if matches.get_flag("json") {
        let moves: Map<String, Value> = parts.into_iter().map(|(text, nodes)| (text, nodes.into())).collect();
        let mut answer = json!({
            "game": game.info().name, "rules": session.rules_id(), "position": position, "depth": depth,
            "ended": counting.ended, "unique": counting.unique, "moves": moves, "nodes": total,
        });
        perft::add_means(&mut answer, counting);
        perft::add_drawn(&mut answer, game, matches);
        writeln!(out, "{}", json_text(&answer))?;
        return Ok(());
    }
    if let Some(drawn) = arguments::drawn_start(game, matches) {
        writeln!(out, "{}\n", arguments::told_drawn(drawn))?;
    }
    writeln!(out, "{}, {position}\n", game.info().title)?;
    for (text, nodes) in &parts {
        writeln!(out, "{text:<16} {:>20}", words::thousands(*nodes))?;
    }
    let awaits_roll = session.ending().is_none() && session.moves().is_empty();
    let parts = words::counted(parts.len() as u64, if awaits_roll { "roll" } else { "move" });
    writeln!(out, "\n{parts:<16} {:>20}", words::thousands(total))?;
    Ok(())
}
