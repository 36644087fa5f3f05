//! Reading games. A game that cannot be read does not keep those after it from being read.

use super::error::{PgnError, PgnErrorKind};
use super::line::{Comment, Line, Nag};
use super::tags::{self, Tags};
use super::{DEEPEST, Game, Verdict};
use crate::position::Position;
use crate::quotes;
use crate::start::Start;

/// The games of a text, one after the other.
///
/// Read with patience: tags, move numbers and results may be missing, comments and `%` lines may be anywhere. What must be right
/// are the moves.
pub fn games(text: &str) -> Games<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text); // some editors begin their files so
    Games { text, at: 0, game: 0, line: 1, counted: 0 }
}

/// See [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    at: usize,
    /// The number of the last game.
    pub(super) game: usize,
    /// The number of the line at `counted`.
    pub(super) line: usize,
    counted: usize,
}

/// What is wrong, where, and from where on the next game may be looked for.
struct Wrong {
    kind: PgnErrorKind,
    at: usize,
    resume_at: usize,
}

/// A line that is being read, and the marks before its first move, which some programs write.
struct Open {
    line: Line,
    nags: Vec<Nag>,
    /// Where it begins.
    at: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank();
        self.count_lines_to(self.at);
        self.game += 1;
        match self.read_game() {
            Ok(game) => game.map(Ok),
            Err(Wrong { kind, at, resume_at }) => {
                self.at = self.next_game_from(resume_at);
                let line = self.line + newlines(&self.text[self.counted..at.max(self.counted)]);
                Some(Err(PgnError { game: self.game, line, kind }))
            }
        }
    }
}

impl<'a> Games<'a> {
    /// The next game; none at the end of the text.
    fn read_game(&mut self) -> Result<Option<Game>, Wrong> {
        let mut tags = Tags::default();
        let (mut comments, mut fen, mut verdict, mut has_tags, mut has_event) =
            (vec![], None, None, false, false);
        loop {
            self.skip_blank();
            match self.peek() {
                Some('{' | ';') => comments.push(self.read_comment()?),
                Some('[') => {
                    let at = self.at;
                    let (name, value) = self.read_tag()?;
                    // A game without moves: here begins the next.
                    if name == "Event" && std::mem::replace(&mut has_event, true) {
                        self.at = at;
                        break;
                    }
                    match name {
                        tags::FEN => {
                            let start = value.parse::<Position>();
                            fen = Some(start.map_err(|error| self.wrong_at(at, error.into()))?);
                        }
                        tags::RESULT => verdict = Verdict::from_text(&value),
                        tags::SETUP => {}
                        tags::VARIANT if !tags::is_variant(&value) => {
                            return Err(self.wrong_at(at, PgnErrorKind::Variant { found: value }));
                        }
                        _ => tags.put(name, &value),
                    }
                    has_tags = true;
                }
                None if !has_tags => return Ok(None),
                _ => break,
            }
        }
        let mut line = Line::new(fen.unwrap_or_else(|| Start::STANDARD.position()));
        line.comments = comments;
        let (line, said) = self.read_moves(line)?;
        Ok(Some(Game { tags, line, verdict: said.or(verdict).unwrap_or(Verdict::Open) }))
    }

    /// `[Name "value"]`.
    fn read_tag(&mut self) -> Result<(&'a str, String), Wrong> {
        let text = &self.text[self.at..];
        let wrong = || self.wrong(PgnErrorKind::Tag { found: first_line(text).to_owned() });
        let inside = text[1..].trim_start();
        let name_end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len());
        let (name, rest) = inside.split_at(name_end);
        let (value, rest) = quotes::split(rest.trim_start()).ok_or_else(wrong)?;
        let rest = rest.trim_start().strip_prefix(']').filter(|_| tags::is_name(name)).ok_or_else(wrong)?;
        self.at = self.text.len() - rest.len();
        Ok((name, value))
    }

    /// The moves with all that is between them, up to the result, the next game or the end.
    fn read_moves(&mut self, line: Line) -> Result<(Line, Option<Verdict>), Wrong> {
        let mut outer: Vec<Open> = Vec::new();
        let mut open = Open { line, nags: Vec::new(), at: self.at };
        loop {
            self.skip_blank();
            match self.peek() {
                None => break,
                Some('[') if self.is_at_line_start() => break,
                Some('{' | ';') => {
                    let comment = self.read_comment()?;
                    open.line.comment(comment);
                }
                Some('(') => {
                    let before = open.line.turns.last().map(|turn| *turn.before());
                    let before = before.ok_or_else(|| self.wrong(PgnErrorKind::VariationWithoutMove))?;
                    if outer.len() == DEEPEST {
                        return Err(self.wrong(PgnErrorKind::TooDeep));
                    }
                    let inner = Open { line: Line::new(before), nags: Vec::new(), at: self.at };
                    outer.push(std::mem::replace(&mut open, inner));
                    self.at += 1;
                }
                Some(')') => {
                    let around = outer.pop().ok_or_else(|| self.wrong(PgnErrorKind::NoVariation))?;
                    let inner = std::mem::replace(&mut open, around);
                    self.check_nags(&inner)?;
                    if let Some(turn) = open.line.turns.last_mut() {
                        turn.variations.push(inner.line);
                    }
                    self.at += 1;
                }
                Some(_) => {
                    let word = self.word();
                    if let Some(verdict) = Verdict::from_text(word) {
                        self.at += word.len();
                        // Some programs end their variations so, too.
                        if outer.is_empty() {
                            self.check_nags(&open)?;
                            self.read_last_words(&mut open.line)?;
                            return Ok((open.line, Some(verdict)));
                        }
                    } else {
                        self.read_word(word, &mut open)?;
                        self.at += word.len();
                    }
                }
            }
        }
        self.check_nags(&open)?;
        match outer.is_empty() {
            true => Ok((open.line, None)),
            false => Err(Wrong { kind: PgnErrorKind::UnclosedVariation, at: open.at, resume_at: self.at }),
        }
    }

    /// Comments behind the result, on the same line, are about the end of the game.
    fn read_last_words(&mut self, line: &mut Line) -> Result<(), Wrong> {
        loop {
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            match self.peek() {
                Some('{' | ';') => line.comment(self.read_comment()?),
                _ => return Ok(()),
            }
        }
    }

    /// A move number, a move, a mark, or several of them in one.
    fn read_word(&self, word: &str, open: &mut Open) -> Result<(), Wrong> {
        let text = without_number(word);
        if text.is_empty() || text == "e.p." {
            return Ok(());
        }
        let wrong_nag = || self.wrong(PgnErrorKind::Nag { found: word.to_owned() });
        if let Some(number) = text.strip_prefix('$') {
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
            let nag = Nag(number.parse().ok().filter(|_| is_plain).ok_or_else(wrong_nag)?);
            open.mark(nag);
            return Ok(());
        }
        let san = text.trim_end_matches(['!', '?']);
        if !san.is_empty() {
            let end = open.line.end();
            let m = end.parse_san(san).map_err(|error| self.wrong(error.into()))?;
            let nags = std::mem::take(&mut open.nags);
            open.line.push_legal(end, m).nags = nags;
        }
        let suffix = &text[san.len()..];
        if !suffix.is_empty() {
            open.mark(Nag::from_suffix(suffix).ok_or_else(wrong_nag)?);
        }
        Ok(())
    }

    /// Marks wait for a move; there must have been one.
    fn check_nags(&self, open: &Open) -> Result<(), Wrong> {
        match open.nags.is_empty() {
            true => Ok(()),
            false => Err(Wrong { kind: PgnErrorKind::NagWithoutMove, at: open.at, resume_at: self.at }),
        }
    }

    /// `{…}`, or `;` and the rest of the line.
    fn read_comment(&mut self) -> Result<Comment, Wrong> {
        let text = self.rest();
        if let Some(inside) = text.strip_prefix(';') {
            let inside = first_line(inside);
            self.at += 1 + inside.len();
            return Ok(Comment::new(inside));
        }
        let mut length = 0;
        let mut is_after_blank = false;
        for line in text.split_inclusive('\n') {
            // A comment that goes on into the next game was never ended. Nobody looks further: it may be a long file.
            if is_after_blank && starts_game(line) {
                break;
            }
            if let Some(end) = line.find('}') {
                self.at += length + end + 1;
                return Ok(Comment::new(&text[1..length + end]));
            }
            length += line.len();
            is_after_blank = line.trim().is_empty();
        }
        Err(self.wrong(PgnErrorKind::UnclosedComment { found: first_line(text).to_owned() }))
    }

    /// Something is wrong where we are.
    fn wrong(&self, kind: PgnErrorKind) -> Wrong {
        self.wrong_at(self.at, kind)
    }

    /// Something is wrong there; the next game begins on a later line.
    fn wrong_at(&self, at: usize, kind: PgnErrorKind) -> Wrong {
        let line = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1);
        Wrong { kind, at, resume_at: line }
    }

    /// Where the next game begins, seen from the middle of a broken one: with a tag after an empty line, or with its
    /// first tag.
    fn next_game_from(&self, from: usize) -> usize {
        let mut at = from;
        let mut is_after_blank = self.text[..from].ends_with("\n\n") || self.text[..from].ends_with("\n\r\n");
        for line in self.text[from..].split_inclusive('\n') {
            if starts_game(line) || is_after_blank && line.starts_with('[') {
                return at;
            }
            at += line.len();
            is_after_blank = line.trim().is_empty();
        }
        at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }

    /// Skips white space, and lines that begin with `%`.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !(self.rest().starts_with('%') && self.is_at_line_start()) {
                return;
            }
            self.at += first_line(self.rest()).len();
        }
    }

    /// All letters up to a space or something with a meaning of its own; at least one.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "{}();$[]".contains(c);
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        &rest[..end]
    }

    fn count_lines_to(&mut self, at: usize) {
        self.line += newlines(&self.text[self.counted..at]);
        self.counted = at;
    }
}

impl Open {
    /// A mark on the last move, or on the first if there is none yet.
    fn mark(&mut self, nag: Nag) {
        match self.line.turns.last_mut() {
            Some(turn) => turn.nags.push(nag),
            None => self.nags.push(nag),
        }
    }
}

/// Does a game begin with this line, wherever it stands?
pub(super) fn starts_game(line: &str) -> bool {
    line.starts_with("[Event ")
}

/// Without `12.` or `12...` at its beginning. `0-0` is no number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.starts_with(['-', '/']) { word } else { rest };
    rest.trim_start_matches(['.', '…'])
}

fn first_line(text: &str) -> &str {
    &text[..text.find('\n').unwrap_or(text.len())]
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}
