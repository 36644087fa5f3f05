//! The interface for programs: each line of input gives one line of JSON.

use endspiel_registry::{After, Listing, OutputFormat, Registry};
use game::Options;
use serde_json::Value;

fn answers(game: &str, input: &[u8]) -> Vec<Value> {
    let registry = Registry::standard();
    let game = registry.find(game).expect("a game").open(&Options::default()).expect("defaults are right");
    let mut output = Vec::new();
    game.rules().moves(Listing::All, After::Omitted, &mut { input }, &mut output).expect("no I/O");
    let output = String::from_utf8(output).expect("UTF-8");
    output.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// For sampled positions of every game, the answer lists the sorted moves. They equal the moves of a session.
#[test]
fn answers_equal_sessions() {
    for family in Registry::standard().games() {
        let game = family.open(&Options::default()).expect("defaults are right");
        let mut lines = Vec::new();
        game.rules().sample(500, 5, OutputFormat::Text, &mut lines).expect("no I/O");
        let text = String::from_utf8(lines.clone()).expect("UTF-8");
        let answers = answers(family.info().name, &lines);
        assert_eq!(answers.len(), 500);
        for (line, answer) in text.lines().zip(answers) {
            assert_eq!(answer["position"], line);
            assert_eq!(answer["outcome"], Value::Null);
            let moves: Vec<&str> = answer["moves"]
                .as_array()
                .expect(line)
                .iter()
                .map(|m| m["move"].as_str().expect(line))
                .collect();
            assert!(moves.is_sorted(), "{line}");
            let told = game.session(Some(line)).expect(line).position_moves(Listing::All);
            match answer.get("pass") {
                // Only a pass is possible. A session lists it as a move; the JSON answer has the number of its action.
                Some(pass) => assert!(pass.is_u64() && moves.is_empty() && told == ["pass"], "{line}"),
                None => assert_eq!(moves, told),
            }
        }
    }
}

#[test]
fn bad_lines_are_answered_and_the_rest_goes_on() {
    let good = "1121100000000000000033433 b boar,ox elephant,horse crab";
    let input = format!("\"quoted\\\"\n{good}\n\n\u{7}\u{1f600}\r\n{good}");
    let mut input = input.into_bytes();
    input.extend_from_slice(b"\n\xff\xfe\n");
    let answers = answers("onitama", &input);
    let positions: Vec<&str> = answers.iter().map(|a| a["position"].as_str().expect("a string")).collect();
    assert_eq!(positions, ["\"quoted\\\"", good, "", "\u{7}\u{1f600}", good, "\u{fffd}\u{fffd}"]);
    let wrong: Vec<bool> = answers.iter().map(|answer| answer["error"].is_string()).collect();
    assert_eq!(wrong, [true, false, true, true, false, true]);
}

#[test]
fn outcomes_name_winner_and_way() {
    let stone = "2000000000000000000000000 r boar,ox elephant,horse crab";
    let stream = "0000000000000000000040200 r boar,ox elephant,horse crab";
    let answers = answers("onitama", format!("{stone}\n{stream}\n").as_bytes());
    assert_eq!(answers[0]["outcome"], serde_json::json!({"winner": "blue", "by": "stone"}));
    assert_eq!(answers[1]["outcome"], serde_json::json!({"winner": "blue", "by": "stream"}));
    assert!(answers.iter().all(|answer| answer["moves"] == serde_json::json!([])));
}

/// What is applied is told in the usual notation, and the position after each listed move is the one after it.
#[test]
fn listed_moves_are_applied() {
    for family in Registry::standard().games() {
        let (info, game) = (family.info(), family.open(&Options::default()).expect("defaults are right"));
        let applied = game.rules().apply(info.example_position, info.example_move).expect(info.name);
        assert_eq!(applied.played.last().map(String::as_str), Some(info.example_move));
        let session = game.session(Some(info.example_position)).expect(info.name);
        let answer = game.rules().moves_of(&*session, "asked", Listing::All, None).expect("its own session");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["position"], "asked");
        let moves = answer["moves"].as_array().expect("moves");
        for listed in moves {
            let text = |key: &str| listed[key].as_str().expect("a text");
            let applied = game.rules().apply(info.example_position, text("move"));
            let after = applied.expect("a listed move").after;
            // The position ID of backgammon does not tell the colours.
            assert!(after == text("after") || info.name == "backgammon", "{listed}: {after}");
        }
        let wrong = game.rules().apply(info.example_position, "nonsense").expect_err("no move").to_string();
        assert!(wrong.starts_with("move 1: `nonsense` is not"), "{wrong}");
    }
}

/// A position may have other rules than the opened game.
#[test]
fn rules_are_those_of_the_position() {
    let registry = Registry::standard();
    let game = registry.find("ONITAMA").expect("any case").open(&Options::default()).expect("defaults");
    let session = game.session(Some("1121100000000000000033433 b boar,tiger elephant,horse crab"));
    assert_eq!(session.expect("a position").rules_id(), "boar-crab-elephant-horse-tiger");
    assert_eq!(game.session(None).expect("the start").rules_id(), game.rules().rules_id());
}

#[test]
fn samples_come_in_two_forms() {
    for family in Registry::standard().games() {
        let game = family.open(&Options::default()).expect("defaults are right");
        let sampled = |format| {
            let mut lines = Vec::new();
            game.rules().sample(20, 3, format, &mut lines).expect("no I/O");
            String::from_utf8(lines).expect("UTF-8")
        };
        let (plain, objects) = (sampled(OutputFormat::Text), sampled(OutputFormat::Json));
        assert_eq!((plain.lines().count(), objects.lines().count()), (20, 20));
        for (text, object) in plain.lines().zip(objects.lines()) {
            assert_eq!(
                serde_json::from_str::<Value>(object).expect(object),
                serde_json::json!({"position": text})
            );
        }
    }
}

/// An error quotes only a short part of the input, without control characters.
#[test]
fn errors_quote_little_and_nothing_wild() {
    let long = "1".repeat(60_000);
    let input = format!(
        "{long} b boar,ox elephant,horse crab\n1121100000000000000033433 \u{7f}\u{1b}[2J b,ox c,d e\n"
    );
    let answers = answers("onitama", input.as_bytes());
    assert_eq!(answers.len(), 2);
    for answer in answers {
        let error = answer["error"].as_str().expect("wrong input");
        assert!(error.len() < 500 && !error.contains(char::is_control), "{error}");
    }
}
