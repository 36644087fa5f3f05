//! Whole games, stepped from outside: a program that knows no rules asks for the moves, chooses one, and applies it.

use game::Rng;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Every game, and the options that change what a position must tell.
const GAMES: [&[&str]; 10] = [
    &["dobutsu"],
    &["onitama"],
    &["chess"],
    &["chess", "--variant", "chess960", "--start", "0"],
    &["shogi"],
    &["cotulenh"],
    &["backgammon"],
    &["backgammon", "--cube", "on"],
    &["backgammon", "--match", "3", "--opening", "real"],
    &["backgammon", "--variant", "hyper3", "--jacoby", "on", "--cube", "8"],
];

/// A verb that answers lines.
struct Asked {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Asked {
    fn new(verb: &str, game: &[&str], options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
        command.arg(verb).args(game).arg("--stdin").args(options);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, questions, answers }
    }

    fn ask(&mut self, question: &str) -> Value {
        writeln!(self.questions, "{question}").expect("a pipe");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("a pipe");
        serde_json::from_str(&answer).expect("JSON")
    }

    fn end(self) {
        let Self { mut child, questions, .. } = self;
        drop(questions);
        assert!(child.wait().expect("a child of ours").success());
    }
}

/// What can be played: the word for it, and the position after it.
fn choices_of(answer: &Value) -> Vec<(String, String)> {
    let text = |choice: &Value, key: &str| choice[key].as_str().expect("a text").to_owned();
    let listed = |key: &'static str, word: &'static str| {
        let choices = answer[key].as_array().into_iter().flatten();
        choices.map(move |choice| (text(choice, word), text(choice, "after")))
    };
    let pass = answer.get("pass").map(|_| ("pass".to_owned(), text(answer, "after")));
    listed("moves", "move").chain(listed("rolls", "roll")).chain(pass).collect()
}

/// The words and positions of a game, from its start.
fn play_a_game(game: &[&str], seed: u64) -> Vec<(String, String)> {
    const LONGEST: usize = 3_000;
    let (mut lister, mut player) = (Asked::new("moves", game, &["--after"]), Asked::new("apply", game, &[]));
    let mut rng = Rng::new(seed);
    let mut played = Vec::new();
    let mut applied = player.ask("startpos");
    while applied["ending"].is_null() && played.len() < LONGEST {
        let position = applied["after"].as_str().expect("a position").to_owned();
        let answer = lister.ask(&position);
        assert_eq!(answer["outcome"], applied["outcome"], "{position}");
        let choices = choices_of(&answer);
        assert!(!choices.is_empty(), "{position}: {answer}");
        let (word, after) = &choices[rng.below(choices.len() as u64) as usize];
        applied = player.ask(&format!("{position} moves {word}"));
        assert_eq!(applied["played"], serde_json::json!([word]), "{position}: {applied}");
        // The position ID of backgammon shows the colours exchanged, if the second side is next.
        if after.contains([' ', ':']) {
            assert_eq!(applied["after"], *after, "{position}, {word}");
        } else {
            let [of_id, of_xgid] =
                [after.as_str(), applied["after"].as_str().expect("a position")].map(|next| {
                    let answer = lister.ask(next);
                    choices_of(&answer).into_iter().map(|(word, _)| word).collect::<Vec<_>>()
                });
            assert_eq!(of_id, of_xgid, "{position}, {word}");
        }
        played.push((position, word.clone()));
    }
    assert!(!applied["ending"].is_null(), "{game:?}: {applied}");
    assert!(applied["outcome"].is_null() || applied["outcome"] == applied["ending"], "{applied}");
    // The whole game in one line.
    let words: Vec<&str> = played.iter().map(|(_, word)| word.as_str()).collect();
    let whole = player.ask(&format!("position startpos moves {}", words.join(" ")));
    assert_eq!((&whole["after"], &whole["ending"]), (&applied["after"], &applied["ending"]));
    assert_eq!(whole["played"].as_array().map(Vec::len), Some(played.len()));
    lister.end();
    player.end();
    played
}

#[test]
fn a_program_without_rules_plays_whole_games() {
    for (seed, game) in (0..).zip(GAMES) {
        let played = play_a_game(game, seed);
        assert!(played.len() > 3, "{game:?}");
    }
}

/// The same by one command for each question, as in a shell.
#[test]
fn each_step_is_a_command() {
    let run = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_endspiel")).args(words).output().expect("it starts");
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for (seed, game) in (0..).zip(GAMES) {
        for pair in play_a_game(game, seed).windows(2).take(10) {
            let [(position, word), (next, _)] = pair else { unreachable!("windows of two") };
            let json = run(&[&["moves"], game, &[position, "--json"]].concat());
            let answer = serde_json::from_str(&json).expect("JSON");
            assert!(choices_of(&answer).iter().any(|(known, _)| known == word), "{position}: {answer}");
            assert_eq!(
                run(&[&["apply"], game, &[position, word]].concat()).trim_end(),
                next,
                "{position}, {word}"
            );
            let json = run(&[&["apply"], game, &[position, "moves", word, "--json"]].concat());
            let applied: Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!(
                (&applied["position"], &applied["after"]),
                (&position.as_str().into(), &next.as_str().into())
            );
        }
    }
}
