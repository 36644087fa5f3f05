//! Programs that are not GNU Backgammon, or that stop working. Each failure gives its own error, and none waits forever.
#![cfg(unix)]

use backgammon::{Backgammon, Roll};
use endspiel_env::backgammon::agents::gnubg::{Gnubg, GnubgError};
use game::Side;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn program(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("gnubg");
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("an executable");
    file
}

fn ask(gnubg: &mut Gnubg) -> Result<Vec<String>, GnubgError> {
    gnubg.results("4HPwATDgc/ABMA", Roll::new(3, 1).expect("two dice"))
}

/// All failures are in one test, because a program cannot be run while a child of another thread has it open for writing.
#[test]
fn each_failure_has_its_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = |text: &str| Gnubg::start_program(&program(folder.path(), text));

    let missing = Gnubg::start_program(&folder.path().join("nothing"));
    assert!(matches!(missing, Err(GnubgError::Missing)), "{missing:?}");

    let no_program = Gnubg::start_program(folder.path());
    assert!(matches!(no_program, Err(GnubgError::Start(_))), "{no_program:?}");

    let never_ready = start("echo Welcome!");
    assert!(matches!(never_ready, Err(GnubgError::Ended)), "{never_ready:?}");

    let mut dies = start("echo Welcome!; echo ready; read question").expect("it was ready");
    assert!(matches!(ask(&mut dies), Err(GnubgError::Ended)));
    assert!(matches!(ask(&mut dies), Err(GnubgError::Ended)));

    let mut babbles =
        start("echo ready; while read question; do echo '{\"answer\": 8}'; done").expect("it was ready");
    assert!(matches!(ask(&mut babbles), Err(GnubgError::Garbage(line)) if line == "{\"answer\": 8}"));
    assert!(matches!(ask(&mut babbles), Err(GnubgError::Ended)));

    let mut stares = start("echo ready; exec sleep 1000").expect("it was ready");
    stares.set_patience(Duration::from_millis(100));
    assert!(matches!(ask(&mut stares), Err(GnubgError::Silent(_))));
    assert!(matches!(ask(&mut stares), Err(GnubgError::Ended)));

    // The line for evaluations fails in the same ways, or gnubg does not open it.
    let start_of_game = Backgammon::default().begin(Side::First);
    let mut no_line =
        start("echo ready; read question; echo '{\"answer\": null}'; read more").expect("it was ready");
    let error = no_line.evaluate(&start_of_game, None);
    assert!(matches!(error, Err(GnubgError::NoLine(_))), "{error:?}");
    assert!(matches!(no_line.evaluate(&start_of_game, None), Err(GnubgError::Ended)));

    let mut dies = start("echo ready; read question").expect("it was ready");
    assert!(matches!(dies.evaluate(&start_of_game, None), Err(GnubgError::Ended)));

    let mut stares = start("echo ready; exec sleep 1000").expect("it was ready");
    stares.set_patience(Duration::from_millis(100));
    assert!(matches!(stares.evaluate(&start_of_game, None), Err(GnubgError::Silent(_))));

    // The process does not end by itself, so `drop` must kill it.
    drop(start("echo ready; exec sleep 1000").expect("it was ready"));
}
