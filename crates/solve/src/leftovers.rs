//! Files that killed runs have left in the folder of the tables.

use crate::lock::Lock;
use crate::run::Watch;
use crate::staged;
use game::quoted_path;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use table::working;

/// The files in a folder that no run needs: temporary files, new tables that were not completed, and the checkpoints and rows of
/// finished tables. All these files are hidden, and their extension tells what they are. What cannot be listed is not found.
fn find(folder: &Path) -> Vec<PathBuf> {
    let is_needless = |path: &PathBuf| {
        let hidden = path.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_prefix('.'));
        match hidden.and_then(|name| name.rsplit_once('.')) {
            Some((_, "part" | "spill")) => true,
            Some((tables, kind)) => {
                (kind == "checkpoint" || kind.starts_with("rows-")) && are_finished(folder, tables)
            }
            None => false,
        }
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_staged = |path: &PathBuf| path.file_name() == Some(OsStr::new(staged::FOLDER));
    let is_file = |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| !found.is_dir());
    let paths = files.map(|file| file.path());
    paths.filter(|path| is_staged(path) || (is_file(path) && is_needless(path))).collect()
}

/// Removes the files that killed runs have left in a folder of tables. The folder must be locked, because another run would need its own. Who writes the record
/// of a verification does not lock the folder, but the temporary file. The user is told what cannot be removed; it only takes room.
pub fn remove(folder: &Path, watch: &dyn Watch) {
    for path in find(folder) {
        let removed = match working::has_process_number(&path) {
            true => working::remove_if_abandoned(&path),
            false => working::remove_all(&path),
        };
        if let Err(error) = removed {
            watch.warning(&format!("{} cannot be removed: {error}", quoted_path(&path)));
        }
    }
}

/// Removes the same files for a run that has nothing to solve: only if there are any, because the folder may be read-only, and if no other run
/// solves there.
pub fn remove_if_idle(folder: &Path, watch: &dyn Watch) {
    if !find(folder).is_empty()
        && let Ok(_lock) = Lock::take(folder, "nothing")
    {
        remove(folder, watch);
    }
}

/// Returns whether a folder has all tables of a group, such as `2v1+1v2.dtm`.
fn are_finished(folder: &Path, tables: &str) -> bool {
    tables.rsplit_once('.').is_some_and(|(slices, metric)| {
        slices.split('+').all(|slice| folder.join(format!("{slice}.{metric}.est")).is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_needs_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let needed = [
            ".2v2.dtm.verified.77-2.part",
            ".lock",
            "2v1.dtm.est",
            "1v2.dtm.est",
            "2v2.wdl.est",
            "2v2.wdl.verified",
            ".2v2.dtm.checkpoint",
            ".2v1+2v2.dtm.checkpoint",
            ".3v3.wdl.rows-3v3",
            ".2v2+3v2.wdl.rows-2v2",
            "notes.part",
            ".profile",
            // What is being fetched from a server.
            ".2v2.dtm.est.0123456789abcdef.fetch",
            ".fetch.lock",
        ];
        let needless = [
            ".2v1+1v2.dtm.checkpoint",
            ".2v2.wdl.rows-2v2",
            ".2v2.dtm.part",
            ".2v2.dtm.est.part",
            ".2v2.dtm.verified.part",
            ".2v2.dtm.verified.77-1.part",
            ".77-1.spill",
            ".packing/onitama/cards/2v2.dtm.est",
        ];
        fs::create_dir_all(folder.path().join(".packing/onitama/cards")).expect("a folder");
        for name in needed.iter().chain(&needless) {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        // The record of a verification that is being written.
        let in_use = fs::File::open(folder.path().join(needed[0])).expect("a file");
        in_use.lock().expect("nobody else locks it");
        remove(folder.path(), &crate::Unwatched);
        remove(&folder.path().join("missing"), &crate::Unwatched);
        let check = || {
            assert!(needed.iter().all(|name| folder.path().join(name).exists()));
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), needed.len());
        };
        check();
        let more = folder.path().join(needless[0]);
        fs::write(&more, "").expect("a file");
        let lock = Lock::take(folder.path(), "another run").expect("nobody has it");
        remove_if_idle(folder.path(), &crate::Unwatched);
        assert!(more.exists(), "another run may need it");
        drop(lock);
        remove_if_idle(folder.path(), &crate::Unwatched);
        check();
    }
}
