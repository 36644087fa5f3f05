//! A game that is being read.

use super::error::{PgnError, PgnErrorKind};
use super::line::{Comment, Line, Nag};
use super::tags::{self, Tags};
use super::{DEEPEST, Game, LONGEST, Verdict};
use crate::position::Position;
use crate::quotes;
use crate::start::Start;
use game::{Position as _, Side};
use std::collections::HashSet;

/// The byte order mark with which some editors begin a file. It may also stand between games, where files were joined. In a
/// comment it is a character like any other.
pub(super) const MARK: char = '\u{feff}';

/// The part of a game that has been read so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    stage: Stage,
    tags: Tags,
    /// The names of all tags that were read.
    names: HashSet<String>,
    /// The start position from the tag `FEN`.
    start: Option<Position>,
    /// The result from the tag `Result`.
    announced: Option<Verdict>,
    /// The result after the moves.
    verdict: Option<Verdict>,
    /// Comments before the first move.
    preface: Vec<Comment>,
    /// The main line and the open variations, each inside the one before it. Empty before the first word.
    lines: Vec<Open>,
    /// The number of open variations. It is counted even after an error, because the game must end at its own result.
    depth: usize,
    /// An open comment in braces: the number of the line in which it began, and its text.
    comment: Option<(usize, String)>,
    /// The first error and its place. No move is played after an error.
    error: Option<Fault>,
    /// The length of the game's text in bytes.
    length: usize,
    /// The number of the last line, and below it the content of that line.
    line: usize,
    last_line: LastTextLine,
}

/// An error with the number of its text line, and of the ply that comes next there.
#[derive(Debug)]
struct Fault {
    line: usize,
    ply: Option<usize>,
    kind: PgnErrorKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Stage {
    #[default]
    Nothing,
    Tags,
    Moves,
    Over,
}

/// The content of a line, as far as it may show the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum LastTextLine {
    Blank,
    EndsWithResult,
    #[default]
    Else,
}

/// A line of moves that is being read. `nags` are the marks before its first move: some programs write such marks.
#[derive(Debug)]
struct Open {
    line: Line,
    nags: Vec<Nag>,
    /// The number of the text line in which it begins.
    at: usize,
}

impl Draft {
    /// Returns whether the game ends before this line. A correct game ends with its result or before the tags of the next
    /// game. If something was left open, a result before an empty line ends the game, and so does an empty line before the
    /// first tag of the next game.
    pub(super) fn ends_before(&self, line: &str) -> bool {
        let line = without_mark(line).trim_start();
        let is_after_blank = self.last_line == LastTextLine::Blank;
        if self.comment.is_some() {
            return is_after_blank && line.starts_with("[Event \"");
        }
        match self.stage {
            Stage::Nothing => false,
            Stage::Tags => {
                let name = split_tag(line).map(|(name, ..)| name);
                is_after_blank && name.is_some_and(|name| self.names.contains(name))
            }
            Stage::Moves => {
                line.starts_with('[') || line.is_empty() && self.last_line == LastTextLine::EndsWithResult
            }
            Stage::Over => true,
        }
    }

    /// Reads the next line.
    pub(super) fn read_line(&mut self, text: &str, number: usize) {
        self.line = number;
        self.last_line = if text.trim().is_empty() { LastTextLine::Blank } else { LastTextLine::Else };
        self.length += text.len();
        if self.length >= LONGEST {
            self.wrong(|| PgnErrorKind::TooLong);
        }
        let text = if self.comment.is_none() { without_mark(text) } else { text };
        if self.comment.is_none() && text.starts_with('%') {
            return;
        }
        let mut rest = text;
        // Found once for all `<` of the line: a search at each of them would make the time grow with the square of the length.
        let last_bracket = text.rfind('>').map(|at| text.len() - at);
        loop {
            if let Some((_, comment)) = &mut self.comment {
                let end = rest.find('}');
                if self.error.is_none() {
                    comment.push_str(&rest[..end.unwrap_or(rest.len())]);
                    comment.push('\n');
                }
                let Some(end) = end else { return };
                rest = &rest[end + 1..];
                self.end_comment();
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return };
            match first {
                '{' => {
                    self.comment = Some((number, String::new()));
                    rest = &rest[1..];
                }
                ';' => return self.say(Comment::new(&rest[1..])),
                '[' if self.stage <= Stage::Tags => match split_tag(rest) {
                    Some((name, value, behind)) => {
                        self.read_tag(name, value);
                        rest = behind;
                    }
                    None => return self.wrong(|| PgnErrorKind::Tag { found: rest.to_owned() }),
                },
                '(' | ')' => {
                    self.begin_moves();
                    if first == '(' {
                        self.open_variation()
                    } else {
                        self.close_variation()
                    }
                    rest = &rest[1..];
                }
                // The standard reserves `<…>` for future extensions.
                '<' if last_bracket.is_some_and(|from_end| from_end <= rest.len()) => {
                    rest = rest.split_once('>').map_or("", |(_, behind)| behind);
                }
                _ => {
                    let word = first_word(rest);
                    rest = &rest[word.len()..];
                    self.begin_moves();
                    self.read_word(word);
                }
            }
            self.last_line = match self.last_line {
                LastTextLine::EndsWithResult if rest.trim_start().is_empty() => LastTextLine::EndsWithResult,
                _ => LastTextLine::Else,
            };
        }
    }

    /// Ends the game. Returns `None` if no part of a game was read.
    pub(super) fn finish(mut self, game: usize) -> Option<Result<Game, PgnError>> {
        if self.stage == Stage::Nothing && self.error.is_none() && self.comment.is_none() {
            return None;
        }
        if let Some((at, text)) = self.comment.take() {
            let found = format!("{{{}", text.lines().next().unwrap_or_default());
            self.fail(at, PgnErrorKind::UnclosedComment { found });
        }
        self.begin_moves();
        if let [_, .., inner] = self.lines.as_slice() {
            self.fail(inner.at, PgnErrorKind::UnclosedVariation);
            while self.lines.len() > 1 {
                self.close_innermost();
            }
        }
        let main = self.lines.pop()?;
        if !main.nags.is_empty() {
            self.fail(main.at, PgnErrorKind::NagWithoutMove);
        }
        let verdict = self.verdict.or(self.announced).unwrap_or(Verdict::Open);
        let read = Game { tags: self.tags, line: main.line, verdict };
        Some(match self.error {
            None => Ok(read),
            Some(Fault { line, ply, kind }) => Err(PgnError { game, line, ply, kind, read: Box::new(read) }),
        })
    }

    /// Records an error in the given line, unless an error was recorded before.
    pub(super) fn fail(&mut self, line: usize, kind: PgnErrorKind) {
        let ply = self.next_ply();
        self.error.get_or_insert(Fault { line, ply, kind });
    }

    /// The number of the ply that comes next, from 1. `None` before the moves. A variation replaces the last ply of the line around it.
    fn next_ply(&self) -> Option<usize> {
        let variations = self.lines.len().checked_sub(1)?;
        Some(self.lines.iter().map(|open| open.line.turns.len()).sum::<usize>() - variations + 1)
    }

    /// Records an error in the current line, unless an error was recorded before.
    fn wrong(&mut self, kind: impl FnOnce() -> PgnErrorKind) {
        if self.error.is_none() {
            self.fail(self.line, kind());
        }
    }

    fn read_tag(&mut self, name: &str, value: String) {
        self.stage = Stage::Tags;
        self.names.insert(name.to_owned());
        match name {
            tags::FEN => match value.parse() {
                Ok(start) => self.start = Some(start),
                Err(error) => self.wrong(|| PgnErrorKind::Fen(error)),
            },
            tags::RESULT => self.announced = Verdict::from_text(&value),
            tags::SETUP => {}
            tags::VARIANT if !tags::is_variant(&value) => {
                self.wrong(|| PgnErrorKind::Variant { found: value });
            }
            _ if self.tags.has_room_for(name) => self.tags.put(name, &value),
            _ => self.wrong(|| PgnErrorKind::TooManyTags),
        }
    }

    /// Starts the part of the text that contains the moves.
    fn begin_moves(&mut self) {
        self.stage = self.stage.max(Stage::Moves);
        if self.lines.is_empty() {
            let mut line = Line::new(self.start.unwrap_or_else(|| Start::STANDARD.position()));
            line.comments = std::mem::take(&mut self.preface);
            self.lines.push(Open { line, nags: Vec::new(), at: self.line });
        }
    }

    fn end_comment(&mut self) {
        if let Some((_, text)) = self.comment.take() {
            self.say(Comment::new(&text));
        }
    }

    fn say(&mut self, comment: Comment) {
        if self.error.is_some() {
            return;
        }
        match self.lines.last_mut() {
            Some(open) => open.line.comment(comment),
            None => self.preface.push(comment),
        }
    }

    fn open_variation(&mut self) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.wrong(|| PgnErrorKind::TooDeep);
        }
        if self.error.is_some() {
            return;
        }
        match self.lines.last().and_then(|open| open.line.turns.last()) {
            Some(turn) => {
                let line = Line::new(*turn.before());
                self.lines.push(Open { line, nags: Vec::new(), at: self.line });
            }
            None => self.wrong(|| PgnErrorKind::VariationWithoutMove),
        }
    }

    fn close_variation(&mut self) {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => self.wrong(|| PgnErrorKind::NoVariation),
        }
        if self.error.is_none() {
            self.close_innermost();
        }
    }

    /// Closes the innermost line: it becomes a variation of the line around it.
    fn close_innermost(&mut self) {
        let Some(inner) = self.lines.pop() else { return };
        if !inner.nags.is_empty() {
            self.fail(inner.at, PgnErrorKind::NagWithoutMove);
        }
        if let Some(turn) = self.lines.last_mut().and_then(|around| around.line.turns.last_mut()) {
            turn.variations.push(inner.line);
        }
    }

    /// Reads a word: a result, a move number, a move, a mark, or several of these without a space between them.
    fn read_word(&mut self, word: &str) {
        if let Some(verdict) = Verdict::from_text(word) {
            self.last_line = LastTextLine::EndsWithResult;
            // Some programs also write a result at the end of a variation, and some write it twice.
            if self.depth == 0 && self.stage != Stage::Over {
                self.stage = Stage::Over;
                self.verdict = Some(verdict);
            }
            return;
        }
        if self.error.is_some() {
            return;
        }
        if self.stage == Stage::Over {
            return self.wrong(|| PgnErrorKind::AfterResult { found: word.to_owned() });
        }
        let text = without_number(word);
        if text.is_empty() || text == "e.p." || text == "ep" {
            return;
        }
        if let Some(nag) = Nag::from_text(text) {
            return self.mark(nag);
        }
        if text.starts_with('$') {
            return self.wrong(|| PgnErrorKind::Nag { found: word.to_owned() });
        }
        let san = text.trim_end_matches(['!', '?']);
        self.play(san);
        if let Some(nag) = Nag::from_text(&text[san.len()..]) {
            self.mark(nag);
        }
    }

    /// Adds a mark to the last move, or to the first move if there is none yet.
    fn mark(&mut self, nag: Nag) {
        if self.error.is_some() {
            return;
        }
        let Some(open) = self.lines.last_mut() else { return };
        match open.line.turns.last_mut() {
            Some(turn) => turn.nags.push(nag),
            None => open.nags.push(nag),
        }
    }

    fn play(&mut self, san: &str) {
        let is_variation = self.lines.len() > 1;
        let Some(open) = self.lines.last_mut() else { return };
        let end = open.line.end();
        let found = match san {
            "--" | "Z0" => end.pass().map(|_| None).ok_or(PgnErrorKind::PassInCheck),
            _ => end.parse_san(san).map(Some).map_err(|error| {
                let side = if end.turn() == Side::First { "White" } else { "Black" };
                let variation = if is_variation { " in a variation" } else { "" };
                let place = format!("{side}'s move {}{variation}", end.clock().move_number);
                PgnErrorKind::Move { place, source: error }
            }),
        };
        match found {
            Ok(played) => {
                let nags = std::mem::take(&mut open.nags);
                open.line.push_legal(end, played).nags = nags;
            }
            Err(kind) => self.wrong(|| kind),
        }
    }
}

fn without_mark(line: &str) -> &str {
    line.strip_prefix(MARK).unwrap_or(line)
}

/// Splits off a tag, `[Name "value"]`. Returns its name, its value and the rest.
fn split_tag(text: &str) -> Option<(&str, String, &str)> {
    let inside = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inside.split_at(inside.find(|c: char| !tags::is_in_name(c))?);
    if !tags::is_name(name) {
        return None;
    }
    let rest = rest.trim_start();
    let quoted =
        quotes::split(rest).and_then(|(value, rest)| Some((value, rest.trim_start().strip_prefix(']')?)));
    let (value, rest) = quoted.or_else(|| {
        // Some programs write quotation marks in a value as they are. Then the tag goes up to the end of its line.
        let value = rest.strip_prefix('"')?.trim_end().strip_suffix(']')?.trim_end().strip_suffix('"')?;
        Some((value.to_owned(), ""))
    })?;
    Some((name, value, rest))
}

/// The first word: all characters up to a space or a character with a meaning of its own, but at least one.
fn first_word(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || "{}();$[]<".contains(c);
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(ends).map_or(text.len(), |end| first + end);
    &text[..end]
}

/// Removes a move number, `12.` or `12...`, from the beginning of a word. `0-0` is not a number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.starts_with(['-', '/']) { word } else { rest };
    rest.trim_start_matches(['.', '…'])
}
