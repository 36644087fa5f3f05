//! Whole tables from a server: continued, stopped, wrong, and never half-written.
#![cfg(feature = "remote")]

mod common;
#[path = "common/server.rs"]
mod server;

use common::{clustered, description, different, layout, write_entries};
use endspiel_table::remote::{FetchError, Fetched, Remote, Settings};
use endspiel_table::{Codec, Description, Entry, Fingerprint, Kept, Problem, Tiles, write_small};
use game::{Metric, Plies, Rng};
use server::Server;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

const NAME: &str = "matches/standard/heap.dtm.est";

/// A table of this name, of several pieces.
fn table(slice: &str, seed: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let entries = clustered(&different(Metric::Dtm, 200), 5_000_000, &mut Rng::new(seed));
    let description =
        Description { slice: slice.to_owned(), ..description(Metric::Dtm, entries.len() as u64) };
    write_entries(&description.path(folder.path()), &description, layout(1 << 14, Codec::Stored), &entries);
    fs::read(description.path(folder.path())).unwrap()
}

fn fingerprint(bytes: &Vec<u8>) -> Fingerprint {
    Fingerprint::of(bytes, &|_| ()).unwrap()
}

struct Case {
    server: Server,
    remote: Remote,
    expected: Fingerprint,
    bytes: Vec<u8>,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(bytes: Vec<u8>) -> Self {
        let sent = bytes.clone();
        let server = Server::new(move |request, stream| server::range(request, &sent, "one", stream));
        let settings = Settings {
            tries: 2,
            first_pause: Duration::from_millis(1),
            cache: None,
            remember: Duration::ZERO,
            ..Settings::default()
        };
        let remote = Remote::new(&server.url(), settings).unwrap();
        let (expected, folder) = (fingerprint(&bytes), tempfile::tempdir().unwrap());
        Self { server, remote, expected, bytes, folder }
    }

    fn fetch(&self) -> Result<Fetched, FetchError> {
        self.remote.fetch(NAME, self.expected, self.folder.path(), &|_| (), &AtomicBool::new(false))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    /// The path of the unfinished file.
    fn part(&self) -> PathBuf {
        let hash: String = self.expected.hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        self.path().with_file_name(format!(".heap.dtm.est.{hash}.fetch"))
    }

    fn put(&self, path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn assert_brought(&self) {
        assert_eq!(self.fetch().unwrap(), Fetched::Brought);
        assert!(fs::read(self.path()).unwrap() == self.bytes && !self.part().exists());
    }
}

#[test]
fn what_was_begun_is_continued() {
    let case = Case::new(table("heap", 1));
    let most = case.bytes.len() - 1000;
    case.put(&case.part(), &case.bytes[..most]);
    case.assert_brought();
    assert_eq!(case.server.requests(), 1, "only the rest is asked for");
    // Everything arrived before, but the name did not.
    fs::remove_file(case.path()).unwrap();
    case.put(&case.part(), &case.bytes);
    case.assert_brought();
    assert_eq!(case.server.requests(), 1);
    assert_eq!(case.fetch().unwrap(), Fetched::Here);
}

#[test]
fn a_wrong_beginning_is_asked_for_again() {
    let case = Case::new(table("heap", 1));
    let mut wrong = case.bytes.clone();
    wrong[100] ^= 1;
    for begun in [&wrong[..5000], &wrong[..], &[&case.bytes[..], b"more"].concat()[..]] {
        case.put(&case.part(), begun);
        case.assert_brought();
        fs::remove_file(case.path()).unwrap();
    }
}

#[test]
fn a_stop_keeps_what_has_arrived() {
    let case = Case::new(table("heap", 1));
    let (stop, arrived) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = |bytes| {
        arrived.fetch_add(bytes, SeqCst);
        stop.store(true, SeqCst);
    };
    let stopped = case.remote.fetch(NAME, case.expected, case.folder.path(), &progress, &stop);
    assert!(matches!(stopped, Err(FetchError::Stopped)));
    assert_eq!(fs::metadata(case.part()).unwrap().len(), arrived.load(SeqCst));
    assert!(!case.path().exists());
    case.assert_brought();
}

/// A whole table may be somebody's work. A damaged one is nobody's.
#[test]
fn other_tables_stay_and_damaged_ones_do_not() {
    let case = Case::new(table("heap", 1));
    let other = table("heap", 2);
    case.put(&case.path(), &other);
    let error = case.fetch().unwrap_err();
    assert!(matches!(error, FetchError::Other { .. }), "{error}");
    assert_eq!(fs::read(case.path()).unwrap(), other);
    let mut damaged = case.bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for damaged in [&damaged[..], &case.bytes[..middle], b"", b"notes"] {
        case.put(&case.path(), damaged);
        case.assert_brought();
    }
}

/// The manifest may have the right hash of something that is not this table.
#[test]
fn only_the_table_of_this_name_is_taken() {
    for bytes in [table("other", 1), b"notes".to_vec()] {
        let case = Case::new(bytes);
        let error = case.fetch().unwrap_err();
        assert!(matches!(error, FetchError::Table(_)), "{error}");
        assert!(error.to_string().contains(&case.server.url()), "{error}");
        assert!(!case.path().exists() && !case.part().exists());
    }
}

#[test]
fn two_processes_do_not_fetch_to_the_same_folder() {
    let case = Case::new(table("heap", 1));
    let lock = case.path().with_file_name(".fetch.lock");
    case.put(&lock, b"");
    let held = fs::File::options().write(true).open(&lock).unwrap();
    held.lock().unwrap();
    let error = case.fetch().unwrap_err();
    assert!(matches!(error, FetchError::Busy { .. }), "{error}");
    assert!(error.to_string().contains("another process is fetching tables to"), "{error}");
    held.unlock().unwrap();
    case.assert_brought();
}

/// What was begun of an older version is removed, and nothing else.
#[test]
fn old_beginnings_are_removed() {
    let case = Case::new(table("heap", 1));
    let beside = |name: &str| case.path().with_file_name(name);
    let old = beside(".heap.dtm.est.0123456789abcdef.fetch");
    let others =
        [".heap.wdl.est.0123456789abcdef.fetch", ".heap.dtm.part", ".heap.dtm.checkpoint", "notes.fetch"];
    case.put(&old, b"old");
    others.iter().for_each(|name| case.put(&beside(name), b"needed"));
    case.assert_brought();
    assert!(!old.exists() && others.iter().all(|name| beside(name).exists()));
}

/// The table may come another way after a download of it was begun, such as from a solver.
#[test]
fn beginnings_of_a_table_that_is_here_are_removed() {
    let case = Case::new(table("heap", 1));
    let old = case.path().with_file_name(".heap.dtm.est.0123456789abcdef.fetch");
    case.put(&case.path(), &case.bytes);
    case.put(&case.part(), &case.bytes[..1000]);
    case.put(&old, b"old");
    // Another process may be at work with them.
    let lock = case.path().with_file_name(".fetch.lock");
    case.put(&lock, b"");
    let held = fs::File::options().write(true).open(&lock).unwrap();
    held.lock().unwrap();
    assert_eq!(case.fetch().unwrap(), Fetched::Here);
    assert!(case.part().exists() && old.exists());
    held.unlock().unwrap();
    assert_eq!(case.fetch().unwrap(), Fetched::Here);
    assert!(!case.part().exists() && !old.exists());
}

/// A link with the name of the unfinished file is not written through.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let case = Case::new(table("heap", 1));
    let precious = case.folder.path().join("precious");
    case.put(&precious, b"precious");
    case.put(&case.path().with_file_name("x"), b"");
    std::os::unix::fs::symlink(&precious, case.part()).unwrap();
    let error = case.fetch().unwrap_err();
    assert!(matches!(error, FetchError::File { .. }), "{error}");
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
}

/// Distances without their outcomes would hide tables that can be asked.
#[test]
fn distances_come_only_to_their_outcomes() {
    let (source, described) = (tempfile::tempdir().unwrap(), description(Metric::Dtm, 640));
    let entry = |index: u64| match index % 3 {
        0 => Entry::Draw,
        1 => Entry::Win(Some(Plies((2 * (index / 60) + 1) as u16))),
        _ => Entry::Loss(Some(Plies((2 * (index / 60)) as u16))),
    };
    let tiles = Tiles::new(&[640], false);
    let go_on = |_| ControlFlow::Continue(());
    write_small(source.path(), &described, &tiles, entry, |_| false, Kept::Wins, go_on).unwrap().unwrap();
    let of_outcomes = Description { metric: Metric::Wdl, ..described.clone() };
    let case = Case::new(fs::read(described.path(source.path())).unwrap());
    let problem = |error: FetchError| match error {
        FetchError::Table(error) => error.problem,
        other => panic!("{other}"),
    };
    assert!(matches!(problem(case.fetch().unwrap_err()), Problem::NoOutcomes { .. }));
    assert!(!case.path().exists() && !case.part().exists());
    let other = table("heap", 1);
    case.put(&of_outcomes.path(case.folder.path()), &other);
    assert!(matches!(problem(case.fetch().unwrap_err()), Problem::OtherOutcomes { .. }));
    case.put(&of_outcomes.path(case.folder.path()), &fs::read(of_outcomes.path(source.path())).unwrap());
    case.assert_brought();
}
