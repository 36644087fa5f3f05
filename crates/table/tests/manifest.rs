//! Manifests: what they say, what they find out, and which texts they refuse.

mod common;

use common::description;
use endspiel_table::{Compared, Description, Entry, Library, Manifest, ManifestError, write};
use game::Metric;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn named(slice: &str) -> Description {
    Description { slice: slice.to_owned(), ..description(Metric::Wdl, 1000) }
}

fn folder_with(slices: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for slice in slices {
        let description = named(slice);
        write(&description.path(folder.path()), &description, |_| Entry::Draw, |_| ()).unwrap();
    }
    folder
}

fn manifest_of(folder: &Path) -> Manifest {
    let (manifest, errors) = Manifest::of(&Library::new(folder, 1 << 20), &|_| ());
    assert!(errors.is_empty(), "{errors:?}");
    manifest
}

#[test]
fn a_manifest_names_hash_and_size_of_every_table_in_order() {
    let folder = folder_with(&["b", "a", "c d"]);
    let text = manifest_of(folder.path()).to_string();
    let mut expected = "# Endspiel manifest 1: BLAKE3 hash, bytes, table\n".to_owned();
    for slice in ["a", "b", "c d"] {
        let bytes = fs::read(named(slice).path(folder.path())).unwrap();
        expected += &format!("{} {} matches/standard/{slice}.wdl.est\n", blake3::hash(&bytes), bytes.len());
    }
    assert_eq!(text, expected);
    let file = folder.path().join("manifest");
    Manifest::parse(text.as_bytes()).unwrap().write(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(Manifest::read(&file).unwrap(), manifest_of(folder.path()));
    let empty = Manifest::default();
    assert_eq!(Manifest::parse(empty.to_string().as_bytes()).unwrap(), empty);
}

/// A manifest says that its tables are right, so a wrong one is an error.
#[test]
fn wrong_tables_are_in_no_manifest() {
    let folder = folder_with(&["a", "b", "c"]);
    let path = named("b").path(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    // The bytes of the block: only the hash of the contents can find this out without unpacking.
    let middle = bytes.len() - 70;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    fs::write(folder.path().join("notes.est"), "not a table").unwrap();
    let (manifest, errors) = Manifest::of(&Library::new(folder.path(), 1 << 20), &|_| ());
    assert_eq!(errors.len(), 2, "{errors:?}");
    let names: Vec<_> = manifest.tables().map(|(name, _)| name).collect();
    assert_eq!(names, ["matches/standard/a.wdl.est", "matches/standard/c.wdl.est"]);
}

#[test]
fn every_change_is_found_out() {
    let folder = folder_with(&["a", "b"]);
    let (manifest, library) = (manifest_of(folder.path()), Library::new(folder.path(), 1 << 20));
    let all_same =
        || manifest.compare(&library, &|_| ()).iter().all(|(_, compared)| matches!(compared, Compared::Same));
    assert!(all_same());
    let path = named("a").path(folder.path());
    let bytes = fs::read(&path).unwrap();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        fs::write(&path, changed).unwrap();
        assert!(!all_same(), "byte {place}");
    }
    for length in [0, bytes.len() - 1, bytes.len() + 1] {
        let mut changed = bytes.clone();
        changed.resize(length, 0);
        fs::write(&path, changed).unwrap();
        assert!(!all_same(), "length {length}");
    }
    fs::write(&path, bytes).unwrap();
    assert!(all_same());
}

#[test]
fn missing_changed_and_extra_are_told_apart() {
    let folder = folder_with(&["a", "b", "c"]);
    let manifest = manifest_of(folder.path());
    fs::remove_file(named("a").path(folder.path())).unwrap();
    fs::write(named("b").path(folder.path()), "else").unwrap();
    let extra = named("d");
    write(&extra.path(folder.path()), &extra, |_| Entry::Draw, |_| ()).unwrap();
    // A folder with the name of a table is not the table.
    fs::remove_file(named("c").path(folder.path())).unwrap();
    fs::create_dir(named("c").path(folder.path())).unwrap();
    let compared = manifest.compare(&Library::new(folder.path(), 1 << 20), &|_| ());
    let told: Vec<_> = compared.iter().map(|(name, compared)| (name.as_str(), compared)).collect();
    assert!(
        matches!(
            &told[..],
            [
                ("matches/standard/a.wdl.est", Compared::Missing),
                ("matches/standard/b.wdl.est", Compared::Changed { bytes: 4, .. }),
                ("matches/standard/c.wdl.est", Compared::Missing),
                ("matches/standard/d.wdl.est", Compared::Extra),
            ]
        ),
        "{told:?}"
    );
}

const FIRST: &str = "# Endspiel manifest 1: BLAKE3 hash, bytes, table\n";

fn line(name: &str) -> String {
    format!("{} 12 {name}\n", "0a".repeat(32))
}

#[test]
fn hostile_texts_are_refused_with_a_sentence() {
    let good = line("a/b/c.wdl.est");
    assert!(Manifest::parse(format!("{FIRST}{good}").as_bytes()).is_ok());
    let names = [
        "../b/c.wdl.est",
        "a/../c.wdl.est",
        "/a/b/c.wdl.est",
        "a/b/c/d.wdl.est",
        "b/c.wdl.est",
        "a/b/.hidden.wdl.est",
        "a/b/.wdl.est",
        "a//c.wdl.est",
        "a/b\\c/d.wdl.est",
        "a/b/c.wdl.est\r",
        "a/b/c.wdl",
        "a/b/c.xyz.est",
        "C:/b/c\u{7}.wdl.est",
        "",
    ];
    for name in names {
        let refused = Manifest::parse(format!("{FIRST}{good}{}", line(name)).as_bytes()).unwrap_err();
        assert_eq!(refused, ManifestError::Name { line: 3, name: name.to_owned() });
    }
    let parse = |text: &[u8]| Manifest::parse(text).unwrap_err().to_string();
    assert_eq!(parse(b""), "does not begin with the line `# Endspiel manifest 1: BLAKE3 hash, bytes, table`");
    assert_eq!(
        parse(b"<html>"),
        "does not begin with the line `# Endspiel manifest 1: BLAKE3 hash, bytes, table`"
    );
    assert_eq!(
        parse(format!("{FIRST}{good}{good}").as_bytes()),
        "has the table `a/b/c.wdl.est` twice, the second time in line 3"
    );
    assert_eq!(
        parse(format!("{FIRST}{good}{}", good.trim_end()).as_bytes()),
        "is cut short: its last line has no end"
    );
    let long = line(&format!("a/b/{}.wdl.est", "c".repeat(1000)));
    assert_eq!(parse(format!("{FIRST}{long}").as_bytes()), "has a line 2 of more than 1024 bytes");
    let mut not_text = format!("{FIRST}{good}").into_bytes();
    let last = not_text.len() - 2;
    not_text[last] = 0xff;
    assert_eq!(parse(&not_text), "has a line 2 that is not UTF-8");
    let hash = "0a".repeat(32);
    for wrong in [
        String::new(),
        format!("{hash}  12 a/b/c.wdl.est"),
        format!("{hash} +12 a/b/c.wdl.est"),
        format!("{hash} 012 a/b/c.wdl.est"),
        format!("{hash} 18446744073709551616 a/b/c.wdl.est"),
        format!("{} 12 a/b/c.wdl.est", hash.to_uppercase()),
        format!("{} 12 a/b/c.wdl.est", &hash[1..]),
        format!("{hash} 12"),
        "# a remark".to_owned(),
    ] {
        let refused = parse(format!("{FIRST}{wrong}\n").as_bytes());
        assert_eq!(refused, "has a line 2 that is not a hash, a number of bytes and a name", "{wrong}");
    }
}

/// A manifest that never ends is not read to its end.
#[cfg(unix)]
#[test]
fn an_endless_manifest_is_refused() {
    let refused = Manifest::read(Path::new("/dev/zero")).unwrap_err();
    assert_eq!(refused.to_string(), "is longer than 67108864 bytes");
}

proptest! {
    /// What is accepted is written again in the same way, up to the order of the lines.
    #[test]
    fn any_text_is_refused_or_understood(lines in prop::collection::vec("[0-9a-f ./wdlest-]{0,90}", 0..4)) {
        let text = format!("{FIRST}{}\n", lines.join("\n"));
        if let Ok(manifest) = Manifest::parse(text.as_bytes()) {
            prop_assert_eq!(Manifest::parse(manifest.to_string().as_bytes()), Ok(manifest));
        }
    }
}
