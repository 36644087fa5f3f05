//! Programs of other people that measure the same, for `bench` to put beside ours. They run as programs of their own.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Another program's figure for a benchmark.
pub struct Figure {
    /// The benchmark.
    pub name: String,
    /// In the benchmark's unit.
    pub value: f64,
}

/// A program that this machine has.
pub struct Peer {
    /// As people call it.
    pub name: &'static str,
    /// Where it is.
    pub program: PathBuf,
    /// Runs it; what it does not answer is left out.
    pub ask: fn(&PathBuf) -> Vec<Figure>,
}

/// A program that this machine does not have.
pub struct Missing {
    /// As people call it.
    pub name: &'static str,
    /// The command that installs it.
    pub installed_by: &'static str,
}

struct Known {
    game: &'static str,
    name: &'static str,
    program: &'static str,
    installed_by: &'static str,
    ask: fn(&PathBuf) -> Vec<Figure>,
}

const KNOWN: &[Known] = &[
    Known {
        game: "chess",
        name: "cozy-chess",
        program: "endspiel-peer-cozy",
        installed_by: "cargo install --path oracles/chess/cozy",
        ask: ask_for_lines,
    },
    Known {
        game: "chess",
        name: "Stockfish",
        program: "stockfish",
        installed_by: "apt-get install stockfish",
        ask: ask_stockfish,
    },
];

/// The peers of a game: those that are installed, and those that are not.
pub fn of(game: &str) -> (Vec<Peer>, Vec<Missing>) {
    let (mut here, mut missing) = (Vec::new(), Vec::new());
    for &Known { name, program, installed_by, ask, .. } in KNOWN.iter().filter(|known| known.game == game) {
        match find(program) {
            Some(program) => here.push(Peer { name, program, ask }),
            None => missing.push(Missing { name, installed_by }),
        }
    }
    (here, missing)
}

/// Where a program is: on the path, or where Debian keeps games.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A program that prints a name and a figure per line.
fn ask_for_lines(program: &PathBuf) -> Vec<Figure> {
    let printed = Command::new(program).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let text = printed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let figure = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some(Figure { name: name.to_owned(), value: value.trim().parse().ok()? })
    };
    text.lines().filter_map(figure).collect()
}

/// Stockfish's own perft, by the clock: the best of three each.
fn ask_stockfish(program: &PathBuf) -> Vec<Figure> {
    const RUNS: usize = 3;
    const ASKED: [(&str, &str, u32); 2] = [
        ("perft-start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
        ("perft-kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ];
    let asked =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = asked else { return Vec::new() };
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Vec::new();
    };
    let mut lines = BufReader::new(output).lines();
    let mut millions_per_second = |fen: &str, depth: u32| {
        write!(input, "position fen {fen}\ngo perft {depth}\n").and_then(|()| input.flush()).ok()?;
        let started = Instant::now();
        let nodes: u64 = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("Nodes searched:")?.trim().parse().ok())?;
        Some(nodes as f64 / started.elapsed().as_secs_f64() / 1e6)
    };
    let mut figures = Vec::new();
    for (name, fen, depth) in ASKED {
        let best = (0..RUNS).filter_map(|_| millions_per_second(fen, depth)).reduce(f64::max);
        figures.extend(best.map(|value| Figure { name: name.to_owned(), value }));
    }
    let _ = input.write_all(b"quit\n");
    drop(input);
    let _ = child.wait();
    figures
}
