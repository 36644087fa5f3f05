//! Tables of an HTTP server, which are read piece by piece with range requests.
//!
//! The server has the files of a library folder, with the same names. If it also has the file `manifest`, that file tells which
//! tables there are. Pages of the files are kept in a folder, up to a number of bytes.

mod client;
mod error;
mod fetch;
mod pages;
mod source;
mod url;

pub use error::RemoteError;
pub use fetch::{FetchError, Fetched};
pub use url::UrlError;

use crate::error::Problem;
use crate::manifest::Manifest;
use crate::source::Source;
use crate::store::{Listing, Store};
use client::Client;
use pages::Pages;
use source::RemoteSource;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use url::BaseUrl;

/// The name of the manifest of a server.
pub const MANIFEST: &str = "manifest";

/// How a server is asked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The longest time to connect.
    pub connect: Duration,
    /// The longest time without a byte.
    pub read: Duration,
    /// The longest time of one request and its answer.
    pub total: Duration,
    /// How often a request is tried, if the server cannot be reached, answers that it is busy, or breaks off.
    pub tries: u32,
    /// The pause before the second try. Each further pause is twice as long, up to the longest. Pauses are shortened at random
    /// by up to a half, so that many clients do not come back at once.
    pub first_pause: Duration,
    /// The longest pause, also if the server asks for a longer one.
    pub longest_pause: Duration,
    /// How long it is remembered that the server has no such table, or that it cannot be reached.
    pub remember: Duration,
    /// Where pages are kept. `None` keeps none.
    pub cache: Option<PageCache>,
    /// Certificates of authorities in PEM format that are trusted besides those of the system.
    pub authorities: Vec<u8>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(15),
            total: Duration::from_secs(60),
            tries: 4,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(8),
            remember: Duration::from_secs(60),
            cache: PageCache::default_folder()
                .map(|folder| PageCache { folder, bytes: PageCache::DEFAULT_BYTES }),
            authorities: Vec::new(),
        }
    }
}

/// A folder in which pages of remote tables are kept. Several processes may share it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageCache {
    /// The folder.
    pub folder: PathBuf,
    /// The most bytes to keep. The least recently used pages are removed.
    pub bytes: u64,
}

impl PageCache {
    /// The default size: 1 GiB.
    pub const DEFAULT_BYTES: u64 = 1 << 30;

    /// `$XDG_CACHE_HOME/endspiel/remote`, or else `~/.cache/endspiel/remote`. On Windows, the cache folder is `%LOCALAPPDATA%`.
    /// `None` if there is no such folder.
    pub fn default_folder() -> Option<PathBuf> {
        let given = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = given("XDG_CACHE_HOME")
            .or_else(|| given("HOME").map(|home| home.join(".cache")))
            .or_else(|| given("LOCALAPPDATA"))?;
        Some(cache.join("endspiel").join("remote"))
    }
}

/// The tables of an HTTP server. Nothing is asked before the first table is needed.
#[derive(Debug)]
pub struct Remote {
    base: BaseUrl,
    /// The address as it is shown.
    root: PathBuf,
    client: Arc<Client>,
    pages: Option<Arc<Pages>>,
    remember: Duration,
    /// The tables that the server did not have, and when it said so.
    missing: Mutex<HashMap<String, Instant>>,
    /// The manifest, or that there is none, and when the server said so. The lock is held while it is asked for: other threads
    /// need the same answer.
    manifest: Mutex<Option<(Instant, Option<Arc<Manifest>>)>>,
}

impl Remote {
    /// The tables at an address, such as `https://tables.example.org/endspiel`.
    ///
    /// # Errors
    /// Returns an error if this is not an address of a server.
    pub fn new(url: &str, settings: Settings) -> Result<Self, UrlError> {
        let base = BaseUrl::parse(url)?;
        Ok(Self {
            root: base.shown().into(),
            pages: settings.cache.clone().map(|cache| Arc::new(Pages::new(cache))),
            remember: settings.remember,
            client: Arc::new(Client::new(settings)),
            base,
            missing: Mutex::default(),
            manifest: Mutex::default(),
        })
    }

    /// The manifest of the server. `None` if it has none.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached or answers wrongly, or if the file is not a manifest.
    pub fn manifest(&self) -> Result<Option<Arc<Manifest>>, RemoteError> {
        let mut known = lock(&self.manifest);
        if let Some((when, manifest)) = &*known
            && when.elapsed() < self.remember
        {
            return Ok(manifest.clone());
        }
        let text = self.client.whole(&self.base.of(MANIFEST), Manifest::LARGEST)?;
        let manifest = text.map(|text| Manifest::parse(&text).map(Arc::new)).transpose()?;
        *known = Some((Instant::now(), manifest.clone()));
        Ok(manifest)
    }

    fn find(&self, name: &str) -> Result<Option<RemoteSource>, RemoteError> {
        if self.is_missing(name) || self.manifest()?.is_some_and(|manifest| manifest.get(name).is_none()) {
            return Ok(None);
        }
        let url = self.base.of(name);
        let source = RemoteSource::open(url, Arc::clone(&self.client), self.pages.clone())?;
        if source.is_none() {
            lock(&self.missing).insert(name.to_owned(), Instant::now());
        }
        Ok(source)
    }

    fn is_missing(&self, name: &str) -> bool {
        lock(&self.missing).get(name).is_some_and(|when| when.elapsed() < self.remember)
    }
}

impl Store for Remote {
    fn root(&self) -> &Path {
        &self.root
    }

    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>> {
        Ok(self.find(name)?.map(|source| Box::new(source) as _))
    }

    fn open_again(&self, name: &str) -> io::Result<Option<Box<dyn Source>>> {
        let source = self.find(name)?;
        if let Some(source) = &source {
            source.forget_kept();
        }
        Ok(source.map(|source| Box::new(source) as _))
    }

    fn is_remote(&self) -> bool {
        true
    }

    /// The tables of the manifest. Without a manifest, it is not known which tables a server has.
    fn list(&self) -> Listing {
        match self.manifest() {
            Ok(None) => Listing::default(),
            Ok(Some(manifest)) => Listing {
                names: manifest.tables().map(|(name, _)| name.to_owned()).collect(),
                ..Listing::default()
            },
            Err(error) => {
                let problem = Problem::io("listed")(error.into()).at(&self.root.join(MANIFEST));
                Listing { problems: vec![problem], ..Listing::default() }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
