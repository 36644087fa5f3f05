//! Draws the board as text.

use crate::board::Board;
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

impl Board {
    /// Draws two boards with the number of men that attack each square: White's on the left, Black's on the right.
    pub fn draw_attacks(&self, style: Style) -> String {
        const GAP: &str = "     ";
        let faint = |text: &str| style.paint(Colour::FAINT, text);
        let both = |of: &dyn Fn(Side) -> String| Side::ALL.map(of).join(GAP);
        let title = |side: Side| {
            let title = format!("  {:<19}", format!("attacked by {}", Chess::INFO.sides[side]));
            style.paint(COLOURS[side], &title)
        };
        let row = |side, rank| {
            let mut row = faint(&format!("{} |", rank + 1));
            for file in 0..8 {
                row += " ";
                row += &match self.attackers(Square::at(file, rank), side).len() {
                    0 => faint("·"),
                    count @ 1..=9 => count.to_string(),
                    _ => "+".to_owned(),
                };
            }
            row + &faint(" |")
        };
        let mut lines = vec![both(&title).trim_end().to_owned(), both(&|_| faint(LINE))];
        lines.extend((0..8).rev().map(|rank| both(&|side| row(side, rank))));
        lines.push(both(&|_| faint(LINE)));
        lines.push(both(&|_| faint(&format!("{:<21}", FILES.first))).trim_end().to_owned());
        lines.join("\n") + "\n"
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
