//! A file operation of the solver fails, or the run is killed at it. What is left is right, and the next run finishes.
//!
//! A library that is loaded into the command (`faults/shim.c`) replaces the functions of the system that change files.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod common;

use common::{contents, solve_these};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// What happens at a file operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// There is no room on the disk, and then there is room again.
    Once,
    /// The disk fails.
    Io,
    /// There is no room on the disk from now on. A write has room for the first half of its bytes.
    Full,
    /// The run is killed. A write has written the first half of its bytes.
    Kill,
}

impl Fault {
    const ALL: [Self; 4] = [Self::Once, Self::Io, Self::Full, Self::Kill];

    fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Io => "eio",
            Self::Full => "full",
            Self::Kill => "kill",
        }
    }
}

/// A solve that is disturbed.
struct Disturbed {
    /// The arguments of `solve`.
    what: &'static str,
    /// The arguments of a `solve` whose tables were finished before.
    before: Option<&'static str>,
    /// The compiled library, and files that are not part of the tables.
    own: TempDir,
    /// The files of a run that was not disturbed.
    expected: BTreeMap<PathBuf, Vec<u8>>,
    /// The number of file operations of this run.
    operations: u64,
}

impl Disturbed {
    fn new(what: &'static str, before: Option<&'static str>) -> Self {
        let own = tempfile::tempdir().expect("a folder");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(own.path().join("shim.so"))
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c"))
            .arg("-ldl")
            .status();
        assert!(compiled.expect("a C compiler").success());
        let mut disturbed = Self { what, before, own, expected: BTreeMap::new(), operations: 0 };

        let folder = disturbed.folder();
        let whole = disturbed.solve(what, folder.path()).output().expect("it starts");
        assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
        disturbed.expected = contents(folder.path());
        assert!(disturbed.expected.keys().all(|name| is_table(name)), "nothing is left over");
        let count =
            std::fs::read_to_string(disturbed.own.path().join("count")).expect("the library is loaded");
        disturbed.operations = count.parse().expect("a number");
        assert!(disturbed.operations > 5, "the library sees file operations");
        disturbed
    }

    /// A new folder with the tables that were finished before.
    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        if let Some(before) = self.before {
            assert!(self.solve(before, folder.path()).status().expect("it starts").success());
        }
        folder
    }

    /// The command with the library. One thread, so that the operations have the same order in each run.
    fn solve(&self, what: &str, folder: &Path) -> Command {
        let mut command = solve_these(what, folder);
        command.args(["--threads", "1"]).stderr(Stdio::piped());
        command.env("LD_PRELOAD", self.own.path().join("shim.so"));
        command.env("FAULT_FOLDER", folder.canonicalize().expect("a folder of ours"));
        command.env("FAULT_COUNT", self.own.path().join("count"));
        command
    }

    /// Disturbs a run, checks what it says and leaves, and finishes its work.
    fn disturb(&self, fault: Fault, at: u64) {
        let what = format!("{}, {fault:?} at operation {at} of {}", self.what, self.operations);
        let folder = self.folder();
        let before = contents(folder.path());
        let mut command = self.solve(self.what, folder.path());
        command.env("FAULT_MODE", fault.name()).env("FAULT_AT", at.to_string());
        let disturbed = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&disturbed.stderr);

        let found = contents(folder.path());
        for (name, bytes) in found.iter().filter(|(name, _)| is_table(name)) {
            assert!(self.expected.get(name) == Some(bytes), "{what}: {} is wrong", name.display());
        }
        for name in before.keys() {
            assert!(found.contains_key(name), "{what}: {} is gone", name.display());
        }
        assert!(said.lines().all(|line| line.starts_with("endspiel: ")), "{what}: {said}");
        match (fault, disturbed.status.code()) {
            (Fault::Kill, _) => assert_eq!(disturbed.status.signal(), Some(9), "{what}: {said}"),
            // Something was not needed, such as a checkpoint.
            (_, Some(0)) => {
                let missing = self.expected.keys().find(|name| !found.contains_key(*name));
                assert_eq!(missing, None, "{what}: a table is missing, and the exit code is 0: {said}");
            }
            (_, Some(1)) => {
                let sentence = said.lines().last().unwrap_or_default();
                let place = folder.path().to_str().expect("text");
                assert!(sentence.contains(place), "{what}: it must say where: {said}");
            }
            (_, code) => panic!("{what}: exit code {code:?}: {said}"),
        }

        let Output { status, stderr, .. } = self.solve(self.what, folder.path()).output().expect("it starts");
        assert!(status.success(), "{what}, then without a fault: {}", String::from_utf8_lossy(&stderr));
        let found = contents(folder.path());
        assert!(found.keys().eq(self.expected.keys()), "{what}: there are {:?}", found.keys());
        assert!(found == self.expected, "{what}: the tables are not the same");
    }

    /// Disturbs every operation once, with one fault after another.
    fn disturb_each(&self) {
        for at in 1..=self.operations {
            self.disturb(Fault::ALL[(at % 4) as usize], at);
        }
    }

    /// Disturbs every operation with every fault.
    fn disturb_each_in_every_way(&self) {
        for fault in Fault::ALL {
            (1..=self.operations).for_each(|at| self.disturb(fault, at));
        }
    }

    /// Disturbs some operations with every fault: the first and the last ones, and others at random.
    fn disturb_some_in_every_way(&self, count: u64) {
        let mut rng = game::Rng::new(self.operations);
        for fault in Fault::ALL {
            (1..=10).for_each(|at| self.disturb(fault, at));
            (self.operations - 20..=self.operations).for_each(|at| self.disturb(fault, at));
            (0..count).for_each(|_| self.disturb(fault, 1 + rng.below(self.operations)));
        }
    }
}

fn is_table(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "est")
}

#[test]
fn faults_of_the_generic_solver() {
    Disturbed::new("onitama 1v1 --kernel generic", None).disturb_each();
    Disturbed::new("cotulenh CvC", None).disturb_each_in_every_way();
}

#[test]
fn faults_of_the_solver_of_onitama() {
    Disturbed::new("onitama 2v1", Some("onitama 1v1")).disturb_each();
    Disturbed::new("onitama 2v1 --metric wdl", None).disturb_each_in_every_way();
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_generic_solver() {
    Disturbed::new("onitama 1v1 --kernel generic", None).disturb_each_in_every_way();
    Disturbed::new("onitama 1v2 --kernel generic", Some("onitama 1v1")).disturb_some_in_every_way(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_onitama() {
    Disturbed::new("onitama 2v1", Some("onitama 1v1")).disturb_each_in_every_way();
    Disturbed::new("onitama 3v2 --metric wdl", Some("onitama 2v2 --metric wdl"))
        .disturb_some_in_every_way(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_chess() {
    Disturbed::new("chess KQvK", None).disturb_each_in_every_way();
    Disturbed::new("chess KQvK --metric dtz", None).disturb_each_in_every_way();
    Disturbed::new("chess KPvK", Some("chess KQvK KRvK KBvK KNvK")).disturb_some_in_every_way(10);
}

/// Rows in memory, and rows and cells in files.
#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_shogi() {
    for what in ["shogi P", "shogi P --memory 33100K", "shogi P --metric dtz"] {
        Disturbed::new(what, None).disturb_some_in_every_way(4);
    }
}
