//! Finds how much space a disk has left.

use std::path::Path;

/// The bytes that can still be written below a folder, or below the first of its parents that exists. `None` if the system does not
/// say.
pub fn free_disk(folder: &Path) -> Option<u64> {
    // A relative path ends in an empty one, which is the current folder.
    let named =
        |folder: &Path| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.to_owned();
    folder.ancestors().map(named).find(|folder| folder.exists()).and_then(|folder| left_on(&folder))
}

#[cfg(unix)]
fn left_on(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn left_on(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_has_the_space_of_its_parent() {
        let folder = tempfile::tempdir().unwrap();
        let [there, not_yet] =
            [folder.path().to_owned(), folder.path().join("a/b")].map(|path| free_disk(&path));
        // Other programs write at the same time.
        let [there, not_yet] = [there, not_yet].map(|free| free.expect("a disk") >> 30);
        assert!(there.abs_diff(not_yet) <= 1);
        assert!(free_disk(Path::new("no-such-folder")).is_some());
    }
}
