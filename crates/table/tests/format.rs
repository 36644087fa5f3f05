//! The example file in `docs/format.md`, byte by byte.

mod common;

use common::{backends, description, layout, read_all, write_entries};
use endspiel_table::{Codec, Entry, Table};
use game::{Metric, Plies};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Take one or two matches; whoever takes the last one wins.
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

/// The lines of the page that begin like those of a dump.
fn dump_in_the_page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let page = fs::read_to_string(page).unwrap();
    let offset = |line: &&str| {
        line.get(..8).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    page.lines().map(str::trim_start).filter(offset).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_page_shows_a_real_file() {
    let entries: Vec<Entry> = (0..10).map(matches).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap.dtm.est");
    write_entries(&path, &description(Metric::Dtm, 10), layout(4, Codec::Zstd), &entries);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(dump(&bytes), dump_in_the_page(), "the file is\n{}", dump(&bytes));
    assert_eq!(read_all(&Table::open(&path, backends()[0]).unwrap()).unwrap(), entries);
}
