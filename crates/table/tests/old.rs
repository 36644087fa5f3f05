//! Tests with files that were written before version 2 of the format existed. They still have the same entries, and when
//! they are written again they have the same bytes. The files in `tests/old` were written by the last writer that knew
//! only version 1.

mod common;

use common::{backends, read_all, write_entries};
use endspiel_table::{Entry, Table};
use std::fs;
use std::path::{Path, PathBuf};

/// The old files. Each has the CRC-32 of its entries as text, one entry per line, as the reader of that time printed them.
fn old_files() -> [(PathBuf, u32); 6] {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cotulenh = crate_root.join("../cli/tests/cmd/cotulenh-tables.in/solved/cotulenh/standard");
    [
        (crate_root.join("tests/old/heap.wdl.est"), 0xf5a1_3e5c),
        (crate_root.join("tests/old/heap.dtm.est"), 0xbe25_bc93),
        (cotulenh.join("CNvC.dtm.est"), 0x06c8_2ddf),
        (cotulenh.join("CvC.dtm.est"), 0x9ec8_dca7),
        (cotulenh.join("CvCN.dtm.est"), 0x0878_fef0),
        (crate_root.join("../../fuzz/corpus/table/onitama-1v1"), 0xb53c_72a4),
    ]
}

#[test]
fn old_files_are_read_and_written_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let anew = folder.path().join("anew.est");
    for (path, checksum) in old_files() {
        let table = Table::open(&path, backends()[0]).unwrap();
        table.check().unwrap();
        let entries: Vec<Entry> = read_all(&table).unwrap();
        let printed: String = entries.iter().map(|entry| format!("{entry:?}\n")).collect();
        assert_eq!(crc32fast::hash(printed.as_bytes()), checksum, "{}", path.display());
        write_entries(&anew, table.description(), table.layout(), &entries);
        assert!(fs::read(&anew).unwrap() == fs::read(&path).unwrap(), "{}", path.display());
    }
}
