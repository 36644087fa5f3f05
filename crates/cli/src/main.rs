//! The `endspiel` command. Each verb is a file in `verbs`; the games come from the registry.

// `println!` panics when the output is closed. So verbs write to the `out` that they are given.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod endgames;
mod failure;
mod peers;
mod survey;
mod svg;
mod terminal;
mod verbs;
mod words;

use failure::Failure;
use registry::Registry;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = Registry::standard();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = arguments::parse(&registry, std::env::args_os())
        .and_then(|matches| verbs::run(&registry, &matches, &mut out));
    // The output is flushed even after a failure: it may contain results, or the error in JSON.
    match (done, out.flush()) {
        (Ok(()), Ok(())) => ExitCode::SUCCESS,
        (Ok(()) | Err(Failure::Answered), Err(error)) => Failure::from(error).report(),
        (Err(failure), _) => failure.report(),
    }
}
