//! Runs over tables of backgammon of any kind.

use backgammon::Slice;
use endspiel_kernels::backgammon::{Settings, describe, memory_to_export, solve, verify};
use solve::{Error, Extent, Unwatched};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Backend, TableFile};

/// A bear-off of both sides, one of one side, and few checkers anywhere.
const NAMES: [&str; 3] = ["6x3", "os2x15", "hyper1"];

fn slices() -> [Slice; 3] {
    NAMES.map(|name| name.parse().expect("a slice"))
}

fn run(folder: &Path, memory: u64) -> Result<(), Error> {
    run_for(&slices(), folder, memory)
}

fn run_for(slices: &[Slice], folder: &Path, memory: u64) -> Result<(), Error> {
    let interrupt = &AtomicBool::new(false);
    let settings = Settings { folder, memory, checkpoint_every: Duration::MAX, watch: &Unwatched, interrupt };
    solve(slices, &settings)
}

fn file(slice: Slice, folder: &Path) -> TableFile {
    TableFile::open(describe(slice).path(folder), Backend::Read).expect("a table")
}

#[test]
fn finished_tables_are_kept_and_leftovers_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("backgammon/standard");
    fs::create_dir_all(&tables).expect("a folder");
    fs::write(tables.join(".6x9.equity.est.part"), "half a table").expect("a file");
    run(folder.path(), u64::MAX).expect("it is solved");
    let changed = |slice: Slice| {
        let path = describe(slice).path(folder.path());
        fs::metadata(path).and_then(|found| found.modified()).expect("a table")
    };
    let before = slices().map(changed);
    for asked in [&slices()[..], &[]] {
        for name in ["6x3", "hyper1"] {
            fs::write(tables.join(format!(".{name}.equity.checkpoint")), "of a killed run").expect("a file");
        }
        run_for(asked, folder.path(), u64::MAX).expect("nothing is to be done");
        assert_eq!(slices().map(changed), before, "they are not solved again");
        let mut left: Vec<String> = fs::read_dir(&tables)
            .expect("a folder")
            .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
            .collect();
        left.sort();
        assert_eq!(left, [".lock", "6x3.equity.est", "hyper1.equity.est", "os2x15.distribution.est"]);
    }
}

#[test]
fn too_little_memory_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let is_refused = |result: Result<(), Error>, kind: &str| match result {
        Err(Error::Memory { work, needed, allowed: 1000, .. }) => work == kind && needed > 1000,
        _ => false,
    };
    assert!(is_refused(run(folder.path(), 1000), "solving"));
    run(folder.path(), u64::MAX).expect("it is solved");
    for slice in slices() {
        let verify = |memory| verify(slice, file(slice, folder.path()), Extent::All, memory, &|_| ());
        assert!(is_refused(verify(1000).map(drop), "verifying"), "{slice}");
        assert_eq!(verify(1 << 30).expect("it is intact").wrong, [], "{slice}");
    }
    assert_eq!(slices().map(|slice| memory_to_export(slice).is_some()), [true, true, false]);
}
