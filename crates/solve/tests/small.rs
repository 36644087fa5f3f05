//! Small tables of a game whose whole tables of outcomes have another numbering: nothing is lost, and no table is taken for another.

// The shared game names the crate as its own tests do.
extern crate table as endspiel_table;

#[path = "../../table/tests/common/forging.rs"]
mod forging;
#[path = "../../table/tests/common/race.rs"]
mod race;

use endspiel_solve::{
    Error, Extent, Job, Kernel, Needs, PlannedGroup, Reading, Run, StaysWhole, Stop, Unmoves, Unwatched,
    Watch, Way, verify, whole,
};
use game::{Endgame as _, Metric, Plies};
use race::{Half, Race, SHORT};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use table::{
    Entry, Fault, Kept, Library, Outcomes, Payload as _, Prober, Table, Tiles, Values, describe_small,
    write_small,
};
use tempfile::TempDir;

const RACE: Race = Race { bits: true, ..SHORT };
const HALVES: [Half; 2] = [Half::Near, Half::Far];

fn job<'a>(library: &'a Library, metric: Metric, packs: bool, run: Run<'a>) -> Job<'a, Race> {
    let checkpoint_every = Duration::MAX;
    Job { game: &RACE, kernel: None, library, metric, memory: 1 << 30, checkpoint_every, packs, run }
}

fn undisturbed(interrupt: &AtomicBool) -> Run<'_> {
    Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt }
}

/// Solves and packs both halves. Returns why groups stay whole.
fn pack(folder: &Path, metric: Metric) -> Result<Vec<(String, StaysWhole)>, Error> {
    let (library, interrupt) = (Library::new(folder, 0), AtomicBool::new(false));
    let job = job(&library, metric, true, undisturbed(&interrupt));
    job.solve(&job.plan(&HALVES)?)?;
    job.stay_whole(&HALVES)
}

fn solve(folder: &Path, metric: Metric) -> Result<(), Error> {
    let (library, interrupt) = (Library::new(folder, 0), AtomicBool::new(false));
    let job = job(&library, metric, false, undisturbed(&interrupt));
    job.solve(&job.plan(&HALVES)?)
}

/// The files of the folder, except the lock, with their bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let rules = RACE.description(Half::Near, Metric::Dtm).path(folder);
    let files = fs::read_dir(rules.parent().expect("a folder")).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let named = files.map(|path| {
        (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("a file"))
    });
    named.filter(|(name, _)| name != ".lock").collect()
}

fn payload(folder: &Path, slice: Half, metric: Metric) -> Option<String> {
    let table = Library::new(folder, 0).file(&RACE, slice, metric).expect("a good table");
    table.map(|table| table.payload_name().to_owned())
}

/// Checks the answers of a prober of these metrics. Distances must be there if they are asked for.
fn answers(folder: &Path, metrics: &[Metric], has_distances: bool) {
    let library = Arc::new(Library::new(folder, 1 << 20));
    let prober = Prober::of_metrics(RACE, library, metrics.to_vec());
    for (at, value) in RACE.values().into_iter().enumerate().skip(1) {
        let probed = prober.value(&RACE.stone(at as u64)).expect("an answer");
        assert_eq!(probed.wdl, value.wdl(), "{at} {metrics:?}");
        if has_distances {
            assert_eq!(probed.plies, value.plies(), "{at} {metrics:?}");
        }
    }
}

#[test]
fn packed_distances_also_tell_who_wins() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(pack(folder.path(), Metric::Dtm).expect("it is packed"), []);
    answers(folder.path(), &[Metric::Dtm], true);
    answers(folder.path(), &[Metric::Wdl], false);
    let packed = contents(folder.path());
    let library = Library::new(folder.path(), 1 << 20);
    for slice in HALVES {
        for metric in [Metric::Wdl, Metric::Dtm] {
            let table = whole(&RACE, &library, slice, metric, None).expect("a good table").expect("a table");
            assert_eq!(*table.description(), describe_small(&RACE, slice, metric));
            let verified =
                verify(&RACE, &library, slice, metric, Reading::generic(1 << 30), Extent::All, |_| ());
            assert!(verified.expect("good tables").wrong.is_empty(), "{slice} {metric:?}");
        }
    }
    // There is nothing to do for either metric.
    solve(folder.path(), Metric::Wdl).expect("the outcomes are there");
    assert!(pack(folder.path(), Metric::Dtm).expect("it is packed").is_empty());
    assert!(contents(folder.path()) == packed);
}

/// To derive all values does not read all of a small table. So its checksums are checked before.
#[test]
fn all_of_a_packed_table_is_verified() {
    let folder = TempDir::new().expect("a folder");
    pack(folder.path(), Metric::Dtm).expect("it is packed");
    let verify = || {
        let library = Library::new(folder.path(), 1 << 20);
        let reading = Reading::generic(1 << 30);
        verify(&RACE, &library, Half::Near, Metric::Dtm, reading, Extent::All, |_| ())
    };
    assert!(verify().expect("good tables").wrong.is_empty());
    for metric in [Metric::Wdl, Metric::Dtm] {
        let path = RACE.description(Half::Near, metric).path(folder.path());
        let good = fs::read(&path).expect("a table");
        let mut spoilt = good.clone();
        forging::spoil_hash(&mut spoilt);
        // The distances would belong to other outcomes than these.
        if metric == Metric::Wdl {
            let at = spoilt.len() - 60 - 12;
            spoilt = good.clone();
            spoilt[at] ^= 1;
        }
        fs::write(&path, spoilt).expect("our file");
        match verify() {
            Err(Error::Table(error)) => {
                assert_eq!((error.fault(), &error.path), (Fault::Damaged, &path));
            }
            verified => panic!("{metric:?}: {verified:?}"),
        }
        fs::write(&path, good).expect("our file");
    }
}

/// A kernel that takes every value for one that a move out of the group gives.
struct Wrong;

impl Kernel<Race> for Wrong {
    fn plan(&self, _: &Job<'_, Race>, _: &PlannedGroup<Half>) -> Option<Needs> {
        None
    }

    fn solve(&self, _: &Job<'_, Race>, _: &[PlannedGroup<Half>]) -> Result<(), Error> {
        unreachable!("it plans nothing")
    }

    fn answered_by_conversions(
        &self,
        _: &Race,
        _: &Library,
        _: Half,
        _: Metric,
        table: &Table,
    ) -> Result<Option<Vec<u64>>, Error> {
        Ok(Some(vec![u64::MAX; table.entries().div_ceil(64) as usize]))
    }
}

/// What packing leaves out is found again before a whole table is replaced. A value that is not found keeps the tables whole.
#[test]
fn a_table_that_would_tell_other_values_stays_whole() {
    let folder = TempDir::new().expect("a folder");
    solve(folder.path(), Metric::Dtm).expect("it is solved");
    let before = contents(folder.path());
    let (library, interrupt) = (Library::new(folder.path(), 0), AtomicBool::new(false));
    let packing = Job { kernel: Some(&Wrong), ..job(&library, Metric::Dtm, true, undisturbed(&interrupt)) };
    let refused = packing.solve(&packing.plan(&HALVES).expect("a plan")).expect_err("wrong values");
    assert!(matches!(refused, Error::UnlikeWhole { .. }), "{refused}");
    assert!(contents(folder.path()) == before);
    answers(folder.path(), &[Metric::Dtm], true);
    pack(folder.path(), Metric::Dtm).expect("it is packed without the kernel");
}

/// A sample of a packed table asks as a prober does, and finds a wrong distance.
#[test]
fn samples_of_packed_tables_are_verified() {
    let folder = TempDir::new().expect("a folder");
    pack(folder.path(), Metric::Dtm).expect("it is packed");
    let sample = |metric| {
        let library = Library::new(folder.path(), 1 << 20);
        let extent = Extent::Sample { positions: 10_000, seed: 1 };
        verify(&RACE, &library, Half::Near, metric, Reading::generic(1 << 30), extent, |_| ())
    };
    for metric in [Metric::Wdl, Metric::Dtm] {
        let verified = sample(metric).expect("good tables");
        assert_eq!((verified.positions, verified.wrong.len()), (10_000, 0));
    }
    let library = Library::new(folder.path(), 1 << 20);
    let good = whole(&RACE, &library, Half::Near, Metric::Dtm, None).expect("a good table").expect("a table");
    let entries: Vec<Entry> = (0..good.entries()).map(|index| good.entry(index).expect("an entry")).collect();
    let longest =
        entries.iter().filter(|entry| matches!(entry, Entry::Win(_))).filter_map(|win| win.plies()).max();
    let longest = longest.expect("there are wins");
    let wrong = |index: u64| match entries[index as usize] {
        Entry::Win(Some(plies)) if plies == longest => Entry::Win(Some(Plies(plies.0 + 2))),
        entry => entry,
    };
    let description = describe_small(&RACE, Half::Near, Metric::Dtm);
    let tiles = Tiles::new(&RACE.digits(Half::Near), false);
    let go_on = |_| ControlFlow::Continue(());
    write_small(folder.path(), &description, &tiles, wrong, |_| false, Kept::Wins, go_on).expect("a table");
    let verified = sample(Metric::Dtm).expect("tables that can be read");
    assert!(!verified.wrong.is_empty());
    fs::remove_file(RACE.description(Half::Far, Metric::Dtm).path(folder.path())).expect("our file");
    assert!(matches!(sample(Metric::Dtm), Err(Error::Missing { .. })), "the other half is needed");
}

#[test]
fn a_whole_table_of_outcomes_is_not_replaced() {
    let folder = TempDir::new().expect("a folder");
    RACE.write(folder.path(), Half::Near, Metric::Wdl);
    let before = contents(folder.path());
    let why = StaysWhole::InPlace { slice: "near".to_owned() };
    let packed = pack(folder.path(), Metric::Dtm).expect("it is solved");
    assert_eq!(packed, [("near+far".to_owned(), why)]);
    let after = contents(folder.path());
    assert_eq!(before["near.wdl.est"], after["near.wdl.est"]);
    assert_eq!(after.keys().collect::<Vec<_>>(), ["far.dtm.est", "near.dtm.est", "near.wdl.est"]);
    assert_eq!(payload(folder.path(), Half::Near, Metric::Dtm).as_deref(), Some(Values::NAME));
    answers(folder.path(), &[Metric::Dtm, Metric::Wdl], true);
    // Without it, the same command packs.
    fs::remove_file(RACE.description(Half::Near, Metric::Wdl).path(folder.path())).expect("our file");
    assert_eq!(pack(folder.path(), Metric::Dtm).expect("it is packed"), []);
    assert_eq!(payload(folder.path(), Half::Near, Metric::Wdl).as_deref(), Some(Outcomes::NAME));
    answers(folder.path(), &[Metric::Dtm], true);
}

#[test]
fn short_tables_stay_whole() {
    let folder = TempDir::new().expect("a folder");
    HALVES.iter().for_each(|&slice| RACE.write(folder.path(), slice, Metric::Wdl));
    let before = contents(folder.path());
    let why = StaysWhole::Short { metric: "wdl" };
    assert_eq!(pack(folder.path(), Metric::Wdl).expect("all are there"), [("near+far".to_owned(), why)]);
    assert!(contents(folder.path()) == before);
    answers(folder.path(), &[Metric::Dtm, Metric::Wdl], false);
}

/// A position of a short table is lost or drawn by the values after its moves, and these may be in a small table.
#[test]
fn short_tables_lead_into_small_ones() {
    for (small, short) in [(Half::Near, Half::Far), (Half::Far, Half::Near)] {
        let folder = TempDir::new().expect("a folder");
        pack(folder.path(), Metric::Dtm).expect("it is packed");
        fs::remove_file(RACE.description(short, Metric::Dtm).path(folder.path())).expect("our file");
        RACE.write(folder.path(), short, Metric::Wdl);
        assert_eq!(payload(folder.path(), small, Metric::Wdl).as_deref(), Some(Outcomes::NAME));
        answers(folder.path(), &[Metric::Wdl], false);
    }
}

/// Outcomes to which distances belong are not replaced by a table that has another numbering.
#[test]
fn outcomes_of_distances_are_not_replaced() {
    let folder = TempDir::new().expect("a folder");
    pack(folder.path(), Metric::Dtm).expect("it is packed");
    let packed = contents(folder.path());
    for metric in [Metric::Wdl, Metric::Dtm] {
        fs::remove_file(RACE.description(Half::Far, metric).path(folder.path())).expect("our file");
    }
    let left = contents(folder.path());
    let refused =
        solve(folder.path(), Metric::Wdl).expect_err("the distances of the near half would be lost");
    assert_eq!(
        refused.to_string(),
        "the wdl table of near for race belongs to its packed distances and is not replaced; \
         `endspiel solve race near --pack` makes that of far, too"
    );
    assert!(contents(folder.path()) == left);
    pack(folder.path(), Metric::Dtm).expect("it is packed");
    assert!(contents(folder.path()) == packed);
}

/// What a run announces is what packing takes, and a run that may not use it does not begin.
#[test]
fn packing_is_planned() {
    let folder = TempDir::new().expect("a folder");
    let (library, interrupt) = (Library::new(folder.path(), 0), AtomicBool::new(false));
    let solving = job(&library, Metric::Dtm, false, undisturbed(&interrupt)).plan(&HALVES).expect("a plan");
    let both = job(&library, Metric::Dtm, true, undisturbed(&interrupt)).plan(&HALVES).expect("a plan");
    assert!(both[0].memory > solving[0].memory && both[0].disk > solving[0].disk);
    solve(folder.path(), Metric::Dtm).expect("it is solved");
    let whole = contents(folder.path());
    let little = Job { memory: 32 << 20, ..job(&library, Metric::Dtm, true, undisturbed(&interrupt)) };
    let plan = little.plan(&HALVES).expect("a plan");
    assert!(plan.len() == 1 && plan[0].way == Way::Pack);
    let refused = little.solve(&plan).expect_err("too little memory");
    assert!(matches!(refused, Error::Memory { work: "packing", .. }), "{refused}");
    assert!(contents(folder.path()) == whole);
}

/// Interrupts a run when it has told so many times that it packs.
struct Interrupting {
    after: AtomicUsize,
    interrupt: AtomicBool,
}

impl Watch for Interrupting {
    fn walk(&self, _: &str, _: u64, _: u64) {
        if self.after.fetch_sub(1, Relaxed) == 0 {
            self.interrupt.store(true, Relaxed);
        }
    }
}

#[test]
fn packing_that_is_interrupted_loses_nothing() {
    let whole = TempDir::new().expect("a folder");
    solve(whole.path(), Metric::Dtm).expect("it is solved");
    let complete = TempDir::new().expect("a folder");
    pack(complete.path(), Metric::Dtm).expect("it is packed");
    let (whole, complete) = (contents(whole.path()), contents(complete.path()));
    let mut interrupted = 0;
    for after in (0..).step_by(7) {
        let folder = TempDir::new().expect("a folder");
        solve(folder.path(), Metric::Dtm).expect("it is solved");
        let library = Library::new(folder.path(), 0);
        let watch = Interrupting { after: AtomicUsize::new(after), interrupt: AtomicBool::new(false) };
        let run = Run { unmoves: Unmoves::FromGame, watch: &watch, interrupt: &watch.interrupt };
        let packing = job(&library, Metric::Dtm, true, run);
        match packing.solve(&packing.plan(&HALVES).expect("a plan")) {
            Ok(()) => break,
            Err(Error::Stopped { group, stop: Stop::Interrupted }) => {
                assert!(group.starts_with("packing "), "{group}");
                interrupted += 1;
            }
            Err(error) => panic!("{error}"),
        }
        // Each file is the whole table, or a complete small one.
        for (name, bytes) in contents(folder.path()) {
            assert!(whole.get(&name) == Some(&bytes) || complete.get(&name) == Some(&bytes), "{name}");
        }
        answers(folder.path(), &[Metric::Dtm], true);
        pack(folder.path(), Metric::Dtm).expect("it goes on");
        assert!(contents(folder.path()) == complete);
    }
    assert!(interrupted > 3, "{interrupted}");
}
