//! `endspiel uci`: the engine of chess, for programs with boards.

use crate::failure::Failure;
use clap::Command;
use std::io::{self, Write};

pub fn command() -> Command {
    Command::new("uci").about("Play chess as an engine with the protocol UCI").after_help(
        "A program with a board starts this command, and talks to it. By hand:\n  \
             endspiel uci\n  position startpos moves e2e4\n  go depth 12\n  quit",
    )
}

pub fn run(out: &mut (impl Write + Send)) -> Result<(), Failure> {
    Ok(search::protocol::uci(io::stdin().lock(), out)?)
}
