//! Tests of libraries: tables that are found, missing or wrong.

mod common;

use common::{backends, clustered, description, different, hundredths, layout, some_numbers, write_entries};
use endspiel_table::{
    BlockCache, Codec, Description, Entry, Error, Fault, Field, Folder, Layout, Library, Listing, Numbers,
    Problem, Source, Store, Table, write, write_payload,
};
use game::{Metric, Rng};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

fn named(slice: &str, metric: Metric) -> Description {
    Description { slice: slice.to_owned(), ..description(metric, 1000) }
}

#[test]
fn tables_are_opened_once_and_missing_ones_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::new(folder.path(), 1 << 20);
    let heap = named("heap", Metric::Wdl);
    let find = || library.table("matches", "standard", "heap", Metric::Wdl).unwrap();
    assert!(find().is_none());
    write(&heap.path(folder.path()), &heap, |_| Entry::Draw, |_| ()).unwrap();
    let table = find().expect("tables that are made later are found");
    assert!(Arc::ptr_eq(&table, &find().unwrap()));
    assert!(library.table("matches", "standard", "heap", Metric::Dtm).unwrap().is_none());
    assert!(library.table("matches", "other", "heap", Metric::Wdl).unwrap().is_none());
    let error = library.table("matches", "..", "heap", Metric::Wdl).unwrap_err();
    assert!(matches!(error.problem, Problem::Name { field: Field::Rules }), "{error}");
}

/// Writes tables whose names are numbers, with 500 entries in five blocks each, and returns the entries of each.
fn write_many(folder: &Path, tables: usize) -> Vec<Vec<Entry>> {
    let write_one = |number: usize| {
        let entries = clustered(&different(Metric::Dtm, 50), 500, &mut Rng::new(number as u64));
        let description = Description { entries: 500, ..named(&number.to_string(), Metric::Dtm) };
        write_entries(&description.path(folder), &description, layout(128, Codec::Zstd), &entries);
        entries
    };
    (0..tables).map(write_one).collect()
}

fn numbered(library: &Library, number: usize) -> Arc<Table> {
    library.table("matches", "standard", &number.to_string(), Metric::Dtm).unwrap().unwrap()
}

/// Reads random entries of many tables from many threads.
fn read_at_random(tables: &[Arc<Table>], entries: &[Vec<Entry>], threads: u64, reads: u64) {
    std::thread::scope(|scope| {
        for seed in 0..threads {
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..reads {
                    let (table, index) = (rng.below(tables.len() as u64) as usize, rng.below(500));
                    assert_eq!(tables[table].entry(index).unwrap(), entries[table][index as usize]);
                }
            });
        }
    });
}

/// Tables that nobody holds are dropped when there are too many. Tables that somebody holds are never opened twice.
#[test]
fn tables_that_are_held_stay() {
    const TABLES: usize = 600;
    let folder = tempfile::tempdir().unwrap();
    write_many(folder.path(), TABLES);
    let library = Library::new(folder.path(), 1 << 20).with_most_open(8);
    let held: Vec<_> = (0..TABLES).map(|number| numbered(&library, number)).collect();
    assert!((0..TABLES).all(|number| Arc::ptr_eq(&numbered(&library, number), &held[number])));
    drop(held);
    let first = numbered(&library, 0);
    for number in 1..TABLES {
        numbered(&library, number);
    }
    assert!(Arc::ptr_eq(&first, &numbered(&library, 0)));
}

/// The number of files in a folder that this process has open.
#[cfg(target_os = "linux")]
fn open_files(folder: &Path) -> usize {
    let open = fs::read_dir("/proc/self/fd").unwrap();
    let leads = |file: io::Result<fs::DirEntry>| fs::read_link(file.ok()?.path()).ok();
    open.filter_map(leads).filter(|path| path.starts_with(folder)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn no_more_files_are_open_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let entries = write_many(folder.path(), 50);
    for most in [1, 4] {
        // The cache holds no block, so that every probe reads.
        let library = Library::new(folder.path(), 0).with_most_open(most);
        let other = library.with_own_cache(0);
        let tables: Vec<_> = (0..50).map(|number| numbered(&library, number)).collect();
        assert_eq!(open_files(folder.path()), most);
        std::thread::scope(|scope| {
            let reading = scope.spawn(|| read_at_random(&tables, &entries, 8, 500));
            while !reading.is_finished() {
                let open = open_files(folder.path());
                assert!(open <= most, "{open} files are open, and {most} may be");
            }
        });
        let _again = numbered(&other, 7);
        assert_eq!(open_files(folder.path()), most, "libraries of the same places share the limit");
        drop((tables, library, other, _again));
        assert_eq!(open_files(folder.path()), 0);
    }
}

#[test]
fn many_threads_with_a_cache_of_one_block_read_right() {
    let folder = tempfile::tempdir().unwrap();
    let entries = write_many(folder.path(), 5);
    let library = Library::new(folder.path(), 300).with_most_open(3);
    let tables: Vec<_> = (0..5).map(|number| numbered(&library, number)).collect();
    read_at_random(&tables, &entries, 64, 300);
    assert!(library.cache().len() <= 1);
    let total = library.statistics().total();
    assert_eq!(total.probes, 64 * 300);
    assert!(total.misses > 1000 && total.misses <= total.probes, "{total:?}");
}

/// A closed file that was replaced gives an error, and not the bytes of another table. The same file again is no problem.
#[test]
fn a_replaced_file_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let entries = write_many(folder.path(), 3);
    let library = Library::new(folder.path(), 0).with_most_open(1);
    let tables: Vec<_> = (0..3).map(|number| numbered(&library, number)).collect();
    let path = |number: usize| named(&number.to_string(), Metric::Dtm).path(folder.path());
    let bytes = fs::read(path(0)).unwrap();
    fs::remove_file(path(0)).unwrap();
    let error = tables[0].entry(3).unwrap_err();
    assert!(matches!(error.problem, Problem::Io { action: "read", .. }), "{error}");
    fs::write(path(0), &bytes).unwrap();
    assert_eq!(tables[0].entry(3).unwrap(), entries[0][3]);
    tables[2].entry(0).unwrap();
    let other = Description { entries: 500, ..named("0", Metric::Dtm) };
    write_entries(&path(0), &other, layout(128, Codec::Zstd), &entries[1]);
    let error = tables[0].entry(3).unwrap_err();
    assert!(
        error.to_string().ends_with("cannot be read: another file has replaced it since it was opened"),
        "{error}"
    );
    assert_eq!(error.fault(), Fault::Unreadable);
}

#[test]
fn probes_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    write_many(folder.path(), 3);
    let library = Library::new(folder.path(), 1 << 20);
    assert_eq!(library.statistics().tables, []);
    let table = numbered(&library, 1);
    numbered(&library, 2);
    for index in (0..500).chain(0..128) {
        table.entry(index).unwrap();
    }
    let statistics = library.statistics();
    let names: Vec<_> = statistics.tables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["matches/standard/1.dtm.est", "matches/standard/2.dtm.est"]);
    let of_table = statistics.tables[0].1;
    assert_eq!((of_table.probes, of_table.misses, of_table.hits()), (628, 4, 624));
    assert_eq!(of_table.hit_rate(), Some(624.0 / 628.0));
    assert!(of_table.bytes_read > 0 && of_table.bytes_read < table.bytes());
    assert_eq!((table.statistics(), statistics.total()), (of_table, of_table));
    assert_eq!(statistics.tables[1].1.hit_rate(), None);
    assert!(table.entry(500).is_err());
    assert_eq!(table.statistics().probes, 628);
}

#[test]
fn a_table_in_anothers_place_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::new(folder.path(), 1 << 20);
    let heap = named("heap", Metric::Wdl);
    let other = named("other", Metric::Wdl).path(folder.path());
    write(&other, &heap, |_| Entry::Draw, |_| ()).unwrap();
    let error = library.table("matches", "standard", "other", Metric::Wdl).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the table `{}` is not the one that belongs there: its slice is `heap` instead of `other`",
            other.display()
        )
    );
    write(&heap.path(folder.path()), &heap, |_| Entry::Draw, |_| ()).unwrap();
    let mismatch = |expected: &Description| match library.described(expected).unwrap_err().problem {
        Problem::Mismatch { field, .. } => field,
        problem => panic!("{problem}"),
    };
    assert_eq!(mismatch(&Description { index: "count-2".to_owned(), ..heap.clone() }), Field::Index);
    assert_eq!(mismatch(&Description { entries: 999, ..heap.clone() }), Field::Entries);
    assert!(library.described(&heap).unwrap().is_some());
}

#[test]
fn a_broken_file_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    assert!(Library::new(root.join("nowhere"), 0).list().is_empty());
    for slice in ["b", "a", "c"] {
        let description = named(slice, Metric::Wdl);
        write(&description.path(root), &description, |_| Entry::Draw, |_| ()).unwrap();
    }
    fs::write(named("b", Metric::Wdl).path(root), "no table").unwrap();
    fs::write(root.join("notes.txt"), "not asked").unwrap();
    fs::create_dir_all(root.join("z")).unwrap();
    fs::copy(named("a", Metric::Wdl).path(root), root.join("z/stray.est")).unwrap();

    let library = Library::new(root, 1 << 20);
    let listed = library.list();
    let names: Vec<_> =
        listed.iter().map(|listed| listed.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a.wdl.est", "b.wdl.est", "c.wdl.est", "stray.est"]);
    assert_eq!(listed[0].open().unwrap().description().slice, "a");
    assert!(matches!(listed[1].open().unwrap_err().problem, Problem::NotATable));
    assert!(listed[2].open().is_ok());
    assert!(matches!(listed[3].open().unwrap_err().problem, Problem::Misplaced { .. }));
}

/// A scan tells which tables there are, in all places, and opens none.
#[test]
fn a_scan_finds_tables_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let near = named("near", Metric::Wdl);
    write(&near.path(folder.path()), &near, |_| Entry::Draw, |_| ()).unwrap();
    fs::write(named("broken", Metric::Dtm).path(folder.path()), "no table").unwrap();
    let files =
        ["matches/standard/far.dtm.est", "matches/other/far.wdl.est", "matches/standard2/far.wdl.est"];
    let files = files.map(|name| (name.to_owned(), Vec::new())).into();
    let far = Memory { files, ..Memory::default() };
    let stores: [Arc<dyn Store>; 3] =
        [Arc::new(Folder::new("nowhere")), Arc::new(Folder::new(folder.path())), Arc::new(far)];
    let library = Library::of(stores.to_vec(), 0);
    let scanned = library.scan("matches", "standard").unwrap();
    let slices = ["near", "broken", "far", "other"];
    let found = |metric| slices.map(|slice| scanned.has(slice, metric));
    assert_eq!(found(Metric::Wdl), [true, false, false, false]);
    assert_eq!(found(Metric::Dtm), [false, true, true, false]);
    assert_eq!(library.statistics().tables, []);
    assert!(matches!(library.scan("..", "standard").unwrap_err().problem, Problem::Name { .. }));
    let away = Memory { is_out_of_reach: true, ..Memory::default() };
    assert!(Library::of(vec![Arc::new(away)], 0).scan("matches", "standard").is_err());
}

/// The cache never exceeds its bound, however many blocks are read, and the entries are right.
#[test]
fn the_cache_keeps_its_bound() {
    let folder = tempfile::tempdir().unwrap();
    let entries = clustered(&different(Metric::Dtm, 100), 200_000, &mut Rng::new(5));
    let description = description(Metric::Dtm, entries.len() as u64);
    let path = folder.path().join("a.est");
    write_entries(&path, &description, layout(1024, Codec::Zstd), &entries);
    for bytes in [0, 1, 1500, 20_000, 64 << 10, 1 << 20] {
        for backend in backends() {
            let cache = Arc::new(BlockCache::new(bytes));
            let table = Table::open(&path, backend).unwrap().with_cache(Arc::clone(&cache));
            let mut rng = Rng::new(bytes);
            for _ in 0..5000 {
                let index = rng.below(table.entries());
                assert_eq!(table.entry(index).unwrap(), entries[index as usize]);
                assert!(cache.bytes() <= bytes, "{} of {bytes} bytes", cache.bytes());
            }
            assert_eq!(cache.is_empty(), bytes < 1024);
            cache.clear();
            assert_eq!((cache.len(), cache.bytes()), (0, 0));
            assert_eq!(table.entry(7).unwrap(), entries[7]);
        }
    }
}

#[test]
fn threads_share_tables_and_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let entries = clustered(&different(Metric::Wdl, 4), 500_000, &mut Rng::new(6));
    let description = description(Metric::Wdl, entries.len() as u64);
    write_entries(&description.path(folder.path()), &description, layout(4096, Codec::Zstd), &entries);
    let library = Library::new(folder.path(), 40_000);
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (library, entries) = (&library, &entries);
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..20_000 {
                    let table = library.table("matches", "standard", "heap", Metric::Wdl).unwrap().unwrap();
                    let index = rng.below(table.entries());
                    assert_eq!(table.entry(index).unwrap(), entries[index as usize]);
                }
            });
        }
    });
    assert!(library.cache().bytes() <= 40_000);
}

/// A place in memory.
#[derive(Debug, Default)]
struct Memory {
    files: HashMap<String, Vec<u8>>,
    is_out_of_reach: bool,
}

impl Memory {
    fn check(&self) -> io::Result<()> {
        if self.is_out_of_reach { Err(io::ErrorKind::ConnectionRefused.into()) } else { Ok(()) }
    }
}

impl Store for Memory {
    fn root(&self) -> &Path {
        Path::new("memory:tables")
    }

    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>> {
        self.check()?;
        Ok(self.files.get(name).map(|bytes| Box::new(bytes.clone()) as Box<dyn Source>))
    }

    fn list(&self) -> Listing {
        let failed = |reason| Error {
            path: self.root().to_owned(),
            problem: Problem::Io { action: "listed", reason: Arc::new(reason) },
        };
        let problems = self.check().map_err(failed).err().into_iter().collect();
        Listing { names: self.files.keys().cloned().collect(), problems }
    }
}

#[test]
fn the_first_place_that_has_a_table_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let write_one = |slice: &str, entry: Entry| {
        let description = named(slice, Metric::Wdl);
        write(&description.path(folder.path()), &description, |_| entry, |_| ()).unwrap();
        fs::read(description.path(folder.path())).unwrap()
    };
    let far = Memory {
        files: HashMap::from([
            ("matches/standard/both.wdl.est".to_owned(), write_one("both", Entry::Win(None))),
            ("matches/standard/far.wdl.est".to_owned(), write_one("far", Entry::Draw)),
            ("matches/standard/broken.wdl.est".to_owned(), vec![0; 100]),
        ]),
        ..Memory::default()
    };
    fs::remove_file(named("far", Metric::Wdl).path(folder.path())).unwrap();
    write_one("both", Entry::Loss(None));
    write_one("near", Entry::NotWon);
    let library = Library::of(vec![Arc::new(Folder::new(folder.path())), Arc::new(far)], 1 << 20);
    let entry = |slice: &str| {
        let table = library.table("matches", "standard", slice, Metric::Wdl).unwrap();
        table.map(|table| table.entry(999).unwrap())
    };
    assert_eq!(entry("both"), Some(Entry::Loss(None)));
    assert_eq!(entry("far"), Some(Entry::Draw));
    assert_eq!(entry("near"), Some(Entry::NotWon));
    assert_eq!(entry("nowhere"), None);
    let error = library.table("matches", "standard", "broken", Metric::Wdl).unwrap_err();
    assert_eq!(error.path, Path::new("memory:tables/matches/standard/broken.wdl.est"));
    assert_eq!(library.places().to_string(), format!("{}, memory:tables", folder.path().display()));
    assert_eq!(library.folder(), folder.path());
    assert_eq!(library.with_own_cache(0).places(), library.places());

    let listed: Vec<_> = library.list().into_iter().map(|listed| listed.path).collect();
    let near = |slice| named(slice, Metric::Wdl).path(folder.path());
    let far = |slice| named(slice, Metric::Wdl).path(Path::new("memory:tables"));
    assert_eq!(listed, [near("both"), near("near"), far("broken"), far("far")]);
}

/// What cannot be listed does not hide the rest.
#[test]
fn a_part_out_of_reach_hides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let near = named("near", Metric::Wdl);
    write(&near.path(folder.path()), &near, |_| Entry::Draw, |_| ()).unwrap();
    let bytes = fs::read(near.path(folder.path())).unwrap();
    let files = HashMap::from([("matches/standard/near.wdl.est".to_owned(), bytes)]);
    let half = Memory { files, is_out_of_reach: true };
    let library = Library::of(vec![Arc::new(half), Arc::new(Folder::new(folder.path()))], 0);
    let listed = library.list();
    let paths: Vec<&Path> = listed.iter().map(|listed| listed.path.as_path()).collect();
    assert_eq!(paths, [Path::new("memory:tables"), &near.path(Path::new("memory:tables"))]);
    assert!(listed.iter().all(|listed| listed.open().is_err_and(|error| error.fault() == Fault::Unreadable)));
}

/// A place that cannot be reached gives an error. It is not treated as a place without tables.
#[test]
fn a_place_out_of_reach_says_so() {
    let library = Library::of(vec![Arc::new(Memory { is_out_of_reach: true, ..Memory::default() })], 0);
    let error = library.table("matches", "standard", "heap", Metric::Wdl).unwrap_err();
    assert!(matches!(error.problem, Problem::Io { action: "opened", .. }), "{error}");
    assert_eq!(error.path, Path::new("memory:tables/matches/standard/heap.wdl.est"));
    let listed = library.list();
    assert!(
        matches!(&listed[..], [unlisted] if unlisted.open().is_err_and(|error| error.fault() == Fault::Unreadable))
    );
    assert!(Library::of(Vec::new(), 0).table("matches", "standard", "heap", Metric::Wdl).unwrap().is_none());
}

/// Tables with different payloads can be in the same library and share the cache, and are not mixed up.
#[test]
fn payloads_share_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let entries = some_numbers::<4>(1000, &mut Rng::new(1));
    let equities = named("heap", Metric::Equity);
    let entry = |index: u64| entries[index as usize];
    write_payload(&equities.path(root), &equities, Layout::default(), &hundredths(), entry, |_| ()).unwrap();
    let values = named("heap", Metric::Wdl);
    write(&values.path(root), &values, |_| Entry::WinByRule, |_| ()).unwrap();

    let library = Library::new(root, 1 << 20);
    let table = library.described_of::<Numbers<4>>(&equities).unwrap().unwrap();
    assert!((0..1000).all(|index| table.entry(index).unwrap() == entry(index)));
    let again =
        library.table_of::<Numbers<4>>("matches", "standard", "heap", Metric::Equity).unwrap().unwrap();
    assert!(Arc::ptr_eq(&table, &again));
    assert_eq!(library.described(&values).unwrap().unwrap().entry(5).unwrap(), Entry::WinByRule);
    assert_eq!(library.cache().len(), 2);

    let payload = |error: Error| match error.problem {
        Problem::Mismatch { field: Field::Payload, expected, found } => (expected, found),
        problem => panic!("{problem}"),
    };
    let texts = |expected: &str, found: &str| (expected.to_owned(), found.to_owned());
    let error = library.described(&equities).unwrap_err();
    assert_eq!(payload(error), texts("values", "numbers"));
    let error = library.described_of::<Numbers<2>>(&equities).unwrap_err();
    assert_eq!(payload(error), texts("2 numbers", "4 numbers"));
    let names: Vec<String> = library
        .list()
        .into_iter()
        .map(|listed| {
            let file = listed.open().unwrap();
            file.check().unwrap();
            file.payload_name().to_owned()
        })
        .collect();
    assert_eq!(names, ["numbers", "values"]);
}
