//! `probe` with a damaged table: JSON and text agree on what is known, and on the exit code.

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// In 1v1.
const IN_DAMAGED: &str = "0020000000000000000040000 b horse,ox boar,elephant crab";
/// In 1v2. The best line leads to 1v1, but no move of the first positions does.
const BEFORE_DAMAGED: &str = "0000000000020000000003400 b boar,crab horse,ox elephant";
/// In 2v2.
const IN_MISSING: &str = "1020000000000000000043000 b horse,ox boar,elephant crab";

/// The tables 1v1, 1v2 and 2v1. A byte of 1v1 is wrong.
fn tables() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(endspiel("solve onitama 1v2", None, folder.path()).status.success());
    let path = folder.path().join("onitama/boar-crab-elephant-horse-ox/1v1.dtm.est");
    let mut bytes = std::fs::read(&path).expect("a table");
    let half = bytes.len() / 2;
    bytes[half] ^= 0xff;
    std::fs::write(&path, bytes).expect("a file of ours");
    folder
}

fn endspiel(line: &str, position: Option<&str>, tables: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(line.split(' ')).args(position).arg("--tables").arg(tables);
    command.output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn damage_is_no_wrong_input() {
    let tables = tables();
    for (position, code, why) in [
        (IN_DAMAGED, 1, "the checksum of block 0 is wrong"),
        (IN_MISSING, 3, "has no table of 2v2"),
        ("nonsense", 2, "nonsense"),
    ] {
        let told = endspiel("probe onitama", Some(position), tables.path());
        assert_eq!(told.status.code(), Some(code), "{position}");
        assert!(text(&told.stderr).contains(why), "{position}: {}", text(&told.stderr));
        let answered = endspiel("probe onitama --json", Some(position), tables.path());
        assert_eq!((answered.status.code(), text(&answered.stderr)), (Some(code), ""), "{position}");
        assert!(text(&answered.stdout).contains(why), "{position}: {}", text(&answered.stdout));
    }
}

/// The value and the moves are known. Only the line ends early, and says so.
#[test]
fn damage_down_the_line_ends_the_line_only() {
    let tables = tables();
    let told = endspiel("probe onitama", Some(BEFORE_DAMAGED), tables.path());
    assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
    let known = common::on_one_line(text(&told.stdout));
    assert!(
        known.contains("Red wins in 22 plies.") && known.contains("boar:b3c3 loses in 22 plies"),
        "{known}"
    );
    assert!(
        known.contains("Best play: boar:b3c3 ox:b5a5 ")
            && known.contains("horse:b4b3 … and the rest cannot be read: the table `")
    );

    let answered = endspiel("probe onitama --json --line", Some(BEFORE_DAMAGED), tables.path());
    assert_eq!(answered.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&answered.stdout).expect("JSON");
    assert_eq!((&answer["value"], &answer["plies"]), (&"loss".into(), &22.into()));
    assert_eq!(answer["line"].as_array().map(Vec::len), Some(20));
    assert_eq!(answer["line"][19], "horse:b4b3");
    let why = answer["line_error"].as_str().expect("a reason");
    assert!(why.contains("1v1.dtm.est") && why.contains("is damaged"), "{why}");
    // What was not asked for is not told.
    let answered = endspiel("probe onitama --json", Some(BEFORE_DAMAGED), tables.path());
    assert_eq!(answered.status.code(), Some(0));
    assert!(!text(&answered.stdout).contains("line"), "{}", text(&answered.stdout));
}
