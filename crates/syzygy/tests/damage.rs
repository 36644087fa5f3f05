//! Damaged files give an error or an answer; they never panic, hang, or take memory without bound.

use chess::Position;
use endspiel_syzygy::{Material, ProbeError, Tablebase};
use game::Rng;

mod common;

/// A file and positions to probe it with.
struct Subject {
    name: &'static str,
    bytes: Vec<u8>,
    /// The other files that are needed for distances.
    others: Vec<(String, Vec<u8>)>,
    positions: Vec<Position>,
}

impl Subject {
    fn new(name: &'static str, probes: usize) -> Self {
        let read = |name: &str| fixtures::bytes(&format!("chess/syzygy/{name}"));
        let material: Material = name[..name.len() - 5].parse().expect("a material");
        let mut positions = Vec::new();
        common::random_positions(material, probes, 2, &mut |position| positions.push(position));
        let needed = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKR"].map(|name| format!("{name}.rtbw"));
        let others = match name.ends_with(".rtbz") {
            true => needed.into_iter().map(|name| (name.clone(), read(&name))).collect(),
            false => Vec::new(),
        };
        Self { name, bytes: read(name), others, positions }
    }

    /// Asks for what the file stores.
    fn ask(&self, tables: &Tablebase, position: &Position) -> Result<(), ProbeError> {
        match self.others.is_empty() {
            true => tables.wdl(position).map(|_| ()),
            false => tables.dtz(position).map(|_| ()),
        }
    }

    /// The number of positions that have no answer without the file. Draws, and wins by a capture or pawn move, have a
    /// distance without it.
    fn needing(&self) -> usize {
        let without = Tablebase::from_bytes(self.others.iter().cloned());
        self.positions.iter().filter(|position| self.ask(&without, position).is_err()).count()
    }

    /// Probes all positions. Returns the number of errors of the file; other errors are failures.
    fn probe(&self, bytes: Vec<u8>) -> usize {
        let others = self.others.iter().cloned();
        let tables = Tablebase::from_bytes(others.chain([(self.name.to_owned(), bytes)]));
        let mut errors = 0;
        for position in &self.positions {
            match self.ask(&tables, position) {
                Ok(()) => (),
                Err(ProbeError::Table(error)) => {
                    assert!(error.to_string().contains(self.name), "{error}");
                    errors += 1;
                }
                // After a capture.
                Err(ProbeError::Missing { .. }) => (),
                Err(error) => panic!("{}: {error}", self.name),
            }
        }
        errors
    }
}

#[test]
fn every_byte_of_a_small_table_with_every_value() {
    for name in ["KRvK.rtbw", "KQvK.rtbw"] {
        let subject = Subject::new(name, 12);
        assert_eq!(subject.probe(subject.bytes.clone()), 0);
        let mut refused = 0;
        for at in 0..subject.bytes.len() {
            for change in 1..=255 {
                let mut bytes = subject.bytes.clone();
                bytes[at] ^= change;
                refused += usize::from(subject.probe(bytes) > 0);
            }
        }
        assert!(refused > subject.bytes.len() * 255 / 10, "{name}: only {refused} were refused");
    }
}

#[test]
fn every_byte_of_larger_tables_with_some_values() {
    for name in ["KPvK.rtbw", "KPvK.rtbz", "KRvKR.rtbz", "KBvKN.rtbw"] {
        let subject = Subject::new(name, 8);
        assert_eq!(subject.probe(subject.bytes.clone()), 0);
        let mut rng = Rng::new(3);
        for at in 0..subject.bytes.len() {
            let mut bytes = subject.bytes.clone();
            bytes[at] ^= 1 + rng.below(255) as u8;
            subject.probe(bytes);
        }
    }
}

#[test]
fn files_that_are_cut_at_every_length() {
    for name in ["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw", "KPvK.rtbz", "KQvK.rtbz"] {
        let subject = Subject::new(name, 8);
        let needing = subject.needing();
        assert!(needing >= 2, "{name}: only {needing} positions need it");
        for length in 0..subject.bytes.len() {
            let errors = subject.probe(subject.bytes[..length].to_vec());
            assert_eq!(errors, needing, "{name} cut to {length} bytes");
        }
    }
}

#[test]
fn ten_thousand_random_files() {
    let mut rng = Rng::new(4);
    let subjects =
        ["KRvK.rtbw", "KPvK.rtbw", "KQvK.rtbz", "KPvKP.rtbw", "KRvKR.rtbz"].map(|name| Subject::new(name, 3));
    for number in 0..10_000 {
        let subject = &subjects[number % subjects.len()];
        // A part of the real header, so that the random bytes are read as the parts that follow it.
        let kept = rng.below(80) as usize;
        let length = 16 + 64 * (1 + rng.below(40) as usize);
        let mut bytes = subject.bytes[..kept.min(subject.bytes.len())].to_vec();
        // Small numbers are more likely to be valid than large ones.
        let bound = [256, 256, 24, 4][rng.below(4) as usize];
        bytes.resize_with(length.max(kept), || rng.below(bound) as u8);
        subject.probe(bytes);
    }
}

/// A file with holes: 200 million blocks of one byte with one value each, and an entry of the index that leads to the last one.
/// The walk from there to the first values is as long as the span allows.
#[cfg(unix)]
#[test]
fn walks_over_millions_of_blocks_are_refused_at_once() {
    use endspiel_syzygy::Problem;
    use std::os::unix::fs::FileExt;
    use std::time::{Duration, Instant};

    const NAME: &str = "KRvKR.rtbw";
    const BLOCKS: u32 = 200_000_000;
    /// The only part of the file begins here, with its flags: after the magic number, the flags of the file and the men.
    const PART: usize = 10;
    let real = fixtures::bytes(&format!("chess/syzygy/{NAME}"));
    let (longest, shortest) = (real[PART + 8], real[PART + 9]);
    let symbols = PART + 10 + 2 * usize::from(longest - shortest + 1);
    let count = usize::from(u16::from_le_bytes([real[symbols], real[symbols + 1]]));
    let index = symbols + 2 + 3 * count + count % 2;

    for span_bits in [32, 25, 24, 21] {
        let mut header = real[..index].to_vec();
        header[PART + 1..PART + 4].copy_from_slice(&[0, span_bits, 0]);
        header[PART + 4..PART + 8].copy_from_slice(&BLOCKS.to_le_bytes());
        // All positions share one entry, which is for the middle of its span; most are before it.
        header.extend((BLOCKS - 1).to_le_bytes());
        header.extend([0; 2]);
        let end = header.len() as u64 + 3 * u64::from(BLOCKS) + 64;

        let folder = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(folder.path().join(NAME)).unwrap();
        file.write_all_at(&header, 0).unwrap();
        file.set_len(end.next_multiple_of(64) + 16).unwrap();
        let tables = Tablebase::open([folder.path()]).unwrap();
        let position = "k7/8/8/8/8/1r6/7R/7K w - - 0 1".parse().unwrap();
        let start = Instant::now();
        let error = tables.wdl(&position).unwrap_err();
        let taken = start.elapsed();
        let ProbeError::Table(error) = error else { panic!("{error}") };
        match span_bits {
            0..=24 => assert!(matches!(error.problem, Problem::Block { .. }), "{error}"),
            _ => assert!(matches!(error.problem, Problem::BlockSizes), "{error}"),
        }
        assert!(taken < Duration::from_secs(5), "{taken:?} with a span of {span_bits} bits");
    }
}
