//! What an engine asks about a position: attacks, checkers, pins, legal moves, SAN, and static exchange evaluation.
//!
//!     cargo run -p endspiel-chess --example threats
//!     cargo run -p endspiel-chess --example threats -- "4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1" Nd5

use endspiel_chess::Centipawns;
use endspiel_chess::prelude::*;
use std::error::Error;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position = arguments.next().as_deref().unwrap_or(KIWIPETE).parse()?;
    let board = position.board();

    // Attacks from a square, or of a whole side. They work on any board, legal or not.
    for side in Side::ALL {
        println!("{side:?} attacks {} squares:\n{}", board.attack_map(side).len(), board.attack_map(side));
    }
    let king = position.king(position.turn());
    let attackers = board.attackers(king, position.turn().other());
    assert_eq!(attackers, position.checkers());
    assert_eq!(!attackers.is_empty(), board.is_attacked(king, position.turn().other()));
    println!("{} pieces give check", attackers.len());

    for pin in Side::ALL.into_iter().flat_map(|side| board.pins(side)) {
        println!("{} is pinned by {} and stays on\n{}", pin.pinned, pin.pinner, pin.line);
    }
    for hanging in position.hanging(position.turn().other()) {
        println!("{} hangs: {} wins {}", hanging.man, position.san(hanging.capture), hanging.wins);
    }

    // Captures that do not lose material, best first, as a search would order them.
    let mut captures: Vec<_> = position.moves().into_iter().filter(|&m| position.is_capture(m)).collect();
    captures.retain(|&m| position.see_at_least(m, Centipawns(0)));
    captures.sort_by_key(|&m| -position.see(m));
    for m in captures {
        println!("{:<8} {:>6}", position.san(m).to_string(), position.see(m).to_string());
    }

    // A move from outside: as people write it (Nf3) or as engines do (g1f3). It is parsed, and it is legal or an error.
    if let Some(text) = arguments.next() {
        let m = Chess::STANDARD.parse_move(&position, &text)?;
        assert!(position.is_legal(m));
        println!("{} is legal, and leads to {}", position.san(m), position.play_unchecked(m));
    }
    Ok(())
}
