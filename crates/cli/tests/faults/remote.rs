//! Faults while tables are fetched from a server, and while pages of its tables are kept.

use crate::common::{endspiel, solve_these, succeed};
use crate::disturbed::{Disturbed, Duty};
use crate::server::{self, Server};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const FOLDER: &str = "onitama/boar-crab-elephant-horse-ox";

/// A server with some small tables and 3v1, which has two pieces of a download and eight pages.
struct Served {
    folder: TempDir,
    server: Server,
}

impl Served {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        succeed(solve_these("onitama 3v1", folder.path()));
        let mut manifest = endspiel("tables --manifest", folder.path());
        manifest.arg("--tables").arg(folder.path()).arg("--out").arg(folder.path().join("manifest"));
        succeed(manifest);
        let root = folder.path().to_owned();
        let server = Server::new(move |request, stream| {
            let Ok(bytes) = fs::read(root.join(request.path.trim_start_matches('/'))) else {
                return server::status(stream, "404 Not Found", "");
            };
            if request.range.is_some() {
                return server::range(request, &bytes, "same", stream);
            }
            let length = bytes.len();
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n")?;
            stream.write_all(&bytes)
        });
        Self { folder, server }
    }

    /// The bytes of a table.
    fn table(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(FOLDER).join(name)).expect("a table")
    }

    /// The name of the hidden file for the bytes of a table.
    fn part(&self, name: &str) -> String {
        let manifest = fs::read_to_string(self.folder.path().join("manifest")).expect("a manifest");
        let line = manifest.lines().find(|line| line.ends_with(&format!("/{name}"))).expect("it is listed");
        format!(".{name}.{}.fetch", &line[..16])
    }

    /// Fetches tables to a folder.
    fn fetch(&self, names: &[&str], folder: &Path) -> Command {
        let mut command = endspiel("tables --remote", folder);
        command.arg(self.server.url()).arg("--tables").arg(folder).arg("--fetch");
        command.args(names.iter().map(|name| format!("{FOLDER}/{name}")));
        command
    }

    /// Asks for an answer that needs all pages of a table, and keeps them in a folder.
    fn ask(&self, cache_bytes: &str, folder: &Path) -> Command {
        let mut command = endspiel("stats onitama 3v1 --json --threads 1 --remote", folder);
        command.arg(self.server.url()).args(["--remote-cache", cache_bytes]);
        command.arg("--tables").arg(self.folder.path().join("no such folder"));
        command
    }

    /// What earlier downloads have left: a damaged table, wrong and right beginnings, and beginnings of other tables.
    fn leave_remains(&self, folder: &Path) {
        let folder = folder.join(FOLDER);
        fs::create_dir_all(&folder).expect("a folder of ours");
        let other = |name: &str| format!(".{name}.0123456789abcdef.fetch");
        let [small, here, large] = ["1v1", "1v2", "3v1"].map(|slice| format!("{slice}.dtm.est"));
        let mut wrong = self.table(&large)[..300_000].to_vec();
        wrong[100] ^= 1;
        for (name, bytes) in [
            (small.clone(), &self.table(&small)[..1000]),
            (self.part(&small), &self.table(&small)[..1000]),
            (other(&small), b"other"),
            (here.clone(), &self.table(&here)),
            (self.part(&here), &self.table(&here)[..1000]),
            (other(&here), b"other"),
            (self.part(&large), &wrong),
        ] {
            fs::write(folder.join(name), bytes).expect("a file of ours");
        }
    }
}

#[test]
fn faults_of_a_fetch() {
    let served = Served::new();
    let fetch = |folder: &Path| served.fetch(&["1v1", "3v1"], folder);
    Disturbed::new("a fetch", Duty::Files, |_| (), fetch).disturb_each_in_every_way();
}

#[test]
fn faults_of_a_fetch_among_remains() {
    let served = Served::new();
    let fetch = |folder: &Path| served.fetch(&["1v1", "1v2", "3v1"], folder);
    let remains = |folder: &Path| served.leave_remains(folder);
    Disturbed::new("a fetch among remains", Duty::Files, remains, fetch).disturb_each();
}

#[test]
#[ignore = "some 20 seconds: part of the full run"]
fn all_faults_of_a_fetch() {
    let served = Served::new();
    let fetch = |folder: &Path| served.fetch(&["1v1", "1v2", "2v1", "1v3", "3v1"], folder);
    Disturbed::new("a fetch of five tables", Duty::Files, |_| (), fetch).disturb_each_in_every_way();
    let remains = |folder: &Path| served.leave_remains(folder);
    Disturbed::new("a fetch among remains", Duty::Files, remains, fetch).disturb_each_in_every_way();
}

/// More than all pages take.
const AMPLE: &str = "1G";
/// A little more than the six pages that are kept take.
const TIGHT: &str = "440K";

/// Damages some of the pages that are kept, and adds pages of another table, which have to go.
fn leave_old_pages(served: &Served, folder: &Path) {
    succeed(served.ask(AMPLE, folder));
    let pages = fs::read_dir(folder.join("endspiel/remote")).expect("pages");
    let mut pages: Vec<_> = pages.map(|page| page.expect("a page").path()).collect();
    pages.sort();
    assert_eq!(pages.len(), 6, "the first and the last page of eight are not kept");
    for (number, path) in pages.iter().enumerate() {
        let mut bytes = fs::read(path).expect("a page");
        fs::write(path.with_file_name(format!("{number:064x}.page")), &bytes).expect("a file of ours");
        bytes[1000] ^= 1;
        match number {
            0 | 1 => fs::write(path, bytes).expect("a file of ours"),
            2 => fs::write(path, &bytes[..1000]).expect("a file of ours"),
            _ => fs::remove_file(path).expect("a file of ours"),
        }
    }
}

#[test]
fn faults_of_the_kept_pages() {
    let served = Served::new();
    Disturbed::new("new pages", Duty::Answer, |_| (), |folder| served.ask(AMPLE, folder)).disturb_each();
}

#[test]
fn faults_of_old_and_damaged_pages() {
    let served = Served::new();
    let old = |folder: &Path| leave_old_pages(&served, folder);
    let ask = |folder: &Path| served.ask(TIGHT, folder);
    Disturbed::new("old pages", Duty::Answer, old, ask).disturb_each();
}

#[test]
#[ignore = "some 20 seconds: part of the full run"]
fn all_faults_of_the_kept_pages() {
    let served = Served::new();
    let ask = |folder: &Path| served.ask(AMPLE, folder);
    Disturbed::new("new pages", Duty::Answer, |_| (), ask).disturb_each_in_every_way();
    let old = |folder: &Path| leave_old_pages(&served, folder);
    let ask = |folder: &Path| served.ask(TIGHT, folder);
    Disturbed::new("old pages", Duty::Answer, old, ask).disturb_each_in_every_way();
}
