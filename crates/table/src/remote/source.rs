//! The bytes of a table on a server.

use super::client::{Client, Version};
use super::error::RemoteError;
use super::lock;
use super::pages::{PAGE, PageKey, Pages};
use crate::source::Source;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A file on a server, read in pages.
pub(crate) struct RemoteSource {
    url: String,
    client: Arc<Client>,
    version: Version,
    /// `None` if there is no folder for pages, or if the server does not tell when the file changes: then a kept page could be one
    /// of another file.
    pages: Option<Arc<Pages>>,
    /// The first page, which came with the length of the file. Small tables have no other page.
    first: Mutex<Option<Vec<u8>>>,
}

impl RemoteSource {
    /// Asks for the first page. Returns `None` if the server has no such file.
    pub(crate) fn open(
        url: String,
        client: Arc<Client>,
        pages: Option<Arc<Pages>>,
    ) -> Result<Option<Self>, RemoteError> {
        let piece = client.range(&url, 0..PAGE)?;
        Ok(piece.map(|piece| Self {
            pages: pages.filter(|_| piece.version.tag.is_some()),
            version: piece.version,
            first: Mutex::new(Some(piece.bytes)),
            url,
            client,
        }))
    }

    fn key(&self, page: u64) -> PageKey {
        PageKey::new(&self.url, &self.version, self.version.tag.as_deref().unwrap_or_default(), page)
    }

    /// The bytes of some pages.
    fn bytes_of(&self, pages: Range<u64>) -> Range<u64> {
        pages.start * PAGE..(pages.end * PAGE).min(self.version.length)
    }

    /// Returns a page that is kept here.
    fn kept(&self, page: u64) -> Option<Vec<u8>> {
        if page == 0
            && let Some(first) = &*lock(&self.first)
        {
            return Some(first.clone());
        }
        let bytes = self.bytes_of(page..page + 1);
        self.pages.as_ref()?.get(self.key(page), (bytes.end - bytes.start) as usize)
    }

    /// Asks the server for some pages.
    fn fetch(&self, pages: Range<u64>) -> Result<Vec<u8>, RemoteError> {
        let piece =
            self.client.range(&self.url, self.bytes_of(pages.clone()))?.ok_or(RemoteError::Changed)?;
        if piece.version != self.version {
            return Err(RemoteError::Changed);
        }
        if let Some(kept) = &self.pages {
            for (page, bytes) in pages.zip(piece.bytes.chunks(PAGE as usize)) {
                kept.put(self.key(page), bytes);
            }
        }
        Ok(piece.bytes)
    }
}

impl Source for RemoteSource {
    fn len(&self) -> u64 {
        self.version.length
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let end = offset.checked_add(length as u64).filter(|&end| end <= self.version.length);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.clear();
        let pages = offset / PAGE..end.div_ceil(PAGE);
        let mut page = pages.start;
        while page < pages.end {
            // One request for all missing pages up to the next kept page.
            let kept = (page..pages.end).find_map(|page| Some((page, self.kept(page)?)));
            let (next, bytes) = kept.unwrap_or((pages.end, Vec::new()));
            if page < next {
                buffer.extend(self.fetch(page..next)?);
            }
            buffer.extend(bytes);
            page = next + 1;
        }
        let start = (offset - pages.start * PAGE) as usize;
        Ok(&buffer[start..start + length])
    }

    fn forget(&self, offset: u64, length: u64) -> bool {
        let pages = offset / PAGE..(offset + length).div_ceil(PAGE);
        if pages.start == 0 {
            *lock(&self.first) = None;
        }
        if let Some(kept) = &self.pages {
            pages.for_each(|page| kept.remove(self.key(page)));
        }
        // Also if nothing was kept, the bytes may have been changed on their way.
        true
    }
}
