//! A small table of a part of Dobutsu shogi, because the one table of the game takes minutes: every entry is read again.

use dobutsu::numbers::Arrangement;
use dobutsu::{All, Dobutsu, Position};
use endspiel_solve::{Job, Run, Unmoves, Unwatched, describe, whole};
use game::{Endgame, Game, Index, Info, Location, Metric, Options, Plies, Value, Without};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Entry, Library, Prober};

/// Dobutsu shogi with few pieces on the board: whoever drops too many loses. All pairs of lions have their first arrangements of the
/// other pieces, because arrangements with few pieces on the board come first.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Part;

/// The arrangements of each pair of lions.
const ARRANGEMENTS: u64 = 12_000;

impl Part {
    fn within(location: Location<All>) -> Location<All> {
        let Location::At(slice, Index(index)) = location else { return location };
        let (lions, arrangement) = (index / ALL_ARRANGEMENTS, index % ALL_ARRANGEMENTS);
        match arrangement {
            ..ARRANGEMENTS => Location::At(slice, Index(lions * ARRANGEMENTS + arrangement)),
            ARRANGEMENTS.. => Location::Over(Value::Win(Plies(0))),
        }
    }
}

const ALL_ARRANGEMENTS: u64 = Arrangement::COUNT as u64;

impl Game for Part {
    type Position = Position;
    type OptionError = Infallible;

    const INFO: Info = Info { name: "part", ..Dobutsu::INFO };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Position {
        Dobutsu.start()
    }
}

impl Endgame for Part {
    type Slice = All;
    type Unmoves = Without;
    type Short = Without;
    const INDEX: &'static str = Dobutsu::INDEX;

    fn of_position(&self, _: &Position) -> Self {
        Self
    }

    fn groups(&self) -> Vec<Vec<All>> {
        Dobutsu.groups()
    }

    fn needs(&self, slice: All) -> Vec<All> {
        Dobutsu.needs(slice)
    }

    fn size(&self, slice: All) -> u64 {
        Dobutsu.size(slice) / ALL_ARRANGEMENTS * ARRANGEMENTS
    }

    fn locate(&self, position: &Position) -> Location<All> {
        Self::within(Dobutsu.locate(position))
    }

    fn unrank(&self, slice: All, index: Index) -> Option<Position> {
        let (lions, arrangement) = (index.0 / ARRANGEMENTS, index.0 % ARRANGEMENTS);
        Dobutsu.unrank(slice, Index(lions * ALL_ARRANGEMENTS + arrangement))
    }
}

fn solved(packs: bool, folder: &Path) -> Library {
    let interrupt = AtomicBool::new(false);
    let job = Job {
        kernel: None,
        game: &Part,
        library: &Library::new(folder, 0),
        metric: Metric::Dtm,
        memory: 1 << 30,
        checkpoint_every: Duration::MAX,
        packs,
        run: Run { unmoves: Unmoves::Inverted, watch: &Unwatched, interrupt: &interrupt },
    };
    job.solve(&job.plan(&[All]).expect("an empty folder")).expect("it fits");
    Library::new(folder, 1 << 20)
}

#[test]
fn packed_tables_have_the_same_entries() {
    let folders = [false, true].map(|packs| (packs, tempfile::tempdir().expect("a folder")));
    let [unpacked, packed] = folders.each_ref().map(|(packs, folder)| solved(*packs, folder.path()));
    let table =
        unpacked.described(&describe(&Part, All, Metric::Dtm)).expect("a good table").expect("a table");
    let entries: Vec<Entry> =
        (0..table.entries()).map(|index| table.entry(index).expect("an entry")).collect();
    let mut counts = BTreeMap::new();
    entries.iter().for_each(|entry| *counts.entry(entry.wdl()).or_insert(0) += 1);
    // Won, lost, drawn, and no position.
    assert!(counts.len() == 4 && counts.values().all(|&count| count > 1_000), "{counts:?}");
    let longest = entries.iter().filter_map(|entry| entry.plies()).max();
    assert!(longest > Some(Plies(20)), "{longest:?} {counts:?}");

    let completed = whole(&Part, &packed, All, Metric::Dtm, None).expect("a good table").expect("a table");
    let file = packed.file(&Part, All, Metric::Dtm).expect("a good file").expect("a file");
    assert!(file.is_small() && file.bytes() < table.bytes());
    assert!(
        (0..table.entries())
            .all(|index| completed.entry(index).expect("an entry") == entries[index as usize])
    );
    let prober = Prober::new(Part, packed.into());
    for (index, entry) in entries.iter().enumerate() {
        let position = Part.unrank(All, Index(index as u64));
        let probed = position.map(|position| prober.value(&position).expect("an answer"));
        assert_eq!(
            probed.map(|probed| (probed.wdl, probed.plies)),
            entry.wdl().map(|wdl| (wdl, entry.plies()))
        );
    }
}
