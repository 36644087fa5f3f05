//! `cargo xtask test`: all that must pass, step by step.

use crate::run::{Failure, need_cargo_command, output, program, root, run, seed, target_dir, works};
use crate::{dist, oracles, packages};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How much is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What every change must pass; minutes.
    Usual,
    /// Also the long tests, the first answer from a fresh clone, the dist build, the packages, licences, peers and fuzzing.
    Full,
}

type Step = (&'static str, fn() -> Result<(), Failure>);

const USUAL: &[Step] = &[
    ("format", format),
    ("minimum Rust version", minimum_rust),
    ("lints", || run(program("cargo clippy --workspace --all-targets --all-features -- -D warnings"))),
    ("peers of the tests", oracles::need_peers_of_tests),
    ("tests", tests),
    ("examples in the documentation", || run(program("cargo test --workspace --all-features --doc"))),
    ("portable build", portable),
    ("documentation", documentation),
    ("README", readme),
    ("examples of the crates", packages::run_examples),
    ("chess, fresh positions", || oracles::ask_fresh_chess(10_000)),
    ("chess, engine games by python-chess", || oracles::play_chess_engine(6)),
    ("Syzygy tables by shakmaty", || oracles::compare_syzygy(Some(10_000))),
    ("chess, tables by python-chess", || {
        oracles::check_chess_tables("KQvK KRvK KBvK KNvK KPvK KQvKR", 1_000, 500)
    }),
    ("shogi, fresh positions", || oracles::ask_fresh_shogi(2_000)),
    ("shogi, engine games by cshogi", || oracles::play_shogi_engine(8)),
    ("shogi, tables by cshogi", || oracles::check_shogi_tables("P L N S G B R GG", 2_000)),
    ("backgammon, fresh games", || oracles::ask_fresh_backgammon(100)),
    ("backgammon, our bear-off in GNU Backgammon", || oracles::lend_bear_off_to_gnubg(1_000)),
];

const FULL: &[Step] = &[
    ("first answer from a fresh clone", first_answer),
    ("exhaustive tests", exhaustive),
    ("dist build", || dist::build(&[])),
    ("packages", packages::package_all),
    ("licences", licences),
    ("peers", oracles::compare),
    ("chess, many fresh positions", || oracles::ask_fresh_chess(100_000)),
    ("chess, many engine games by python-chess", || oracles::play_chess_engine(200)),
    ("Syzygy tables by shakmaty, every position", || oracles::compare_syzygy(None)),
    ("chess, many tables by python-chess", oracles::check_chess_tables_in_full),
    ("shogi, many fresh positions", || oracles::ask_fresh_shogi(20_000)),
    ("shogi, many engine games by cshogi", || oracles::play_shogi_engine(200)),
    ("shogi, many tables by cshogi", || oracles::check_shogi_tables(UP_TO_FOUR_PIECES, 10_000)),
    ("backgammon, many fresh games", || oracles::ask_fresh_backgammon(1_000)),
    ("fuzzing", fuzzing),
];

/// The 35 classes of shogi endgames with three and four pieces, kings included.
const UP_TO_FOUR_PIECES: &str = "P L N S G B R PP PL PN PS PG PB PR LL LN LS LG LB LR NN NS NG NB NR SS SG SB SR GG GB \
    GR BB BR RR";

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
    let notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    notes.iter().for_each(|note| println!("note: {note}"));
    println!("All is well.");
    Ok(())
}

/// Notes of the steps, which are printed again at the end.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints what a step could not do, or what it found out, now and at the end.
fn note(text: String) {
    println!("{text}");
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// The workspace of the libFuzzer targets. It is separate because it needs a nightly toolchain.
const LIBFUZZER: &str = "--manifest-path fuzz/libfuzzer/Cargo.toml";

fn format() -> Result<(), Failure> {
    run(program("cargo fmt --all --check"))?;
    run(program(&format!("cargo fmt {LIBFUZZER} --check")))
}

/// Runs test programs in parallel: `cargo test` runs one after the other, and their last tests leave cores idle.
fn nextest(arguments: &str) -> Result<Command, Failure> {
    need_cargo_command("cargo nextest --version", "cargo-nextest")?;
    let mut tests = program("cargo nextest run --all-features --status-level slow --final-status-level slow");
    tests.args(arguments.split_whitespace());
    // Tests that ask other programs fail if these are missing, instead of passing without them.
    tests.env("ENDSPIEL_ALL_PEERS", "1");
    tests.env("ENDSPIEL_PYTHON", oracles::python_of_tests()?);
    tests.env("PROPTEST_RNG_SEED", seed().to_string());
    Ok(tests)
}

fn tests() -> Result<(), Failure> {
    run(nextest("--workspace")?)
}

/// The same tests without the instructions that only this machine has, for the crates that use such instructions.
fn portable() -> Result<(), Failure> {
    let mut tests = nextest(
        "--tests -p endspiel-bits -p endspiel-dobutsu -p endspiel-onitama -p endspiel-chess -p endspiel-shogi \
         -p endspiel-cotulenh -p endspiel-backgammon -p endspiel-env",
    )?;
    tests.arg("--target-dir").arg(target_dir().join("portable"));
    tests.env("RUSTFLAGS", dist::PORTABLE);
    run(tests)
}

/// The tests that are too long for every change, as fast as the machine runs them.
fn exhaustive() -> Result<(), Failure> {
    run(nextest("--release --workspace --run-ignored only --profile exhaustive")?)
}

/// Checks that the workspace builds with the Rust version that it declares: by this run, if that is the toolchain's.
fn minimum_rust() -> Result<(), Failure> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap_or_default();
    let declared = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let declared = declared.map(|version| version.trim_matches('"'));
    let declared = declared.ok_or_else(|| Failure::check("Cargo.toml", "declares no rust-version"))?;
    let toolchain = output(program("rustc --version"))?;
    if toolchain.split(' ').nth(1).is_some_and(|version| version.starts_with(&format!("{declared}."))) {
        println!("{declared}, the version of this toolchain");
        return Ok(());
    }
    if !works(&format!("cargo +{declared} --version")) {
        note(format!(
            "skipped: Rust {declared}, which is declared, is not here; this is {}",
            toolchain.trim()
        ));
        return Ok(());
    }
    let mut check = program(&format!("cargo +{declared} check --workspace --all-targets --all-features"));
    check.arg("--target-dir").arg(target_dir().join("minimum"));
    run(check)
}

fn documentation() -> Result<(), Failure> {
    let mut docs = program("cargo doc --workspace --no-deps --all-features");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    run(docs)
}

/// Checks that the first command of the README does what the README says.
fn readme() -> Result<(), Failure> {
    let line = "cargo run --release -- solve";
    let text = std::fs::read_to_string(root().join("README.md")).unwrap_or_default();
    if !text.contains(&format!("    {line}\n")) {
        return Err(Failure::check(line, "is not in the README"));
    }
    // An empty folder, so that there is something to solve.
    let folder = packages::starter_tables();
    let _ = std::fs::remove_dir_all(&folder);
    let mut solve = program(line);
    solve.env("ENDSPIEL_TABLES", &folder);
    let printed = output(solve)?;
    match printed.contains("Ask them:") && folder.join("onitama").is_dir() {
        true => Ok(()),
        false => Err(Failure::check(line, "solves nothing, or does not say what to ask")),
    }
}

/// Reports how long a newcomer waits for the first answer: a fresh clone of the last commit, built and run.
fn first_answer() -> Result<(), Failure> {
    const AT_MOST: u64 = 120;
    let clone = target_dir().join("first-answer");
    let _ = std::fs::remove_dir_all(&clone);
    let mut git = program("git clone --quiet --no-hardlinks .");
    git.arg(&clone);
    run(git)?;
    let mut solve = program("cargo run --release --quiet -- solve");
    solve.current_dir(&clone).env_remove("CARGO_TARGET_DIR").env("ENDSPIEL_TABLES", clone.join("tables"));
    let started = Instant::now();
    let answer = output(solve);
    let seconds = started.elapsed().as_secs();
    std::fs::remove_dir_all(&clone).map_err(|error| Failure::check("first answer", error.to_string()))?;
    answer?;
    let verdict = if seconds <= AT_MOST { "within" } else { "WARNING: more than" };
    note(format!(
        "the first answer took {seconds} s: {verdict} the {AT_MOST} s that it should take on two cores"
    ));
    Ok(())
}

fn licences() -> Result<(), Failure> {
    need_cargo_command("cargo deny --version", "cargo-deny")?;
    run(program("cargo deny check licenses bans sources"))
}

/// Runs libFuzzer on every target for half a minute, if there is a nightly toolchain.
fn fuzzing() -> Result<(), Failure> {
    if !works("cargo +nightly --version") {
        note("skipped: fuzzing needs a nightly toolchain; the tests have replayed the corpus".to_owned());
        return Ok(());
    }
    need_cargo_command("cargo fuzz --version", "cargo-fuzz")?;
    run(program(&format!("cargo +nightly clippy {LIBFUZZER} -- -D warnings")))?;
    let names = output(program("cargo run --quiet -p endspiel-fuzz"))?;
    for target in names.lines() {
        // New inputs go to a temporary folder, so that the corpus in the repository does not grow by accident.
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
