//! Replays the corpus, the seeds of each target, and a few thousand mutations of each input. Every run uses the same
//! mutations.

use endspiel_fuzz::{Target, targets};
use game::Rng;
use std::path::{Path, PathBuf};

const MUTATIONS: u64 = 2_000;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The files of a folder, sorted. Empty if the folder does not exist.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = files.map(|file| file.expect("a readable folder").path()).collect();
    files.sort();
    files
}

#[test]
fn the_corpus_and_its_mutations_break_no_law() {
    for Target { name, run, seeds } in targets() {
        let files = files_in(&corpus().join(&name));
        let stored = files.iter().map(|file| std::fs::read(file).expect("a readable file"));
        let mut inputs = 0;
        for (n, bytes) in stored.chain(seeds).enumerate() {
            run(&bytes);
            inputs += 1;
            let mut rng = Rng::new(n as u64);
            for _ in 0..MUTATIONS {
                run(&mutated(&bytes, &mut rng));
            }
        }
        assert!(inputs > 0, "{name} has neither a file in the corpus nor a seed");
    }
}

#[test]
fn every_folder_of_the_corpus_has_its_target() {
    let names: Vec<String> = targets().into_iter().map(|target| target.name).collect();
    let folders = files_in(&corpus());
    assert!(!folders.is_empty());
    for folder in folders {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a plain name");
        assert!(names.iter().any(|known| known == name), "{name} is none of {names:?}");
        assert!(!files_in(&folder).is_empty(), "{name} is empty");
    }
}

/// Returns the bytes with one to four small changes: a byte is replaced, removed or inserted, or the end is cut off.
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
