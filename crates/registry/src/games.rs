//! The only list of the games.

use crate::peers::{Peer, Protocol};
use crate::records::{CSA, KIF, MAT, PGN};
use crate::{Entry, LineFormat, Registry};
use backgammon::Backgammon;
use chess::{Chess, pgn};
use cotulenh::CoTuLenh;
use dobutsu::Dobutsu;
use game::Position as _;
use kernels::chess::ChessKernel;
use kernels::onitama::OnitamaKernel;
use kernels::shogi::ShogiKernel;
use onitama::Onitama;
use search::chess::bench_chess;
use search::shogi::bench_shogi;
use shogi::Shogi;
use shogi::records::{self, csa, kif};

impl Registry {
    /// All games of this workspace, each with its capabilities.
    pub fn standard() -> Self {
        Self::default()
            .with(Entry::<Dobutsu>::default().tables().environment())
            .with(Entry::<Onitama>::default().tables_by::<OnitamaKernel>().environment())
            .with(
                Entry::<Chess>::default()
                    .line_formats(&[LineFormat { name: "pgn", write: pgn_of }])
                    .record_formats(&[PGN])
                    .rule50(|position| position.clock().quiet_plies)
                    .tables_by::<ChessKernel>()
                    .syzygy()
                    .threats()
                    .benchmarks(chess::BENCHMARKS)
                    .search(bench_chess)
                    .peers(CHESS),
            )
            .with(
                Entry::<Shogi>::default()
                    .line_formats(&[
                        LineFormat {
                            name: "kif",
                            write: |start, moves| shogi_line(kif::write, start, moves),
                        },
                        LineFormat {
                            name: "csa",
                            write: |start, moves| shogi_line(csa::write, start, moves),
                        },
                    ])
                    .record_formats(&[KIF, CSA])
                    .tables_by::<ShogiKernel>()
                    .benchmarks(shogi::BENCHMARKS)
                    .search(bench_shogi)
                    .peers(SHOGI),
            )
            .with(Entry::<CoTuLenh>::default().tables().benchmarks(cotulenh::BENCHMARKS))
            .with(
                Entry::<Backgammon>::default()
                    .annotated(env::backgammon::move_notes)
                    .environment()
                    .matches()
                    .record_formats(&[MAT])
                    .equities()
                    .benchmarks(backgammon::BENCHMARKS)
                    .benchmarks(env::backgammon::BENCHMARKS)
                    .peers(BACKGAMMON),
            )
    }
}

/// A line of chess moves in PGN.
fn pgn_of(start: &chess::Position, moves: &[chess::Move]) -> String {
    let mut game = pgn::Game::of_moves(*start, moves).expect("a line has legal moves");
    let mut positions = vec![*start];
    moves.iter().for_each(|&m| positions.extend(positions.last().map(|last| last.play_unchecked(m))));
    let Some((end, before)) = positions.split_last() else { return game.to_string() };
    // A best line repeats a position, or comes to the end of the clock, only if it is drawn.
    let is_drawn = before.contains(end) || end.is_claimable_by_fifty_moves();
    if end.outcome().is_none() && is_drawn {
        game.verdict = pgn::Verdict::Draw;
    }
    game.to_string()
}

/// A line of shogi moves in a format of game records.
fn shogi_line(write: fn(&records::Game) -> String, start: &shogi::Position, moves: &[shogi::Move]) -> String {
    write(&records::Game::of_moves(*start, moves).expect("a line has legal moves"))
}

const CHESS: &[Peer] = &[
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
];

const SHOGI: &[Peer] = &[
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
];

const BACKGAMMON: &[Peer] = &[Peer {
    name: "bkgm",
    program: "endspiel-peer-bkgm",
    installed_by: "cargo install --path oracles/backgammon/bkgm",
    protocol: Protocol::Figure,
}];
