//! Games in KIF and CSA: they return from their print in either encoding; what is read with patience; each error; and what
//! hostile texts do. Files of other programs are read in `oracle.rs`.

use endspiel_shogi::records::{
    self, BLACK, Comment, DEEPEST, EVENT, EncodingError, End, Ending, Game, HeaderError, LONGEST, Line,
    RecordError, RecordErrorKind, VariationError, WHITE, csa, kif,
};
use endspiel_shogi::{Position, Shogi};
use game::{Game as _, IllegalMove, Notation, Position as _, Rng, Side};
use proptest::prelude::*;

/// Comments that might be mistaken for something else.
const REMARKS: [&str; 18] = [
    "",
    "good",
    "*",
    "'",
    "#",
    "&",
    " 1 ７六歩(77)   ( 0:16/00:00:16)",
    "変化：1手",
    "まで1手で先手の勝ち",
    "手合割：平手",
    "%TORYO",
    "/",
    "+7776FU,T1",
    "CSA encoding=UTF-8",
    "trailing spaces  ",
    "　全角、。「」ソ表能",
    "a, b, c \\ ~",
    "'*comment",
];
const NAMES: [&str; 5] = ["", "大山 康晴", "a, b", "x：y: z", "C:\\games\\表"];
const HEADERS: [&str; 6] = [BLACK, WHITE, EVENT, "START_TIME", "備考", "two words"];
const HANDICAPS: [&str; 15] = [
    "香落ち",
    "右香落ち",
    "角落ち",
    "飛車落ち",
    "飛香落ち",
    "二枚落ち",
    "三枚落ち",
    "四枚落ち",
    "五枚落ち",
    "左五枚落ち",
    "六枚落ち",
    "左七枚落ち",
    "右七枚落ち",
    "八枚落ち",
    "十枚落ち",
];

fn pick<T: Copy>(list: &[T], rng: &mut Rng) -> T {
    list[rng.below(list.len() as u64) as usize]
}

fn remarks(rng: &mut Rng) -> Vec<Comment> {
    let count = rng.below(8).saturating_sub(5);
    (0..count).map(|_| Comment::new(pick(&REMARKS, rng))).collect()
}

fn seconds(rng: &mut Rng) -> Option<u32> {
    match rng.below(4) {
        0 => None,
        1 => Some(rng.next_u64() as u32),
        _ => Some(rng.below(4000) as u32),
    }
}

fn handicap(name: &str) -> Position {
    *kif::read(&format!("手合割：{name}")).expect(name).line.start()
}

/// Random moves, with random things said about them, a random end and random variations.
fn annotate(line: &mut Line, plies: u64, depth: u32, rng: &mut Rng) {
    line.comments = remarks(rng);
    for _ in 0..plies {
        let Some(m) = game::random_move(&line.last(), rng) else { break };
        let turn = line.push(m).expect("legal");
        turn.seconds = seconds(rng);
        turn.comments = remarks(rng);
    }
    if rng.below(3) > 0 {
        line.end =
            Some(End { ending: pick(&Ending::ALL, rng), seconds: seconds(rng), comments: remarks(rng) });
    }
    while depth > 0 && rng.below(3) > 0 {
        let (at, plies) = (rng.below(line.turns().len() as u64 + 1) as usize, rng.below(12));
        match line.add_variation(at) {
            Ok(variation) => annotate(variation, plies, depth - 1, rng),
            Err(error) => assert!(error == VariationError::FirstMove && at == 0),
        }
    }
}

fn random_game(seed: u64, depth: u32) -> Game {
    let mut rng = Rng::new(seed);
    let usual = Shogi::default().start();
    let start = match rng.below(3) {
        0 => usual,
        1 => handicap(pick(&HANDICAPS, &mut rng)),
        _ => game::sample(&usual, &mut rng),
    };
    let mut game = Game::new(start);
    for _ in 0..rng.below(6) {
        let (name, value) = (pick(&HEADERS, &mut rng), pick(&NAMES, &mut rng));
        game.headers.set(name, value).expect("a good name");
    }
    let plies = rng.below(120);
    annotate(&mut game.line, plies, depth, &mut rng);
    game
}

fn read_csa(text: &str) -> Vec<Result<Game, RecordError>> {
    csa::read(text).collect()
}

/// As a file: in either encoding, with any ends of lines.
fn as_file(text: &str, end: usize, encoding: usize) -> Vec<u8> {
    let text = text.replace('\n', ["\n", "\r\n", "\r"][end]);
    match encoding {
        0 => text.into_bytes(),
        1 => format!("\u{feff}{text}").into_bytes(),
        _ => records::to_shift_jis(&text).expect("it has a form"),
    }
}

proptest! {
    #[test]
    fn kif_returns_from_its_print(seed: u64, end in 0usize..3, encoding in 0usize..3) {
        let game = random_game(seed, 3);
        let text = kif::write(&game);
        let file = as_file(&text, end, encoding);
        prop_assert_eq!(kif::read(&records::decode(&file).expect("text")), Ok(game), "{}", text);
    }

    #[test]
    fn csa_returns_from_its_print(seed: u64, end in 0usize..3, encoding in 0usize..3) {
        let games: Vec<_> = (0..3).map(|n| random_game(seed.wrapping_add(n), 0)).collect();
        let text = games.iter().map(csa::write).collect::<Vec<_>>().join("/\n");
        let file = as_file(&text, end, encoding);
        let read: Vec<_> = read_csa(&records::decode(&file).expect("text"));
        prop_assert_eq!(read, games.into_iter().map(Ok).collect::<Vec<_>>(), "{}", text);
    }

    #[test]
    fn both_formats_hold_the_same(seed: u64) {
        let game = random_game(seed, 0);
        let from_kif = kif::read(&kif::write(&game)).expect("well written");
        prop_assert_eq!(read_csa(&csa::write(&from_kif)), [Ok(game)]);
    }

    /// Valid files with some bytes changed or the end cut off.
    #[test]
    fn broken_files_are_games_and_errors(
        seed: u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut: prop::sample::Index,
    ) {
        let game = random_game(seed, 2);
        for (text, is_kif) in [(kif::write(&game), true), (csa::write(&game), false)] {
            for mut bytes in [text.as_bytes().to_vec(), records::to_shift_jis(&text).expect("it has a form")] {
                changes.iter().for_each(|(at, byte)| {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                });
                bytes.truncate(cut.index(2 * bytes.len()));
                let Ok(text) = records::decode(&bytes) else { continue };
                if is_kif { kif_is_a_game_or_an_error(&text) } else { csa_is_games_and_errors(&text) }
            }
        }
    }

    #[test]
    fn any_text_is_games_and_errors(
        text in "([\\n：/,' *+%TPN$V-]|７六歩\\(77\\)|1 |同　|投了|変化：|手|手合割：|%TORYO|\\+7776FU|PI|00|FU|\\PC){0,60}",
    ) {
        kif_is_a_game_or_an_error(&text);
        csa_is_games_and_errors(&text);
    }

    #[test]
    fn shift_jis_returns(text in "[ -~ぁ-んァ-ヶ一-龠ｱ-ﾝ¥♔−]{0,8}") {
        match records::to_shift_jis(&text) {
            Ok(bytes) => prop_assert_eq!(records::decode(&bytes), Ok(text)),
            Err(EncodingError::NoForm { found }) => prop_assert!(text.contains(found)),
            Err(error) => prop_assert_eq!(error, EncodingError::Ambiguous),
        }
    }
}

fn kif_is_a_game_or_an_error(text: &str) {
    let game = kif::read(text).unwrap_or_else(|error| *error.read);
    assert_eq!(kif::read(&kif::write(&game)), Ok(game), "{text}");
}

fn csa_is_games_and_errors(text: &str) {
    for game in csa::read(text) {
        let game = game.unwrap_or_else(|error| *error.read);
        assert_eq!(read_csa(&csa::write(&game)), [Ok(game)], "{text}");
    }
}

/// Everything that KIF has.
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
        "game 1, line 7: `| ・ ・ ・ ・ 成 ・ ・ ・ ・|三` tells nothing of the position at the start"
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
        let expected = format!("game 1, line 2: `{hand}` tells nothing of the position at the start");
        assert_eq!(error(&text), expected);
    }
}

/// The pieces that are missing, as CSA takes them from the usual start.
#[test]
fn handicaps_are_what_they_are_called() {
    let missing = [
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
    assert_eq!(error, "game 2, line 22: `P1 *  *  *  * -OU *` tells nothing of the position at the start");
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
fn endings_have_their_words() {
    for ending in Ending::ALL {
        for start in [Shogi::default().start(), handicap("香落ち")] {
            let mut game = Game::new(start);
            game.line.end = Some(End::new(ending));
            assert_eq!(kif::read(&kif::write(&game)), Ok(game.clone()));
            assert_eq!(read_csa(&csa::write(&game)), [Ok(game.clone())]);
        }
    }
    let ending = |text: &str| {
        let game = csa::read(text).next().expect("a game").expect(text);
        let end = game.line.end.as_ref().expect("an end");
        (end.ending, end.ending.winner(game.line.last().turn()))
    };
    assert_eq!(ending("+\n%+ILLEGAL_ACTION"), (Ending::IllegalMove, Some(Side::Second)));
    assert_eq!(ending("+\n%-ILLEGAL_ACTION"), (Ending::OpponentIllegal, Some(Side::First)));
    assert_eq!(ending("+\n+7776FU\n%-ILLEGAL_ACTION"), (Ending::IllegalMove, Some(Side::First)));
    assert_eq!(ending("%SENNICHITE"), (Ending::Repetition, None));
    let sentence = |ending: Ending| {
        let mut game = Game::new(Shogi::default().start());
        game.line.end = Some(End::new(ending));
        kif::write(&game).lines().last().map(str::to_owned)
    };
    assert_eq!(sentence(Ending::TimeUp).as_deref(), Some("まで0手で時間切れにより後手の勝ち"));
    assert_eq!(sentence(Ending::IllegalMove).as_deref(), Some("まで0手で先手の反則負け"));
    assert_eq!(sentence(Ending::OpponentIllegal).as_deref(), Some("まで0手で先手の反則勝ち"));
    assert_eq!(sentence(Ending::Declared).as_deref(), Some("まで0手で先手の入玉勝ち"));
    assert_eq!(sentence(Ending::Repetition).as_deref(), Some("まで0手で千日手"));
    for word in ["入玉宣言", "宣言勝ち"] {
        let game = kif::read(&format!("1 {word}")).expect(word);
        assert_eq!(game.line.end, Some(End::new(Ending::Declared)));
    }
    assert_eq!(kif::read("1 時間切れ(0:1)").expect("an end").line.end.map(|end| end.seconds), Some(Some(1)));
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
        ("手数----\n手合割：平手", "line 2: `手合割` tells of the start, but the moves have begun"),
        ("1 中断\n後手番", "line 2: `後手番` tells of the start, but the moves have begun"),
        ("1 中断\n先手の持駒：", "line 2: `先手の持駒` tells of the start, but the moves have begun"),
        ("1 ７六歩", "line 1: move 1: `７六歩` is not written as a move, such as `７六歩(77)`"),
        ("1", "line 1: move 1: `` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六歩(7７)", "line 1: move 1: `７六歩(7７)` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六成金(77)", "line 1: move 1: `７六成金(77)` is not written as a move, such as `７六歩(77)`"),
        ("1 ７六歩(77)\n2 ７六歩(77)", "line 2: move 2: `７六歩(77)` is not a legal move here"),
        ("1 ７六銀(77) ( 0:01/00:00:01)", "line 1: move 1: `７六銀(77)` is not a legal move here"),
        ("1 ５五歩打", "line 1: move 1: `５五歩打` is not a legal move here"),
        ("1 投了\n2 ３四歩(33)", "line 2: `３四歩(33)` stands behind the end of the game"),
        ("1 投了\n2 投了", "line 2: `投了` stands behind the end of the game"),
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
        ("1 ７六歩(77)\n変化：3手", "line 2: a variation must replace a move, or what follows the last"),
    ];
    for (text, expected) in cases {
        let error = kif::read(text).expect_err(text);
        assert_eq!(error.to_string(), format!("game 1, {expected}"), "{text}");
    }
}

#[test]
fn what_is_wrong_with_csa_is_said() {
    let cases = [
        ("hello", "line 1: `hello` is nothing that stands in a game's text"),
        ("$EVENT", "line 1: `$EVENT` is nothing that stands in a game's text"),
        ("Nobody", "line 1: `Nobody` is nothing that stands in a game's text"),
        ("$変化:x", "line 1: the header `変化` follows from the game; it is not set"),
        ("PX", "line 1: `PX` tells nothing of the position at the start"),
        ("PI55FU", "line 1: `PI55FU` tells nothing of the position at the start"),
        ("PI82KA", "line 1: `PI82KA` tells nothing of the position at the start"),
        ("P+00OU", "line 1: `P+00OU` tells nothing of the position at the start"),
        ("P+0055", "line 1: `P+0055` tells nothing of the position at the start"),
        ("P+005", "line 1: `P+005` tells nothing of the position at the start"),
        ("P+55OU", "line 1: the position at the start: White needs one king, not 0"),
        ("PI\n+\nPI", "line 3: `PI` tells of the start, but the moves have begun"),
        ("+\n-", "line 2: `-` tells of the start, but the moves have begun"),
        ("+7776F", "line 1: move 1: `+7776F` is not written as a move, such as `+7776FU`"),
        ("+7776歩", "line 1: move 1: `+7776歩` is not written as a move, such as `+7776FU`"),
        ("+7700FU", "line 1: move 1: `+7700FU` is not written as a move, such as `+7776FU`"),
        ("+7776TO", "line 1: move 1: `+7776TO` is not a legal move here"),
        ("+7776FU,+2726FU", "line 1: move 2: `+2726FU` is the move of a side whose turn it is not"),
        ("+7776FU\n-3335FU", "line 2: move 2: `-3335FU` is not a legal move here"),
        ("%TORYO\n+7776FU", "line 2: `+7776FU` stands behind the end of the game"),
        ("%TORYO\n%CHUDAN", "line 2: `%CHUDAN` stands behind the end of the game"),
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

#[test]
fn a_bad_game_is_kept_up_to_its_fault() {
    let text = KIF.replace("変化：2手", "変化：20手");
    let error = kif::read(&text).expect_err("no such move");
    assert_eq!(error.kind, RecordErrorKind::Variation(VariationError::NoMove));
    assert_eq!(error.read.line.turns().len(), 5);
    assert_eq!(error.read.line.variations(3).len(), 1);
    assert_eq!(error.read.headers.get("N+"), Some("大山"));
}

/// Files in another order than ours, too.
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
    // The first variation ends before the fourth move, which is therefore one of the game itself.
    let text = format!("{moves}変化：2手\n2 ８四歩(83)\n変化：4手\n4 ８四歩(83)\n");
    let game = kif::read(&text).expect("well written");
    assert_eq!((game.line.variations(1).len(), game.line.variations(3).len()), (1, 1));
}

#[test]
fn lines_take_what_is_legal() {
    let mut line = Line::new(Shogi::default().start());
    let first = Shogi::default().parse_move(line.start(), "7g7f").expect("a move");
    line.push(first).expect("legal");
    assert_eq!(line.push(first).map(|turn| turn.played()), Err(IllegalMove));
    assert_eq!(line.turns()[0].after(), line.last());
    assert_eq!(line.add_variation(2).map(|_| ()), Err(VariationError::NoMove));
    let inner = line.add_variation(0).expect("a move");
    assert_eq!(inner.add_variation(0).map(|_| ()), Err(VariationError::FirstMove));
    let mut innermost = &mut line;
    for _ in 0..DEEPEST {
        let m = game::random_move(&innermost.last(), &mut Rng::new(1)).expect("a move");
        innermost.push(m).expect("legal");
        innermost = innermost.add_variation(innermost.turns().len()).expect("not too deep");
    }
    assert_eq!(innermost.add_variation(0).map(|_| ()), Err(VariationError::TooDeep));
    let mut game = Game::new(*line.start());
    game.line = line;
    assert_eq!(kif::read(&kif::write(&game)), Ok(game));
}

#[test]
fn headers_have_names() {
    let mut game = Game::new(Shogi::default().start());
    let headers = &mut game.headers;
    for name in ["", " ", "a:b", "a：b", "*", "#x", "&", "|", "1"] {
        assert_eq!(headers.set(name, ""), Err(HeaderError::Name { name: name.trim().to_owned() }));
    }
    for name in ["手合割", "変化", "上手の持駒", "先手の持ち駒"] {
        assert_eq!(headers.set(name, ""), Err(HeaderError::Decided { name: name.to_owned() }));
    }
    headers.set("N+", " two\nlines ").expect("a good name");
    headers.set("下手", "last").expect("a good name");
    assert_eq!(headers.iter().collect::<Vec<_>>(), [(BLACK, "last")]);
    let error = (0..).find_map(|n| headers.set(&format!("x{n}"), "").err());
    assert_eq!(error, Some(HeaderError::TooMany));
    assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("there are more than 200 headers"));
}

#[test]
fn encodings_are_told_apart() {
    assert_eq!(records::decode("\u{feff}歩".as_bytes()), Ok("歩".to_owned()));
    assert_eq!(records::decode(b"\x95\xe0"), Ok("歩".to_owned()));
    assert_eq!(records::to_shift_jis("歩"), Ok(b"\x95\xe0".to_vec()));
    let error = records::decode(b"abc\xff").expect_err("neither");
    assert_eq!(error, EncodingError::Neither { byte: 4 });
    assert_eq!(error.to_string(), "the text is neither UTF-8 (byte 4 is wrong) nor Shift_JIS");
    for found in ['♔', '¥', '−', '‾'] {
        let error = records::to_shift_jis(&format!("歩{found}")).expect_err("no form");
        assert_eq!(error, EncodingError::NoForm { found });
        assert_eq!(error.to_string(), format!("`{found}` has no form in Shift_JIS"));
    }
    let error = records::to_shift_jis("ﾂｱ").expect_err("two bytes that are a letter in UTF-8");
    assert_eq!(error.to_string(), "in Shift_JIS the text could not be told from UTF-8");
}

/// None of these may take long; where one does, the tests never end.
#[test]
fn hostile_texts_are_refused_soon() {
    let shuffle = "1 ４八金(49)\n1 ６二金(61)\n1 ４九金(48)\n1 ６一金(62)\n";
    let shuffle_csa = "+4948KI\n-6162KI\n+4849KI\n-6261KI\n";
    let deep: String = (1..100_000).map(|n| format!("変化：{n}手\n1 ７六歩(77)\n")).collect();
    let headers: String = (0..400_000).map(|n| format!("x{n}：\n$x{n}:\n")).collect();
    let error = |text: &str| {
        let kif = kif::read(text).expect_err("hostile").kind.to_string();
        let csa = csa::read(text).next().map(|game| game.map(|_| ()).map_err(|error| error.kind.to_string()));
        (kif, csa)
    };
    let too_long = "the text of a game is longer than 4 MiB";
    assert_eq!(error(&"\n*'".repeat(LONGEST)).0, too_long);
    assert_eq!(error(&"'".repeat(LONGEST)).1, Some(Err(too_long.to_owned())));
    assert_eq!(error(&"*".repeat(LONGEST)).0, too_long);
    assert_eq!(error(&shuffle.repeat(LONGEST / shuffle.len() + 1)).0, too_long);
    let repeated = shuffle_csa.repeat(LONGEST / shuffle_csa.len() + 1);
    assert_eq!(error(&repeated).1, Some(Err(too_long.to_owned())));
    assert!(error(&deep).0.starts_with("move 2: "), "{}", error(&deep).0);
    assert_eq!(error(&headers).0, "`$x0:` is nothing that stands in a game's text");
    assert_eq!(csa::read(&"%CHUDAN\n/\n".repeat(20_000)).count(), 20_000);
    // Each variation within the one before it.
    let nested: String = (2..60_000u32)
        .map(|n| {
            let pair = [
                "1 ６二金(61)\n1 ４九金(48)\n",
                "1 ４九金(48)\n1 ６一金(62)\n",
                "1 ６一金(62)\n1 ４八金(49)\n",
                "1 ４八金(49)\n1 ６二金(61)\n",
            ];
            format!("変化：{n}手\n{}", pair[(n - 2) as usize % 4])
        })
        .collect();
    let text = format!("1 ４八金(49)\n1 ６二金(61)\n{nested}");
    assert_eq!(error(&text).0, "variations are nested more than 100 deep");
    // Many variations late in a long game.
    let many = format!("{}{}", shuffle.repeat(10_000), "変化：40001手\n".repeat(100_000));
    let game = kif::read(&many).expect("not too long");
    assert_eq!(game.line.variations(40_000).len(), 100_000);
    assert_eq!(kif::read(&kif::write(&game)), Ok(game));
}

/// What is no game at all must not hide those that follow, nor vanish itself.
#[test]
fn a_long_nothing_is_told_and_passed() {
    let nothing = "V2.2\n".repeat(records::LONGEST / 4);
    let text = format!("{nothing}/\nPI\n+\n+7776FU\n");
    let games: Vec<_> = csa::read(&text).collect();
    let [Err(long), Ok(game)] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!(long.kind, records::RecordErrorKind::TooLong);
    assert_eq!(game.line.turns().len(), 1);
}

#[test]
fn names_of_headers_may_have_spaces_around_them() {
    let game = kif::read("手合割 ：角落ち\n先手 ： 大山\n").expect("readable");
    assert_eq!(game.line.start().board().pieces().count(), 39);
    assert_eq!(game.headers.get(records::BLACK), Some("大山"));
}
