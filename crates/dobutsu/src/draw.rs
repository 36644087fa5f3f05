//! Draws a position as text.

use crate::notation::in_case;
use crate::{Dobutsu, Grid, Kind, Piece, Position, Square};
use bits::Geometry;
use game::{BySide, Colour, Game, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
const FILES: BySide<&str> = BySide { first: "    3   2   1", second: "    1   2   3" };
const LINE: &str = "  +---+---+---+";

/// Draws a position. The letters are those of the notation, with H for a hen. The arrow beside a letter points in the
/// direction in which its owner plays, so the owner can be seen without case and colour.
pub(crate) fn draw(position: &Position, view: Side, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = faint(FILES[view]) + "\n";
    for row in 0..Grid::RANKS {
        let rank = if view == Side::First { Grid::RANKS - 1 - row } else { row };
        out += &faint(LINE);
        out += "\n";
        out += &faint(&format!("{} ", char::from(b'd' - rank)));
        for column in 0..Grid::FILES {
            let file = if view == Side::First { column } else { Grid::FILES - 1 - column };
            out += &faint("|");
            out += &cell(position.piece_at(Square::at(file, rank)), view, style);
        }
        out += &faint("|");
        // The text about a side is beside its home row.
        match rank {
            0 => out += &beside(position, Side::First, style),
            3 => out += &beside(position, Side::Second, style),
            _ => {}
        }
        out += "\n";
    }
    out + &faint(LINE) + "\n"
}

fn cell(piece: Option<Piece>, view: Side, style: Style) -> String {
    let Some(Piece { side, kind }) = piece else { return "   ".to_owned() };
    let letter = in_case(if kind == Kind::Hen { "H" } else { kind.text() }, side);
    let arrow = if side == view { '^' } else { 'v' };
    style.paint(COLOURS[side], &format!(" {letter}{arrow}"))
}

/// The text about a side: its name, whether it is to move, and its hand.
fn beside(position: &Position, side: Side, style: Style) -> String {
    let name = style.paint(COLOURS[side], Dobutsu::INFO.sides[side]);
    let turn = if position.turn == side { style.paint(Colour::BOLD, " to move") } else { String::new() };
    let held: Vec<_> = Kind::IN_HAND
        .into_iter()
        .flat_map(|kind| (0..position.hand(side).count(kind)).map(move |_| in_case(kind.text(), side)))
        .collect();
    let hand = if held.is_empty() { "nothing".to_owned() } else { held.join(" ") };
    format!("   {name}{turn}, in hand: {}", style.paint(COLOURS[side], &hand))
}
