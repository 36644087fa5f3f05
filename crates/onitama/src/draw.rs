//! Draws a position as text: the opponent's cards above the board, those of the side that looks at it below, the fifth card
//! beside it.

use crate::grid::{Square, temple};
use crate::rules::letter;
use crate::setup::name;
use crate::{Card, Position};
use game::{BySide, Colour, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };

pub(crate) fn draw(position: &Position, view: Side, style: Style) -> String {
    let hand = |side: Side| {
        let waits = if position.outcome().is_none() && position.turn() == side { ", to move" } else { "" };
        let mut lines = vec![format!("    {}{waits}", style.paint(COLOURS[side], name(side)))];
        let cards: Vec<_> = position.hand(side).iter().collect();
        lines.extend(draw_cards(&cards, side, view, style));
        lines
    };
    // The card beside the board is drawn as the side to move sees it, because that side takes it next.
    let mut side_card = draw_cards(&[position.side_card()], position.turn(), view, style).into_iter();
    let seen = |place: u8| if view == Side::First { place } else { 4 - place };
    let board = (0..5).rev().map(|row| {
        let rank = seen(row);
        let men = (0..5).map(|file| man(position, Square::at(seen(file), rank), style)).collect::<Vec<_>>();
        format!("{}   {}   {}", rank + 1, men.join(" "), side_card.next().unwrap_or_default())
    });
    let mut lines = hand(view.other());
    lines.push(String::new());
    lines.extend(board);
    lines.push(if view == Side::First { "    a b c d e" } else { "    e d c b a" }.to_owned());
    lines.push(String::new());
    lines.extend(hand(view));
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

/// Draws cards of a side side by side as `view` sees them: the man (`o`), the squares that it reaches (`x`), and the name.
/// Four rows are enough, because no card goes further than two squares forward and one back.
fn draw_cards(cards: &[Card], side: Side, view: Side, style: Style) -> Vec<String> {
    let (rows, turned): ([i8; 4], i8) = match side == view {
        true => ([2, 1, 0, -1], 1),
        false => ([1, 0, -1, -2], -1),
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
