//! Moves in SAN: written moves are read back, they equal those of python-chess (see `oracles/chess/san.py`), many spellings
//! are accepted, and unclear texts are refused.

use endspiel_chess::{Chess, Move, Position, San, SanError, Start};
use game::{Game, Notation, Position as _, Rng};
use proptest::prelude::*;
use std::collections::HashSet;

const FIXTURE: &str = include_str!("../../../fixtures/chess/san.txt");

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn texts_are_the_peers() {
    let mut compared = 0;
    for row in FIXTURE.lines().skip(1) {
        let (fen, moves) = row.split_once(" | ").expect("a position and moves");
        let position = position(fen);
        assert_eq!(position.epd_fields(), fen);
        for pair in moves.split(' ') {
            let (uci, san) = pair.split_once('=').expect("a move in two notations");
            let m = Chess::STANDARD.parse_move(&position, uci).expect(row);
            assert_eq!(position.san(m).to_string(), san, "{row}");
            assert_eq!(position.parse_san(san), Ok(m), "{row}");
            compared += 1;
        }
    }
    assert!(compared > 10_000, "the fixture has lost its variety");
}

proptest! {
    #[test]
    fn texts_return_and_differ(start in 0..Start::COUNT, seed: u64, plies in 0u32..200) {
        let game = Chess::chess960(Start::new(start).expect("a start"));
        let (position, _) = game::playout(&game.start(), plies, &mut Rng::new(seed));
        let mut texts = HashSet::new();
        position.for_each_move(|m| {
            let san = position.san(m);
            let text = san.to_string();
            assert_eq!(position.parse_san(&text), Ok(m), "{text} in {position}");
            assert_eq!(text.parse::<San>(), Ok(san));
            assert_eq!(game.parse_move(&position, &text), Ok(m), "{text} in {position}");
            assert!(texts.insert(text), "{san} twice in {position}");
        });
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "[a-hKQRBNO0-9x=+#!?(). -]{0,9}|\\PC{0,6}", seed: u64) {
        let (position, _) = game::playout(&Chess::STANDARD.start(), 40, &mut Rng::new(seed));
        if let Ok(m) = position.parse_san(&text) {
            prop_assert!(position.is_legal(m));
        }
    }
}

#[test]
fn pieces_are_told_apart_by_as_little_as_it_takes() {
    // Other pieces on the same file, on the same rank, on both, and a pinned one, which need not be told apart.
    let expected = [
        ("4k3/8/8/8/8/2N5/8/2N1K3 w - - 0 1", "c1e2", "N1e2"),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/8/8/1N3N2/8/1N2K3 w - - 0 1", "b1d2", "N1d2"),
        ("4k3/8/8/8/8/1N3N2/8/1N2K3 w - - 0 1", "b3d2", "Nb3d2"),
        ("4k3/8/8/8/8/1N3N2/8/1N2K3 w - - 0 1", "f3d2", "Nfd2"),
        ("4k3/4r3/8/8/4N3/8/4K3/1N6 w - - 0 1", "b1c3", "Nc3"),
        ("8/8/2k5/5pP1/8/8/8/4K3 w - f6 0 1", "g5f6", "gxf6"),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("5k2/8/5K2/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
    ];
    for (fen, uci, san) in expected {
        let position = position(fen);
        let m = Chess::STANDARD.parse_move(&position, uci).expect(uci);
        assert_eq!(position.san(m).to_string(), san, "{fen}");
    }
}

fn read(fen: &str, text: &str) -> Result<Move, SanError> {
    position(fen).parse_san(text)
}

#[test]
fn many_spellings_are_understood() {
    let alike = |fen: &str, texts: &[&str]| {
        let first = read(fen, texts[0]).expect(texts[0]);
        texts.iter().for_each(|text| assert_eq!(read(fen, text), Ok(first), "{text}"));
    };
    let start = Chess::STANDARD.start().to_string();
    alike(
        &start,
        &[
            "Nf3", "nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "♘f3", "♞f3", "Nxf3", "Nf3+",
            "Nf3#", "Nf3=", "Nf3!?", " Nf3 ",
        ],
    );
    alike(&start, &["e4", "e2e4", "e2-e4", "Pe4", "ee4", "e4!!"]);
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    alike(castling, &["O-O", "0-0", "o-o", "OO", "00", "O-O+", "e1g1", "e1-g1", "e1h1"]);
    alike(castling, &["O-O-O", "0-0-0", "o-o-o", "OOO", "000", "e1c1", "e1a1"]);
    let promoting = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
    alike(promoting, &["e8=Q+", "e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=q", "e8q", "e7e8q", "e7-e8=Q"]);
    alike(promoting, &["exd8=N", "ed8n", "e7xd8N", "e:d8=N", "xd8=N"]);
    alike("8/8/2k5/5pP1/8/8/8/4K3 w - f6 0 1", &["gxf6", "gxf6 e.p.", "gxf6e.p.", "gxf6ep", "gf6"]);
}

#[test]
fn what_is_not_clear_is_refused() {
    let start = Chess::STANDARD.start().to_string();
    let error = |fen: &str, text: &str| read(fen, text).expect_err(text).to_string();
    let no_move = "is not written as a move, such as `Nf3`, `exd5`, `e8=Q` or `O-O`";
    for text in
        ["", "N", "Ni3", "hello", "e9", "O-O-O-O", "e8=K", "e8=P", "Nf3=Q", "\u{1f600}", "--", "Nbxxd2"]
    {
        assert_eq!(error(&start, text), format!("`{text}` {no_move}"));
    }
    assert_eq!(error(&start, "Nf6"), "`Nf6` is not a legal move here");
    assert_eq!(error(&start, "O-O"), "`O-O` is not a legal move here");
    assert_eq!(error("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2"), "`Nd2` could be Nbd2 or Nfd2");
    // A promotion must name the new piece, a pawn's capture must name its file, and `b` is a file.
    assert!(matches!(read("6k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8"), Err(SanError::Illegal { .. })));
    assert!(matches!(read("6k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5"), Err(SanError::Illegal { .. })));
    assert!(matches!(read("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "bc4"), Err(SanError::Illegal { .. })));
    // `P` always means a pawn, and a capital letter is not a file.
    assert!(matches!(read(&start, "Pg1f3"), Err(SanError::Illegal { .. })));
    assert!(matches!(read(&start, "B4"), Err(SanError::Syntax { .. })));
}
