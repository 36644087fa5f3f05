//! `cargo xtask bench`: times, which other work on the machine disturbs, and instruction counts, which it does not.

use crate::oracles::syzygy_tables;
use crate::run::{Failure, need_debian_package, output, program, root, run, target_dir};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Commands whose instructions are counted: the same number on every run of the same binary.
const COUNTED: &[&str] = &[
    "perft onitama --depth 5 --threads 1 --json",
    "perft dobutsu --depth 6 --threads 1 --json",
    "perft chess --depth 5 --threads 1 --json",
    "perft shogi --depth 4 --threads 1 --json",
    "perft backgammon --depth 2 --threads 1 --json",
    "moves onitama --stdin",
];

/// Programs that measure peers. `endspiel bench` runs them and shows their figures beside ours.
const PEERS: &[&str] =
    &["oracles/chess/cozy", "oracles/shogi/rsshogi", "oracles/shogi/haitaka", "oracles/backgammon/bkgm"];

/// `cargo xtask bench`
pub fn run_all() -> Result<(), Failure> {
    let mut bench = program("cargo bench --workspace");
    bench.env("ENDSPIEL_SYZYGY", syzygy_tables()?);
    run(bench)?;
    // With all optimisations, as the peers are built.
    run(program("cargo build --profile dist"))?;
    need_debian_package("/usr/games/stockfish quit", "stockfish")?;
    let peers = target_dir().join("peers");
    for peer in PEERS {
        run(program(&format!("cargo install --quiet --path {peer} --root {}", peers.display())))?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([peers.join("bin")]);
    let path = std::env::join_paths(folders).map_err(|error| Failure::check("PATH", error.to_string()))?;
    println!("\n=== endspiel bench --threads 1");
    let mut bench = endspiel("bench --threads 1");
    bench.env("PATH", path);
    run(bench)?;
    println!("\n=== instructions");
    need_debian_package("valgrind --version", "valgrind")?;
    // Valgrind knows no AVX-512, and the counts are to be the same on every machine.
    let mut build = program("cargo build --release");
    build.arg("--target-dir").arg(counted_dir());
    if cfg!(target_arch = "x86_64") {
        build.env("RUSTFLAGS", "-C target-cpu=x86-64-v3");
    }
    run(build)?;
    let positions = output(endspiel("sample onitama --count 10000"))?;
    for line in COUNTED {
        println!("{:>16}  endspiel {line}", instructions(line, &positions)?);
    }
    Ok(())
}

fn binary() -> PathBuf {
    target_dir().join("dist/endspiel")
}

/// The target folder of the build whose instructions are counted.
fn counted_dir() -> PathBuf {
    target_dir().join("counted")
}

fn endspiel(line: &str) -> Command {
    let mut command = Command::new(binary());
    command.args(line.split(' ')).current_dir(root());
    command
}

fn instructions(line: &str, input: &str) -> Result<String, Failure> {
    let failed = |reason: String| Failure::check("valgrind", reason);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(counted_dir().join("release/endspiel"));
    valgrind.args(line.split(' ')).current_dir(root());
    valgrind.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = valgrind.spawn().map_err(|error| failed(error.to_string()))?;
    // Commands that read nothing close the pipe early; that is no failure.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let count = log.lines().find_map(|line| line.split("refs:").nth(1)).map(|count| count.trim().to_owned());
    count.ok_or_else(|| failed(format!("counted nothing:\n{log}")))
}
