//! Games in KIF: every part of the format, inputs that the tolerant reader accepts, and each error.

mod common;

use common::{HANDICAPS, handicap};
use endspiel_shogi::records::{
    self, BLACK, Comment, End, Ending, Game, RecordErrorKind, VariationError, WHITE, csa, kif,
};
use game::{Position as _, Side};

/// A game with every part of the format.
const KIF: &str = "\
#KIF version=2.0 encoding=UTF-8
# ----  a program's own words  ----
開始日時：2024/05/14 10:00
手合割：平手　　
先手：大山　
後手：升田
手数----指手---------消費時間--
*first words
   1 ７六歩(77)   ( 0:16/00:00:16)
*one
*two
&bookmark
   2 ３四歩(33)   ( 1:02:03/01:02:03)+
   3 ２二角成(88) ( 0:01/00:00:17)
   4 同　銀(31)   ( 0:00/01:02:03)
   5 ４五角打     ( 0:00/00:00:17)
   6 投了         ( 0:07/01:02:10)
*why?
まで5手で先手の勝ち

変化：4手
   4 同　飛不成(82)
*or so

変化：2手
*another
   2 ８四歩(83)
";

#[test]
fn all_of_kif_is_read() {
    let game = kif::read(KIF).expect("well written");
    assert_eq!(
        game.headers.iter().collect::<Vec<_>>(),
        [("開始日時", "2024/05/14 10:00"), (BLACK, "大山"), (WHITE, "升田")]
    );
    assert_eq!(game.line.comments, [Comment::new("first words")]);
    let turns = game.line.turns();
    let moves: Vec<_> = turns.iter().map(|turn| turn.played().to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]);
    assert_eq!(turns.iter().map(|turn| turn.seconds).collect::<Vec<_>>(), [16, 3723, 1, 0, 0].map(Some));
    assert_eq!(turns[0].comments, ["one", "two"].map(Comment::new));
    let end = End { ending: Ending::Resigned, seconds: Some(7), comments: vec![Comment::new("why?")] };
    assert_eq!(game.line.end, Some(end));
    assert_eq!(Ending::Resigned.winner(game.line.last().turn()), Some(Side::First));
    let [instead] = game.line.variations(3) else { panic!("a variation") };
    assert_eq!(instead.turns()[0].played().to_string(), "8b2b");
    let [instead] = game.line.variations(1) else { panic!("a variation") };
    assert_eq!(instead.comments, [Comment::new("another")]);
    let written = "\
手合割：平手
開始日時：2024/05/14 10:00
先手：大山
後手：升田
手数----指手---------消費時間--
*first words
   1 ７六歩(77)   ( 0:16/00:00:16)
*one
*two
   2 ３四歩(33)   (62:03/01:02:03)
   3 ２二角成(88) ( 0:01/00:00:17)
   4 同　銀(31)   ( 0:00/01:02:03)
   5 ４五角打     ( 0:00/00:00:17)
   6 投了         ( 0:07/01:02:10)
*why?
まで5手で先手の勝ち

変化：4手
   4 同　飛(82)
*or so

変化：2手
*another
   2 ８四歩(83)
";
    assert_eq!(kif::write(&game), written);
}

const DIAGRAM: &str = "\
手合割：平手
上手の持ち駒：飛二 角　金　歩十八　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v王 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 成 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・v竜 ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
下手の持駒：なし
手数＝24  ▲３四歩  まで
上手番
   1 同　龍(85)
";

#[test]
fn diagrams_are_read() {
    let error = |text: &str| kif::read(text).expect_err(text).to_string();
    assert_eq!(
        error(DIAGRAM),
        "game 1, line 7: `| ・ ・ ・ ・ 成 ・ ・ ・ ・|三` cannot be read as part of the start position"
    );
    let text = DIAGRAM.replace(" 成 ", " 全 ");
    assert_eq!(
        error(&text),
        "game 1, line 18: the position at the start: there are 3 of the kind rook; a set has 2"
    );
    let text = text.replace("飛二 角", "飛　角");
    assert_eq!(
        error(&text),
        "game 1, line 18: move 1: `同\\u{3000}龍(85)` is not written as a move, such as `７六歩(77)`"
    );
    let text = text.replace("同　龍", "５五竜");
    let game = kif::read(&text).expect("well written");
    assert_eq!(game.line.start().to_string(), "4k4/9/4+S4/9/1+r7/9/9/9/4K4 w rbg18p 1");
    assert_eq!(game.line.turns().len(), 1);
    let written = kif::write(&game);
    assert!(
        written.starts_with("後手の持駒：飛　角　金　歩十八\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+-"),
        "{written}"
    );
    assert!(written.contains("| ・v龍 ・ ・ ・ ・ ・ ・ ・|五\n"), "{written}");
    assert!(written.contains("先手の持駒：なし\n後手番\n"), "{written}");
    let shorter = text.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n", "");
    assert_eq!(error(&shorter), "game 1, line 17: a diagram has 9 ranks, not 8");
    let longer = text.replace("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|十\n");
    assert!(error(&longer).starts_with("game 1, line 14: "), "{}", error(&longer));
    let wider = text.replace("・|六", "・ ・|六");
    assert!(error(&wider).starts_with("game 1, line 10: "), "{}", error(&wider));
    for hand in ["歩十九", "玉", "と", "歩x", "飛 飛十八"] {
        let text = text.replace("飛　角　金　歩十八", hand);
        let expected = format!("game 1, line 2: `{hand}` cannot be read as part of the start position");
        assert_eq!(error(&text), expected);
    }
}

/// Compares each handicap with CSA, which lists the men that are removed from the usual start position.
#[test]
fn handicaps_are_what_they_are_called() {
    let missing: [&str; HANDICAPS.len()] = [
        "11KY",
        "91KY",
        "22KA",
        "82HI",
        "82HI11KY",
        "82HI22KA",
        "82HI22KA11KY",
        "82HI22KA11KY91KY",
        "82HI22KA11KY91KY81KE",
        "82HI22KA11KY91KY21KE",
        "82HI22KA11KY91KY81KE21KE",
        "82HI22KA11KY91KY81KE21KE31GI",
        "82HI22KA11KY91KY81KE21KE71GI",
        "82HI22KA11KY91KY81KE21KE31GI71GI",
        "82HI22KA11KY91KY81KE21KE31GI71GI41KI61KI",
    ];
    for (name, missing) in HANDICAPS.into_iter().zip(missing) {
        let game = csa::read(&format!("PI{missing}\n-\n")).next().expect("a game").expect("well written");
        assert_eq!(*game.line.start(), handicap(name), "{name}");
        assert!(kif::write(&game).starts_with(&format!("手合割：{name}\n")));
    }
    let mut game = Game::new(handicap("角落ち"));
    game.headers.set("上手", "名人").expect("a good name");
    game.line.end = Some(End::new(Ending::Resigned));
    assert_eq!(
        kif::write(&game),
        "手合割：角落ち\n上手：名人\n手数----指手---------消費時間--\n   1 投了\nまで0手で下手の勝ち\n"
    );
    let text = DIAGRAM
        .replace("平手", "角落ち")
        .replace("上手番\n", "")
        .replace("飛二 ", "")
        .replace(" 成 ", " 全 ");
    let text = text.replace("同　龍", "５五竜");
    assert_eq!(kif::read(&text).expect("White begins").line.start().turn(), Side::Second);
    let other = kif::read("手合割：その他\n   1 ７六歩(77)").expect_err("no diagram").to_string();
    assert_eq!(
        other,
        "game 1, line 2: `その他` is not a handicap, such as `平手` or `二枚落ち`, and there is no diagram"
    );
}

#[test]
fn what_is_wrong_with_kif_is_said() {
    let cases = [
        ("", "line 1: there is no game in the text"),
        ("\n 　\n", "line 3: there is no game in the text"),
        ("hello", "line 1: `hello` is nothing that stands in a game's text"),
        (
            "：x",
            "line 1: `` is not the name of a header: it has no colon, and does not begin with a digit, `*`, `#`, `&` or `|`",
        ),
        (
            "a:b：x",
            "line 1: `a:b` is not the name of a header: it has no colon, and does not begin with a digit, `*`, `#`, `&` or `|`",
        ),
        (
            "手数----\n手合割：平手",
            "line 2: `手合割` belongs to the start position, but the moves have begun",
        ),
        ("1 中断\n後手番", "line 2: `後手番` belongs to the start position, but the moves have begun"),
        (
            "1 中断\n先手の持駒：",
            "line 2: `先手の持駒` belongs to the start position, but the moves have begun",
        ),
        ("1 ７六歩", "line 1: move 1: `７六歩` is not written as a move, such as `７六歩(77)`"),
        ("1", "line 1: move 1: `` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六歩(7７)", "line 1: move 1: `７六歩(7７)` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六成金(77)", "line 1: move 1: `７六成金(77)` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六歩(77)\n2 ７六歩(77)", "line 2: move 2: `７六歩(77)` is not a legal move here"),
        ("1 ７六銀(77) ( 0:01/00:00:01)", "line 1: move 1: `７六銀(77)` is not a legal move here"),
        ("1 ５五歩打", "line 1: move 1: `５五歩打` is not a legal move here"),
        ("1 投了\n2 ３四歩(33)", "line 2: `３四歩(33)` comes after the end of the game"),
        ("1 投了\n2 投了", "line 2: `投了` comes after the end of the game"),
        (
            "1 ７六歩(77) ( 0:0x)",
            "line 1: `( 0:0x)` is not the time that a move took, such as `( 0:16/00:00:16)`",
        ),
        (
            "1 ７六歩(77) (99999999:0)",
            "line 1: `(99999999:0)` is not the time that a move took, such as `( 0:16/00:00:16)`",
        ),
        ("1 ７六歩(77) x", "line 1: `x` is not the time that a move took, such as `( 0:16/00:00:16)`"),
        ("変化：0手", "line 1: `0手` is not the number of a move, such as `12手`"),
        ("変化：手", "line 1: `手` is not the number of a move, such as `12手`"),
        ("1 ７六歩(77)\n変化：3手", "line 2: a variation must replace a move, or follow the last move"),
    ];
    for (text, expected) in cases {
        let error = kif::read(text).expect_err(text);
        assert_eq!(error.to_string(), format!("game 1, {expected}"), "{text}");
    }
}

#[test]
fn a_bad_game_is_kept_up_to_its_fault() {
    let text = KIF.replace("変化：2手", "変化：20手");
    let error = kif::read(&text).expect_err("no such move");
    assert_eq!(error.kind, RecordErrorKind::Variation(VariationError::NoMove));
    assert_eq!(error.read.line.turns().len(), 5);
    assert_eq!(error.read.line.variations(3).len(), 1);
    assert_eq!(error.read.headers.get("N+"), Some("大山"));
}

/// Variations may also come in another order than the one that we write.
#[test]
fn variations_belong_to_the_innermost_line_that_has_their_move() {
    let moves = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n";
    let text = format!(
        "{moves}変化：2手\n2 ８四歩(83)\n変化：3手\n3 ６六歩(67)\n変化：4手\n4 ６二銀(71)\n変化：1手\n1 ９六歩(97)\n"
    );
    let game = kif::read(&text).expect("well written");
    let [at_2] = game.line.variations(1) else { panic!("one") };
    let [at_3] = at_2.variations(1) else { panic!("one") };
    assert_eq!(at_3.variations(1).len(), 1);
    assert_eq!(game.line.variations(0).len(), 1);
    // The first variation ends before the fourth move. Therefore the second variation belongs to the main line.
    let text = format!("{moves}変化：2手\n2 ８四歩(83)\n変化：4手\n4 ８四歩(83)\n");
    let game = kif::read(&text).expect("well written");
    assert_eq!((game.line.variations(1).len(), game.line.variations(3).len()), (1, 1));
}

#[test]
fn names_of_headers_may_have_spaces_around_them() {
    let game = kif::read("手合割 ：角落ち\n先手 ： 大山\n").expect("readable");
    assert_eq!(game.line.start().board().pieces().count(), 39);
    assert_eq!(game.headers.get(records::BLACK), Some("大山"));
}
