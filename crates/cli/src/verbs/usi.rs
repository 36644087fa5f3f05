//! `endspiel usi`: the engine of shogi, for programs with boards.

use crate::failure::Failure;
use clap::Command;
use std::io::{self, Write};

pub fn command() -> Command {
    Command::new("usi").about("Play shogi as an engine with the protocol USI").after_help(
        "A program with a board starts this command, and talks to it. By hand:\n  \
             endspiel usi\n  position startpos moves 7g7f\n  go depth 12\n  quit",
    )
}

pub fn run(out: &mut (impl Write + Send)) -> Result<(), Failure> {
    Ok(search::protocol::usi(io::stdin().lock(), out)?)
}
