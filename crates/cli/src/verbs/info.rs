//! `endspiel info GAME`: describes a game.

use crate::arguments::{self, game_verb};
use crate::failure::Failure;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use game::{GameOption, Repetition};
use registry::{Opened, Registry, json_text};
use serde_json::json;
use std::io::{self, Write};

pub fn command(registry: &Registry) -> Command {
    game_verb(
        registry,
        "info",
        "Describe a game: its rules, notation, options and start",
        "",
        &[arguments::json()],
    )
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let info = game.info();
    let start = game.session(None)?;
    let can = &info.capabilities;
    if matches.get_flag("json") {
        let options = info.options.iter().map(|option| {
            json!({"name": option.name, "value": option.value, "help": option.help, "default": option.default})
        });
        let mut facts = json!({
            "game": info.name,
            "title": info.title,
            "summary": info.summary,
            "rules": game.rules().rules_id(),
            "sides": [info.sides.first, info.sides.second],
            "start": start.position(),
            "example": info.example_position,
            "position_format": info.position_format,
            "move_format": info.move_format,
            "rules_text": info.rules,
            "options": options.collect::<Vec<_>>(),
            "capabilities": {
                "chance": can.chance,
                "loops": can.loops,
                "draw_at_occurrence": can.repetition.draw,
                "most_moves": can.most_moves,
            },
        });
        if let Some(drawn) = game.drawn() {
            facts["drawn"] = json!(drawn);
        }
        // The key is added only for games that have such a rule, so that the answers for other games stay the same.
        if let Some(claim) = can.repetition.claim {
            facts["capabilities"]["claim_at_occurrence"] = claim.into();
        }
        writeln!(out, "{}", json_text(&facts))?;
        return Ok(());
    }
    words::say(out, &format!("{}: {}.\n", info.title, info.summary))?;
    write!(out, "{}", start.draw(terminal::style(matches)))?;
    writeln!(out)?;
    let [first, second] = [info.sides.first, info.sides.second].map(words::capitalised);
    tell(out, "Sides", &format!("{first}, {second}"))?;
    tell(out, "Rules", &rules(game))?;
    // People copy a position, so it is one line.
    writeln!(out, "{:<11}{}", "Start", start.position())?;
    if let Some(drawn) = game.drawn() {
        tell(out, "", &arguments::told_drawn(drawn))?;
    }
    tell(out, "Positions", info.position_format)?;
    tell(out, "Moves", info.move_format)?;
    tell(out, "Draws", &repetition(can.repetition))?;
    for (end, label) in info.ends.iter().zip(["Ends"].into_iter().chain(std::iter::repeat(""))) {
        tell(out, label, end)?;
    }
    tell(out, "Chance", if can.chance { "dice are rolled between the moves" } else { "none" })?;
    for option in info.options {
        let GameOption { name, value, help, default, .. } = option;
        tell(out, "", "")?;
        tell(out, &format!("--{name} {value}"), "")?;
        tell(out, "", &format!("{help} [default: {default}]"))?;
    }
    write!(out, "\nThe rules\n\n{}", info.rules)?;
    Ok(())
}

/// The options with which the game was opened.
fn rules(game: &Opened) -> String {
    let given = game.records().options();
    let given: Vec<_> = given.iter().map(|(name, value)| format!("`--{name} {value}`")).collect();
    if given.is_empty() { "the usual ones".to_owned() } else { format!("with {}", given.join(", ")) }
}

/// Writes a text behind a label.
fn tell(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{}", words::labelled(label, 11, text).trim_end())
}

/// Describes how repetition ends a game.
fn repetition(repetition: Repetition) -> String {
    match repetition {
        Repetition { claim: None, draw: None } => {
            "by agreement only: no rule ends a game in which positions repeat".to_owned()
        }
        Repetition { claim: None, draw: Some(draw) } => {
            format!("when a position occurs for the {} time", ordinal(draw))
        }
        Repetition { claim: Some(claim), draw: None } => {
            format!("by a claim, when a position occurs for the {} time", ordinal(claim))
        }
        Repetition { claim: Some(claim), draw: Some(draw) } => format!(
            "when a position occurs for the {} time; a player may claim the draw from the {} time on",
            ordinal(draw),
            ordinal(claim)
        ),
    }
}

/// Formats an ordinal number. Those that rules of repetition use are written as words.
fn ordinal(number: u32) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => format!("{number}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_is_told_in_words() {
        let told = |claim, draw| repetition(Repetition { claim, draw });
        assert_eq!(
            told(Some(3), Some(5)),
            "when a position occurs for the fifth time; a player may claim the draw from the third time on"
        );
        assert_eq!(told(None, Some(3)), "when a position occurs for the third time");
        assert!(told(Some(3), None).ends_with("for the third time"));
        assert!(told(None, None).starts_with("by agreement only"));
    }
}
