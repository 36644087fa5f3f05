//! Pages of remote files that are kept in a folder.
//!
//! A page is a file of its own. Its name is a hash of what it is a page of, and its last bytes are a hash of its contents. So
//! several processes can share the folder, and a damaged page is noticed and read from the server again.

use super::PageCache;
use crate::working;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

/// The length of a page. The last page of a file is shorter.
pub(crate) const PAGE: u64 = 1 << 16;

const HASH: usize = blake3::OUT_LEN;

/// The pages in a folder. Errors of the folder are ignored: the pages can be read from the server.
#[derive(Debug)]
pub(crate) struct Pages {
    cache: PageCache,
    /// The bytes that this process has written since it last looked at the size of the folder. At first, it has not looked.
    unseen: AtomicU64,
}

/// The name of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PageKey(blake3::Hash);

impl PageKey {
    /// The name of a page of a file. The URL comes last, because only it has no fixed length.
    pub(crate) fn new(url: &str, length: u64, contents: blake3::Hash, page: u64) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(contents.as_bytes());
        hasher.update(&length.to_le_bytes());
        hasher.update(&page.to_le_bytes());
        hasher.update(url.as_bytes());
        Self(hasher.finalize())
    }

    /// The hash of the page with these contents. It depends on the name, so that a page under a wrong name is noticed.
    fn hash_of(self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(self.0.as_bytes(), bytes)
    }
}

impl Pages {
    pub(crate) fn new(cache: PageCache) -> Self {
        let unseen = AtomicU64::new(cache.bytes);
        Self { cache, unseen }
    }

    fn path(&self, key: PageKey) -> PathBuf {
        self.cache.folder.join(format!("{}.{EXTENSION}", key.0))
    }

    /// Returns a page of this length, if it is there and whole.
    pub(crate) fn get(&self, key: PageKey, length: usize) -> Option<Vec<u8>> {
        let mut file = working::open(&self.path(key)).ok()?;
        let mut bytes = Vec::with_capacity(length + HASH + 1);
        Read::by_ref(&mut file).take((length + HASH + 1) as u64).read_to_end(&mut bytes).ok()?;
        let (contents, hash) = bytes.split_at_checked(length)?;
        if key.hash_of(contents) != *<&[u8; HASH]>::try_from(hash).ok()? {
            self.remove(key);
            return None;
        }
        // The pages that were used last are kept.
        let _ = file.set_modified(SystemTime::now());
        bytes.truncate(length);
        Some(bytes)
    }

    pub(crate) fn put(&self, key: PageKey, bytes: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        let temporary = self.cache.folder.join(format!(".{}-{number}.{TEMPORARY}", std::process::id()));
        let written = fs::create_dir_all(&self.cache.folder)
            .and_then(|()| working::create(&temporary))
            .and_then(|mut file| {
                file.write_all(bytes)?;
                file.write_all(key.hash_of(bytes).as_bytes())
            })
            .and_then(|()| fs::rename(&temporary, self.path(key)));
        if written.is_err() {
            let _ = working::remove(&temporary);
        }
        let size = (bytes.len() + HASH) as u64;
        // The folder is listed only now and then.
        if self.unseen.fetch_add(size, Relaxed) + size > self.cache.bytes / 16 {
            self.unseen.store(0, Relaxed);
            self.trim();
        }
    }

    pub(crate) fn remove(&self, key: PageKey) {
        let _ = working::remove(&self.path(key));
    }

    /// Removes the least recently used pages if there are too many, and what killed processes left.
    fn trim(&self) {
        const ABANDONED: Duration = Duration::from_secs(3600);
        let files = fs::read_dir(&self.cache.folder).into_iter().flatten().filter_map(|file| {
            let file = file.ok()?;
            let metadata = file.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len(), file.path()))
        });
        let (mut pages, others): (Vec<_>, Vec<_>) =
            files.partition(|(_, _, path)| has_extension(path, EXTENSION));
        for (modified, _, path) in others {
            let is_abandoned = modified.elapsed().is_ok_and(|age| age > ABANDONED);
            if is_abandoned && has_extension(&path, TEMPORARY) {
                let _ = working::remove(&path);
            }
        }
        let mut bytes: u64 = pages.iter().map(|(_, length, _)| length).sum();
        if bytes <= self.cache.bytes {
            return;
        }
        pages.sort();
        // Some more than needed, so that the next pages have room.
        let goal = self.cache.bytes - self.cache.bytes / 8;
        for (_, length, path) in pages {
            if bytes <= goal {
                return;
            }
            if working::remove(&path).is_ok() {
                bytes -= length;
            }
        }
    }
}

const EXTENSION: &str = "page";
const TEMPORARY: &str = "part";

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(page: u64) -> PageKey {
        PageKey::new("http://a/b", 1 << 30, blake3::hash(b"contents"), page)
    }

    fn pages(folder: &Path, bytes: u64) -> Pages {
        Pages::new(PageCache { folder: folder.join("pages"), bytes })
    }

    fn kept(folder: &Path) -> usize {
        fs::read_dir(folder.join("pages")).unwrap().count()
    }

    #[test]
    fn pages_are_kept_and_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let pages = pages(folder.path(), 1 << 20);
        assert_eq!(pages.get(key(0), 5), None);
        pages.put(key(0), b"hello");
        assert_eq!(pages.get(key(0), 5).as_deref(), Some(&b"hello"[..]));
        let path = pages.path(key(0));
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert_eq!(pages.get(key(0), 5), None, "byte {place}");
            assert!(!path.exists());
        }
        for length in 0..whole.len() + 3 {
            let mut bytes = whole.clone();
            bytes.resize(length, 0);
            fs::write(&path, bytes).unwrap();
            assert_eq!(pages.get(key(0), 5).is_some(), length == whole.len(), "length {length}");
        }
        // A whole page under the name of another one.
        fs::write(pages.path(key(1)), whole).unwrap();
        assert_eq!(pages.get(key(1), 5), None);
    }

    #[test]
    fn every_part_of_a_key_counts() {
        let contents = blake3::hash(b"contents");
        let keys = [
            key(0),
            key(1),
            PageKey::new("http://a/c", 1 << 30, contents, 0),
            PageKey::new("http://a/b", 1 << 29, contents, 0),
            PageKey::new("http://a/b", 1 << 30, blake3::hash(b"other"), 0),
        ];
        for (number, key) in keys.iter().enumerate() {
            assert!(!keys[..number].contains(key), "{number}");
        }
    }

    /// The folder never has more than its bound, and the pages that were used last stay.
    #[test]
    fn the_least_recently_used_pages_go() {
        let folder = tempfile::tempdir().unwrap();
        let bound = 8 * (100 + HASH as u64);
        let pages = pages(folder.path(), bound);
        for number in 0..40 {
            pages.put(key(number), &[number as u8; 100]);
            assert!(kept(folder.path()) <= 8);
            // The times of files may have a resolution of milliseconds.
            std::thread::sleep(Duration::from_millis(5));
            assert!(pages.get(key(0), 100).is_some(), "page 0 is used all the time");
        }
        assert!(pages.get(key(39), 100).is_some() && pages.get(key(20), 100).is_none());
        // Another process with a smaller bound removes more.
        self::pages(folder.path(), bound / 2).put(key(40), &[0; 100]);
        assert!(kept(folder.path()) <= 4);
    }

    #[test]
    fn only_abandoned_files_of_ours_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let pages = pages(folder.path(), 1 << 10);
        fs::create_dir(folder.path().join("pages")).unwrap();
        let old = SystemTime::now() - Duration::from_secs(7200);
        for (name, time) in [(".1-1.part", old), (".1-2.part", SystemTime::now()), ("notes.txt", old)] {
            let path = folder.path().join("pages").join(name);
            fs::write(&path, "").unwrap();
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
        pages.put(key(0), b"page");
        let has = |name: &str| folder.path().join("pages").join(name).exists();
        assert!(!has(".1-1.part") && has(".1-2.part") && has("notes.txt"));
    }

    /// What the folder cannot keep is simply not kept.
    #[test]
    fn a_folder_that_fails_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("pages"), "a file").unwrap();
        let pages = pages(folder.path(), 1 << 20);
        pages.put(key(0), b"page");
        assert_eq!(pages.get(key(0), 4), None);
    }

    /// A link with the name of a page leads nowhere.
    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let pages = pages(folder.path(), 1 << 20);
        pages.put(key(0), b"page");
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(pages.path(key(0)), &elsewhere).unwrap();
        let before = fs::read(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, pages.path(key(0))).unwrap();
        assert_eq!(pages.get(key(0), 4), None);
        pages.put(key(0), b"egap");
        assert_eq!(fs::read(elsewhere).unwrap(), before);
        assert_eq!(pages.get(key(0), 4).as_deref(), Some(&b"egap"[..]));
    }
}
