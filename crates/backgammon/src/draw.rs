//! The board drawn with characters, as one of the sides sees it. The points have the numbers of the side to move, since its
//! moves are written with them.

use crate::places::{Canonical, POINTS};
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use crate::terms::Stakes;
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::BLUE, second: Colour::RED };
const SIGNS: BySide<char> = BySide { first: 'O', second: 'X' };
/// Rows of checkers in each half. A taller stack shows its height in the last row.
const ROWS: u8 = 5;
const EDGE: &str = "+-------------------+---+-------------------+";

pub(crate) fn draw(position: &Position, view: Side, style: Style) -> String {
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let upper: Vec<u8> = (13..=POINTS).collect();
    let lower: Vec<u8> = (1..=12).rev().collect();
    let mut out = labels(position, view, &upper, style);
    out += &format!(" {}\n", faint(EDGE));
    let [far, near] = [view.other(), view].map(|side| about_side(position, side, style));
    for row in 0..ROWS {
        let note = far.get(usize::from(row)).map_or("", String::as_str);
        out += &line(position, &upper, row, [view, view.other()], note, style);
    }
    // What is next stands in the middle, and below it what follows from it.
    let [told, more] = what_next(position, style);
    let middle = format!("{}                   {}BAR{}                   {}", "|", "|", "|", "|");
    out += format!(" {}   {told}", faint(&middle)).trim_end();
    out.push('\n');
    for row in (0..ROWS).rev() {
        let from_below = near.len().checked_sub(1 + usize::from(row));
        let note = match from_below.map(|at| near[at].as_str()) {
            None if row + 1 == ROWS => &more,
            note => note.unwrap_or_default(),
        };
        out += &line(position, &lower, row, [view, view], note, style);
    }
    out += &format!(" {}\n", faint(EDGE));
    out + &labels(position, view, &lower, style)
}

/// The numbers of the points in the numbering of the side to move.
fn labels(position: &Position, view: Side, points: &[u8], style: Style) -> String {
    let number = |&point: &u8| match position.turn() == view {
        true => point,
        false => POINTS + 1 - point,
    };
    let numbers: Vec<String> = points.iter().map(|point| format!("{:>3}", number(point))).collect();
    let (outer, inner) = numbers.split_at(6);
    let text = format!("  {}      {}", outer.concat(), inner.concat());
    style.paint(Colour::FAINT, text.trim_end()) + "\n"
}

/// A row of checkers as the first of the sides sees them; row 0 is at the edge of the board. The bar of the second side is drawn in the half where it bears off.
fn line(
    position: &Position,
    points: &[u8],
    row: u8,
    [view, near]: [Side; 2],
    note: &str,
    style: Style,
) -> String {
    let board = position.board();
    let cell = |&point: &u8| {
        let seen = Canonical::at(POINTS + 1 - point);
        let there = seen.physical(view).and_then(|point| board.at(point));
        let drawn = there.and_then(|(side, count)| checker(count, row, side, style));
        drawn.unwrap_or_else(|| style.paint(Colour::FAINT, "  ."))
    };
    let cells: Vec<String> = points.iter().map(cell).collect();
    let (outer, inner) = cells.split_at(6);
    let bar =
        checker(board.count(near, Canonical::BAR), row, near, style).unwrap_or_else(|| "   ".to_owned());
    let wall = style.paint(Colour::FAINT, "|");
    let row = format!(" {wall}{} {wall}{bar}{wall}{} {wall}   {note}", outer.concat(), inner.concat());
    row.trim_end().to_owned() + "\n"
}

/// What a stack shows in a row: a checker, or its height if it is too tall. Returns `None` if the stack ends before
/// this row.
fn checker(count: u8, row: u8, side: Side, style: Style) -> Option<String> {
    let text = match (count, row) {
        (count, row) if count <= row => return None,
        (count, row) if count > ROWS && row + 1 == ROWS => format!("{count:>3}"),
        _ => format!("  {}", SIGNS[side]),
    };
    Some(style.paint(COLOURS[side], &text))
}

fn name(side: Side, style: Style) -> String {
    let text = format!("{} {}", SIGNS[side], Backgammon::INFO.sides[side]);
    style.paint(COLOURS[side], &text)
}

/// A side with its pip count and the checkers that it has borne off, and a line with its points in a match.
fn about_side(position: &Position, side: Side, style: Style) -> Vec<String> {
    let board = position.board();
    let pips = match board.pips(side) {
        1 => "1 pip".to_owned(),
        pips => format!("{pips} pips"),
    };
    let mut lines = vec![format!("{}: {pips}, {} off", name(side, style), position.off(side))];
    if let Stakes::Match(score) = position.terms().stakes {
        lines.push(format!("  {} of {} points", score.points(side), score.length()));
    }
    lines
}

/// The side to move and what it has to do, and a line about the cube if there is one. After the end, the result and what it is
/// worth.
fn what_next(position: &Position, style: Style) -> [String; 2] {
    let mover = name(position.turn(), style);
    let cube = position.cube();
    if let Some((winner, win)) = position.won() {
        let points = position.points().unwrap_or_default();
        let plural = if points == 1 { "" } else { "s" };
        let so_far = match position.terms().stakes {
            Stakes::Money { .. } => String::new(),
            Stakes::Match(score) => match score.after(winner, points) {
                Some(next) => format!("; {} to {}", next.points(winner), next.points(winner.other())),
                None => ", and the match".to_owned(),
            },
        };
        let won = format!("{} has won: {}", name(winner, style), win.name());
        return [won, format!("  {points} point{plural}{so_far}")];
    }
    let told = match position.phase() {
        Phase::Play(roll) => format!("{mover} plays {}", style.paint(Colour::BOLD, &roll.to_string())),
        Phase::Opening | Phase::Roll => format!("{mover} rolls"),
        Phase::Double => format!("{mover} may double, or rolls"),
        Phase::Answer => format!("{mover} takes at {}, or drops", 2 * cube.value()),
        Phase::Dropped => format!("{mover} has dropped"),
    };
    let about_cube = match cube.owner() {
        _ if position.terms().stakes.score().is_some_and(|score| score.is_crawford()) => {
            "  Crawford game: no cube".to_owned()
        }
        None if position.terms().with_cube => "  the cube is in the middle".to_owned(),
        None => String::new(),
        Some(owner) => format!("  {} has the cube at {}", name(owner, style), cube.value()),
    };
    [told, about_cube]
}
