//! Compares the tables of endgames with few checkers with GNU Backgammon's database and with the generic solver over chance.
//! Source: `fixtures/backgammon/README.md`.

#[path = "../../table/tests/common/forging.rs"]
mod forging;

use backgammon::{Backgammon, Chances, Few, Slice};
use endspiel_kernels::backgammon::few::{
    HYPER, LEFT, Odds, Report, UNIT, Verified, description, memory_to_verify, needs, payload, solve, verify,
};
use game::{Expectation as _, Index};
use serde_json::Value as Json;
use solve::{Error, Extent, Run, Stop, Unmoves, Unwatched, Watch, expectations};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use table::{
    Backend, Entries, Fault, Layout, Library, NumberFormat, Numbers, Table, TableFile, write_payload,
};

fn few(name: &str) -> Few {
    Few::of(name.parse().expect("a slice")).expect("few checkers")
}

static NEVER: AtomicBool = AtomicBool::new(false);

const fn unwatched() -> Run<'static> {
    Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &NEVER }
}

fn solved(few: Few) -> (tempfile::TempDir, Report) {
    let folder = tempfile::tempdir().expect("a folder");
    let report = solve(few, folder.path(), Duration::MAX, &unwatched()).expect("it is solved");
    (folder, report)
}

fn table<const N: usize>(few: Few, folder: &Path) -> Arc<Table<Numbers<N>>>
where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    Library::new(folder, 1 << 20).described_of(&description(few)).expect("a good table").expect("a table")
}

/// The odds of all positions by index.
fn odds(few: Few, folder: &Path) -> Vec<Option<Odds>> {
    let all = 0..description(few).entries;
    if few.has_gammons() {
        let table = table::<HYPER>(few, folder);
        let entry = |index| table.entry(index).expect("a good block");
        return all.map(|index| Some(Odds::of_hyper(table.payload().values(entry(index)?)))).collect();
    }
    let table = table::<LEFT>(few, folder);
    let entry = |index| table.entry(index).expect("a good block");
    all.map(|index| Some(Odds::of_left(table.payload().values(entry(index)?)))).collect()
}

fn bytes(few: Few, folder: &Path) -> Vec<u8> {
    fs::read(description(few).path(folder)).expect("a table")
}

#[test]
fn hypergammon_with_two_checkers_agrees_with_gnubg() {
    let few = few("hyper2");
    let (folder, report) = solved(few);
    let odds = odds(few, folder.path());
    const CUBELESS: f64 = 5e-6;
    const PROBABILITY: f64 = 5e-5;
    // After a roll that allows no move, the database takes the cube to change hands: see `oracles/backgammon/hyper.py`.
    const CUBEFUL: f64 = 0.01;
    let rows: Vec<Json> = fixtures::rows("backgammon/hyper2.jsonl.gz");
    assert_eq!(rows.len(), 1_321);
    let (mut compared, mut near) = (0, 0);
    for row in rows {
        let set = |name: &str| {
            let counts = row[name].as_array().expect("a list").iter();
            let mut counts: Vec<u8> = counts.map(|count| count.as_u64().expect("a number") as u8).collect();
            counts.reverse();
            few.set_number(&counts.try_into().expect("25 places")).expect("a set")
        };
        let (us, them) = (set("us_board"), set("them_board"));
        assert_eq!((Some(us as u64), Some(them as u64)), (row["us"].as_u64(), row["them"].as_u64()));
        // The database also has numbers where the game is over or both sides share a point.
        let Some(ours) = odds[few.index(us, them).0 as usize] else { continue };
        compared += 1;
        let numbers = |name: &str| -> Vec<f64> {
            row[name]
                .as_array()
                .expect("a list")
                .iter()
                .map(|number| number.as_f64().expect("a number"))
                .collect()
        };
        let ours_of_gnubg = [ours.own, ours.centred, ours.jacoby, ours.theirs];
        for (theirs, ours) in numbers("eq_own_centered_centeredJacoby_opp").into_iter().zip(ours_of_gnubg) {
            assert!((theirs - ours).abs() < CUBEFUL, "{ours}: {row}");
            near += u32::from((theirs - ours).abs() < 1e-4);
        }
        let probabilities = ours.chances.numbers();
        let theirs = numbers("p");
        for (theirs, ours) in theirs.iter().zip(probabilities) {
            assert!((theirs - ours).abs() < PROBABILITY, "{ours}: {row}");
        }
        let theirs = Chances::from(<[f64; 5]>::try_from(theirs).expect("five probabilities"));
        assert!((theirs.points() - ours.cubeless).abs() < CUBELESS, "{ours:?}: {row}");
        assert!((ours.chances.points() - ours.cubeless).abs() < 1e-6, "{ours:?}");
    }
    assert_eq!(compared, 1_321);
    assert!(near > 3 * compared, "most are equal but for this: {near}");
    assert!(report.error < 1e-7, "{report:?}");
}

#[test]
fn the_generic_solver_gives_the_same_equities() {
    for name in ["hyper1", "left1", "left2", "hyper2"] {
        let few = few(name);
        let (folder, report) = solved(few);
        let expected = expectations(&Backgammon::default(), few, &unwatched(), None).expect("it is solved");
        let odds = odds(few, folder.path());
        assert_eq!(odds.len(), expected.points.len());
        for (index, (odds, points)) in odds.iter().zip(&expected.points).enumerate() {
            assert_eq!(odds.is_some(), !points.is_nan(), "{name} {index}");
            let difference = odds.map_or(0.0, |odds| (odds.cubeless - points).abs());
            assert!(difference <= report.error + expected.error, "{name} {index}: {odds:?}, not {points}");
        }
        let is_position = |index| Backgammon::default().unrank(few, Index(index)).is_some();
        assert!((0..odds.len() as u64).all(|index| is_position(index) == odds[index as usize].is_some()));
    }
}

/// Stops the run at this sweep.
struct StopAt<'a> {
    left: AtomicUsize,
    interrupt: &'a AtomicBool,
    resumed: AtomicBool,
}

impl Watch for StopAt<'_> {
    fn group(&self, _: &str, _: u64, resumed: bool) {
        self.resumed.store(resumed, Relaxed);
    }

    fn sweep(&self, _: &str, _: usize, _: usize, _: usize) {
        if self.left.fetch_sub(1, Relaxed) == 1 {
            self.interrupt.store(true, Relaxed);
        }
    }
}

#[test]
fn threads_and_interrupts_do_not_change_a_byte() {
    for name in ["hyper1", "left2"] {
        let few = few(name);
        let (folder, _) = solved(few);
        let expected = bytes(few, folder.path());
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let (folder, _) = pool.install(|| solved(few));
            assert!(bytes(few, folder.path()) == expected, "{name} on {threads} threads");
        }
        let folder = tempfile::tempdir().expect("a folder");
        for at in 1.. {
            let interrupt = AtomicBool::new(false);
            let left = AtomicUsize::new(at);
            let watch = StopAt { left, interrupt: &interrupt, resumed: AtomicBool::new(false) };
            let run = Run { unmoves: Unmoves::FromGame, watch: &watch, interrupt: &interrupt };
            let result = solve(few, folder.path(), Duration::MAX, &run);
            assert_eq!(watch.resumed.load(Relaxed), at > 1, "{name}, run {at}");
            match result {
                Err(Error::Stopped { stop: Stop::Interrupted, .. }) => assert!(at < 100),
                result => {
                    result.expect("the last run");
                    assert!(at > 5, "it was interrupted in several stages");
                    break;
                }
            }
        }
        assert!(bytes(few, folder.path()) == expected, "{name} after interrupts");
        let left: Vec<_> = fs::read_dir(description(few).path(folder.path()).parent().expect("a folder"))
            .expect("a folder")
            .collect();
        assert_eq!(left.len(), 1, "no checkpoint is left: {left:?}");
    }
}

fn file(few: Few, folder: &Path) -> TableFile {
    TableFile::open(description(few).path(folder), Backend::Read).expect("a table")
}

/// Verifies a table. The progress must add up to what was asked for.
fn verified(few: Few, folder: &Path, extent: Extent) -> Verified {
    let told = AtomicU64::new(0);
    let progress = |done| _ = told.fetch_add(done, Relaxed);
    let verified = verify(few, file(few, folder), extent, &progress).expect("a good table");
    let asked = match extent {
        Extent::All => description(few).entries,
        Extent::Sample { positions, .. } => positions,
    };
    assert_eq!(told.into_inner(), asked);
    verified
}

/// Writes a table with other entries and the same payload.
fn rewrite<const N: usize>(
    few: Few,
    from: &Path,
    to: &Path,
    other: impl Fn(u64, &mut Option<[i64; N]>) + Sync,
) where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    let format = table::<N>(few, from).payload().format();
    rewrite_with(few, from, to, format, other);
}

/// Writes a table with other entries and another payload.
fn rewrite_with<const N: usize>(
    few: Few,
    from: &Path,
    to: &Path,
    format: NumberFormat,
    other: impl Fn(u64, &mut Option<[i64; N]>) + Sync,
) where
    Numbers<N>: Entries<Entry = Option<[i64; N]>>,
{
    let (table, description) = (table::<N>(few, from), description(few));
    let payload = &Numbers::<N>::new(format).expect("a format of numbers");
    let entry = |index| {
        let mut entry = table.entry(index).expect("a good block");
        other(index, &mut entry);
        entry
    };
    let path = description.path(to);
    write_payload(&path, &description, Layout::for_payload(payload), payload, entry, |_| ())
        .expect("a table");
}

#[test]
fn a_wrong_number_is_found() {
    let few_1 = few("hyper1");
    let (folder, report) = solved(few_1);
    let right = verified(few_1, folder.path(), Extent::All);
    assert!(right.wrong.is_empty() && right.largest <= right.allowed, "{right:?}");
    assert_eq!(right.positions, 25 * 25 - 24, "no two checkers share a point");
    let sampled = verified(few_1, folder.path(), Extent::Sample { positions: 60, seed: 1 });
    assert!((60..right.positions).contains(&sampled.positions) && sampled.wrong.is_empty(), "{sampled:?}");

    let index = few_1.index(20, 17);
    let beyond = (report.error * 8.0 * f64::from(UNIT)).ceil() as i64;
    let stored = odds(few_1, folder.path())[index.0 as usize].expect("a position").hyper();
    for number in 0..HYPER {
        let other = tempfile::tempdir().expect("a folder");
        rewrite::<HYPER>(few_1, folder.path(), other.path(), |at, entry| {
            if let Some(numbers) = entry.as_mut().filter(|_| at == index.0) {
                numbers[number] += beyond;
            }
        });
        let wrong = verified(few_1, other.path(), Extent::All);
        assert!(wrong.largest > wrong.allowed, "number {number}: {wrong:?}");
        let of_entry =
            wrong.wrong.iter().filter(|wrong| wrong.index == index).filter_map(|wrong| wrong.numbers);
        let (found, expected) = of_entry
            .into_iter()
            .find(|(stored, _)| stored.place == number)
            .unwrap_or_else(|| panic!("number {number}: {wrong:?}"));
        let forged = stored[number] + beyond as f64 / f64::from(UNIT);
        assert!((found.value - forged).abs() < 1e-12, "{found} was {}", stored[number]);
        assert!((expected.value - stored[number]).abs() <= wrong.allowed, "{expected:?}");
        let names = ["win 0.", "gammon 0.", "backgammon 0.", "lose gammon 0."];
        assert!(names.get(number).is_none_or(|name| found.to_string().starts_with(name)), "{found}");
    }
    let holes = tempfile::tempdir().expect("a folder");
    rewrite::<HYPER>(few_1, folder.path(), holes.path(), |at, entry| {
        *entry = entry.filter(|_| at != index.0)
    });
    let wrong = verified(few_1, holes.path(), Extent::All).wrong;
    assert!(wrong.iter().any(|wrong| wrong.index == index && wrong.numbers.is_none()), "{wrong:?}");

    let few_2 = few("left2");
    let (folder, _) = solved(few_2);
    assert_eq!(verified(few_2, folder.path(), Extent::All).wrong, []);
    let last = few_2.index(20, 17);
    let other = tempfile::tempdir().expect("a folder");
    rewrite::<LEFT>(few_2, folder.path(), other.path(), |at, entry| {
        if let Some(numbers) = entry.as_mut().filter(|_| at == last.0) {
            numbers[2] += beyond;
        }
    });
    let wrong = verified(few_2, other.path(), Extent::All).wrong;
    let found = wrong.iter().find(|wrong| wrong.index == last).and_then(|wrong| wrong.numbers);
    assert!(found.expect("a number").0.to_string().starts_with("centred cube "), "{wrong:?}");
}

/// A header must not excuse wrong numbers, and the whole file must be what its writer has written.
#[test]
fn a_forged_file_is_refused() {
    let few = few("hyper1");
    let (folder, other) = (solved(few).0, tempfile::tempdir().expect("a folder"));
    let refused = |what: &str| {
        let path = description(few).path(other.path());
        let error = verify(few, file(few, other.path()), Extent::All, &|_| ()).expect_err(what);
        assert_eq!((error.fault(), &error.path), (Fault::Damaged, &path), "{what}");
    };
    let right = table::<HYPER>(few, folder.path()).payload().format();
    let as_it_is = |_, _: &mut Option<[i64; HYPER]>| ();
    rewrite_with::<HYPER>(few, folder.path(), other.path(), NumberFormat { error: 9.0, ..right }, as_it_is);
    refused("an error that allows everything");
    let with_unit = NumberFormat { unit: UNIT / 2, ..right };
    rewrite_with::<HYPER>(few, folder.path(), other.path(), with_unit, |_, entry| {
        *entry = entry.map(|numbers| numbers.map(|number| number / 2));
    });
    refused("another unit");
    let mut spoilt = bytes(few, folder.path());
    forging::spoil_hash(&mut spoilt);
    fs::write(description(few).path(other.path()), spoilt).expect("our file");
    refused("another content hash");
    let (hyper2, left1) = (Few::of(Slice::Hyper { checkers: 2 }), Few::of(Slice::Left { checkers: 1 }));
    for another in [hyper2, left1].map(|few| few.expect("few checkers")) {
        assert!(verify(another, file(few, folder.path()), Extent::All, &|_| ()).is_err(), "{another}");
    }
    assert!(memory_to_verify(few) < memory_to_verify(hyper2.expect("few checkers")));
}

#[test]
fn what_is_needed_is_told() {
    let [small, large] = [needs(few("hyper2")), needs(few("hyper3"))];
    assert!(small.memory < large.memory && large.memory < 4 << 30, "{large:?}");
    assert_eq!(large.disk, 3276 * 3276 * (40 + 88), "the table, and a checkpoint");
    assert_eq!(Few::of(Slice::TwoSided { checkers: 6 }), None);
    let NumberFormat { unit, .. } = payload::<1>(0.0).format();
    assert_eq!(unit, UNIT);
}
