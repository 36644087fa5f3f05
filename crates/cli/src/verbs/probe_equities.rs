//! `endspiel probe` for games with dice: what the players expect, what to do with the cube, and the best plays.

use crate::arguments;
use crate::failure::Failure;
use crate::terminal;
use crate::verbs::moves::state;
use crate::words;
use clap::ArgMatches;
use registry::{
    CubeAction, CubeAdvice, CubeDecision, DROP, EquityAnswer, EquityAsked, EquityProber, Opened, Opinion,
    OpinionAsked, Prospect, RankedPlay, Session, json_text,
};
use serde_json::json;
use std::io::{self, Write};

/// Asks the questions of the command line.
pub fn ask(
    game: &Opened,
    prober: &dyn EquityProber,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if matches.get_flag("stdin") {
        return Ok(prober.answer_lines(&mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(game, matches, out)?;
    if matches.get_flag("json") {
        let position = arguments::given_position(matches).unwrap_or_else(|| session.position());
        return match prober.probe(&*session) {
            Ok(answer) => {
                let asked = EquityAsked { position: &position, answer: &answer };
                Ok(writeln!(out, "{}", json_text(&asked))?)
            }
            Err(error) => {
                let answer = json!({"position": position, "error": error.to_string()});
                Err(Failure::from(error).answered(&answer, out))
            }
        };
    }
    let answer = prober.probe(&*session)?;
    writeln!(out, "{}\n{}\n", session.draw(terminal::style(matches)), session.position())?;
    tell(game, &*session, &answer, out)
}

/// Asks GNU Backgammon.
pub fn ask_gnubg(game: &Opened, ply: u64, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let session = arguments::session(game, matches, out)?;
    let opinion = game.gnubg(&*session, ply as u8)?;
    if matches.get_flag("json") {
        let position = arguments::given_position(matches).unwrap_or_else(|| session.position());
        let asked = OpinionAsked { position: &position, opinion: &opinion };
        return Ok(writeln!(out, "{}", json_text(&asked))?);
    }
    let Opinion { ply, chances, equity, cube, moves } = &opinion;
    writeln!(out, "{}\n{}\n", session.draw(terminal::style(matches)), session.position())?;
    let (mover, points) = (words::capitalised(session.turn()), signed(*equity));
    let win = percent(chances.win);
    let told = format!(
        "GNU Backgammon at {ply} plies: {mover} wins {win} of the games, and expects {points} points."
    );
    words::say(out, &told)?;
    if let Some(cube) = cube {
        let [no_double, take] = [cube.no_double, cube.double_take].map(|equity| signed(equity.into()));
        let told = format!("The cube: {} ({no_double} without a double, {take} after a take).", cube.words);
        words::say(out, &told)?;
    }
    let width = moves.iter().map(|of| of.text.len()).max().unwrap_or(0);
    for (number, of) in moves.iter().enumerate() {
        let (text, points, win) = (&of.text, signed(of.equity), percent(of.chances.win));
        let before = if number == 0 { "\n" } else { "" };
        writeln!(out, "{before}  {text:<width$}  {points:>8}  wins {win}")?;
    }
    Ok(())
}

fn tell(
    game: &Opened,
    session: &dyn Session,
    answer: &EquityAnswer,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if session.ending().is_some() {
        return Ok(writeln!(out, "{}", state(session))?);
    }
    let sides = game.info().sides;
    let mover = session.turn();
    let other = if mover == sides.first { sides.second } else { sides.first };
    let [mover, other] = [mover, other].map(words::capitalised);
    let who = if answer.moves.is_empty() { mover } else { format!("With the best play, {mover}") };
    if let Some(sentence) = chances(&answer.expected, &who) {
        words::say(out, &format!("{sentence}."))?;
    }
    words::say(out, &format!("{}.", points(&answer.expected, &who, &other)))?;
    if let Some(advice) = answer.cube {
        words::say(out, &told_cube(&advice, &other))?;
    }
    if let Some(source) = source(&answer.expected) {
        words::say(out, &source)?;
    }
    if !answer.moves.is_empty() {
        writeln!(out)?;
    }
    tell_plays(&answer.moves, out)
}

fn percent(chance: f64) -> String {
    format!("{:.2} %", 100.0 * chance)
}

fn signed(points: f64) -> String {
    format!("{points:+.4}")
}

/// `White wins 73.21 % of the games, 12.00 % with a gammon or better`
fn chances(expected: &Prospect, mover: &str) -> Option<String> {
    let chances = expected.chances?;
    let mut told = format!("{mover} wins {} of the games", percent(chances.win));
    let parts = [
        (chances.gammon, "wins a gammon or more in"),
        (chances.backgammon, "a backgammon in"),
        (chances.lose_gammon, "loses a gammon or more in"),
        (chances.lose_backgammon, "a backgammon in"),
    ];
    for (chance, what) in parts.into_iter().filter(|(chance, _)| *chance > 0.0) {
        told += &format!(", {what} {}", percent(chance));
    }
    Some(told)
}

/// `White expects +0.4642 points without a cube; +0.5120 …`
fn points(expected: &Prospect, mover: &str, other: &str) -> String {
    let points = &expected.points;
    let without = format!("{mover} expects {} points without a cube", signed(points.cubeless));
    match points.cube {
        None => without,
        Some(cube) => format!(
            "{without}; {} with the cube in the middle, {} owning it, {} if {other} owns it",
            signed(cube.centred),
            signed(cube.own),
            signed(cube.opponent),
        ),
    }
}

/// `Double, take: doubling gains 0.0310 (…)`
pub fn told_cube(advice: &CubeAdvice, other: &str) -> String {
    let &CubeAdvice { decision, is_offered } = advice;
    let CubeDecision { action, roll, take } = decision;
    let gain = decision.gain().abs();
    let (roll, take) = (signed(roll), signed(take));
    if is_offered {
        let (word, better) = match decision.is_taken() {
            true => ("Take", DROP - decision.take),
            false => ("Drop", decision.take - DROP),
        };
        return format!("{word}: it is better by {better:.4} points (a drop costs 1, a take {take}).");
    }
    match action {
        CubeAction::DoubleTake => {
            format!("Double, take: doubling gains {gain:.4} ({take} after a take, {roll} without a double).")
        }
        CubeAction::DoubleDrop => format!(
            "Double, drop: doubling gains {gain:.4} (+1 if {other} drops, {take} after a take, {roll} without a double)."
        ),
        CubeAction::Roll => {
            format!("No double: doubling loses {gain:.4} ({take} after a take, {roll} without a double).")
        }
        CubeAction::TooGood => format!(
            "Too good for a double: doubling loses {gain:.4} (+1 if {other} drops, {roll} without a double)."
        ),
    }
}

/// Where the answer comes from, as a sentence.
fn source(expected: &Prospect) -> Option<String> {
    let table = expected.table?;
    Some(match (expected.exact, expected.error) {
        (true, Some(error)) => format!("Exact, from the table {table}: the points are right to {error:.1e}."),
        (true, None) => format!("Exact, from the table {table}."),
        (false, _) => format!(
            "An approximation from the table {table}: each side bears off in as few rolls as possible on average, whatever \
             the other side does, and nobody doubles."
        ),
    })
}

pub fn tell_plays(plays: &[RankedPlay], out: &mut dyn Write) -> Result<(), Failure> {
    let width = plays.iter().map(|play| play.text.len()).max().unwrap_or(0);
    for RankedPlay { text, equity, loss, expected } in plays {
        let loss = if *loss > 0.0 { format!("loses {loss:.4}") } else { String::new() };
        let win =
            expected.chances.map_or_else(String::new, |chances| format!("wins {}", percent(chances.win)));
        let line = format!("  {text:<width$}  {:>8}  {loss:<12}  {win}", signed(*equity));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
