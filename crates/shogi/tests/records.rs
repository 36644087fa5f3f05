//! What KIF and CSA share: games return from their print in either encoding, have the same endings, headers and lines, and
//! hostile texts are refused soon. Each format has a file of its own; files of other programs are read in `oracle.rs`.

mod common;

use common::{HANDICAPS, handicap, read_csa};
use endspiel_shogi::Shogi;
use endspiel_shogi::records::{
    self, BLACK, Comment, DEEPEST, EVENT, EncodingError, End, Ending, Game, HeaderError, LONGEST, Line,
    VariationError, WHITE, csa, kif,
};
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

/// The time to read a text grows with its length. If it grew with its square, this test would take minutes.
#[test]
fn long_texts_are_read_soon() {
    let part = 400_000;
    for text in [
        "*\n".repeat(part),
        "*".repeat(part),
        "&\r".repeat(part),
        format!("1 ７六歩(77)\n{}", "変化：1手\n".repeat(part / 2)),
        format!("1 ７六歩(77)\n{}", "変化：2手\n".repeat(part / 2)),
        format!("1 ７六歩(77)\n{}", "変化：1手\n2 ２六歩(27)\n".repeat(part / 10)),
        "先手：\n".repeat(part),
        format!("先手：{}\n", "：".repeat(part)),
    ] {
        kif::read(&text).unwrap_or_else(|error| panic!("{error}"));
    }
    for text in [
        "'\n".repeat(part),
        "'".repeat(part),
        ",".repeat(part),
        ", ".repeat(part),
        "V,".repeat(part),
        "PI,".repeat(part),
        "+7776FU,T1,-3334FU,T1".to_owned() + &",T1".repeat(part),
        "N+\n".repeat(part),
        format!("$EVENT:{}", ",".repeat(part)),
    ] {
        assert_eq!(read_csa(&text).len(), 1, "{}", &text[..20]);
    }
    assert!(csa::read(&"/\n".repeat(part)).next().is_none());
    assert_eq!(csa::read(&"PI\n/\n".repeat(part / 4)).count(), part / 4);
    let named = |name: fn(usize) -> String| (0..part / 4).map(name).collect::<String>();
    kif::read(&named(|n| format!("{n:a>20}：\n"))).expect_err("too many headers");
    csa::read(&named(|n| format!("${n:a>20}:\n"))).for_each(|game| drop(game.expect_err("too many headers")));
    for sign in ["(", ")", "：", "|", "v", "+", "%", "P", "$", "T", "1", "同", "<", "\\"] {
        let text = sign.repeat(part);
        kif::read(&text).expect_err(sign);
        assert_eq!(csa::read(&text).count(), 1, "{sign}");
        // Any number of `+` may follow a move.
        let after_move = kif::read(&format!("1 ７六歩(77){text}\n"));
        assert_eq!(after_move.is_ok(), sign == "+", "{sign}");
    }
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
