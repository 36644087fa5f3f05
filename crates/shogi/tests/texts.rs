//! The exact error messages for wrong input, texts that are read tolerantly, and drawn boards.

use endspiel_shogi::{IMPASSE, Position, Script, Shogi};
use game::{Game, Notation, Options, Position as _, Style};

fn error(text: &str) -> String {
    text.parse::<Position>().expect_err(text).to_string()
}

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

#[test]
fn wrong_fields() {
    let expected = |found: usize| {
        format!(
            "3 or 4 fields are needed, not {found}: board, side to move, hands, move number, as in \
             `lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1`"
        )
    };
    assert_eq!(error(""), expected(0));
    assert_eq!(error(&format!("{KINGS} b")), expected(2));
    assert_eq!(error(&format!("{KINGS} b - 1 2")), expected(5));
    assert_eq!(error(&format!("{KINGS} x - 1")), "`x` is not a side: `b` or `w`");
    let number = "is not a move number: a whole number up to 65,535";
    for wrong in ["x", "+1", "-1", "65536", "99999999999999999999"] {
        assert_eq!(error(&format!("{KINGS} b - {wrong}")), format!("`{wrong}` {number}"));
    }
}

#[test]
fn wrong_boards() {
    assert_eq!(error("9/9 b - 1"), "a board has 9 ranks, not 2");
    let board = |rank: &str| error(&format!("4k4/{rank}/9/9/9/9/9/9/4K4 b - 1"));
    assert_eq!(board("8"), "rank b, `8`, is not 9 squares wide");
    assert_eq!(board(""), "rank b, ``, is not 9 squares wide");
    assert_eq!(board("9P"), "rank b, `9P`, is not 9 squares wide");
    assert_eq!(board(&"9".repeat(300)), format!("rank b, `{}…`, is not 9 squares wide", "9".repeat(200)));
    let no_man = "is no man: K R B G S N L P, `+` before those that have promoted, lower case for White";
    assert_eq!(board("4x4"), format!("`x` in rank b {no_man}"));
    assert_eq!(board("4歩4"), format!("`歩` in rank b {no_man}"));
    assert_eq!(board("08P"), format!("`0` in rank b {no_man}"));
    assert_eq!(board("8+"), format!("`+` in rank b {no_man}"));
    assert_eq!(board("4+g4"), "`+g` in rank b: golds and kings do not promote");
}

#[test]
fn wrong_hands() {
    for wrong in ["", "x", "0P", "K", "2", "P2", "101P", "99999999999P", "P4294967295P", "--", "60P60P"] {
        let text = format!("{KINGS} b {} 1", if wrong.is_empty() { "''" } else { wrong });
        let shown = if wrong.is_empty() { "''" } else { wrong };
        assert_eq!(
            error(&text),
            format!(
                "`{shown}` is not a list of men in hand: letters with their number before them, such as `R2Pb`, or `-`"
            )
        );
    }
}

#[test]
fn positions_that_no_game_has() {
    assert_eq!(error("9/9/9/9/9/9/9/9/4K4 b - 1"), "White needs one king, not 0");
    assert_eq!(error("4k4/9/9/9/9/9/9/9/4KK3 b - 1"), "Black needs one king, not 2");
    assert_eq!(error(&format!("{KINGS} b 18Pp 1")), "there are 19 of the kind pawn; a set has 18");
    assert_eq!(error(&format!("{KINGS} b 100P 1")), "there are 100 of the kind pawn; a set has 18");
    assert_eq!(error(&format!("{KINGS} b 3B 1")), "there are 3 of the kind bishop; a set has 2");
    assert_eq!(error("4k4/9/9/9/9/9/9/9/GG2K2+SS b 2g3s 1"), "there are 5 of the kind silver; a set has 4");
    assert_eq!(error("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), "Black's pawn on 9a could never move");
    assert_eq!(error("4k4/8N/9/9/9/9/9/9/4K4 b - 1"), "Black's knight on 1b could never move");
    assert_eq!(error("4k4/9/9/9/9/9/9/9/l3K4 b - 1"), "White's lance on 9i could never move");
    assert_eq!(error("4k4/p8/9/p8/9/9/9/9/4K4 b - 1"), "White has 2 pawns on file 9");
    assert_eq!(
        error("4k4/4R4/9/9/9/9/9/9/4K4 b - 1"),
        "it is Black's turn, but White's king on 5a is attacked: it could be taken"
    );
    // A promoted pawn does not count as a pawn.
    position("4k4/p8/9/+p8/9/9/9/9/4K4 b - 1");
}

#[test]
fn texts_are_read_with_patience_and_written_one_way() {
    let start = Shogi::default().start();
    for text in [
        "startpos",
        " lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 0",
        "lnsgkgsnl/1r5b1/ppppppppp/45/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ] {
        assert_eq!(position(text), start);
        assert_eq!(position(text).to_string(), start.to_string(), "{text}");
    }
    let mixed = position(&format!("{KINGS} w p2PbRP3s 7"));
    assert_eq!(mixed.to_string(), format!("{KINGS} w R3Pb3sp 7"));
}

#[test]
fn moves_are_read_in_either_case_and_errors_name_the_like() {
    let shogi = Shogi::default();
    let start = shogi.start();
    assert_eq!(shogi.parse_move(&start, "7G7F"), shogi.parse_move(&start, "7g7f"));
    assert_eq!(shogi.parse_move(&start, "7g7f="), shogi.parse_move(&start, "7g7f"));
    let error = |text: &str| shogi.parse_move(&start, text).expect_err(text).to_string();
    assert_eq!(
        error("8h5e"),
        "`8h5e` is not a legal move here; moves are written as in USI, such as 7g7f, 2b3c+, P*5e"
    );
    assert_eq!(
        error("2h2b"),
        "`2h2b` is not a legal move here; similar ones are 2h1h, 2h3h, 2h4h, 2h5h, 2h6h, 2h7h"
    );
    assert_eq!(
        error("P*5"),
        "`P*5` is not a legal move here; moves are written as in USI, such as 7g7f, 2b3c+, P*5e"
    );
    for text in ["", "7g", "P*5e", "K*5e", "0g7f", "7g7j", "７六金", "+", "P*5e+"] {
        assert!(shogi.parse_move(&start, text).is_err(), "{text}");
    }
}

#[test]
fn boards_are_drawn_with_kanji_or_letters() {
    let position = position("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1");
    let kanji = "  9  8  7  6  5  4  3  2  1
+---------------------------+
|v香 ・ ・ ・ ・ 銀 ・ ・v香| a   white to move, in hand: 角
| ・ ・ ・ ・v金 ・v金v銀 ・| b
| ・ ・ ・ ・ ・v歩 ・v歩 ・| c
|v歩v飛 ・ ・ 桂 ・v歩v玉v歩| d
| ・ ・ ・ ・ 金v桂 ・ ・ ・| e
| 歩 歩 ・ ・ ・ 歩 歩 歩 歩| f
| ・ ・ 金 歩 歩 ・ ・ ・ ・| g
| ・ 玉 ・ ・ ・ ・ ・ ・ ・| h
| 香 ・ ・ ・v飛v全 ・ ・ 香| i   black, in hand: 角 銀 桂×2 歩×5
+---------------------------+
";
    assert_eq!(Shogi::default().draw(&position, Style::Plain), kanji);
    let letters = Shogi { script: Script::Letters, ..Shogi::default() }.draw(&position, Style::Plain);
    assert!(letters.contains("| L  ·  ·  ·  r +s  ·  ·  L | i   black, in hand: B S N×2 P×5\n"), "{letters}");
}

#[test]
fn wrong_options() {
    let mut options = Options::default();
    options.set(&IMPASSE, "28".to_owned());
    let error = Shogi::new(&options).expect_err("no such rule").to_string();
    assert_eq!(error, "impasse is `28`; it is one of `none`, `27`, `24` and `try`");
    assert_eq!(Shogi::default().start().count_moves(), 30);
}

#[test]
fn what_a_rule_forbids_is_told_with_the_rule() {
    let told = |sfen: &str, text: &str| {
        let error = Shogi::default().parse_move(&position(sfen), text).expect_err(text).to_string();
        error.replace(&format!("`{text}` is not a legal move here"), "")
    };
    let hemmed = "7nk/9/7GG/9/9/9/9/9/4K4 b SP 1";
    assert_eq!(told(hemmed, "P*1b"), ": a dropped pawn must not mate");
    assert_eq!(told(hemmed, "P*1a"), ": the square is not empty");
    assert_eq!(told(hemmed, "L*5e"), ": there is none in hand");
    assert_eq!(told(hemmed, "P*5a"), ": it could never move again");
    assert_eq!(told(hemmed, "5i5h+"), ": it does not promote there");
    assert_eq!(told("4k4/9/9/9/4P4/9/9/9/4K4 b P 1", "P*5h"), ": there is a pawn on the file already");
    assert_eq!(told("4k4/9/9/9/9/9/9/9/r3K4 b G 1", "G*5h"), ": the king would be in check");
    assert_eq!(told("4k4/9/9/9/9/9/9/9/r3K4 b G 1", "5i4i"), ": the king would be in check");
    assert_eq!(told("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a"), ": it must promote there");
    assert_eq!(told("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5a5b"), ": that man is not of the side to move");
    assert_eq!(
        told("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5g"),
        "; similar ones are 5i4h, 5i4i, 5i5h, 5i6h, 5i6i"
    );
}
