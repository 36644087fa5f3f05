//! Tables of a real server, which is also slow, cut off and wrong. `remote.rs` has servers that misbehave more.
#![cfg(feature = "remote")]

mod common;
#[path = "common/nginx.rs"]
mod nginx;

use common::{clustered, description, different, layout, write_entries};
use endspiel_table::remote::{FetchError, Fetched, PageCache, Remote, RemoteError, Settings};
use endspiel_table::{
    Codec, Description, Entry, Error, Fault, Folder, Library, Manifest, Problem, Store, Table,
};
use game::{Metric, Rng};
use nginx::{Cut, Nginx};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const HEAP: &str = "matches/standard/heap.dtm.est";

fn settings() -> Settings {
    Settings {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(10),
        total: Duration::from_secs(30),
        tries: 3,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(20),
        remember: Duration::from_secs(600),
        cache: None,
        authorities: Vec::new(),
    }
}

/// Writes a table of several pages below a folder, and returns its entries.
fn write_table(root: &Path, slice: &str) -> Vec<Entry> {
    let entries = clustered(&different(Metric::Dtm, 200), 300_000, &mut Rng::new(3));
    let description =
        Description { slice: slice.to_owned(), ..description(Metric::Dtm, entries.len() as u64) };
    write_entries(&description.path(root), &description, layout(1 << 12, Codec::Stored), &entries);
    entries
}

fn write_manifest(root: &Path) -> Manifest {
    let (manifest, errors) = Manifest::of(&Library::new(root, 1 << 20), &|_| ());
    assert!(errors.is_empty());
    manifest.write(&root.join("manifest")).unwrap();
    manifest
}

fn find(url: &str, settings: Settings) -> Result<Option<Arc<Table>>, Error> {
    let library = Library::of(vec![Arc::new(Remote::new(url, settings).unwrap()) as _], 1 << 24);
    library.table("matches", "standard", "heap", Metric::Dtm)
}

/// Reads the whole table, if there is one, through a new cache of pages.
fn read(url: &str, settings: Settings) -> Result<Option<()>, Error> {
    let pages = tempfile::tempdir().unwrap();
    let cache = Some(PageCache { folder: pages.path().to_owned(), bytes: 64 << 20 });
    let settings = Settings { cache, ..settings };
    find(url, settings)?.map(|table| table.check()).transpose()
}

fn remote_error(error: &Error) -> RemoteError {
    let Problem::Io { reason, .. } = &error.problem else { panic!("{error}") };
    reason.get_ref().and_then(|reason| reason.downcast_ref()).cloned().unwrap_or_else(|| panic!("{error}"))
}

#[test]
fn tables_are_read_through_pages_that_are_kept() {
    let Some(nginx) = Nginx::start() else { return };
    let entries = write_table(&nginx.root(), "heap");
    let pages = tempfile::tempdir().unwrap();
    let cache = Some(PageCache { folder: pages.path().to_owned(), bytes: 64 << 20 });
    for with_manifest in [false, true] {
        let table = find(&nginx.url("plain"), Settings { cache: cache.clone(), ..settings() }).unwrap();
        let table = table.expect("the server has it");
        for (index, &entry) in (0u64..).zip(&entries).step_by(101) {
            assert_eq!(table.entry(index).unwrap(), entry, "{index}");
        }
        table.check().unwrap();
        if !with_manifest {
            write_manifest(&nginx.root());
        }
    }
    assert!(fs::read_dir(pages.path()).unwrap().count() > 2);
    // A table that is replaced on the server is another table: no kept page of the old one is used.
    let other = Description { ..description(Metric::Dtm, 300_000) };
    let rest: Vec<Entry> = entries.iter().rev().copied().collect();
    write_entries(&other.path(&nginx.root()), &other, layout(1 << 12, Codec::Stored), &rest);
    let table = find(&nginx.url("plain"), Settings { cache, ..settings() }).unwrap().unwrap();
    for (index, &entry) in (0u64..).zip(&rest).step_by(101) {
        assert_eq!(table.entry(index).unwrap(), entry, "{index}");
    }
}

/// A file that is replaced while it is open is an error, and never a mixture.
#[test]
fn a_table_that_is_replaced_while_it_is_open_is_an_error() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    let table = find(&nginx.url("plain"), settings()).unwrap().unwrap();
    let path = nginx.root().join(HEAP);
    let mut bytes = fs::read(&path).unwrap();
    bytes.push(0);
    fs::write(&path, bytes).unwrap();
    let error = table.check().unwrap_err();
    assert_eq!(remote_error(&error), RemoteError::Changed);
    assert!(error.to_string().contains("the file on the server has changed since it was opened"), "{error}");
}

#[test]
fn statuses_of_a_real_server() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    let error = |place: &str| remote_error(&read(&nginx.url(place), settings()).unwrap_err());
    let tried = |status| RemoteError::Tried { tries: 3, last: Box::new(RemoteError::Status { status }) };
    assert_eq!(error("500"), tried(500));
    assert_eq!(error("503"), tried(503));
    assert_eq!(error("whole"), RemoteError::NoRanges);
    assert_eq!(error("private"), RemoteError::Status { status: 401 });
    assert_eq!(error("empty"), RemoteError::Status { status: 204 });
    assert!(
        matches!(error("302"), RemoteError::Redirect { status: 302, to: Some(to) } if to.ends_with("/plain/"))
    );
    assert_eq!(read(&nginx.url("403"), settings()).unwrap(), None);
    assert_eq!(read(&nginx.url("nowhere"), settings()).unwrap(), None);
    let private = nginx.url("private").replace("://", "://me:secret@");
    assert_eq!(read(&private, settings()).unwrap(), Some(()));
    // A file without a byte has no range.
    fs::write(nginx.root().join(HEAP), "").unwrap();
    let empty = read(&nginx.url("plain"), settings()).unwrap_err();
    assert!(matches!(remote_error(&empty), RemoteError::TooShort | RemoteError::NoRanges), "{empty}");
}

#[test]
fn a_slow_server_is_waited_for_as_long_as_allowed() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    assert_eq!(read(&nginx.url("slow"), settings()).unwrap(), Some(()));
    let impatient = Settings { total: Duration::from_millis(300), tries: 2, ..settings() };
    let error = remote_error(&read(&nginx.url("crawl"), impatient).unwrap_err());
    assert_eq!(error, RemoteError::Tried { tries: 2, last: Box::new(RemoteError::Late) });
}

#[test]
fn a_connection_that_breaks_off_is_tried_again() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    for bytes in [0, 1, 50, 400, 10_000, 70_000] {
        let cut = Cut::new(nginx.address(), 2, bytes);
        assert_eq!(read(&cut.url("plain"), settings()).unwrap(), Some(()), "{bytes}");
        assert!(cut.connections() >= 3, "{bytes}");
        let always = Cut::new(nginx.address(), usize::MAX, bytes);
        let error = remote_error(&read(&always.url("plain"), settings()).unwrap_err());
        assert!(matches!(&error, RemoteError::Tried { tries: 3, .. }), "{bytes}: {error}");
        assert!(error.is_out_of_reach(), "{bytes}: {error}");
    }
}

/// Wrong bytes and wrong lengths on the server: like a damaged file on disk.
#[test]
fn damaged_files_of_a_server_are_damaged_tables() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    let path = nginx.root().join(HEAP);
    let bytes = fs::read(&path).unwrap();
    let mut rng = Rng::new(11);
    for round in 0..24 {
        let mut wrong = bytes.clone();
        let place = rng.below(bytes.len() as u64) as usize;
        match round % 3 {
            0 => wrong[place] ^= 1 << rng.below(8),
            1 => wrong.truncate(place.max(1)),
            _ => wrong.extend([0; 100]),
        }
        fs::write(&path, wrong).unwrap();
        let error = read(&nginx.url("plain"), settings()).unwrap_err();
        assert!(matches!(error.fault(), Fault::Damaged | Fault::Foreign | Fault::Newer), "{place}: {error}");
    }
    fs::write(&path, "something else, and short").unwrap();
    let error = read(&nginx.url("plain"), settings()).unwrap_err();
    assert_eq!(error.fault(), Fault::Foreign);
}

#[test]
fn certificates_are_checked() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    let url = nginx.secure_url("plain");
    let authorities = fs::read(nginx.certificate()).unwrap();
    let trusting = Settings { authorities, ..settings() };
    assert_eq!(read(&url, trusting.clone()).unwrap(), Some(()));
    // The certificate is for 127.0.0.1 only.
    let other = read(&url.replace("127.0.0.1", "localhost"), trusting.clone()).unwrap_err();
    assert!(matches!(remote_error(&other), RemoteError::Certificate { .. }), "{other}");
    // http at the port of https, and https at the port of http.
    let crossed = read(&url.replace("https:", "http:"), trusting.clone()).unwrap_err();
    assert_eq!(remote_error(&crossed), RemoteError::Status { status: 400 });
    let crossed = read(&nginx.url("plain").replace("http:", "https:"), trusting).unwrap_err();
    assert!(matches!(remote_error(&crossed), RemoteError::Protocol { .. }), "{crossed}");
    let untrusted = remote_error(&read(&url, settings()).unwrap_err());
    let told = untrusted.to_string();
    assert!(
        told.contains("the certificate of the server is not trusted")
            || untrusted == RemoteError::NoAuthorities,
        "{told}"
    );
}

fn fetch(url: &str, folder: &Path) -> Result<Fetched, FetchError> {
    let remote = Remote::new(url, settings()).unwrap();
    let expected = remote.manifest().unwrap().unwrap().get(HEAP).unwrap();
    remote.fetch(HEAP, expected, folder, &|_| (), &AtomicBool::new(false))
}

/// The files of a folder and its subfolders, hidden ones too, without the lock.
fn files(folder: &Path) -> Vec<String> {
    let Ok(here) = fs::read_dir(folder.join("matches/standard")) else { return Vec::new() };
    let mut names: Vec<_> =
        here.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != ".fetch.lock");
    names.sort();
    names
}

#[test]
fn whole_tables_are_fetched_and_continued() {
    let Some(nginx) = Nginx::start() else { return };
    write_table(&nginx.root(), "heap");
    write_manifest(&nginx.root());
    let bytes = fs::read(nginx.root().join(HEAP)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Nothing arrives, and nothing half-written has the name of a table.
    let cut = Cut::new(nginx.address(), usize::MAX, 2000);
    let error = fetch(&cut.url("plain"), folder.path()).unwrap_err();
    assert!(matches!(&error, FetchError::Remote { source, .. } if source.is_out_of_reach()), "{error}");
    assert!(
        matches!(&files(folder.path())[..], [part] if part.starts_with(".heap.dtm.est.") && part.ends_with(".fetch"))
    );
    assert!(Folder::new(folder.path()).list().names.is_empty());

    assert_eq!(fetch(&nginx.url("plain"), folder.path()).unwrap(), Fetched::Brought);
    assert_eq!(files(folder.path()), ["heap.dtm.est"]);
    assert_eq!(fs::read(folder.path().join(HEAP)).unwrap(), bytes);
    assert_eq!(fetch(&nginx.url("plain"), folder.path()).unwrap(), Fetched::Here);

    // The manifest is of another version of the table.
    let other = tempfile::tempdir().unwrap();
    let mut changed = bytes.clone();
    changed[5000] ^= 1;
    fs::write(nginx.root().join(HEAP), &changed).unwrap();
    for wrong in [changed, bytes[1..].to_vec(), [&bytes[..], b"more"].concat()] {
        fs::write(nginx.root().join(HEAP), wrong).unwrap();
        let error = fetch(&nginx.url("plain"), other.path()).unwrap_err();
        assert!(matches!(error, FetchError::Wrong { .. }), "{error}");
        assert!(files(other.path()).is_empty());
    }
    fs::remove_file(nginx.root().join(HEAP)).unwrap();
    let error = fetch(&nginx.url("plain"), other.path()).unwrap_err();
    assert!(matches!(error, FetchError::NotThere { .. }), "{error}");
    assert_eq!(fs::read(folder.path().join(HEAP)).unwrap(), bytes, "what is here is not lost");
}
