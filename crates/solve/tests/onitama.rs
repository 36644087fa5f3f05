//! Compares Onitama's tables with those of independent programs: all counts, and many values.
//! Sources: `fixtures/onitama/README.md`.

use endspiel_solve::{
    Error, Extent, Job, Reading, Run, Stats, Unmoves, Unwatched, describe, stats, verify, whole,
};
use game::{Catalogue, Endgame, Game, Index, Metric, Notation, Plies, Rng, ShortNumbering, Wdl};
use onitama::{Card, Onitama, Slice};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Entry, Layout, Library, ProbeError, Probed, Prober};

fn game_with(cards: &[&str]) -> Onitama {
    let cards: Vec<Card> = cards.iter().map(|name| name.parse().expect("a card")).collect();
    Onitama::with_deal(cards.try_into().expect("five cards")).expect("different cards")
}

/// Solves the slices that `men` selects and returns the tables.
fn solved(game: &Onitama, men: &str, folder: &Path, unmoves: Unmoves) -> Arc<Library> {
    solved_and(false, game, &game.select(men).expect("a number of men"), folder, unmoves)
}

fn solved_and(
    packs: bool,
    game: &Onitama,
    slices: &[Slice],
    folder: &Path,
    unmoves: Unmoves,
) -> Arc<Library> {
    let interrupt = AtomicBool::new(false);
    let job = Job {
        kernel: None,
        game,
        library: &Library::new(folder, 0),
        metric: Metric::Dtm,
        memory: 4 << 30,
        checkpoint_every: Duration::MAX,
        packs,
        run: Run { unmoves, watch: &Unwatched, interrupt: &interrupt },
    };
    let plan = job.plan(slices).expect("an empty folder");
    job.solve(&plan).expect("it fits");
    assert!(job.plan(slices).expect("a good folder").is_empty());
    Arc::new(Library::new(folder, 64 << 20))
}

fn slice_stats(game: &Onitama, library: &Library, slice: Slice) -> Stats {
    let table = library.described(&describe(game, slice, Metric::Dtm)).expect("a good table");
    stats(game, slice, &table.expect("it was solved"), false).expect("a good table")
}

fn count(json: &Json) -> u64 {
    json.as_u64().expect("a count")
}

/// Compares wins, losses, draws and the count of every distance, for every slice and every card set of the oracle.
#[test]
fn counts_equal_the_oracle() {
    let oracle: Json = fixtures::json("onitama/tables.json");
    let rows = oracle.as_array().expect("rows");
    assert_eq!(rows.len(), 12);
    let mut compared = 0;
    // The rows for four men contain the slices of the rows for two men. Both are compared.
    for row in rows.iter().filter(|row| row["halfmen"] == 2) {
        let cards: Vec<&str> =
            row["cards"].as_array().expect("cards").iter().map(|c| c.as_str().expect("a name")).collect();
        let (game, folder) = (game_with(&cards), tempfile::tempdir().expect("a folder"));
        let library = solved(&game, "4", folder.path(), Unmoves::FromGame);
        let two_men = rows.iter().filter(|other| other["halfmen"] == 1 && other["cards"] == row["cards"]);
        let slices =
            [row].into_iter().chain(two_men).flat_map(|row| row["slices"].as_array().expect("slices"));
        for expected in slices {
            let slice =
                Slice::new(count(&expected["p0"]) as u32, count(&expected["p1"]) as u32).expect("men");
            let found = slice_stats(&game, &library, slice);
            let wdl = |key: &str| count(&expected[key]);
            assert_eq!(
                (found.positions(), found.wins, found.losses, found.draws),
                (wdl("valid"), wdl("win"), wdl("loss"), wdl("draw")),
                "{cards:?} {slice}"
            );
            let plies: BTreeMap<Plies, u64> = expected["plies"]
                .as_object()
                .expect("a histogram")
                .iter()
                .map(|(plies, n)| (Plies(plies.parse().expect("plies")), count(n)))
                .collect();
            assert_eq!(found.plies, plies, "{cards:?} {slice}");
            compared += 1;
        }
        // The same tables serve the mirrored cards: every value also follows from the mirrored rules.
        let mirrored: Vec<&str> = game.cards().mirror().iter().map(Card::name).collect();
        let mirrored = game_with(&mirrored);
        assert_eq!(mirrored.table_rules_id(), game.table_rules_id());
        for slice in game.select("2").expect("two men") {
            for game in [&game, &mirrored] {
                let verified = verify(
                    game,
                    &library,
                    slice,
                    Metric::Dtm,
                    Reading::generic(1 << 30),
                    Extent::All,
                    |_| (),
                )
                .expect("good tables");
                assert_eq!((verified.positions, verified.wrong), (16_590, vec![]), "{}", game.rules_id());
            }
        }
    }
    // Six card sets, each with four slices and the slice of two men again.
    assert_eq!(compared, 30);
}

/// Compares every row of a CSV file of values, probed one by one and as a batch.
fn values_equal(csv: &str, cards: &[&str], men: &str, rows: usize) {
    let (game, folder) = (game_with(cards), tempfile::tempdir().expect("a folder"));
    let library = solved(&game, men, folder.path(), Unmoves::FromGame);
    let prober = Prober::new(game, library);
    let mut positions = Vec::new();
    for line in csv.lines().skip(1) {
        let [board, mover, opponent, side, value, plies] =
            line.split(',').collect::<Vec<_>>().try_into().expect("six columns");
        let hand = |cards: &str| cards.replace('+', ",");
        let text = format!("{board} b {} {} {side}", hand(mover), hand(opponent));
        let position = game.parse_position(&text).expect(&text);
        let plies = Plies(plies.parse().expect("plies"));
        let expected = match value {
            "win" => Probed { wdl: Wdl::Win, plies: Some(plies), by_rule: false },
            "loss" => Probed { wdl: Wdl::Loss, plies: Some(plies), by_rule: false },
            "draw" => Probed::from(Wdl::Draw),
            _ => panic!("{line}"),
        };
        assert_eq!(prober.value(&position).expect(&text), expected, "{text}");
        positions.push((position, expected));
    }
    assert_eq!(positions.len(), rows);
    let (positions, expected): (Vec<_>, Vec<_>) = positions.into_iter().unzip();
    let group: Vec<Probed> = prober.values(&positions).into_iter().map(|v| v.expect("a value")).collect();
    assert_eq!(group, expected);
}

#[test]
fn two_men_values_equal_the_oracle() {
    for cards in ["boar-ox-elephant-horse-crab", "tiger-crab-crane-mantis-boar"] {
        let csv = fixtures::text(&format!("onitama/full_2men_{cards}.csv.gz"));
        values_equal(&csv, &cards.split('-').collect::<Vec<_>>(), "2", 16_590);
    }
}

#[test]
fn four_men_values_equal_the_oracle() {
    for cards in ["boar-ox-elephant-horse-crab", "frog-mantis-monkey-rabbit-tiger"] {
        let csv = fixtures::text(&format!("onitama/samples_4men_{cards}.csv"));
        values_equal(&csv, &cards.split('-').collect::<Vec<_>>(), "4", 762);
    }
}

/// The unmoves of the game and inverted moves give the same bytes, on any number of threads.
#[test]
fn all_ways_write_the_same_bytes() {
    let game = Onitama::default();
    let mut files: Vec<BTreeMap<PathBuf, Vec<u8>>> = Vec::new();
    for (threads, way) in [(1, Unmoves::FromGame), (2, Unmoves::FromGame), (3, Unmoves::Inverted)] {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| solved(&game, "4", folder.path(), way));
        let tables = folder.path().join("onitama").join(game.table_rules_id());
        let read = fs::read_dir(&tables).expect("the tables").map(|file| file.expect("a file").path());
        let read = read.filter(|path| !path.ends_with(".lock"));
        files.push(
            read.map(|path| {
                (
                    path.strip_prefix(folder.path()).expect("inside").to_owned(),
                    fs::read(&path).expect("bytes"),
                )
            })
            .collect(),
        );
    }
    assert_eq!(files[0].len(), 4, "four slices and nothing left over");
    assert!(files.iter().all(|other| *other == files[0]));
}

/// If the tables after captures are missing, the best move of a won position may have an unknown value. It comes first.
#[test]
fn an_unknown_move_that_must_be_best_comes_first() {
    let (game, folder) = (Onitama::default(), tempfile::tempdir().expect("a folder"));
    let position =
        game.parse_position("0000020300001000000000040 r crab,ox boar,horse elephant").expect("a position");
    let best = |library| Prober::new(game, library).moves(&position).expect("good tables").swap_remove(0);
    let with_all = best(solved(&game, "4", folder.path(), Unmoves::FromGame));
    let value = Some(Probed { wdl: Wdl::Win, plies: Some(Plies(12)), by_rule: false });
    assert_eq!((with_all.text.as_str(), with_all.value), ("horse:c2c3", value));
    for slice in ["1v1", "1v2", "2v1"] {
        let name = format!("onitama/{}/{slice}.dtm.est", game.table_rules_id());
        fs::remove_file(folder.path().join(name)).expect("it was written");
    }
    let with_some = best(Arc::new(Library::new(folder.path(), 0)));
    assert_eq!((with_some.text.as_str(), with_some.value), ("horse:c2c3", None));
}

fn wdl_job<'a>(game: &'a Onitama, library: &'a Library, interrupt: &'a AtomicBool) -> Job<'a, Onitama> {
    Job {
        game,
        kernel: None,
        library,
        metric: Metric::Wdl,
        memory: 4 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt },
    }
}

/// The generic solver does not write, count or verify tables with the short numbering.
#[test]
fn short_tables_are_left_to_their_solver() {
    let (game, folder) = (Onitama::default(), tempfile::tempdir().expect("a folder"));
    let slice = Slice::new(1, 4).expect("one against four");
    let interrupt = AtomicBool::new(false);
    let tables = Library::new(folder.path(), 0);
    let job = wdl_job(&game, &tables, &interrupt);
    let plan = job.plan(&[slice]).expect("an empty folder");
    let refused = |error: &Error| matches!(error, Error::OwnSolver { slice, .. } if slice.contains('4'));
    assert!(refused(&job.solve(&plan).expect_err("not by this solver")));

    let description = describe(&game, slice, Metric::Wdl);
    assert_ne!((description.index.as_str(), description.entries), (Onitama::INDEX, game.size(slice)));
    let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
        block.resize(indices.count() / 8, 0);
        Ok(())
    };
    let (path, layout) = (description.path(folder.path()), Layout::default());
    table::write_blocks(&path, &description, layout, &[Entry::NotWon], fill, |_| ())
        .expect("a folder to write in");
    let library = Library::new(folder.path(), 0);
    let table = library.described(&description).expect("a good table").expect("just written");
    let error = stats(&game, slice, &table, false).expect_err("not by this solver");
    assert!(refused(&error));
    assert_eq!(
        error.to_string(),
        "the wdl table of 1v4 for onitama is a short one: only the game's own solver can make, count or check it"
    );
    assert!(refused(
        &verify(&game, &library, slice, Metric::Wdl, Reading::generic(1 << 30), Extent::All, |_| ())
            .expect_err("nor that")
    ));
}

/// A table with one bit for each position that does not win at once gives the same values as a full table.
#[test]
#[ignore = "solves four against one: minutes"]
fn short_tables_answer_as_long_ones() {
    let (long, short) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let [long_tables, short_tables] = [&long, &short].map(|folder| Library::new(folder.path(), 0));
    let interrupt = AtomicBool::new(false);
    for cards in [["boar", "ox", "elephant", "horse", "crab"], ["tiger", "rabbit", "ox", "monkey", "mantis"]]
    {
        let game = game_with(&cards);
        let slices = [Slice::new(1, 4).expect("men"), Slice::new(4, 1).expect("men")];
        let job = Job { metric: Metric::Dtm, ..wdl_job(&game, &long_tables, &interrupt) };
        job.solve(&job.plan(&slices).expect("a good folder")).expect("it fits");
        let job = wdl_job(&game, &short_tables, &interrupt);
        job.solve(&job.plan(&game.needs(slices[0])).expect("a good folder")).expect("it fits");
        let library = Arc::new(Library::new(long.path(), 64 << 20));
        for slice in slices {
            let table = library.described(&describe(&game, slice, Metric::Dtm)).expect("a good table");
            let description = describe(&game, slice, Metric::Wdl);
            let mut bits = vec![u8::MAX; description.entries as usize / 8];
            let entries = table.as_ref().expect("it was solved").iter_blocks().flat_map(|block| {
                let block = block.expect("a good block");
                block.iter().collect::<Vec<_>>()
            });
            for (entry, index) in entries.zip(0..) {
                if let (Entry::Win(Some(plies)), short) = (entry, game.short_index(slice, Index(index))) {
                    assert_eq!(short.is_none(), plies == Plies(1), "{slice} {index}");
                    if let Some(Index(at)) = short {
                        bits[at as usize / 8] &= !(1 << (at % 8));
                    }
                }
            }
            let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
                block.extend(&bits[indices.start as usize / 8..indices.end as usize / 8]);
                Ok(())
            };
            let palette = [Entry::Win(None), Entry::NotWon];
            let (path, layout) = (description.path(short.path()), Layout::default());
            table::write_blocks(&path, &description, layout, &palette, fill, |_| ())
                .expect("a folder to write in");
        }
        let long = Prober::new(game, library);
        let short = Prober::new(game, Arc::new(Library::new(short.path(), 64 << 20)));
        let mut rng = Rng::new(1);
        for slice in slices {
            let index = |_| Index(rng.below(game.size(slice)));
            let positions: Vec<_> =
                (0..100_000).map(index).filter_map(|index| game.unrank(slice, index)).collect();
            let wdl = |answers: Vec<Result<Probed, ProbeError>>| -> Vec<Wdl> {
                answers.into_iter().map(|answer| answer.expect("an answer").wdl).collect()
            };
            assert!(wdl(long.values(&positions)) == wdl(short.values(&positions)), "{slice}");
            for position in &positions[..1000] {
                let expected = long.value(position).expect("an answer").wdl;
                assert_eq!(short.value(position).expect("an answer").wdl, expected);
                let moves = short.moves(position).expect("an answer");
                assert_eq!(moves[0].value.map(|best| best.wdl), Some(expected));
            }
        }
    }
}

/// The plan includes the memory for all needed tables if the limit allows it, and else for a few blocks of them.
#[test]
fn plans_keep_within_the_memory() {
    const LEAST: u64 = 4 << 20;
    let (game, interrupt) = (Onitama::default(), AtomicBool::new(false));
    let folder = tempfile::tempdir().expect("a folder");
    let planned = |memory| {
        let job = Job {
            kernel: None,
            game: &game,
            library: &Library::new(folder.path(), 0),
            metric: Metric::Dtm,
            memory,
            checkpoint_every: Duration::MAX,
            packs: false,
            run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
        };
        let slice = Slice::new(3, 2).expect("men");
        let last = job.plan(&[slice]).expect("an empty folder").pop().expect("a group");
        (last.memory - last.own_memory, last.own_memory)
    };
    let needed = [(2, 2), (1, 3)].map(|(mover, other)| game.size(Slice::new(mover, other).expect("men")));
    let (for_needs, own) = planned(4 << 30);
    assert_eq!(for_needs, needed.iter().sum::<u64>());
    assert_eq!(planned(own + LEAST + 1).0, LEAST + 1, "as much as there is");
    assert_eq!(planned(0).0, LEAST, "no less; so much is refused later");
}

/// The slices of a group lead into each other: of both, only wins have distances.
#[test]
fn a_packed_group_has_the_same_entries() {
    let game = game_with(&["boar", "crab", "elephant", "horse", "ox"]);
    let slice = |name: &str| game.slice(name).expect("a slice");
    let folders = [false, true].map(|packs| (packs, tempfile::tempdir().expect("a folder")));
    let [entries, packed] = folders.each_ref().map(|(packs, folder)| {
        let library = solved_and(*packs, &game, &["1v2", "2v1"].map(slice), folder.path(), Unmoves::FromGame);
        let entries_of = |name: &str| {
            let slice = slice(name);
            let file = library.file(&game, slice, Metric::Dtm).expect("a good file").expect("a file");
            assert_eq!(file.is_small(), *packs, "{name}");
            let table = whole(&game, &library, slice, Metric::Dtm, None).expect("a good table");
            let table = table.expect("a table");
            (0..table.entries()).map(|index| table.entry(index).expect("an entry")).collect::<Vec<_>>()
        };
        ["1v2", "2v1"].map(entries_of)
    });
    assert!(entries == packed);
}
