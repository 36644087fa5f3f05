//! Draws the board with characters.

use crate::grid::{DEEP, FILES, MIXED, Point, RANKS};
use crate::position::Position;
use crate::rules::CoTuLenh;
use crate::stacks::Stack;
use game::{BySide, Colour, Game, Position as _, Side, Style};

const COLOURS: BySide<Colour> = BySide { first: Colour::RED, second: Colour::BLUE };

/// The colour of deep water. Colours of the ground are less bright than those of the pieces.
const WATER: Colour = Colour("34");
/// The colour of the shore, where water and land meet.
const SHORE: Colour = Colour("36");
/// The colour of land.
const LAND: Colour = Colour("32");

/// The least width of a file. A hero or a pair fits in, so that the width of the board seldom changes.
const NARROWEST: usize = 2;

/// Draws a position as a side sees it. A stack is drawn as its letters. Every file is as wide as the widest stack, so
/// that diagonals stay straight.
pub(crate) fn draw(position: &Position, view: Side, style: Style) -> String {
    let board = position.board();
    let widest =
        Point::all().filter_map(|point| board.at(point)).map(|(side, stack)| letters(side, stack).len());
    let width = widest.fold(NARROWEST, usize::max);
    let faint = |text: &str| style.paint(Colour::FAINT, text);
    let mut out = String::new();
    let file_of = |column: u8| if view == Side::First { column } else { FILES - 1 - column };
    for row in 0..RANKS {
        let rank = if view == Side::First { RANKS - 1 - row } else { row };
        out += &faint(&format!("{:>2}", rank + 1));
        out += " ";
        for column in 0..FILES {
            let point = Point::at(file_of(column), rank);
            let (colour, text) = match board.at(point) {
                Some((side, stack)) => (COLOURS[side], letters(side, stack)),
                None => ground(point),
            };
            out += " ";
            out += &style.paint(colour, &text);
            out += &" ".repeat(width - text.chars().count());
        }
        // The state of a side is written beside its home rank.
        match rank {
            0 => out += &beside(position, Side::First, style),
            11 => out += &beside(position, Side::Second, style),
            _ => {}
        }
        out.truncate(out.trim_end().len());
        out += "\n";
        if row == 5 {
            out += &river(width, view, style);
        }
    }
    let files: String =
        (0..FILES).map(|column| format!(" {:<width$}", char::from(b'a' + file_of(column)))).collect();
    out + "   " + &faint(files.trim_end()) + "\n"
}

/// The letters of a stack, without the parentheses, which a drawn board does not need.
fn letters(side: Side, stack: Stack) -> String {
    stack.text(side).replace(['(', ')'], "")
}

/// The sign of an empty point. Deep water is for ships, land for all other pieces, and the shore for both.
fn ground(point: Point) -> (Colour, String) {
    let (colour, text) = match point {
        _ if DEEP.contains(point) => (WATER, "~"),
        _ if MIXED.contains(point) => (SHORE, ":"),
        _ => (LAND, "·"),
    };
    (colour, text.to_owned())
}

/// The river, and the bridges over it on the files f and h.
fn river(width: usize, view: Side, style: Style) -> String {
    let water = |length: usize| style.paint(WATER, &"-".repeat(length));
    let bridge = style.paint(LAND, "=");
    let file = 1 + width;
    // The columns before the left bridge, and from the right one on.
    let (left, right) = if view == Side::First { (5, 4) } else { (3, 6) };
    let (left, right) = (water(left * file + 1), water(right * file - 2));
    format!("   {left}{bridge}{}{bridge}{right}\n", water(2 * file - 1))
}

fn beside(position: &Position, side: Side, style: Style) -> String {
    let mut name = style.paint(COLOURS[side], CoTuLenh::INFO.sides[side]);
    if position.turn() == side {
        if position.outcome().is_none() {
            name += &style.paint(Colour::BOLD, " to move");
        }
        if position.is_check() {
            name += &style.paint(Colour::BOLD, ", in check");
        }
    }
    format!("   {name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notation;

    fn drawn(fen: &str, style: Style) -> String {
        CoTuLenh::default().draw(&fen.parse().expect(fen), style)
    }

    /// A ship with a plane and a tank, all heroes, is the widest stack.
    const HEROES: &str = "6c4/11/11/11/11/11/2(+N+F+T)8/1(nf)9/11/11/11/5(HC)5 b - - 0 1";

    #[test]
    fn stacks_keep_the_files_straight() {
        let drawn = drawn(HEROES, Style::Plain);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(
            lines[0],
            "12  ~      ~      :      ·      ·      ·      c      ·      ·      ·      ·        blue to move"
        );
        assert_eq!(
            lines[6],
            "   ------------------------------------=-------------=--------------------------"
        );
        assert_eq!(
            lines[7..9],
            [
                " 6  ~      ~      +N+F+T :      :      ·      ·      ·      ·      ·      ·",
                " 5  ~      nf     :      ·      ·      ·      ·      ·      ·      ·      ·"
            ]
        );
        assert_eq!(
            lines[12..],
            [
                " 1  ~      ~      :      ·      ·      HC     ·      ·      ·      ·      ·        red",
                "    a      b      c      d      e      f      g      h      i      j      k"
            ]
        );
    }

    #[test]
    fn colours_tell_sides_and_ground_apart() {
        let coloured = drawn(HEROES, Style::Coloured);
        let lines: Vec<&str> = coloured.lines().collect();
        for (line, colour, text) in [
            (0, Colour::BLUE, "c"),
            (0, Colour::BLUE, "blue"),
            (0, WATER, "~"),
            (0, SHORE, ":"),
            (0, LAND, "·"),
            (6, LAND, "="),
            (7, Colour::RED, "+N+F+T"),
            (12, Colour::RED, "HC"),
        ] {
            assert!(
                lines[line].contains(&Style::Coloured.paint(colour, text)),
                "{text} in {:?}",
                lines[line]
            );
        }
        // Colours change nothing else.
        let mut is_code = false;
        let bare = coloured.chars().filter(|&c| {
            let was_code = is_code;
            is_code = c == '\x1b' || is_code && c != 'm';
            !is_code && !was_code
        });
        assert_eq!(bare.collect::<String>(), drawn(HEROES, Style::Plain));
    }
}
