//! Draws the board with characters.

use crate::grid::Square;
use crate::pieces::Piece;
use crate::position::Position;
use crate::rules::{Script, Shogi};
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
const LINE: &str = "+---------------------------+";
const FILES: &str = "  9  8  7  6  5  4  3  2  1";

/// Draws a position as Black sees it, with each side's hand beside its home rank.
pub(crate) fn draw(position: &Position, script: Script, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = faint(FILES) + "\n" + &faint(LINE) + "\n";
    for rank in (0..9).rev() {
        out += &faint("|");
        for file in 0..9 {
            out += &cell(position.board().piece_at(Square::at(file, rank)), script, style);
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

/// Draws a square in three columns. A kanji takes two of them.
fn cell(piece: Option<Piece>, script: Script, style: Style) -> String {
    let Some(Piece { side, kind }) = piece else {
        return style.paint(Colour::FAINT, if script == Script::Kanji { " ・" } else { " · " });
    };
    let sign = match script {
        Script::Kanji => format!("{}{}", if side == Side::First { " " } else { "v" }, kind.kanji()),
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
