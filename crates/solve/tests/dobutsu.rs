//! Solves all of Dobutsu shogi and compares the exact counts with the published solution (Tanaka 2009).

use dobutsu::Dobutsu;
use endspiel_solve::{Extent, Job, Reading, Run, Unmoves, Unwatched, describe, verify};
use game::{Endgame, Game, Index, Location, Metric, Plies, Position, Value};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use table::Library;

fn solve(tables: &Path, unmoves: Unmoves) -> Library {
    let (slices, interrupt) = (Dobutsu.groups().concat(), AtomicBool::new(false));
    let job = Job {
        kernel: None,
        game: &Dobutsu,
        library: &Library::new(tables, 0),
        metric: Metric::Dtm,
        memory: 16 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves, watch: &Unwatched, interrupt: &interrupt },
    };
    job.solve(&job.plan(&slices).expect("an empty folder")).expect("it fits");
    Library::new(tables, 0)
}

/// All values of the table; `None` for indices without a position.
fn values(library: &Library) -> Vec<Option<Value>> {
    let slice = Dobutsu.groups()[0][0];
    let table =
        library.described(&describe(&Dobutsu, slice, Metric::Dtm)).expect("a good table").expect("a table");
    let block = |block| {
        table.block(block).expect("a good block").iter().map(|entry| entry.value()).collect::<Vec<_>>()
    };
    (0..table.blocks()).into_par_iter().flat_map_iter(block).collect()
}

/// A set of indices that threads share.
struct Indices(Vec<AtomicU64>);

impl Indices {
    fn new(size: usize) -> Self {
        Self((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds an index. Returns whether it was new.
    fn insert(&self, index: Index) -> bool {
        let (word, bit) = (&self.0[(index.0 / 64) as usize], 1 << (index.0 % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }
}

/// The undecided positions that can be reached from the start. Play stops where the side to move can take the lion, or
/// where a try has succeeded.
fn reachable(size: usize) -> Indices {
    let slice = Dobutsu.groups()[0][0];
    let (seen, pending) = (Indices::new(size), Indices::new(size));
    let add = |position: &dobutsu::Position| {
        if !position.can_catch()
            && let Location::At(_, index) = Dobutsu.locate(position)
            && seen.insert(index)
        {
            pending.insert(index);
        }
    };
    add(&Dobutsu.start());
    loop {
        let expanded: u64 = pending
            .0
            .par_iter()
            .enumerate()
            .map(|(i, word)| {
                let mut bits = word.swap(0, Relaxed);
                let count = bits.count_ones();
                while bits != 0 {
                    let index = Index(64 * i as u64 + u64::from(bits.trailing_zeros()));
                    let position = Dobutsu.unrank(slice, index).expect("a position was inserted");
                    position.for_each_move(|m| add(&position.play_unchecked(m)));
                    bits &= bits - 1;
                }
                u64::from(count)
            })
            .sum();
        if expanded == 0 {
            return seen;
        }
    }
}

#[test]
#[ignore = "minutes and a gigabyte; part of the full run"]
fn the_whole_game_equals_the_published_solution() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = solve(folder.path(), Unmoves::FromGame);
    let slice = Dobutsu.groups()[0][0];
    let verified =
        verify(&Dobutsu, &library, slice, Metric::Dtm, Reading::generic(1 << 30), Extent::All, |_| ())
            .expect("a good table");
    assert_eq!(verified.wrong, []);

    let values = values(&library);
    let seen = reachable(values.len());
    let (mut won, mut lost, mut drawn, mut longest) = (0u64, 0u64, 0u64, Plies(0));
    for (index, value) in values.iter().enumerate() {
        if seen.0[index / 64].load(Relaxed) >> (index % 64) & 1 == 1 {
            match value.expect("a position") {
                Value::Win(plies) => {
                    won += 1;
                    longest = longest.max(plies);
                }
                Value::Loss(_) => lost += 1,
                Value::Draw => drawn += 1,
            }
        }
    }
    // If the lion can be taken, the side to move wins at once. If a try has succeeded, it has lost. The counts above do
    // not include these positions.
    let (can_catch, tried) = (140_298_614, 7_018_985);
    assert_eq!(won + lost + drawn, 99_485_568);
    assert_eq!((won + can_catch, lost + tried, drawn), (196_773_087, 47_347_380, 2_682_700));
    assert_eq!(longest, Plies(173));
    let Location::At(_, start) = Dobutsu.locate(&Dobutsu.start()) else { panic!("the start is undecided") };
    assert_eq!(values[start.0 as usize], Some(Value::Loss(Plies(78))));
}

#[test]
#[ignore = "minutes and seven gigabytes; part of the full run"]
fn moves_turned_round_give_the_same_bytes() {
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let bytes = [Unmoves::FromGame, Unmoves::Inverted].into_iter().zip(&folders).map(|(way, folder)| {
        solve(folder.path(), way);
        std::fs::read(folder.path().join("dobutsu/standard/all.dtm.est")).expect("the table")
    });
    let [one, other] = bytes.collect::<Vec<_>>().try_into().expect("two tables");
    assert!(one == other, "the two ways differ");
}
