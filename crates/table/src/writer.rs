//! Writing a table: all of it or nothing.

use crate::error::{Error, Problem};
use crate::format::{self, BlockRecord, Header, Layout, Trailer};
use crate::packing;
use crate::palette::{EntrySet, Symbols};
use crate::{Description, Entry};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What has been written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The size of the file.
    pub bytes: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// How many different entries there are.
    pub different_entries: usize,
    /// BLAKE3 over the contents.
    pub content_hash: [u8; 32],
}

/// Writes the table that has `entry(i)` at every index `i`, replacing a former file only when the new one is whole
/// and on the disk. Missing folders are made.
///
/// `entry` is asked twice for each index, by all threads of the current pool; the bytes do not depend on their number.
/// `progress` hears from time to time how many entries are in the file. Two that write the same table at the same
/// time spoil each other's temporary file.
///
/// # Errors
/// If the disk refuses, if a name cannot be one, or if an entry does not fit the metric.
pub fn write(
    path: &Path,
    description: &Description,
    entry: impl Fn(u64) -> Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    write_as(path, description, Layout::default(), entry, progress)
}

/// As [`write`](write()), with blocks of another size or codec.
///
/// # Errors
/// As [`write`](write()), and if the layout is not allowed.
pub fn write_as(
    path: &Path,
    description: &Description,
    layout: Layout,
    entry: impl Fn(u64) -> Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    let plan = Plan { description, layout, entry: &entry };
    let written =
        plan.header().and_then(|header| replace(path, |file| plan.write_contents(file, &header, &progress)));
    written.map_err(|problem| problem.at(path))
}

struct Plan<'a, F> {
    description: &'a Description,
    layout: Layout,
    entry: &'a F,
}

impl<F: Fn(u64) -> Entry + Sync> Plan<'_, F> {
    /// The first pass: which entries there are.
    fn header(&self) -> Result<Header, Problem> {
        self.description.check()?;
        self.layout.check()?;
        let blocks = self.layout.blocks(self.description.entries);
        let seen = (0..blocks)
            .into_par_iter()
            .try_fold(EntrySet::default, |seen, block| self.see_block(seen, block))
            .try_reduce(EntrySet::default, |a, b| Ok(a.union(b)))?;
        let palette = seen.into_palette(self.description.metric)?;
        Ok(Header { description: self.description.clone(), layout: self.layout, palette })
    }

    fn indices(&self, block: u64) -> std::ops::Range<u64> {
        let first = block * u64::from(self.layout.entries_per_block);
        first..first + self.layout.entries_of(block, self.description.entries) as u64
    }

    fn see_block(&self, mut seen: EntrySet, block: u64) -> Result<EntrySet, Problem> {
        let metric = self.description.metric;
        let mut last = None;
        for index in self.indices(block) {
            let entry = (self.entry)(index);
            // Neighbours are often the same, and then there is nothing to do.
            if last != Some(entry) {
                if !entry.fits(metric) {
                    return Err(Problem::Unfit { index, entry, metric });
                }
                seen.insert(entry);
                last = Some(entry);
            }
        }
        Ok(seen)
    }

    /// The second pass: packs and compresses the blocks in parallel, some at a time, and writes them in order.
    fn write_contents(
        &self,
        file: &mut Hashed,
        header: &Header,
        progress: &impl Fn(u64),
    ) -> Result<Written, Problem> {
        // Enough for the threads not to wait for the slowest one for long, and few megabytes.
        const BLOCKS_AT_A_TIME: u64 = 256;
        let symbols = Symbols::of(&header.palette);
        let entries = self.description.entries;
        let blocks = self.layout.blocks(entries);
        let mut records = Vec::new();
        file.write(&header.encode())?;
        for first in (0..blocks).step_by(BLOCKS_AT_A_TIME as usize) {
            let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
            let done = self.indices(some.end - 1).end;
            let compressed = some
                .into_par_iter()
                .map_init(
                    || (self.layout.codec.encoder(), Vec::new(), Vec::new()),
                    |(encoder, listed, packed), block| {
                        self.list_symbols(&symbols, block, listed)?;
                        packing::pack(listed, header.palette.width(), packed);
                        Ok(encoder.encode(packed))
                    },
                )
                .collect::<Result<Vec<_>, _>>()?;
            for bytes in compressed {
                records.push(BlockRecord { length: bytes.len() as u32, checksum: crc32fast::hash(&bytes) });
                file.write(&bytes)?;
            }
            progress(done);
        }
        let block_index_at = file.length;
        file.write(&format::encode_block_index(&records))?;
        file.write(&Trailer::encode_before_hash(block_index_at, blocks))?;
        let content_hash = file.hasher.finalize().into();
        let trailer = Trailer { block_index_at, blocks, content_hash }.encode();
        file.write(&trailer[format::TRAILER_BEFORE_HASH..])?;
        let different_entries = header.palette.entries().len();
        Ok(Written { bytes: file.length, blocks, different_entries, content_hash })
    }

    fn list_symbols(&self, symbols: &Symbols, block: u64, listed: &mut Vec<u16>) -> Result<(), Problem> {
        listed.clear();
        for index in self.indices(block) {
            listed.push(symbols.get((self.entry)(index)).ok_or(Problem::Unsteady { index })?);
        }
        Ok(())
    }
}

/// A file that is hashed while it is written.
struct Hashed {
    file: io::BufWriter<File>,
    hasher: blake3::Hasher,
    length: u64,
}

impl Hashed {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Problem::io("written"))
    }
}

/// Makes a new file beside the old one and puts it in its place once it is on the disk. A crash leaves the
/// old file, or none; a temporary file that it leaves as well is overwritten next time.
fn replace<T>(path: &Path, contents: impl FnOnce(&mut Hashed) -> Result<T, Problem>) -> Result<T, Problem> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(Problem::io("written"))?;
    let temporary = temporary(path);
    let file = File::create(&temporary).map_err(Problem::io("written"))?;
    let mut hashed = Hashed { file: io::BufWriter::new(file), hasher: blake3::Hasher::new(), length: 0 };
    let result = contents(&mut hashed).and_then(|result| {
        let file = hashed.file.into_inner().map_err(|error| Problem::io("written")(error.into_error()))?;
        file.sync_all().map_err(Problem::io("synced"))?;
        fs::rename(&temporary, path).map_err(Problem::io("put in its place"))?;
        Ok(result)
    });
    match result {
        Ok(result) => {
            // The new name is on the disk only when the folder is.
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(Problem::io("synced"))?;
            Ok(result)
        }
        Err(problem) => {
            // What went wrong first is what the caller hears, whether or not the remains can be removed.
            let _ = fs::remove_file(&temporary);
            Err(problem)
        }
    }
}

/// Beside the file, hidden, and not ending as tables do.
fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.part"))
}
