//! Reads games line by line and one at a time, so that a file may be larger than the memory. If a game cannot be read, the
//! games after it are still read.

use super::draft::{Draft, MARK};
use super::error::{PgnError, PgnErrorKind};
use super::{Game, LONGEST};
use game::TextLines;
use std::borrow::Cow;
use std::io::BufRead;

/// Reads games one after another.
///
/// Reading is lenient: tags, move numbers and results may be missing, comments and `%` lines may be anywhere, lines may end
/// as on any system, and bytes that are not UTF-8 are read as Latin-1. Only the moves must be right.
///
/// ```
/// use endspiel_chess::pgn;
///
/// let file = "1. e4 e5 *\n\n[Event \"second\"]\n\n1. d4 d5 *\n".as_bytes();
/// let games = pgn::read(file).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[1].tags.get("Event"), Some("second"));
/// # Ok::<(), pgn::PgnError>(())
/// ```
pub fn read<R: BufRead>(source: R) -> Reader<R> {
    // A line is cut after `LONGEST` bytes: this length is enough for the game to be refused.
    let lines = TextLines::new(source, LONGEST);
    Reader { lines, draft: Draft::default(), game: 1, line: 0, is_at_end: false }
}

/// The games of a text, as [`read`] reads them.
pub fn games(text: &str) -> Reader<&[u8]> {
    read(text.as_bytes())
}

/// An iterator over games, created by [`read`].
#[derive(Debug)]
pub struct Reader<R> {
    lines: TextLines<R>,
    /// The game that is being read.
    draft: Draft,
    /// The number of that game.
    game: usize,
    /// The number of the last line.
    line: usize,
    is_at_end: bool,
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end {
            self.line += 1;
            let mut finished = None;
            match self.lines.read() {
                Ok(Some(line)) => {
                    let line = decode(line);
                    if self.draft.ends_before(&line) {
                        finished = std::mem::take(&mut self.draft).finish(self.game);
                    }
                    self.draft.read_line(&line, self.line);
                }
                Err(error) => {
                    if self.draft.ends_before("") {
                        finished = std::mem::take(&mut self.draft).finish(self.game);
                    }
                    // The error is reported even if nothing of its game was read.
                    self.draft.fail(self.line, PgnErrorKind::Source(error.kind()));
                }
                Ok(None) => {
                    self.is_at_end = true;
                    finished = std::mem::take(&mut self.draft).finish(self.game);
                }
            }
            if finished.is_some() {
                self.game += 1;
                return finished;
            }
        }
        None
    }
}

/// Decodes UTF-8, or Latin-1 if the bytes are not UTF-8. Old files are in Latin-1, in which every byte is a character. A byte
/// order mark in front of Latin-1 is still a mark.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let (mark, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(bytes) => (Some(MARK), bytes),
        None => (None, bytes),
    };
    Cow::Owned(mark.into_iter().chain(bytes.iter().map(|&byte| char::from(byte))).collect())
}
