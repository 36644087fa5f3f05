//! A run that is killed many times makes the same tables as a run that is not killed.

mod common;

use common::{contents, files, solve_these};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn solve(tables: &Path) -> Command {
    solve_these("onitama 1v2 --kernel generic --threads 2", tables)
}

fn has_checkpoint(folder: &Path) -> bool {
    has_file(folder, "checkpoint")
}

fn has_file(folder: &Path, extension: &str) -> bool {
    files(folder).iter().any(|path| has_extension(path, extension))
}

fn wait_for(child: &mut Child, most: Duration) {
    let started = Instant::now();
    while started.elapsed() < most && child.try_wait().expect("a child of ours").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a run has written a checkpoint, or has ended.
fn wait_for_checkpoint(child: &mut Child, folder: &Path) {
    while child.try_wait().expect("a child of ours").is_none() && !has_checkpoint(folder) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn killed_runs_end_with_the_same_bytes() {
    kill_and_resume("onitama 1v2 --kernel generic", CHECKPOINT, 12);
    kill_and_resume("cotulenh CvC", CHECKPOINT, 4);
}

/// Rows in memory, and rows and cells in files.
#[test]
fn killed_runs_by_rows_end_with_the_same_bytes() {
    kill_and_resume("shogi S", CHECKPOINT, 4);
    kill_and_resume("shogi P --memory 33100K", CHECKPOINT, 4);
    kill_and_resume("shogi N --metric dtz", CHECKPOINT, 4);
}

/// Pawns are solved level by level.
#[test]
fn killed_runs_of_chess_end_with_the_same_bytes() {
    kill_and_resume("chess KPvK", CHECKPOINT, 4);
    kill_and_resume("chess KPvK --metric dtz", CHECKPOINT, 4);
}

#[test]
fn killed_runs_of_backgammon_end_with_the_same_bytes() {
    kill_and_resume("backgammon 6x6", CHECKPOINT, 4);
    kill_and_resume("backgammon hyper2", CHECKPOINT, 4);
}

/// Distances of Onitama have no checkpoints, only finished tables.
#[test]
fn killed_runs_of_onitama_end_with_the_same_bytes() {
    kill_and_resume("onitama --men 4", TABLE, 8);
}

/// Packing has no checkpoints: each table is a whole one or a small one.
#[test]
fn killed_runs_that_pack_end_with_the_same_bytes() {
    kill_and_resume("onitama 1v1 --pack", TABLE, 6);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn runs_that_are_killed_often_end_with_the_same_bytes() {
    for (what, left) in [
        ("onitama 1v2 --kernel generic", CHECKPOINT),
        ("onitama 2v2 --metric wdl --kernel generic", CHECKPOINT),
        ("onitama 2v1 --unmoves inverted --kernel generic", CHECKPOINT),
        ("cotulenh CNvC", CHECKPOINT),
        ("shogi S", CHECKPOINT),
        ("shogi P --memory 33100K", CHECKPOINT),
        ("shogi N --metric dtz", CHECKPOINT),
        ("shogi G --metric wdl", CHECKPOINT),
        ("chess KPvK", CHECKPOINT),
        ("chess KPvK --metric dtz", CHECKPOINT),
        ("chess KPvK --metric wdl", CHECKPOINT),
        ("chess KRvK --kernel generic", CHECKPOINT),
        ("onitama --men 4", TABLE),
        ("onitama 1v1 --pack", TABLE),
        ("chess KPvK --pack", TABLE),
    ] {
        kill_and_resume(what, left, 30);
    }
}

#[test]
#[ignore = "minutes: part of the full run"]
fn large_runs_of_onitama_that_are_killed_end_with_the_same_bytes() {
    kill_and_resume("onitama 3v2", TABLE, 30);
    kill_and_resume("onitama --men 6 --metric wdl", ROWS, 30);
    kill_and_resume("onitama --men 8 --metric wdl", ROWS, 4);
}

/// Extensions of the files that a killed run leaves.
const CHECKPOINT: &str = "checkpoint";
const TABLE: &str = "est";
const ROWS: &str = "rows";

/// Returns whether a path has this extension. That of a file of rows also names the slice, as in `rows-2v1`.
fn has_extension(path: &Path, extension: &str) -> bool {
    let found = path.extension().map(|found| found.to_string_lossy()).unwrap_or_default();
    found.split('-').next() == Some(extension)
}

/// Solves slices, kills the run at random moments, and compares the tables with those of a run that was not killed. Some
/// of the killed runs must leave a file with the extension `left`, which shows that they were at work.
fn kill_and_resume(what: &str, left: &str, most_kills: u32) {
    let solve = |folder: &Path| solve_these(&format!("{what} --threads 2"), folder);
    let whole = tempfile::tempdir().expect("a folder");
    let started = Instant::now();
    assert!(solve(whole.path()).status().expect("it starts").success());
    let time = started.elapsed();
    let expected = contents(whole.path());
    let are_tables = expected.keys().all(|name| name.extension().is_some_and(|found| found == TABLE));
    assert!(are_tables && !expected.is_empty(), "{what} leaves more than tables: {:?}", expected.keys());

    let seed = u64::from(std::process::id());
    let (what, mut rng) = (format!("{what}, seed {seed}"), game::Rng::new(seed));
    let (mut kills, mut resumes) = (0, 0);
    let mut folder = tempfile::tempdir().expect("a folder");
    let check = |folder: &Path| {
        let found = contents(folder);
        assert!(found.keys().eq(expected.keys()), "{what} leaves {:?}", found.keys());
        assert!(found == expected, "{what} has other bytes");
    };
    // More kills than asked for, if none of them was at work.
    while kills < most_kills || resumes == 0 && kills < 200 {
        let mut child = solve(folder.path()).spawn().expect("it starts");
        wait_for(&mut child, time.mul_f64(rng.below(1000) as f64 / 1000.0));
        match child.try_wait().expect("a child of ours") {
            None => {
                child.kill().expect("a child of ours");
                child.wait().expect("a child of ours");
                kills += 1;
                resumes += u32::from(has_file(folder.path(), left));
            }
            Some(status) => {
                assert!(status.success(), "{what} goes on");
                check(folder.path());
                folder = tempfile::tempdir().expect("a folder");
            }
        }
    }
    assert!(solve(folder.path()).status().expect("it starts").success(), "{what} goes on");
    check(folder.path());
    assert!(resumes > 0, "{what}: no run was killed at work, so nothing was tested");
}

/// A run with distances does not use the checkpoint of a run without distances.
#[test]
fn a_checkpoint_serves_its_own_metric_only() {
    let whole = tempfile::tempdir().expect("a folder");
    assert!(solve(whole.path()).status().expect("it starts").success());
    let folder = tempfile::tempdir().expect("a folder");
    let with_metric = |metric: &str| {
        let mut command = solve(folder.path());
        command.args(["--metric", metric]);
        command
    };
    for _ in 0..200 {
        let mut child = with_metric("wdl").spawn().expect("it starts");
        wait_for_checkpoint(&mut child, folder.path());
        let _ = child.kill();
        child.wait().expect("a child of ours");
        if has_checkpoint(folder.path()) {
            break;
        }
        // The group was finished before the run was killed, so try again.
        std::fs::remove_dir_all(folder.path().join("onitama")).expect("its tables");
    }
    assert!(has_checkpoint(folder.path()), "no run left a checkpoint, so nothing would be tested");
    assert!(with_metric("dtm").status().expect("it starts").success());
    let found = contents(folder.path());
    for (name, bytes) in contents(whole.path()) {
        assert!(found.get(&name) == Some(&bytes), "{} differs", name.display());
    }
    assert!(with_metric("wdl").status().expect("it starts").success());
    let verify = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(["verify", "onitama", "--json", "--tables"])
        .arg(folder.path())
        .output()
        .expect("it starts");
    let lines = String::from_utf8(verify.stdout).expect("text");
    assert_eq!(lines.matches("\"right\":true").count(), 6, "three slices in two metrics: {lines}");
    assert!(verify.status.success());
}

#[test]
fn a_second_run_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("onitama/boar-crab-elephant-horse-ox");
    std::fs::create_dir_all(&rules).expect("a folder of ours");
    let lock = std::fs::File::create(rules.join(".lock")).expect("a file of ours");
    lock.lock().expect("nobody else has it");
    let refused = solve(folder.path()).stderr(Stdio::piped()).output().expect("it starts");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("another run is solving in"));
}

/// Whoever runs these tests may have started them with signals ignored, as `nohup` does. GNU env undoes that.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_a_checkpoint_and_goes_on() {
    let heard = |folder: &Path| under(&["env", "--default-signal=INT,TERM,HUP"], &solve(folder));
    let whole = tempfile::tempdir().expect("a folder");
    assert!(solve(whole.path()).status().expect("it starts").success());
    for signal in ["INT", "TERM", "HUP"] {
        interrupt_and_resume(signal, heard, whole.path());
    }
}

/// A run under `nohup` goes on when the terminal is closed, and still obeys other signals.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let ignoring =
        |folder: &Path| under(&["env", "--default-signal=TERM", "--ignore-signal=HUP"], &solve(folder));
    for _ in 0..200 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = ignoring(folder.path()).spawn().expect("it starts");
        // Before, `env` may not have set the signals yet.
        wait_for_checkpoint(&mut child, folder.path());
        let mut heard = 0;
        while child.try_wait().expect("a child of ours").is_none() {
            send("HUP", &child);
            heard += u32::from(child.try_wait().expect("a child of ours").is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(child.wait().expect("a child of ours").success());
        if heard > 0 {
            return interrupt_and_resume("TERM", ignoring, folder.path());
        }
    }
    panic!("no run went on after a signal, so nothing was tested");
}

/// The same command, run by another one.
#[cfg(target_os = "linux")]
fn under(by: &[&str], command: &Command) -> Command {
    let mut whole = Command::new(by[0]);
    whole.args(&by[1..]).arg(command.get_program()).args(command.get_args());
    whole.stdout(Stdio::null()).stderr(Stdio::null());
    whole
}

#[cfg(target_os = "linux")]
fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok());
}

/// Interrupts a run by a signal when it has a checkpoint, and resumes it. It ends with the same bytes as the whole run.
#[cfg(target_os = "linux")]
fn interrupt_and_resume(signal: &str, solve: impl Fn(&Path) -> Command, whole: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..200 {
        let mut child = solve(folder.path()).stderr(Stdio::piped()).spawn().expect("it starts");
        wait_for_checkpoint(&mut child, folder.path());
        send(signal, &child);
        let output = child.wait_with_output().expect("a child of ours");
        if !output.status.success() {
            let told = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(130), "{signal}: {told}");
            assert!(told.ends_with("interrupted; run the same command to go on\n"), "{signal}: {told}");
            assert!(has_checkpoint(folder.path()), "an interrupted run leaves a checkpoint");
            assert!(solve(folder.path()).status().expect("it starts").success());
            assert_eq!(contents(folder.path()), contents(whole));
            return;
        }
        // The run finished before the signal arrived, so try again.
        std::fs::remove_dir_all(folder.path().join("onitama")).expect("its tables");
    }
    panic!("no run could be interrupted by {signal}");
}

/// Packing ends soon after a signal, and leaves tables that are whole or complete small ones.
#[cfg(target_os = "linux")]
#[test]
fn packing_that_is_interrupted_leaves_good_tables() {
    let heard =
        |what: &str, folder: &Path| under(&["env", "--default-signal=INT,TERM"], &solve_these(what, folder));
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(heard("onitama 1v2", folder.path()).status().expect("it starts").success());
        let whole = contents(folder.path());
        let mut child =
            heard("onitama 1v2 --pack", folder.path()).stderr(Stdio::piped()).spawn().expect("it starts");
        // The folder of the new tables is there as long as they are made and compared.
        let is_packing = || files(folder.path()).iter().any(|path| path.ends_with(".packing"));
        while !is_packing() && child.try_wait().expect("a child of ours").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = Instant::now();
        send(signal, &child);
        let output = child.wait_with_output().expect("a child of ours");
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(130), "{signal}: {told}");
        assert!(told.contains("packing "), "{signal}: {told}");
        assert!(told.ends_with("interrupted; run the same command to go on\n"), "{signal}: {told}");
        assert!(sent.elapsed() < Duration::from_secs(10), "{signal}: {:?}", sent.elapsed());
        let left = contents(folder.path());
        assert!(left.keys().all(|name| has_extension(name, TABLE)), "{signal}: {:?}", left.keys());
        assert!(whole.keys().all(|name| left.contains_key(name)), "{signal}: {:?}", left.keys());
        let verify = Command::new(env!("CARGO_BIN_EXE_endspiel"))
            .args(["verify", "onitama", "1v2", "2v1", "--depth", "checksums", "--tables"])
            .arg(folder.path())
            .output()
            .expect("it starts");
        assert!(verify.status.success(), "{signal}: {verify:?}");
    }
}

/// Solves up to three men against two with the special solver, in the metric `wdl`.
fn solve_specially(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(["solve", "onitama", "3v2", "--metric", "wdl", "--threads", "2", "--tables"]).arg(tables);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The files of rows that a run left.
fn rows(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| has_extension(path, ROWS)).collect()
}

#[test]
fn a_special_solver_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    let whole = tempfile::tempdir().expect("a folder");
    let started = Instant::now();
    assert!(solve_specially(whole.path()).output().expect("it starts").status.success());
    let time = started.elapsed();
    let expected = contents(whole.path());
    assert!(expected.keys().all(|name| name.extension().is_some_and(|extension| extension == "est")));

    let seed = u64::from(std::process::id());
    let mut rng = game::Rng::new(seed);
    let (mut kills, mut resumes, mut damages) = (0, 0, 0);
    let mut folder = tempfile::tempdir().expect("a folder");
    while kills < 12 {
        let mut child = solve_specially(folder.path()).spawn().expect("it starts");
        wait_for(&mut child, time.mul_f64(rng.below(1000) as f64 / 1000.0));
        match child.try_wait().expect("a child of ours") {
            None => {
                child.kill().expect("a child of ours");
                child.wait().expect("a child of ours");
                kills += 1;
                for path in rows(folder.path()) {
                    resumes += 1;
                    // Sometimes the file is damaged too.
                    if rng.below(4) == 0 {
                        damages += 1;
                        let mut bytes = std::fs::read(&path).expect("a file of ours");
                        let half = bytes.len() / 2;
                        bytes[half..].iter_mut().for_each(|byte| *byte ^= rng.below(256) as u8);
                        std::fs::write(&path, bytes).expect("a file of ours");
                    }
                }
            }
            Some(status) => {
                assert!(status.success(), "seed {seed}");
                assert!(contents(folder.path()) == expected, "seed {seed}");
                folder = tempfile::tempdir().expect("a folder");
            }
        }
    }
    let last = solve_specially(folder.path()).output().expect("it starts");
    assert!(last.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&last.stderr));
    let done = format!("seed {seed}: {kills} kills, {resumes} resumes, {damages} damages");
    assert!(contents(folder.path()) == expected, "{done}");
    assert!(resumes > 0, "no run was killed while it solved, so nothing was tested: {done}");
}
