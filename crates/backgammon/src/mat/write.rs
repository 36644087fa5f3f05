//! Writes a match file, in the columns that GNU Backgammon uses.

use super::read::JACOBY;
use super::{Action, Game, Match, Tag};
use crate::move_text::{self, Step};
use game::{BySide, Position as _, Side};
use std::fmt::Write as _;

/// Writes a match as a file. Reading that file gives the same match.
pub fn write(played: &Match) -> String {
    let mut out = write_head(played.tags(), played.length(), played.jacoby());
    for (at, game) in played.games().iter().enumerate() {
        out += &write_game(at + 1, played.players(), game);
    }
    out
}

/// Writes the beginning of a match file: what comes before its games.
pub fn write_head(tags: &[Tag], length: Option<u16>, jacoby: bool) -> String {
    let mut out = String::new();
    for tag in tags {
        let _ = writeln!(out, "; [{} \"{}\"]", tag.name(), tag.value());
    }
    if jacoby {
        let _ = writeln!(out, "; [{JACOBY} \"On\"]");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, " {} point match", length.unwrap_or(0));
    out
}

/// Writes a game of a match with its number, from 1, and the names of the players.
pub fn write_game(number: usize, players: &BySide<String>, game: &Game) -> String {
    let mut out = String::new();
    let before = game.before();
    let left = format!("{} : {}", players.first, before.first);
    let _ = writeln!(out, "\n Game {number}\n {left:<30} {} : {}", players.second, before.second);
    write_actions(game, &mut out);
    out
}

fn write_actions(game: &Game, out: &mut String) {
    let mut cells = Vec::new();
    let mut replay = Game::new(game.before(), *game.start());
    for &action in game.actions() {
        cells.push((replay.last().turn(), cell(&replay, action)));
        // All actions were legal when they were played, so this does not happen.
        if replay.play(action).is_err() {
            break;
        }
    }
    cells.extend(game.unplayed().map(|roll| (game.last().turn(), format!("{roll}:"))));
    let won = game.result().map(|(winner, points)| {
        let plural = if points == 1 { "" } else { "s" };
        (winner, format!(" Wins {points} point{plural}"))
    });
    // If the right player wins and has no cell in the last row, the result goes there. Otherwise GNU Backgammon would
    // read a declined double as taken.
    let is_open = cells.last().is_some_and(|(side, _)| *side == Side::First);
    let (in_row, below) = match won {
        Some((Side::Second, text)) if is_open => (Some((Side::Second, text)), None),
        won => (None, won),
    };
    write_rows(cells.into_iter().chain(in_row), out);
    if let Some((winner, text)) = below {
        let indent = match winner {
            Side::First => 5,
            Side::Second => 33,
        };
        let _ = writeln!(out, "{:indent$}{text}", "");
    }
}

fn write_rows(cells: impl Iterator<Item = (Side, String)>, out: &mut String) {
    let mut cells = cells.peekable();
    let mut row = 0;
    while let Some((side, text)) = cells.next() {
        let (left, right) = match side {
            Side::Second => (String::new(), text),
            Side::First => {
                let answer = cells.next_if(|(side, _)| *side == Side::Second);
                (text, answer.map_or(String::new(), |(_, text)| text))
            }
        };
        row += 1;
        let line = format!("{row:>3}) {left:<27} {right}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn cell(game: &Game, action: Action) -> String {
    match action {
        Action::Double => format!(" Doubles => {}", game.last().cube().value() * 2),
        Action::Take => " Takes".to_owned(),
        Action::Drop => " Drops".to_owned(),
        Action::Play(roll, turn) => {
            let rolled = game.rolled(roll).unwrap_or(*game.last());
            let mut out = format!("{roll}:");
            for Step { from, to, hits } in move_text::steps(&rolled, roll, turn) {
                let mark = if hits { "*" } else { "" };
                let _ = write!(out, " {}/{}{mark}", from.human().number(), to.human().number());
            }
            out
        }
    }
}
