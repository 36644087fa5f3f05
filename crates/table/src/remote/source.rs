//! The bytes of a table on a server.

use super::client::{Client, Version};
use super::error::RemoteError;
use super::lock;
use super::pages::{PAGE, PageKey, Pages};
use crate::source::Source;
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A file on a server, read in pages.
pub(crate) struct RemoteSource {
    url: String,
    client: Arc<Client>,
    version: Version,
    pages: Option<Arc<Pages>>,
    /// The first and the last page by number. They are always asked for when a file is opened. The first answer has the length of
    /// the file. The last page has the content hash of the table.
    ends: Mutex<HashMap<u64, Vec<u8>>>,
    /// The hash of the last page, which identifies the contents. What a server says about changes does not: many servers count
    /// whole seconds.
    contents: blake3::Hash,
}

impl RemoteSource {
    /// Asks for the first and the last page. Returns `None` if the server has no such file.
    pub(crate) fn open(
        url: String,
        client: Arc<Client>,
        pages: Option<Arc<Pages>>,
    ) -> Result<Option<Self>, RemoteError> {
        let Some(first) = client.range(&url, 0..PAGE)? else { return Ok(None) };
        let (number, version) = (last_page(first.version.length), first.version);
        let mut ends = HashMap::from([(0, first.bytes)]);
        if number > 0 {
            let last = client.range(&url, number * PAGE..version.length)?.ok_or(RemoteError::Changed)?;
            if last.version != version {
                return Err(RemoteError::Changed);
            }
            ends.insert(number, last.bytes);
        }
        let contents = blake3::hash(&ends[&number]);
        Ok(Some(Self { url, client, version, pages, ends: Mutex::new(ends), contents }))
    }

    fn key(&self, page: u64) -> PageKey {
        PageKey::new(&self.url, self.version.length, self.contents, page)
    }

    /// The bytes of some pages.
    fn bytes_of(&self, pages: Range<u64>) -> Range<u64> {
        pages.start * PAGE..(pages.end * PAGE).min(self.version.length)
    }

    /// Returns a page that is kept here.
    fn kept(&self, page: u64) -> Option<Vec<u8>> {
        if let Some(end) = lock(&self.ends).get(&page) {
            return Some(end.clone());
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

    /// Forgets all pages except those that were asked for when the file was opened.
    pub(crate) fn forget_kept(&self) {
        if let Some(kept) = &self.pages {
            (1..last_page(self.version.length)).for_each(|page| kept.remove(self.key(page)));
        }
    }
}

/// The number of the last page of a file that is not empty.
fn last_page(length: u64) -> u64 {
    length.saturating_sub(1) / PAGE
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
        for page in offset / PAGE..(offset + length).div_ceil(PAGE) {
            lock(&self.ends).remove(&page);
            if let Some(kept) = &self.pages {
                kept.remove(self.key(page));
            }
        }
        // Also if nothing was kept, the bytes may have been changed on their way.
        true
    }
}
