//! Many tables with few open files, preloading, statistics, and two runs in one folder.
#![cfg(unix)]

mod common;

use common::solve_these;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const POSITIONS: &str = "\
8/8/8/8/8/2k5/8/KQ6 b - - 0 1
8/8/8/8/8/2k5/8/KR6 w - - 0 1
8/8/8/8/8/2k5/1P6/K7 b - - 0 1
8/8/8/8/8/2k5/8/KB6 w - - 0 1
8/8/8/8/8/2k5/8/KN6 b - - 0 1
8/8/8/8/8/2k5/8/KQ6 b - - 0 1
";

/// Runs `endspiel probe chess` behind a shell command.
fn probe(folder: &Path, before: &str, words: &str) -> Output {
    let line = format!("{before} exec \"$0\" probe chess --tables \"$1\" {words}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_endspiel")]).arg(folder);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().expect("a shell");
    child.stdin.take().expect("a pipe").write_all(POSITIONS.as_bytes()).expect("it reads");
    child.wait_with_output().expect("a child of ours")
}

#[test]
fn few_open_files_are_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(solve_these("chess --men 3", folder.path()).status().expect("it starts").success());
    let usual = probe(folder.path(), "", "--stdin");
    assert!(usual.status.success() && !String::from_utf8_lossy(&usual.stdout).contains("error"), "{usual:?}");
    // Three files are the input and the outputs.
    for most in [5, 6, 8] {
        let few = probe(folder.path(), &format!("ulimit -n {most};"), "--stdin --preload");
        assert!(few.status.success() && few.stderr.is_empty(), "{few:?}");
        assert_eq!(few.stdout, usual.stdout);
    }
}

#[test]
fn preloading_tells_what_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(solve_these("chess KQvK KRvK", folder.path()).status().expect("it starts").success());
    fs::write(folder.path().join("chess/standard/KRvK.dtm.est"), "no table").expect("a file");
    let output = probe(folder.path(), "", "--preload '8/8/8/8/8/2k5/8/KQ6 b - - 0 1'");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.matches("KRvK.dtm.est").count() == 1, "{output:?}");
    let output = probe(folder.path(), "", "'8/8/8/8/8/2k5/8/KQ6 b - - 0 1'");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn statistics_add_up() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(solve_these("chess KQvK KRvK", folder.path()).status().expect("it starts").success());
    let output = probe(folder.path(), "", "--stdin --json --statistics");
    let statistics: Value = serde_json::from_slice(&output.stderr).expect("JSON");
    let tables = statistics["tables"].as_array().expect("a list");
    let number = |object: &Value, key: &str| object[key].as_u64().expect("a number");
    for key in ["probes", "hits", "misses", "bytes_read"] {
        let sum: u64 = tables.iter().map(|table| number(table, key)).sum();
        assert_eq!(number(&statistics, key), sum, "{key}");
    }
    assert_eq!(number(&statistics, "probes"), number(&statistics, "hits") + number(&statistics, "misses"));
    assert!(number(&statistics, "misses") > 0 && number(&statistics, "hits") > 0);
    let names: Vec<_> = tables.iter().map(|table| table["table"].as_str().expect("a name")).collect();
    assert_eq!(names, ["chess/standard/KQvK.dtm.est", "chess/standard/KRvK.dtm.est"]);
    let output = probe(folder.path(), "", "--stdin --statistics");
    assert!(String::from_utf8_lossy(&output.stderr).ends_with("  all\n"), "{output:?}");
}

/// A run that takes long enough to be met.
fn long_run(folder: &Path) -> Command {
    solve_these("onitama 2v2 --kernel generic --threads 1", folder)
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} does not happen");
}

/// Starts a long run, and waits until it holds the lock.
fn start_long_run(folder: &Path) -> Child {
    let mut child = long_run(folder).spawn().expect("it starts");
    let lock = folder.join("onitama/boar-crab-elephant-horse-ox/.lock");
    wait_until("the first run", || fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')));
    assert!(child.try_wait().expect("a child of ours").is_none(), "it is too quick for this test");
    child
}

#[test]
fn the_second_run_is_told_who_is_first_and_can_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = start_long_run(folder.path());
    let refused = long_run(folder.path()).stderr(Stdio::piped()).output().expect("it starts");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("process {} since ", first.id())), "{said}");
    assert!(said.contains("solving ") && said.contains("--wait"), "{said}");

    // A signal ends the waiting.
    let mut interrupted = Command::new("env");
    let waiting = long_run(folder.path());
    interrupted
        .arg("--default-signal=TERM")
        .arg(waiting.get_program())
        .args(waiting.get_args())
        .arg("--wait");
    let log = folder.path().join("log");
    interrupted.stdout(Stdio::null()).stderr(fs::File::create(&log).expect("a file"));
    let mut interrupted = interrupted.spawn().expect("it starts");
    let says = |words: &str| fs::read_to_string(&log).is_ok_and(|text| text.contains(words));
    wait_until("the waiting", || says("waiting for another run"));
    let killed = Command::new("kill").arg(interrupted.id().to_string()).status().expect("it starts");
    assert!(killed.success());
    assert_eq!(interrupted.wait().expect("a child of ours").code(), Some(130));
    assert!(says("interrupted; run the same command to go on"));

    // The next one goes on when the first is killed, although the text of the first is still there.
    let mut second = long_run(folder.path()).arg("--wait").spawn().expect("it starts");
    assert!(first.try_wait().expect("a child of ours").is_none(), "it is too quick for this test");
    first.kill().expect("a child of ours");
    first.wait().expect("a child of ours");
    assert!(second.wait().expect("a child of ours").success());
    let rules = folder.path().join("onitama/boar-crab-elephant-horse-ox");
    assert!(rules.join("2v2.dtm.est").exists());
    assert_eq!(fs::read_to_string(rules.join(".lock")).expect("a file"), "");
}

/// What another run has finished meanwhile is not solved again.
#[test]
fn the_waiting_run_uses_what_the_first_has_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = start_long_run(folder.path());
    let second = long_run(folder.path()).args(["--wait", "--json"]).stdout(Stdio::piped()).output();
    let second = second.expect("it starts");
    assert!(first.wait().expect("a child of ours").success() && second.status.success());
    let answer: Value = serde_json::from_slice(&second.stdout).expect("JSON");
    assert_eq!(answer["solved"], Value::Array(Vec::new()), "{answer}");
}
