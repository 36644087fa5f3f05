//! `endspiel games`: lists the games.

use crate::arguments;
use crate::failure::Failure;
use crate::words;
use clap::{ArgMatches, Command};
use game::Options;
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
    for family in registry.games() {
        let info = family.info();
        let agents = match family.has_matches() {
            true => family.open(&Options::default())?.matches()?.agents(),
            false => Vec::new(),
        };
        let tables = match family.endgames() {
            None => None,
            Some(_) if family.has_equities() => Some("points"),
            Some(_) => Some("values"),
        };
        if as_json {
            let answer = json!({
                "game": info.name, "title": info.title, "summary": info.summary, "tables": tables,
                "environment": family.has_environment(), "agents": agents,
            });
            writeln!(out, "{}", json_text(&answer))?;
            continue;
        }
        let told = format!("{}: {}", info.title, info.summary);
        writeln!(out, "{}", words::labelled(info.name, 11, &told))?;
        let mut has = vec!["rules".to_owned()];
        has.extend(tables.map(|what| match what {
            "points" => "tables of expected points".to_owned(),
            _ => "tables of wins, draws and losses".to_owned(),
        }));
        has.extend(family.has_environment().then(|| "an environment".to_owned()));
        writeln!(out, "{}", words::labelled("", 11, &format!("has {}", has.join(", "))))?;
        if !agents.is_empty() {
            let perfect = tables.map(|_| "perfect (with tables)".to_owned());
            let agents: Vec<String> =
                agents.into_iter().chain(perfect).chain(["exec:COMMAND".to_owned()]).collect();
            let told = format!("agents: {}", agents.join(", "));
            writeln!(out, "{}", words::labelled("", 11, &told))?;
        }
    }
    if !as_json {
        writeln!(out, "\n`endspiel info GAME` describes a game, `endspiel play GAME` starts one.")?;
    }
    Ok(())
}
