//! Compares CoTuLenh's endings of three pieces with those of an independent program: all counts, and many values.
//! Source: `fixtures/cotulenh/README.md`.

use cotulenh::{CoTuLenh, Position, Slice};
use endspiel_solve::{
    Error, Extent, Job, Reading, Run, Unmoves, Unwatched, Watch, describe, stats, verify, whole,
};
use game::{Endgame, Index, Location, Metric, Plies, Wdl};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use table::{Library, Probed, Prober};

const GAME: CoTuLenh = CoTuLenh { battle: cotulenh::Battle::Commander };

fn slice(name: &str) -> Slice {
    GAME.slice(name).unwrap_or_else(|| panic!("no slice {name}"))
}

fn solved(slices: &[Slice], folder: &Path) -> Arc<Library> {
    solved_and(false, slices, folder)
}

fn solved_and(packs: bool, slices: &[Slice], folder: &Path) -> Arc<Library> {
    solve(packs, slices, folder, Unmoves::FromGame, &Unwatched, &AtomicBool::new(false)).expect("it fits");
    Arc::new(Library::new(folder, 1 << 20))
}

fn solve(
    packs: bool,
    slices: &[Slice],
    folder: &Path,
    unmoves: Unmoves,
    watch: &dyn Watch,
    interrupt: &AtomicBool,
) -> Result<(), Error> {
    let job = Job {
        kernel: None,
        game: &GAME,
        library: &Library::new(folder, 0),
        metric: Metric::Dtm,
        memory: 4 << 30,
        checkpoint_every: Duration::MAX,
        packs,
        run: Run { unmoves, watch, interrupt },
    };
    job.solve(&job.plan(slices).expect("an empty folder"))
}

/// Interrupts a run in its first look, when it has seen so many cells, and notes where the look begins.
struct StopLook {
    at: u64,
    first: AtomicU64,
    interrupt: AtomicBool,
}

impl StopLook {
    fn at(at: u64) -> Self {
        Self { at, first: AtomicU64::new(u64::MAX), interrupt: AtomicBool::new(false) }
    }
}

impl Watch for StopLook {
    fn walk(&self, what: &str, done: u64, _: u64) {
        if what == "first look" {
            self.first.fetch_min(done, Relaxed);
            self.interrupt.fetch_or(done >= self.at, Relaxed);
        }
    }
}

/// The first look at a large group takes hours. A run that is interrupted in it goes on from the last part that was done.
#[test]
fn a_run_goes_on_in_its_first_look() {
    let (whole, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let slices = [slice("CNvC"), slice("CvCN")];
    solved(&slices, whole.path());
    let mut begun = Vec::new();
    for at in [1, 300_000, 600_000, u64::MAX] {
        let watch = StopLook::at(at);
        let done = solve(false, &slices, folder.path(), Unmoves::FromGame, &watch, &watch.interrupt);
        assert_eq!(done.is_ok(), at == u64::MAX, "{done:?}");
        begun.push(watch.first.into_inner());
    }
    // A part has so many cells, and is told chunk by chunk. The last run begins after the first part.
    let part = 1 << 19;
    assert!(begun[..3].iter().all(|&first| first < part) && begun[3] > part, "{begun:?}");
    assert!(files(&slices, folder.path()) == files(&slices, whole.path()));
}

/// The bytes of the tables of these slices.
fn files(slices: &[Slice], folder: &Path) -> Vec<Vec<u8>> {
    let file = |&slice| std::fs::read(describe(&GAME, slice, Metric::Dtm).path(folder)).expect("a table");
    slices.iter().map(file).collect()
}

/// Turns that are taken back, and turns that are inverted, lead to the same bytes, on any number of threads.
#[test]
fn inverted_turns_give_the_same_bytes() {
    let slices = [slice("CNvC"), slice("CvCN")];
    let made =
        [(Unmoves::FromGame, 1), (Unmoves::FromGame, 3), (Unmoves::Inverted, 2)].map(|(unmoves, threads)| {
            let folder = tempfile::tempdir().expect("a folder");
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let never = AtomicBool::new(false);
            pool.install(|| solve(false, &slices, folder.path(), unmoves, &Unwatched, &never))
                .expect("it fits");
            files(&slices, folder.path())
        });
    assert!(made[0] == made[1], "threads");
    assert!(made[0] == made[2], "inverted turns");
}

/// The number of wins, losses and draws of a slice, of the positions that tables hold: those in which no last guard still
/// has to become a hero.
fn counts(text: &str, name: &str) -> [u64; 3] {
    let mut sum = [0; 3];
    for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
        let Some((condition, numbers)) =
            line.strip_prefix(name).and_then(|rest| rest.split_once(": positions"))
        else {
            continue;
        };
        if condition.contains("alone and not heroic") {
            continue;
        }
        let words: Vec<&str> = numbers.split_whitespace().collect();
        for (count, word) in sum.iter_mut().zip(["wins", "losses", "draws"]) {
            let at = words.iter().position(|&found| found == word).expect("a count");
            *count += words[at + 1].parse::<u64>().expect("a number");
        }
    }
    sum
}

/// The value as text, such as `win 5`.
fn told(probed: Probed) -> String {
    match (probed.wdl, probed.plies) {
        (Wdl::Draw, _) => "draw".to_owned(),
        (Wdl::Win, Some(Plies(plies))) => format!("win {plies}"),
        (Wdl::Loss, Some(Plies(plies))) => format!("loss {plies}"),
        (wdl, None) => panic!("{wdl:?} without a distance"),
    }
}

/// Solves the endings of a commander and this piece against a commander, and compares them with the fixture.
fn compare(piece: char) {
    let text = fixtures::text("cotulenh/endgames.txt.gz");
    let names = [format!("C{piece}vC"), format!("CvC{piece}")];
    let folder = tempfile::tempdir().expect("a folder");
    let library = solved(&names.each_ref().map(|name| slice(name)), folder.path());
    for name in &names {
        let slice = slice(name);
        let table = library.described(&describe(&GAME, slice, Metric::Dtm)).expect("a good table");
        let found = stats(&GAME, slice, &table.expect("a table"), false).expect("counts");
        assert_eq!([found.wins, found.losses, found.draws], counts(&text, name), "{name}");
        let verified =
            verify(&GAME, &library, slice, Metric::Dtm, Reading::generic(1 << 30), Extent::All, |_| ())
                .expect("tables");
        assert!(verified.wrong.is_empty() && verified.positions == found.positions(), "{name}: {verified:?}");
    }
    let prober = Prober::new(GAME, library);
    let mut through = 0;
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if !names.iter().any(|name| name == words[0]) {
            continue;
        }
        let (fen, value) = (words[1..7].join(" "), words[7..].join(" "));
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let probed = prober.value(&position).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(told(probed), value, "{line}");
        through += u32::from(GAME.locate(&position) == Location::Through);
        compared += 1;
    }
    assert_eq!(compared, 1200, "{piece}");
    assert!(through > 100, "positions whose last guard is no hero yet: {through}");
}

#[test]
fn a_ship() {
    compare('N');
}

#[test]
fn a_tank() {
    compare('T');
}

#[test]
#[ignore = "minutes: part of the full run"]
fn every_other_piece() {
    "FEHIMAGS".chars().for_each(compare);
}

/// The commander of the side that has just moved is never in danger. Other positions have no index, and `locate` says why.
#[test]
fn positions_that_cannot_arise_have_no_place() {
    const IN_DANGER: &str = "the side that has just moved is in danger, which cannot happen in play";
    for (fen, why) in [
        // Red is to move and attacks.
        ("11/11/11/11/6c4/6T4/11/11/11/11/11/3C7 r - - 0 1", IN_DANGER),
        // The commanders face each other.
        ("11/11/11/3c7/11/11/6T4/11/11/11/11/3C7 r - - 0 1", IN_DANGER),
        ("11/11/11/4c6/11/11/6T4/11/11/11/11/3+C7 r - - 0 1", "no commander becomes a hero"),
        ("11/11/11/4c6/11/11/6TTT2/11/11/11/11/3C7 r - - 0 1", "tables have up to four pieces"),
        ("11/11/11/4c6/11/11/6SS3/11/11/11/11/3C7 r - - 0 1", "tables have up to four pieces"),
    ] {
        let position: Position = fen.parse().expect("a position");
        assert_eq!(GAME.locate(&position), Location::Beyond(why), "{fen}");
    }
    assert!(GAME.unrank(slice("CTvC"), Index(GAME.size(slice("CTvC")))).is_none(), "beyond the last");
}

/// A mate without an index needs no table: there are no moves whose values could be looked up.
#[test]
fn a_mate_without_an_index_is_lost() {
    let mate: Position = "11/11/11/11/3c7/11/11/11/2n8/11/2C8/11 r - - 0 1".parse().expect("a position");
    assert_eq!(GAME.locate(&mate), Location::Through);
    let folder = tempfile::tempdir().expect("a folder");
    let prober = Prober::new(GAME, Arc::new(Library::new(folder.path(), 0)));
    assert_eq!(told(prober.value(&mate).expect("no table is needed")), "loss 0");
}

#[test]
fn packed_tables_have_the_same_entries() {
    let folders = [false, true].map(|packs| (packs, tempfile::tempdir().expect("a folder")));
    let slice = slice("CvC");
    let [entries, packed] = folders.each_ref().map(|(packs, folder)| {
        let library = solved_and(*packs, &[slice], folder.path());
        let file = library.file(&GAME, slice, Metric::Dtm).expect("a good file").expect("a file");
        assert_eq!(file.is_small(), *packs);
        let table = whole(&GAME, &library, slice, Metric::Dtm, None).expect("a good table").expect("a table");
        (0..table.entries()).map(|index| table.entry(index).expect("an entry")).collect::<Vec<_>>()
    });
    assert!(entries == packed);
}
