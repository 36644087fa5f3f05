//! Compares the tables of the chess kernel with the generic solver and the generic verifier, and with the distances of the
//! oracle. Source: `fixtures/chess/README.md`.

#[path = "common/packing.rs"]
mod packing;
#[path = "common/solving.rs"]
mod solving;

use chess::{Chess, Material};
use endspiel_kernels::chess::ChessKernel;
use game::{Catalogue as _, Endgame as _, Index, Metric, Plies, Wdl};
use serde_json::Value as Json;
use solve::{Error, Extent, Kernel, Reading, Stop, stats, verify};
use solving::{StopAfter, Way};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;
use table::{Entry, Layout, Library, Prober, describe};

const GAME: Chess = Chess::STANDARD;

fn material(name: &str) -> Material {
    Material::parse(name).unwrap_or_else(|| panic!("no material {name}"))
}

const BY_KERNEL: Way<'_, Chess> = Way::by(Some(&ChessKernel));
const GENERIC: Way<'_, Chess> = Way::by(None);

/// Solves materials and all that they need into a folder.
fn solve(materials: &[Material], metric: Metric, folder: &Path, way: &Way<'_, Chess>) -> Result<(), Error> {
    way.solve(&GAME, materials, metric, folder)
}

fn men(most: &str) -> Vec<Material> {
    GAME.select(most).expect("a number of men")
}

/// All tables up to four men, with distances to mate and to conversions.
fn four_men() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for metric in [Metric::Dtm, Metric::Dtz] {
        solve(&men("4"), metric, folder.path(), &BY_KERNEL).expect("it fits");
    }
    folder
}

fn bytes_of(folder: &Path, material: Material, metric: Metric) -> Vec<u8> {
    solving::bytes_of(&GAME, folder, material, metric)
}

fn kernel_and_generic_solver_agree(materials: &[Material], metric: Metric) {
    let [by_kernel, generic] = [BY_KERNEL, GENERIC].map(|way| {
        let folder = tempfile::tempdir().expect("a folder");
        solve(materials, metric, folder.path(), &way).expect("it fits");
        folder
    });
    for &material in materials {
        let [a, b] = [&by_kernel, &generic].map(|folder| bytes_of(folder.path(), material, metric));
        assert!(a == b, "{material}");
    }
}

#[test]
fn the_generic_solver_writes_the_same_bytes() {
    kernel_and_generic_solver_agree(&men("3"), Metric::Dtm);
    kernel_and_generic_solver_agree(&men("3"), Metric::Wdl);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn the_generic_solver_writes_the_same_bytes_of_four_men() {
    let materials = ["KQvKR", "KQQvK", "KRvKN", "KBvKB", "KQvKP", "KPvKP"].map(material);
    kernel_and_generic_solver_agree(&materials, Metric::Dtm);
}

/// The generic verifier derives each value from those after the moves of the rules.
fn verifies(library: &Library, material: Material, metric: Metric, extent: Extent) -> u64 {
    let reading = Reading::generic(1 << 30);
    let verified = verify(&GAME, library, material, metric, reading, extent, |_| ()).expect("a table");
    assert!(verified.wrong.is_empty(), "{material}: {:?}", verified.wrong);
    verified.positions
}

/// Three men completely, and four men in a sample.
fn the_generic_verifier_agrees(library: &Library) {
    for metric in [Metric::Dtm, Metric::Dtz] {
        for material in men("4") {
            let extent = match material.men() {
                3 => Extent::All,
                _ => Extent::Sample { positions: 10_000, seed: 1 },
            };
            verifies(library, material, metric, extent);
        }
    }
}

#[test]
#[ignore = "minutes: part of the full run"]
fn four_men_verify_completely() {
    let folder = four_men();
    let library = Library::new(folder.path(), 1 << 20);
    for metric in [Metric::Dtm, Metric::Dtz] {
        for material in men("4") {
            let table = library.described(&describe(&GAME, material, metric)).expect("a good table");
            let counted = stats(&GAME, material, &table.expect("a table"), true).expect("counts");
            assert_eq!(verifies(&library, material, metric, Extent::All), counted.positions(), "{material}");
        }
    }
}

/// Verifying by rows finds every table right, and as many positions as the table has.
fn rows_verify(library: &Library) {
    for metric in [Metric::Dtm, Metric::Dtz] {
        for material in men("4") {
            let verified = ChessKernel.verify(&GAME, library, material, metric, 1 << 30, &|_| ());
            let verified = verified.expect("a table").expect("it fits");
            assert!(verified.wrong.is_empty(), "{material}: {:?}", verified.wrong);
            let table = library.described(&describe(&GAME, material, metric)).expect("a good table");
            let counted = stats(&GAME, material, &table.expect("a table"), true).expect("counts");
            assert_eq!(verified.positions, counted.positions(), "{material}");
        }
    }
    let little = ChessKernel.verify(&GAME, library, material("KQvKR"), Metric::Dtm, 1 << 20, &|_| ());
    assert!(little.expect("a table").is_none(), "it takes more memory");
}

/// Rewrites a table with one entry changed.
fn rewrite(folder: &Path, material: Material, metric: Metric, right: &[Entry], at: usize, wrong: Entry) {
    let description = describe(&GAME, material, metric);
    let fill = |indices: std::ops::Range<u64>, entries: &mut Vec<Entry>| {
        entries.extend(indices.map(|index| if index == at as u64 { wrong } else { right[index as usize] }));
        Ok(())
    };
    let path = description.path(folder);
    table::write_ranges(&path, &description, Layout::default(), fill, |_| ()).expect("a table");
}

fn entries(folder: &Path, material: Material, metric: Metric) -> Vec<Entry> {
    let library = Library::new(folder, 1 << 20);
    let table =
        library.described(&describe(&GAME, material, metric)).expect("a good table").expect("a table");
    (0..table.entries()).map(|index| table.entry(index).expect("an entry")).collect()
}

/// Wrong entries are found, in holes too, with equal men, equal armies and pawns. Absurd distances are no more than wrong.
#[test]
fn rows_verify_finds_wrong_entries() {
    for (name, metric, changes) in [
        ("KRvK", Metric::Dtm, 60),
        ("KPvK", Metric::Dtm, 60),
        ("KPvK", Metric::Dtz, 60),
        ("KNNvK", Metric::Dtm, 10),
        ("KBvKB", Metric::Dtz, 10),
    ] {
        let (material, folder) = (material(name), tempfile::tempdir().expect("a folder"));
        solve(&[material], metric, folder.path(), &BY_KERNEL).expect("it fits");
        let right = entries(folder.path(), material, metric);
        for at in (0..right.len()).step_by(right.len() / changes + 1) {
            let wrong = match right[at] {
                Entry::Draw => Entry::Win(Some(Plies(if at % 2 == 0 { 5 } else { 60_000 }))),
                _ => Entry::Draw,
            };
            rewrite(folder.path(), material, metric, &right, at, wrong);
            let library = Library::new(folder.path(), 1 << 20);
            let verified = ChessKernel.verify(&GAME, &library, material, metric, 1 << 30, &|_| ());
            let wrong = verified.expect("a table").expect("it fits").wrong;
            assert!(wrong.iter().any(|wrong| wrong.index == Index(at as u64)), "{name} {at}: {wrong:?}");
        }
    }
}

/// A table that is wrong, but whose checksums are right, gives wrong tables, but no panic.
#[test]
fn wrong_tables_do_not_stop_the_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let needed = material("KPvKP").leads_to();
    solve(&needed, Metric::Dtm, folder.path(), &BY_KERNEL).expect("it fits");
    let pawn = material("KPvK");
    for wrong in [Entry::Nothing, Entry::Win(Some(Plies(60_000)))] {
        let right = entries(folder.path(), pawn, Metric::Dtm);
        let description = describe(&GAME, pawn, Metric::Dtm);
        let entry = |index: u64| if right[index as usize] == Entry::Nothing { Entry::Nothing } else { wrong };
        table::write(&description.path(folder.path()), &description, entry, |_| ()).expect("a table");
        solve(&[material("KPvKP")], Metric::Dtm, folder.path(), &BY_KERNEL).expect("it comes to an end");
        std::fs::remove_file(describe(&GAME, material("KPvKP"), Metric::Dtm).path(folder.path()))
            .expect("a table");
        table::write(&description.path(folder.path()), &description, |index| right[index as usize], |_| ())
            .expect("a table");
    }
}

/// Without distances, the same sides win.
#[test]
fn tables_without_distances_have_the_same_winners() {
    let folder = tempfile::tempdir().expect("a folder");
    let pawns = material("KPvKP");
    for metric in [Metric::Wdl, Metric::Dtm] {
        solve(&[pawns], metric, folder.path(), &BY_KERNEL).expect("it fits");
    }
    let [wdl, dtm] = [Metric::Wdl, Metric::Dtm].map(|metric| entries(folder.path(), pawns, metric));
    assert!(wdl.iter().map(|entry| entry.wdl()).eq(dtm.iter().map(|entry| entry.wdl())));
    let library = Library::new(folder.path(), 1 << 20);
    let verified = ChessKernel.verify(&GAME, &library, pawns, Metric::Wdl, 1 << 30, &|_| ());
    assert!(verified.expect("a table").expect("it fits").wrong.is_empty());
}

/// The figures of another generator: the only table up to five men that it counted with wins that come too late for the
/// 50-move rule.
#[test]
#[ignore = "a minute, and a gigabyte: part of the full run"]
fn cursed_wins_are_those_of_another_generator() {
    let folder = tempfile::tempdir().expect("a folder");
    let material = material("KQRvKQ");
    solve(&[material], Metric::Dtz, folder.path(), &BY_KERNEL).expect("it fits");
    let library = Library::new(folder.path(), 1 << 20);
    let table = library.described(&describe(&GAME, material, Metric::Dtz)).expect("a good table");
    let (table, by_turn) = (table.expect("a table"), GAME.indices_by_turn(material).expect("sides apart"));
    let count = |indices| solve::stats_within(&GAME, material, &table, indices, true).expect("counts");
    let (white, black) = (count(by_turn.first), count(by_turn.second));
    assert_eq!((white.cursed_wins, white.blessed_losses), (230, 0));
    assert_eq!((black.cursed_wins, black.blessed_losses), (0, 1_106));
    assert_eq!(white.positions() + black.positions(), 121_295_258);
}

/// WDL, DTM and DTZ of the oracle's positions. DTZ is that of Syzygy files, which count some distances in moves, so it can be
/// one too small.
fn positions_equal_the_oracle(library: &Arc<Library>) {
    let rows: Vec<Json> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    let prober = Prober::new(GAME, Arc::clone(library));
    for row in &rows {
        let fen = row["fen"].as_str().expect("a position");
        let position: chess::Position = fen.parse().expect(fen);
        let probed = prober.value(&position).expect(fen);
        let sign = match probed.wdl {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        };
        assert_eq!(row["wdl"].as_i64(), Some(sign), "{fen}");
        assert_eq!(row["dtm"].as_i64(), probed.plies.map(|plies| sign * i64::from(plies.0)), "{fen}");
        let game::Location::At(material, index) = GAME.locate(&position) else { panic!("{fen}") };
        let table = library.described(&describe(&GAME, material, Metric::Dtz)).expect("a good table");
        let entry = table.expect("a table").entry(index.0).expect("an entry");
        let ours = entry.plies().map_or(0, |plies| i64::from(plies.0));
        let theirs = row["dtz"].as_i64().expect("a distance");
        // Syzygy has no distance 0: who is mated has lost in one ply.
        let is_equal = ours == theirs.abs() || ours == theirs.abs() + 1 || (ours == 0 && theirs == -1);
        assert!(is_equal && theirs.signum() == sign, "{fen}: {ours} and {theirs}");
    }
    assert!(rows.len() > 2800);
}

#[test]
fn all_tables_up_to_four_men_are_right() {
    let folder = four_men();
    let library = Arc::new(Library::new(folder.path(), 64 << 20));
    positions_equal_the_oracle(&library);
    rows_verify(&library);
    the_generic_verifier_agrees(&library);
}

#[test]
fn interrupted_and_resumed_runs_write_the_same_bytes() {
    for (name, metric, rounds) in
        [("KRvK", Metric::Dtm, 9), ("KPvK", Metric::Dtm, 70), ("KPvK", Metric::Dtz, 40)]
    {
        let material = material(name);
        let (whole, folder) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        solve(&[material], metric, whole.path(), &BY_KERNEL).expect("it fits");
        solve(&material.leads_to(), metric, folder.path(), &BY_KERNEL).expect("it fits");
        let interrupt = AtomicBool::new(false);
        let watch = StopAfter { rounds: AtomicU64::new(rounds), interrupt: &interrupt };
        let way = Way { watch: &watch, interrupt: &interrupt, ..BY_KERNEL };
        let stopped = solve(&[material], metric, folder.path(), &way);
        assert!(matches!(stopped, Err(Error::Stopped { stop: Stop::Interrupted, .. })), "{name} {stopped:?}");
        let checkpoint = format!("chess/standard/.{material}.{}.checkpoint", metric.name());
        assert!(folder.path().join(&checkpoint).exists(), "{name}");
        // Goes on from the checkpoint, and writes one after every round.
        let way = Way { checkpoint_every: Duration::ZERO, ..BY_KERNEL };
        solve(&[material], metric, folder.path(), &way).expect("it goes on");
        let [a, b] = [&folder, &whole].map(|folder| bytes_of(folder.path(), material, metric));
        assert!(a == b, "{name}");
        assert!(!folder.path().join(&checkpoint).exists(), "{name}");
    }
}

#[test]
fn threads_do_not_change_the_bytes() {
    let bytes = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let folder = tempfile::tempdir().expect("a folder");
        pool.install(|| solve(&[material("KRvKB")], Metric::Dtm, folder.path(), &BY_KERNEL))
            .expect("it fits");
        bytes_of(folder.path(), material("KRvKB"), Metric::Dtm)
    });
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn too_little_memory_is_refused_before_anything_is_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let way = Way { memory: 30 << 20, ..BY_KERNEL };
    let refused = solve(&[material("KQvKR")], Metric::Dtm, folder.path(), &way);
    assert!(matches!(refused, Err(Error::Memory { ref group, .. }) if group == "KQvKR"), "{refused:?}");
    assert!(!describe(&GAME, material("KQvK"), Metric::Dtm).path(folder.path()).exists());
}

/// Packs tables in both ways, and completes them in both ways.
fn small_tables_agree(materials: &[Material]) {
    for metric in [Metric::Dtm, Metric::Wdl] {
        let done = packing::kernel_and_generic_way_agree(&GAME, &ChessKernel, materials, metric);
        assert!(done.completed > 0 && done.answered >= materials.len(), "{metric:?}: {done:?}");
        assert!(done.verified >= materials.len(), "{metric:?}: {done:?}");
    }
}

#[test]
fn small_tables_of_three_men_are_those_of_the_generic_way() {
    small_tables_agree(&men("3"));
}

#[test]
#[ignore = "minutes: part of the full run"]
fn small_tables_of_four_men_are_those_of_the_generic_way() {
    small_tables_agree(&["KQvKR", "KRvKP", "KPvKP", "KBBvK", "KPPvK", "KBNvK"].map(material));
}
