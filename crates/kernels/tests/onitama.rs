//! Compares the kernel with the generic solver, byte for byte, and with the counts of independent programs.
//! Sources: `fixtures/onitama/README.md`.

mod common;

use common::{CARD_SETS, game_with};
use endspiel_kernels::onitama::OnitamaKernel;
use endspiel_kernels::onitama::deals::Deals;
use endspiel_kernels::onitama::row::Row;
use game::{Catalogue, Endgame, Metric};
use onitama::{Onitama, Slice};
use serde_json::Value as Json;
use solve::{Job, Kernel, Reading, Run, Stats, Unmoves, Unwatched, Way, describe, pack, stats};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Entry, Library};

struct Options {
    kernel: bool,
    metric: Metric,
    memory: u64,
}

const WDL: Options = Options { kernel: true, metric: Metric::Wdl, memory: 8 << 30 };

fn solve(game: &Onitama, slices: &[Slice], folder: &Path, options: Options) {
    let interrupt = AtomicBool::new(false);
    let job = Job {
        game,
        kernel: options.kernel.then_some(&OnitamaKernel as &dyn Kernel<Onitama>),
        library: &Library::new(folder, 0),
        metric: options.metric,
        memory: options.memory,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    let plan = job.plan(slices).expect("a good folder");
    assert!(plan.iter().all(|group| (group.way == Way::Kernel) == options.kernel));
    job.solve(&plan).expect("it fits");
}

fn men(game: &Onitama, men: &str) -> Vec<Slice> {
    game.select(men).expect("a number of men")
}

fn slice(mover: u32, opponent: u32) -> Slice {
    Slice::new(mover, opponent).expect("numbers of men")
}

/// The names of the tables in a folder, and their bytes. There is at least one table.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let rules =
        fs::read_dir(folder.join("onitama")).expect("a folder").next().expect("one").expect("one").path();
    let files = fs::read_dir(rules).expect("a folder").map(|file| file.expect("a file").path());
    let tables: BTreeMap<_, _> = files
        .map(|path| {
            (
                path.file_name().expect("a name").to_string_lossy().into_owned(),
                fs::read(path).expect("a file"),
            )
        })
        .filter(|(name, _)| name != ".lock")
        .collect();
    assert!(!tables.is_empty(), "{}", folder.display());
    tables
}

fn both_solvers_agree(cards: &str, metric: Metric) {
    let game = game_with(cards);
    let [special, generic] = [true, false].map(|kernel| {
        let folder = tempfile::tempdir().expect("a folder");
        solve(&game, &men(&game, "4"), folder.path(), Options { kernel, metric, ..WDL });
        contents(folder.path())
    });
    assert_eq!(special.keys().collect::<Vec<_>>(), generic.keys().collect::<Vec<_>>());
    for (name, bytes) in special {
        assert!(bytes == generic[&name], "{cards} {name}");
    }
}

#[test]
fn who_wins_is_what_the_generic_solver_says() {
    for cards in CARD_SETS {
        both_solvers_agree(cards, Metric::Wdl);
    }
}

/// The kernel solves from packed tables what it solves from whole ones, byte for byte.
#[test]
fn packed_tables_are_as_good_as_whole_ones() {
    let game = game_with(CARD_SETS[0]);
    for metric in [Metric::Wdl, Metric::Dtm] {
        let [whole, packed] = [false, true].map(|packs| {
            let folder = tempfile::tempdir().expect("a folder");
            solve(&game, &[slice(1, 1)], folder.path(), Options { metric, ..WDL });
            let (library, interrupt) = (Library::new(folder.path(), 0), AtomicBool::new(false));
            if packs {
                let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt };
                let is_small = pack(&game, &library, &[slice(1, 1)], metric, Reading::generic(1 << 30), &run);
                assert!(is_small.expect("it is packed"));
            }
            solve(&game, &[slice(1, 2)], folder.path(), Options { metric, ..WDL });
            contents(folder.path())
        });
        let one_on_one = |name: &str| name.starts_with("1v1.");
        assert!(
            whole.iter().filter(|(name, _)| one_on_one(name)).all(|(name, bytes)| packed[name] != *bytes)
        );
        let others = |all: BTreeMap<String, Vec<u8>>| {
            all.into_iter().filter(|(name, _)| !one_on_one(name)).collect::<BTreeMap<_, _>>()
        };
        assert!(others(whole) == others(packed), "{metric:?}");
    }
}

fn slice_stats(game: &Onitama, library: &Library, slice: Slice) -> Stats {
    if game.numbering(slice, Metric::Wdl).name == Onitama::INDEX {
        let table = library.described(&describe(game, slice, Metric::Wdl)).expect("a good table");
        stats(game, slice, &table.expect("it was solved"), false).expect("a good table")
    } else {
        OnitamaKernel.stats(game, library, slice, Metric::Wdl).expect("good tables").expect("a short table")
    }
}

fn count(json: &Json) -> u64 {
    json.as_u64().expect("a count")
}

fn six_men_equal_the_oracle(row: &Json) {
    let cards: Vec<&str> =
        row["cards"].as_array().expect("cards").iter().map(|card| card.as_str().expect("a name")).collect();
    let (game, folder) = (game_with(&cards.join(",")), tempfile::tempdir().expect("a folder"));
    solve(&game, &men(&game, "6"), folder.path(), WDL);
    let library = Library::new(folder.path(), 0);
    let slices = row["slices"].as_array().expect("slices");
    assert_eq!(slices.len(), 9, "{cards:?}");
    for expected in slices {
        let slice = slice(count(&expected["p0"]) as u32, count(&expected["p1"]) as u32);
        let found = slice_stats(&game, &library, slice);
        let wdl = ["valid", "win", "loss", "draw"].map(|key| count(&expected[key]));
        assert_eq!([found.positions(), found.wins, found.losses, found.draws], wdl, "{cards:?} {slice}");
    }
}

fn six_men() -> Vec<Json> {
    fixtures::json("onitama/six_men.json")
}

#[test]
fn six_men_of_the_default_cards_equal_the_oracle() {
    let rows = six_men();
    let default = rows.iter().find(|row| row["cards"][0] == "boar").expect("the default cards");
    six_men_equal_the_oracle(default);
}

#[test]
#[ignore = "a minute of work: part of the full run"]
fn six_men_of_other_cards_equal_the_oracle() {
    let mut rows = six_men();
    rows.retain(|row| row["cards"][0] != "boar");
    assert_eq!(rows.len(), 2);
    rows.iter().for_each(six_men_equal_the_oracle);
}

#[test]
#[ignore = "minutes of work: part of the full run"]
fn eight_men_equal_the_counts_of_another_program() {
    let (game, folder) = (game_with(CARD_SETS[0]), tempfile::tempdir().expect("a folder"));
    solve(&game, &men(&game, "8"), folder.path(), WDL);
    let library = Library::new(folder.path(), 0);
    let sum = men(&game, "8").into_iter().map(|slice| slice_stats(&game, &library, slice)).fold(
        [0; 4],
        |[positions, wins, losses, draws], stats| {
            [positions + stats.positions(), wins + stats.wins, losses + stats.losses, draws + stats.draws]
        },
    );
    assert_eq!(sum, [46_968_231_030, 37_560_295_296, 9_406_054_423, 1_881_311]);
    // A fraction of the memory gives the same bytes.
    let little = tempfile::tempdir().expect("a folder");
    solve(&game, &men(&game, "8"), little.path(), Options { memory: 512 << 20, ..WDL });
    assert!(contents(folder.path()) == contents(little.path()));
}

/// Compares the number of wins at once with published counts for the default cards, up to eight men.
#[test]
fn wins_at_once_are_as_many_as_published() {
    fn of_slice<const A: usize, const B: usize>(deals: &Deals) -> u64 {
        let rows = bits::subsets::of_25::of_size(A as u32).iter();
        rows.map(|&men| Row::<B>::new(deals, men).bits_won_at_once()).sum()
    }
    let deals = Deals::new(game_with(CARD_SETS[0]).table_cards());
    let two = of_slice::<1, 1>(&deals);
    let four = two + of_slice::<1, 2>(&deals) + of_slice::<2, 1>(&deals) + of_slice::<2, 2>(&deals);
    let six = four
        + of_slice::<1, 3>(&deals)
        + of_slice::<3, 1>(&deals)
        + of_slice::<2, 3>(&deals)
        + of_slice::<3, 2>(&deals)
        + of_slice::<3, 3>(&deals);
    let eight = six
        + of_slice::<1, 4>(&deals)
        + of_slice::<4, 1>(&deals)
        + of_slice::<2, 4>(&deals)
        + of_slice::<4, 2>(&deals)
        + of_slice::<3, 4>(&deals)
        + of_slice::<4, 3>(&deals)
        + of_slice::<4, 4>(&deals);
    assert_eq!([two, four, six, eight], [5_181, 3_787_692, 537_541_377, 26_991_848_172]);
}

/// The tables are the same with rows in files as with rows in memory, and the same with one thread.
#[test]
fn little_memory_gives_the_same_bytes() {
    let game = game_with(CARD_SETS[0]);
    let slices = [slice(3, 2)];
    let [much, little] = [8 << 30, 24 << 20].map(|memory| {
        let folder = tempfile::tempdir().expect("a folder");
        solve(&game, &slices, folder.path(), Options { memory, ..WDL });
        contents(folder.path())
    });
    assert!(much == little);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let folder = tempfile::tempdir().expect("a folder");
    one.install(|| solve(&game, &slices, folder.path(), WDL));
    assert!(much == contents(folder.path()));
}

#[test]
#[ignore = "a minute of work: part of the full run"]
fn six_men_in_32_megabytes_give_the_same_bytes() {
    let game = game_with(CARD_SETS[0]);
    let [much, little] = [8 << 30, 32 << 20].map(|memory| {
        let folder = tempfile::tempdir().expect("a folder");
        solve(&game, &men(&game, "6"), folder.path(), Options { memory, ..WDL });
        contents(folder.path())
    });
    assert!(much == little);
}

/// The kernel verifies tables in the short numbering. It finds a single wrong bit.
#[test]
fn a_short_table_is_verified() {
    let game = game_with(CARD_SETS[0]);
    let folder = tempfile::tempdir().expect("a folder");
    let slice = slice(4, 1);
    solve(&game, &[slice], folder.path(), WDL);
    let verify = || {
        let library = Library::new(folder.path(), 0);
        let verified = OnitamaKernel.verify(&game, &library, slice, Metric::Wdl, 1 << 30, &|_| ());
        verified.expect("readable tables").expect("a short table")
    };
    let verified = verify();
    assert_eq!(verified.positions, 553 * 1_771 * 30);
    assert!(verified.wrong.is_empty());

    let description = describe(&game, slice, Metric::Wdl);
    let table =
        Library::new(folder.path(), 0).described(&description).expect("a good table").expect("it was solved");
    let per_block = u64::from(table.layout().entries_per_block);
    let (block, place) = (table.blocks() / 2, 1_000);
    let fill = |entries: std::ops::Range<u64>, packed: &mut Vec<u8>| {
        let number = entries.start / per_block;
        packed.extend_from_slice(&table.packed_block(number).expect("a good block"));
        if number == block {
            packed[place] ^= 1;
        }
        Ok(())
    };
    let palette = [Entry::Win(None), Entry::NotWon];
    table::write_blocks(
        &description.path(folder.path()),
        &description,
        table.layout(),
        &palette,
        fill,
        |_| (),
    )
    .expect("a disk");
    let wrong = verify().wrong;
    assert!(!wrong.is_empty());
    assert!(wrong.iter().all(|wrong| wrong.stored != wrong.expected));
}

/// A file may be undamaged and have the right description but still not be a table of the kernel. It is refused.
#[test]
fn a_table_that_no_solver_wrote_is_refused() {
    let game = game_with(CARD_SETS[0]);
    let folder = tempfile::tempdir().expect("a folder");
    let slice = slice(4, 1);
    solve(&game, &[slice], folder.path(), WDL);
    let description = describe(&game, slice, Metric::Wdl);
    let path = description.path(folder.path());
    let fill = |entries: std::ops::Range<u64>, packed: &mut Vec<u8>| {
        packed.resize(((entries.end - entries.start) / 8) as usize, 0);
        Ok(())
    };
    for (palette, per_block) in [(&[Entry::NotWon][..], 1 << 15), (&[Entry::Win(None), Entry::NotWon], 8)] {
        let layout = table::Layout { entries_per_block: per_block, ..table::Layout::default() };
        table::write_blocks(&path, &description, layout, palette, fill, |_| ()).expect("a disk");
        let library = Library::new(folder.path(), 0);
        let refused =
            OnitamaKernel.stats(&game, &library, slice, Metric::Wdl).expect_err("not a solver's table");
        assert!(matches!(refused, solve::Error::Unlike { .. }), "{refused}");
    }
}

/// The counts of short tables are those of the generic solver, passes included.
#[test]
fn five_against_one_count_as_the_generic_solver_does() {
    let game = game_with(CARD_SETS[0]);
    let folder = tempfile::tempdir().expect("a folder");
    solve(&game, &[slice(5, 1)], folder.path(), WDL);
    let library = Library::new(folder.path(), 0);
    let counts = |slice| {
        let Stats { wins, losses, draws, .. } = slice_stats(&game, &library, slice);
        [wins, losses, draws]
    };
    // These counts are from `endspiel solve onitama 5v1 --kernel generic`, which takes minutes.
    assert_eq!(counts(slice(1, 5)), [66_885_704, 80_018_630, 116]);
    assert_eq!(counts(slice(5, 1)), [134_051_337, 12_853_069, 44]);
}
