//! The board as a picture of characters.

use crate::game::CoTuLenh;
use crate::grid::{DEEP, FILES, MIXED, Point, RANKS};
use crate::pieces::Stack;
use crate::position::Position;
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::Red, second: Colour::Blue };

/// Draws a position as Red sees it: `~` is deep water, `:` is for ships and others, `·` is land. A stack is its letters, as wide
/// as the widest there is.
pub(crate) fn draw(position: &Position, style: Style) -> String {
    let board = position.board();
    let widest =
        Point::all().filter_map(|point| board.at(point)).map(|(side, stack)| letters(side, stack).len());
    let width = widest.max().unwrap_or(1);
    let faint = |text: &str| style.paint(Colour::Faint, text);
    let mut out = String::new();
    for rank in (0..RANKS).rev() {
        out += &faint(&format!("{:>2} ", rank + 1));
        for file in 0..FILES {
            let point = Point::at(file, rank);
            out += " ";
            out += &match board.at(point) {
                Some((side, stack)) => {
                    style.paint(COLOURS[side], &format!("{:<width$}", letters(side, stack)))
                }
                None => faint(&format!("{:<width$}", ground(point))),
            };
        }
        // What there is to say of a side is beside its home rank.
        match rank {
            0 => out += &beside(position, Side::First, style),
            11 => out += &beside(position, Side::Second, style),
            _ => {}
        }
        out.truncate(out.trim_end().len());
        out += "\n";
        if rank == 6 {
            out += &faint(&river(width));
            out += "\n";
        }
    }
    let files: String = (0..FILES).map(|file| format!(" {:<width$}", char::from(b'a' + file))).collect();
    out + &faint(&format!("   {}", files.trim_end())) + "\n"
}

/// Without the parentheses: on a board nothing else stands beside it.
fn letters(side: Side, stack: Stack) -> String {
    stack.text(side).replace(['(', ')'], "")
}

fn ground(point: Point) -> &'static str {
    match point {
        _ if DEEP.contains(point) => "~",
        _ if MIXED.contains(point) => ":",
        _ => "·",
    }
}

/// The river, and the bridges over it on the files f and h.
fn river(width: usize) -> String {
    let across = |file: u8| if file == 5 || file == 7 { "=" } else { "-" };
    let points: String = (0..FILES).map(|file| format!("-{:-<width$}", across(file))).collect();
    format!("   {points}")
}

fn beside(position: &Position, side: Side, style: Style) -> String {
    let mut name = style.paint(COLOURS[side], CoTuLenh::INFO.sides[side]);
    if position.turn() == side {
        if position.outcome().is_none() {
            name += &style.paint(Colour::Bold, " to move");
        }
        if position.is_check() {
            name += &style.paint(Colour::Bold, ", in check");
        }
    }
    format!("   {name}")
}
