//! `endspiel apply GAME POSITION MOVE…`: the position after some moves.

use crate::arguments::{self, flag, game_verb};
use crate::failure::Failure;
use crate::verbs::moves::state;
use clap::{Arg, ArgMatches, Command};
use registry::{AppliedTo, Opened, Registry, json_text};
use serde_json::json;
use std::io::{self, Write};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        Arg::new("position")
            .value_name("POSITION")
            .required_unless_present("stdin")
            .help("The position, as one word in quotes; also startpos"),
        Arg::new("moves")
            .value_name("MOVE")
            .num_args(0..)
            .help("The moves, in order; in backgammon also the rolls, such as 31"),
        arguments::json(),
        flag(
            "stdin",
            "Read a position, the word moves, and the moves per line, and answer each with a line of JSON, in the same order",
        )
        .conflicts_with_all(["position", "moves"]),
    ];
    let about = "Play moves from a position and print the position after them";
    game_verb(registry, "apply", about, "POSITION MOVE", &arguments)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    if matches.get_flag("stdin") {
        return Ok(game.rules().apply_lines(&mut io::stdin().lock(), out)?);
    }
    let position = matches.get_one::<String>("position").expect("clap asks for it");
    let moves: Vec<&str> =
        matches.get_many::<String>("moves").into_iter().flatten().map(String::as_str).collect();
    // As in UCI, a word may separate the moves from the position.
    let moves = moves.strip_prefix(&["moves"]).unwrap_or(&moves).join(" ");
    let as_json = matches.get_flag("json");
    let applied = match game.rules().apply(position, &moves) {
        Ok(applied) => applied,
        Err(error) if as_json => {
            let failure = Failure::from(error);
            let answer = json!({"position": position, "error": failure.reason()});
            return Err(failure.answered(&answer, out));
        }
        Err(error) => return Err(error.into()),
    };
    let drawn = arguments::drawn_start(game, matches);
    if as_json {
        return Ok(writeln!(out, "{}", json_text(&AppliedTo { position, applied: &applied, drawn }))?);
    }
    // The first line is the position, for scripts.
    writeln!(out, "{}", applied.after)?;
    if let Some(drawn) = drawn {
        writeln!(out, "{}", arguments::told_drawn(drawn))?;
    }
    if applied.ending.is_some() {
        writeln!(out, "{}", state(&*game.session(Some(&applied.after))?))?;
    }
    Ok(())
}
