//! Damaged files give an error or the right entries, in every way of reading.

mod common;

use common::{
    backends, clustered, description, different, hundredths, layout, read_all, some_numbers, write_entries,
};
use endspiel_table::{
    Codec, Entry, Error, Numbers, Part, Payload, Problem, Table, TableFile, Values, write_payload,
};
use game::{Metric, Rng};
use std::fs;
use std::path::{Path, PathBuf};

struct Small<P: Payload = Values> {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
    entries: Vec<P::Entry>,
}

impl Small {
    /// A file of a few hundred bytes with several blocks. The last block is not full.
    fn new(metric: Metric, different: &[Entry], codec: Codec) -> Self {
        let entries = clustered(different, 3 * 64 + 5, &mut Rng::new(7));
        let written = |path: &Path| {
            let description = description(metric, entries.len() as u64);
            write_entries(path, &description, layout(64, codec), &entries);
        };
        Self::written(written, entries.clone())
    }

    fn all() -> [Self; 7] {
        let some = |metric, kinds, codec| Self::new(metric, &different(metric, kinds), codec);
        let by_rule = [Entry::Draw, Entry::Win(None), Entry::LossByRule, Entry::WinByRule];
        [
            some(Metric::Wdl, 4, Codec::Zstd),
            some(Metric::Dtm, 11, Codec::Zstd),
            some(Metric::Dtm, 30, Codec::Stored),
            some(Metric::Dtm, 30, Codec::Zstd),
            some(Metric::Wdl, 5, Codec::Stored),
            some(Metric::Dtz, 11, Codec::Zstd),
            Self::new(Metric::Wdl, &by_rule, Codec::Zstd),
        ]
    }
}

impl<const N: usize> Small<Numbers<N>> {
    fn new(metric: Metric, codec: Codec) -> Self {
        let entries = some_numbers(2 * 16 + 5, &mut Rng::new(7));
        let written = |path: &Path| {
            let (description, layout) = (description(metric, entries.len() as u64), layout(16, codec));
            let entry = |index: u64| entries[index as usize];
            write_payload(path, &description, layout, &hundredths::<N>(), entry, |_| ()).unwrap();
        };
        Self::written(written, entries.clone())
    }
}

/// A check that runs on a small file of each payload.
trait Look {
    fn at<P: Payload>(&self, small: &Small<P>);

    fn at_each(&self) {
        Small::all().iter().for_each(|small| self.at(small));
        self.at(&Small::<Numbers<1>>::new(Metric::Equity, Codec::Zstd));
        self.at(&Small::<Numbers<3>>::new(Metric::Distribution, Codec::Stored));
    }
}

impl<P: Payload> Small<P> {
    fn written(write: impl FnOnce(&Path), entries: Vec<P::Entry>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.est");
        write(&path);
        Self { bytes: fs::read(path).unwrap(), folder, entries }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("damaged.est")
    }

    /// Opens and reads these bytes in every possible way.
    fn read(&self, bytes: &[u8]) -> Vec<Result<Vec<P::Entry>, Error>> {
        let path = self.path();
        fs::write(&path, bytes).unwrap();
        let read = |file: Result<TableFile, Error>| read_all(&Table::<P>::of(file?)?);
        let mut results: Vec<_> = backends().map(|backend| read(TableFile::open(&path, backend))).into();
        results.push(read(TableFile::from_bytes(bytes.to_vec())));
        results
    }

    /// Checks that no way of reading gives wrong entries. Returns whether all ways returned errors.
    fn is_found_out(&self, bytes: &[u8], what: &str) -> bool {
        let results = self.read(bytes);
        for entries in results.iter().flatten() {
            assert_eq!(entries, &self.entries, "{what}");
        }
        let file = || TableFile::from_bytes(bytes.to_vec());
        let checked = file().and_then(Table::<P>::of).and_then(|table| table.check());
        assert!(checked.is_err(), "the hash covers every byte: {what}");
        assert!(file().and_then(|file| file.check()).is_err(), "without the payload: {what}");
        results.iter().all(Result::is_err)
    }
}

#[test]
fn every_changed_byte_is_found_out() {
    struct Change;
    impl Look for Change {
        fn at<P: Payload>(&self, small: &Small<P>) {
            assert!(small.read(&small.bytes).iter().all(|read| read.as_ref().unwrap() == &small.entries));
            for at in 0..small.bytes.len() {
                for pattern in [0x01, 0x08, 0x80, 0xff] {
                    let mut bytes = small.bytes.clone();
                    bytes[at] ^= pattern;
                    assert!(small.is_found_out(&bytes, &format!("byte {at} changed by {pattern:#x}")));
                }
            }
        }
    }
    Change.at_each();
}

#[test]
fn every_truncation_is_found_out() {
    struct Cut;
    impl Look for Cut {
        fn at<P: Payload>(&self, small: &Small<P>) {
            for length in 0..small.bytes.len() {
                assert!(small.is_found_out(&small.bytes[..length], &format!("cut to {length}")));
            }
        }
    }
    Cut.at_each();
}

#[test]
fn appended_and_removed_bytes_are_found_out() {
    let small = &Small::all()[1];
    for count in 1..80 {
        for byte in [0, 0xff, b'\n'] {
            let mut bytes = small.bytes.clone();
            bytes.extend(vec![byte; count]);
            assert!(small.is_found_out(&bytes, &format!("{count} times {byte} appended")));
        }
    }
    let twice = [small.bytes.as_slice(), &small.bytes].concat();
    assert!(small.is_found_out(&twice, "twice"));
    for at in 0..small.bytes.len() {
        let mut bytes = small.bytes.clone();
        bytes.remove(at);
        assert!(small.is_found_out(&bytes, &format!("byte {at} removed")));
    }
}

#[test]
fn random_bytes_are_no_table() {
    let small = &Small::all()[0];
    let mut rng = Rng::new(3);
    for round in 0..2000 {
        let length = rng.below(400) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        // Half of the files begin and end like tables.
        if round % 2 == 0 && length >= 80 {
            bytes[..40].copy_from_slice(&small.bytes[..40]);
            bytes[length - 20..].copy_from_slice(&small.bytes[small.bytes.len() - 20..]);
        }
        assert!(small.is_found_out(&bytes, "random bytes"));
    }
}

#[test]
fn messages_are_sentences_with_the_path() {
    let small = &Small::all()[1];
    let path = small.path();
    let message = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let result = Table::open(&path, backends()[0]).and_then(|table| read_all(&table));
        result.unwrap_err().to_string().replace(path.to_str().unwrap(), "PATH")
    };
    assert_eq!(
        message(b""),
        "the table `PATH` has a length of 0 bytes that does not fit its contents: it is cut short, grown or damaged"
    );
    assert_eq!(
        message(&[b'x'; 500]),
        "the table `PATH` is not an Endspiel table: its first bytes are not those of a table"
    );
    let with = |at: usize, byte: u8| {
        let mut bytes = small.bytes.clone();
        bytes[at] = byte;
        bytes
    };
    assert_eq!(
        message(&with(8, 3)),
        "the table `PATH` has version 3 of the format, and only versions 1 to 2 can be read here"
    );
    assert_eq!(message(&with(40, 0)), "the table `PATH` is damaged: the checksum of the header is wrong");
    let header_length = usize::from(small.bytes[12]);
    let block = with(header_length, small.bytes[header_length] ^ 1);
    assert_eq!(message(&block), "the table `PATH` is damaged: the checksum of block 0 is wrong");

    let missing = Table::open(Path::new("/nowhere/a.est"), backends()[0]).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "the table `/nowhere/a.est` cannot be opened: No such file or directory (os error 2)"
    );
}

/// Opening a pipe would wait for a writer, and a device can have no end.
#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, device) = (folder.path().join("pipe.est"), folder.path().join("device.est"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    for path in [&pipe, &device, folder.path()] {
        for backend in backends() {
            let error = Table::open(path, backend).unwrap_err();
            assert!(matches!(error.problem, Problem::NotAFile), "{error}");
            let expected = format!("the table `{}` is not a regular file", path.display());
            assert_eq!(error.to_string(), expected);
        }
    }
}

/// Only the damaged block gives an error. The other blocks can still be read.
#[test]
fn a_damaged_block_does_not_hide_the_others() {
    let small = &Small::all()[2];
    let mut bytes = small.bytes.clone();
    let header_length = usize::from(bytes[12]);
    // A byte of the second block. Blocks have 64 bytes.
    bytes[header_length + 64] ^= 1;
    let table = Table::from_bytes(bytes).unwrap();
    assert_eq!(table.entry(0).unwrap(), small.entries[0]);
    assert_eq!(table.entry(128).unwrap(), small.entries[128]);
    let error = table.entry(64).unwrap_err();
    assert!(matches!(error.problem, Problem::Checksum { part: Part::Block(1) }), "{error}");
}
