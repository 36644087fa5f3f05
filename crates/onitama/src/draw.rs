//! Draws a position as text: Red's cards above the board, Blue's cards below it, the fifth card beside it.

use crate::grid::{Square, temple};
use crate::rules::letter;
use crate::setup::name;
use crate::{Card, Position};
use game::{BySide, Colour, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };

pub(crate) fn draw(position: &Position, style: Style) -> String {
    let hand = |side: Side| {
        let waits = if position.outcome().is_none() && position.turn() == side { ", to move" } else { "" };
        let mut lines = vec![format!("    {}{waits}", style.paint(COLOURS[side], name(side)))];
        lines.extend(draw_cards(&position.hand(side).iter().collect::<Vec<_>>(), side, style));
        lines
    };
    // The card beside the board is drawn as the side to move sees it, because that side takes it next.
    let mut side_card = draw_cards(&[position.side_card()], position.turn(), style).into_iter();
    let board = (0..5).rev().map(|rank| {
        let men = (0..5).map(|file| man(position, Square::at(file, rank), style)).collect::<Vec<_>>();
        format!("{}   {}   {}", rank + 1, men.join(" "), side_card.next().unwrap_or_default())
    });
    let mut lines = hand(Side::Second);
    lines.push(String::new());
    lines.extend(board);
    lines.push("    a b c d e".to_owned());
    lines.push(String::new());
    lines.extend(hand(Side::First));
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The character for a square: small letters are students, capitals are masters, `∩` is an empty temple.
fn man(position: &Position, square: Square, style: Style) -> String {
    let Some(side) = Side::ALL.into_iter().find(|&side| position.men(side).contains(square)) else {
        let is_temple = Side::ALL.into_iter().any(|side| temple(side) == square);
        return style.paint(Colour::FAINT, if is_temple { "∩" } else { "·" });
    };
    let student = letter(side);
    let is_master = position.master(side).contains(square);
    let man = if is_master { student.to_ascii_uppercase() } else { student };
    style.paint(COLOURS[side], &man.to_string())
}

/// Draws cards side by side as `side` sees them: the man (`o`), the squares that it reaches (`x`), and the name.
/// Four rows are enough, because no card goes further than two squares forward and one back.
fn draw_cards(cards: &[Card], side: Side, style: Style) -> Vec<String> {
    let (rows, turned): ([i8; 4], i8) = match side {
        Side::First => ([2, 1, 0, -1], 1),
        Side::Second => ([1, 0, -1, -2], -1),
    };
    let row = |dy: i8| -> String {
        let cell = |card: &Card, dx: i8| match card.offsets().contains(&(turned * dx, turned * dy)) {
            true => style.paint(COLOURS[side], "x"),
            false if (dx, dy) == (0, 0) => style.paint(Colour::BOLD, "o"),
            false => style.paint(Colour::FAINT, "·"),
        };
        let line = |card| (-2..=2).map(|dx| cell(card, dx) + " ").collect::<String>() + "   ";
        format!("    {}", cards.iter().map(line).collect::<String>())
    };
    let names = cards.iter().map(|card| format!("{:<13}", card.name())).collect::<String>();
    rows.map(row).into_iter().chain([format!("    {names}")]).collect()
}
