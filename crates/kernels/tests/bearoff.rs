//! Compares bear-off tables with GNU Backgammon's, and with a plain solver that asks the move generator.

use backgammon::{BearOff, Board, Cube, HomeBoard, Phase, Position, Roll, Setup, Slice, Terms};
use endspiel_kernels::backgammon::bearoff::{BearOffTable, ROLLS, Verified};
use game::{BySide, Position as _, Rng, Side};
use serde::Deserialize;
use solve::{Error, Extent, Progress, Run, Stop, Unmoves, Unwatched, Watch};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use table::{Backend, Numbers, Payload as _, Table, TableFile, write_payload};

const NEVER: Duration = Duration::MAX;

fn bear_off(name: &str) -> BearOffTable {
    BearOffTable::of(name.parse::<Slice>().expect("a slice")).expect("a bear-off")
}

fn solve(table: BearOffTable, root: &Path, watch: &dyn Watch, interrupt: &AtomicBool) -> Result<(), Error> {
    table.solve(root, &Run { unmoves: Unmoves::FromGame, watch, interrupt }, NEVER)
}

fn file(table: BearOffTable, root: &Path) -> TableFile {
    TableFile::open(table.description().path(root), Backend::Read).expect("a table")
}

/// Solves a table in a new folder and opens it.
fn solved<const N: usize>(table: BearOffTable) -> (tempfile::TempDir, Table<Numbers<N>>) {
    let folder = tempfile::tempdir().expect("a folder");
    solve(table, folder.path(), &Unwatched, &AtomicBool::new(false)).expect("it is solved");
    let table = Table::of(file(table, folder.path())).expect("its numbers");
    (folder, table)
}

/// Verifies a table. The progress must add up to what was asked for.
fn verified(table: BearOffTable, root: &Path, extent: Extent) -> Verified {
    let told = AtomicU64::new(0);
    let progress = |done| _ = told.fetch_add(done, Relaxed);
    let verified = table.verify(file(table, root), extent, &progress).expect("it is intact");
    let asked = match extent {
        Extent::All => table.description().entries,
        Extent::Sample { positions, .. } => positions,
    };
    assert_eq!(told.into_inner(), asked);
    verified
}

fn values<const N: usize>(table: &Table<Numbers<N>>, index: u64) -> [f64; N] {
    table.payload().values(table.entry(index).expect("an entry").expect("a position"))
}

#[derive(Deserialize)]
struct TwoSided {
    us: u64,
    them: u64,
    raw: [u16; 4],
}

#[test]
fn two_sided_tables_and_exports_are_those_of_gnubg() {
    for (name, rows, most, md5, md5_cubeless) in [
        ("6x6", 2_667, 1.1e-4, "44b6040b49b46cb9dd2ce8caa947044d", Some("4c4a0bffa23477cadf7321bc787ff534")),
        ("6x7", 1_500, 1.3e-4, "9eb8b042d4d2ddf8d40e74a892745ad5", None),
    ] {
        let table = bear_off(name);
        let (_folder, numbers) = solved::<4>(table);
        let oracle: Vec<TwoSided> = fixtures::rows(&format!("backgammon/bearoff_ts{name}.jsonl.gz"));
        assert_eq!(oracle.len(), rows);
        let mut exported = Vec::new();
        table.export(false, &mut exported, &|_| ()).expect("room");
        let boards = u64::from(table.numbering().boards());
        for row in &oracle {
            let index = row.us * boards + row.them;
            let bytes = &exported[40 + 8 * index as usize..][..8];
            let raw: Vec<_> = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            assert_eq!(raw, row.raw, "{name} {index}");
            let found = values(&numbers, index);
            for (found, raw) in found.into_iter().zip(row.raw) {
                let gnubg = f64::from(raw) / 32767.5 - 1.0;
                assert!(
                    (found - gnubg).abs() < most + table.format().error,
                    "{name} {index}: {found}, and not {gnubg}"
                );
            }
        }
        assert_eq!(hex(&exported), md5, "{name}");
        if let Some(md5) = md5_cubeless {
            exported.clear();
            let (table, told) = (bear_off(&format!("{name}-cubeless")), AtomicU64::new(0));
            let progress = |done| _ = told.fetch_add(done, Relaxed);
            table.export(false, &mut exported, &progress).expect("room");
            assert_eq!(told.into_inner(), table.description().entries);
            assert_eq!(hex(&exported), md5, "{name} without the cube");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

#[derive(Deserialize)]
struct OneSided {
    i: usize,
    o: usize,
    d: Vec<u16>,
    go: usize,
    g: Vec<u16>,
}

#[test]
fn one_sided_tables_and_exports_are_those_of_gnubg() {
    let table = bear_off("os6x15");
    let (folder, numbers) = solved::<{ 2 * ROLLS }>(table);
    let (mut plain, mut compressed, mut seven) = (Vec::new(), Vec::new(), Vec::new());
    table.export(false, &mut plain, &|_| ()).expect("room");
    let told = AtomicU64::new(0);
    let progress = |done| _ = told.fetch_add(done, Relaxed);
    table.export(true, &mut compressed, &progress).expect("room");
    assert_eq!(told.into_inner(), table.description().entries);
    bear_off("os7x15").export(true, &mut seven, &|_| ()).expect("room");
    let oracle: Vec<OneSided> = fixtures::rows("backgammon/bearoff_os6x15.jsonl.gz");
    assert_eq!(oracle.len(), 3_550);
    for row in &oracle {
        let mut expected = [0; 2 * ROLLS];
        expected[row.o..][..row.d.len()].copy_from_slice(&row.d);
        expected[ROLLS + row.go..][..row.g.len()].copy_from_slice(&row.g);
        let bytes = &plain[40 + 4 * ROLLS * row.i..][..4 * ROLLS];
        let raw: Vec<_> = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!(raw, expected, "{}", row.i);
        // GNU Backgammon rounds at every roll.
        for (found, raw) in values(&numbers, row.i as u64).into_iter().zip(expected) {
            assert!((found - f64::from(raw) / 65535.0).abs() < 1.5e-3, "{}: {found} {raw}", row.i);
        }
    }
    assert_eq!(hex(&plain), "bf8b9e05a2cf10550a644810272f05a4");
    assert_eq!(hex(&compressed), "3dc7b833c4670849cee00479a9e21b49");
    assert_eq!(hex(&seven), "67235c8e0ee152df5daf36cbeae5b3c2");
    for extent in [Extent::All, Extent::Sample { positions: 500, seed: 2 }] {
        let verified = verified(table, folder.path(), extent);
        assert_eq!((verified.positions, verified.wrong), (54_264, Vec::new()), "always as a whole");
    }
}

/// The position in which both sides have these checkers and the first one rolls.
fn position(us: &HomeBoard, them: &HomeBoard) -> Position {
    let mut checkers = BySide { first: [0; 25], second: [0; 25] };
    for point in 0..6 {
        checkers.first[24 - point] = us.0[point];
        checkers.second[24 - point] = them.0[point];
    }
    let (turn, phase, terms) = (Side::First, Phase::Roll, Terms::default());
    Setup { checkers, turn, phase, cube: Cube::CENTRED, terms }.try_into().expect("a position")
}

/// The boards to which each roll leads, found by playing all moves.
fn played(numbering: BearOff, board: u32) -> Vec<(f64, Vec<usize>)> {
    let position = position(&numbering.unrank(board), &numbering.unrank(1));
    let after = |roll: Roll| {
        let rolled = position.rolled(roll);
        let number = |m| numbering.number(rolled.play_unchecked(m).board(), Side::First).expect("a number");
        let found = rolled.moves().into_iter().map(|m| number(m) as usize).collect();
        (f64::from(roll.weight()) / 36.0, found)
    };
    Roll::ALL.map(after).into()
}

/// Solves a race in double precision, by the boards' numbers and the moves of the rules: without the cube, own, centred, theirs.
fn plainly_solved(numbering: BearOff) -> Vec<[f64; 4]> {
    let boards = numbering.boards() as usize;
    let plays: Vec<_> = (1..boards as u32).map(|board| played(numbering, board)).collect();
    let mut values = vec![[0.0f64; 4]; boards * boards];
    (0..boards).for_each(|us| values[us * boards] = [-1.0; 4]);
    for larger in 1..boards {
        let pairs = (1..=larger).map(|us| (us, larger)).chain((1..larger).map(|them| (larger, them)));
        // Either side may have the larger board. The smaller one comes in ascending order.
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by_key(|&(us, them)| us.min(them));
        for (us, them) in pairs {
            values[us * boards + them] = [0.0; 4];
            for (weight, after) in &plays[us - 1] {
                let mut best = [f64::MIN; 4];
                for after in after {
                    let [cubeless, own, centred, theirs] = values[them * boards + after];
                    let double = (2.0 * theirs).min(1.0);
                    let opponent = [cubeless, theirs, centred.max(double), own.max(double)];
                    for (best, opponent) in best.iter_mut().zip(opponent) {
                        *best = best.max(-opponent);
                    }
                }
                for (value, best) in values[us * boards + them].iter_mut().zip(best) {
                    *value += weight * best;
                }
            }
        }
    }
    values
}

/// The errors are below the bounds in the headers, at every position.
#[test]
fn values_are_those_of_a_plain_solver() {
    let table = bear_off("6x6");
    let (_folder, numbers) = solved::<4>(table);
    compare(&numbers, &plainly_solved(table.numbering()), |value| value);
}

#[test]
#[ignore = "the plain solver takes a minute"]
fn eight_checkers_a_side_are_those_of_a_plain_solver() {
    let table = bear_off("6x8-cubeless");
    let (_folder, numbers) = solved::<1>(table);
    compare(&numbers, &plainly_solved(table.numbering()), |[cubeless, ..]| [cubeless]);
}

fn compare<const N: usize>(
    table: &Table<Numbers<N>>,
    expected: &[[f64; 4]],
    numbers: impl Fn([f64; 4]) -> [f64; N],
) {
    let most = table.payload().format().error + 1e-12;
    let (mut index, mut largest) = (0, 0.0f64);
    for block in table.iter_blocks() {
        for entry in block.expect("a block").iter() {
            let (us, them) = (index / expected.len().isqrt(), index % expected.len().isqrt());
            match entry {
                None => assert_eq!(index, 0),
                Some(raw) if us == 0 => assert!(table.payload().values(raw).iter().all(|&won| won == 1.0)),
                Some(raw) => {
                    for (found, expected) in
                        table.payload().values(raw).into_iter().zip(numbers(expected[index]))
                    {
                        largest = largest.max((found - expected).abs());
                        assert!((found - expected).abs() <= most, "{us} {them}: {found}, and not {expected}");
                    }
                }
            }
            index += 1;
        }
    }
    assert_eq!(index, expected.len());
    assert!(largest > most / 2.0, "the bound is not wide: {largest}");
}

/// Takes one step in double precision, with the moves of the rules, at random positions of a table: a number of boards for each
/// side, each of them against each.
fn steps_agree(table: BearOffTable, boards_a_side: usize) {
    let (_folder, numbers) = solved::<1>(table);
    let (numbering, mut rng) = (table.numbering(), Rng::new(21));
    let boards = u64::from(numbering.boards());
    let value = |us: u64, them: u64| {
        let entry = numbers.entry(us * boards + them).expect("a good block").expect("a position");
        numbers.payload().value(entry[0])
    };
    let mut random = || -> Vec<u64> { (0..boards_a_side).map(|_| 1 + rng.below(boards - 1)).collect() };
    let (movers, mut opponents) = (random(), random());
    let plays: Vec<_> = movers.iter().map(|&us| played(numbering, us as u32)).collect();
    // A step against an opponent reads one row of the table, and one entry more.
    opponents.sort_unstable();
    let most = 2.0 * table.format().error;
    let mut largest = 0.0f64;
    for &them in &opponents {
        let row: Vec<f64> = (0..boards).map(|after| value(them, after)).collect();
        for (&us, plays) in movers.iter().zip(&plays) {
            let best = |after: &Vec<usize>| after.iter().map(|&after| -row[after]).fold(f64::MIN, f64::max);
            let step: f64 = plays.iter().map(|(weight, after)| weight * best(after)).sum();
            let difference = (step - value(us, them)).abs();
            assert!(difference <= most, "{us} {them}: {step}, and not {}", value(us, them));
            largest = largest.max(difference);
        }
    }
    assert!(largest > most / 10.0, "the bound is not wide: {largest}, {most}");
}

#[test]
fn steps_of_eight_checkers_a_side_agree() {
    steps_agree(bear_off("6x8-cubeless"), 100);
}

#[test]
#[ignore = "the table has 5.9 GB and takes 11.4 GiB of memory"]
fn a_million_steps_of_all_checkers_agree() {
    steps_agree(bear_off("6x15-cubeless"), 1_000);
}

#[test]
fn threads_do_not_change_the_file() {
    for table in [bear_off("6x5"), bear_off("6x6-cubeless"), bear_off("os3x15")] {
        let hash = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let folder = tempfile::tempdir().expect("a folder");
            pool.install(|| solve(table, folder.path(), &Unwatched, &AtomicBool::new(false)))
                .expect("it is solved");
            file(table, folder.path()).content_hash()
        };
        let one = hash(1);
        assert!([hash(2), hash(3)] == [one; 2], "{table:?}");
    }
}

/// Interrupts a run after some levels.
struct Interrupting<'a>(&'a AtomicBool, u16);

impl Watch for Interrupting<'_> {
    fn progress(&self, progress: Progress) {
        if progress.round.is_some_and(|round| round.0 == self.1) {
            self.0.store(true, Relaxed);
        }
    }
    fn group(&self, _slices: &str, _indices: u64, resumed: bool) {
        assert_eq!(resumed, self.1 > 10);
    }
}

#[test]
fn an_interrupted_run_is_resumed() {
    let table = bear_off("6x5");
    let (whole, _) = solved::<4>(table);
    let folder = tempfile::tempdir().expect("a folder");
    for level in [10, 20] {
        let interrupt = AtomicBool::new(false);
        let stopped = solve(table, folder.path(), &Interrupting(&interrupt, level), &interrupt);
        assert!(matches!(stopped, Err(Error::Stopped { stop: Stop::Interrupted, .. })));
    }
    let interrupt = AtomicBool::new(false);
    solve(table, folder.path(), &Interrupting(&interrupt, 999), &interrupt).expect("it goes on");
    assert!(file(table, folder.path()).content_hash() == file(table, whole.path()).content_hash());
    let left = table
        .description()
        .path(folder.path())
        .parent()
        .expect("a folder")
        .read_dir()
        .expect("a folder")
        .count();
    assert_eq!(left, 1, "no checkpoint is left");
}

#[test]
fn one_sided_runs_can_be_interrupted() {
    let (table, folder) = (bear_off("os6x15"), tempfile::tempdir().expect("a folder"));
    let stopped = solve(table, folder.path(), &Unwatched, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(Error::Stopped { stop: Stop::Interrupted, .. })));
    assert!(!table.description().path(folder.path()).exists());
}

#[test]
fn wrong_numbers_are_found() {
    let table = bear_off("6x4");
    let (folder, numbers) = solved::<4>(table);
    let verify = |extent| verified(table, folder.path(), extent);
    let right = verify(Extent::All);
    assert_eq!((right.positions, right.wrong), (210 * 210, Vec::new()));
    assert_eq!(verify(Extent::Sample { positions: 500, seed: 2 }).wrong, Vec::new());
    let mut rng = Rng::new(1);
    let path = table.description().path(folder.path());
    for number in 0..4 {
        let index = 1 + rng.below(210 * 210 - 1);
        let entry = |at: u64| {
            let entry = numbers.entry(at).expect("an entry");
            entry.map(|mut raw| {
                // Nearer to 0, so that it still fits.
                raw[number] -= if at == index { 4 * raw[number].signum() } else { 0 };
                raw
            })
        };
        write_payload(&path, &table.description(), table.layout(), numbers.payload(), entry, |_| ())
            .expect("a table");
        let wrong = verify(Extent::All).wrong;
        assert!(
            wrong.iter().any(|wrong| wrong.index == index && wrong.number == number),
            "{index} {number}: {wrong:?}"
        );
    }
    // A header that allows any error proves nothing.
    let lax = Numbers::<4>::new(table::NumberFormat { error: 9.0, ..table.format() }).expect("a format");
    let entry = |at| numbers.entry(at).expect("an entry");
    write_payload(&path, &table.description(), table.layout(), &lax, entry, |_| ()).expect("a table");
    assert!(table.verify(file(table, folder.path()), Extent::All, &|_| ()).is_err());
    assert_eq!(lax.bits(), 64);
}

#[test]
fn memory_is_told_beforehand() {
    // A cell has 4 bytes for each number that is kept.
    for (name, least, most) in
        [("6x15-cubeless", 11 << 30, 12 << 30), ("6x10", 1 << 30, 2 << 30), ("os10x15", 1 << 30, 3 << 30)]
    {
        let table = bear_off(name);
        let all = [table.needs().memory, table.memory_to_verify(Extent::All), table.memory_to_export()];
        assert!(all.iter().all(|memory| (least..most).contains(memory)), "{name}: {all:?}");
        let sample = table.memory_to_verify(Extent::Sample { positions: 1, seed: 1 });
        assert_eq!(sample < least, !name.starts_with("os"), "a one-sided table is verified as a whole");
    }
}

#[test]
fn positions_are_located() {
    let (two, one) = (bear_off("6x6"), bear_off("os6x15"));
    let numbering = two.numbering();
    let [us, them] = [700, 123].map(|board| numbering.unrank(board));
    let board = *position(&us, &them).board();
    assert_eq!(two.locate(&board, Side::First), Some(700 * 924 + 123));
    assert_eq!(two.locate(&board, Side::Second), Some(123 * 924 + 700));
    assert_eq!((one.locate(&board, Side::First), one.locate(&board, Side::Second)), (Some(700), Some(123)));
    assert_eq!(two.locate(&Board::START, Side::First), None);
    assert_eq!(BearOffTable::of(Slice::Hyper { checkers: 3 }), None);
    for slice in Slice::all().filter_map(BearOffTable::of) {
        assert_eq!(BearOffTable::of(slice.slice()), Some(slice));
    }
}
