//! A command whose file operations fail, one after another.
//!
//! A library that is loaded into the command (`shim.c`) replaces the functions of the system that change files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// What happens at a file operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
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
    pub const ALL: [Self; 4] = [Self::Once, Self::Io, Self::Full, Self::Kill];

    fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Io => "eio",
            Self::Full => "full",
            Self::Kill => "kill",
        }
    }
}

/// What a command owes to its user if a file operation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// All files. If one is missing, the command fails and says which.
    Files,
    /// All files, or a word about what cannot be written. The command has done its work without them.
    FilesOrWord,
    /// Only its answer. The files are a cache, which nobody needs.
    Answer,
}

/// The files of a folder by their paths in it, and their bytes.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A command that is disturbed. It works in a folder, which the tests copy for each run.
pub struct Disturbed<'a> {
    what: &'a str,
    duty: Duty,
    /// The command that works in a folder. Its operations must have the same order in each run.
    command: Box<dyn Fn(&Path) -> Command + 'a>,
    /// What the folder has at first.
    before: TempDir,
    shim: Shim,
    /// The files of a run that was not disturbed.
    expected: Files,
    /// What this run printed.
    answer: Vec<u8>,
    /// The number of its file operations.
    operations: u64,
}

impl<'a> Disturbed<'a> {
    /// `prepare` writes what the folder has at first.
    pub fn new(
        what: &'a str,
        duty: Duty,
        prepare: impl FnOnce(&Path),
        command: impl Fn(&Path) -> Command + 'a,
    ) -> Self {
        let before = tempfile::tempdir().expect("a folder");
        prepare(before.path());
        let (command, shim) = (Box::new(command), Shim::new());
        let (expected, answer) = (Files::new(), Vec::new());
        let mut disturbed = Self { what, duty, command, before, shim, expected, answer, operations: 0 };

        let folder = disturbed.folder();
        disturbed.answer = disturbed.finish(folder.path(), what);
        disturbed.expected = contents(folder.path());
        assert!(disturbed.expected.keys().all(|name| is_finished(name)), "nothing is left over");
        disturbed.operations = disturbed.shim.operations();
        assert!(disturbed.operations > 5, "the library sees file operations");
        disturbed
    }

    /// A new folder with what it has at first.
    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        copy(self.before.path(), folder.path());
        folder
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
        let mut command = (self.command)(folder);
        self.shim.load(&mut command, folder, Some((fault, at)));
        let Output { status, stderr, stdout } = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&stderr);

        let found = contents(folder);
        for (name, bytes) in found.iter().filter(|(name, _)| is_finished(name)) {
            let is_right = [&self.expected, &before].iter().any(|files| files.get(name) == Some(bytes));
            assert!(is_right, "{what}: {} is wrong", name.display());
        }
        for name in before.keys().filter(|name| is_finished(name) && self.duty != Duty::Answer) {
            assert!(found.contains_key(name), "{what}: {} is gone", name.display());
        }
        assert!(said.lines().all(|line| line.starts_with("endspiel: ")), "{what}: {said}");
        let missing = self.expected.iter().find(|(name, bytes)| found.get(*name) != Some(bytes));
        match (status.code(), self.duty) {
            (None, _) => assert!(fault == Fault::Kill, "{what}: {said}"),
            // The work is done: the operation was not needed, as for a checkpoint.
            (Some(0), Duty::Files) => {
                let missing = missing.map(|(name, _)| name);
                assert_eq!(missing, None, "{what}: a file is missing, and the exit code is 0: {said}");
            }
            (Some(0), Duty::FilesOrWord) => {
                assert!(missing.is_none() || !said.is_empty(), "{what}: {missing:?} is missing");
            }
            (Some(0), Duty::Answer) => assert!(stdout == self.answer && said.is_empty(), "{what}: {said}"),
            (Some(1), Duty::Files) => {
                // A fetch ends with the number of the tables that failed, after their reasons.
                let sentence = said.lines().rfind(|line| !line.ends_with(" not fetched")).unwrap_or_default();
                assert!(
                    sentence.contains(folder.to_str().expect("text")),
                    "{what}: it must say where: {said}"
                );
            }
            (code, _) => panic!("{what}: exit code {code:?}: {said}"),
        }
        status
    }

    /// Runs without a fault. Returns what the command prints.
    fn finish(&self, folder: &Path, what: &str) -> Vec<u8> {
        let mut command = (self.command)(folder);
        self.shim.load(&mut command, folder, None);
        let Output { status, stderr, stdout } = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success() && !said.contains("cannot"), "{what}, then without a fault: {said}");
        stdout
    }

    fn finish_as_expected(&self, folder: &Path, what: &str) {
        let_time_pass(folder);
        let answer = self.finish(folder, what);
        assert!(self.duty != Duty::Answer || answer == self.answer, "{what}: the answer is not the same");
        let mut found = contents(folder);
        if self.duty == Duty::Answer {
            // A cache may keep what it had. It makes room only when it gets more.
            let before = contents(self.before.path());
            found.retain(|name, bytes| self.expected.contains_key(name) || before.get(name) != Some(bytes));
        }
        assert!(found.keys().eq(self.expected.keys()), "{what}: there are {:?}", found.keys());
        assert!(found == self.expected, "{what}: the files are not the same");
    }

    /// Disturbs every operation once, with one fault after another.
    pub fn disturb_each(&self) {
        self.disturb_each_with_step(1);
    }

    /// The same for some operations: those with these numbers, and the last ones, which write the table.
    pub fn disturb_each_with_step(&self, step: u64) {
        for at in (1..=self.operations).filter(|at| at.is_multiple_of(step) || at + 10 > self.operations) {
            self.disturb(Fault::ALL[(at % 4) as usize], at);
        }
    }

    /// Disturbs every operation with every fault.
    pub fn disturb_each_in_every_way(&self) {
        for fault in Fault::ALL {
            (1..=self.operations).for_each(|at| self.disturb(fault, at));
        }
        let mut rng = game::Rng::new(self.operations);
        (0..4).for_each(|_| self.disturb_again_and_again(10, &mut rng));
    }

    /// Disturbs `count` operations at random with each fault, and the first and the last ones with one fault after another.
    pub fn disturb_some(&self, count: u64) {
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

/// The compiled library.
pub struct Shim(TempDir);

impl Shim {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(folder.path().join("shim.so"))
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/shim.c"))
            .arg("-ldl")
            .status();
        assert!(compiled.expect("a C compiler").success());
        Self(folder)
    }

    /// Loads the library into a command, with the number of the operation in a folder that fails.
    pub fn load(&self, command: &mut Command, folder: &Path, fault: Option<(Fault, u64)>) {
        command.stderr(Stdio::piped());
        command.env("LD_PRELOAD", self.0.path().join("shim.so"));
        command.env("FAULT_FOLDER", folder.canonicalize().expect("a folder of ours"));
        command.env("FAULT_COUNT", self.0.path().join("count"));
        if let Some((fault, at)) = fault {
            command.env("FAULT_MODE", fault.name()).env("FAULT_AT", at.to_string());
        }
    }

    /// The number of operations of the last command that ended by itself.
    fn operations(&self) -> u64 {
        let count = fs::read_to_string(self.0.path().join("count")).expect("the library is loaded");
        count.parse().expect("a number")
    }
}

/// The paths of the files in a folder, at any depth.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("a folder of ours").map(|entry| entry.expect("a file").path());
    paths.flat_map(|path| if path.is_dir() { self::paths(&path) } else { vec![path] }).collect()
}

/// The files in a folder, without the locks, which stay.
fn contents(folder: &Path) -> Files {
    let file = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file of ours");
        let bytes =
            if path.extension().is_some_and(|end| end == "verified") { undated(bytes) } else { bytes };
        (path.strip_prefix(folder).expect("a path in it").to_owned(), bytes)
    };
    paths(folder).into_iter().filter(|path| !path.to_string_lossy().ends_with("lock")).map(file).collect()
}

/// The record of a verification with a date of zeros, which is the same in all runs.
fn undated(record: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(record).expect("text");
    let undated = match text.split_once("\ndate ") {
        Some((before, date)) => {
            let zero = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
            format!("{before}\ndate {}", date.chars().map(zero).collect::<String>())
        }
        None => text,
    };
    undated.into_bytes()
}

/// A file that is not finished, or that only the command needs, is hidden, or in the hidden folder of tables that are being packed.
fn is_finished(name: &Path) -> bool {
    let is_staged = name.components().any(|part| part.as_os_str() == ".packing");
    !is_staged && name.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
}

/// The next run comes hours later. A young file may be that of another process, which needs it.
fn let_time_pass(folder: &Path) {
    let earlier = SystemTime::now() - Duration::from_secs(2 * 3600);
    for path in paths(folder).into_iter().filter(|path| !is_finished(path)) {
        let file = fs::File::options().write(true).open(path).expect("a file of ours");
        file.set_modified(earlier).expect("a file of ours");
    }
}

/// Copies all files in a folder, at any depth.
fn copy(from: &Path, to: &Path) {
    for path in paths(from) {
        let copied = to.join(path.strip_prefix(from).expect("a path in it"));
        fs::create_dir_all(copied.parent().expect("a folder")).expect("a folder of ours");
        fs::copy(&path, &copied).expect("a file of ours");
    }
}
