//! Where there are no sockets in folders, GNU Backgammon has no line for other programs.

use super::GnubgError;
use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const BETWEEN_ATTEMPTS: Duration = Duration::ZERO;

pub(super) struct Place(Infallible);

impl Place {
    pub(super) fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn socket(&self) -> PathBuf {
        match self.0 {}
    }

    pub(super) fn connect(&self, _: Duration) -> Option<io::Result<Line>> {
        match self.0 {}
    }
}

#[derive(Debug)]
pub(super) struct Line(Infallible);

impl Line {
    pub(super) fn ask(&mut self, _: String) -> Result<&str, GnubgError> {
        match self.0 {}
    }
}
