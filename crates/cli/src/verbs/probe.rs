//! `endspiel probe GAME POSITION`: the truth about a position.

use crate::arguments::{self, flag, game_verb};
use crate::endgames::{self, told};
use crate::failure::Failure;
use crate::verbs::moves::state;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use game::Wdl;
use registry::{Answer, Host, LineEnd, Registry, Session};
use std::io::{self, Write};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        endgames::tables(),
        arguments::json(),
        flag("stdin", "Read a position per line and answer each with a line of JSON, in the same order")
            .conflicts_with("position"),
    ];
    let verb = game_verb(
        registry,
        "probe",
        "Tell the truth about a position: who wins, when, and how",
        "POSITION",
        &arguments,
    );
    endgames::with_unsolved(registry, verb)
}

pub fn run(
    registry: &Registry,
    host: &dyn Host,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let tables = endgames::open(registry, host.info().name, matches)?;
    let library = endgames::library(matches);
    if matches.get_flag("stdin") {
        return Ok(tables.probe_lines(&library, &mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(host, matches, out)?;
    let position = session.position();
    if matches.get_flag("json") {
        let asked = arguments::given_position(matches).unwrap_or_else(|| position.clone());
        tables.probe_lines(&library, &mut asked.as_bytes(), out)?;
        // The answer has said what is wrong; the exit code says that something is.
        return tables.probe(&library, Some(&position)).map(drop).map_err(|_| Failure::Answered);
    }
    let answer = tables.probe(&library, Some(&position))?;
    writeln!(out, "{}\n{position}\n", session.draw(terminal::style(matches)))?;
    writeln!(out, "{}", verdict(host, &*session, &answer))?;
    tell_moves(&answer, out)?;
    tell_line(&answer, out)
}

/// The truth in a sentence.
fn verdict(host: &dyn Host, session: &dyn Session, answer: &Answer) -> String {
    // Only a finished position has no moves; draws that end a game are none of the tables' business.
    if answer.moves.is_empty() {
        return state(session);
    }
    let sides = host.info().sides;
    let mover = session.turn();
    let other = if mover == sides.first { sides.second } else { sides.first };
    let (winner, value) = match answer.value.wdl {
        Wdl::Win => (mover, answer.value),
        Wdl::Loss => (other, answer.value.for_opponent()),
        Wdl::Draw => {
            let [mover, other] = [mover, other].map(words::capitalised);
            return format!("Drawn: neither {mover} nor {other} can force a win.");
        }
    };
    format!("{} {}.", words::capitalised(winner), told(value))
}

fn tell_moves(answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
    if answer.moves.is_empty() {
        return Ok(());
    }
    let width = answer.moves.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    writeln!(out)?;
    for (text, value) in &answer.moves {
        let value = match value {
            Some(value) if value.plies.is_some_and(|plies| plies.0 == 0) => {
                format!("{} at once", endgames::verb(value.wdl))
            }
            Some(value) => told(*value),
            None => "unknown: its table is missing".to_owned(),
        };
        writeln!(out, "  {text:<width$}  {value}")?;
    }
    Ok(())
}

fn tell_line(answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
    const SHOWN: usize = 60;
    if answer.line.is_empty() {
        return Ok(());
    }
    let shown = &answer.line[..answer.line.len().min(SHOWN)];
    let rest = match answer.line_end {
        _ if answer.line.len() > SHOWN => format!(" … and {} more", answer.line.len() - SHOWN),
        LineEnd::Over => String::new(),
        LineEnd::Repetition => " … and round again".to_owned(),
        LineEnd::MissingTable => " … where the tables end".to_owned(),
        LineEnd::Cut => " …".to_owned(),
    };
    let has_distances = answer.value.plies.is_some() || answer.value.wdl == Wdl::Draw;
    let title = if has_distances {
        "Best play"
    } else {
        "A line that keeps the result (the tables have no distances)"
    };
    writeln!(out, "\n{title}: {}{rest}", shown.join(" "))?;
    Ok(())
}
