//! Packs tables by a kernel and in the generic way, and compares.

#[path = "../../../table/tests/common/forging.rs"]
mod forging;

use crate::solving::Way;
use forging::spoil_hash;
use game::{Endgame, Metric};
use solve::{Kernel, Reading, Run, Unmoves, Unwatched, answered_by_conversions, describe, pack, whole};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use table::{Entry, Library, Table};

fn library(folder: &Path) -> Library {
    Library::new(folder, 1 << 20)
}

fn entries(table: &Table) -> Vec<Entry> {
    table.iter_blocks().flat_map(|block| block.expect("a good block").iter().collect::<Vec<_>>()).collect()
}

/// The files of a folder of tables, with their bytes.
fn files<G: Endgame>(game: &G, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let folder = folder.join(G::INFO.name).join(game.table_rules_id());
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "est"))
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file")))
        .map(|(path, bytes)| (path.rsplit('/').next().unwrap_or_default().to_owned(), bytes))
        .collect();
    files.sort();
    files
}

/// To derive all values does not read the content hashes of the files, but a kernel checks them, too.
fn check_hashes<G: Endgame>(
    game: &G,
    kernel: &dyn Kernel<G>,
    slice: G::Slice,
    metric: Metric,
    folder: &Path,
) {
    let path = describe(game, slice, metric).path(folder);
    let good = std::fs::read(&path).expect("a table");
    let mut spoilt = good.clone();
    spoil_hash(&mut spoilt);
    std::fs::write(&path, spoilt).expect("our file");
    let verified = kernel.verify(game, &library(folder), slice, metric, 4 << 30, &|_| ());
    assert!(verified.is_err(), "{slice} {metric:?}");
    std::fs::write(&path, good).expect("our file");
}

/// What a kernel has done itself, in tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByKernel {
    pub answered: usize,
    pub completed: usize,
    pub verified: usize,
}

/// Solves slices and all that they need, packs the tables in both ways, and completes them in both ways. Returns what the
/// kernel has done.
pub fn kernel_and_generic_way_agree<G: Endgame>(
    game: &G,
    kernel: &dyn Kernel<G>,
    slices: &[G::Slice],
    metric: Metric,
) -> ByKernel {
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt };
    let folders = [Some(kernel), None].map(|packing| {
        let folder = tempfile::tempdir().expect("a folder");
        Way::by(Some(kernel)).solve(game, slices, metric, folder.path()).expect("it fits");
        (packing, folder)
    });
    let folder = folders[0].1.path();
    let solved: Vec<G::Slice> = game
        .groups()
        .concat()
        .into_iter()
        .filter(|&slice| describe(game, slice, metric).path(folder).exists())
        .collect();
    let mut by_kernel = ByKernel { answered: 0, completed: 0, verified: 0 };
    let tables: Vec<_> = solved
        .iter()
        .map(|&slice| {
            let library = library(folder);
            let table = library.described(&describe(game, slice, metric)).expect("a good table");
            let table = table.expect("a table");
            let reading = Reading::generic(1 << 30);
            let generic = answered_by_conversions(game, &library, slice, metric, reading, &table, &run);
            let answered = kernel.answered_by_conversions(game, &library, slice, metric, &table);
            if let Some(answered) = answered.expect("tables") {
                assert!(answered == generic.expect("tables"), "{slice} {metric:?}");
                by_kernel.answered += 1;
            }
            entries(&table)
        })
        .collect();
    for (kernel, folder) in &folders {
        for &slice in solved.iter().rev() {
            let reading = Reading { kernel: *kernel, memory: 4 << 30 };
            let is_small = pack(game, &library(folder.path()), &[slice], metric, reading, &run);
            assert!(is_small.expect("it can be packed"), "{slice} {metric:?}");
        }
    }
    let [specially, generic] = folders.each_ref().map(|(_, folder)| files(game, folder.path()));
    assert!(specially == generic && !generic.is_empty(), "{metric:?}");
    for (&slice, expected) in solved.iter().zip(&tables) {
        let library = library(folder);
        let generic = whole(game, &library, slice, metric, None).expect("tables").expect("a table");
        assert!(entries(&generic) == *expected, "{slice} {metric:?}: the generic way");
        let small =
            library.small(&describe(game, slice, metric)).expect("a good table").expect("it is small");
        if let Some(table) = kernel.complete(game, &library, slice, metric, &small).expect("tables") {
            let found = entries(&table);
            let wrong = (0..found.len()).find(|&index| found[index] != expected[index]);
            let at = |index: usize| (index, found[index], expected[index]);
            assert_eq!(wrong.map(at), None, "{slice} {metric:?}");
            assert_eq!(table.path(), generic.path());
            by_kernel.completed += 1;
        }
        let verified = kernel.verify(game, &library, slice, metric, 4 << 30, &|_| ()).expect("tables");
        if let Some(verified) = verified {
            assert!(verified.wrong.is_empty(), "{slice} {metric:?}");
            by_kernel.verified += 1;
            check_hashes(game, kernel, slice, metric, folder);
        }
    }
    by_kernel
}
