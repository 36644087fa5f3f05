//! Compares the tables of the shogi kernel with the oracle's tables and counts, and with the generic solver.
//! Source: `fixtures/shogi/README.md`.

#[path = "common/packing.rs"]
mod packing;
#[path = "common/solving.rs"]
mod solving;

use endspiel_kernels::shogi::ShogiKernel;
use game::perpetual::Draws;
use game::{Endgame, Index, Location, Metric, Plies, Position as _, Wdl};
use serde_json::Value as Json;
use shogi::{Class, Kind, Position, Setup, Shogi, Square};
use solve::{Error, Extent, Kernel, Reading, Stop, stats, verify};
use solving::{StopAfter, Way};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;
use table::{Entry, Library, Prober, Table, describe};

fn shogi() -> Shogi {
    Shogi::default()
}

fn class(name: &str) -> Class {
    Class::parse(name).unwrap_or_else(|| panic!("no class {name}"))
}

const BY_KERNEL: Way<'_, Shogi> = Way::by(Some(&ShogiKernel));
const GENERIC: Way<'_, Shogi> = Way::by(None);

/// Solves a class into a folder.
fn solve(class: Class, metric: Metric, folder: &Path, way: &Way<'_, Shogi>) -> Result<(), Error> {
    way.solve(&shogi(), &[class], metric, folder)
}

/// The disk space that a class is planned to take.
fn planned_disk(class: Class, folder: &Path, way: &Way<'_, Shogi>) -> u64 {
    let (game, library) = (shogi(), Library::new(folder, 0));
    way.job(&game, &library, Metric::Dtm).plan(&[class]).expect("a plan")[0].disk
}

/// Solves a class by the kernel.
fn solved(class: Class, metric: Metric) -> (tempfile::TempDir, Arc<Table>) {
    let folder = tempfile::tempdir().expect("a folder");
    solve(class, metric, folder.path(), &BY_KERNEL).expect("it fits");
    let table = table_in(folder.path(), class, metric);
    (folder, table)
}

fn table_in(folder: &Path, class: Class, metric: Metric) -> Arc<Table> {
    let library = Library::new(folder, 1 << 20);
    library.described(&describe(&shogi(), class, metric)).expect("a good table").expect("a table")
}

fn bytes_of(folder: &Path, class: Class, metric: Metric) -> Vec<u8> {
    solving::bytes_of(&shogi(), folder, class, metric)
}

const THREE_PIECES: [&str; 7] = ["P", "L", "N", "S", "G", "B", "R"];

/// The position at an index of the oracle's tables, if it is legal. Squares are counted in the order of SFEN.
fn oracle_position(kind: Kind, king: usize, other: usize, standing: usize) -> Option<Position> {
    let square = |number: usize| Square::at((number % 9) as u8, (8 - number / 9) as u8);
    let mut setup = Setup {
        board: shogi::Board::EMPTY,
        hands: game::BySide { first: shogi::Hand::EMPTY, second: shogi::Hand::EMPTY },
        turn: game::Side::First,
        move_number: 1,
    };
    let mut put = |number: usize, side, kind| {
        let square = square(number);
        let is_free = !setup.board.occupied().contains(square);
        setup.board.set(square, Some(shogi::Piece { side, kind }));
        is_free.then_some(())
    };
    put(king, game::Side::First, Kind::King)?;
    put(other, game::Side::Second, Kind::King)?;
    match standing {
        0 => setup.hands.first = setup.hands.first.with(kind),
        1 => setup.hands.second = setup.hands.second.with(kind),
        _ => {
            let (way, number) = ((standing - 2) / 81, (standing - 2) % 81);
            let (owner, promoted) = if kind == Kind::Gold { (way, 0) } else { (way / 2, way % 2) };
            let kind = if promoted == 1 { kind.promoted()? } else { kind };
            put(number, game::Side::ALL[owner], kind)?;
        }
    }
    Position::try_from(setup).ok()
}

/// Compares every byte of the oracle's tables with ours.
fn compare_with_oracle(name: &str) {
    let class = class(name);
    let oracle = |metric: Metric| fixtures::bytes(&format!("shogi/tables/{name}.{}.gz", metric.name()));
    let metrics = [Metric::Dtm, Metric::Dtz].map(|metric| (oracle(metric), solved(class, metric)));
    let [(dtm, _), (dtz, _)] = &metrics;
    assert_eq!(dtm.len(), dtz.len());
    let standings = dtm.len() / (45 * 81);
    let mut compared = 0;
    for (index, &byte) in dtm.iter().enumerate() {
        let (kings, standing) = (index / standings, index % standings);
        let (king, other) = (kings / 81, kings % 81);
        let king = king / 5 * 9 + king % 5;
        let position = oracle_position(class.men()[0], king, other, standing);
        // 255 also stands for the mirror image of a position with the king on the middle file.
        if byte == 255 {
            assert!(dtz[index] == 255 && (position.is_none() || king % 9 == 4), "{position:?}");
            continue;
        }
        let position = position.unwrap_or_else(|| panic!("{name}: no position at {index}"));
        let Location::At(found, Index(at)) = shogi().locate(&position) else { panic!("{position:?}") };
        assert_eq!(found, class);
        for (oracle, (_, table)) in &metrics {
            let plies = Some(Plies(oracle[index].into()));
            // The parity of the distance to mate tells who wins.
            let expected = match byte {
                254 => Entry::Draw,
                _ if byte % 2 == 1 => Entry::Win(plies),
                _ => Entry::Loss(plies),
            };
            assert_eq!(table.entry(at).expect("an entry"), expected, "{name}: {position:?}");
        }
        compared += 1;
    }
    let legal = &fixtures::json::<Json>("shogi/endgames.json.gz")[name]["legal"]["mirror_reduced"];
    assert_eq!(legal, compared, "{name}");
}

#[test]
fn three_pieces_are_the_oracle_s_byte_by_byte() {
    THREE_PIECES.into_iter().for_each(compare_with_oracle);
}

/// Compares counts, distances and sample positions of a class with the oracle's.
fn compare_counts(name: &str) {
    let oracle = &fixtures::json::<Json>("shogi/endgames.json.gz")[name];
    let class = class(name);
    let (folder, table) = solved(class, Metric::Dtm);
    let counted = stats(&shogi(), class, &table, false).expect("counts");
    // The oracle counts without the rule on perpetual check.
    let (wins, losses) = (counted.wins_by_rule, counted.losses_by_rule);
    assert_eq!(oracle["legal"]["full"], counted.positions(), "{name}");
    assert_eq!(oracle["win"]["full"], counted.wins - wins, "{name}");
    assert_eq!(oracle["loss"]["full"], counted.losses - losses, "{name}");
    assert_eq!(oracle["draw"]["full"], counted.draws + wins + losses, "{name}");
    let plies =
        |(plies, count): (&String, &Json)| (plies.parse().expect("plies"), count.as_u64().expect("a count"));
    let expected = oracle["dtm_histogram_full"].as_object().expect("a histogram").iter().map(plies);
    let expected: std::collections::BTreeMap<u16, u64> = expected.filter(|&(_, count)| count > 0).collect();
    let found = counted.plies.iter().map(|(plies, &count)| (plies.0, count)).collect();
    assert_eq!(expected, found, "{name}");
    let classes = stats(&shogi(), class, &table, true).expect("counts");
    assert_eq!(oracle["legal"]["mirror_reduced"], classes.positions(), "{name}");
    let prober = Prober::new(shogi(), Arc::new(Library::new(folder.path(), 1 << 20)));
    let mut probed = 0;
    for sample in oracle["samples"].as_array().expect("samples") {
        let sfen = sample["sfen"].as_str().expect("a position");
        let value = prober.value(&sfen.parse().expect("a position")).expect("a value");
        let wdl = match value.wdl {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        assert_eq!(
            (&sample["wdl"], &sample["dtm"]),
            (&wdl.into(), &value.plies.map(|plies| plies.0).into()),
            "{sfen}"
        );
        probed += 1;
    }
    assert!(probed >= 300, "{name}: {probed} samples");
}

#[test]
fn counts_of_three_pieces_and_two_golds_are_the_oracle_s() {
    THREE_PIECES.into_iter().chain(["GG"]).for_each(compare_counts);
}

#[test]
#[ignore = "a minute: part of the full run"]
fn counts_of_four_pieces_are_the_oracle_s() {
    ["PP", "GP"].into_iter().for_each(compare_counts);
}

/// P+, L+, N+ and S+ on the board move like a gold, so they give the counts of a gold; and a man in hand of the side to move
/// always wins.
#[test]
fn men_that_move_like_a_gold_count_like_a_gold() {
    let mut counts = Vec::new();
    for name in ["P", "L", "N", "S", "G"] {
        let class = class(name);
        let (_folder, table) = solved(class, Metric::Dtm);
        let mut by_owner = [[0; 3]; 2];
        let mut in_hand = 0;
        for index in (0..shogi().size(class)).map(Index) {
            let Some(position) = shogi().unrank(class, index) else { continue };
            let wdl = table.entry(index.0).expect("an entry").wdl().expect("a position");
            let men = position.board().occupied() & !position.board().of_original(Kind::King);
            match men.first().and_then(|square| position.board().piece_at(square)) {
                None => {
                    let is_own = !position.hand(position.turn()).is_empty();
                    assert_eq!(wdl, if is_own { Wdl::Win } else { Wdl::Loss }, "{position:?}");
                    in_hand += 1;
                }
                Some(piece) if piece.kind.is_promoted() || piece.kind == Kind::Gold => {
                    by_owner[usize::from(piece.side != position.turn())][wdl as usize] +=
                        shogi().multiplicity(&position);
                }
                Some(_) => {}
            }
        }
        assert_eq!(in_hand, 2 * 2996, "{name}: each pair of kings, and each hand");
        counts.push(by_owner);
    }
    assert!(counts.iter().all(|count| *count == counts[4]), "{counts:?}");
    assert_eq!(counts[4][0], [37_183, 0, 401_423], "losses, draws and wins with an own gold");
}

fn kernel_and_generic_solver_agree(name: &str, metric: Metric) {
    let (class, folder) = (class(name), tempfile::tempdir().expect("a folder"));
    solve(class, metric, folder.path(), &GENERIC).expect("it fits");
    let (by_kernel, _) = solved(class, metric);
    let bytes = |folder: &tempfile::TempDir| bytes_of(folder.path(), class, metric);
    assert!(bytes(&folder) == bytes(&by_kernel), "{name}");
}

#[test]
fn the_generic_solver_writes_the_same_bytes() {
    THREE_PIECES.into_iter().for_each(|name| kernel_and_generic_solver_agree(name, Metric::Dtm));
    kernel_and_generic_solver_agree("L", Metric::Wdl);
}

#[test]
#[ignore = "minutes and gigabytes: part of the full run"]
fn the_generic_solver_writes_the_same_bytes_of_two_golds() {
    kernel_and_generic_solver_agree("GG", Metric::Dtm);
}

/// Every value follows from those after the moves of the rules, and the rule on perpetual check decides the same positions.
fn verifies(name: &str, metric: Metric) {
    let class = class(name);
    let (folder, table) = solved(class, metric);
    let library = Library::new(folder.path(), 1 << 20);
    let verified = verify(&shogi(), &library, class, metric, Reading::generic(4 << 30), Extent::All, |_| ())
        .expect("a table");
    assert!(verified.wrong.is_empty(), "{name}: {:?}", verified.wrong);
    let positions = stats(&shogi(), class, &table, true).expect("counts").positions();
    assert_eq!(verified.positions, positions, "{name}");
}

#[test]
fn three_pieces_verify() {
    for name in THREE_PIECES {
        verifies(name, Metric::Dtm);
    }
    for name in ["N", "R"] {
        verifies(name, Metric::Dtz);
    }
}

#[test]
#[ignore = "many minutes: part of the full run"]
fn two_golds_and_gold_and_pawn_verify() {
    verifies("GG", Metric::Dtm);
    verifies("GP", Metric::Dtm);
    verifies("GG", Metric::Dtz);
}

/// Compares what perpetual check decides with the definition, on the explicit graph of all draws.
fn perpetual_check_follows_the_definition(name: &str) -> (usize, usize) {
    let class = class(name);
    let (_folder, table) = solved(class, Metric::Dtm);
    let mut draws = Vec::new();
    let mut entries = Vec::new();
    for block in table.iter_blocks() {
        for entry in block.expect("a block").iter() {
            let is_draw = entry == Entry::Draw || entry.is_by_rule();
            let index = entries.len() as u32;
            entries.push(u8::from(entry == Entry::WinByRule) + 2 * u8::from(entry == Entry::LossByRule));
            if is_draw {
                draws.push(index);
            }
        }
    }
    let number = |position: &Position| match shogi().locate(position) {
        Location::At(_, Index(index)) => {
            draws.binary_search(&(index as u32)).ok().map(|number| number as u32)
        }
        _ => None,
    };
    let mut graph = Draws::default();
    for &index in &draws {
        let position = shogi().unrank(class, Index(index.into())).expect("a position");
        let mut next: Vec<u32> = Vec::new();
        position.for_each_move(|m| next.extend(number(&position.play_unchecked(m))));
        next.sort_unstable();
        next.dedup();
        graph.moves.push(next);
        graph.is_check.push(position.is_check());
    }
    let decided = graph.decided();
    let with = |code: u8| {
        let found = (0..).zip(&draws).filter(|(_, index)| entries[**index as usize] == code);
        found.map(|(number, _)| number).collect::<Vec<u32>>()
    };
    assert_eq!((decided.won, decided.lost), (with(1), with(2)), "{name}");
    (with(1).len(), with(2).len())
}

#[test]
fn perpetual_check_decides_no_ending_of_three_pieces() {
    for name in THREE_PIECES {
        assert_eq!(perpetual_check_follows_the_definition(name), (0, 0), "{name}");
    }
}

#[test]
#[ignore = "minutes and gigabytes: part of the full run"]
fn perpetual_check_follows_the_definition_with_four_pieces() {
    assert_eq!(perpetual_check_follows_the_definition("GG"), (0, 0));
    // 492 and 36 positions: each index stands for a position and its mirror image.
    assert_eq!(perpetual_check_follows_the_definition("BB"), (246, 18));
    let (folder, _) = solved(class("BB"), Metric::Dtm);
    let prober = Prober::new(shogi(), Arc::new(Library::new(folder.path(), 1 << 20)));
    let probed = prober.value(&"9/9/9/2B6/9/9/1k7/9/K8 b b 1".parse().expect("a position")).expect("a value");
    assert_eq!((probed.wdl, probed.plies, probed.by_rule), (Wdl::Loss, None, true));
}

/// Without distances, too, both ways to verify find a table right.
#[test]
fn tables_without_distances_verify() {
    for name in ["P", "B"] {
        verifies(name, Metric::Wdl);
        let class = class(name);
        let (folder, _) = solved(class, Metric::Wdl);
        let library = Library::new(folder.path(), 1 << 20);
        let by_rows = ShogiKernel.verify(&shogi(), &library, class, Metric::Wdl, 1 << 30, &|_| ());
        let by_rows = by_rows.expect("a table");
        // A pawn drop that mates cannot be told from others without distances.
        assert_eq!(by_rows.is_none(), name == "P");
        assert!(by_rows.is_none_or(|verified| verified.wrong.is_empty()));
    }
}

#[test]
fn interrupted_and_resumed_runs_write_the_same_bytes() {
    for (name, metric, rounds) in [("N", Metric::Dtm, 20), ("P", Metric::Dtz, 30), ("G", Metric::Wdl, 1)] {
        let class = class(name);
        let (whole, _) = solved(class, metric);
        let folder = tempfile::tempdir().expect("a folder");
        let interrupt = AtomicBool::new(false);
        let watch = StopAfter { rounds: AtomicU64::new(rounds), interrupt: &interrupt };
        let way = Way { watch: &watch, interrupt: &interrupt, ..BY_KERNEL };
        let stopped = solve(class, metric, folder.path(), &way);
        assert!(matches!(stopped, Err(Error::Stopped { stop: Stop::Interrupted, .. })), "{stopped:?}");
        let checkpoint = format!("shogi/standard/.{class}.{}.checkpoint", metric.name());
        assert!(folder.path().join(checkpoint).exists(), "{name}");
        // Goes on from the checkpoint, and writes one after every round.
        let way = Way { checkpoint_every: Duration::ZERO, ..BY_KERNEL };
        solve(class, metric, folder.path(), &way).expect("it goes on");
        assert!(bytes_of(folder.path(), class, metric) == bytes_of(whole.path(), class, metric), "{name}");
        let left = std::fs::read_dir(folder.path().join("shogi/standard")).expect("a folder");
        let names: Vec<_> = left.map(|file| file.expect("a file").file_name()).collect();
        assert_eq!(names.len(), 2, "the table and the lock: {names:?}");
    }
}

#[test]
fn threads_and_memory_do_not_change_the_bytes() {
    let class = class("S");
    let (whole, _) = solved(class, Metric::Dtm);
    let expected = bytes_of(whole.path(), class, Metric::Dtm);
    // In memory, with cells in files, and with rows and cells in files.
    for (threads, memory, disk) in [
        (1, 8 << 30, 976_696),
        (3, 8 << 30, 976_696),
        (2, 34_300_000, 6 * 976_696),
        (2, 33_900_000, 6 * 976_696 + 45 * 81 * 64 * 5 / 2),
        (1, 33_900_000, 6 * 976_696 + 45 * 81 * 64 * 5 / 2),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let way = Way { memory, ..BY_KERNEL };
        assert_eq!(pool.install(|| planned_disk(class, folder.path(), &way)), disk, "{memory}");
        pool.install(|| solve(class, Metric::Dtm, folder.path(), &way)).expect("it fits");
        assert!(bytes_of(folder.path(), class, Metric::Dtm) == expected, "{threads} threads, {memory} bytes");
    }
    let way = Way { memory: 1 << 20, ..BY_KERNEL };
    let refused = solve(class, Metric::Dtm, whole.path().join("other").as_path(), &way);
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
}

#[test]
fn damaged_checkpoints_are_not_used() {
    let class = class("G");
    let (whole, _) = solved(class, Metric::Dtm);
    let folder = tempfile::tempdir().expect("a folder");
    let interrupt = AtomicBool::new(false);
    let watch = StopAfter { rounds: AtomicU64::new(9), interrupt: &interrupt };
    let way = Way { watch: &watch, interrupt: &interrupt, ..BY_KERNEL };
    solve(class, Metric::Dtm, folder.path(), &way).expect_err("it was interrupted");
    let path = folder.path().join("shogi/standard/.G.dtm.checkpoint");
    let bytes = std::fs::read(&path).expect("a checkpoint");
    for place in [3, 20, 45, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        for damaged in [&damaged[..], &bytes[..place]] {
            std::fs::write(&path, damaged).expect("a checkpoint");
            solve(class, Metric::Dtm, folder.path(), &BY_KERNEL).expect("it begins again");
            assert!(
                bytes_of(folder.path(), class, Metric::Dtm) == bytes_of(whole.path(), class, Metric::Dtm)
            );
            std::fs::remove_file(describe(&shogi(), class, Metric::Dtm).path(folder.path()))
                .expect("a table");
        }
    }
}

/// The check by rows finds wrong values, wrong holes, and wrong decisions by perpetual check.
#[test]
fn the_check_by_rows_finds_mistakes() {
    let class = class("N");
    let (_folder, table) = solved(class, Metric::Dtm);
    let entries: Vec<Entry> =
        table.iter_blocks().flat_map(|block| block.expect("a block").iter().collect::<Vec<_>>()).collect();
    let description = describe(&shogi(), class, Metric::Dtm);
    let verified = |entries: &[Entry]| {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = |index: u64| entries[index as usize];
        table::write(&description.path(folder.path()), &description, entry, |_| ()).expect("a disk");
        let library = Library::new(folder.path(), 1 << 20);
        ShogiKernel
            .verify(&shogi(), &library, class, Metric::Dtm, 1 << 30, &|_| ())
            .expect("a table")
            .expect("by rows")
    };
    let right = verified(&entries);
    assert!(right.wrong.is_empty() && right.positions == 821_158, "{right:?}");
    // One entry of each kind, far from each other.
    let find = |wanted: fn(&Entry) -> bool| entries.iter().rposition(wanted).expect("an entry");
    let draw = find(|entry| *entry == Entry::Draw);
    for (index, wrong) in [
        (draw, Entry::Win(Some(Plies(9)))),
        (draw, Entry::WinByRule),
        (draw, Entry::LossByRule),
        (draw, Entry::Nothing),
        (find(|entry| *entry == Entry::Nothing), Entry::Draw),
        (find(|entry| *entry == Entry::Loss(Some(Plies(0)))), Entry::Loss(Some(Plies(2)))),
        (find(|entry| *entry == Entry::Win(Some(Plies(7)))), Entry::Win(Some(Plies(5)))),
        (find(|entry| *entry == Entry::Loss(Some(Plies(8)))), Entry::Loss(Some(Plies(10)))),
        (find(|entry| *entry == Entry::Win(Some(Plies(125)))), Entry::Draw),
    ] {
        let mut changed = entries.clone();
        changed[index] = wrong;
        let verified = verified(&changed);
        let found =
            verified.wrong.iter().any(|found| found.index == Index(index as u64) && found.stored == wrong);
        assert!(found, "{wrong:?} at {index}: {:?}", verified.wrong);
    }
}

/// Packs tables in both ways, and completes them in both ways.
fn small_tables_agree(names: &[&str]) {
    let classes: Vec<Class> = names.iter().map(|name| class(name)).collect();
    for metric in [Metric::Dtm, Metric::Wdl] {
        let done = packing::kernel_and_generic_way_agree(&shogi(), &ShogiKernel, &classes, metric);
        // Without distances, the kernel cannot verify classes with pawns.
        let has_pawns = |name: &&&str| name.contains('P');
        let skipped = if metric == Metric::Wdl { names.iter().filter(has_pawns).count() } else { 0 };
        assert_eq!((done.completed, done.verified), (names.len(), names.len() - skipped), "{metric:?}");
    }
}

#[test]
fn small_tables_are_those_of_the_generic_way() {
    small_tables_agree(&["P", "G"]);
}

#[test]
#[ignore = "a minute: part of the full run"]
fn all_small_tables_of_three_pieces_are_those_of_the_generic_way() {
    small_tables_agree(&THREE_PIECES);
}
