//! The line for other programs: a socket on which GNU Backgammon answers each line with a line.
//!
//! Its commands in Python calculate in a second thread and look only every 10 ms whether it is done, so that each of them takes
//! 10 ms. On this line gnubg calculates at once. It answers one line at a time, and throws away what else it has read with a
//! line. So the next line must not be sent before the answer.

use super::GnubgError;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// The longest line that gnubg can read. It does not check this.
const LONGEST: usize = 250;

/// The time between two attempts to reach gnubg, which opens the socket a moment after it was told.
pub(super) const BETWEEN_ATTEMPTS: Duration = Duration::from_micros(200);

/// A place for the socket: a folder that nobody else can read.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> io::Result<Self> {
        TempDir::new().map(Self)
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.0.path().join("line")
    }

    /// Connects with gnubg. Returns `None` if gnubg has not opened the socket yet.
    ///
    /// After a connection gnubg waits for another one, for ever. The place is removed here, so that it cannot do that: when this
    /// connection ends, gnubg goes back to its script, and ends when that has nothing more to read.
    pub(super) fn connect(&self, patience: Duration) -> Option<io::Result<Line>> {
        let stream = UnixStream::connect(self.socket()).ok()?;
        let line = || {
            // Gnubg removes the file itself, but maybe later.
            match std::fs::remove_file(self.socket()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
            std::fs::remove_dir(self.0.path())?;
            stream.set_read_timeout(Some(patience))?;
            stream.set_write_timeout(Some(patience))?;
            Ok(Line { stream: BufReader::new(stream), answer: String::new() })
        };
        Some(line())
    }
}

/// An open line.
#[derive(Debug)]
pub(super) struct Line {
    stream: BufReader<UnixStream>,
    answer: String,
}

impl Line {
    /// Sends a line, without its end, and returns the answer.
    pub(super) fn ask(&mut self, mut question: String) -> Result<&str, GnubgError> {
        question.push('\n');
        assert!(question.len() <= LONGEST, "gnubg can read the line: {question}");
        self.exchange(&question).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => GnubgError::Silent(self.patience()),
            io::ErrorKind::InvalidData => GnubgError::Garbage(error.to_string()),
            _ => GnubgError::Ended,
        })?;
        let answer = self.answer.trim_end();
        match answer.strip_prefix("Error:") {
            Some(reason) => Err(GnubgError::Refused(reason.trim_start().to_owned())),
            None => Ok(answer),
        }
    }

    fn exchange(&mut self, question: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(question.as_bytes())?;
        self.answer.clear();
        match self.stream.read_line(&mut self.answer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    fn patience(&self) -> Duration {
        self.stream.get_ref().read_timeout().ok().flatten().unwrap_or_default()
    }
}
