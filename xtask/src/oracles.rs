//! Fixtures made by other programs. They run as separate programs and are never linked. Most are programs of other people;
//! one is our own brute force, which shares no code with the crates.

use crate::run::{Failure, need_debian_package, output, program, python_with, root, run, seed, target_dir};
use std::fs;
use std::path::PathBuf;

/// A fixture, the script that prints it, and the Python packages it needs.
struct Oracle {
    fixture: &'static str,
    script: &'static str,
    packages: &'static str,
}

const ORACLES: &[Oracle] = &[
    Oracle {
        fixture: "fixtures/dobutsu/positions.jsonl",
        script: "oracles/dobutsu/positions.py",
        packages: "pyffish==0.0.90",
    },
    Oracle { fixture: "fixtures/onitama/positions.jsonl", script: "oracles/onitama/rules.py", packages: "" },
    Oracle {
        fixture: "fixtures/chess/starts.txt",
        script: "oracles/chess/starts.py",
        packages: "chess==1.11.2",
    },
    Oracle {
        fixture: "fixtures/chess/chess960.jsonl",
        script: "oracles/chess/chess960.py",
        packages: "chess==1.11.2",
    },
    Oracle {
        fixture: "fixtures/chess/clocks.txt",
        script: "oracles/chess/clocks.py",
        packages: "chess==1.11.2",
    },
    Oracle {
        fixture: "fixtures/chess/material.txt",
        script: "oracles/chess/material.py",
        packages: "chess==1.11.2",
    },
    Oracle { fixture: "fixtures/chess/san.txt", script: "oracles/chess/san.py", packages: "chess==1.11.2" },
    Oracle {
        fixture: "fixtures/chess/syzygy.txt",
        script: "oracles/chess/syzygy.py",
        packages: "chess==1.11.2",
    },
    Oracle {
        fixture: "fixtures/shogi/records.jsonl",
        script: "oracles/shogi/records.py",
        packages: "cshogi==1.1.0 python-shogi==1.1.1",
    },
];

impl Oracle {
    fn ask(&self) -> Result<String, Failure> {
        let python = python_with(self.packages)?;
        output(program(&format!("{} {}", python.display(), self.script)))
    }
}

/// `cargo xtask oracles`: writes the fixtures again.
pub fn regenerate() -> Result<(), Failure> {
    for oracle in ORACLES {
        let text = oracle.ask()?;
        fs::write(root().join(oracle.fixture), text)
            .map_err(|error| Failure::check(oracle.fixture, error.to_string()))?;
        println!("wrote {}", oracle.fixture);
    }
    Ok(())
}

/// Checks that the programs still give the answers that are in the fixtures.
pub fn compare() -> Result<(), Failure> {
    for oracle in ORACLES {
        let stored = fs::read_to_string(root().join(oracle.fixture)).unwrap_or_default();
        if oracle.ask()? != stored {
            return Err(Failure::check(oracle.script, format!("no longer prints {}", oracle.fixture)));
        }
        println!("{} is as {} prints it", oracle.fixture, oracle.script);
    }
    Ok(())
}

/// Compares Endspiel with python-chess and Stockfish on new random positions of chess.
pub fn ask_fresh_chess(positions: u32) -> Result<(), Failure> {
    const STOCKFISH: &str = "/usr/games/stockfish"; // where Debian puts it
    need_debian_package(&format!("{STOCKFISH} quit"), "stockfish")?;
    ask_fresh("oracles/chess/fresh.py", "chess==1.11.2", &[STOCKFISH], positions)
}

/// Compares crates/syzygy with shakmaty-syzygy on the 35 tables with three and four men: on this many random positions of each
/// table, or on all positions.
pub fn compare_syzygy(positions: Option<u32>) -> Result<(), Failure> {
    let tables = syzygy_tables()?;
    let build = target_dir().join("peers");
    let mut peer =
        program("cargo build --release --locked --manifest-path oracles/chess/shakmaty-syzygy/Cargo.toml");
    peer.arg("--target-dir").arg(&build);
    run(peer)?;
    let mut compare = program("cargo run --release --quiet -p endspiel-syzygy --example compare --");
    compare.arg(tables).arg(build.join("release/endspiel-peer-syzygy"));
    if let Some(positions) = positions {
        let seed = seed();
        println!("seed {seed}");
        compare.args([positions.to_string(), seed.to_string()]);
    }
    run(compare)
}

/// The folder of the Syzygy tables with three and four men. The source package of python-chess has them; it is downloaded
/// once.
pub fn syzygy_tables() -> Result<PathBuf, Failure> {
    let folder = target_dir().join("syzygy");
    let tables = folder.join("chess-1.11.2/data/syzygy/regular");
    if !tables.exists() {
        let python = python_with("setuptools")?;
        let download = "-m pip download --quiet --no-deps --no-binary :all: chess==1.11.2 --dest";
        let mut package = program(&format!("{} {download}", python.display()));
        package.arg(&folder);
        run(package)?;
        let mut unpack = program(&format!("{} -m tarfile --extract", python.display()));
        unpack.arg(folder.join("chess-1.11.2.tar.gz")).arg(&folder);
        run(unpack)?;
    }
    Ok(tables)
}

/// Compares Endspiel with cshogi and python-shogi on new random positions of shogi.
pub fn ask_fresh_shogi(positions: u32) -> Result<(), Failure> {
    // cshogi has wheels for Linux on x86-64; where there is none, pip builds it, which needs a C++ compiler.
    ask_fresh("oracles/shogi/fresh.py", "cshogi==1.1.0 python-shogi==1.1.1", &[], positions)
}

/// Solves classes of shogi endgames, such as `P GG`, and checks random positions of each with the moves of cshogi.
pub fn check_shogi_tables(classes: &str, positions: u32) -> Result<(), Failure> {
    let python = python_with("cshogi==1.1.0")?;
    run(program("cargo build --release"))?;
    let endspiel = target_dir().join("release/endspiel");
    // An empty folder, so that these are tables of this version.
    let tables = target_dir().join("shogi-tables");
    let _ = fs::remove_dir_all(&tables);
    let mut solve = program(&format!("{} solve shogi {classes}", endspiel.display()));
    solve.arg("--tables").arg(&tables);
    run(solve)?;
    let seed = seed();
    println!("seed {seed}");
    let mut check = program(&format!("{} oracles/shogi/tables.py", python.display()));
    check.arg(endspiel).arg(&tables).arg(classes.replace(' ', ","));
    check.args([positions.to_string(), seed.to_string()]);
    run(check)?;
    // They can take gigabytes. After a failure they stay, to look at.
    fs::remove_dir_all(&tables).map_err(|error| Failure::check("shogi tables", error.to_string()))
}

/// Compares Endspiel with GNU Backgammon on new random games of backgammon.
pub fn ask_fresh_backgammon(games: u32) -> Result<(), Failure> {
    need_gnubg()?;
    ask_fresh("oracles/backgammon/fresh.py", "", &[GNUBG], games)
}

const GNUBG: &str = "/usr/games/gnubg"; // where Debian puts it

/// Installs GNU Backgammon if it is missing.
pub fn need_gnubg() -> Result<(), Failure> {
    need_debian_package(&format!("{GNUBG} --version"), "gnubg")
}

/// Runs a script that takes Endspiel, the programs to compare it with, a number of positions or games and a seed.
fn ask_fresh(script: &str, packages: &str, peers: &[&str], count: u32) -> Result<(), Failure> {
    let python = python_with(packages)?;
    run(program("cargo build --release"))?;
    let seed = seed();
    println!("seed {seed}");
    let mut fresh = program(&format!("{} {script}", python.display()));
    fresh.arg(target_dir().join("release/endspiel")).args(peers);
    fresh.args([count.to_string(), seed.to_string()]);
    run(fresh)
}
