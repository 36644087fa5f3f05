//! Writes games in the export format of PGN.

use super::line::{Comment, Line};
use super::{Game, tags};
use crate::position::{Clock, Position};
use crate::quotes;
use crate::start::Start;
use game::{Position as _, Side};
use std::fmt::{self, Write};

/// Lines are shorter than this.
const COLUMNS: usize = 80;

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            write!(f, "[{name} ")?;
            quotes::write(f, value)?;
            f.write_str("]\n")
        };
        for (name, value) in self.tags.with_verdict(self.verdict) {
            tag(name, value)?;
        }
        let start = self.line.start();
        if *start != Start::STANDARD.position() || start.clock() != Clock::default() {
            tag(tags::SETUP, "1")?;
            tag(tags::FEN, &start.to_string())?;
        }
        f.write_char('\n')?;
        let mut words = Words { f, held: String::new(), is_open: false, column: 0 };
        words.line(&self.line)?;
        words.word(self.verdict.text())?;
        words.flush()?;
        words.f.write_char('\n')
    }
}

/// Writes words in lines of limited length.
struct Words<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    /// The last word. It is kept back because a closing parenthesis may follow it without a space.
    held: String,
    /// True if the last word is an opening parenthesis. The first word of its variation follows without a space.
    is_open: bool,
    column: usize,
}

impl Words<'_, '_> {
    fn line(&mut self, line: &Line) -> fmt::Result {
        self.comments(&line.comments)?;
        let mut needs_number = true;
        for turn in line.turns() {
            self.number(turn.before(), needs_number)?;
            match turn.played() {
                Some(m) => self.word(&turn.before().san(m).to_string())?,
                None => self.word("--")?,
            }
            for nag in &turn.nags {
                self.word(&format!("${}", nag.0))?;
            }
            self.comments(&turn.comments)?;
            for variation in turn.variations() {
                self.word("(")?;
                self.is_open = true;
                self.line(variation)?;
                self.held.push(')');
                self.is_open = false;
            }
            needs_number = !turn.comments.is_empty() || !turn.variations().is_empty();
        }
        Ok(())
    }

    /// Writes the move number before each move of White. Before a move of Black it is written only if `is_needed`: at the
    /// start of a line, and after comments and variations.
    fn number(&mut self, before: &Position, is_needed: bool) -> fmt::Result {
        let number = before.clock().move_number;
        match before.turn() {
            Side::First => self.word(&format!("{number}.")),
            Side::Second if is_needed => self.word(&format!("{number}...")),
            Side::Second => Ok(()),
        }
    }

    fn comments(&mut self, comments: &[Comment]) -> fmt::Result {
        comments.iter().try_for_each(|comment| {
            let text = comment.text();
            if text.contains('}') {
                // In braces the comment would end at `}`, so it is written in the form that ends with its line.
                self.flush()?;
                self.is_open = false;
                let gap = if self.column > 0 { " " } else { "" };
                self.column = 0;
                return writeln!(self.f, "{gap};{text}");
            }
            format!("{{{text}}}").split(' ').try_for_each(|word| match word.starts_with('%') {
                // At the beginning of a line, `%` makes readers skip the line. So the word stays with the word before it.
                true => write!(self.held, " {word}"),
                false => self.word(word),
            })
        })
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        if !std::mem::take(&mut self.is_open) {
            self.flush()?;
        }
        self.held.push_str(word);
        Ok(())
    }

    fn flush(&mut self) -> fmt::Result {
        let length = self.held.chars().count();
        if length == 0 {
            return Ok(());
        }
        let fits = self.column + 1 + length < COLUMNS;
        match (self.column, fits) {
            (0, _) => {}
            (_, true) => {
                self.f.write_char(' ')?;
                self.column += 1;
            }
            (_, false) => {
                self.f.write_char('\n')?;
                self.column = 0;
            }
        }
        self.f.write_str(&self.held)?;
        self.column += length;
        self.held.clear();
        Ok(())
    }
}
