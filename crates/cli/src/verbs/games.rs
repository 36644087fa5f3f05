//! `endspiel games`: what can be played.

use crate::arguments;
use crate::failure::Failure;
use clap::{ArgMatches, Command};
use registry::Registry;
use serde_json::json;

pub fn command() -> Command {
    Command::new("games")
        .about("List the games")
        .arg(arguments::json())
        .after_help("Example:\n  endspiel games")
}

pub fn run(registry: &Registry, matches: &ArgMatches) -> Result<(), Failure> {
    let as_json = matches.get_flag("json");
    for info in registry.games().map(|family| family.info()) {
        match as_json {
            true => println!("{}", json!({"game": info.name, "title": info.title, "summary": info.summary})),
            false => println!("{:<10} {}: {}", info.name, info.title, info.summary),
        }
    }
    if !as_json {
        println!("\n`endspiel info GAME` tells more, `endspiel play GAME` starts a game.");
    }
    Ok(())
}
