//! `endspiel tables --manifest` and `endspiel verify --manifest`, and the kinds of wrong files that are told apart.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use table::{Description, Entry};

fn describe(slice: &str) -> Description {
    Description {
        game: "matches".to_owned(),
        rules: "standard".to_owned(),
        slice: slice.to_owned(),
        metric: game::Metric::Wdl,
        index: "count-1".to_owned(),
        entries: 3,
    }
}

fn write(root: &Path, slice: &str) -> PathBuf {
    let (description, path) = (describe(slice), describe(slice).path(root));
    table::write(&path, &description, |_| Entry::Draw, |_| ()).expect("a table");
    path
}

fn endspiel(line: &str, root: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(line.split(' ')).current_dir(root).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_manifest_finds_missing_changed_and_extra_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let [a, b, _c] = ["a", "b", "c"].map(|slice| write(&root.join("t"), slice));
    let printed = endspiel("tables --tables t --manifest", root);
    assert!(printed.status.success(), "{printed:?}");
    let written = endspiel("tables --tables t --manifest --out list", root);
    assert_eq!(text(&written.stdout), "3 tables in list\n");
    assert_eq!(fs::read(root.join("list")).expect("a manifest"), printed.stdout);

    let same = endspiel("verify --tables t --manifest list", root);
    assert_eq!((same.status.code(), text(&same.stdout)), (Some(0), "3 tables as in the manifest\n"));
    fs::remove_file(a).expect("our file");
    let mut bytes = fs::read(&b).expect("a table");
    bytes[20] ^= 1;
    fs::write(&b, bytes).expect("our file");
    write(&root.join("t"), "d");
    let wrong = endspiel("verify --tables t --manifest list", root);
    assert_eq!(wrong.status.code(), Some(1));
    assert_eq!(
        text(&wrong.stdout),
        "missing: matches/standard/a.wdl.est\n\
         changed: matches/standard/b.wdl.est has other bytes\n\
         extra: matches/standard/d.wdl.est\n\
         1 table as in the manifest, 1 missing, 1 changed, 1 extra\n"
    );
    let answered = endspiel("verify --tables t --manifest list --json", root);
    assert_eq!(answered.status.code(), Some(1));
    let states: Vec<String> = text(&answered.stdout)
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["state"]
                .as_str()
                .expect("a state")
                .to_owned()
        })
        .collect();
    assert_eq!(states, ["missing", "changed", "same", "extra"]);
}

#[test]
fn a_wrong_manifest_is_wrong_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::write(root.join("list"), "0a ../../etc/passwd\n").expect("a file");
    let refused = endspiel("verify --tables t --manifest list", root);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).starts_with("endspiel: the manifest `list` does not begin with the line"),
        "{}",
        text(&refused.stderr)
    );
    let missing = endspiel("verify --tables t --manifest none", root);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("`none`: No such file"), "{}", text(&missing.stderr));
    let no_game = endspiel("verify", root);
    assert_eq!(no_game.status.code(), Some(2));
    assert!(text(&no_game.stderr).contains("`endspiel verify` needs a game after it"), "{no_game:?}");
    for wrong in ["verify --manifest list chess", "tables --out x", "tables --manifest --json"] {
        assert_eq!(endspiel(wrong, root).status.code(), Some(2), "{wrong}");
    }
}

/// Nothing is written if a file is not a whole table.
#[test]
fn damaged_foreign_newer_and_misplaced_files_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let tables = root.join("t");
    write(&tables, "whole");
    let change = |slice: &str, at: usize, byte: u8| {
        let path = write(&tables, slice);
        let mut bytes = fs::read(&path).expect("a table");
        bytes[at] = byte;
        fs::write(path, bytes).expect("our file");
    };
    change("damaged", 40, 0);
    change("newer", 8, 99);
    fs::write(describe("foreign").path(&tables), "notes").expect("a file");
    fs::rename(write(&tables, "here"), describe("there").path(&tables)).expect("our file");
    let listed = endspiel("tables --tables t", root);
    assert_eq!(listed.status.code(), Some(1));
    let said = text(&listed.stdout);
    for (file, why) in [
        ("damaged", "is damaged: the checksum of the header is wrong"),
        ("newer", "has version 99 of the format, which is newer than this program"),
        ("foreign", "is not an Endspiel table"),
        ("there", "is in the wrong place"),
    ] {
        let told = format!("the table `t/matches/standard/{file}.wdl.est` {why}");
        assert!(common::on_one_line(said).contains(&told), "{told}\n{said}");
    }
    let answered = endspiel("tables --tables t --json", root);
    for fault in ["damaged", "newer", "foreign", "misplaced"] {
        assert!(text(&answered.stdout).contains(&format!("\"fault\":\"{fault}\"")), "{fault}");
    }
    let refused = endspiel("tables --tables t --manifest --out list", root);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("there is no manifest while something is wrong with 4 files"));
    assert!(!root.join("list").exists());
}
