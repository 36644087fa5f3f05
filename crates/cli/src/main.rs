//! The `endspiel` command. Each verb is a file in `verbs`; the games come from the registry.

// `println!` panics when the output is closed. So verbs write to the `out` that they are given.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod advice;
mod agents;
mod arguments;
mod endgames;
mod failure;
mod fetch;
mod interrupt;
mod man_page;
mod manifest;
mod output;
mod peers;
mod proposals;
mod solve_progress;
mod survey;
mod svg;
mod svg_pips;
mod terminal;
mod verbs;
mod words;

use failure::Failure;
use output::Output;
use registry::Registry;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = Registry::standard();
    let matches = match arguments::parse(&registry, std::env::args_os()) {
        Ok(matches) => matches,
        // Help and version. Clap knows whether the terminal has colours.
        Err(Failure::Arguments(text)) if !text.use_stderr() => {
            return failure::report(Ok(()), text.print().err());
        }
        Err(failure) => return failure::report(Err(failure), None),
    };
    let mut out = Output::new(io::stdout());
    let done = verbs::run(&registry, &matches, &mut out);
    // The output is flushed even after a failure: it may contain results, or the error in JSON.
    failure::report(done, out.finish())
}
