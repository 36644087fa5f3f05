//! The engine of chess with the protocol UCI, as a small program of its own.

use std::io;

fn main() -> io::Result<()> {
    endspiel_search::protocol::uci(io::stdin().lock(), io::stdout())
}
