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

/// With more tables than can be open, the most recently used ones stay open. A table that a caller holds stays usable.
#[test]
fn only_so_many_tables_stay_open() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::new(folder.path(), 1 << 20);
    let find = |number: usize| {
        let name = number.to_string();
        library.table("matches", "standard", &name, Metric::Wdl).unwrap().unwrap()
    };
    for number in 0..=Library::MOST_OPEN {
        let description = Description { entries: 3, ..named(&number.to_string(), Metric::Wdl) };
        write(&description.path(folder.path()), &description, |_| Entry::Draw, |_| ()).unwrap();
    }
    let first: Vec<_> = (0..Library::MOST_OPEN).map(find).collect();
    let kept = |number: usize| Arc::strong_count(&first[number]) == 2;
    assert!((0..Library::MOST_OPEN).all(kept));
    // The first table was used again, so the second one is dropped.
    assert!(Arc::ptr_eq(&find(0), &first[0]));
    find(Library::MOST_OPEN);
    assert!((0..Library::MOST_OPEN).all(|number| kept(number) == (number != 1)));
    assert_eq!(first[1].entry(2).unwrap(), Entry::Draw);
    assert_eq!(find(1).entry(2).unwrap(), Entry::Draw);
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
