//! Static exchange evaluation: compared with exchanges that python-chess plays (see `oracles/chess/exchanges.py`), and its laws.

use endspiel_chess::{Board, Centipawns, Chess, Kind, Move, Piece, Position, Setup, Square, Start};
use game::{Game, Notation, Position as _, Rng};
use proptest::prelude::*;

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn see(fen: &str, san: &str) -> Centipawns {
    let position = position(fen);
    position.see(position.parse_san(san).expect(san))
}

/// Compares `see_at_least` with `see` around its value and far from it.
fn assert_thresholds_agree(position: &Position, m: Move) {
    let value = position.see(m);
    for distance in [-5_000, -900, -200, -100, -1, 0, 1, 100, 200, 900, 5_000] {
        let threshold = value + Centipawns(distance);
        assert_eq!(position.see_at_least(m, threshold), distance <= 0, "{position}: {m} >= {threshold}");
    }
    assert!(
        position.see_at_least(m, Centipawns(i32::MIN)) && !position.see_at_least(m, Centipawns(i32::MAX))
    );
    assert_eq!(position.see_at_least(m, Centipawns(0)), value >= Centipawns(0), "{position}: {m}");
}

/// Compares all moves of a text by the script, and returns how many there are.
fn assert_values_are_the_peers(text: &str) -> usize {
    let mut compared = 0;
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let (fen, moves) = row.split_once(" | ").expect("a position and moves");
        let position = position(fen);
        for pair in moves.split(' ') {
            let (uci, value) = pair.split_once('=').expect("a move and its value");
            let m = Chess::STANDARD.parse_move(&position, uci).expect(row);
            assert_eq!(position.see(m), Centipawns(value.parse().expect(row)), "{uci} in {fen}");
            assert_thresholds_agree(&position, m);
            compared += 1;
        }
    }
    compared
}

#[test]
fn values_are_the_peers() {
    let compared = assert_values_are_the_peers(include_str!("../../../fixtures/chess/exchanges.txt"));
    assert!(compared > 10_000, "the fixture has lost its variety");
}

/// Compares a file of the script with another seed. `ENDSPIEL_EXCHANGES` names it.
#[test]
#[ignore = "needs a new file of oracles/chess/exchanges.py"]
fn values_of_other_positions_are_the_peers() {
    let path = std::env::var_os("ENDSPIEL_EXCHANGES").expect("ENDSPIEL_EXCHANGES names a file");
    let text = std::fs::read_to_string(path).expect("a file of the script");
    println!("{} moves agree", assert_values_are_the_peers(&text));
}

#[test]
fn each_rule_has_an_example() {
    let examples = [
        // An undefended man, a defended man, and a trade of equal men.
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
        ("4k3/8/4p3/3p4/8/5B2/8/4K3 w - - 0 1", "Bxd5", -200),
        ("4k3/8/4p3/3n4/8/5B2/8/4K3 w - - 0 1", "Bxd5", 0),
        // A quiet move to a guarded square loses the man; to an unguarded one, nothing.
        ("4k3/8/8/8/8/2p5/8/R3K3 w - - 0 1", "Rd1", 0),
        ("4k3/8/8/8/8/2p5/8/R3K3 w - - 0 1", "Ra2", 0),
        ("4k3/8/8/8/8/2p5/8/R3K3 w - - 0 1", "Rb1", 0),
        ("4k3/8/8/8/8/2p5/8/1R2K3 w - - 0 1", "Rb2", -500),
        // X-rays: the second rook stands behind the first, and the queen behind the bishop.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -400),
        ("4k3/8/4p3/3p4/8/1B6/Q7/4K3 w - - 0 1", "Bxd5", -100),
        // Promotion, by the move itself and by the man that captures back.
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c8=Q", -100),
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "cxd8=Q+", 400),
        ("3r4/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "cxd8=N", 400),
        ("r2rk3/2P5/8/8/8/8/8/3RK3 w - - 0 1", "Rxd8+", 400),
        ("4k3/8/8/8/8/8/2p5/1R2K3 w - - 0 1", "Rd1", -400),
        // En passant takes a man that is not on the target square.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        // A king captures only what is not guarded, and a man behind the king on a line guards.
        ("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
        ("8/8/4k3/3p4/8/5B2/8/3RK3 w - - 0 1", "Rxd5", 100),
        ("8/5k2/4p3/8/2Q5/1B6/8/4K3 w - - 0 1", "Qxe6+", 100),
        // A pinned man does not capture, except along its line.
        ("4k3/4n3/8/3p4/8/5B2/4R3/4K3 w - - 0 1", "Bxd5", 100),
        ("4k3/4r3/8/4p3/8/8/4R3/4K3 w - - 0 1", "Rxe5", -400),
        // The first capture uncovers a check, which no other capture may ignore.
        ("4k3/1p6/8/4N3/8/8/4R3/4K3 w - - 0 1", "Nc6+", 0),
        ("4k3/2p5/3p4/4B3/8/8/4R3/4K3 w - - 0 1", "Bxd6+", 100),
        // Castling is no exchange.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ];
    for (fen, san, value) in examples {
        assert_eq!(see(fen, san), Centipawns(value), "{san} in {fen}");
    }
}

#[test]
fn values_are_written_in_pawns() {
    let texts = [0, 5, -50, 300, -1_300].map(|value| Centipawns(value).to_string());
    assert_eq!(texts, ["0.00", "+0.05", "-0.50", "+3.00", "-13.00"]);
}

/// The position with the colours exchanged and the board turned upside down, so that the other side is to move.
fn exchanged(position: &Position) -> Position {
    let flip = |square: Square| Square::at(square.file(), 7 - square.rank());
    let mut board = Board::EMPTY;
    for (square, Piece { side, kind }) in position.board().pieces() {
        board.set(flip(square), Some(Piece { side: side.other(), kind }));
    }
    let setup = Setup {
        board,
        turn: position.turn().other(),
        castling: position.castling_rooks().iter().map(flip).collect(),
        en_passant: position.en_passant().map(flip),
        clock: position.clock(),
    };
    setup.try_into().expect("the same rules hold for both sides")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn laws_hold(start in 0..Start::COUNT, seed: u64, plies in 0u32..160) {
        let game = Chess::chess960(Start::new(start).expect("a start"));
        let (position, _) = game::playout(&game.start(), plies, &mut Rng::new(seed));
        let other = exchanged(&position);
        let flip = |square: Square| Square::at(square.file(), 7 - square.rank());
        position.for_each_move(|m| {
            assert_thresholds_agree(&position, m);
            let value = position.see(m);
            // Both sides see alike.
            assert_eq!(value, other.see(Move::new(flip(m.from()), flip(m.to()), m.step())), "{position}: {m}");
            // A move wins at most what it takes and gains, and loses at most the man that arrives.
            let taken = position.board().kind_at(m.to()).filter(|_| position.is_capture(m));
            let queening = Kind::Queen.value() - Kind::Pawn.value();
            let most = taken.map_or(Kind::Pawn.value(), Kind::value) + m.arriving().value() - m.kind().value();
            assert!(value <= most, "{position}: {m}");
            assert!(value >= -(m.kind().value() + queening), "{position}: {m}");
        });
    }
}
