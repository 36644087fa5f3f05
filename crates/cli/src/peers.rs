//! Runs programs of other people on the same benchmarks, for `bench` to print their figures beside ours.

use registry::{Peer, Protocol};
use speed::RUNS;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Finds the executable of a peer: on the path, or in the folder where Debian installs games.
pub fn find(peer: &Peer) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(peer.program)).find(|file| file.is_file())
}

/// Runs a peer and returns its figure for a benchmark, or `None` if it does not measure it.
pub fn ask(peer: &Peer, program: &Path, benchmark: &str) -> io::Result<Option<f64>> {
    match peer.protocol {
        Protocol::Figure => ask_for_figure(program, benchmark),
        Protocol::UciPerft(asked) => match asked.iter().find(|(name, ..)| *name == benchmark) {
            Some(&(_, fen, depth)) => ask_uci_perft(program, fen, depth).map(Some),
            None => Ok(None),
        },
    }
}

fn ask_for_figure(program: &Path, benchmark: &str) -> io::Result<Option<f64>> {
    let output = Command::new(program).arg(benchmark).stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.trim() {
        _ if !output.status.success() => Err(io::Error::other(format!("it ended with {}", output.status))),
        "" => Ok(None),
        figure => figure.parse().map(Some).map_err(io::Error::other),
    }
}

/// Returns the speed of perft in million nodes per second.
fn ask_uci_perft(program: &Path, fen: &str, depth: u32) -> io::Result<f64> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("it has no input and output"));
    };
    let mut lines = BufReader::new(output).lines();
    let mut best = 0.0f64;
    for _ in 0..RUNS {
        let started = Instant::now();
        write!(input, "position fen {fen}\ngo perft {depth}\n")?;
        input.flush()?;
        let nodes = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("Nodes searched:")?.trim().parse::<u64>().ok())
            .ok_or_else(|| io::Error::other("it gave no answer"))?;
        best = best.max(nodes as f64 / started.elapsed().as_secs_f64() / 1e6);
    }
    input.write_all(b"quit\n")?;
    drop(input);
    child.wait()?;
    Ok(best)
}
