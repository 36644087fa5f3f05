//! Games in PGN: a written game is read back unchanged, with any comments; lenient reading; each error message.

use endspiel_chess::pgn::{self, Comment, Game, Line, Nag, PgnError, TagError, Verdict};
use endspiel_chess::{Chess, Position, Start};
use game::{Game as _, IllegalMove, Position as _, Rng, Side};
use proptest::prelude::*;

/// Comments that might be mistaken for something else.
const REMARKS: [&str; 12] = [
    "",
    "good",
    "100% sure, but not quite: % alone, %like this",
    "ends with } early",
    "(a ( variation",
    "; or not",
    "[%clk 0:01:02] [Event \"none\"]",
    "1-0 *",
    "naïve ♔ …",
    "{ and {",
    "\"quoted\" \\ $3",
    "a line that is much longer than eighty columns and has to be broken somewhere, at least once or even twice, to fit",
];
const NAMES: [&str; 4] = ["?", "Morphy, Paul", "the \"Duke\"", "C:\\games\\ "];

fn pick<'a>(list: &[&'a str], rng: &mut Rng) -> &'a str {
    list[rng.below(list.len() as u64) as usize]
}

fn remarks(rng: &mut Rng) -> Vec<Comment> {
    let count = rng.below(8).saturating_sub(5);
    (0..count).map(|_| Comment::new(pick(&REMARKS, rng))).collect()
}

/// Adds random moves with random comments, marks and variations.
fn annotate(line: &mut Line, plies: u64, depth: u32, rng: &mut Rng) {
    line.comments = remarks(rng);
    for _ in 0..plies {
        let Some(m) = game::random_move(&line.end(), rng) else { return };
        let passes = depth < 3 && rng.below(20) == 0 && line.end().pass().is_some();
        let turn = if passes { line.push_pass() } else { line.push(m) }.expect("possible");
        turn.comments = remarks(rng);
        turn.nags = (0..rng.below(6).saturating_sub(4)).map(|_| Nag(rng.below(1000) as u16)).collect();
        while depth > 0 && rng.below(10) == 0 {
            let plies = rng.below(12);
            annotate(turn.add_variation(), plies, depth - 1, rng);
        }
    }
}

fn random_game(seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let start = match rng.below(2) {
        0 => Start::STANDARD,
        _ => Start::new(rng.below(960) as u16).expect("a start"),
    };
    let plies = rng.below(30).saturating_sub(20) as u32;
    let (start, _) = game::playout(&start.position(), plies, &mut rng);
    let mut game = Game::new(start);
    game.verdict = [Verdict::Open, Verdict::Draw, Verdict::Win(Side::First), Verdict::Win(Side::Second)]
        [rng.below(4) as usize];
    for name in ["White", "Event", "Annotator", "ECO"] {
        game.tags.set(name, pick(&NAMES, &mut rng)).expect("a good name");
    }
    let plies = rng.below(80);
    annotate(&mut game.line, plies, 3, &mut rng);
    game
}

fn read_all(text: &str) -> Vec<Result<Game, PgnError>> {
    pgn::games(text).collect()
}

proptest! {
    #[test]
    fn games_return_from_their_print(seed: u64) {
        let game = random_game(seed);
        let text = game.to_string();
        prop_assert_eq!(read_all(&text), [Ok(game)], "{}", text);
        for line in text.lines() {
            let is_long = line.chars().count() >= 80 && !line.starts_with('[') && !line.contains(';');
            prop_assert!(!is_long && !line.starts_with('%'), "{}", line);
        }
    }

    #[test]
    fn many_games_return_by_the_text_and_by_the_file(seed: u64) {
        let games: Vec<_> = (0..4).map(|n| random_game(seed.wrapping_add(n))).collect();
        let text = games.iter().map(|game| format!("{game}\n")).collect::<String>();
        let read: Vec<_> = read_all(&text).into_iter().map(|game| game.expect("well written")).collect();
        prop_assert_eq!(&read, &games);
        let text = text.replace('\n', "\r\n");
        let read: Result<Vec<_>, _> = pgn::read(text.as_bytes()).collect();
        prop_assert_eq!(read.expect("well written"), games);
    }

    #[test]
    fn any_text_is_games_and_errors(text in "([\\[\\](){};$!?*%.\\n \"\\\\]|e4|Nf6|1-0|1\\.|\\[Event \"a\"\\]|\\PC){0,60}") {
        for game in read_all(&text) {
            let game = game.unwrap_or_else(|error| *error.read);
            prop_assert_eq!(read_all(&game.to_string()), [Ok(game)]);
        }
    }

    /// The sizes of the parts that the source delivers do not matter, nor does the kind of line ends.
    #[test]
    fn where_the_source_pauses_does_not_matter(seed: u64, step in 1usize..40, end in 0usize..3) {
        let games: Vec<_> = (0..3).map(|n| random_game(seed.wrapping_add(n))).collect();
        let text: String = games.iter().map(|game| format!("{game}\n")).collect();
        let text = text.replace('\n', ["\n", "\r\n", "\r"][end]);
        let read: Result<Vec<_>, _> = pgn::read(std::io::BufReader::with_capacity(step, text.as_bytes())).collect();
        prop_assert_eq!(read.expect("well written"), games);
    }
}

#[test]
fn a_game_is_written_in_export_format() {
    let text = r#"[White "Morphy"]
[Result "1-0"]
1.e4 e5 2.Nf3 d6 3.d4 Bg4?! ; a weak move
(3...exd4 4.Nxd4 (4.Qxd4!? {also good}) 4...Nf6) 4.dxe5 Bxf3 5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5
cxb5 11.Bxb5+ Nbd7 12.0-0-0 Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+ Nxb8 17.Rd8#"#;
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Morphy"]
[Black "?"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {a weak move} (3... exd4 4. Nxd4 (4. Qxd4 $5
{also good}) 4... Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3
c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1
Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"#;
    assert_eq!(text.parse::<Game>().expect("well written").to_string(), expected);
}

#[test]
fn games_begin_where_they_say() {
    let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 2 9";
    let text = format!("[Variant \"Chess 960\"]\n[FEN \"{fen}\"]\n\n9. O-O O-O-O 1/2-1/2");
    let game: Game = text.parse().expect("well written");
    assert_eq!(game.line.start().clock().move_number, 9);
    assert_eq!(game.verdict, Verdict::Draw);
    let written = game.to_string();
    let fen = fen.replace("GBgb", "KQkq");
    assert!(
        written.contains(&format!("[Variant \"Chess 960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n")),
        "{written}"
    );
    assert!(written.ends_with("\n\n9. O-O O-O-O 1/2-1/2\n"), "{written}");
    let start = Start::new(0).expect("a start").position();
    assert_eq!(Game::new(start).tags.get("Variant"), Some("Chess960"));
    assert_eq!(Game::new(Chess::STANDARD.start()).tags.get("Variant"), None);
}

#[test]
fn files_are_read_with_patience() {
    let text = "\u{feff}% by hand\n{before} [Event \"a\"] [Site \"b\"]\n1 e4 e5 2. Nf3!! Nc6 ?! $10 {x} ({y} $142 2... d6) ; z\n\
                ( 2...f5 1-0 ) 3. ... 1-0 {resigns}\n\n1. d4\n[Event \"c\"]\n\n[Event \"d\"]\n*\n\n{the end}\n";
    let games: Vec<_> = read_all(text).into_iter().map(|game| game.expect("readable")).collect();
    let events: Vec<_> = games.iter().map(|game| game.tags.get("Event").expect("one of seven")).collect();
    assert_eq!(events, ["a", "?", "c", "d"]);
    let line = &games[0].line;
    assert_eq!(line.comments, [Comment::new("before")]);
    let last = line.turns().last().expect("four moves");
    assert_eq!(last.nags, [Nag(6), Nag(10)]);
    assert_eq!(last.comments, ["x", "z", "resigns"].map(Comment::new));
    let [first, second] = last.variations() else { panic!("two variations") };
    assert_eq!((first.comments[0].text(), first.turns()[0].nags[0]), ("y", Nag(142)));
    assert_eq!(second.turns().len(), 1);
    assert_eq!(games[0].verdict, Verdict::Win(Side::First));
    assert_eq!(games[1].line.turns().len(), 1);
}

#[test]
fn a_bad_game_is_named_and_the_next_is_read() {
    let bad = [
        ("1. e4 e5 2. Ke3 Nc6 *", "line 3: White's move 2: `Ke3` is not a legal move here"),
        ("1. e4 (1. d4 e5 2. e5) *", "line 3: White's move 2 in a variation: `e5` is not a legal move here"),
        ("1. e4 f5 2. Qh5+ -- *", "line 3: a king in check cannot pass"),
        ("1. e4 1-0 1. d4 *", "line 3: `1.` comes after the result; the next game must begin on a new line"),
        ("1. e4 {no end", "line 3: the comment `{no end` has no `}` at its end"),
        ("1. e4\ne5 (1... c5\n*", "line 4: a variation has no `)` at its end"),
        ("1. e4 e5) *", "line 3: `)` has no matching `(`"),
        ("(1. e4) *", "line 3: a variation must follow the move that it replaces"),
        ("1. e4 $65536 *", "line 3: `$65536` is not a mark from `$0` to `$65535`"),
        ("1. e4 $+1 *", "line 3: `$+1` is not a mark from `$0` to `$65535`"),
        ("$1 *", "line 3: a mark that belongs to no move"),
        (
            "1. e4 <x *",
            "line 3: Black's move 1: `<x` is not written as a move, such as `Nf3`, `exd5`, `e8=Q` or `O-O`",
        ),
    ];
    for (moves, expected) in bad {
        let good = "[Event \"next\"]\n\n1. d4 *\n";
        let read = read_all(&format!("[Event \"bad\"]\n\n{moves}\n\n{good}\n{good}"));
        assert_eq!(read.len(), 3, "{moves}: {read:?}");
        assert_eq!(read[0].as_ref().expect_err(moves).to_string(), format!("game 1, {expected}"));
        assert_eq!(read[1].as_ref(), good.parse().as_ref(), "{moves}");
        let text = format!("{good}\n[Event \"bad\"]\n\n{moves}\n\n{good}");
        let read = read_all(&text);
        let error = read[1].as_ref().expect_err(moves).to_string();
        assert!(error.starts_with("game 2, line 7: ") || error.starts_with("game 2, line 8: "), "{error}");
        assert_eq!(read.len(), 3);
    }
}

#[test]
fn a_bad_game_is_kept_up_to_its_fault() {
    let text = "[White \"x\"]\n\n1. e4 {king's pawn} e5 (1... c5 2. Nf3 (2. c3 d5 3. Qh8)) 2. Nf3 1-0\n";
    let error = text.parse::<Game>().expect_err("no such queen");
    let read = error.read;
    assert_eq!(read.tags.get("White"), Some("x"));
    assert_eq!(read.verdict, Verdict::Win(Side::First));
    assert!(
        read.to_string().ends_with("\n\n1. e4 {king's pawn} 1... e5 (1... c5 2. Nf3 (2. c3 d5)) 1-0\n"),
        "{read}"
    );
}

#[test]
fn games_without_tags_are_found_after_any_fault() {
    for bad in ["1. e4 Ke7 2. d4 1-0", "1. e4 (1. d4 *", "1. e4 e5) *", "[White x]\n1. e4 *", "1. e4 1-0 1-0"]
    {
        let text = format!("{bad}\n\n1. c4 *\n\n1. b3 0-1\n1. f4 *");
        let read = read_all(&text);
        assert_eq!(read.len(), 4, "{bad}: {read:?}");
        for (game, first) in read[1..].iter().zip(["c4", "b3", "f4"]) {
            let game = game.as_ref().expect(bad);
            assert_eq!(
                game.line.turns()[0].before().san(game.line.turns()[0].played().expect(bad)).to_string(),
                first
            );
        }
    }
}

#[test]
fn where_a_game_without_moves_ends() {
    let events = |text: &str| -> Vec<String> {
        let event =
            |game: Result<Game, _>| game.expect(text).tags.get("Event").expect("one of seven").to_owned();
        pgn::games(text).map(event).collect()
    };
    assert_eq!(events("[Event \"a\"]\n[White \"x\"]\n\n[Event \"b\"]\n"), ["a", "b"]);
    assert_eq!(events("[Event \"?\"]\n\n\n[Event \"?\"]\n\n*"), ["?", "?"]);
    assert_eq!(events("[White \"x\"]\n\n[White \"y\"]\n"), ["?", "?"]);
    // A repeated tag, or tags separated by an empty line: it is one game.
    assert_eq!(events("[Event \"a\"]\n[Event \"b\"]\n\n1. e4 *"), ["b"]);
    assert_eq!(events("[Event \"a\"]\n\n[White \"x\"]\n\n1. e4 *"), ["a"]);
}

#[test]
fn old_and_foreign_files_are_read() {
    let text = b"\xef\xbb\xbf  [White \"M\xfcller\"]\r  [White-Elo \"2400\"]\r\r1. e4 ; best\r1... d5 2. ed5 Nf6 N 3. Nb1c3 -- $256\r\
                 4. d2d4!!! +- e5 5. de5 <7> D Ng4 \xbd-\xbd\r\r\xef\xbb\xbf[White \"next\"]\r1.e4 e5 2.Ke2 Ke7 1/2\r";
    let games: Vec<_> = pgn::read(text.as_slice()).collect();
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    let first = first.as_ref().expect("readable").to_string();
    assert!(first.contains("[White \"Müller\"]\n"), "{first}");
    assert!(first.contains("[White-Elo \"2400\"]\n"), "{first}");
    assert!(
        first.ends_with(
            "1. e4 {best} 1... d5 2. exd5 Nf6 $146 3. Nc3 -- $256 4. d4 $3 $18 e5 5. dxe5\n$220 Ng4 1/2-1/2\n"
        ),
        "{first}"
    );
    assert_eq!(second.as_ref().expect("well written").verdict, Verdict::Draw);
}

#[test]
fn quotation_marks_in_tags_need_no_backslash() {
    let text = "[Event \"the \"Duke\"\"]\n[White \"a \\\"b\\\"\"] [Black \"c\"] \n1. e4 *";
    let game: Game = text.parse().expect("readable");
    assert_eq!(
        ["Event", "White", "Black"].map(|name| game.tags.get(name)),
        [r#"the "Duke""#, r#"a "b""#, "c"].map(Some)
    );
    assert_eq!(game.line.turns().len(), 1);
}

#[test]
fn wrong_tags() {
    let error = |text: &str| text.parse::<Game>().expect_err(text).to_string();
    assert_eq!(
        error("\n[White Morphy]"),
        "game 1, line 2: `[White Morphy]` is not a tag, such as `[White \"Morphy\"]`"
    );
    assert_eq!(error("[\"x\"]"), "game 1, line 1: `[\"x\"]` is not a tag, such as `[White \"Morphy\"]`");
    assert_eq!(
        error("[Event \"?\"]\n[FEN \"8/8 w\"]\n[White \"x\"]\n\n1. e4 *"),
        "game 1, line 2: FEN: 4 to 6 fields are needed, not 2: pieces, side to move, castling, en passant, quiet plies, move \
         number, as in `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`"
    );
    assert_eq!(
        error("[Variant \"Atomic\"]"),
        "game 1, line 1: variant `Atomic` is not one of `Standard` and `Chess960`"
    );
    assert_eq!(error(" \n"), "game 1, line 1: there is no game in the text");
    let mut game = Game::new(Chess::STANDARD.start());
    assert_eq!(game.tags.set("FEN", "x"), Err(TagError::Decided { name: "FEN" }));
    assert_eq!(game.tags.set("two words", "x"), Err(TagError::Name { name: "two words".to_owned() }));
    assert_eq!(game.tags.set("Variant", "x"), Err(TagError::Variant { found: "x".to_owned() }));
    game.tags.set("White", "two\nlines").expect("a good name");
    assert_eq!(game.tags.get("White"), Some("two lines"));
}

#[test]
fn hostile_nesting_is_refused() {
    let text = format!("1. e4 {}", "(1. d4 ".repeat(200_000));
    let read = read_all(&text);
    assert_eq!(
        read[0].as_ref().expect_err("deep").to_string(),
        "game 1, line 1: variations are nested more than 100 deep"
    );
    let depth = pgn::DEEPEST;
    let text = format!("1. e4 {}{} *\n", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let game: Game = text.parse().expect("not too deep");
    assert_eq!(game.to_string().parse(), Ok(game));
}

fn numbered(count: u32, text: impl Fn(u32) -> String) -> String {
    (0..count).map(text).collect()
}

/// A game may have many comments, marks and variations, and a file many games. The time to read them grows with the length of
/// the text. If it grew with its square, this test would take minutes.
#[test]
fn long_texts_are_read_soon() {
    let part = 500_000;
    for text in [
        format!("1. e4 {} *", "{}".repeat(part)),
        format!("1. e4 {} *", ";\n".repeat(part)),
        format!("1. e4 {} *", "$1".repeat(part)),
        format!("1. e4 {} *", "(d4)".repeat(part)),
        format!("1. e4 {} *", "<>".repeat(part)),
        format!("1. e4 {{{}}} *", "\n".repeat(part)),
        format!("1. e4 {}{}", "* ".repeat(part), " ".repeat(part)),
        format!("[Event \"{}\"] *", "\\".repeat(part)),
        "[Event \"a\"] ".repeat(part / 2),
        "[Event \"a\"]\n".repeat(part / 2),
    ] {
        let read = read_all(&text);
        assert_eq!(read.len(), 1, "{}", &text[..40]);
        assert!(read[0].is_ok(), "{}", &text[..40]);
    }
    let games = 100_000;
    assert_eq!(pgn::games(&"*\n".repeat(games)).count(), games);
    assert_eq!(pgn::games(&"[Event \"a\"]\n\n".repeat(games)).count(), games);
}

#[test]
fn too_many_tags_are_refused() {
    let tags = numbered(pgn::MOST_TAGS as u32, |n| format!("[T{n} \"\"]\n"));
    let error = format!("{tags}\n1. e4 *\n").parse::<Game>().expect_err("too many").to_string();
    assert_eq!(error, "game 1, line 195: a game has more than 200 tags");
    let mut game = Game::new(Chess::STANDARD.start());
    let set = |game: &mut Game, n: usize| game.tags.set(&format!("T{n}"), "x");
    (0..pgn::MOST_TAGS - 6).for_each(|n| set(&mut game, n).expect("six tags are always there"));
    assert_eq!(set(&mut game, pgn::MOST_TAGS), Err(TagError::TooMany));
    assert_eq!(set(&mut game, 7), Ok(()), "it is there already");
    assert_eq!(game.to_string().parse(), Ok(game));
}

/// A byte order mark at the start of a file, or between files that were joined, is no part of a game. In a comment it is a
/// character.
#[test]
fn a_mark_in_a_comment_is_kept() {
    let text = "\u{feff}{a\n\u{feff}b \u{feff}}\n\u{feff}1. e4 {\n\u{feff}c} *\n\u{feff}[Event \"x\"]\n*\n";
    let games: Vec<Game> = read_all(text).into_iter().map(|game| game.expect("readable")).collect();
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(first.line.comments, [Comment::new("a \u{feff}b \u{feff}")]);
    assert_eq!(first.line.turns()[0].comments, [Comment::new("\u{feff}c")]);
    assert_eq!(second.tags.get("Event"), Some("x"));
    assert_eq!(first.to_string().parse().as_ref(), Ok(first));
    let unclosed = read_all("1. e4 {\n\n\u{feff}[Event \"x\"]\n*\n");
    assert_eq!(unclosed.len(), 2, "{unclosed:?}");
}

/// No text may take long to read. If one does, this test does not end.
#[test]
fn hostile_texts_are_refused_soon() {
    let long = pgn::LONGEST;
    for text in [
        "1. e4 {".repeat(500_000),
        "{".repeat(long),
        "(".repeat(long),
        "[Event \"".repeat(200_000),
        "[Event \"a\"]\n\n".repeat(2_000),
        "Nf3 Nf6 Ng1 Ng8 ".repeat(long / 16),
        format!("{{{}", "\n\n[Event".repeat(300_000)),
        "<".repeat(long),
        "1. e4 <x> < ".repeat(long / 12),
        "$".repeat(long),
        "\\".repeat(long),
        "[\"\\".repeat(long / 3),
        numbered(200_000, |n| format!("[{n:x} \"\"]\n")),
        numbered(200_000, |n| format!("[{n:x} \"\"]\n\n")),
    ] {
        let (mut games, mut errors) = (0, 0);
        for game in pgn::games(&text) {
            if game.is_err() { errors += 1 } else { games += 1 }
        }
        assert!(
            games == 2_000 && errors == 0 || games == 0 && errors == 1,
            "{games} {errors}: {}",
            &text[..40]
        );
    }
    let error = "Nf3 Nf6 Ng1 Ng8 ".repeat(long / 16).parse::<Game>().expect_err("too long").to_string();
    assert_eq!(error, "game 1, line 1: the text of a game is longer than 4 MiB");
}

#[test]
fn a_source_that_fails_says_so() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::ConnectionReset.into())
        }
    }
    let source = std::io::Read::chain("1. e4 *\n1. d4".as_bytes(), Broken);
    let mut games = pgn::read(std::io::BufReader::new(source));
    games.next().expect("a game").expect("well written");
    let error = games.next().expect("half a game").expect_err("broken");
    assert_eq!(error.to_string(), "game 2, line 2: the source cannot be read: connection reset");
    assert!(games.next().is_none());
}

#[test]
fn only_legal_moves_are_taken() {
    let mut line = Line::new(Chess::STANDARD.start());
    let e4 = line.end().parse_san("e4").expect("a move");
    line.push(e4).expect("legal");
    assert_eq!(line.push(e4).map(|turn| turn.played()), Err(IllegalMove));
    assert_eq!(line.turns()[0].after(), line.end());
    assert_eq!(line.end().turn(), Side::Second);
    let _: &Position = line.start();
}
