//! The engine of shogi with the protocol USI, as a small program of its own.

use std::io;

fn main() -> io::Result<()> {
    endspiel_search::protocol::usi(io::stdin().lock(), io::stdout())
}
