//! Positions and turns as text.

use crate::draw;
use crate::fen::FenError;
use crate::game::CoTuLenh;
use crate::position::Position;
use crate::turns::{Step, Turn};
use game::{Notation, Position as _, Side, Style};
use std::fmt::Write;

impl Notation for CoTuLenh {
    type PositionError = FenError;

    fn parse_position(&self, text: &str) -> Result<Position, FenError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // a String takes everything
    }

    fn write_move(&self, position: &Position, turn: Turn, out: &mut String) {
        out.push_str(&position.turn_text(turn));
    }

    fn draw(&self, position: &Position, style: Style) -> String {
        draw::draw(position, style)
    }
}

impl Position {
    /// A turn as text: `(TI)e5xe7`, `Fd4@g4`; deployed `e5::T>xd5,I>xe4`.
    pub fn turn_text(&self, turn: Turn) -> String {
        let (mut board, side, from) = (*self.board(), self.turn(), turn.from());
        let stack = board.stacks[from];
        let mut stays = stack;
        let mut steps = Vec::new();
        for Step { group, sign, to } in turn.steps() {
            let kinds = stack.kinds().at(group);
            // Heroes have their marks as they are just before they act.
            steps.push((board.stacks[from].only(kinds).text(Side::First), sign.text(), to));
            stays = stays.without(kinds);
            board.act(side, from, kinds, sign, to);
        }
        if !turn.is_deployed() {
            return steps.iter().map(|(group, sign, to)| format!("{group}{from}{sign}{to}")).collect();
        }
        let steps: Vec<_> = steps.iter().map(|(group, sign, to)| format!("{group}>{sign}{to}")).collect();
        format!("{from}:{}:{}", stays.text(Side::First), steps.join(","))
    }
}
