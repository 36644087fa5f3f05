//! Draws the board as text.

use crate::grid::{Square, home_rank, rank};
use crate::pieces::Piece;
use crate::position::Position;
use crate::rules::Chess;
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
const LINE: &str = "  +-----------------+";
const FILES: BySide<&str> = BySide { first: "    a b c d e f g h", second: "    h g f e d c b a" };

/// Draws a position with the letters of FEN: capital letters are White's.
pub(crate) fn draw(position: &Position, view: Side, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = faint(LINE) + "\n";
    for row in 0..8 {
        let rank = if view == Side::First { 7 - row } else { row };
        out += &faint(&format!("{} |", rank + 1));
        for column in 0..8 {
            let file = if view == Side::First { column } else { 7 - column };
            out += " ";
            out += &cell(position.board().piece_at(Square::at(file, rank)), style);
        }
        out += &faint(" |");
        // The facts about a side are written beside its home rank.
        if let Some(side) = Side::ALL.into_iter().find(|&side| home_rank(side) == rank) {
            out += "   ";
            out += &beside(position, side, style);
        }
        out += "\n";
    }
    out + &faint(LINE) + "\n" + &faint(FILES[view]) + "\n"
}

fn cell(piece: Option<Piece>, style: Style) -> String {
    match piece {
        None => style.paint(Colour::FAINT, "·"),
        Some(piece) => style.paint(COLOURS[piece.side], &piece.letter().to_string()),
    }
}

/// The name of a side, whether it is to move, whether it is in check, and its rights.
fn beside(position: &Position, side: Side, style: Style) -> String {
    let mut facts = vec![style.paint(COLOURS[side], Chess::INFO.sides[side])];
    if position.turn() == side {
        if position.outcome().is_none() {
            facts[0] += &style.paint(Colour::BOLD, " to move");
        }
        if position.is_check() {
            facts.push(style.paint(Colour::BOLD, "in check"));
        }
        facts.extend(position.en_passant().map(|square| format!("en passant on {square}")));
    }
    let king = position.king(side).index();
    let rooks = position.castling_rooks() & rank(home_rank(side));
    let ways = [("O-O", true), ("O-O-O", false)];
    let ways = ways.into_iter().filter(|&(_, short)| rooks.iter().any(|rook| (rook.index() > king) == short));
    let ways: Vec<_> = ways.map(|(text, _)| text).collect();
    if !ways.is_empty() {
        facts.push(format!("may castle {}", ways.join(" ")));
    }
    facts.join(", ")
}
