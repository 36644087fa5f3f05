//! `endspiel moves GAME [POSITION]`: the board and its legal moves.

use crate::arguments::{self, flag, game_verb};
use crate::failure::Failure;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use registry::{After, Ending, Listing, Opened, Registry, Session};
use std::io::{self, Write};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        arguments::json(),
        flag("unique", "List one move for each position that a move leads to"),
        flag("stdin", "Read a position per line and answer each with a line of JSON, in the same order")
            .conflicts_with("position"),
        flag("after", "With --stdin, tell the position after each move; --json always does")
            .requires("stdin"),
    ];
    game_verb(registry, "moves", "Draw a position and list its legal moves", "POSITION", &arguments)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let listing = if matches.get_flag("unique") { Listing::Unique } else { Listing::All };
    if matches.get_flag("stdin") {
        let after = if matches.get_flag("after") { After::Told } else { After::Omitted };
        return Ok(game.rules().moves(listing, after, &mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(game, matches, out)?;
    let drawn = arguments::drawn_start(game, matches);
    if matches.get_flag("json") {
        // The same answer as with `--stdin --after`, for one position.
        let asked = arguments::given_position(matches).unwrap_or_else(|| session.position());
        let answer = game.rules().moves_of(&*session, &asked, listing, drawn)?;
        return Ok(writeln!(out, "{answer}")?);
    }
    if let Some(drawn) = drawn {
        writeln!(out, "{}\n", arguments::told_drawn(drawn))?;
    }
    write!(out, "{}", session.draw(terminal::style(matches)))?;
    let moves = session.position_moves(listing);
    let told = match session.ending() {
        // The position has legal moves, but the rules of the game end a game here.
        Some(Ending { winner, by, .. }) if !moves.is_empty() => {
            let result = winner.map_or("drawn".to_owned(), |winner| format!("{winner} wins"));
            format!("{}; a game ends here: {result} by {by}", to_move(&*session, &moves, listing))
        }
        Some(_) => state(&*session),
        // The dice are not rolled yet, so there are no moves to list.
        None if moves.is_empty() => state(&*session),
        None => to_move(&*session, &moves, listing),
    };
    writeln!(out, "\n{}\n\n{told}", session.position())?;
    Ok(write_columns(&moves, out)?)
}

/// Returns a sentence that says whose turn it is, or how the game ended.
pub fn state(session: &dyn Session) -> String {
    match session.ending() {
        Some(Ending { winner: Some(winner), by, points: Some(points) }) => {
            format!(
                "{} has won {}: {by}.",
                words::capitalised(winner),
                words::counted(points.into(), "point")
            )
        }
        Some(Ending { winner: Some(winner), by, points: None }) => {
            format!("{} has won by {by}.", words::capitalised(winner))
        }
        Some(Ending { winner: None, by, .. }) => format!("Drawn by {by}."),
        None => match session.moves() {
            moves if moves.is_empty() => {
                let side = words::capitalised(session.turn());
                format!("{side} is to roll. Add a roll after the position, such as 31, to see its moves.")
            }
            moves => to_move(session, &moves, Listing::All),
        },
    }
}

fn to_move(session: &dyn Session, moves: &[String], listing: Listing) -> String {
    let what = match listing {
        Listing::All => "legal move",
        Listing::Unique => "different result",
    };
    let count = words::counted(moves.len() as u64, what);
    format!("{} to move: {count}", words::capitalised(session.turn()))
}

/// Writes the moves in as many columns as fit into 80 characters.
pub fn write_columns(moves: &[String], out: &mut dyn Write) -> io::Result<()> {
    const LINE: usize = 80;
    let width = moves.iter().map(String::len).max().unwrap_or(0) + 2;
    for row in moves.chunks((LINE / width).max(1)) {
        let row: String = row.iter().map(|text| format!("{text:<width$}")).collect();
        writeln!(out, "  {}", row.trim_end())?;
    }
    Ok(())
}
