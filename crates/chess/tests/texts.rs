//! The exact error messages for wrong input; the dialects of FEN; the notations of castling; the drawing of a board.

use endspiel_chess::{Chess, Position, Start};
use game::{Game, Notation, Position as _, Style};

fn error(text: &str) -> String {
    text.parse::<Position>().expect_err(text).to_string()
}

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

#[test]
fn wrong_fields() {
    let expected = |found: usize| {
        format!(
            "4 to 6 fields are needed, not {found}: pieces, side to move, castling, en passant, quiet plies, move \
             number, as in `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`"
        )
    };
    assert_eq!(error(""), expected(0));
    assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w -"), expected(3));
    assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2"), expected(7));
}

#[test]
fn wrong_ranks() {
    assert_eq!(error("4k3/8 w - - 0 1"), "8 ranks separated by `/` are needed, not 2 as in `4k3/8`");
    assert_eq!(error("4k3/9/8/8/8/8/8/4K3 w - - 0 1"), format!("`9` in rank 7 `9` {NO_PIECE}"));
    assert_eq!(error("4k3/8/7/8/8/8/8/4K3 w - - 0 1"), "rank 6 `7` has a width of 7 squares instead of 8");
    assert_eq!(error("4k3/8//8/8/8/8/4K3 w - - 0 1"), "rank 6 `` has a width of 0 squares instead of 8");
    assert_eq!(
        error("4k3/8/pppppppppp/8/8/8/8/4K3 w - - 0 1"),
        "rank 6 `pppppppppp` has a width of 10 squares instead of 8"
    );
    assert_eq!(error("4k3/8/88/8/8/8/8/4K3 w - - 0 1"), "rank 6 `88` has a width of 16 squares instead of 8");
    assert_eq!(error("4k3/8/8/8/8/4x3/8/4K3 w - - 0 1"), format!("`x` in rank 3 `4x3` {NO_PIECE}"));
    assert_eq!(error("4k3/8/8/8/8/♔7/8/4K3 w - - 0 1"), format!("`♔` in rank 3 `♔7` {NO_PIECE}"));
}

const NO_PIECE: &str = "is not a piece; pieces are P N B R Q K for White, p n b r q k for Black, and 1 to 8 stand for \
                        empty squares";

#[test]
fn wrong_turn_and_clocks() {
    let turn = "it is either `w` (White) or `b` (Black)";
    assert_eq!(error(&format!("{KINGS} x - - 0 1")), format!("side to move is `x`; {turn}"));
    assert_eq!(error(&format!("{KINGS} W - - 0 1")), format!("side to move is `W`; {turn}"));
    let number = "it is a whole number up to 65,535";
    assert_eq!(error(&format!("{KINGS} w - - x 1")), format!("the number of quiet plies is `x`; {number}"));
    assert_eq!(error(&format!("{KINGS} w - - +1 1")), format!("the number of quiet plies is `+1`; {number}"));
    assert_eq!(error(&format!("{KINGS} w - - 0 65536")), format!("the move number is `65536`; {number}"));
}

#[test]
fn wrong_castling() {
    let letters =
        "they are `-`, or letters K Q k q, or the files of the rooks (A to H for White, a to h for Black)";
    assert_eq!(error(&format!("{KINGS} w X - 0 1")), format!("castling rights are `X`; {letters}"));
    let no_rook = "there must be a rook there, and the king on the same home rank";
    assert_eq!(error(&format!("{KINGS} w K - 0 1")), format!("White cannot castle with h1: {no_rook}"));
    assert_eq!(error("4k2r/8/8/8/8/8/8/4K2R w KQ - 0 1"), format!("White cannot castle with a1: {no_rook}"));
    assert_eq!(error("4k2r/8/8/8/8/8/4K3/7R w K - 0 1"), format!("White cannot castle with h1: {no_rook}"));
    assert_eq!(error("r3k3/8/8/8/8/8/8/7K w Kd - 0 1"), {
        format!("White cannot castle with h1: {no_rook}; Black cannot castle with d8: {no_rook}")
    });
    assert_eq!(
        error("4k1rr/8/8/8/8/8/8/4K3 w gh - 0 1"),
        "Black has two rooks that may castle to the same side: g8 h8"
    );
}

#[test]
fn wrong_en_passant() {
    assert_eq!(
        error(&format!("{KINGS} w - e9 0 1")),
        "en-passant square is `e9`; it is `-` or a square, as in `e3`"
    );
    let passed = |square| format!("no pawn can just have passed {square} by a double step");
    assert_eq!(error(&format!("{KINGS} w - e6 0 1")), passed("e6"));
    assert_eq!(error("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1"), passed("e3"));
    assert_eq!(error("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1"), passed("e3"));
}

#[test]
fn wrong_pieces() {
    assert_eq!(error("8/8/8/8/8/8/8/4K3 w - - 0 1"), "Black needs one king, not 0");
    assert_eq!(error("4k3/8/8/8/8/8/8/3KK3 w - - 0 1"), "White needs one king, not 2");
    assert_eq!(
        error("4k3/8/8/8/8/8/8/p3K3 w - - 0 1"),
        "a pawn on a1: pawns are never on the first or last rank"
    );
    assert_eq!(error("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"), "White has 9 pawns; at most 8 are possible");
    assert_eq!(
        error("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1"),
        "White has 17 pieces; at most 16 are possible"
    );
    assert_eq!(
        error("4k3/8/8/8/8/8/8/K3R3 w - - 0 1"),
        "it is White's turn, but Black's king on e8 is attacked: it could be taken"
    );
}

#[test]
fn what_is_read_leniently_is_printed_in_one_way() {
    let read = |text: &str| position(text).to_string();
    // Clocks left out, the move number 0, spaces.
    assert_eq!(read("4k3/8/8/8/8/8/4P3/4K3 w - -"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(read("4k3/8/8/8/8/8/4P3/4K3  b - -  7 0 "), "4k3/8/8/8/8/8/4P3/4K3 b - - 7 1");
    assert_eq!(read("4k3/8/8/44/8/8/4P3/4K3 b - - 7"), "4k3/8/8/8/8/8/4P3/4K3 b - - 7 1");
    // An en-passant square on which no pawn can capture.
    let pushed = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(read(&format!("{pushed} e3 0 1")), format!("{pushed} - 0 1"));
    // Three dialects, letters in any order.
    let start = Start::STANDARD.position().to_string();
    for letters in ["KQkq", "HAha", "qkQK", "KAkq", "kqHA"] {
        assert_eq!(read(&start.replace("KQkq", letters)), start);
    }
    // X-FEN names the file of a rook that is not the outermost.
    let inner = "1r2k1r1/8/8/8/8/8/8/1RR1K1RR w GCgb - 0 1";
    assert_eq!(read(inner), "1r2k1r1/8/8/8/8/8/8/1RR1K1RR w GCkq - 0 1");
    assert_eq!(position(inner).shredder_fen(), inner);
    assert_eq!(read("1r2k1r1/8/8/8/8/8/8/1RR1K1RR w Kq - 0 1"), "1r2k1r1/8/8/8/8/8/8/1RR1K1RR w Kq - 0 1");
    let example = Chess::INFO.example_position;
    assert_eq!(read(example), example);
}

/// Checks the texts of all castling moves of a position, and other texts that must be read as the same moves.
fn assert_castling(chess: Chess, fen: &str, expected: &[(&str, &[&str])]) {
    let position = position(fen);
    let castling: Vec<_> = position.moves().into_iter().filter(|m| m.is_castling()).collect();
    let mut written: Vec<_> = castling.iter().map(|&m| chess.move_text(&position, m)).collect();
    written.sort();
    assert_eq!(written, expected.iter().map(|(text, _)| *text).collect::<Vec<_>>(), "{fen}");
    for (text, others) in expected {
        let m = chess.parse_move(&position, text).expect(text);
        assert!(m.is_castling(), "{text}");
        for other in *others {
            assert_eq!(chess.parse_move(&position, other), Ok(m), "{other} in {fen}");
        }
    }
}

#[test]
fn castling_is_written_as_the_variant_does_and_read_in_any_way() {
    let chess960 = Chess::chess960(Start::STANDARD);
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let (short, long): (&[_], &[_]) = (&["e1h1", "O-O", "0-0", "E1G1"], &["e1a1", "O-O-O", "0-0-0"]);
    assert_castling(Chess::STANDARD, both, &[("e1c1", long), ("e1g1", short)]);
    assert_castling(chess960, both, &[("e1a1", &["e1c1", "O-O-O"]), ("e1h1", &["e1g1", "O-O"])]);
    let black = both.replace(" w ", " b ");
    assert_castling(Chess::STANDARD, &black, &[("e8c8", &["e8a8"]), ("e8g8", &["e8h8", "O-O"])]);
    // Not the usual start squares: castling is written as the king taking its rook in both variants.
    let inner = "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1";
    for chess in [Chess::STANDARD, chess960] {
        assert_castling(chess, inner, &[("e1b1", &["e1c1", "O-O-O"]), ("e1g1", &["O-O"])]);
        // A text that fits a step of the king means the step, not castling.
        let beside = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        assert_castling(chess, beside, &[("f1h1", &["O-O"])]);
        let step = chess.parse_move(&position(beside), "f1g1").expect("a step");
        assert!(!step.is_castling());
    }
}

#[test]
fn promotions_are_read_in_either_case() {
    let position = position("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let read = |text: &str| Chess::STANDARD.parse_move(&position, text);
    for (text, others) in [("e7e8q", ["e7e8Q", "E7E8Q", "e8=Q"]), ("e7d8n", ["e7d8N", "E7D8n", "exd8=N+"])] {
        let m = read(text).expect(text);
        assert_eq!(Chess::STANDARD.move_text(&position, m), text);
        others.iter().for_each(|other| assert_eq!(read(other), Ok(m), "{other}"));
    }
}

#[test]
fn a_bishops_rank_is_no_square() {
    let position = position("4k3/8/8/B7/8/4B3/8/4K3 w - - 0 1");
    let m = Chess::STANDARD.parse_move(&position, "B5d2").expect("from the fifth rank");
    assert_eq!(m.from().to_string(), "a5");
}

#[test]
fn wrong_moves() {
    let start = Chess::STANDARD.start();
    let error = |text: &str| Chess::STANDARD.parse_move(&start, text).expect_err(text).to_string();
    assert_eq!(error("e2e5"), "`e2e5` is not a legal move here; similar ones are e2e3, e2e4");
    assert_eq!(error("e2"), "`e2` is not a legal move here; similar ones are e3, e4");
    assert_eq!(error("e2e9"), "`e2e9` is not a legal move here; similar ones are e2e3, e2e4");
    assert_eq!(error("Nf6"), "`Nf6` is not a legal move here; similar ones are Na3, Nc3, Nf3, Nh3");
    assert_eq!(error("e5"), "`e5` is not a legal move here; similar ones are e3, e4");
    let format = Chess::INFO.move_format;
    for text in ["e3e4", "O-O"] {
        assert_eq!(error(text), format!("`{text}` is not a legal move here"));
    }
    for text in ["", "e7e8k", "hello", "é", "a1\u{0}b"] {
        let expected = format!(" is not a legal move here; moves are written {format}");
        assert!(error(text).ends_with(&expected), "{text}");
    }
    let promoting = position("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let error = |text: &str| Chess::STANDARD.parse_move(&promoting, text).expect_err(text).to_string();
    assert_eq!(error("e7e8"), "`e7e8` is not a legal move here; similar ones are e7e8b, e7e8n, e7e8q, e7e8r");
    assert_eq!(error("e8"), "`e8` is not a legal move here; similar ones are e8=B, e8=N, e8=Q+, e8=R+");
    let knights = position("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1");
    let error = Chess::STANDARD.parse_move(&knights, "Nd2").expect_err("two knights").to_string();
    assert_eq!(error, "`Nd2` could be several moves: Nbd2, Nfd2");
}

/// If one castling move needs the notation of Chess960, all castling moves use it: no engine reads both in one position.
#[test]
fn a_position_castles_in_one_dialect() {
    let texts = |fen| -> Vec<String> {
        let position = position(fen);
        let castling = position.moves().into_iter().filter(|m| m.is_castling());
        castling.map(|m| Chess::STANDARD.move_text(&position, m)).collect()
    };
    assert_eq!(texts("1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1"), ["e1b1", "e1h1"]);
    assert_eq!(texts("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ["e1c1", "e1g1"]);
}

#[test]
fn positions_as_engines_and_suites_write_them() {
    let read = |text: &str| Chess::STANDARD.parse_position(text).map(|position| position.to_string());
    let start = Chess::STANDARD.start().to_string();
    assert_eq!(read("startpos"), Ok(start.clone()));
    assert_eq!(read(&format!("{start} ;D1 20 ;D2 400")), Ok(start));
    assert!(read(";D1 20").is_err());
}

#[test]
fn the_picture_of_a_board() {
    let position = position("r3k2r/8/8/8/3pP3/8/8/R3K1qR w Kkq - 0 1");
    let expected = "
  +-----------------+
8 | r · · · k · · r |   black, may castle O-O O-O-O
7 | · · · · · · · · |
6 | · · · · · · · · |
5 | · · · · · · · · |
4 | · · · p P · · · |
3 | · · · · · · · · |
2 | · · · · · · · · |
1 | R · · · K · q R |   white to move, in check, may castle O-O
  +-----------------+
    a b c d e f g h
";
    assert_eq!(Chess::STANDARD.draw(&position, Style::Plain), expected[1..]);
    let coloured = Chess::STANDARD.draw(&position, Style::Coloured);
    let mut in_escape = false;
    let plain: String = coloured
        .chars()
        .filter(|&c| {
            in_escape |= c == '\x1b';
            let shown = !in_escape;
            in_escape &= c != 'm';
            shown
        })
        .collect();
    assert_eq!(plain, expected[1..], "colours add nothing but colour");
    let beside = |fen: &str, line: usize| {
        let drawn = Chess::STANDARD.draw(&self::position(fen), Style::Plain);
        drawn.lines().nth(line).and_then(|line| line.split_once("|   ")).expect(fen).1.to_owned()
    };
    assert_eq!(beside("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", 1), "black to move, en passant on e3");
    assert_eq!(beside("R3k3/7R/8/8/8/8/8/4K3 b - - 0 1", 1), "black, in check");
}

#[test]
fn operations_of_epd_are_passed_over() {
    let start = Chess::STANDARD.start();
    let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for behind in ["", " ;D1 20 ;D2 400", " bm e4;", " 0 1 id \"x\";", " 0 1 ;D1 20"] {
        assert_eq!(Chess::STANDARD.parse_position(&format!("{fields}{behind}")), Ok(start), "{behind}");
    }
    assert_eq!(Chess::STANDARD.parse_position("startpos ;D1 20"), Ok(start));
    let error = Chess::STANDARD.parse_position("8/8 w - - bm e4;").expect_err("no board").to_string();
    assert!(error.contains("8 ranks"), "{error}");
}
