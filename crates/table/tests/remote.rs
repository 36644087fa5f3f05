//! Tables of servers that misbehave. `remote_nginx.rs` asks a real server.
#![cfg(feature = "remote")]

mod common;
#[path = "common/forging.rs"]
mod forging;
#[path = "common/race.rs"]
mod race;
#[path = "common/server.rs"]
mod server;

use common::{clustered, description, different, layout, write_entries};
use endspiel_table::remote::{PageCache, Remote, RemoteError, Settings};
use endspiel_table::{
    Codec, Description, Entry, Error, Fault, Field, Folder, Kept, Library, Manifest, Part, ProbeError,
    Prober, Problem, Store, Table, Tiles, describe_small, write_small,
};
use game::{Endgame as _, Index, Metric, Rng};
use race::{Half, SHORT};
use server::{Request, Server};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const NAME: &str = "matches/standard/heap.dtm.est";

/// Settings without long waiting.
fn quick(cache: Option<&Path>) -> Settings {
    Settings {
        connect: Duration::from_secs(5),
        read: Duration::from_millis(400),
        total: Duration::from_secs(5),
        tries: 3,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(20),
        remember: Duration::from_secs(600),
        cache: cache.map(|folder| PageCache { folder: folder.to_owned(), bytes: 64 << 20 }),
        authorities: Vec::new(),
    }
}

/// A table of several pages, as bytes, and its entries.
fn table() -> (Vec<u8>, Vec<Entry>) {
    let entries = clustered(&different(Metric::Dtm, 200), 400_000, &mut Rng::new(3));
    (written(&entries), entries)
}

fn written(entries: &[Entry]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Metric::Dtm, entries.len() as u64);
    let path = folder.path().join(NAME);
    write_entries(&path, &description, layout(1 << 12, Codec::Stored), entries);
    fs::read(path).unwrap()
}

/// The answer of a good server that has only this table.
fn good(request: &Request, file: &[u8], stream: &mut TcpStream) -> std::io::Result<()> {
    match request.path == format!("/{NAME}") {
        true => server::range(request, file, "one", stream),
        false => server::status(stream, "404 Not Found", ""),
    }
}

/// A server that answers table requests with `answer`, and has no manifest.
fn serving(
    answer: impl Fn(&Request, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> Server {
    Server::new(move |request, stream| match request.path.as_str() {
        "/manifest" => server::status(stream, "404 Not Found", ""),
        _ => answer(request, stream),
    })
}

fn library(server: &Server, settings: Settings) -> Library {
    let remote: Arc<dyn Store> = Arc::new(Remote::new(&server.url(), settings).unwrap());
    Library::of(vec![remote], 1 << 24)
}

fn find(library: &Library) -> Result<Option<Arc<Table>>, Error> {
    library.table("matches", "standard", "heap", Metric::Dtm)
}

/// The error of the server within an error of a table.
fn remote_error(error: &Error) -> RemoteError {
    let Problem::Io { reason, .. } = &error.problem else { panic!("{error}") };
    reason.get_ref().and_then(|reason| reason.downcast_ref()).cloned().unwrap_or_else(|| panic!("{error}"))
}

/// The error of opening the table or reading all of it.
fn failure(server: &Server) -> RemoteError {
    let library = library(server, quick(None));
    let read = find(&library).and_then(|table| table.expect("the server has it").check());
    remote_error(&read.unwrap_err())
}

#[test]
fn a_remote_table_has_the_same_entries() {
    let (file, entries) = table();
    assert!(file.len() > 5 << 16);
    let (folder, bytes) = (tempfile::tempdir().unwrap(), file.len());
    let server = serving(move |request, stream| good(request, &file, stream));
    let cache = folder.path().join("pages");
    for round in 0..2 {
        let before = server.requests();
        let library = library(&server, quick(Some(&cache)));
        let table = find(&library).unwrap().expect("the server has it");
        assert!(table.bytes() == bytes as u64);
        for (index, &entry) in (0u64..).zip(&entries).step_by(97) {
            assert_eq!(table.entry(index).unwrap(), entry, "{index}");
        }
        table.check().unwrap();
        let asked = server.requests() - before;
        // The manifest, the first and the last page are always asked for. All other pages are kept.
        assert!(if round == 0 { asked > 4 } else { asked == 3 }, "round {round}: {asked} requests");
    }
    assert!(find(&library(&server, quick(None))).unwrap().is_some());
}

#[test]
fn missing_tables_are_none_and_asked_for_once() {
    for status in ["404 Not Found", "403 Forbidden", "410 Gone"] {
        let server = serving(move |_, stream| server::status(stream, status, ""));
        let library = library(&server, quick(None));
        for _ in 0..10 {
            assert!(find(&library).unwrap().is_none());
        }
        assert_eq!(server.paths(), ["/manifest", &format!("/{NAME}")]);
    }
    // It is forgotten after a while.
    let server = serving(move |_, stream| server::status(stream, "404 Not Found", ""));
    let library = library(&server, Settings { remember: Duration::ZERO, ..quick(None) });
    assert!(find(&library).unwrap().is_none() && find(&library).unwrap().is_none());
    assert_eq!(server.requests(), 4);
}

/// A table that is not in the manifest is not asked for.
#[test]
fn the_manifest_tells_what_is_there() {
    let (file, _) = table();
    let manifest = format!(
        "# Endspiel manifest 1: BLAKE3 hash, bytes, table\n{} {} {NAME}\n",
        blake3::hash(&file),
        file.len()
    );
    let server = Server::new(move |request, stream| match request.path.as_str() {
        "/manifest" => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{manifest}", manifest.len())
        }
        _ => good(request, &file, stream),
    });
    let library = library(&server, quick(None));
    for slice in ["other", "another", "other"] {
        assert!(library.table("matches", "standard", slice, Metric::Dtm).unwrap().is_none());
    }
    assert_eq!(server.paths(), ["/manifest"]);
    assert!(find(&library).unwrap().is_some());
    let listed = library.list();
    assert_eq!(listed.iter().map(|listed| listed.name().unwrap()).collect::<Vec<_>>(), [NAME]);
    assert_eq!(listed[0].open().unwrap().description().slice, "heap");
    assert_eq!(server.paths().iter().filter(|path| *path == "/manifest").count(), 1);
}

#[test]
fn wrong_manifests_are_errors() {
    let manifest_error = |answer: &'static str| {
        let server = Server::new(move |_, stream| stream.write_all(answer.as_bytes()));
        remote_error(&find(&library(&server, quick(None))).unwrap_err()).to_string()
    };
    assert_eq!(
        manifest_error("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n<html/>"),
        "the manifest of the server does not begin with the line `# Endspiel manifest 1: BLAKE3 hash, bytes, table`"
    );
    assert_eq!(
        manifest_error("HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n<html/>"),
        "the server broke off its answer (3 tries)"
    );
    assert_eq!(
        manifest_error("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\n<html/>"),
        "the server compressed its answer, although it was told not to"
    );
    // A manifest without an end.
    let server = Server::new(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(&[b'x'; 1 << 16])?;
        }
    });
    let error = remote_error(&find(&library(&server, quick(None))).unwrap_err()).to_string();
    assert_eq!(error, format!("the manifest of the server is longer than {} bytes", Manifest::LARGEST));
}

/// Local places are asked first, and then the server is not asked at all.
#[test]
fn a_local_answer_does_not_wait_for_the_server() {
    let (file, entries) = table();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, file).unwrap();
    let server = serving(|_, _| {
        loop {
            std::thread::park();
        }
    });
    let remote: Arc<dyn Store> = Arc::new(Remote::new(&server.url(), Settings::default()).unwrap());
    let library = Library::of(vec![Arc::new(Folder::new(folder.path())), remote], 1 << 20);
    assert_eq!(find(&library).unwrap().unwrap().entry(7).unwrap(), entries[7]);
    assert_eq!(server.requests(), 0);
}

/// A local table that tells only who wins answers too, whatever the server has and does.
#[test]
fn local_outcomes_do_not_wait_for_the_distances_of_a_server() {
    let (local, far) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for slice in [Half::Near, Half::Far] {
        SHORT.write(local.path(), slice, Metric::Wdl);
        SHORT.write(far.path(), slice, Metric::Dtm);
    }
    let root = far.path().to_owned();
    let live = serving(move |request, stream| match fs::read(root.join(&request.path[1..])) {
        Ok(file) => server::range(request, &file, "one", stream),
        Err(_) => server::status(stream, "404 Not Found", ""),
    });
    let dead = serving(|_, stream| server::status(stream, "503 Busy", ""));
    for server in [&live, &dead] {
        let remote = |url: &str| Arc::new(Remote::new(url, quick(None)).unwrap()) as Arc<dyn Store>;
        let folder: Arc<dyn Store> = Arc::new(Folder::new(local.path()));
        // The order of the places does not matter.
        for stores in
            [vec![Arc::clone(&folder), remote(&server.url())], vec![remote(&server.url()), folder.clone()]]
        {
            let prober = Prober::new(SHORT, Arc::new(Library::of(stores, 1 << 20)));
            for (at, value) in SHORT.values().into_iter().enumerate().skip(1) {
                assert_eq!(prober.value(&SHORT.stone(at as u64)).unwrap().wdl, value.wdl());
            }
        }
        assert_eq!(server.requests(), 0);
    }
    // What is not here comes from the server.
    let prober = Prober::new(SHORT, Arc::new(library(&live, quick(None))));
    let values = SHORT.values();
    assert_eq!(prober.value(&SHORT.stone(7)).unwrap().plies, values[7].plies());
}

/// Both files of a small table come from the server.
#[test]
fn a_remote_small_table_has_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let values = SHORT.values();
    for slice in [Half::Near, Half::Far] {
        let entry = |index| {
            let value = SHORT.unrank(slice, Index(index)).map(|stone| values[stone.at as usize]);
            Entry::new(value, Metric::Dtm)
        };
        let (description, tiles) =
            (describe_small(&SHORT, slice, Metric::Dtm), Tiles::new(&SHORT.digits(slice), false));
        let go_on = |_| ControlFlow::Continue(());
        write_small(folder.path(), &description, &tiles, entry, |_| false, Kept::Wins, go_on).unwrap();
    }
    let root = folder.path().to_owned();
    let server = serving(move |request, stream| match fs::read(root.join(&request.path[1..])) {
        Ok(file) => server::range(request, &file, "one", stream),
        Err(_) => server::status(stream, "404 Not Found", ""),
    });
    let library = Arc::new(library(&server, quick(None)));
    let prober = Prober::new(SHORT, Arc::clone(&library));
    for (at, value) in values.iter().enumerate().skip(1) {
        let probed = prober.value(&SHORT.stone(at as u64)).unwrap();
        assert_eq!((probed.wdl, probed.plies), (value.wdl(), value.plies()), "{at}");
    }
    for slice in [Half::Near, Half::Far] {
        let small = library.small(&describe_small(&SHORT, slice, Metric::Dtm)).unwrap();
        small.expect("the server has it").check().unwrap();
    }
}

/// A table with far more entries than the slice has is refused by its header. Its block index could take any amount of memory.
#[test]
fn a_server_cannot_fill_the_memory() {
    const ENTRIES: u64 = 1 << 58;
    let folder = tempfile::tempdir().unwrap();
    SHORT.write(folder.path(), Half::Near, Metric::Dtm);
    let mut file = fs::read(SHORT.description(Half::Near, Metric::Dtm).path(folder.path())).unwrap();
    file[16..24].copy_from_slice(&ENTRIES.to_le_bytes());
    file[24..28].copy_from_slice(&1u32.to_le_bytes());
    let header = usize::from(file[12]) | usize::from(file[13]) << 8;
    let index_at = header as u64 + ENTRIES;
    let trailer_at = file.len() - 60;
    file[trailer_at..trailer_at + 8].copy_from_slice(&index_at.to_le_bytes());
    file[trailer_at + 8..trailer_at + 16].copy_from_slice(&ENTRIES.to_le_bytes());
    forging::repair(&mut file);
    let length = index_at + 8 * ENTRIES + 64;
    let server = serving(move |request, stream| {
        let range = request.range.clone().unwrap();
        // Records of blocks with one byte, between the header and the trailer.
        let mut body: Vec<u8> =
            (range.start..range.end).map(|at| u8::from(at.wrapping_sub(index_at) % 8 == 0)).collect();
        if range.start == 0 {
            body[..header].copy_from_slice(&file[..header]);
        }
        if range.end == length {
            let trailer_in_body = body.len() - 60;
            body[trailer_in_body..].copy_from_slice(&file[trailer_at..]);
        }
        server::head(stream, range, length, body.len(), "one")?;
        stream.write_all(&body)
    });
    let library = Arc::new(library(&server, quick(None)));
    let is_refused = |error: &Error| matches!(error.problem, Problem::Mismatch { field: Field::Entries, .. });
    let prober = Prober::new(SHORT, Arc::clone(&library));
    match prober.value(&SHORT.stone(7)) {
        Err(ProbeError::Table(error)) => assert!(is_refused(&error), "{error}"),
        answer => panic!("{answer:?}"),
    }
    assert!(is_refused(&library.file(&SHORT, Half::Near, Metric::Dtm).unwrap_err()));
    // It has another payload than small tables.
    assert!(library.small(&SHORT.description(Half::Near, Metric::Dtm)).unwrap().is_none());
    // Of each file, the first and the last page; and the manifest.
    assert_eq!(server.requests(), 1 + 3 * 2);
}

/// No file is so long. Offsets would overflow.
#[test]
fn impossible_lengths_are_refused() {
    for length in [1 << 63, u64::MAX - 1] {
        let server = serving(move |request, stream| {
            let range = request.range.clone().unwrap();
            let body = vec![0; (range.end - range.start) as usize];
            server::head(stream, range, length, body.len(), "one")?;
            stream.write_all(&body)
        });
        assert!(matches!(failure(&server), RemoteError::WrongRange { .. }));
    }
}

#[test]
fn busy_servers_are_asked_again() {
    for status in ["500 Oops", "502 Bad Gateway", "503 Busy", "429 Too Many", "408 Late"] {
        let (file, _) = table();
        let server = serving(move |request, stream| match request.number {
            1 | 2 => server::status(stream, status, "Retry-After: 3600\r\n"),
            _ => good(request, &file, stream),
        });
        let library = library(&server, quick(None));
        assert!(find(&library).unwrap().is_some(), "{status}");
        assert!(server.requests() >= 4);
    }
}

#[test]
fn tries_end_and_the_server_is_left_alone_for_a_while() {
    let server = serving(|_, stream| server::status(stream, "503 Busy", ""));
    let library = library(&server, quick(None));
    for _ in 0..10 {
        let error = find(&library).unwrap_err();
        assert_eq!(error.fault(), Fault::Unreadable);
        assert_eq!(
            error.to_string(),
            format!(
                "the table `{}/{NAME}` cannot be opened: the server answered with the status 503 (3 tries)",
                server.url()
            )
        );
    }
    // The manifest and three tries.
    assert_eq!(server.requests(), 4);
}

#[test]
fn other_statuses_are_errors_at_once() {
    for (status, headers, error) in [
        ("401 Who", "", RemoteError::Status { status: 401 }),
        ("400 Bad", "", RemoteError::Status { status: 400 }),
        ("204 Nothing", "", RemoteError::Status { status: 204 }),
        ("416 No", "", RemoteError::TooShort),
        ("200 OK", "", RemoteError::NoRanges),
        (
            "302 Found",
            "Location: http://me:secret@elsewhere/x\r\n",
            RemoteError::Redirect { status: 302, to: Some("http://me:secret@elsewhere/x".to_owned()) },
        ),
        ("301 Moved", "", RemoteError::Redirect { status: 301, to: None }),
    ] {
        let server = serving(move |_, stream| server::status(stream, status, headers));
        let found = failure(&server);
        assert_eq!(found, error, "{status}");
        assert!(!found.to_string().contains("secret"), "{found}");
        assert_eq!(server.requests(), 2, "{status}");
    }
}

/// Every answer that is not exactly the asked range is refused.
#[test]
fn wrong_ranges_and_lengths_are_refused() {
    type Wrong = fn(&Request, &[u8], &mut TcpStream) -> std::io::Result<()>;
    type IsRight = fn(&RemoteError) -> bool;
    let wrong: [(&str, Wrong, IsRight); 9] = [
        (
            "a range beside the asked one",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                let range = range.start + 1..(range.end + 1).min(file.len() as u64);
                server::head(
                    stream,
                    range.clone(),
                    file.len() as u64,
                    (range.end - range.start) as usize,
                    "one",
                )?;
                stream.write_all(&file[range.start as usize..range.end as usize])
            },
            |error| matches!(error, RemoteError::WrongRange { .. }),
        ),
        (
            "less than asked for",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                let range = range.start..range.start + 100;
                server::head(stream, range.clone(), file.len() as u64, 100, "one")?;
                stream.write_all(&file[range.start as usize..range.end as usize])
            },
            |error| matches!(error, RemoteError::WrongRange { .. }),
        ),
        (
            "no range",
            |_, _, stream| server::status(stream, "206 Partial Content", ""),
            |error| matches!(error, RemoteError::WrongRange { .. }),
        ),
        (
            "an unknown length",
            |_, _, stream| {
                stream.write_all(b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-65535/*\r\n\r\n")
            },
            |error| matches!(error, RemoteError::WrongRange { .. }),
        ),
        (
            "a body that is shorter than its head says",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                server::head(stream, range, file.len() as u64, 1 << 16, "one")?;
                stream.write_all(&file[..1000])
            },
            |error| matches!(error, RemoteError::Tried { tries: 3, last } if **last == RemoteError::BrokeOff),
        ),
        (
            "a length that is not that of the range",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                server::head(stream, range, file.len() as u64, 1000, "one")?;
                stream.write_all(&file[..1000])
            },
            |error| matches!(error, RemoteError::Length { expected: 65_536 }),
        ),
        (
            "a body without an end",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                write!(
                    stream,
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\nConnection: close\r\n\r\n",
                    range.start,
                    range.end - 1,
                    file.len()
                )?;
                loop {
                    stream.write_all(&[0; 1 << 14])?;
                }
            },
            |error| matches!(error, RemoteError::Length { expected: 65_536 }),
        ),
        (
            "a body without a length that is too short",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                write!(
                    stream,
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\nConnection: close\r\n\r\nabc",
                    range.start,
                    range.end - 1,
                    file.len()
                )
            },
            |error| matches!(error, RemoteError::Length { expected: 65_536 }),
        ),
        (
            "a compressed body",
            |request, file, stream| {
                let range = request.range.clone().unwrap();
                write!(
                    stream,
                    "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Range: bytes {}-{}/{}\r\n\r\n",
                    range.start,
                    range.end - 1,
                    file.len()
                )
            },
            |error| matches!(error, RemoteError::Encoded),
        ),
    ];
    for (what, answer, is_right) in wrong {
        let (file, _) = table();
        let server = serving(move |request, stream| answer(request, &file, stream));
        let error = failure(&server);
        assert!(is_right(&error), "{what}: {error:?}");
    }
}

/// Another tag, another length or no file at all: the pages of two files are never mixed.
#[test]
fn a_file_that_changes_meanwhile_is_an_error() {
    for change in ["tag", "length", "gone"] {
        let (file, _) = table();
        let server = serving(move |request, stream| match (request.range.clone().unwrap().start, change) {
            (0, _) => server::range(request, &file, "one", stream),
            (_, "tag") => server::range(request, &file, "two", stream),
            (_, "length") => server::range(request, &[&file[..], b"more"].concat(), "one", stream),
            _ => server::status(stream, "404 Not Found", ""),
        });
        assert_eq!(failure(&server), RemoteError::Changed, "{change}");
    }
    // Its end is cut off.
    let (file, _) = table();
    let server = serving(move |request, stream| match request.range.clone().unwrap().start {
        0 => server::range(request, &file, "one", stream),
        _ => server::range(request, &file[..file.len() / 2], "one", stream),
    });
    assert!(matches!(
        failure(&server),
        RemoteError::TooShort | RemoteError::Changed | RemoteError::WrongRange { .. }
    ));
}

/// Pages belong to contents and not to what a server says about changes: a file that is replaced within the same second may keep
/// its tag.
#[test]
fn kept_pages_belong_to_contents() {
    let (file, entries) = table();
    let folder = tempfile::tempdir().unwrap();
    let is_new = Arc::new(AtomicBool::new(false));
    let reversed: Vec<Entry> = entries.iter().rev().copied().collect();
    let other = written(&reversed);
    assert_eq!(file.len(), other.len());
    let switch = Arc::clone(&is_new);
    let server = serving(move |request, stream| {
        good(request, if switch.load(SeqCst) { &other } else { &file }, stream)
    });
    for expected in [&entries, &reversed, &entries] {
        let library = library(&server, quick(Some(folder.path())));
        let table = find(&library).unwrap().unwrap();
        for (index, &entry) in (0u64..).zip(expected).step_by(499) {
            assert_eq!(table.entry(index).unwrap(), entry, "{index}");
        }
        is_new.fetch_xor(true, SeqCst);
    }
    assert!(fs::read_dir(folder.path()).unwrap().count() > 0);
}

/// Closed ports, silence, half an answer, and nonsense.
#[test]
fn servers_that_do_not_answer_are_errors_in_time() {
    let closed = Server::new(|_, _| Ok(())).url();
    let library = Library::of(vec![Arc::new(Remote::new(&closed, quick(None)).unwrap()) as _], 1 << 20);
    let error = find(&library).unwrap_err();
    assert!(error.to_string().contains("the server cannot be reached: Connection refused"), "{error}");

    let started = Instant::now();
    let ended = Arc::new(AtomicBool::new(false));
    let is_ended = Arc::clone(&ended);
    let silent = serving(move |_, _| {
        while !is_ended.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    });
    assert_eq!(failure(&silent), RemoteError::Tried { tries: 3, last: Box::new(RemoteError::Late) });
    ended.store(true, SeqCst);
    // Always a byte in time, but never the end.
    let dripping = serving(move |request, stream| {
        server::head(stream, request.range.clone().unwrap(), 1 << 20, 1 << 16, "one")?;
        loop {
            stream.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let settings = Settings { total: Duration::from_millis(500), ..quick(None) };
    let error = find(&self::library(&dripping, settings)).unwrap_err();
    assert_eq!(remote_error(&error), RemoteError::Tried { tries: 3, last: Box::new(RemoteError::Late) });
    assert!(started.elapsed() < Duration::from_secs(60), "it was cut off");

    let breaks_off = serving(|_, stream| stream.write_all(b"HTTP/1.1 206 Part"));
    assert!(failure(&breaks_off).is_out_of_reach());
    let nonsense = serving(|_, stream| stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"));
    assert!(matches!(failure(&nonsense), RemoteError::Protocol { .. }));
    let long_head = serving(|_, stream| {
        stream.write_all(b"HTTP/1.1 206 Partial Content\r\n")?;
        loop {
            stream.write_all(b"X-Long: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n")?;
        }
    });
    assert!(matches!(failure(&long_head), RemoteError::Protocol { .. }), "{:?}", failure(&long_head));
}

/// A wrong byte on the way is noticed, and the page is asked for again, once.
#[test]
fn wrong_bytes_are_asked_for_once_more() {
    let (file, entries) = table();
    for (place, is_block) in [(file.len() / 2, true), (40, false), (file.len() - 30, false)] {
        for always in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (file, wrong) = (file.clone(), Arc::new(Mutex::new(HashMap::<u64, u32>::new())));
            let seen = Arc::clone(&wrong);
            let server = serving(move |request, stream| {
                let range = request.range.clone().unwrap();
                let mut sent = file.clone();
                let mut seen = seen.lock().unwrap();
                if range.contains(&(place as u64)) {
                    let count = seen.entry(place as u64).or_default();
                    *count += 1;
                    if always || *count == 1 {
                        sent[place] ^= 1;
                    }
                }
                drop(seen);
                server::range(request, &sent, "one", stream)
            });
            let library = library(&server, quick(Some(folder.path())));
            let read = find(&library).and_then(|table| {
                let table = table.expect("the server has it");
                for (index, &entry) in (0u64..).zip(&entries).step_by(499) {
                    assert_eq!(table.entry(index)?, entry);
                }
                Ok(())
            });
            match always {
                false => read.unwrap(),
                true => {
                    let error = read.unwrap_err();
                    assert_eq!(error.fault(), Fault::Damaged, "{error}");
                    let in_block = matches!(error.problem, Problem::Checksum { part: Part::Block(_) });
                    assert_eq!(in_block, is_block, "{error}");
                    assert_eq!(
                        wrong.lock().unwrap()[&(place as u64)],
                        2,
                        "asked for once more, and only once"
                    );
                }
            }
        }
    }
}

/// A page on disk that is changed by somebody is asked for again, and the entries are right.
#[test]
fn damaged_pages_on_disk_are_replaced() {
    let (file, entries) = table();
    let folder = tempfile::tempdir().unwrap();
    let server = serving(move |request, stream| good(request, &file, stream));
    let read = || {
        let library = library(&server, quick(Some(folder.path())));
        let table = find(&library).unwrap().unwrap();
        (0u64..).zip(&entries).step_by(499).for_each(|(index, &entry)| {
            assert_eq!(table.entry(index).unwrap(), entry);
        });
    };
    read();
    let mut rng = Rng::new(5);
    for page in fs::read_dir(folder.path()).unwrap() {
        let path = page.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let place = rng.below(bytes.len() as u64) as usize;
        match rng.below(3) {
            0 => bytes[place] ^= 1,
            1 => bytes.truncate(place),
            _ => bytes.push(0),
        }
        fs::write(path, bytes).unwrap();
    }
    read();
}

/// Processes share the pages, and threads share everything.
#[test]
fn threads_share_a_server_and_a_folder() {
    let (file, entries) = table();
    let folder = tempfile::tempdir().unwrap();
    let server = serving(move |request, stream| good(request, &file, stream));
    let libraries = [(); 2].map(|()| library(&server, quick(Some(folder.path()))));
    std::thread::scope(|scope| {
        for thread in 0..8usize {
            let (library, entries) = (&libraries[thread % 2], &entries);
            scope.spawn(move || {
                let table = find(library).unwrap().unwrap();
                let mut rng = Rng::new(thread as u64);
                for _ in 0..300 {
                    let index = rng.below(entries.len() as u64);
                    assert_eq!(table.entry(index).unwrap(), entries[index as usize]);
                }
            });
        }
    });
}

/// The address is masked in all that is shown, and the password goes to the server.
#[test]
fn passwords_are_sent_and_not_shown() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&heads);
    let server = Server::new(move |request, stream| {
        noted.lock().unwrap().push(request.head.clone());
        server::status(stream, "401 Who", "")
    });
    let url = server.url().replace("://", "://me:secret@");
    let remote = Remote::new(&url, quick(None)).unwrap();
    let shown = format!("{remote:?}");
    let library = Library::of(vec![Arc::new(remote) as _], 1 << 20);
    let error = find(&library).unwrap_err().to_string();
    assert!(error.contains("://…@127.0.0.1") && !error.contains("secret"), "{error}");
    assert!(!shown.contains("secret"), "{shown}");
    assert!(!library.places().to_string().contains("secret"));
    assert!(heads.lock().unwrap()[0].contains("authorization: basic bwu6c2vjcmv0"), "in lower case");
}

/// Names with signs that have a meaning in addresses.
#[test]
fn names_are_escaped() {
    let server = serving(|_, stream| server::status(stream, "404 Not Found", ""));
    let library = library(&server, quick(None));
    let slice = "a b%2f?#+ü";
    assert!(library.table("matches", "standard", slice, Metric::Dtm).unwrap().is_none());
    assert_eq!(server.paths()[1], "/matches/standard/a%20b%252f%3F%23%2B%C3%BC.dtm.est");
    let described = Description { slice: "x".to_owned(), ..description(Metric::Dtm, 1) };
    assert!(library.described(&described).unwrap().is_none());
}
