//! `endspiel games`: lists the games.

use crate::arguments;
use crate::failure::Failure;
use clap::{ArgMatches, Command};
use registry::{Registry, json_text};
use serde_json::json;
use std::io::Write;

pub fn command() -> Command {
    Command::new("games")
        .about("List the games")
        .arg(arguments::json())
        .after_help("Example:\n  endspiel games")
}

pub fn run(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let as_json = matches.get_flag("json");
    for info in registry.games().map(|family| family.info()) {
        match as_json {
            true => {
                let answer = json!({"game": info.name, "title": info.title, "summary": info.summary});
                writeln!(out, "{}", json_text(&answer))?;
            }
            false => writeln!(out, "{:<10} {}: {}", info.name, info.title, info.summary)?,
        }
    }
    if !as_json {
        writeln!(out, "\n`endspiel info GAME` describes a game, `endspiel play GAME` starts one.")?;
    }
    Ok(())
}
