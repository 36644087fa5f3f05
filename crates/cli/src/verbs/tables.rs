//! `endspiel tables`: lists the tables.

use crate::arguments;
use crate::endgames;
use crate::failure::Failure;
use crate::words;
use clap::{ArgMatches, Command};
use game::visible;
use registry::json_text;
use serde_json::json;
use std::io::Write;

pub fn command() -> Command {
    Command::new("tables")
        .about("List the tables that have been solved")
        .args([endgames::tables(), arguments::json()])
        .after_help("Example:\n  endspiel tables --tables ~/endspiel")
}

pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let library = endgames::library(matches);
    let as_json = matches.get_flag("json");
    let listed = library.list();
    let (mut bytes, mut tables, mut broken) = (0, 0, false);
    for file in &listed {
        // One file at a time: an operating system allows few open files, and a game can have thousands.
        match file.open() {
            Ok(table) => {
                let about = table.description();
                let bits = 8.0 * table.bytes() as f64 / table.entries().max(1) as f64;
                bytes += table.bytes();
                tables += 1;
                if as_json {
                    let answer = json!({
                        "game": about.game, "rules": about.rules, "slice": about.slice,
                        "metric": about.metric.name(), "index": about.index, "entries": table.entries(),
                        "bytes": table.bytes(), "bits_per_entry": bits, "file": words::path_in_json(&file.path),
                    });
                    writeln!(out, "{}", json_text(&answer))?;
                } else {
                    writeln!(
                        out,
                        "{:<10} {:<40} {:>6} {}  {:>16} entries {:>10} {bits:>7.3} bits each",
                        visible(&about.game),
                        visible(&about.rules),
                        visible(&about.slice),
                        about.metric.name(),
                        words::thousands(table.entries()),
                        solve::size_text(table.bytes()),
                    )?;
                }
            }
            Err(error) => {
                broken = true;
                if as_json {
                    let answer = json!({"file": words::path_in_json(&file.path), "error": error.to_string()});
                    writeln!(out, "{}", json_text(&answer))?;
                } else {
                    writeln!(out, "{}: {error}", if error.is_damage() { "damaged" } else { "not read" })?;
                }
            }
        }
    }
    if !as_json {
        let folder = library.places();
        match (tables, broken) {
            (0, false) => writeln!(out, "There are no tables in {folder}; `endspiel solve` makes some.")?,
            _ => {
                writeln!(out, "{} in {folder}, {}", words::counted(tables, "table"), solve::size_text(bytes))?
            }
        }
    }
    if broken { Err(Failure::CheckFailed) } else { Ok(()) }
}
