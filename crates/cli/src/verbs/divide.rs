//! `endspiel divide GAME --depth N`: perft, split by the first move. Where two programs disagree, this finds the move.

use crate::arguments::{self, game_verb};
use crate::failure::Failure;
use crate::verbs::perft;
use crate::words;
use clap::{ArgMatches, Command};
use registry::{Host, Registry};
use serde_json::{Map, Value, json};

pub fn command(registry: &Registry) -> Command {
    let about = "Count the sequences of moves, by the first move";
    game_verb(registry, "divide", about, "--depth 4 POSITION", &perft::arguments())
}

pub fn run(host: &dyn Host, matches: &ArgMatches) -> Result<(), Failure> {
    let given = arguments::given_position(matches);
    let position = host.session(given.as_deref())?.position();
    let (depth, counting) = (perft::depth(matches), perft::counting(matches));
    let parts = arguments::on_threads(matches, || host.divide(Some(&position), depth, counting))?;
    let total: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
    if matches.get_flag("json") {
        let moves: Map<String, Value> = parts.into_iter().map(|(text, nodes)| (text, nodes.into())).collect();
        let answer = json!({
            "game": host.info().name, "rules": host.rules_id(), "position": position, "depth": depth,
            "ended": counting.ended, "unique": counting.unique, "moves": moves, "nodes": total,
        });
        println!("{answer}");
        return Ok(());
    }
    println!("{}, {position}\n", host.info().title);
    for (text, nodes) in &parts {
        println!("{text:<16} {:>20}", words::thousands(*nodes));
    }
    println!("\n{:<16} {:>20}", words::counted(parts.len() as u64, "move"), words::thousands(total));
    Ok(())
}
