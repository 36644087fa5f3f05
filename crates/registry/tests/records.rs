//! Records of games: what other programs read in the same files, what is written is read again, and bad games are passed over.

use endspiel_registry::{Counts, Opened, OutputFormat, Registry, Task};
use game::{GameOption, Notation as _, Options, Rng, Style};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};

fn opened(game: &str, options: &[(&'static str, &str)]) -> Opened {
    let mut given = Options::default();
    for (name, value) in options {
        let option = GameOption { name, value: "", help: "", proposed: &[], default: "" };
        given.set(&option, (*value).to_owned());
    }
    Registry::standard().find(game).expect("a game").open(&given).expect("right options")
}

/// What a task made of a file: its output, the errors, and the counts.
struct Done {
    out: String,
    bad: Vec<String>,
    counts: Counts,
}

fn run(game: &Opened, from: &str, task: Task<'_>, source: &mut dyn BufRead) -> Done {
    let (mut out, mut bad) = (Vec::new(), Vec::new());
    let reading = game.records().reading(from, task).expect("a format of the game");
    let counts = reading.run(source, None, &mut out, &mut |error, _| {
        bad.push(error.to_string());
        Ok(())
    });
    let counts = counts.expect("memory has no I/O errors");
    assert_eq!(counts.bad, bad.len() as u64);
    Done { out: String::from_utf8(out).expect("UTF-8"), bad, counts }
}

fn convert(game: &Opened, from: &str, to: &str, text: &str) -> String {
    let done = run(game, from, Task::Convert { to }, &mut text.as_bytes());
    assert_eq!(done.bad, [""; 0], "{text}");
    done.out
}

/// The games of a text as JSON.
fn in_json(game: &Opened, from: &str, text: &str) -> Vec<Value> {
    convert(game, from, "json", text).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn texts(object: &Value, key: &str) -> Vec<String> {
    let moves = object["moves"].as_array().expect("a list").iter();
    moves.filter_map(|ply| ply[key].as_str().map(str::to_owned)).collect()
}

/// Without the keys that depend on the file.
fn bare(mut game: Value) -> Value {
    game.as_object_mut().expect("an object").remove("number");
    game
}

#[test]
fn games_in_pgn_are_those_that_python_chess_reads() {
    let rows: Vec<Value> = fixtures::rows("chess/records.jsonl");
    let rows = &rows[1..];
    let file: String = rows.iter().map(|row| format!("{}\n", row["pgn"].as_str().expect("a text"))).collect();
    let chess = opened("chess", &[]);
    let read = in_json(&chess, "pgn", &file);
    assert_eq!((rows.len(), read.len()), (39, 39));
    for (row, read) in rows.iter().zip(&read) {
        assert_eq!(read["tags"], row["tags"]);
        let fens: Vec<&str> =
            row["fens"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let mut ours = vec![read["start"].as_str().expect("a text").to_owned()];
        ours.extend(texts(read, "after"));
        // python-chess writes castling rights by the files of the rooks in Chess960 only.
        let plain = |fen: &str| {
            fen.split(' ')
                .enumerate()
                .filter(|(at, _)| *at != 2)
                .map(|(_, part)| part.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            ours.iter().map(|fen| plain(fen)).collect::<Vec<_>>(),
            fens.iter().map(|fen| plain(fen)).collect::<Vec<_>>()
        );
        assert_eq!(texts(read, "before"), ours[..ours.len() - 1]);
        let winner = match row["result"].as_str() {
            Some("1-0") => Some(Value::from("white")),
            Some("0-1") => Some(Value::from("black")),
            Some("1/2-1/2") => Some(Value::Null),
            _ => None,
        };
        assert_eq!(read["result"].get("winner").cloned(), winner);
    }
}

#[test]
fn games_in_kif_and_csa_are_those_that_other_programs_read() {
    let rows: Vec<Value> = fixtures::rows("shogi/records.jsonl");
    let shogi = opened("shogi", &[]);
    for format in ["kif", "csa"] {
        let rows: Vec<&Value> = rows.iter().filter(|row| row["format"] == format).collect();
        let between = if format == "csa" { "/\n" } else { "" };
        let texts_of = |row: &&Value| row["text"].as_str().expect("a text").to_owned();
        let file = rows.iter().map(texts_of).collect::<Vec<_>>().join(between);
        let read = in_json(&shogi, format, &file);
        assert_eq!(read.len(), rows.len(), "{format}");
        assert!(rows.len() >= 10);
        for (row, read) in rows.iter().zip(&read) {
            let moves: Vec<&str> =
                row["moves"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            assert_eq!(texts(read, "move"), moves, "{}", row["text"]);
            // Neither format has the number of the first move.
            let board = |text: &Value| {
                text.as_str().and_then(|text| text.rsplit_once(' ')).map(|(board, _)| board.to_owned())
            };
            assert_eq!(board(&read["start"]), board(&row["start"]));
        }
        // The same games in the other format have the same moves, tags and results.
        let other = if format == "csa" { "kif" } else { "csa" };
        let again = in_json(&shogi, other, &convert(&shogi, format, other, &file));
        assert_eq!(again.len(), read.len());
        for (again, read) in again.iter().zip(&read) {
            assert_eq!(again["moves"], read["moves"]);
        }
    }
}

#[test]
fn match_files_have_the_positions_of_their_moves() {
    let rows: Vec<Value> = fixtures::rows("backgammon/match_positions.jsonl");
    let game = opened("backgammon", &[]);
    let notation = backgammon::Backgammon::default();
    for file in ["match5.mat", "money.mat", "money_without_cube.mat"] {
        let text = fixtures::text(&format!("backgammon/{file}"));
        let read = in_json(&game, "mat", &text);
        let rows: Vec<&Value> = rows.iter().filter(|row| row["file"] == file).collect();
        assert_eq!(rows.len(), read.len());
        for (row, read) in rows.iter().zip(&read) {
            let moves = read["moves"].as_array().expect("a list");
            let mut ids = Vec::new();
            for (at, ply) in moves.iter().enumerate() {
                let follows_roll = at > 0 && moves[at - 1].get("roll").is_some();
                let is_left = ply.get("roll").is_some() && at + 1 == moves.len();
                if !follows_roll && !is_left {
                    continue;
                }
                let after =
                    notation.parse_position(ply["after"].as_str().expect("a text")).expect("a position");
                // A roll that was not played leaves the turn where it was.
                let turn = game::Position::turn(&after);
                ids.push(after.board().position_id(if is_left { turn.other() } else { turn }));
            }
            let expected: Vec<&str> =
                row["ids"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            assert_eq!(ids, expected, "{file}, game {}", row["game"]);
            assert_eq!(read["tags"]["white"], "Anna");
            assert!(read["result"]["points"].is_number());
        }
        // Through other formats and back, each match is the same.
        for through in ["moves", "json"] {
            let there = convert(&game, "mat", through, &text);
            assert_eq!(in_json(&game, through, &there), read, "{through}");
            let back = convert(&game, through, "mat", &there);
            assert_eq!(in_json(&game, "mat", &back), read, "{through}: {back}");
            assert_eq!(back, convert(&game, "mat", "mat", &text), "{through}");
        }
        let written = backgammon::mat::write(&backgammon::mat::read(&text).expect("a match"));
        assert_eq!(convert(&game, "mat", "mat", &text), written);
    }
}

/// Plays a random game. Returns the session, and the texts of all its positions.
fn random_game(game: &Opened, seed: u64) -> (Box<dyn endspiel_registry::Session>, Vec<String>) {
    let mut rng = Rng::new(seed);
    let mut session = game.session(None).expect("the start");
    let mut positions = vec![session.position()];
    for _ in 0..rng.below(120) {
        if session.settle(&mut rng).is_some() {
            positions.push(session.position());
        }
        if session.play_random(&mut rng).is_none() {
            break;
        }
        positions.push(session.position());
    }
    (session, positions)
}

#[test]
fn saved_games_of_every_game_are_read_again_in_every_format() {
    let variants: [(&str, &[(&str, &str)]); 10] = [
        ("dobutsu", &[]),
        ("onitama", &[]),
        ("onitama", &[("cards", "tiger,crab,crane,mantis,boar")]),
        ("chess", &[]),
        ("chess", &[("variant", "chess960"), ("start", "77")]),
        ("shogi", &[("impasse", "try")]),
        ("cotulenh", &[("battle", "marine")]),
        ("backgammon", &[]),
        ("backgammon", &[("cube", "on"), ("jacoby", "on")]),
        ("backgammon", &[("match", "3")]),
    ];
    for (name, options) in variants {
        let (game, plain) = (opened(name, options), opened(name, &[]));
        for seed in 0..6 {
            let (session, positions) = random_game(&game, seed);
            for format in game.records().formats() {
                let text = match game.records().session_text(&*session, format) {
                    Ok(text) => text,
                    Err(error) => panic!("{name} {options:?} as {format}: {error}"),
                };
                // Lists and JSON keep the options, so that a reader need not know them.
                let reader = if matches!(format, "moves" | "json") { &plain } else { &game };
                let read = run(reader, format, Task::Positions(OutputFormat::Text), &mut text.as_bytes());
                assert_eq!(read.bad, [""; 0], "{name} {options:?} as {format}: {text}");
                // KIF and CSA have no move numbers, and match files have no games without a cube.
                let is_same = !matches!(format, "kif" | "csa" | "mat");
                if is_same {
                    assert_eq!(read.out.lines().collect::<Vec<_>>(), positions, "{name} as {format}");
                }
                if format == "kif" || format == "csa" {
                    assert_eq!(read.out.lines().count(), positions.len());
                }
                let json = in_json(reader, format, &text);
                assert_eq!(json.len(), 1);
                if is_same && let Some(ending) = session.ending() {
                    assert_eq!(json[0]["result"]["winner"].as_str(), ending.winner);
                    assert_eq!(json[0]["result"]["by"], ending.by);
                }
                for to in reader.records().formats() {
                    let there = convert(reader, format, to, &text);
                    let back = in_json(reader, to, &there);
                    // In a match file there is always a cube, and so a decision to roll.
                    let moves = |game: &Value| {
                        let mut moves = texts(game, "move");
                        moves.retain(|text| text != "roll");
                        moves
                    };
                    assert_eq!(moves(&back[0]), moves(&json[0]), "{name}: {format} to {to}");
                }
            }
        }
    }
}

#[test]
fn shows_have_a_board_for_each_step() {
    let game = opened("onitama", &[]);
    let (session, positions) = random_game(&game, 5);
    let text = game.records().session_text(&*session, "moves").expect("every game has this format");
    let shown = run(&game, "moves", Task::Show(Style::Plain), &mut text.as_bytes()).out;
    for position in positions {
        let board = game.session(Some(&position)).expect("a position").draw(Style::Plain);
        assert!(shown.contains(&board), "{shown}");
    }
}

/// A source that repeats a text, which is never in the memory as a whole.
struct Repeated<'a> {
    text: &'a [u8],
    left: usize,
    at: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            (self.at, self.left) = (0, self.left - 1);
        }
        if self.left == 0 {
            return Ok(0);
        }
        let part = &self.text[self.at..];
        let length = part.len().min(buffer.len());
        buffer[..length].copy_from_slice(&part[..length]);
        self.at += length;
        Ok(length)
    }
}

#[test]
fn the_games_of_a_long_file_are_all_read() {
    let shogi: Vec<Value> = fixtures::rows("shogi/records.jsonl");
    let of_shogi = |format: &str| {
        let row = shogi.iter().find(|row| row["format"] == format).expect("a row");
        row["text"].as_str().expect("a text").to_owned()
    };
    let onitama = opened("onitama", &[]);
    let (session, _) = random_game(&onitama, 1);
    let list = onitama.records().session_text(&*session, "moves").expect("a list");
    let json = onitama.records().session_text(&*session, "json").expect("an object");
    let cases = [
        ("chess", "pgn", "[Event \"?\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 {a} *\n\n".to_owned(), 1),
        ("shogi", "kif", of_shogi("kif"), 1),
        ("shogi", "csa", of_shogi("csa") + "/\n", 1),
        ("backgammon", "mat", fixtures::text("backgammon/match5.mat"), 4),
        ("onitama", "moves", list, 1),
        ("onitama", "json", json, 1),
    ];
    const TIMES: usize = 500;
    for (name, format, text, games) in cases {
        let mut source = BufReader::with_capacity(77, Repeated { text: text.as_bytes(), left: TIMES, at: 0 });
        let done = run(&opened(name, &[]), format, Task::Check, &mut source);
        assert_eq!(done.bad, [""; 0], "{format}");
        assert_eq!(done.counts, Counts { games: games * TIMES as u64, bad: 0 }, "{format}");
    }
}

#[test]
fn bad_games_are_told_by_their_place_and_passed_over() {
    let cases = [
        (
            "chess",
            "pgn",
            "1. e4 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n[Event \"c\"]\n\n1. e4 e5 (1... c5 2. Nf6) *\n\n1. e4 -- *\n\n1. d4 *\n",
            vec![
                "game 2, ply 3, line 5: White's move 2: `Ke3` is not a legal move here",
                "game 3, ply 3, line 9: White's move 2 in a variation: `Nf6` is not a legal move here",
                "game 4, ply 2: `--` is not a legal move here: nobody may pass in a game",
            ],
            5,
        ),
        (
            "shogi",
            "kif",
            "手合割：平手\n   1 ７六歩(77)\n   2 ７六歩(77)\n\n手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n手合割：平手\n   1 ７五歩(77)\n",
            vec![
                "game 1, ply 2, line 3: move 2: `７六歩(77)` is not a legal move here",
                "game 3, ply 1, line 9: move 1: `７五歩(77)` is not a legal move here",
            ],
            3,
        ),
        (
            "shogi",
            "csa",
            "+7776FU\n/\n+7776FU\n+2726FU\n/\nV2.2\n\n/\n+7776FU\n%TORYO\n",
            vec![
                "game 2, ply 2, line 4: move 2: `+2726FU` is a move of the wrong side: the other side is to move",
            ],
            3,
        ),
        (
            "backgammon",
            "mat",
            "; [Event \"a\"]\n 3 point match\n\n Game 1\n Anna : 0 Otto : 0\n  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n\n Game 2\n Anna : 1 Otto : 0\n  1) 31: 8/5 6/5\n; [Event \"b\"]\n 5 point match\n Game 1\n Anna : 0 Otto : 0\n  1) 31: 8/5 6/4\n",
            vec![
                "game 1, ply 2, line 7: `31: 8/5 6/5` is in the wrong column: it is the turn of the other player",
                "game 3, ply 1, line 16: `8/5 6/4` is not a legal move here; similar ones are 24/23 8/5, 8/5 6/5, 8/7 8/5",
            ],
            3,
        ),
        (
            "onitama",
            "moves",
            "game: onitama\nstart: x\n\ngame: onitama\nboar:a1a1\n\ngame: onitama\nresult: blue by stone\nresult: nobody\n\ngame: chess\n\ngame: onitama\noption: cube on\n\ngame: onitama\nblue: Anna\n",
            vec![
                "game 1, line 2: `x` is not a position: ",
                "game 2, ply 1, line 5: `boar:a1a1` is not a legal move here",
                "game 3, line 9: `nobody` is not a result, such as `blue`, `blue by resignation` or `draw`",
                "game 4, line 11: this is a game of `chess`, not of onitama",
                "game 5, line 14: there is no option `cube` of onitama",
            ],
            6,
        ),
        (
            "chess",
            "json",
            "{\"moves\":[{\"move\":\"e2e4\"}]}\n[]\n\n{\"moves\":[{\"move\":\"e2e5\"}]}\n{\"moves\":[{\"move\":\"e2e4\"},{}]}\n{\"moves\":[{\"move\":\"e2e4\",\"after\":\"startpos\"}]}\n{\"moves\":[],\"result\":{\"winner\":\"blue\"}}\n{\"start\":\"8/8 w\",\"moves\":[]}\n",
            vec![
                "game 2, line 2: the line is not a game in JSON: ",
                "game 3, ply 1, line 4: `e2e5` is not a legal move here",
                "game 4, ply 2, line 5: a move has neither the key `move` nor `roll`",
                "game 5, ply 1, line 6: `after` is `startpos`, and that is not the position after `e2e4`",
                "game 6, line 7: `blue` is not a side of Chess",
                "game 7, line 8: `8/8 w` is not a position: ",
            ],
            7,
        ),
    ];
    for (name, format, text, expected, games) in cases {
        let done = run(&opened(name, &[]), format, Task::Check, &mut text.as_bytes());
        assert_eq!(done.counts.games, games, "{format}: {:?}", done.bad);
        assert_eq!(done.bad.len(), expected.len(), "{format}: {:?}", done.bad);
        for (found, expected) in done.bad.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
    }
}

/// The text of one game may not fill the memory. The game after it is read.
#[test]
fn games_that_are_too_long_are_passed_over() {
    let long = "x".repeat((4 << 20) + 10);
    let kif = format!("手合割：平手\n*{long}\n   1 ７六歩(77)\n手合割：平手\n   1 ７六歩(77)\n");
    let cases = [
        ("chess", "pgn", format!("[Event \"a\"]\n\n1. e4 {{{long}}} *\n\n[Event \"b\"]\n\n1. e4 *\n"), 3),
        ("shogi", "kif", kif, 2),
        ("shogi", "csa", format!("'{long}\n+7776FU\n/\n+7776FU\n"), 1),
        (
            "backgammon",
            "mat",
            format!(" 3 point match\n Game 1\n a : 0 b : 0\n  1) {long}\n Game 2\n a : 0 b : 0\n"),
            4,
        ),
        ("onitama", "moves", format!("game: onitama\nblue: {long}\ngame: onitama\n"), 2),
        (
            "onitama",
            "json",
            format!("{{\"moves\":[], \"tags\": {{\"a\":\"{}\"}}}}\n{{\"moves\":[]}}\n", long.repeat(4)),
            1,
        ),
    ];
    for (name, format, text, line) in cases {
        let done = run(&opened(name, &[]), format, Task::Check, &mut text.as_bytes());
        assert_eq!(done.counts, Counts { games: 2, bad: 1 }, "{format}: {:?}", done.bad);
        let bad = &done.bad[0];
        assert!(bad.contains(&format!("line {line}: ")) && bad.contains("MiB"), "{format}: {bad}");
    }
}

/// A source that fails after its text.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            length => Ok(length),
        }
    }
}

#[test]
fn a_source_that_fails_is_told() {
    for (name, format, text) in [
        ("chess", "pgn", "1. e4 *\n\n"),
        ("shogi", "kif", "手合割：平手\n"),
        ("shogi", "csa", "+\n/\n"),
        ("backgammon", "mat", " 3 point match\n"),
        ("onitama", "moves", "game: onitama\n"),
        ("onitama", "json", "{\"moves\":[]}\n"),
    ] {
        let mut source = BufReader::new(Broken(text.as_bytes()));
        let done = run(&opened(name, &[]), format, Task::Check, &mut source);
        let last = done.bad.last().expect("an error");
        assert!(last.contains("the source cannot be read: connection reset"), "{format}: {last}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_told() {
    let game = opened("backgammon", &[]);
    let list = "game: backgammon\nstart: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\n8/5 6/5\n";
    let done = run(&game, "moves", Task::Convert { to: "mat" }, &mut list.as_bytes());
    assert_eq!(done.bad, ["game 1: match files hold only games that begin with the usual start"]);
    assert_eq!(done.out, "");
    let chess = opened("chess", &[]);
    let list = "game: chess\ntwo words: x\n\ne2e4\n";
    let done = run(&chess, "moves", Task::Convert { to: "pgn" }, &mut list.as_bytes());
    assert!(done.bad[0].starts_with("game 1: `two words` is not the name of a tag"), "{:?}", done.bad);
    let shogi = opened("shogi", &[]);
    assert!(shogi.records().session_text(&*chess.session(None).expect("the start"), "kif").is_err());
    assert!(chess.records().reading("kif", Task::Check).is_err());
    assert!(chess.records().reading("pgn", Task::Convert { to: "mat" }).is_err());
}

/// Endings of shogi come back from formats that have only a result.
#[test]
fn shogi_endings_return_from_their_results() {
    let shogi = opened("shogi", &[]);
    for word in [
        "投了",
        "中断",
        "千日手",
        "持将棋",
        "入玉勝ち",
        "引き分け",
        "詰み",
        "切れ負け",
        "反則負け",
        "反則勝ち",
        "不戦敗",
        "最大手数",
    ] {
        let kif = format!("手合割：平手\n   1 ７六歩(77)\n   2 {word}\n");
        let json = in_json(&shogi, "kif", &kif);
        let lists = convert(&shogi, "kif", "moves", &kif);
        assert_eq!(bare(in_json(&shogi, "moves", &lists)[0].clone()), bare(json[0].clone()));
        let back = convert(&shogi, "moves", "kif", &lists);
        assert!(back.contains(&format!("   2 {word}\n")), "{word}: {back}");
    }
}
