//! A small HTTP server that misbehaves as a test wants, for what a real server does not do.
// Each test file uses only a part of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A request.
pub struct Request {
    pub path: String,
    /// The asked range of bytes.
    pub range: Option<Range<u64>>,
    /// The lines of the request, in lower case.
    pub head: String,
    /// The number of requests before it.
    pub number: usize,
}

/// Runs until it is dropped. A connection has one request.
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    paths: Arc<Mutex<Vec<String>>>,
    ended: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    pub fn new(
        answer: impl Fn(&Request, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (paths, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let (counted, noted, is_ended) = (Arc::clone(&requests), Arc::clone(&paths), Arc::clone(&ended));
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if is_ended.load(SeqCst) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                let (counted, noted, answer) =
                    (Arc::clone(&counted), Arc::clone(&noted), Arc::clone(&answer));
                std::thread::spawn(move || {
                    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
                    if let Some(request) = read(&stream, &counted) {
                        noted.lock().unwrap().push(request.path.clone());
                        // The client may have gone away.
                        let _ = answer(&request, &mut stream);
                    }
                });
            }
        });
        Self { address, requests, paths, ended, accepting: Some(accepting) }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> usize {
        self.requests.load(SeqCst)
    }

    /// The paths of the requests, in order.
    pub fn paths(&self) -> Vec<String> {
        self.paths.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, SeqCst);
        // Wakes the thread up.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn read(stream: &TcpStream, counted: &AtomicUsize) -> Option<Request> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let path = head.split(' ').nth(1)?.to_owned();
    let head = head.to_lowercase();
    let range = head.lines().find_map(|line| line.strip_prefix("range: bytes=")).and_then(|range| {
        let (first, last) = range.split_once('-')?;
        Some(first.parse().ok()?..last.parse::<u64>().ok()? + 1)
    });
    Some(Request { path, range, head, number: counted.fetch_add(1, SeqCst) })
}

/// Writes an answer without a body.
pub fn status(stream: &mut TcpStream, status: &str, headers: &str) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 {status}\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n")
}

/// Writes the asked range of a file, as a good server does.
pub fn range(request: &Request, file: &[u8], tag: &str, stream: &mut TcpStream) -> std::io::Result<()> {
    let range = request.range.clone().expect("a range");
    let range = range.start..range.end.min(file.len() as u64);
    if range.is_empty() {
        return status(
            stream,
            "416 Range Not Satisfiable",
            &format!("Content-Range: bytes */{}\r\n", file.len()),
        );
    }
    let body = &file[range.start as usize..range.end as usize];
    head(stream, range, file.len() as u64, body.len(), tag)?;
    stream.write_all(body)
}

/// Writes the head of an answer to a range request.
pub fn head(
    stream: &mut TcpStream,
    range: Range<u64>,
    total: u64,
    length: usize,
    tag: &str,
) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{total}\r\nContent-Length: {length}\r\n\
         ETag: \"{tag}\"\r\nConnection: close\r\n\r\n",
        range.start,
        range.end - 1
    )
}
