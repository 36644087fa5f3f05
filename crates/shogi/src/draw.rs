//! Draws the board with characters.

use crate::grid::Square;
use crate::pieces::Piece;
use crate::position::Position;
use crate::rules::{Script, Shogi};
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
/// The most columns of a line.
const COLUMNS: usize = 80;
const LINE: &str = "+---------------------------+";
const FILES: BySide<&str> =
    BySide { first: "  9  8  7  6  5  4  3  2  1", second: "  1  2  3  4  5  6  7  8  9" };

/// Draws a position as a side sees it, with each side's hand beside its home rank.
pub(crate) fn draw(position: &Position, view: Side, script: Script, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = faint(FILES[view]) + "\n" + &faint(LINE) + "\n";
    // The side at the top, and the one at the bottom.
    let [far, near] = [view.other(), view].map(|side| beside(position, side, script, style));
    for row in 0..9 {
        let rank = if view == Side::First { 8 - row } else { row };
        out += &faint("|");
        for column in 0..9 {
            let file = if view == Side::First { column } else { 8 - column };
            out += &cell(position.board().piece_at(Square::at(file, rank)), view, script, style);
        }
        out += &faint(&format!("| {}", char::from(b'i' - rank)));
        let from_below = (near.len() + row as usize).checked_sub(9);
        let note = from_below.map(|at| &near[at]).or_else(|| far.get(row as usize));
        out += note.map_or("", String::as_str);
        out += "\n";
    }
    out + &faint(LINE) + "\n"
}

/// Draws a square in three columns. A kanji takes two of them. `v` marks the men that face the viewer.
fn cell(piece: Option<Piece>, view: Side, script: Script, style: Style) -> String {
    let Some(Piece { side, kind }) = piece else {
        return style.paint(Colour::FAINT, if script == Script::Kanji { " ・" } else { " · " });
    };
    let sign = match script {
        Script::Kanji => format!("{}{}", if side == view { " " } else { "v" }, kind.kanji()),
        Script::Letters => {
            format!("{}{} ", if kind.is_promoted() { "+" } else { " " }, Piece { side, kind }.letter())
        }
    };
    style.paint(COLOURS[side], &sign)
}

/// Describes a side in one or two lines: its name, whether it is to move and in check, and its hand.
fn beside(position: &Position, side: Side, script: Script, style: Style) -> Vec<String> {
    let is_to_move = position.turn() == side;
    let said = [
        if is_to_move && position.outcome().is_none() { " to move" } else { "" },
        if is_to_move && position.is_check() { ", in check" } else { "" },
    ];
    let mut name = style.paint(COLOURS[side], Shogi::INFO.sides[side]);
    for part in said.into_iter().filter(|part| !part.is_empty()) {
        name += &style.paint(Colour::BOLD, part);
    }
    let held: Vec<String> = position
        .hand(side)
        .iter()
        .rev()
        .map(|(kind, count)| {
            let sign = if script == Script::Kanji { kind.kanji() } else { Piece { side, kind }.letter() };
            if count > 1 { format!("{sign}×{count}") } else { sign.to_string() }
        })
        .collect();
    let hand = if held.is_empty() { "nothing".to_owned() } else { held.join(" ") };
    let shown = style.paint(COLOURS[side], &hand);
    // Only large hands do not fit the line.
    let plain: String = [Shogi::INFO.sides[side], &said.concat(), ", in hand: ", &hand].concat();
    match LINE.len() + " a   ".len() + columns(&plain) > COLUMNS {
        true => vec![format!("   {name}"), format!("   in hand: {shown}")],
        false => vec![format!("   {name}, in hand: {shown}")],
    }
}

/// The columns of a text in a terminal. A kanji takes two.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if ('\u{2e80}'..'\u{a000}').contains(&c) { 2 } else { 1 }).sum()
}
