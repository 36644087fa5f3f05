//! Programs of other people that measure the same as our benchmarks, and how one gets them.

use backgammon::Backgammon;
use chess::Chess;
use game::Game;
use shogi::Shogi;

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

/// The peers of a game, best first.
pub(crate) fn of(game: &str) -> &'static [Peer] {
    PEERS.iter().find(|(name, _)| *name == game).map_or(&[], |(_, peers)| peers)
}

/// By the name of the game.
const PEERS: &[(&str, &[Peer])] = &[
    (
        Chess::INFO.name,
        &[
            Peer {
                name: "cozy-chess",
                program: "endspiel-peer-cozy",
                installed_by: "cargo install --path oracles/chess/cozy",
                protocol: Protocol::Figure,
            },
            Peer {
                name: "Stockfish",
                program: "stockfish",
                installed_by: "apt-get install stockfish",
                protocol: Protocol::UciPerft(chess::PERFTS),
            },
        ],
    ),
    (
        Shogi::INFO.name,
        &[
            Peer {
                name: "rsshogi",
                program: "endspiel-peer-rsshogi",
                installed_by: "cargo install --path oracles/shogi/rsshogi",
                protocol: Protocol::Figure,
            },
            Peer {
                name: "haitaka",
                program: "endspiel-peer-haitaka",
                installed_by: "cargo install --path oracles/shogi/haitaka",
                protocol: Protocol::Figure,
            },
        ],
    ),
    (
        Backgammon::INFO.name,
        &[Peer {
            name: "bkgm",
            program: "endspiel-peer-bkgm",
            installed_by: "cargo install --path oracles/backgammon/bkgm",
            protocol: Protocol::Figure,
        }],
    ),
];
