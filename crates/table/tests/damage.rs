//! Damaged files give an error or the right entries, in every way of reading.

mod common;

use common::{backends, clustered, description, different, layout, read_all, write_entries};
use endspiel_table::{
    Codec, Entries, Entry, Error, Fault, NumberFormat, NumberWidth, Numbers, Part, Problem, Table, TableFile,
    Values, write_payload,
};
use game::{Metric, Rng};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

struct Small<P: Entries = Values> {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
    entries: Vec<P::Entry>,
}

impl Small {
    /// A file of a few hundred bytes with several blocks. The last block is not full.
    fn new(metric: Metric, different: &[Entry], codec: Codec) -> Self {
        let per_block = match codec {
            Codec::Stored | Codec::Contexts => 64,
            // Enough entries that blocks get shorter.
            Codec::Zstd => 256,
        };
        let entries = clustered(different, 2 * per_block as usize + 5, &mut Rng::new(7));
        let description = description(metric, entries.len() as u64);
        let write =
            |path: &Path, codec| write_entries(path, &description, layout(per_block, codec), &entries);
        Self::written(write, codec, entries.clone())
    }

    /// Values of every metric, with and without entries by rule, in blocks of both codecs.
    fn all() -> Vec<Self> {
        let by_rule = [Entry::LossByRule, Entry::WinByRule];
        let mut all = Vec::new();
        for codec in [Codec::Stored, Codec::Zstd] {
            for (metric, kinds) in [(Metric::Wdl, 5), (Metric::Dtm, 30), (Metric::Dtz, 11)] {
                let old = different(metric, kinds);
                all.push(Self::new(metric, &old, codec));
                all.push(Self::new(metric, &[&old[..], &by_rule].concat(), codec));
            }
        }
        all
    }
}

impl<const N: usize> Small<Numbers<N>> {
    fn new(metric: Metric, width: NumberWidth, signed: bool, codec: Codec) -> Self {
        let per_block = match codec {
            Codec::Stored | Codec::Contexts => 16,
            Codec::Zstd => 64,
        };
        let numbers = Numbers::new(NumberFormat { width, signed, unit: 100, error: 0.005 }).unwrap();
        let (lowest, step) = (if signed { -60 } else { 0 }, step(width));
        let mut rng = Rng::new(7);
        let mut number = |number| step * (lowest + 40 * number as i64 + rng.below(6) as i64);
        let entry = |index: u64| (!index.is_multiple_of(5)).then(|| std::array::from_fn(&mut number));
        let entries: Vec<_> = (0..2 * u64::from(per_block) + 5).map(entry).collect();
        let description = description(metric, entries.len() as u64);
        let write = |path: &Path, codec| {
            let entry = |index: u64| entries[index as usize];
            write_payload(path, &description, layout(per_block, codec), &numbers, entry, |_| ()).unwrap();
        };
        Self::written(write, codec, entries.clone())
    }
}

/// A factor that makes small numbers use all bytes of a number.
fn step(width: NumberWidth) -> i64 {
    match width {
        NumberWidth::One => 1,
        NumberWidth::Two => 200,
        NumberWidth::Four => 10_000_000,
    }
}

/// A check that runs on a small file of each payload.
trait Look {
    fn at<P: Entries>(&self, small: &Small<P>);

    fn at_each(&self) {
        Small::all().iter().for_each(|small| self.at(small));
        for width in [NumberWidth::One, NumberWidth::Two, NumberWidth::Four] {
            for signed in [false, true] {
                self.at(&Small::<Numbers<1>>::new(Metric::Equity, width, signed, Codec::Zstd));
                self.at(&Small::<Numbers<3>>::new(Metric::Distribution, width, signed, Codec::Stored));
            }
            self.at(&Small::<Numbers<3>>::new(Metric::Distribution, width, false, Codec::Zstd));
            self.at(&Small::<Numbers<1>>::new(Metric::Equity, width, true, Codec::Stored));
        }
    }
}

impl<P: Entries> Small<P> {
    fn written(write: impl Fn(&Path, Codec), codec: Codec, entries: Vec<P::Entry>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.est");
        let bytes = |codec| {
            write(&path, codec);
            fs::read(&path).unwrap()
        };
        let (stored, bytes) = (bytes(Codec::Stored), bytes(codec));
        assert_eq!(bytes.len() < stored.len(), codec == Codec::Zstd, "zstd makes blocks shorter");
        Self { bytes, folder, entries }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("damaged.est")
    }

    /// Opens and reads these bytes in every possible way. A block that can be read has the right entries, whatever is
    /// wrong with the others.
    fn read(&self, bytes: &[u8], what: &str) -> Vec<Result<(), Error>> {
        let path = self.path();
        // A new file for each damage would take much longer.
        let mut file = File::options().write(true).create(true).truncate(false).open(&path).unwrap();
        file.set_len(bytes.len() as u64).unwrap();
        file.write_all(bytes).unwrap();
        let read = |file: Result<TableFile, Error>| {
            let table = Table::<P>::of(file?)?;
            let mut result = Ok(());
            for (number, block) in table.iter_blocks().enumerate() {
                match block {
                    Ok(block) => {
                        let first = number * table.layout().entries_per_block as usize;
                        assert!(
                            block.iter().eq(self.entries[first..].iter().copied().take(block.len())),
                            "{what}"
                        );
                    }
                    Err(error) => result = Err(error),
                }
            }
            if result.is_ok() {
                assert_eq!(table.entries(), self.entries.len() as u64, "{what}");
            }
            result
        };
        let mut results: Vec<_> = backends().map(|backend| read(TableFile::open(&path, backend))).into();
        results.push(read(TableFile::from_bytes(bytes.to_vec())));
        results
    }

    /// Checks that no way of reading gives wrong entries. Returns whether all ways returned errors.
    fn is_found_out(&self, bytes: &[u8], what: &str) -> bool {
        let results = self.read(bytes, what);
        let file = || TableFile::from_bytes(bytes.to_vec());
        let checked = file().and_then(Table::<P>::of).and_then(|table| table.check());
        assert!(checked.is_err(), "the hash covers every byte: {what}");
        assert!(file().and_then(|file| file.check()).is_err(), "without the payload: {what}");
        results.iter().all(Result::is_err)
    }
}

/// Changes each byte of a small file of each payload with each of these patterns.
struct Change<'a>(&'a [u8]);

impl Look for Change<'_> {
    fn at<P: Entries>(&self, small: &Small<P>) {
        assert!(small.read(&small.bytes, "whole").iter().all(Result::is_ok));
        let mut bytes = small.bytes.clone();
        for at in 0..bytes.len() {
            for pattern in self.0 {
                bytes[at] ^= pattern;
                assert!(small.is_found_out(&bytes, &format!("byte {at} changed by {pattern:#x}")));
                bytes[at] ^= pattern;
            }
        }
    }
}

#[test]
fn every_changed_byte_is_found_out() {
    Change(&[0x01, 0x80, 0xff]).at_each();
}

#[test]
#[ignore = "minutes: part of the full run"]
fn every_change_of_every_byte_is_found_out() {
    Change(&(1..=u8::MAX).collect::<Vec<_>>()).at_each();
}

#[test]
fn every_truncation_is_found_out() {
    struct Cut;
    impl Look for Cut {
        fn at<P: Entries>(&self, small: &Small<P>) {
            for length in 0..small.bytes.len() {
                assert!(small.is_found_out(&small.bytes[..length], &format!("cut to {length}")));
            }
        }
    }
    Cut.at_each();
}

#[test]
fn appended_and_removed_bytes_are_found_out() {
    struct Shift;
    impl Look for Shift {
        fn at<P: Entries>(&self, small: &Small<P>) {
            for count in [1, 2, 3, 4, 7, 8, 59, 60, 61, 79] {
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
    }
    Shift.at_each();
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
        message(&with(8, 4)),
        "the table `PATH` has version 4 of the format, which is newer than this program, and only versions 1 to 3 can be read here"
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

/// Damaged, foreign and newer files are told apart, also if they are shorter than a header.
#[test]
fn kinds_of_faults_are_told_apart() {
    let small = &Small::all()[1];
    let path = small.path();
    let fault = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Table::open(&path, backends()[0]).and_then(|table| read_all(&table)).unwrap_err().fault()
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = small.bytes.clone();
        bytes[at] = byte;
        bytes
    };
    for cut in [0, 1, 7, 8, 31, 32, small.bytes.len() - 1] {
        assert_eq!(fault(&small.bytes[..cut]), Fault::Damaged, "{cut}");
    }
    for foreign in [&b"x"[..], b"notes", b"\x89PNG\r\n\x1a\n", &[0; 500]] {
        assert_eq!(fault(foreign), Fault::Foreign, "{foreign:?}");
    }
    assert_eq!(fault(&with(8, 4)), Fault::Newer);
    // There is no version 0, so no program has written it.
    assert_eq!(fault(&with(8, 0)), Fault::Damaged);
    assert_eq!(fault(&with(40, 0)), Fault::Damaged);
    fs::remove_file(&path).unwrap();
    assert_eq!(Table::open(&path, backends()[0]).unwrap_err().fault(), Fault::Unreadable);
    let names = [Fault::Damaged, Fault::Foreign, Fault::Newer, Fault::Misplaced, Fault::Unreadable];
    assert_eq!(names.map(Fault::name), ["damaged", "foreign", "newer", "misplaced", "unreadable"]);
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
