//! `endspiel info GAME`: what a game says about itself.

use crate::arguments::{self, game_verb};
use crate::failure::Failure;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use game::GameOption;
use registry::{Host, Registry};
use serde_json::json;
use std::io::Write;

pub fn command(registry: &Registry) -> Command {
    game_verb(
        registry,
        "info",
        "Tell about a game: its notation, options and start",
        "",
        &[arguments::json()],
    )
}

pub fn run(host: &dyn Host, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let info = host.info();
    let start = host.session(None)?;
    let can = &info.capabilities;
    if matches.get_flag("json") {
        let options = info.options.iter().map(|option| {
            json!({"name": option.name, "value": option.value, "help": option.help, "default": option.default})
        });
        let facts = json!({
            "game": info.name,
            "title": info.title,
            "summary": info.summary,
            "rules": host.rules_id(),
            "sides": [info.sides.first, info.sides.second],
            "start": start.position(),
            "example": info.example_position,
            "position_format": info.position_format,
            "move_format": info.move_format,
            "options": options.collect::<Vec<_>>(),
            "capabilities": {
                "chance": can.chance,
                "loops": can.loops,
                "draw_at_occurrence": can.draw_at_occurrence,
                "most_moves": can.most_moves,
            },
        });
        writeln!(out, "{facts}")?;
        return Ok(());
    }
    writeln!(out, "{}: {}.\n", info.title, info.summary)?;
    write!(out, "{}", start.draw(terminal::style(matches)))?;
    let [first, second] = [info.sides.first, info.sides.second].map(words::capitalised);
    writeln!(out, "\nSides      {first}, {second}")?;
    writeln!(out, "Rules      {}", host.rules_id())?;
    writeln!(out, "Start      {}", start.position())?;
    writeln!(out, "Positions  {}", info.position_format)?;
    writeln!(out, "Moves      {}", info.move_format)?;
    match can.draw_at_occurrence {
        Some(times) => writeln!(out, "Draws      when a position stands for time number {times}")?,
        None => {
            writeln!(out, "Draws      by agreement only: no rule ends a game that goes round in circles")?
        }
    }
    writeln!(out, "Chance     {}", if can.chance { "dice decide between the moves" } else { "none" })?;
    for option in info.options {
        let GameOption { name, value, help, default } = option;
        writeln!(out, "\n--{name} {value}\n           {help} [default: {default}]")?;
    }
    Ok(())
}
