//! The open files of a library. An operating system allows few, and a game can have thousands of tables.

use crate::format;
use crate::source::{Source, read_file};
use crate::store::Store;
use crate::system;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Keeps the most recently used files open, up to a limit. A file that was closed is opened again when it is read. If all
/// open files are being read at the moment, a thread that needs another one waits.
pub(crate) struct OpenFiles {
    state: Mutex<State>,
    /// Notified when a file may be closed, or is open.
    changed: Condvar,
}

struct State {
    most: usize,
    next: Number,
    now: u64,
    /// The number of threads that wait for a change. Without any, nobody is notified, which would take a system call.
    waiting: usize,
    files: HashMap<Number, Slot>,
}

/// Identifies a file that was opened once. It may be closed now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Number(u64);

struct Slot {
    /// `None` while the file is being opened. While a thread reads the file, it has another reference to it.
    source: Option<Arc<dyn Source>>,
    used: u64,
}

impl Slot {
    fn is_idle(&self) -> bool {
        self.source.as_ref().is_some_and(|source| Arc::strong_count(source) == 1)
    }
}

/// The reason in an [`io::Error`] for a file that is not the one that was opened first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("another file has replaced it since it was opened")]
struct Replaced;

impl OpenFiles {
    pub(crate) fn new(most: usize) -> Self {
        let state = State { most: most.max(1), next: Number(0), now: 0, waiting: 0, files: HashMap::new() };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Opens a table of a place. If that takes an open file, the source closes it when the limit requires it.
    pub(crate) fn open(
        self: &Arc<Self>,
        store: &Arc<dyn Store>,
        name: &str,
    ) -> io::Result<Option<Box<dyn Source>>> {
        let number = self.new_number();
        let mut other = None;
        let opened = self.file(number, || {
            Ok(match store.open(name)? {
                Some(source) if source.file().is_some() => Some(Arc::from(source)),
                source => {
                    other = source;
                    None
                }
            })
        })?;
        let Some(source) = opened else { return Ok(other) };
        let mut file = File {
            files: Arc::clone(self),
            number,
            store: Arc::clone(store),
            name: name.to_owned(),
            length: source.len(),
            end: Vec::new(),
        };
        let end = end_of(&*source);
        self.give_back(source);
        file.end = end?;
        Ok(Some(Box::new(file)))
    }

    fn new_number(&self) -> Number {
        let mut state = self.state();
        state.next.0 += 1;
        state.next
    }

    /// Returns an open file. If it is not open, `open` opens it. If `open` returns `None`, no file takes up room.
    fn file(
        &self,
        number: Number,
        mut open: impl FnMut() -> io::Result<Option<Arc<dyn Source>>>,
    ) -> io::Result<Option<Arc<dyn Source>>> {
        let mut state = self.state();
        loop {
            state.now += 1;
            let now = state.now;
            if let Some(Slot { source: Some(source), used }) = state.files.get_mut(&number) {
                *used = now;
                return Ok(Some(Arc::clone(source)));
            }
            if !state.files.contains_key(&number) && state.has_room(1) {
                break;
            }
            // Another thread opens it, or all files are being read.
            state = self.wait(state);
        }
        let used = state.now;
        state.files.insert(number, Slot { source: None, used });
        loop {
            drop(state);
            // Other threads must not wait for a slow place.
            let opened = open();
            state = self.state();
            match opened {
                Err(error) if system::is_out_of_files(&error) && state.files.len() > 1 => {
                    // The system allows fewer files than the limit.
                    state.most = state.files.len() - 1;
                    while !state.has_room(0) {
                        state = self.wait(state);
                    }
                }
                Ok(Some(source)) => {
                    state.files.insert(number, Slot { source: Some(Arc::clone(&source)), used });
                    self.notify(&state);
                    return Ok(Some(source));
                }
                opened => {
                    state.files.remove(&number);
                    self.notify(&state);
                    return opened;
                }
            }
        }
    }

    /// Ends the reading of a file. Now it may be closed.
    fn give_back(&self, source: Arc<dyn Source>) {
        let state = self.state();
        drop(source);
        self.notify(&state);
    }

    fn wait<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.waiting += 1;
        state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    fn notify(&self, state: &State) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Closes the least recently used files until there is room for `more` files. Returns false if too many are being read.
    fn has_room(&mut self, more: usize) -> bool {
        while self.files.len() + more > self.most {
            let idle = self.files.iter().filter(|(_, slot)| slot.is_idle());
            let Some((&oldest, _)) = idle.min_by_key(|(_, slot)| slot.used) else { return false };
            self.files.remove(&oldest);
        }
        true
    }
}

impl fmt::Debug for OpenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        write!(f, "OpenFiles({} of at most {})", state.files.len(), state.most)
    }
}

/// A file that may be closed and opened again.
struct File {
    files: Arc<OpenFiles>,
    number: Number,
    store: Arc<dyn Store>,
    name: String,
    length: u64,
    /// The last bytes, which have the hash of all others. They tell whether the file is still the same.
    end: Vec<u8>,
}

impl File {
    fn open_again(&self) -> io::Result<Arc<dyn Source>> {
        let source = self.store.open(&self.name)?.ok_or(io::ErrorKind::NotFound)?;
        let is_same = source.file().is_some() && source.len() == self.length && end_of(&*source)? == self.end;
        if is_same { Ok(Arc::from(source)) } else { Err(io::Error::other(Replaced)) }
    }
}

impl Source for File {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let opened = self.files.file(self.number, || self.open_again().map(Some))?;
        let source = opened.ok_or(io::ErrorKind::NotFound)?;
        let file = source.file().ok_or(io::ErrorKind::NotFound)?;
        let read = read_file(file, self.length, offset, length, buffer);
        self.files.give_back(source);
        read
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let mut state = self.files.state();
        state.files.remove(&self.number);
        self.files.notify(&state);
    }
}

/// The last bytes of a file, at most as many as a trailer has.
fn end_of(source: &dyn Source) -> io::Result<Vec<u8>> {
    let length = source.len().min(format::TRAILER as u64);
    let mut buffer = Vec::new();
    Ok(source.read_at(source.len() - length, length as usize, &mut buffer)?.to_vec())
}
