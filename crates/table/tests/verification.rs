//! Tests of the records of verifications, also of hostile ones.

use endspiel_table::{BadRecord, Depth, Verification};
use std::fs;
use std::path::{Path, PathBuf};

const SAMPLE: Depth = Depth::Sample { positions: 100, seed: 7 };

fn table(folder: &Path) -> PathBuf {
    folder.join("KRvK.dtm.est")
}

fn depth(table: &Path, hash: [u8; 32]) -> Option<Depth> {
    Verification::of(table, hash).unwrap().map(|record| record.depth)
}

#[test]
fn a_record_is_about_one_content() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    assert_eq!(Verification::path(&table), folder.path().join("KRvK.dtm.verified"));
    assert_eq!(depth(&table, [1; 32]), None);
    Verification::record(&table, [1; 32], SAMPLE).unwrap();
    assert_eq!((depth(&table, [1; 32]), depth(&table, [2; 32])), (Some(SAMPLE), None));
    // A deeper one of the same contents stays.
    Verification::record(&table, [1; 32], Depth::Everything).unwrap();
    Verification::record(&table, [1; 32], Depth::Checksums).unwrap();
    assert_eq!(depth(&table, [1; 32]), Some(Depth::Everything));
    // Of other contents, it is of no use.
    Verification::record(&table, [2; 32], Depth::Checksums).unwrap();
    assert_eq!((depth(&table, [1; 32]), depth(&table, [2; 32])), (None, Some(Depth::Checksums)));
    Verification::forget(&table).unwrap();
    Verification::forget(&table).unwrap();
    assert_eq!(depth(&table, [2; 32]), None);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing else is left");
}

#[test]
fn what_is_no_record_is_ignored_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let path = Verification::path(&table);
    Verification::record(&table, [1; 32], SAMPLE).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    let hostile = [
        String::new(),
        "\0".repeat(100),
        "x".repeat(1 << 20),
        good.clone() + "more\n",
        good.replace("verification 1", "verification 2"),
        good.replace("sample 100", "sample 99999999999999999999999"),
        good.replace("date 2", "date \u{1b}"),
        good.replace('\n', "\r\n"),
    ];
    for text in hostile {
        fs::write(&path, &text).unwrap();
        assert!(matches!(Verification::of(&table, [1; 32]), Err(BadRecord::NotARecord)), "{text:.80}");
        Verification::record(&table, [1; 32], SAMPLE).unwrap();
        assert_eq!(depth(&table, [1; 32]), Some(SAMPLE));
    }
}

/// A link is neither read nor written through, and a folder is not a record.
#[cfg(unix)]
#[test]
fn links_and_folders_are_no_records() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let (path, victim) = (Verification::path(&table), folder.path().join("victim"));
    fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    assert!(matches!(Verification::of(&table, [1; 32]), Err(BadRecord::Io(_))));
    Verification::record(&table, [1; 32], SAMPLE).unwrap();
    assert_eq!(depth(&table, [1; 32]), Some(SAMPLE));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(Verification::of(&table, [1; 32]).is_err());
    assert!(Verification::record(&table, [1; 32], SAMPLE).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
}
