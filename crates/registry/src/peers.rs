//! Programs of other people that measure the same as our benchmarks.

/// A program of other people, to be run beside ours.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// As people call it.
    pub name: &'static str,
    /// What it is called on the path.
    pub program: &'static str,
    /// The command that installs it.
    pub installed_by: &'static str,
    /// How it is asked.
    pub protocol: Protocol,
}

/// How a peer is asked for a benchmark.
#[derive(Clone, Copy, Debug)]
pub enum Protocol {
    /// Called with the benchmark's name, it prints the figure; nothing if it has none.
    Figure,
    /// An engine that speaks UCI with Stockfish's `go perft`, and what it is asked: benchmark, FEN and depth.
    UciPerft(&'static [(&'static str, &'static str, u32)]),
}
