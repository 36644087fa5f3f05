//! Links, pipes and devices that somebody put into the folder of the tables do no harm, and nobody waits for them.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn endspiel(arguments: &str, tables: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(arguments.split(' ')).arg("--tables").arg(tables).output().expect("it starts")
}

fn pipe(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().expect("mkfifo").success());
}

/// A folder for tables, the folder of chess in it, and a file that must stay as it is.
struct Place {
    root: tempfile::TempDir,
    chess: PathBuf,
    victim: PathBuf,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let (chess, victim) = (root.path().join("tables/chess/standard"), root.path().join("victim"));
        fs::create_dir_all(&chess).expect("a folder");
        fs::write(&victim, "precious").expect("a file");
        Self { root, chess, victim }
    }

    fn tables(&self) -> PathBuf {
        self.root.path().join("tables")
    }

    fn solve(&self) -> Output {
        endspiel("solve chess KQvK --checkpoint 0", &self.tables())
    }

    /// Checks that the tables are complete and right, that nothing but the record of it is left, and that the victim is unharmed.
    fn check(&self, solved: &Output) {
        assert!(solved.status.success(), "{solved:?}");
        assert!(endspiel("verify chess", &self.tables()).status.success());
        let files =
            fs::read_dir(&self.chess).expect("a folder").map(|file| file.expect("a file").file_name());
        let mut names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, [".lock", "KQvK.dtm.est", "KQvK.dtm.verified"]);
        assert_eq!(fs::read(&self.victim).expect("a file"), b"precious");
    }
}

const WORKING: [&str; 5] = [
    ".KQvK.dtm.est.part",
    ".KQvK.dtm.checkpoint",
    ".KQvK.dtm.part",
    ".KQvK.dtm.verified.part",
    "KQvK.dtm.verified",
];

#[test]
fn links_are_not_written_through() {
    for name in WORKING {
        let place = Place::new();
        symlink(&place.victim, place.chess.join(name)).expect("a link");
        place.check(&place.solve());
    }
}

#[test]
fn nobody_waits_for_a_pipe() {
    for name in WORKING {
        let place = Place::new();
        pipe(&place.chess.join(name));
        place.check(&place.solve());
    }
}

#[test]
fn a_lock_that_is_no_file_is_refused() {
    let plants: [fn(&Place, &Path); 2] =
        [|place, at| symlink(&place.victim, at).expect("a link"), |_, at| pipe(at)];
    for plant in plants {
        let place = Place::new();
        plant(&place, &place.chess.join(".lock"));
        let solved = place.solve();
        let said = String::from_utf8_lossy(&solved.stderr);
        assert_eq!(solved.status.code(), Some(1), "{said}");
        assert!(said.contains(".lock`: it is not a regular file"), "{said}");
        assert_eq!(fs::read(&place.victim).expect("a file"), b"precious");
    }
}

/// What is named like a table and is a pipe, a socket or a link to a device is no table, for every verb that reads tables.
#[test]
fn a_table_that_is_no_file_is_refused() {
    let plants: [fn(&Path); 3] = [
        pipe,
        |at| drop(UnixListener::bind(at).expect("a socket")),
        |at| symlink("/dev/zero", at).expect("a link"),
    ];
    for plant in plants {
        let place = Place::new();
        plant(&place.chess.join("KQvK.dtm.est"));
        let page = place.root.path().join("page.md");
        for verb in [
            "tables",
            "verify chess",
            "stats chess",
            "solve chess KQvK",
            &format!("atlas chess --out {}", page.display()),
            &format!("probe chess {POSITION}"),
            &format!("play chess --side black {POSITION}"),
        ] {
            let answer = endspiel(verb, &place.tables());
            let said = String::from_utf8([answer.stdout, answer.stderr].concat()).expect("text");
            assert_eq!(answer.status.code(), Some(1), "{verb}: {said}");
            assert!(common::on_one_line(&said).contains("is not a regular file"), "{verb}: {said}");
        }
    }
}

/// White to move, in KQvK.
const POSITION: &str = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";

/// The rows of Onitama's solver: a link at their name is replaced, and files of other solvers are removed.
#[test]
fn rows_are_replaced_and_removed() {
    let place = Place::new();
    let solve = |what: &str| endspiel(&format!("solve onitama {what}"), &place.tables());
    let folder = |root: &Path| {
        let games = root.join("onitama");
        fs::read_dir(games).expect("a folder").next().expect("rules").expect("a folder").path()
    };
    assert!(solve("1v1").status.success());
    let onitama = folder(&place.tables());
    symlink(&place.victim, onitama.join(".3v2+2v3.wdl.rows-3v2")).expect("a link");
    fs::write(onitama.join(".2v2.dtm.checkpoint"), "of a run that was killed").expect("a file");
    fs::write(onitama.join(".1v1.wdl.rows-1v1"), "of a run that was killed").expect("a file");
    assert!(solve("3v2 --metric wdl").status.success());
    assert!(solve("2v2 --kernel generic").status.success());
    assert_eq!(fs::read(&place.victim).expect("a file"), b"precious");
    let files = fs::read_dir(onitama).expect("a folder").map(|file| file.expect("a file").file_name());
    let hidden: Vec<_> = files.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    assert_eq!(hidden, [".lock"]);
}

/// A checkpoint that outlived its table, because the run was killed between the two, is removed by the next run, although
/// there is nothing to solve.
#[test]
fn a_checkpoint_of_a_finished_table_is_removed() {
    let place = Place::new();
    assert!(place.solve().status.success());
    fs::write(place.chess.join(".KQvK.dtm.checkpoint"), "of a run that was killed").expect("a file");
    place.check(&place.solve());
}

/// A folder in the place of a checkpoint cannot be removed or replaced. The solve goes on without it, and says so.
#[test]
fn a_checkpoint_that_cannot_be_written_does_not_stop_a_run() {
    let place = Place::new();
    let folder = place.chess.join(".KQvK.dtm.part");
    fs::create_dir_all(folder.join("in use")).expect("a folder");
    let solved = place.solve();
    let said = String::from_utf8_lossy(&solved.stderr);
    assert!(said.contains("cannot be written") && said.contains("solving goes on"), "{said}");
    assert_eq!(said.matches("solving goes on").count(), 1, "it is said once: {said}");
    fs::remove_dir_all(folder).expect("a folder");
    place.check(&place.solve());
}
