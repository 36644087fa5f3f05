//! Replays the corpus and a few thousand mutations of each of its files, the same on every run.

use endspiel_fuzz::TARGETS;
use game::Rng;
use std::path::Path;

const MUTATIONS: u64 = 2_000;

#[test]
fn the_corpus_and_its_mutations_break_no_law() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let files =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<_> = files.map(|file| file.expect("a readable folder").path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{} is empty", folder.display());
        for (n, file) in files.iter().enumerate() {
            let bytes = std::fs::read(file).expect("a readable file");
            target(&bytes);
            let mut rng = Rng::new(n as u64);
            for _ in 0..MUTATIONS {
                target(&mutated(&bytes, &mut rng));
            }
        }
    }
}

/// The bytes with one to four small changes: a byte replaced, removed, doubled, or the end cut off.
fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u64) as usize;
        let other = bytes[rng.below(bytes.len() as u64) as usize];
        match rng.below(5) {
            0 => bytes[at] = rng.next_u64() as u8,
            1 => bytes[at] = other,
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, other),
            _ => bytes.truncate(at),
        }
    }
    bytes
}
