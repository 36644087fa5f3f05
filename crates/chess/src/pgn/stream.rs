//! Games out of a file that is too long for the memory: read by the game.

use super::reader::{games, starts_game};
use super::{Game, PgnError};
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Reads games as they come. Bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// use endspiel_chess::pgn;
///
/// let file = "1. e4 e5 *\n\n[Event \"second\"]\n\n1. d4 d5 *\n".as_bytes();
/// let games = pgn::read(file).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[1].tags.get("Event"), Some("second"));
/// # Ok::<(), pgn::ReadError>(())
/// ```
pub fn read<R: BufRead>(source: R) -> Reader<R> {
    Reader { source, ready: VecDeque::new(), carried: String::new(), game: 0, line: 1, is_at_end: false }
}

/// See [`read`].
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// Games that have been read and not yet been given away.
    ready: VecDeque<Result<Game, PgnError>>,
    /// The first line of the next piece.
    carried: String,
    game: usize,
    line: usize,
    is_at_end: bool,
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source gave no more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something is wrong with the game.
    #[error(transparent)]
    Pgn(#[from] PgnError),
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(game.map_err(ReadError::from));
            }
            if self.is_at_end {
                return None;
            }
            if let Err(error) = self.read_piece() {
                self.is_at_end = true;
                return Some(Err(error.into()));
            }
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads up to where a new game begins for sure, and the games in it.
    fn read_piece(&mut self) -> io::Result<()> {
        let mut piece = std::mem::take(&mut self.carried);
        let mut is_after_blank = false;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            self.is_at_end = self.source.read_until(b'\n', &mut bytes)? == 0;
            let line = String::from_utf8_lossy(&bytes);
            if self.is_at_end || is_after_blank && starts_game(&line) {
                self.carried = line.into_owned();
                break;
            }
            is_after_blank = line.trim().is_empty();
            piece.push_str(&line);
        }
        let mut games = games(&piece);
        (games.game, games.line) = (self.game, self.line);
        self.ready.extend(&mut games);
        // The last count is that of the question to which there was no answer.
        self.game = games.game - 1;
        self.line += piece.bytes().filter(|&byte| byte == b'\n').count();
        Ok(())
    }
}
