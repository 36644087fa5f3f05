//! `endspiel verify` in its three depths, and the records that it leaves beside the tables.

mod common;

use common::solve_these;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn solve(folder: &Path) {
    assert!(solve_these("chess KQvK KRvK", folder).status().expect("it starts").success());
}

fn endspiel(words: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(words.split(' ')).arg("--tables").arg(folder).output().expect("it starts")
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What `tables` says about the verification of a slice.
fn verified(folder: &Path, slice: &str) -> Value {
    let listed = lines(&endspiel("tables --json", folder));
    let table = listed.iter().find(|table| table["slice"] == slice).expect("it is listed");
    let (bytes, entries) = (table["bytes"].as_f64().expect("a number"), table["entries"].as_f64());
    assert_eq!(table["ratio"].as_f64(), entries.map(|entries| entries / bytes));
    table["verified"].clone()
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join("chess/standard").join(name)
}

#[test]
fn each_depth_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    solve(folder);
    assert_eq!(verified(folder, "KQvK"), Value::Null);
    for (depth, name, positions) in [
        ("--depth checksums", "checksums", 0),
        ("--sample 100 --seed 5", "sample", 100),
        ("--depth everything", "everything", 62_176),
    ] {
        let output = endspiel(&format!("verify chess KQvK --json {depth}"), folder);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let answer = &lines(&output)[0];
        assert_eq!((&answer["depth"], &answer["right"]), (&name.into(), &true.into()));
        // One number for the sample; the others are all positions, or none.
        assert!(answer["positions"] == positions || name == "everything", "{answer}");
        let record = verified(folder, "KQvK");
        assert_eq!(record["depth"], name);
        assert_eq!((record["positions"] == 100, record["seed"] == 5), (name == "sample", name == "sample"));
        assert!(record["date"].as_str().is_some_and(|date| date.starts_with('2') && date.ends_with('Z')));
    }
    assert_eq!(verified(folder, "KRvK"), Value::Null);
    // A shallow check does not take away what a deep one has shown, and solving more keeps the record.
    assert!(endspiel("verify chess --depth checksums", folder).status.success());
    assert!(solve_these("chess KBvK", folder).status().expect("it starts").success());
    assert_eq!(verified(folder, "KQvK")["depth"], "everything");
    assert_eq!(verified(folder, "KRvK")["depth"], "checksums");
    let said = String::from_utf8(endspiel("tables", folder).stdout).expect("text");
    let of = |slice: &str| said.lines().find(|line| line.contains(slice)).expect("its line");
    assert!(of("KBvK").ends_with("  no"), "{said}");
    assert!(of("KQvK").contains("  2") && !of("KQvK").contains("checksums"), "{said}");
    assert!(of("KRvK").contains("  checksums 2"), "{said}");
}

#[test]
fn a_failure_removes_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    solve(folder);
    let (table, record) = (path(folder, "KQvK.dtm.est"), path(folder, "KQvK.dtm.verified"));
    let good = fs::read(&table).expect("a table");
    for depth in ["--depth checksums", "--sample 10", "--depth everything"] {
        // A block, and the header: such a table cannot even be opened.
        for at in [good.len() / 2, 20] {
            assert!(endspiel(&format!("verify chess KQvK {depth}"), folder).status.success());
            assert!(record.exists());
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&table, bad).expect("a table");
            let output = endspiel(&format!("verify chess KQvK {depth}"), folder);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert!(!record.exists(), "{depth}, byte {at}");
            fs::write(&table, &good).expect("a table");
        }
    }
    // The record of another table, such as an older one, does not count.
    assert!(endspiel("verify chess KRvK", folder).status.success());
    fs::copy(path(folder, "KRvK.dtm.verified"), &record).expect("a copy");
    assert_eq!(verified(folder, "KQvK"), Value::Null);
    assert_eq!(verified(folder, "KRvK")["depth"], "everything");
}

/// The outcomes of a packed table belong to its distances: if they are damaged, nothing of the table is verified.
#[test]
fn damage_in_one_half_removes_the_record_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    assert!(solve_these("onitama 1v1 --pack", folder).status().expect("it starts").success());
    let at = |name: &str| folder.join("onitama/boar-crab-elephant-horse-ox").join(name);
    let (outcomes, record) = (at("1v1.wdl.est"), at("1v1.dtm.verified"));
    let good = fs::read(&outcomes).expect("a table");
    for depth in ["--depth checksums", "--sample 10", "--depth everything"] {
        assert!(endspiel(&format!("verify onitama 1v1 {depth}"), folder).status.success());
        assert!(record.exists());
        let mut bad = good.clone();
        // In the last block, before its record, the checksum and the trailer.
        bad[good.len() - 60 - 4 - 8 - 1] ^= 1;
        fs::write(&outcomes, bad).expect("a table");
        assert!(!endspiel(&format!("verify onitama 1v1 {depth}"), folder).status.success());
        assert!(!record.exists(), "{depth}");
        fs::write(&outcomes, &good).expect("a table");
    }
}

/// What cannot be recorded is told once, and does not fail. What is no record is ignored with a word.
#[test]
fn records_that_cannot_be_used_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    solve(folder);
    for slice in ["KQvK", "KRvK"] {
        fs::create_dir(path(folder, &format!("{slice}.dtm.verified"))).expect("a folder");
    }
    let output = endspiel("verify chess KQvK KRvK --depth checksums", folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.matches("cannot be recorded").count() == 1, "{output:?}");
    fs::remove_dir(path(folder, "KRvK.dtm.verified")).expect("a folder");
    fs::write(path(folder, "KRvK.dtm.verified"), "\u{1b}[2J verified, believe me").expect("a file");
    let output = endspiel("tables --json", folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said.matches(" is ignored: ").count(), 2, "{said}");
    assert!(lines(&output).iter().all(|table| table["verified"] == Value::Null));
}

#[test]
fn depths_do_not_mix() {
    let folder = tempfile::tempdir().expect("a folder");
    for words in ["--depth checksums --sample 5", "--depth some", "--depth checksums --syzygy x"] {
        let output = endspiel(&format!("verify chess KQvK {words}"), folder.path());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
