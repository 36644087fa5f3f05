//! Chess960 without the number of a start: one is drawn, and each command says which.

use serde_json::Value;
use std::collections::HashSet;
use std::process::Command;

fn endspiel(words: &str) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_endspiel")).args(words.split(' ')).output().expect("it starts");
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(words: &str) -> Value {
    serde_json::from_str(&endspiel(words)).expect("JSON")
}

/// The start that an answer says is that of its position: given as an option, it leads to the same answer.
#[test]
fn what_is_drawn_is_told() {
    let mut drawn = HashSet::new();
    for line in [
        "moves chess --json",
        "moves chess startpos --json --start random",
        "apply chess startpos --json",
        "info chess --json",
        "divide chess --depth 1 --json",
    ] {
        let mut answer = json(&format!("{line} --variant chess960"));
        let removed = answer.as_object_mut().expect("an object").shift_remove("drawn");
        let start = removed.expect(line)["start"].as_str().expect("a text").to_owned();
        assert!(start.parse::<u16>().is_ok_and(|number| number < 960), "{start}");
        let given = line.replace(" --start random", "");
        assert_eq!(json(&format!("{given} --variant chess960 --start {start}")), answer, "{line}");
        drawn.insert(start);
    }
    assert!(drawn.len() > 1, "five draws are not all equal: {drawn:?}");
    let told =
        |line: &str| endspiel(line).lines().find(|line| line.contains("Drawn at random")).map(str::to_owned);
    for line in [
        "moves chess",
        "info chess",
        "perft chess --depth 1",
        "divide chess --depth 1",
        "apply chess startpos",
    ] {
        let said = told(&format!("{line} --variant chess960")).expect(line);
        assert!(said.trim().starts_with("Drawn at random: `--start "), "{line}: {said}");
    }
    // Another position, a given start and standard chess leave nothing to draw.
    for line in [
        "moves chess --variant chess960 8/8/8/8/8/2k5/8/KQ6 b - - 0 1",
        "moves chess --variant chess960 --start 5",
        "moves chess",
    ] {
        assert_eq!(told(line), None, "{line}");
    }
}
