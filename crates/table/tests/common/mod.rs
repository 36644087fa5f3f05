//! Helpers that the tests share.
// Each test file uses only a part of them.
#![allow(dead_code)]
// For `FilesStay::promise`: no other process uses the files of the tests.
#![allow(unsafe_code)]

use endspiel_table::mapped::FilesStay;
use endspiel_table::{
    Backend, Codec, Description, Entries, Entry, Layout, NumberFormat, NumberWidth, Numbers, Table, write_as,
};
use game::{Metric, Plies, Rng};
use std::path::Path;

/// Both backends: positioned reads and a memory map.
pub fn backends() -> [Backend; 2] {
    // SAFETY: the tests map files in their own folders, and do not write to a file while it is mapped.
    [Backend::Read, Backend::Map(unsafe { FilesStay::promise() })]
}

pub fn description(metric: Metric, entries: u64) -> Description {
    Description {
        game: "matches".to_owned(),
        rules: "standard".to_owned(),
        slice: "heap".to_owned(),
        metric,
        index: "count-1".to_owned(),
        entries,
    }
}

pub fn layout(entries_per_block: u32, codec: Codec) -> Layout {
    Layout { entries_per_block, codec }
}

/// `count` different entries of a metric, in the order of a palette. Without distances there are only seven. Entries by
/// rule come last.
pub fn different(metric: Metric, count: usize) -> Vec<Entry> {
    let mut entries = vec![Entry::Nothing, Entry::Draw];
    match metric {
        Metric::Wdl => {
            entries.extend([Entry::Loss(None), Entry::Win(None), Entry::NotWon]);
            entries.extend([Entry::LossByRule, Entry::WinByRule]);
        }
        Metric::Equity | Metric::Distribution => panic!("they have no values"),
        Metric::Dtm | Metric::Dtz => {
            for plies in (0..u16::MAX).map(|plies| Some(Plies(plies))) {
                if entries.len() >= count {
                    break;
                }
                entries.extend([Entry::Loss(plies), Entry::Win(plies)]);
            }
        }
    }
    entries.truncate(count);
    entries.sort();
    entries
}

/// `count` entries in runs, because neighbours in a table are often equal. If there is room, each of `different` occurs.
pub fn clustered(different: &[Entry], count: usize, rng: &mut Rng) -> Vec<Entry> {
    let mut entries: Vec<Entry> = different.iter().copied().take(count).collect();
    while entries.len() < count {
        let entry = different[rng.below(different.len() as u64) as usize];
        let run = (rng.below(20) as usize).min(count - entries.len());
        entries.extend(std::iter::repeat_n(entry, run));
    }
    entries
}

/// Writes a table with these entries.
pub fn write_entries(path: &Path, description: &Description, layout: Layout, entries: &[Entry]) {
    write_as(path, description, layout, |index| entries[index as usize], |_| ()).unwrap();
}

/// All entries of a table, or the first error.
pub fn read_all<P: Entries>(table: &Table<P>) -> Result<Vec<P::Entry>, endspiel_table::Error> {
    let blocks = table.iter_blocks().collect::<Result<Vec<_>, _>>()?;
    Ok(blocks.iter().flat_map(|block| block.iter()).collect())
}

/// Signed numbers of two bytes, in hundredths.
pub fn hundredths<const N: usize>() -> Numbers<N> {
    Numbers::new(NumberFormat { width: NumberWidth::Two, signed: true, unit: 100, error: 0.005 }).unwrap()
}

/// `count` entries of *N* numbers with similar values. Some entries are `None`.
pub fn some_numbers<const N: usize>(count: usize, rng: &mut Rng) -> Vec<Option<[i64; N]>> {
    let mut entry = || {
        let is_position = rng.below(5) > 0;
        is_position.then(|| std::array::from_fn(|number| 250 * number as i64 - rng.below(300) as i64))
    };
    (0..count).map(|_| entry()).collect()
}
