//! The output of a command, which may be lost: the reader closes the pipe, or the disk is full.

use std::io::{self, BufWriter, Write};

/// The output. It remembers the first error of writing. After it, a verb ends with that error, or, if its product is not only
/// the output, [goes on](Self::go_on_when_lost) without.
pub struct Output<W: Write> {
    to: BufWriter<W>,
    goes_on: bool,
    lost: Option<io::Error>,
}

/// The output is lost. This is the reason of each error that [`Output`] returns, so that they are told from other errors.
#[derive(Debug, thiserror::Error)]
#[error("the output is lost")]
pub struct Lost;

impl Lost {
    /// Returns whether this is the reason of an error.
    pub fn is_reason_of(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|reason| reason.is::<Self>())
    }
}

impl<W: Write> Output<W> {
    /// Writes to `to`, with a buffer.
    pub fn new(to: W) -> Self {
        Self { to: BufWriter::new(to), goes_on: false, lost: None }
    }

    /// From now on, what cannot be written is dropped without an error.
    pub fn go_on_when_lost(&mut self) {
        self.goes_on = true;
    }

    /// Writes what is in the buffer. Returns the first error of all writing, if there was one.
    pub fn finish(mut self) -> Option<io::Error> {
        let _ = self.flush();
        self.lost
    }

    fn attempt(&mut self, action: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) -> io::Result<()> {
        if self.lost.is_none() {
            self.lost = action(&mut self.to).err();
        }
        match &self.lost {
            Some(_) if !self.goes_on => Err(io::Error::other(Lost)),
            _ => Ok(()),
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|to| to.write_all(bytes)).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(BufWriter::flush)
    }
}
