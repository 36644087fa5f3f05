//! Draws the board with characters.

use crate::grid::Square;
use crate::pieces::Piece;
use crate::position::Position;
use crate::rules::{Script, Shogi};
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
const LINE: &str = "+---------------------------+";
const FILES: BySide<&str> =
    BySide { first: "  9  8  7  6  5  4  3  2  1", second: "  1  2  3  4  5  6  7  8  9" };

/// Draws a position as a side sees it, with each side's hand beside its home rank.
pub(crate) fn draw(position: &Position, view: Side, script: Script, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = faint(FILES[view]) + "\n" + &faint(LINE) + "\n";
    for row in 0..9 {
        let rank = if view == Side::First { 8 - row } else { row };
        out += &faint("|");
        for column in 0..9 {
            let file = if view == Side::First { column } else { 8 - column };
            out += &cell(position.board().piece_at(Square::at(file, rank)), view, script, style);
        }
        out += &faint(&format!("| {}", char::from(b'i' - rank)));
        match rank {
            0 => out += &beside(position, Side::First, script, style),
            8 => out += &beside(position, Side::Second, script, style),
            _ => {}
        }
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

/// Describes a side: its name, whether it is to move and in check, and its hand.
fn beside(position: &Position, side: Side, script: Script, style: Style) -> String {
    let mut name = style.paint(COLOURS[side], Shogi::INFO.sides[side]);
    if position.turn() == side {
        if position.outcome().is_none() {
            name += &style.paint(Colour::BOLD, " to move");
        }
        if position.is_check() {
            name += &style.paint(Colour::BOLD, ", in check");
        }
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
    format!("   {name}, in hand: {}", style.paint(COLOURS[side], &hand))
}
