//! Written entries are read back unchanged, and the same entries give the same bytes.

mod common;

use common::{
    backends, clustered, description, different, hundredths, layout, read_all, some_numbers, write_entries,
};
use endspiel_table::{
    BlockCache, Codec, Description, Entries, Entry, Layout, NumberFormat, NumberWidth, Numbers, Payload,
    Problem, Table, TableFile, write, write_as, write_blocks, write_payload,
};
use game::{Metric, Plies, Rng, Value, Wdl};
use proptest::prelude::*;
use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

fn names() -> impl Strategy<Value = String> {
    "[a-zA-Zäö0-9+_-][a-zA-Zäö0-9 .+_-]{0,60}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn tables_return(
        game in names(), rules in names(), slice in names(), index in names(),
        metric in prop_oneof![Just(Metric::Wdl), Just(Metric::Dtm), Just(Metric::Dtz)],
        kinds in prop_oneof![1usize..=2, 3usize..=4, 5usize..=16, 17usize..=256, 257usize..=2000],
        block_bits in 0u32..=8, blocks in 0u64..=3, beside in -1i64..=1,
        stored: bool,
        seed: u64,
    ) {
        let per_block = 1u32 << block_bits;
        let entries = (blocks * u64::from(per_block)).saturating_add_signed(beside);
        let description = Description { game, rules, slice, metric, index, entries };
        let entries = clustered(&different(metric, kinds), entries as usize, &mut Rng::new(seed));
        let codec = if stored { Codec::Stored } else { Codec::Zstd };

        let folder = tempfile::tempdir().unwrap();
        let path = description.path(folder.path());
        write_entries(&path, &description, layout(per_block, codec), &entries);
        for backend in backends() {
            let table = Table::open(&path, backend).unwrap();
            prop_assert_eq!(table.description(), &description);
            prop_assert_eq!(table.layout(), layout(per_block, codec));
            prop_assert_eq!(&read_all(&table).unwrap(), &entries);
            for (&entry, index) in entries.iter().zip(0..) {
                prop_assert_eq!(table.entry(index).unwrap(), entry);
            }
            prop_assert!(table.entry(description.entries).is_err());
            prop_assert!(table.block(table.blocks()).is_err());
            prop_assert!(table.check().is_ok());
        }
        let in_memory = Table::from_bytes(fs::read(&path).unwrap()).unwrap();
        prop_assert_eq!(read_all(&in_memory).unwrap(), entries);
    }
}

/// Tests all widths with full and nearly full palettes, in several blocks.
#[test]
fn every_width_returns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    for kinds in [1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 65_535, 65_536] {
        let entries = clustered(&different(Metric::Dtm, kinds), 150_000, &mut Rng::new(kinds as u64));
        let description = description(Metric::Dtm, entries.len() as u64);
        let written = write(&path, &description, |index| entries[index as usize], |_| ()).unwrap();
        assert_eq!(written.bytes, fs::metadata(&path).unwrap().len());
        let table = Table::open(&path, backends()[0]).unwrap();
        assert_eq!(table.content_hash(), written.content_hash);
        assert_eq!(table.different_entries().len(), kinds);
        assert_eq!(read_all(&table).unwrap(), entries);
        table.check().unwrap();
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let entries = clustered(&different(Metric::Dtm, 90), 2_000_000, &mut Rng::new(1));
    let description = description(Metric::Dtm, entries.len() as u64);
    let bytes = [1, 2, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.est"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(&path, &description, |index| entries[index as usize], |_| ())).unwrap();
        fs::read(path).unwrap()
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn progress_rises_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Metric::Wdl, 100_000);
    let heard = Mutex::new(Vec::new());
    let layout = layout(64, Codec::Zstd);
    let progress = |done| heard.lock().unwrap().push(done);
    write_as(&folder.path().join("a.est"), &description, layout, |_| Entry::Draw, progress).unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.len() > 1 && heard.is_sorted());
    assert_eq!(heard.last(), Some(&100_000));
}

/// If a write fails, the old file stays and no other file is left. A temporary file from an earlier crash does no harm.
#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let description = description(Metric::Dtm, 1000);
    fs::write(folder.path().join(".a.est.part"), "the rest of a crash").unwrap();
    write(&path, &description, |_| Entry::Draw, |_| ()).unwrap();
    let old = fs::read(&path).unwrap();

    let unfit = |entry: Entry| {
        let error = write(&path, &description, |_| entry, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::Unfit { .. }), "{error}");
    };
    unfit(Entry::Win(None));
    unfit(Entry::NotWon);
    unfit(Entry::Loss(Some(Plies(u16::MAX))));
    let asked = AtomicU64::new(0);
    let changing = |_| Entry::Win(Some(Plies((asked.fetch_add(1, Ordering::Relaxed) / 1000) as u16)));
    let error = write(&path, &description, changing, |_| ()).unwrap_err();
    assert!(matches!(error.problem, Problem::Unsteady { .. }), "{error}");
    let many = common::description(Metric::Dtm, 70_000);
    let all = |index: u64| match index {
        0..60_000 => Entry::Win(Some(Plies(index as u16))),
        _ => Entry::Loss(Some(Plies((index - 60_000) as u16))),
    };
    let error = write(&path, &many, all, |_| ()).unwrap_err();
    assert!(matches!(error.problem, Problem::TooManyDifferent { found: 70_000 }), "{error}");

    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "..", "a/b", "a\\b", ".hidden", "line\nfeed", &"x".repeat(201)] {
        let description = Description { slice: name.to_owned(), ..description(Metric::Wdl, 1) };
        let error = write(&folder.path().join("a.est"), &description, |_| Entry::Draw, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::Name { .. }), "{name}: {error}");
    }
    for entries_per_block in [0, 3, 1 << 21] {
        let layout = layout(entries_per_block, Codec::Stored);
        let path = folder.path().join("a.est");
        let one = description(Metric::Wdl, 1);
        let error = write_as(&path, &one, layout, |_| Entry::Draw, |_| ()).unwrap_err();
        assert!(matches!(error.problem, Problem::BlockSize { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn entries_are_values() {
    let values = [Value::Win(Plies(3)), Value::Draw, Value::Loss(Plies(0))];
    for value in values {
        let with = Entry::new(Some(value), Metric::Dtm);
        assert_eq!((with.value(), with.wdl(), with.plies()), (Some(value), Some(value.wdl()), value.plies()));
        let without = Entry::new(Some(value), Metric::Wdl);
        assert_eq!((without.wdl(), without.plies()), (Some(value.wdl()), None));
        assert_eq!(without, Entry::from(value.wdl()));
    }
    assert_eq!(Entry::from(Wdl::Win).value(), None);
    assert_eq!(Entry::new(None, Metric::Dtm), Entry::Nothing);
    assert_eq!(Entry::Nothing.wdl(), None);
    assert_eq!((Entry::NotWon.wdl(), Entry::NotWon.value(), Entry::NotWon.plies()), (None, None, None));
    assert!(Entry::Win(None) < Entry::NotWon, "as the kinds in the file");
}

/// Packed blocks give the same file as a list of entries, and are read back unchanged.
#[test]
fn packed_blocks_make_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (listed, packed) = (folder.path().join("listed.est"), folder.path().join("packed.est"));
    for (metric, kinds) in [(Metric::Wdl, 2), (Metric::Wdl, 5), (Metric::Dtm, 100), (Metric::Dtm, 300)] {
        for count in [0, 1, 32_768, 100_003] {
            let palette = different(metric, if count == 1 { 1 } else { kinds });
            let palette = if count == 0 { &[][..] } else { &palette };
            let entries = clustered(palette, count, &mut Rng::new(3));
            let description = description(metric, count as u64);
            write(&listed, &description, |index| entries[index as usize], |_| ()).unwrap();
            let table = Table::open(&listed, backends()[0]).unwrap();
            let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
                assert!(block.is_empty());
                block.extend_from_slice(&table.packed_block(indices.start / 32_768).unwrap());
                Ok(())
            };
            write_blocks(&packed, &description, Layout::default(), table.different_entries(), fill, |_| ())
                .unwrap();
            assert!(fs::read(&listed).unwrap() == fs::read(&packed).unwrap(), "{count} of {kinds}");
            assert!(table.packed_block(table.blocks()).is_err());
        }
    }
}

#[test]
fn what_is_not_packed_right_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let description = description(Metric::Wdl, 32_768 + 12);
    let (win, draw, not_won) = (Entry::Win(None), Entry::Draw, Entry::NotWon);
    let problem = |palette: &[Entry], last: &[u8]| {
        let fill = |indices: Range<u64>, block: &mut Vec<u8>| {
            match indices.start {
                0 => block.resize(32_768 / 8, 0),
                _ => block.extend(last),
            }
            Ok(())
        };
        write_blocks(&path, &description, Layout::default(), palette, fill, |_| ())
            .map_err(|error| error.problem)
    };
    assert!(problem(&[win, not_won], &[0xff, 0x0f]).is_ok());
    for last in [&[0][..], &[0; 3], &[0, 0x10]] {
        let refused = problem(&[win, not_won], last);
        assert!(matches!(refused, Err(Problem::Packed { index: 32_768 })), "{last:?}");
    }
    assert!(matches!(problem(&[win], &[1, 0]), Err(Problem::Packed { .. })), "not in the palette");
    for palette in [&[][..], &[not_won, win], &[win, win], &[draw, Entry::Win(Some(Plies(1)))]] {
        assert!(matches!(problem(palette, &[0, 0]), Err(Problem::Palette)), "{palette:?}");
    }
}

/// Values by rule and other values can be in the same table, with and without distances.
#[test]
fn values_by_rule_return() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let plies = Some(Plies(7));
    for (metric, others) in [
        (Metric::Wdl, [Entry::Loss(None), Entry::Win(None), Entry::NotWon]),
        (Metric::Dtm, [Entry::Loss(plies), Entry::Win(plies), Entry::Draw]),
        (Metric::Dtz, [Entry::Loss(plies), Entry::Win(plies), Entry::Draw]),
    ] {
        let different = [&others[..], &[Entry::LossByRule, Entry::WinByRule, Entry::Nothing]].concat();
        let entries = clustered(&different, 1000, &mut Rng::new(2));
        write_entries(&path, &description(metric, 1000), Layout::default(), &entries);
        let table = Table::open(&path, backends()[0]).unwrap();
        assert_eq!(read_all(&table).unwrap(), entries);
        assert_eq!(fs::read(&path).unwrap()[8], 2, "the second version");
    }
    let (loss, win) = (Entry::LossByRule, Entry::WinByRule);
    assert_eq!([loss.wdl(), win.wdl()], [Some(Wdl::Loss), Some(Wdl::Win)]);
    assert_eq!((win.plies(), win.value()), (None, None));
    assert!(loss.is_by_rule() && win.is_by_rule() && !Entry::Win(None).is_by_rule());
}

fn numbers_return<const N: usize>(metric: Metric, format: NumberFormat, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let payload = Numbers::<N>::new(format).unwrap();
    let description = description(metric, count as u64);
    let path = description.path(folder.path());
    let (most, mut rng) = (payload.nearest(2.0).unwrap() as u64, Rng::new(count as u64));
    let mut number = |_| rng.below(most) as i64 - if format.signed { most as i64 / 2 } else { 0 };
    let mut entry = |index: usize| (index % 7 != 3).then(|| std::array::from_fn(&mut number));
    let entries: Vec<Option<[i64; N]>> = (0..count).map(&mut entry).collect();
    let layout = Layout::for_payload(&payload);
    write_payload(&path, &description, layout, &payload, |index| entries[index as usize], |_| ()).unwrap();
    for backend in backends() {
        let table = Table::<Numbers<N>>::of(TableFile::open(&path, backend).unwrap()).unwrap();
        let table = table.with_cache(Arc::new(BlockCache::new(1 << 20)));
        assert_eq!(table.payload(), &payload);
        assert_eq!(read_all(&table).unwrap(), entries);
        for (&entry, index) in entries.iter().zip(0..) {
            assert_eq!(table.entry(index).unwrap(), entry);
        }
        table.check().unwrap();
    }
}

#[test]
fn every_kind_of_number_returns() {
    for (width, unit) in [(NumberWidth::One, 60), (NumberWidth::Two, 10_000), (NumberWidth::Four, 1 << 30)] {
        for signed in [false, true] {
            let format =
                NumberFormat { width, signed, unit: if signed { unit / 2 } else { unit }, error: 0.0 };
            for count in [0, 1, 40_000] {
                numbers_return::<1>(Metric::Equity, format, count);
            }
            numbers_return::<4>(Metric::Equity, format, 20_000);
            numbers_return::<32>(Metric::Distribution, format, 3000);
        }
    }
}

/// A block has about the same number of bytes for every size of entry. Values have the default number of entries.
#[test]
fn layouts_fit_the_payload() {
    assert_eq!(Layout::for_payload(&hundredths::<1>()), Layout::default());
    assert_eq!(Layout::for_payload(&hundredths::<32>()).entries_per_block, 1024);
    assert_eq!(Layout::for_payload(&hundredths::<1000>()).entries_per_block, 32);
}

#[test]
fn numbers_without_a_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let payload = hundredths::<2>();
    let problem = |metric, layout, entry: Option<[i64; 2]>| {
        let description = description(metric, 100);
        let entry = |index| if index == 70 { entry } else { None };
        write_payload(&path, &description, layout, &payload, entry, |_| ()).map_err(|error| error.to_string())
    };
    let usual = Layout::for_payload(&payload);
    assert!(problem(Metric::Equity, usual, Some([32_767, -32_767])).is_ok());
    let refused = problem(Metric::Equity, layout(64, Codec::Zstd), Some([0, 32_768])).unwrap_err();
    let expected = "cannot be written: Some([0, 32768]) at index 70 has no place in a table of equity";
    assert!(refused.ends_with(expected), "{refused}");
    assert!(problem(Metric::Dtm, usual, None).is_err(), "distances are no numbers");
    assert!(problem(Metric::Equity, layout(1 << 20, Codec::Stored), None).is_err(), "4 MiB");
    let wdl = common::description(Metric::Equity, 1);
    assert!(write(&path, &wdl, |_| Entry::Draw, |_| ()).is_err(), "equities are no values");
}

/// A payload that the crate does not know: the index modulo three, in two bits.
#[derive(Debug)]
struct Thirds;

impl Payload for Thirds {
    const NAME: &'static str = "thirds";

    fn description(&self) -> Vec<u8> {
        Vec::new()
    }

    fn parse(description: &[u8]) -> Result<Self, Problem> {
        if description.is_empty() { Ok(Self) } else { Err(Problem::Payload) }
    }

    fn check(&self, _: &Description) -> Result<(), Problem> {
        Ok(())
    }

    fn bits(&self) -> u32 {
        2
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        packed.len() == entries.div_ceil(4) && (0..entries).all(|place| self.get(packed, entries, place) < 3)
    }
}

impl Entries for Thirds {
    type Entry = u8;

    fn packer(&self) -> impl Fn(&[u8], &mut Vec<u8>) -> Result<(), usize> + Sync + '_ {
        |entries, packed| match entries.iter().position(|&entry| entry > 2) {
            Some(place) => Err(place),
            None => {
                let byte = |four: &[u8]| four.iter().rev().fold(0, |byte, entry| byte << 2 | entry);
                packed.extend(entries.chunks(4).map(byte));
                Ok(())
            }
        }
    }

    fn get(&self, packed: &[u8], _: usize, place: usize) -> u8 {
        packed[place / 4] >> (place % 4 * 2) & 3
    }
}

#[test]
fn a_payload_of_someone_else_returns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.est");
    let description = description(Metric::Distribution, 1001);
    let entry = |index: u64| (index % 3) as u8;
    write_payload(&path, &description, layout(64, Codec::Zstd), &Thirds, entry, |_| ()).unwrap();
    let file = TableFile::open(&path, backends()[0]).unwrap();
    file.check().unwrap();
    let table = Table::<Thirds>::of(file).unwrap();
    assert!(read_all(&table).unwrap().into_iter().eq((0..1001).map(entry)));
    let entries = some_numbers::<2>(10, &mut Rng::new(1));
    write_payload(
        &path,
        &common::description(Metric::Equity, 10),
        layout(4, Codec::Zstd),
        &hundredths(),
        |i| entries[i as usize],
        |_| (),
    )
    .unwrap();
    assert!(Table::<Thirds>::of(TableFile::open(&path, backends()[0]).unwrap()).is_err());
}
