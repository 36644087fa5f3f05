//! `cargo xtask …`: the tasks of this workspace. They need only Rust, Python and apt.

mod bench;
mod dist;
mod oracles;
mod packages;
mod run;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test [--full]   everything that must pass: format, lints, tests, portable build, docs, README,
                            examples
                            --full adds what takes long: exhaustive tests, the first answer from a fresh
                            clone, the dist build, packages, licences, peers, fuzzing
cargo xtask dist [PACKAGE…] the command, or other packages, with all optimisations and for every machine:
                            target/portable/dist/endspiel
cargo xtask package         packages every crate, and uses the packages in a project outside the workspace
cargo xtask bench           benchmarks of every crate, and the instructions that the hot commands take
cargo xtask oracles         writes the fixtures again, from the answers of other programs
cargo xtask oracles backgammon [GAMES]
                            random games (1000 by default), compared with GNU Backgammon
cargo xtask oracles syzygy [POSITIONS]
                            every position of the Syzygy tables with three and four men, or random ones of
                            each table, compared with shakmaty-syzygy
cargo xtask golden          writes the playthroughs and command-line transcripts again";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run_all(test::Extent::Usual),
        ["test", "--full"] => test::run_all(test::Extent::Full),
        ["dist", packages @ ..] => dist::build(packages),
        ["package"] => packages::package_all(),
        ["bench"] => bench::run_all(),
        ["oracles"] => oracles::regenerate(),
        ["oracles", "backgammon"] => oracles::ask_fresh_backgammon(1000),
        ["oracles", "backgammon", games] => match games.parse() {
            Ok(games) => oracles::ask_fresh_backgammon(games),
            Err(_) => Err(run::Failure::check(games, "is not a number of games")),
        },
        ["oracles", "syzygy"] => oracles::compare_syzygy(None),
        ["oracles", "syzygy", positions] => match positions.parse() {
            Ok(positions) => oracles::compare_syzygy(Some(positions)),
            Err(_) => Err(run::Failure::check(positions, "is not a number of positions")),
        },
        ["golden"] => test::write_golden(),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("there is no task `{}`; the tasks are:\n{HELP}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
