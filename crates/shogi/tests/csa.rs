//! Games in CSA: every part of the format, inputs that the tolerant reader accepts, and each error.

mod common;

use common::read_csa;
use endspiel_shogi::Shogi;
use endspiel_shogi::records::{self, BLACK, Comment, EVENT, End, Ending, WHITE, csa};
use game::Game as _;

#[test]
fn all_of_csa_is_read() {
    let text = "'CSA encoding=UTF-8\nV3.0\n'a comment\nN+大山\nN-Masuda, Kozo\n$EVENT:名人戦: final\n$X:y\nPI\n+\n'and\n\
                +7776FU,T12,'why, not\n-3334FU\nT6.25\n \n+8822UM\n-3122GI\n+0045KA\n%TORYO,T3\n'over\n/\n/\n\
                P1 *  *  *  * -OU *\nP1 * * * *-OU * * * *\nP9 *  *  *  * +OU *  *  *  * \nP+53TO00KI\nP-00HI00AL\n-\n%TSUMI\n/\nPI\n";
    let read = read_csa(text);
    assert_eq!(read.len(), 3, "{read:?}");
    let game = read[0].as_ref().expect("well written");
    let headers = [(BLACK, "大山"), (WHITE, "Masuda, Kozo"), (EVENT, "名人戦: final"), ("X", "y")];
    assert_eq!(game.headers.iter().collect::<Vec<_>>(), headers);
    assert_eq!(game.line.comments, ["a comment", "and"].map(Comment::new));
    let turns = game.line.turns();
    let moves: Vec<_> = turns.iter().map(|turn| turn.played().to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!((turns[0].seconds, turns[1].seconds, turns[2].seconds), (Some(12), Some(6), None));
    assert_eq!(turns[0].comments, [Comment::new("why, not")]);
    let end = End { ending: Ending::Resigned, seconds: Some(3), comments: vec![Comment::new("over")] };
    assert_eq!(game.line.end, Some(end));
    let error = read[1].as_ref().expect_err("a rank too short").to_string();
    assert_eq!(error, "game 2, line 22: `P1 *  *  *  * -OU *` cannot be read as part of the start position");
    let text = text.replace("P1 *  *  *  * -OU *\n", "");
    let read = read_csa(&text);
    let game = read[1].as_ref().expect("well written");
    assert_eq!(game.line.start().to_string(), "4k4/9/4+P4/9/9/9/9/9/4K4 w G2r2b3g4s4n4l17p 1");
    let written = csa::write(game);
    assert!(written.ends_with("P9 *  *  *  * +OU *  *  *  * \nP+00KI\nP-00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00FU00KY00KY00KY00KY00KE00KE00KE00KE00GI00GI00GI00GI00KI00KI00KI00KA00KA00HI00HI\n-\n%TSUMI\n"), "{written}");
    assert_eq!(read[2].as_ref().expect("a start").line.start(), &Shogi::default().start());
    assert!(read_csa("").is_empty() && read_csa("V2.2\n/\n\n").is_empty());
}

#[test]
fn what_is_wrong_with_csa_is_said() {
    let cases = [
        ("hello", "line 1: `hello` is nothing that stands in a game's text"),
        ("$EVENT", "line 1: `$EVENT` is nothing that stands in a game's text"),
        ("Nobody", "line 1: `Nobody` is nothing that stands in a game's text"),
        ("$変化:x", "line 1: the header `変化` follows from the game; it cannot be set"),
        ("PX", "line 1: `PX` cannot be read as part of the start position"),
        ("PI55FU", "line 1: `PI55FU` cannot be read as part of the start position"),
        ("PI82KA", "line 1: `PI82KA` cannot be read as part of the start position"),
        ("P+00OU", "line 1: `P+00OU` cannot be read as part of the start position"),
        ("P+0055", "line 1: `P+0055` cannot be read as part of the start position"),
        ("P+005", "line 1: `P+005` cannot be read as part of the start position"),
        ("P+55OU", "line 1: the position at the start: White needs one king, not 0"),
        ("PI\n+\nPI", "line 3: `PI` belongs to the start position, but the moves have begun"),
        ("+\n-", "line 2: `-` belongs to the start position, but the moves have begun"),
        ("+7776F", "line 1: move 1: `+7776F` is not written as a move, such as `+7776FU`"),
        ("+7776歩", "line 1: move 1: `+7776歩` is not written as a move, such as `+7776FU`"),
        ("+7700FU", "line 1: move 1: `+7700FU` is not written as a move, such as `+7776FU`"),
        ("+7776TO", "line 1: move 1: `+7776TO` is not a legal move here"),
        (
            "+7776FU,+2726FU",
            "line 1: move 2: `+2726FU` is a move of the wrong side: the other side is to move",
        ),
        ("+7776FU\n-3335FU", "line 2: move 2: `-3335FU` is not a legal move here"),
        ("%TORYO\n+7776FU", "line 2: `+7776FU` comes after the end of the game"),
        ("%TORYO\n%CHUDAN", "line 2: `%CHUDAN` comes after the end of the game"),
        ("%WHAT", "line 1: `%WHAT` is not an end of a game, such as `%TORYO`"),
        ("T1", "line 1: a time that belongs to no move"),
        ("+7776FU\nT", "line 2: `T` is not the time that a move took, such as `T16`"),
        ("+7776FU\nT+1", "line 2: `T+1` is not the time that a move took, such as `T16`"),
        ("+7776FU\nT4294967296", "line 2: `T4294967296` is not the time that a move took, such as `T16`"),
    ];
    for (text, expected) in cases {
        let read = read_csa(&format!("{text}\n/\n%CHUDAN\n"));
        assert_eq!(read.len(), 2, "{text}");
        assert_eq!(read[0].as_ref().expect_err(text).to_string(), format!("game 1, {expected}"));
        assert_eq!(read[1].as_ref().expect("well written").line.end, Some(End::new(Ending::Interrupted)));
    }
}

/// A text that is no game must give an error, and must not hide the games after it.
#[test]
fn a_long_nothing_is_told_and_passed() {
    let nothing = "V2.2\n".repeat(records::LONGEST / 4);
    let text = format!("{nothing}/\nPI\n+\n+7776FU\n");
    let games: Vec<_> = csa::read(&text).collect();
    let [Err(long), Ok(game)] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!(long.kind, records::RecordErrorKind::TooLong);
    assert_eq!(game.line.turns().len(), 1);
}
