//! The `endspiel` command. Each verb is a file in `verbs`; the games come from the registry.

mod arguments;
mod failure;
mod terminal;
mod verbs;
mod words;

use registry::Registry;
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = Registry::standard();
    match arguments::parse(&registry, std::env::args_os()).and_then(|matches| verbs::run(&registry, &matches))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
