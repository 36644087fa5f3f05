//! `solve --all`: all rule sets of a game.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn endspiel(tables: &Path, words: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_endspiel")).args(words).arg("--tables").arg(tables).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Solves every card set with the masters alone. Checks that all card sets are there, and that the counts of one card set
/// equal those that `stats` gives for it.
#[test]
fn every_card_set_is_solved_and_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = endspiel(folder.path(), &["solve", "onitama", "1v1", "1v1", "--all", "--json"]);
    let all: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(all.len(), 2_348);
    assert!(all.iter().all(|one| one["positions"] == 16_590));
    let rules = "boar-crab-elephant-horse-ox";
    let default = all.iter().find(|one| one["rules"] == rules).expect("the default cards");
    let alone: Value =
        serde_json::from_str(&endspiel(folder.path(), &["stats", "onitama", "1v1", "--json"])).expect("JSON");
    for key in ["positions", "win", "loss", "draw"] {
        assert_eq!(default[key], alone[key], "{key}");
    }
    assert_eq!(default["longest"]["plies"], alone["longest"]["plies"]);

    // A link that has the name of the summary is replaced, and not written through.
    let (victim, summary) = (folder.path().join("victim"), folder.path().join("onitama/all-1v1.csv"));
    std::fs::write(&victim, "precious").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&victim, &summary).expect("a link");
    let text = endspiel(folder.path(), &["solve", "onitama", "1v1", "--all"]);
    assert_eq!(std::fs::read(victim).expect("a file"), b"precious");
    for title in ["longest wins:", "most draws:", "largest advantage of the side to move:"] {
        assert!(text.contains(title), "{text}");
    }
    let table = std::fs::read_to_string(summary).expect("the summary");
    assert_eq!(table.lines().count(), 1 + all.len());
    let picture = std::fs::read_to_string(folder.path().join("onitama/all-1v1.svg")).expect("the picture");
    assert_eq!(picture.matches("<circle").count(), all.len());
}

#[test]
fn all_rules_and_some_rules_contradict_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["solve", "onitama", "1v1", "--all", "--cards", "boar,ox,elephant,horse,crab", "--tables"];
    let output = Command::new(env!("CARGO_BIN_EXE_endspiel")).args(words).arg(folder.path()).output();
    assert_eq!(output.expect("it starts").status.code(), Some(2));
}

/// If `--metric` is not given and distances do not fit into memory, a table of the metric `wdl` is made.
#[test]
fn who_wins_is_solved_where_distances_do_not_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["solve", "onitama", "3v2", "--memory", "60M", "--threads", "2"];
    let text = endspiel(folder.path(), &words);
    assert!(text.starts_with("Distances do not fit into memory"), "{text}");
    let rules = folder.path().join("onitama/boar-crab-elephant-horse-ox");
    assert!(rules.join("3v2.wdl.est").exists() && !rules.join("3v2.dtm.est").exists());
}
