//! Finds how much memory is free, also inside a container. It reads files that exist on Linux only. On other systems it
//! returns a guess.

use std::fs;
use std::path::{Path, PathBuf};

/// The guess if nothing is known: 4 GiB.
const GUESS: u64 = 4 << 30;

/// Nine tenths of the free memory, in bytes. The free memory is that of the machine, or what the limits of the control
/// groups leave, whichever is less.
pub fn free_memory() -> u64 {
    free_below(Path::new("/")).map_or(GUESS, |free| free / 10 * 9)
}

/// The free memory in bytes, from the files below a root folder.
fn free_below(root: &Path) -> Option<u64> {
    let machine = field(&root.join("proc/meminfo"), "MemAvailable:").map(|kibibytes| kibibytes * 1024);
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    machine.into_iter().chain(groups.lines().filter_map(|line| left_in_group(root, line))).min()
}

/// The memory that the limits of a control group and of its parent groups leave. A line of `/proc/self/cgroup` is
/// `0::/path` for version 2, and `number:memory:/path` for version 1.
fn left_in_group(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let version = match controllers {
        "" => Version {
            mount: "sys/fs/cgroup",
            limit: "memory.max",
            used: "memory.current",
            idle: "inactive_file",
        },
        _ if controllers.split(',').any(|name| name == "memory") => Version {
            mount: "sys/fs/cgroup/memory",
            limit: "memory.limit_in_bytes",
            used: "memory.usage_in_bytes",
            idle: "total_inactive_file",
        },
        _ => return None,
    };
    let mount = root.join(version.mount);
    let group = mount.join(path.trim_start_matches('/'));
    let up_to_mount = group.ancestors().take_while(|folder| folder.starts_with(&mount)).map(PathBuf::from);
    up_to_mount.filter_map(|folder| version.left_in(&folder)).min()
}

/// The file names of a version of control groups.
struct Version {
    mount: &'static str,
    limit: &'static str,
    used: &'static str,
    /// The field of `memory.stat` with the memory that the system can free at once: cached files that are not in use.
    idle: &'static str,
}

impl Version {
    /// The memory that the limit of one group leaves. Returns `None` if the group has no limit.
    fn left_in(&self, folder: &Path) -> Option<u64> {
        let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let limit = number(self.limit)?;
        let used = number(self.used).unwrap_or(0);
        let idle = field(&folder.join("memory.stat"), self.idle).unwrap_or(0);
        Some(limit.saturating_sub(used.saturating_sub(idle)))
    }
}

/// The number after `name`, in the line of a file that begins with this name.
fn field(file: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A root folder with these files.
    fn root(files: &[(&str, &str)]) -> TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        root
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:   8000 kB\n");

    #[test]
    fn without_groups_it_is_what_the_machine_has() {
        assert_eq!(free_below(root(&[]).path()), None);
        assert_eq!(free_below(root(&[MACHINE]).path()), Some(8000 << 10));
        let unlimited = [MACHINE, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "max\n")];
        assert_eq!(free_below(root(&unlimited).path()), Some(8000 << 10));
    }

    #[test]
    fn the_tightest_group_counts() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "0::/shop/till\n"),
            ("sys/fs/cgroup/shop/memory.max", "1000000\n"),
            ("sys/fs/cgroup/shop/memory.current", "400000\n"),
            ("sys/fs/cgroup/shop/memory.stat", "anon 1\ninactive_file 100000\n"),
            ("sys/fs/cgroup/shop/till/memory.max", "900000\n"),
            ("sys/fs/cgroup/shop/till/memory.current", "100000\n"),
        ];
        assert_eq!(free_below(root(&files).path()), Some(1_000_000 - 400_000 + 100_000));
    }

    #[test]
    fn the_first_version_is_known_too() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "3:cpu,cpuacct:/x\n7:memory:/x\n"),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "500000\n"),
            ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "600000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        assert_eq!(free_below(root(&files).path()), Some(0), "nothing is left");
    }
}
