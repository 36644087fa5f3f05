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

    /// Probes all positions. Returns the number of errors of the file; other errors are failures.
    fn probe(&self, bytes: Vec<u8>) -> usize {
        let others = self.others.iter().cloned();
        let tables = Tablebase::from_bytes(others.chain([(self.name.to_owned(), bytes)]));
        let mut errors = 0;
        for position in &self.positions {
            let answer = match self.others.is_empty() {
                true => tables.wdl(position).map(|_| ()),
                false => tables.dtz(position).map(|_| ()),
            };
            match answer {
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
        let subject = Subject::new(name, 4);
        for length in 0..subject.bytes.len() {
            let errors = subject.probe(subject.bytes[..length].to_vec());
            let is_wdl = subject.others.is_empty();
            assert!(!is_wdl || errors == subject.positions.len(), "{name} cut to {length} bytes");
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
