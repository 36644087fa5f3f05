//! Positions and turns as text.

use crate::draw;
use crate::fen::PositionError;
use crate::grid::Point;
use crate::moves::{Step, Turn};
use crate::position::Position;
use crate::rules::CoTuLenh;
use game::{Notation, Position as _, Side, Style};
use std::fmt::Write;

impl Notation for CoTuLenh {
    type PositionError = PositionError;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // writing to a String cannot fail
    }

    fn write_move(&self, position: &Position, turn: Turn, out: &mut String) {
        position.write_turn(turn, out);
    }

    /// The pieces and the sign of a turn of a whole stack may be left out: `c5c6`, `e2b2`, `Fe2b2`.
    fn may_mean(&self, text: &str, written: &str) -> bool {
        if written.eq_ignore_ascii_case(text) {
            return true;
        }
        // In a turn of a whole stack, the origin comes behind the pieces, and begins with the first small letter.
        let Some(origin) = written.find(|letter: char| letter.is_ascii_lowercase()) else { return false };
        let (pieces, points) = written.split_at(origin);
        if pieces.is_empty() {
            return false; // a deployment
        }
        let without_sign: String = points.chars().filter(char::is_ascii_alphanumeric).collect();
        [points, &without_sign, &format!("{pieces}{without_sign}")]
            .iter()
            .any(|short| short.eq_ignore_ascii_case(text))
    }

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        draw::draw(position, view, style)
    }
}

impl Position {
    /// The text of a turn, such as `(TI)e5xe7` or `Fd4@g4`, or `e5::T>xd5,I>xe4` for a deployment.
    pub fn turn_text(&self, turn: Turn) -> String {
        let mut text = String::new();
        self.write_turn(turn, &mut text);
        text
    }

    fn write_turn(&self, turn: Turn, out: &mut String) {
        let from = turn.from();
        let stack = self.board().stacks[from];
        if !turn.is_deployed() {
            for Step { sign, to, .. } in turn.steps() {
                stack.write(Side::First, out);
                push_point(from, out);
                out.push_str(sign.text());
                push_point(to, out);
            }
            return;
        }
        let acting = turn.steps().fold(0, |acting, step| acting | step.group);
        push_point(from, out);
        out.push(':');
        stack.without(stack.kinds().at(acting)).write(Side::First, out);
        let mut board = *self.board();
        for (n, Step { group, sign, to }) in turn.steps().enumerate() {
            let kinds = stack.kinds().at(group);
            out.push(if n == 0 { ':' } else { ',' });
            // A piece is written with the mark that it has just before it acts.
            board.stacks[from].only(kinds).write(Side::First, out);
            out.push('>');
            out.push_str(sign.text());
            push_point(to, out);
            board.act(self.turn(), from, kinds, sign, to);
        }
    }
}

/// Appends the name of a point. It does not use formatting, which is slower: lists have hundreds of points.
fn push_point(point: Point, out: &mut String) {
    out.push(char::from(b'a' + point.file()));
    let number = point.rank() + 1;
    out.extend((number >= 10).then_some('1'));
    out.push(char::from(b'0' + number % 10));
}
