//! Agents that are programs: what they are asked, and what happens if they do not answer as they should.
#![cfg(unix)]

use dobutsu::Dobutsu;
use endspiel_env::{AgentError, ExecError, MatchError, Matches, PATIENCE, SeriesSettings, matches};
use game::{Game as _, Notation as _, Rng};
use std::time::Duration;

/// The command of a shell script. It has no quotation marks of the kind that enclose it.
fn shell(script: &str) -> String {
    assert!(!script.contains('\''));
    format!("exec:sh -c '{script}'")
}

fn python() -> Option<String> {
    let program = std::env::var("ENDSPIEL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let works = std::process::Command::new(&program).arg("--version").output().is_ok();
    assert!(works || std::env::var_os("ENDSPIEL_ALL_PEERS").is_none(), "{program} is missing");
    works.then(|| format!("exec:{program} {}/../../tools/agent.py", env!("CARGO_MANIFEST_DIR")))
}

fn all_games() -> Vec<Box<dyn Matches>> {
    vec![
        matches(Dobutsu),
        matches(onitama::Onitama::default()),
        matches(chess::Chess::default()),
        matches(shogi::Shogi::default()),
        matches(cotulenh::CoTuLenh::default()),
        matches(backgammon::Backgammon::default()),
    ]
}

/// The example agent plays every game, and the same seed gives the same games, on one thread or two.
#[test]
fn the_example_plays_every_game() {
    let Some(example) = python() else { return };
    for game in all_games() {
        let [alone, together] = [1, 2].map(|at_once| {
            let agents = [example.as_str(), "random"];
            let settings = SeriesSettings { at_once: Some(at_once), ..SeriesSettings::new(agents, 3, 5) };
            let mut games = Vec::new();
            let played = game.play(&settings, &mut |shown| {
                games.extend(shown.result.games().iter().map(ToString::to_string));
                true
            });
            played.expect("it answers every question");
            games
        });
        assert!(alone.len() >= 3);
        assert_eq!(alone, together);
    }
}

/// Returns the error of the first choice of an agent, and checks that it comes without delay.
fn refused(agent: &str, patience: Duration) -> ExecError {
    let settings = SeriesSettings { patience, ..SeriesSettings::new([agent, "random"], 1, 1) };
    match matches(Dobutsu).play(&settings, &mut |_| true) {
        Err(MatchError::Agent(AgentError::Outside(error))) => {
            *error.downcast::<ExecError>().expect("an error of a program")
        }
        other => panic!("{agent}: {other:?}"),
    }
}

#[test]
fn each_failure_has_its_error() {
    let error = refused("exec:", PATIENCE);
    assert!(matches!(&error, ExecError::Command { .. }), "{error}");
    let error = refused("exec:python3 'a", PATIENCE);
    assert!(matches!(&error, ExecError::Command { .. }), "{error}");
    let error = refused("exec:./no-such-program", PATIENCE);
    assert!(matches!(&error, ExecError::Start { .. }), "{error}");
    assert!(error.to_string().contains("`./no-such-program`"), "{error}");
    let error = refused(&shell("read question"), PATIENCE);
    assert!(matches!(&error, ExecError::Ended { .. }), "{error}");
    let error = refused(&shell("exec sleep 1000"), Duration::from_millis(100));
    assert!(matches!(&error, ExecError::Silent { .. }), "{error}");
    for garbage in ["echo hello", "echo {}", "echo []", "printf \"\\377\\n\"", "echo {\\\"move\\\": 3}"] {
        let error = refused(&shell(&format!("read question; {garbage}; exec sleep 1000")), PATIENCE);
        assert!(matches!(&error, ExecError::Garbage { .. }), "{garbage}: {error}");
    }
    let error = refused(&shell("read question; echo {\\\"error\\\": \\\"no idea\\\"}"), PATIENCE);
    assert!(matches!(&error, ExecError::GaveUp { reason, .. } if reason == "no idea"), "{error}");
    assert!(error.to_string().contains("no idea"), "{error}");
}

/// A move that is not legal is an error with the position and the answer.
#[test]
fn an_illegal_move_is_told() {
    for answer in ["1a1a", "nonsense"] {
        let agent =
            shell(&format!("read question; echo {{\\\"move\\\": \\\"{answer}\\\"}}; exec sleep 1000"));
        match matches(Dobutsu).play(&SeriesSettings::new([&agent, "random"], 1, 1), &mut |_| true) {
            Err(MatchError::Agent(AgentError::Illegal { position, answer: told, .. })) => {
                assert_eq!((position, told), (Dobutsu.position_text(&Dobutsu.start()), answer.to_owned()));
            }
            other => panic!("{answer}: {other:?}"),
        }
    }
}

/// A question names the game and lists the legal moves, sorted. The question is one line, and any answer may have more members.
#[test]
fn a_question_has_all_that_is_needed() {
    let script = "read question; case $question in \
        *\\\"protocol\\\":1,\\\"game\\\":\\\"dobutsu\\\",\\\"rules\\\":\\\"*\\\"position\\\":\\\"gle/1c1/1C1/ELG*\\\"side\\\":\\\"black\\\",\\\"moves\\\":[\\\"*) \
        echo {\\\"move\\\": \\\"2c2b\\\", \\\"because\\\": [1, 2]};; *) echo $question;; esac; exec sleep 1000";
    let mut opponent = matches(Dobutsu).opponent(&shell(script), PATIENCE).expect("a shell");
    let start = Dobutsu.position_text(&Dobutsu.start());
    let chosen = opponent.choose(&start, &mut Rng::new(1));
    assert_eq!(chosen.map_err(|error| error.to_string()), Ok("2c2b".to_owned()));
}
