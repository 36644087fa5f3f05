//! Compares the example files in `docs/format.md`, byte by byte.

mod common;

use common::{backends, description, layout, read_all, write_entries};
use endspiel_table::{Codec, Entry, NumberFormat, NumberWidth, Numbers, Table, TableFile, write_payload};
use game::{Metric, Plies};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A game: the players take one or two matches in turn. The player who takes the last match wins.
fn matches(left: u16) -> Entry {
    match left {
        0 => Entry::Nothing,
        n if n % 3 == 0 => Entry::Loss(Some(Plies(2 * (n / 3)))),
        n => Entry::Win(Some(Plies(2 * (n / 3) + 1))),
    }
}

fn dump(bytes: &[u8]) -> String {
    let mut lines = String::new();
    for (row, bytes) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown = |&byte: &u8| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { '.' };
        let text: String = bytes.iter().map(shown).collect();
        writeln!(lines, "{:08x}  {:<47}  {text}", row * 16, hex.join(" ")).unwrap();
    }
    lines
}

/// The hex dumps in the page, one text for each dump. Their lines begin with eight hexadecimal digits.
fn dumps_in_the_page() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let page = fs::read_to_string(page).unwrap();
    let is_dump = |line: &&str| {
        line.get(..8).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    let mut dumps = Vec::new();
    for line in page.lines().map(str::trim_start).filter(is_dump) {
        if line.starts_with("00000000") {
            dumps.push(String::new());
        }
        let dump = dumps.last_mut().expect("a dump begins at offset 0");
        writeln!(dump, "{line}").unwrap();
    }
    dumps
}

#[test]
fn the_page_shows_a_file_of_values() {
    let entries: Vec<Entry> = (0..10).map(matches).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap.dtm.est");
    write_entries(&path, &description(Metric::Dtm, 10), layout(4, Codec::Zstd), &entries);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(dump(&bytes), dumps_in_the_page()[0], "the file is\n{}", dump(&bytes));
    assert_eq!(read_all(&Table::open(&path, backends()[0]).unwrap()).unwrap(), entries);
}

/// Each match halves the value of the heap, and 0.3 is subtracted.
#[test]
fn the_page_shows_a_file_of_numbers() {
    let format = NumberFormat { width: NumberWidth::Two, signed: true, unit: 1000, error: 0.0005 };
    let payload = Numbers::<1>::new(format).unwrap();
    let equity = |left: u64| (left > 0).then(|| [payload.nearest(0.5f64.powi(left as i32) - 0.3).unwrap()]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap.equity.est");
    let (description, layout) = (description(Metric::Equity, 6), layout(4, Codec::Zstd));
    write_payload(&path, &description, layout, &payload, equity, |_| ()).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(dump(&bytes), dumps_in_the_page()[1], "the file is\n{}", dump(&bytes));
    let table = Table::<Numbers<1>>::of(TableFile::open(&path, backends()[0]).unwrap()).unwrap();
    assert_eq!(read_all(&table).unwrap(), (0..6).map(equity).collect::<Vec<_>>());
}
