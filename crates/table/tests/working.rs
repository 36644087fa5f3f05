//! The files that a run makes for itself do no harm to others, whatever has their names.
#![cfg(unix)]

use endspiel_table::{NotAFile, working};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// Puts something at a path. The file `victim` must stay as it is.
type Plant = fn(at: &Path, victim: &Path);

const LINKS: [Plant; 2] =
    [|at, victim| symlink(victim, at).unwrap(), |at, victim| fs::hard_link(victim, at).unwrap()];

const OTHERS: [Plant; 3] = [
    |at, _| assert!(Command::new("mkfifo").arg(at).status().unwrap().success()),
    |at, _| drop(UnixListener::bind(at).unwrap()),
    |at, _| symlink("/dev/zero", at).unwrap(),
];

/// Calls `work` for a path at which each of these things was planted, and checks that the victim is unharmed.
fn at_each(plants: &[Plant], work: impl Fn(&Path)) {
    for plant in plants {
        let folder = tempfile::tempdir().unwrap();
        let (victim, path) = (folder.path().join("victim"), folder.path().join(".lock"));
        fs::write(&victim, "precious").unwrap();
        plant(&path, &victim);
        work(&path);
        assert_eq!(fs::read(victim).unwrap(), b"precious");
    }
}

fn is_not_a_file<T>(opened: std::io::Result<T>) -> bool {
    opened.is_err_and(|error| NotAFile::is_reason_of(&error))
}

#[test]
fn new_files_replace_what_had_their_name() {
    at_each(&[&LINKS[..], &OTHERS].concat(), |path| {
        working::create(path).unwrap().write_all(b"ours").unwrap();
        assert!(fs::symlink_metadata(path).unwrap().is_file());
        assert_eq!(fs::read(path).unwrap(), b"ours");
    });
    let folder = tempfile::tempdir().unwrap();
    assert!(working::create(folder.path()).is_err(), "a folder stays");
}

#[test]
fn only_regular_files_are_opened() {
    at_each(&[&LINKS[..1], &OTHERS].concat(), |path| {
        assert!(is_not_a_file(working::open(path)));
        assert!(is_not_a_file(working::open_or_create(path)));
    });
}

#[test]
fn files_of_ours_keep_their_contents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".lock");
    assert_eq!(working::open(&path).unwrap_err().kind(), ErrorKind::NotFound);
    working::open_or_create(&path).unwrap().write_all(b"ours").unwrap();
    let mut text = String::new();
    working::open_or_create(&path).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "ours");
    working::remove(&path).unwrap();
    working::remove(&path).unwrap();
    assert!(!path.exists());
}

/// Two commands may write the same manifest, or verify the same table, at the same time.
#[test]
fn a_file_that_many_replace_is_always_whole() {
    const LINE: &str = "a line of the file\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest");
    let replace = || {
        for _ in 0..200 {
            // Each line is written on its own, so that others have time meanwhile.
            let lines = |file: &mut std::io::BufWriter<fs::File>| {
                (0..5).try_for_each(|_| file.write_all(LINE.as_bytes()).and_then(|()| file.flush()))
            };
            working::replace(&path, lines).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), LINE.repeat(5));
        }
    };
    std::thread::scope(|scope| drop([(); 4].map(|()| scope.spawn(replace))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

/// The temporary file of a process that was killed is removed, and that of a process at work is not.
#[test]
fn only_temporary_files_that_nobody_writes_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (left, held) = ([".list.part", ".list.7-0.part"], ".list.8-0.part");
    let others = [".list.x.part", ".list.7-0", ".lists.7-0.part", "list.7-0.part"];
    left.iter().chain(&others).for_each(|name| fs::write(at(name), "a part").unwrap());
    let file = fs::File::create(at(held)).unwrap();
    file.lock().unwrap();
    working::replace(&at("list"), |file| file.write_all(b"whole")).unwrap();
    assert_eq!(fs::read(at("list")).unwrap(), b"whole");
    assert!(left.iter().all(|name| !at(name).exists()));
    assert!(at(held).exists() && others.iter().all(|name| at(name).exists()));
}
