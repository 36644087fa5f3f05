//! Finding files, and the errors that name them.

use chess::Position;
use endspiel_syzygy::{Material, Metric, ProbeError, Problem, Tablebase, Wdl5};
use std::fs;

mod common;

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

const WON: &str = "8/8/8/8/8/8/1k1K3Q/8 w - - 0 1";

#[test]
fn the_fixtures_are_found() {
    let tables = Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures");
    assert_eq!(tables.largest(), 4);
    for metric in Metric::ALL {
        let mut names: Vec<String> = tables.materials(metric).map(|material| material.to_string()).collect();
        names.sort();
        let all = "KBvK KBvKB KBvKN KNNvK KNvK KNvKN KPvK KPvKP KQvK KRvK KRvKR";
        assert_eq!(names.join(" "), all);
    }
}

#[test]
fn folders_are_searched_in_their_order() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(first.path().join("KQvK.rtbw"), b"damaged").unwrap();
    let whole = fixtures::bytes("chess/syzygy/KQvK.rtbw");
    fs::write(second.path().join("KQvK.rtbw"), whole).unwrap();
    let list = |a: &tempfile::TempDir, b: &tempfile::TempDir| {
        std::env::join_paths([a.path(), b.path()]).unwrap().into_string().unwrap()
    };
    let damaged = Tablebase::open_path(list(&first, &second)).unwrap();
    let error = damaged.wdl(&position(WON)).unwrap_err();
    assert!(error.to_string().contains("KQvK.rtbw"), "{error}");
    assert!(matches!(error, ProbeError::Table(error) if matches!(error.problem, Problem::TooShort)));
    let whole = Tablebase::open_path(list(&second, &first)).unwrap();
    assert_eq!(whole.wdl(&position(WON)).unwrap(), Wdl5::Win);
}

#[test]
fn other_names_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fixtures::bytes("chess/syzygy/KQvK.rtbw");
    for name in ["KvKQ.rtbw", "kqvk.rtbw", "KQvK.rtbx", "KQQQQQQvKQ.rtbw", "QvK.rtbw", "KvK.rtbw", "README"] {
        fs::write(folder.path().join(name), &whole).unwrap();
    }
    let tables = Tablebase::open([folder.path()]).unwrap();
    assert_eq!((tables.largest(), tables.materials(Metric::Wdl).count()), (2, 0));
}

#[test]
fn a_missing_folder_is_an_error_with_its_name() {
    let error = Tablebase::open(["no/such/folder"]).err().expect("no such folder");
    assert!(error.to_string().contains("no/such/folder"), "{error}");
    assert_eq!(Tablebase::open_path("").expect("no folder at all").largest(), 2);
}

#[test]
fn what_cannot_be_answered_has_a_reason() {
    let tables = Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures");
    let reason = |fen: &str| tables.wdl(&position(fen)).unwrap_err();
    assert!(matches!(reason("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), ProbeError::Castling));
    assert!(matches!(
        reason("4k3/8/8/8/8/8/8/QRBNK3 w - - 0 1"),
        ProbeError::TooManyMen { men: 6, largest: 4 }
    ));
    let missing = reason("4k3/6q1/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(missing.to_string(), "the table KQvKR.rtbw was not found");
    let expected: Material = "KQvKR".parse().unwrap();
    assert!(matches!(missing, ProbeError::Missing { material, metric: Metric::Wdl } if material == expected));
    // A promotion leads to a table that is not there. The answer needs it only for the distance.
    let promotes = position("8/3P4/8/k7/8/8/7p/3K4 w - - 0 1");
    assert_eq!(tables.wdl(&promotes).unwrap(), Wdl5::Win);
    assert_eq!(tables.dtz(&promotes).unwrap_err().to_string(), "the table KNvKP.rtbw was not found");
}

#[test]
fn tables_of_other_pieces_are_refused() {
    for (name, stored) in [("KRvK.rtbw", "KPvK.rtbw"), ("KRvK.rtbw", "KQvK.rtbw"), ("KQvK.rtbw", "KQvK.rtbz")]
    {
        let bytes = fixtures::bytes(&format!("chess/syzygy/{stored}"));
        let tables = Tablebase::from_bytes([(name, bytes)]);
        let fen = if name == "KRvK.rtbw" { "8/8/8/8/8/8/1k1K3R/8 w - - 0 1" } else { WON };
        let error = tables.wdl(&position(fen)).unwrap_err();
        assert!(
            matches!(error, ProbeError::Table(ref error)
            if matches!(error.problem, Problem::Pieces | Problem::NotATable)),
            "{name}: {error}"
        );
    }
}

/// With positioned reads, the answers are the same as from memory.
#[test]
fn files_that_do_not_fit_the_memory_are_read_block_by_block() {
    let open = || Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures");
    let (kept, positioned) = (open(), open().with_memory(0));
    for material in kept.materials(Metric::Wdl) {
        common::random_positions(material, 100, 7, &mut |position| {
            assert_eq!(kept.wdl(&position).unwrap(), positioned.wdl(&position).unwrap(), "{position}");
            assert_eq!(kept.dtz(&position).ok(), positioned.dtz(&position).ok(), "{position}");
        });
    }
}

/// Devices can be read without end, and opening a pipe waits for a writer. A link to a file is fine.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let whole = fixtures::path("chess/syzygy/KQvK.rtbw");
    for what in ["a device", "a pipe", "a folder", "a link"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KQvK.rtbw");
        match what {
            "a device" => symlink("/dev/zero", path).unwrap(),
            "a pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            "a folder" => fs::create_dir(path).unwrap(),
            _ => symlink(&whole, path).unwrap(),
        }
        // Block by block, and at once.
        for memory in [0, 1 << 20] {
            let tables = Tablebase::open([folder.path()]).unwrap().with_memory(memory);
            match tables.wdl(&position(WON)) {
                Ok(value) => assert_eq!((what, value), ("a link", Wdl5::Win)),
                Err(ProbeError::Table(error)) => {
                    assert!(matches!(error.problem, Problem::NotAFile), "{what}: {error}");
                    assert!(error.to_string().ends_with("KQvK.rtbw` is not a regular file"), "{error}");
                    assert_ne!(what, "a link");
                }
                Err(error) => panic!("{what}: {error}"),
            }
        }
    }
}
