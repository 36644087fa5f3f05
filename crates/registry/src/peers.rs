//! Programs of other people that can run our benchmarks.

/// A program of other people, to be measured beside ours.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The usual name of the program.
    pub name: &'static str,
    /// The name of its executable on the path.
    pub program: &'static str,
    /// The command that installs it.
    pub installed_by: &'static str,
    /// How it is asked for a benchmark.
    pub protocol: Protocol,
}

/// How a peer is asked for a benchmark.
#[derive(Clone, Copy, Debug)]
pub enum Protocol {
    /// The program is called with the name of the benchmark. It prints the figure, or nothing if it does not measure it.
    Figure,
    /// A UCI engine that has Stockfish's command `go perft`. The list has the name, the FEN and the depth of each benchmark.
    UciPerft(&'static [(&'static str, &'static str, u32)]),
}
