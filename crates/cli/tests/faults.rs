//! A file operation of the solver fails, or the run is killed at it. What is left is right, and the next run finishes.
//!
//! A library that is loaded into the command (`faults/shim.c`) replaces the functions of the system that change files.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod common;

use common::{contents, solve_these};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
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
    /// Tables that were finished before.
    before: TempDir,
    /// The compiled library, and files that are not part of the tables.
    own: TempDir,
    /// The files of a run that was not disturbed.
    expected: BTreeMap<PathBuf, Vec<u8>>,
    /// The number of file operations of this run.
    operations: u64,
}

impl Disturbed {
    /// `before` are the arguments of a `solve` that was finished before.
    fn new(what: &'static str, before: Option<&str>) -> Self {
        let own = tempfile::tempdir().expect("a folder");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(own.path().join("shim.so"))
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c"))
            .arg("-ldl")
            .status();
        assert!(compiled.expect("a C compiler").success());
        let empty = tempfile::tempdir().expect("a folder");
        let mut disturbed = Self { what, before: empty, own, expected: BTreeMap::new(), operations: 0 };
        if let Some(before) = before {
            let solved = disturbed.solve(before, disturbed.before.path()).status();
            assert!(solved.expect("it starts").success());
        }

        let folder = disturbed.folder();
        disturbed.finish(folder.path(), what);
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
        copy(self.before.path(), folder.path());
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

    /// Disturbs a run and finishes its work.
    fn disturb(&self, fault: Fault, at: u64) {
        let folder = self.folder();
        let status = self.run(fault, at, folder.path());
        let what = format!("{}, {fault:?} at operation {at} of {}", self.what, self.operations);
        assert_eq!(status.signal(), (fault == Fault::Kill).then_some(9), "{what}");
        self.finish_as_expected(folder.path(), &what);
    }

    /// Disturbs one run after another in the same folder, and finishes their work.
    fn disturb_again_and_again(&self, runs: u32, rng: &mut game::Rng) {
        let folder = self.folder();
        let mut faults = Vec::new();
        for _ in 0..runs {
            let fault = (Fault::ALL[rng.below(4) as usize], 1 + rng.below(self.operations));
            faults.push(fault);
            if self.run(fault.0, fault.1, folder.path()).success() {
                break;
            }
        }
        self.finish_as_expected(folder.path(), &format!("{}, {faults:?}", self.what));
    }

    /// Runs with a fault, and checks what the run says and leaves.
    fn run(&self, fault: Fault, at: u64, folder: &Path) -> ExitStatus {
        let what = format!("{}, {fault:?} at operation {at} of {}", self.what, self.operations);
        let before = contents(folder);
        let mut command = self.solve(self.what, folder);
        command.env("FAULT_MODE", fault.name()).env("FAULT_AT", at.to_string());
        let Output { status, stderr, .. } = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&stderr);

        let found = contents(folder);
        for (name, bytes) in found.iter().filter(|(name, _)| is_table(name)) {
            assert!(self.expected.get(name) == Some(bytes), "{what}: {} is wrong", name.display());
        }
        for name in before.keys().filter(|name| is_table(name)) {
            assert!(found.contains_key(name), "{what}: {} is gone", name.display());
        }
        assert!(said.lines().all(|line| line.starts_with("endspiel: ")), "{what}: {said}");
        match status.code() {
            None => assert!(fault == Fault::Kill, "{what}: {said}"),
            // The work is done: the operation was not needed, as for a checkpoint.
            Some(0) => {
                let missing = self.expected.keys().find(|name| !found.contains_key(*name));
                assert_eq!(missing, None, "{what}: a table is missing, and the exit code is 0: {said}");
            }
            Some(1) => {
                let sentence = said.lines().last().unwrap_or_default();
                assert!(
                    sentence.contains(folder.to_str().expect("text")),
                    "{what}: it must say where: {said}"
                );
            }
            code => panic!("{what}: exit code {code:?}: {said}"),
        }
        status
    }

    /// Solves what is left, without a fault.
    fn finish(&self, folder: &Path, what: &str) {
        let Output { status, stderr, .. } = self.solve(self.what, folder).output().expect("it starts");
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success() && !said.contains("cannot"), "{what}, then without a fault: {said}");
    }

    fn finish_as_expected(&self, folder: &Path, what: &str) {
        self.finish(folder, what);
        let found = contents(folder);
        assert!(found.keys().eq(self.expected.keys()), "{what}: there are {:?}", found.keys());
        assert!(found == self.expected, "{what}: the tables are not the same");
    }

    /// Disturbs every operation once, with one fault after another.
    fn disturb_each(&self) {
        self.disturb_each_with_step(1);
    }

    /// The same for some operations: those with these numbers, and the last ones, which write the table.
    fn disturb_each_with_step(&self, step: u64) {
        for at in (1..=self.operations).filter(|at| at.is_multiple_of(step) || at + 10 > self.operations) {
            self.disturb(Fault::ALL[(at % 4) as usize], at);
        }
    }

    /// Disturbs every operation with every fault.
    fn disturb_each_in_every_way(&self) {
        for fault in Fault::ALL {
            (1..=self.operations).for_each(|at| self.disturb(fault, at));
        }
        let mut rng = game::Rng::new(self.operations);
        (0..4).for_each(|_| self.disturb_again_and_again(10, &mut rng));
    }

    /// Disturbs `count` operations at random with each fault, and the first and the last ones with one fault after another.
    fn disturb_some(&self, count: u64) {
        let mut rng = game::Rng::new(self.operations);
        for at in (1..=8).chain(self.operations - 12..=self.operations) {
            self.disturb(Fault::ALL[(at % 4) as usize], at);
        }
        for fault in Fault::ALL {
            (0..count).for_each(|_| self.disturb(fault, 1 + rng.below(self.operations)));
        }
        (0..count).for_each(|_| self.disturb_again_and_again(10, &mut rng));
    }
}

/// Copies all files in a folder, at any depth.
fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder of ours") {
        let path = entry.expect("a readable folder").path();
        let copied = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir(&copied).expect("a folder of ours");
            copy(&path, &copied);
        } else {
            std::fs::copy(&path, &copied).expect("a file of ours");
        }
    }
}

fn is_table(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "est")
}

#[test]
fn faults_of_the_generic_solver() {
    Disturbed::new("onitama 1v1 --kernel generic", None).disturb_each();
    Disturbed::new("cotulenh CvC", None).disturb_each();
}

#[test]
fn faults_of_the_solver_of_onitama() {
    Disturbed::new("onitama 2v1", Some("onitama 1v1")).disturb_each();
    Disturbed::new("onitama 2v1 --metric wdl", None).disturb_each_in_every_way();
}

#[test]
fn faults_of_the_solver_of_chess() {
    // There are many checkpoints with the same operations, so some of them suffice. The full run disturbs all.
    Disturbed::new("chess KQvK", None).disturb_each_with_step(5);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_generic_solver() {
    Disturbed::new("cotulenh CvC", None).disturb_each_in_every_way();
    Disturbed::new("onitama 1v1 --kernel generic", None).disturb_each_in_every_way();
    Disturbed::new("onitama 1v2 --kernel generic", Some("onitama 1v1")).disturb_some(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_onitama() {
    Disturbed::new("onitama 2v1", Some("onitama 1v1")).disturb_each_in_every_way();
    Disturbed::new("onitama 3v2 --metric wdl", Some("onitama 2v2 --metric wdl")).disturb_some(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_chess() {
    Disturbed::new("chess KQvK", None).disturb_each_in_every_way();
    Disturbed::new("chess KQvK --metric dtz", None).disturb_each_in_every_way();
    Disturbed::new("chess KPvK", Some("chess KQvK KRvK KBvK KNvK")).disturb_some(10);
}

/// Rows in memory, and rows and cells in files.
#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_shogi() {
    for what in ["shogi P", "shogi P --memory 33100K", "shogi P --metric dtz"] {
        Disturbed::new(what, None).disturb_some(4);
    }
}
