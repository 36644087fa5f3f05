//! `endspiel threats GAME [POSITION]`: who attacks what, checks, pins, and what captures win.

use crate::arguments::{self, flag, some_games_verb};
use crate::failure::Failure;
use crate::verbs::moves;
use crate::{terminal, words};
use clap::{ArgMatches, Command};
use registry::{
    Family, HangingMan, Man, Opened, PinnedMan, Registry, ThreatReport, ThreatsAsked, WeighedMove, json_text,
};
use std::io::{self, Write};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        arguments::json(),
        flag("stdin", "Read a position per line and answer each with a line of JSON, in the same order")
            .conflicts_with("position"),
    ];
    let about = "Show who attacks what: checks, pins, hanging men, and what captures win";
    some_games_verb(registry, "threats", about, "POSITION", &arguments, Family::has_threats)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let threats = game.threats()?;
    if matches.get_flag("stdin") {
        return Ok(threats.report_lines(&mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(game, matches, out)?;
    let report = threats.report(&*session)?;
    if matches.get_flag("json") {
        let asked = arguments::given_position(matches).unwrap_or_else(|| session.position());
        let answer = json_text(&ThreatsAsked { position: &asked, report: &report });
        return Ok(writeln!(out, "{answer}")?);
    }
    if let Some(drawn) = arguments::drawn_start(game, matches) {
        writeln!(out, "{}\n", arguments::told_drawn(drawn))?;
    }
    let style = terminal::style(matches);
    writeln!(out, "{}\n{}\n", session.draw(style), session.position())?;
    writeln!(out, "{}", threats.draw(&*session, style)?)?;
    let state = match (&report.checkers[..], &report.moves[..]) {
        (_, []) => moves::state(&*session),
        ([], _) => format!("{} is to move and not in check.", words::capitalised(report.turn)),
        (checkers, _) => {
            let checkers: Vec<_> = checkers.iter().map(place).collect();
            let checkers = checkers.join(" and ");
            format!("{} is to move and in check from {checkers}.", words::capitalised(report.turn))
        }
    };
    writeln!(out, "{state}")?;
    tell(&report, out)
}

/// Writes what the boards do not show: pins, hanging men, and captures.
fn tell(report: &ThreatReport, out: &mut dyn Write) -> Result<(), Failure> {
    let ThreatReport { turn, pins, hanging, moves, .. } = report;
    let turn = words::capitalised(turn);
    list("Pinned men, and the line on which each stays", pins.iter().map(pinned), out)?;
    list(
        "Hanging men, each with what its capture wins in pawns",
        hanging.iter().map(|man| hung(man, &turn)),
        out,
    )?;
    let captures: Vec<_> = moves.iter().filter(|m| m.capture).map(weighed).collect();
    if !captures.is_empty() {
        writeln!(out, "\nCaptures of {turn}, and what each wins in exchanges on its square:")?;
        moves::write_columns(&captures, out)?;
    }
    Ok(())
}

fn list(title: &str, lines: impl Iterator<Item = String>, out: &mut dyn Write) -> Result<(), Failure> {
    for (at, line) in lines.enumerate() {
        if at == 0 {
            writeln!(out, "\n{title}:")?;
        }
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// A man without its side: `the knight on f3`.
fn place(man: &Man) -> String {
    format!("the {} on {}", man.kind, man.square)
}

/// A man with its side: `White's knight on f3`.
fn owned(man: &Man) -> String {
    format!("{}'s {} on {}", words::capitalised(man.side), man.kind, man.square)
}

fn pinned(pin: &PinnedMan) -> String {
    format!("{} by {}: {}", owned(&pin.man), place(&pin.by), pin.line.join(" "))
}

fn hung(hanging: &HangingMan, turn: &str) -> String {
    let HangingMan { man, by, wins, .. } = hanging;
    let when =
        if words::capitalised(man.side) == turn { format!(", if {turn} passes") } else { String::new() };
    format!("{}: {} wins {}{when}", owned(man), place(by), in_pawns(*wins))
}

fn weighed(m: &WeighedMove) -> String {
    let sign = if m.exchange > 0 { "+" } else { "" };
    format!("{} {sign}{}", m.san, in_pawns(m.exchange))
}

/// Hundredths of a pawn as pawns: `3`, `-0.5`.
fn in_pawns(hundredths: i32) -> String {
    (f64::from(hundredths) / 100.0).to_string()
}
