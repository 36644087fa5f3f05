//! Fixtures made by other programs. They run as separate programs and are never linked. Most are programs of other people;
//! one is our own brute force, which shares no code with the crates.

use crate::run::{Failure, need_debian_package, output, program, python_with, root, run, seed, target_dir};
use std::fs;
use std::path::{Path, PathBuf};

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
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/chess/chess960.jsonl",
        script: "oracles/chess/chess960.py",
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/chess/clocks.txt",
        script: "oracles/chess/clocks.py",
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/chess/exchanges.txt",
        script: "oracles/chess/exchanges.py",
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/chess/material.txt",
        script: "oracles/chess/material.py",
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/chess/records.jsonl",
        script: "oracles/chess/records.py",
        packages: PYTHON_CHESS,
    },
    Oracle { fixture: "fixtures/chess/san.txt", script: "oracles/chess/san.py", packages: PYTHON_CHESS },
    Oracle {
        fixture: "fixtures/chess/syzygy.txt",
        script: "oracles/chess/syzygy.py",
        packages: PYTHON_CHESS,
    },
    Oracle {
        fixture: "fixtures/backgammon/match_positions.jsonl",
        script: "oracles/backgammon/match_positions.py",
        packages: "",
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
    ask_fresh("oracles/chess/fresh.py", PYTHON_CHESS, &[STOCKFISH], positions)?;
    // Here python-chess answers many questions about each position.
    ask_fresh("oracles/chess/threats.py", PYTHON_CHESS, &[], positions / 10)
}

/// Lets python-chess drive the engine of chess through whole games with fast clocks.
pub fn play_chess_engine(games: u32) -> Result<(), Failure> {
    ask_fresh("oracles/chess/engine.py", PYTHON_CHESS, &[], games)
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

/// Compares Endspiel with cshogi and python-shogi on new random positions of shogi.
pub fn ask_fresh_shogi(positions: u32) -> Result<(), Failure> {
    // cshogi has wheels for Linux on x86-64; where there is none, pip builds it, which needs a C++ compiler.
    ask_fresh("oracles/shogi/fresh.py", "cshogi==1.1.0 python-shogi==1.1.1", &[], positions)
}

/// Lets cshogi drive the engine of shogi through whole games with fast clocks.
pub fn play_shogi_engine(games: u32) -> Result<(), Failure> {
    ask_fresh("oracles/shogi/engine.py", "cshogi==1.1.0", &[], games)
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

/// Solves materials of chess endgames, such as `KQvK KQvKR`, and checks their tables with python-chess and the files of other
/// generators. `positions` are the random positions of each table with more than three men, `dtz` those positions of each table
/// whose distances to the next capture or pawn move are compared.
pub fn check_chess_tables(materials: &str, positions: u32, dtz: u32) -> Result<(), Failure> {
    run(program("cargo build --release"))?;
    // An empty folder, so that these are tables of this version.
    let tables = target_dir().join("chess-tables");
    let _ = fs::remove_dir_all(&tables);
    for metric in CHESS_METRICS {
        let endspiel = target_dir().join("release/endspiel");
        let mut solve = program(&format!("{} solve chess {materials} --metric {metric}", endspiel.display()));
        solve.arg("--tables").arg(&tables);
        run(solve)?;
    }
    check_chess_library(&tables, positions, dtz)?;
    fs::remove_dir_all(&tables).map_err(|error| Failure::check("chess tables", error.to_string()))
}

/// The metrics of the chess tables that are checked.
const CHESS_METRICS: &[&str] = &["dtm", "dtz"];

/// Checks all chess tables of the library in `ENDSPIEL_TABLES`, the variable that the program itself uses. Without it, all
/// tables with up to four men are solved and checked.
pub fn check_chess_tables_in_full() -> Result<(), Failure> {
    const POSITIONS: u32 = 20_000;
    // More than any table with three men has, so that all are compared.
    const DTZ: u32 = 1_000_000;
    match std::env::var_os("ENDSPIEL_TABLES") {
        Some(tables) => {
            run(program("cargo build --release"))?;
            check_chess_library(Path::new(&tables), POSITIONS, DTZ)
        }
        None => check_chess_tables("--men 4", POSITIONS, DTZ),
    }
}

fn check_chess_library(tables: &Path, positions: u32, dtz: u32) -> Result<(), Failure> {
    let python = python_with(PYTHON_CHESS)?;
    let data = python_chess_data(&python)?;
    let seed = seed();
    println!("seed {seed}");
    let mut check = program(&format!("{} oracles/chess/tables.py", python.display()));
    check.arg(target_dir().join("release/endspiel")).arg(tables).arg(data);
    check.args([positions.to_string(), dtz.to_string(), seed.to_string()]);
    run(check)
}

const PYTHON_CHESS: &str = "chess==1.11.2";

/// Returns the folder with the test data of python-chess, which only its source distribution has: Syzygy and Gaviota files,
/// and positions with published distances.
fn python_chess_data(python: &Path) -> Result<PathBuf, Failure> {
    let folder = target_dir().join("python-chess");
    let data = folder.join("chess-1.11.2/data");
    if !data.exists() {
        let (python, folder) = (python.display(), folder.display());
        let download = "-m pip download --quiet --no-binary :all: --no-deps";
        run(program(&format!("{python} {download} {PYTHON_CHESS} --dest {folder}")))?;
        run(program(&format!("tar -xzf {folder}/chess-1.11.2.tar.gz -C {folder}")))?;
    }
    Ok(data)
}

/// The folder of the Syzygy tables with three and four men.
pub fn syzygy_tables() -> Result<PathBuf, Failure> {
    Ok(python_chess_data(&python_with(PYTHON_CHESS)?)?.join("syzygy/regular"))
}

/// Compares Endspiel with GNU Backgammon on new random games of backgammon.
pub fn ask_fresh_backgammon(games: u32) -> Result<(), Failure> {
    need_gnubg()?;
    ask_fresh("oracles/backgammon/fresh.py", "", &[GNUBG], games)
}

/// Lets GNU Backgammon use the bear-off database that Endspiel exports in place of its own.
pub fn lend_bear_off_to_gnubg(positions: u32) -> Result<(), Failure> {
    need_gnubg()?;
    ask_fresh("oracles/backgammon/bearoff_file.py", "", &[GNUBG], positions)
}

const GNUBG: &str = "/usr/games/gnubg"; // where Debian puts it

/// Installs the programs that tests ask, if they are missing.
pub fn need_peers_of_tests() -> Result<(), Failure> {
    need_gnubg()?;
    python_of_tests()?;
    // A server with tables, and its certificate.
    need_debian_package("/usr/sbin/nginx -v", "nginx-light")?;
    need_debian_package("openssl version", "openssl")
}

/// Returns the Python that runs `tools/read_table.py` in tests, with the packages that this script can use.
pub fn python_of_tests() -> Result<PathBuf, Failure> {
    python_with("zstandard==0.25.0 blake3==1.0.11")
}

/// Installs GNU Backgammon if it is missing.
fn need_gnubg() -> Result<(), Failure> {
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
