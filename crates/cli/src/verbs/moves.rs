//! `endspiel moves GAME [POSITION]`: the board and its legal moves.

use crate::arguments::{self, flag, game_verb};
use crate::failure::Failure;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use registry::{Ending, Host, Registry, Session};
use std::io;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        arguments::json(),
        flag("stdin", "Read a position per line and answer each with a line of JSON, in the same order")
            .conflicts_with("position"),
    ];
    game_verb(registry, "moves", "Draw a position and list its legal moves", "POSITION", &arguments)
}

pub fn run(host: &dyn Host, matches: &ArgMatches) -> Result<(), Failure> {
    if matches.get_flag("stdin") {
        host.moves(&mut io::stdin().lock(), &mut io::stdout().lock())?;
        return Ok(());
    }
    let position = arguments::given_position(matches);
    if matches.get_flag("json") {
        return answer_in_json(host, position);
    }
    let session = host.session(position.as_deref())?;
    print!("{}", session.draw(terminal::style(matches)));
    println!("\n{}\n", session.position());
    println!("{}", state(&*session));
    print_columns(&session.moves());
    Ok(())
}

/// The same answer as with `--stdin`, for one position.
fn answer_in_json(host: &dyn Host, position: Option<String>) -> Result<(), Failure> {
    let wrong = position.as_deref().is_some_and(|text| host.session(Some(text)).is_err());
    let line = match position {
        Some(text) => text,
        None => host.session(None)?.position(),
    };
    host.moves(&mut line.as_bytes(), &mut io::stdout().lock())?;
    if wrong { Err(Failure::Answered) } else { Ok(()) }
}

/// Whose turn it is, or how the game ended: a sentence.
pub fn state(session: &dyn Session) -> String {
    match session.ending() {
        Some(Ending { winner: Some(winner), by }) => {
            format!("{} has won by {by}.", words::capitalised(winner))
        }
        Some(Ending { winner: None, by }) => format!("Drawn by {by}."),
        None => {
            let count = session.moves().len() as u64;
            format!("{} to move: {}", words::capitalised(session.turn()), words::counted(count, "legal move"))
        }
    }
}

/// Moves in as many columns as fit on 80 characters.
pub fn print_columns(moves: &[String]) {
    const LINE: usize = 80;
    let width = moves.iter().map(String::len).max().unwrap_or(0) + 2;
    for row in moves.chunks((LINE / width).max(1)) {
        let row: String = row.iter().map(|text| format!("{text:<width$}")).collect();
        println!("  {}", row.trim_end());
    }
}
