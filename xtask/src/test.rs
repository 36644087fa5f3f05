//! `cargo xtask test`: all that must pass, step by step.

use crate::oracles;
use crate::run::{Failure, need_cargo_command, output, program, root, run, target_dir, works};
use std::time::Instant;

/// How much is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What every change must pass; minutes.
    Usual,
    /// With exhaustive counts, licences, fuzzing and peers; longer.
    Full,
}

type Step = (&'static str, fn() -> Result<(), Failure>);

const USUAL: &[Step] = &[
    ("format", format),
    ("lints", || run(program("cargo clippy --workspace --all-targets --all-features -- -D warnings"))),
    ("peers of the tests", oracles::need_gnubg),
    ("tests", tests),
    ("portable build", portable),
    ("documentation", documentation),
    ("README", readme),
    ("chess, fresh positions", || oracles::ask_fresh_chess(10_000)),
    ("shogi, fresh positions", || oracles::ask_fresh_shogi(2_000)),
    ("backgammon, fresh games", || oracles::ask_fresh_backgammon(100)),
];

const FULL: &[Step] = &[
    ("exhaustive tests", || run(program("cargo test --release --workspace --all-features -- --ignored"))),
    ("licences", licences),
    ("peers", oracles::compare),
    ("chess, many fresh positions", || oracles::ask_fresh_chess(100_000)),
    ("shogi, many fresh positions", || oracles::ask_fresh_shogi(20_000)),
    ("backgammon, many fresh games", || oracles::ask_fresh_backgammon(1_000)),
    ("fuzzing", fuzzing),
];

/// Runs every step, stops at the first that fails, and tells how long each took.
pub fn run_all(extent: Extent) -> Result<(), Failure> {
    let full = if extent == Extent::Full { FULL } else { &[] };
    let mut times = Vec::new();
    for (name, step) in USUAL.iter().chain(full) {
        println!("\n=== {name}");
        let started = Instant::now();
        step()?;
        times.push((name, started.elapsed()));
    }
    println!();
    for (name, time) in times {
        println!("{:>7.1} s  {name}", time.as_secs_f64());
    }
    println!("All is well.");
    Ok(())
}

/// libFuzzer's workspace, which stands beside this one.
const LIBFUZZER: &str = "--manifest-path fuzz/libfuzzer/Cargo.toml";

fn format() -> Result<(), Failure> {
    run(program("cargo fmt --all --check"))?;
    run(program(&format!("cargo fmt {LIBFUZZER} --check")))
}

/// All tests. Those that ask other programs fail where these are missing, instead of passing them over.
fn tests() -> Result<(), Failure> {
    let mut tests = program("cargo test --workspace --all-features");
    tests.env("ENDSPIEL_ALL_PEERS", "1");
    run(tests)
}

/// The same results without the instructions that only this machine has, from the crates that use them.
fn portable() -> Result<(), Failure> {
    let mut tests = program(
        "cargo test --tests -p endspiel-bits -p endspiel-dobutsu -p endspiel-onitama -p endspiel-chess \
         -p endspiel-shogi -p endspiel-cotulenh -p endspiel-backgammon -p endspiel-env",
    );
    tests.arg("--target-dir").arg(target_dir().join("portable"));
    let baseline = if cfg!(target_arch = "x86_64") { "-C target-cpu=x86-64" } else { "" };
    tests.env("RUSTFLAGS", baseline);
    run(tests)
}

fn documentation() -> Result<(), Failure> {
    let mut docs = program("cargo doc --workspace --no-deps --all-features");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    run(docs)
}

/// The first command of the README does what it says there.
fn readme() -> Result<(), Failure> {
    let line = "cargo run --release -- solve";
    let text = std::fs::read_to_string(root().join("README.md")).unwrap_or_default();
    if !text.contains(&format!("    {line}\n")) {
        return Err(Failure::check(line, "is not in the README"));
    }
    // To a folder of its own, so that it has something to solve.
    let folder = target_dir().join("readme-tables");
    let _ = std::fs::remove_dir_all(&folder);
    let mut solve = program(line);
    solve.env("ENDSPIEL_TABLES", &folder);
    let printed = output(solve)?;
    match printed.contains("Ask them:") && folder.join("onitama").is_dir() {
        true => Ok(()),
        false => Err(Failure::check(line, "solves nothing, or does not say what to ask")),
    }
}

fn licences() -> Result<(), Failure> {
    need_cargo_command("cargo deny --version", "cargo-deny")?;
    run(program("cargo deny check licenses bans sources"))
}

/// libFuzzer on every target for half a minute, where there is a nightly toolchain.
fn fuzzing() -> Result<(), Failure> {
    if !works("cargo +nightly --version") {
        println!("skipped: there is no nightly toolchain here; the corpus was replayed by the tests");
        return Ok(());
    }
    need_cargo_command("cargo fuzz --version", "cargo-fuzz")?;
    run(program(&format!("cargo +nightly clippy {LIBFUZZER} -- -D warnings")))?;
    let names = output(program("cargo run --quiet -p endspiel-fuzz"))?;
    for target in names.lines() {
        // New inputs go to a scratch folder: the corpus in the repository grows by choice, not by accident.
        let found = target_dir().join("fuzz-found").join(target);
        std::fs::create_dir_all(&found).map_err(|error| Failure::check("fuzz", error.to_string()))?;
        println!("--- {target}");
        let mut fuzz = program("cargo +nightly fuzz run --fuzz-dir fuzz/libfuzzer any");
        let corpus = root().join("fuzz/corpus").join(target);
        fuzz.arg(&found).args(corpus.exists().then_some(corpus));
        fuzz.args(["--", "-max_total_time=30", "-max_len=512", "-verbosity=0"]);
        fuzz.env("ENDSPIEL_FUZZ_TARGET", target).env("RUSTFLAGS", "");
        run(fuzz)?;
    }
    Ok(())
}

/// `cargo xtask golden`
pub fn write_golden() -> Result<(), Failure> {
    let mut playthroughs = program("cargo test -p endspiel-registry --test playthroughs");
    playthroughs.env("ENDSPIEL_BLESS", "1");
    run(playthroughs)?;
    let mut transcripts = program("cargo test -p endspiel-cli --test transcripts");
    transcripts.env("TRYCMD", "overwrite");
    run(transcripts)
}
