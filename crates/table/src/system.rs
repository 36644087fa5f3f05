//! File operations that differ between operating systems. A `cfg` selects the module. The portable module is tested on
//! every system.

#[cfg(any(test, not(unix)))]
pub(crate) mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use portable::{FileAt, sync_folder};
#[cfg(not(unix))]
pub(crate) use portable::{is_out_of_files, without_links, without_waiting};
#[cfg(unix)]
pub use unix::{FileAt, sync_folder};
#[cfg(unix)]
pub(crate) use unix::{is_out_of_files, without_links, without_waiting};

#[cfg(test)]
mod tests {
    use super::{FileAt, portable};
    use std::fs::{self, File};

    /// Both modules give the same results and the same errors when they read, write or change lengths.
    #[test]
    fn the_portable_twin_does_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, (0..100).collect::<Vec<u8>>()).unwrap();
            File::options().read(true).write(true).open(path).unwrap()
        };
        let (fast, slow) = (FileAt::new(open("fast")), portable::FileAt::new(open("slow")));
        for (offset, length) in [(90, 10), (0, 100), (17, 0), (3, 5), (90, 11), (1000, 1)] {
            let [mut fast_bytes, mut slow_bytes] = [(); 2].map(|()| vec![0; length]);
            let read = fast.read_exact_at(&mut fast_bytes, offset).is_ok();
            assert_eq!(read, slow.read_exact_at(&mut slow_bytes, offset).is_ok());
            assert_eq!(read, offset as usize + length <= 100);
            assert!(!read || fast_bytes == slow_bytes);
        }
        for (offset, bytes) in [(40, &b"forty"[..]), (98, b"beyond"), (200, b"a hole")] {
            fast.write_all_at(bytes, offset).unwrap();
            slow.write_all_at(bytes, offset).unwrap();
        }
        assert_eq!((fast.length().unwrap(), slow.length().unwrap()), (206, 206));
        fast.set_length(150).unwrap();
        slow.set_length(150).unwrap();
        let [fast, slow] = ["fast", "slow"].map(|name| fs::read(folder.path().join(name)).unwrap());
        assert!(fast == slow && fast.len() == 150);
    }
}
