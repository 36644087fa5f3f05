//! What `play` and `match` save, `record` reads.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAMES: [&str; 6] = ["dobutsu", "onitama", "chess", "shogi", "cotulenh", "backgammon"];

fn endspiel(line: &str, input: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(line.split(' ')).current_dir(folder).env_remove("ENDSPIEL_TABLES");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// Runs a command that succeeds, and returns its output.
fn told(line: &str, input: &str, folder: &Path) -> String {
    let output = endspiel(line, input, folder);
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && wrong.is_empty(), "{line}: {wrong}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn games_that_match_saves_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in GAMES {
        told(&format!("match {game} random random --games 3 --save {game}"), "", folder.path());
        let files = fs::read_dir(folder.path().join(game)).expect("a folder");
        let mut names: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        names.sort();
        assert_eq!(names.len(), 3, "{game}");
        let mut together = String::new();
        for name in &names {
            let name = name.to_str().expect("a plain name");
            let path = folder.path().join(game).join(name);
            together += &fs::read_to_string(path).expect("UTF-8");
            together += "\n";
            let checked = told(&format!("record check {game} {game}/{name}"), "", folder.path());
            assert_eq!(checked, "1 game: every move is legal\n", "{name}");
        }
        let ending = Path::new(&names[0]).extension().and_then(|ending| ending.to_str()).expect("an ending");
        // The files are also read together.
        let json = told(&format!("record convert {game} --from {ending}"), &together, folder.path());
        assert_eq!(json.lines().count(), 3, "{game}");
        for line in json.lines() {
            let read: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert!(read["result"].is_object(), "{line}");
        }
        let checked = told(&format!("record check {game} --from json"), &json, folder.path());
        assert_eq!(checked, "3 games: every move is legal\n");
        let shown = told(&format!("record show {game} - --from {ending} --game 2"), &together, folder.path());
        assert!(shown.starts_with("Game 2\n"), "{shown}");
    }
    let line = "match backgammon random pips --games 2 --match 3 --cube on --save matches";
    told(line, "", folder.path());
    let checked = told("record check backgammon matches/000002.mat", "", folder.path());
    assert!(checked.ends_with(": every move is legal\n"), "{checked}");
}

#[test]
fn games_that_play_saves_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, options, ends) in [
        ("dobutsu", "", &["moves", "jsonl"][..]),
        ("onitama", " --cards tiger,crab,crane,mantis,boar", &["moves", "jsonl"]),
        ("chess", "", &["moves", "jsonl", "pgn"]),
        ("shogi", "", &["moves", "jsonl", "kif", "csa"]),
        ("cotulenh", "", &["moves", "jsonl"]),
        ("backgammon", " --cube on", &["moves", "jsonl", "mat"]),
    ] {
        // The first legal move of the start, as `moves` lists it. Backgammon begins with a roll.
        let start = told(&format!("moves {game}{options} --json"), "", folder.path());
        let start: serde_json::Value = serde_json::from_str(&start).expect("JSON");
        let first = start["moves"][0]["move"].as_str().unwrap_or("31\n8/5 6/5").to_owned();
        let chance = if game == "backgammon" { " --chance given" } else { "" };
        let saves: String = ends.iter().map(|end| format!("save {game} 1.{end}\n")).collect();
        let input = format!("{first}\n{saves}save {game} 1.moves\nsave {game}.xyz\nsave\n");
        let played =
            told(&format!("play {game}{options}{chance} --opponent person --seed 1"), &input, folder.path());
        assert!(played.contains(&format!("Saved to `{game} 1.moves`.")), "{played}");
        // A file that is there is not overwritten, and the ending must be known.
        assert!(played.contains("File exists") && played.contains("must end in one of ."), "{played}");
        let mut lists = Vec::new();
        for end in ends {
            let text = fs::read_to_string(folder.path().join(format!("{game} 1.{end}"))).expect("saved");
            let from = if *end == "jsonl" { "json" } else { end };
            let list = told(&format!("record convert {game} --from {from} --to json"), &text, folder.path());
            let read: serde_json::Value = serde_json::from_str(&list).expect("JSON");
            lists.push(read["moves"].as_array().expect("a list").len());
        }
        let expected = if game == "backgammon" { 2 } else { 1 };
        assert!(lists.iter().all(|&steps| steps == expected), "{game}: {lists:?}");
    }
}

/// Comments stay when a game goes through JSON.
#[test]
fn comments_are_in_json_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = "[White \"Anna\"]\n\n{before the game} 1. e4 {the king's pawn} {best by test} e5 2. Nf3 {a knight} *\n";
    let json = told("record convert chess --from pgn", pgn, folder.path());
    let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(read["comments"], serde_json::json!(["before the game"]));
    assert_eq!(read["moves"][0]["comments"], serde_json::json!(["the king's pawn", "best by test"]));
    assert_eq!(read["moves"][1].get("comments"), None);
    let again = told("record convert chess --from json --to pgn", &json, folder.path());
    let direct = told("record convert chess --from pgn --to pgn", pgn, folder.path());
    assert_eq!(again, direct);
    let shown = told("record show chess - --from json", &json, folder.path());
    for comment in ["  before the game\n", "  the king's pawn\n  best by test\n", "  a knight\n"] {
        assert!(shown.contains(comment), "{shown}");
    }
    let kif = "手合割：平手\n*開始\n   1 ７六歩(77)   ( 0:16/00:00:16)\n*good\n   2 投了\n*それまで\n";
    let json = told("record convert shogi --from kif", kif, folder.path());
    let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(read["comments"], serde_json::json!(["開始"]));
    assert_eq!(read["moves"][0]["comments"], serde_json::json!(["good", "それまで"]));
    for format in ["kif", "csa"] {
        let again = told(&format!("record convert shogi --from json --to {format}"), &json, folder.path());
        let in_json = told(&format!("record convert shogi --from {format}"), &again, folder.path());
        assert_eq!(in_json, json, "{format}: {again}");
    }
}
