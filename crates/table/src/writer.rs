//! Writing a table: all of it or nothing.

use crate::error::{Error, Problem};
use crate::format::{self, BlockRecord, Header, Layout, Trailer};
use crate::payload::Payload;
use crate::symbols::EntrySet;
use crate::system;
use crate::values::Values;
use crate::{Description, Entry};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What has been written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The size of the file.
    pub bytes: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// BLAKE3 over the contents.
    pub content_hash: [u8; 32],
}

/// Writes the table of values that has `entry(i)` at every index `i`, replacing a former file only when the new one is
/// whole and on the disk. Missing folders are made.
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
    let table = || {
        let values = survey(description, layout, &entry)?;
        let changed = |index, _| Problem::Unsteady { index };
        write_entries(path, description, layout, &values, entry, changed, &progress)
    };
    table().map_err(|problem| problem.at(path))
}

/// As [`write`](write()) for any payload: `entry` is asked once for each index.
///
/// # Errors
/// If the disk refuses, if a name cannot be one, if the layout is not allowed, or if the payload or an entry does not fit.
pub fn write_payload<P: Payload>(
    path: &Path,
    description: &Description,
    layout: Layout,
    payload: &P,
    entry: impl Fn(u64) -> P::Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    let unfit = |index, entry: P::Entry| {
        let metric = description.metric;
        Problem::Unfit { index, entry: format!("{entry:?}"), metric }
    };
    write_entries(path, description, layout, payload, entry, unfit, &progress)
        .map_err(|problem| problem.at(path))
}

/// As [`write`](write()) for those who have the symbols packed already: `fill` appends the packed symbols of these
/// indices, one block, to an empty vector, just as `docs/format.md` has them; it is asked once for each block. A
/// symbol is the place of its entry in the palette, which ascends; that of the table that [`write`](write())
/// makes has the entries that occur, and then the bytes are the same.
///
/// # Errors
/// If the disk refuses or `fill` does, if a name or the palette cannot be one, or if a block is not packed as it should
/// be.
pub fn write_blocks(
    path: &Path,
    description: &Description,
    layout: Layout,
    palette: &[Entry],
    fill: impl Fn(Range<u64>, &mut Vec<u8>) -> io::Result<()> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    let table = || {
        let values = Values::new(palette.to_vec())?;
        let header = Header::new(description, layout, &values)?;
        let pack = |indices: Range<u64>, packed: &mut Vec<u8>| {
            let (first, entries) = (indices.start, (indices.end - indices.start) as usize);
            fill(indices, packed).map_err(Problem::io("found out"))?;
            let valid = values.is_valid(packed, entries);
            if valid { Ok(()) } else { Err(Problem::Packed { index: first }) }
        };
        replace(path, |file| write_contents(file, &header, &pack, &progress))
    };
    table().map_err(|problem| problem.at(path))
}

/// Packs and writes entries; `unfit` says what is wrong with one that the payload cannot store.
fn write_entries<P: Payload>(
    path: &Path,
    description: &Description,
    layout: Layout,
    payload: &P,
    entry: impl Fn(u64) -> P::Entry + Sync,
    unfit: impl Fn(u64, P::Entry) -> Problem + Sync,
    progress: &impl Fn(u64),
) -> Result<Written, Problem> {
    let header = Header::new(description, layout, payload)?;
    let packer = payload.packer();
    let pack = |indices: Range<u64>, packed: &mut Vec<u8>| {
        let first = indices.start;
        let entries: Vec<P::Entry> = indices.map(&entry).collect();
        packer(&entries, packed).map_err(|place| unfit(first + place as u64, entries[place]))
    };
    replace(path, |file| write_contents(file, &header, &pack, progress))
}

/// The first pass over values: which there are.
fn survey(
    description: &Description,
    layout: Layout,
    entry: &(impl Fn(u64) -> Entry + Sync),
) -> Result<Values, Problem> {
    // Before its number of blocks is asked for. How many bits the entries take is not known yet: one at least.
    layout.check(1)?;
    let metric = description.metric;
    let see = |mut seen: EntrySet, block: u64| {
        let mut last = None;
        for index in layout.indices_of(block, description.entries) {
            let entry = entry(index);
            // Neighbours are often the same, and then there is nothing to do.
            if last != Some(entry) {
                if !entry.fits(metric) {
                    return Err(Problem::Unfit { index, entry: format!("{entry:?}"), metric });
                }
                seen.insert(entry);
                last = Some(entry);
            }
        }
        Ok(seen)
    };
    let seen = (0..layout.blocks(description.entries))
        .into_par_iter()
        .try_fold(EntrySet::default, see)
        .try_reduce(EntrySet::default, |a, b| Ok(a.union(b)))?;
    seen.into_values()
}

/// The whole file. Blocks are packed and compressed in parallel, some at a time, and written in order; `pack` gets
/// the indices of one and an empty vector.
fn write_contents(
    file: &mut Hashed,
    header: &Header,
    pack: &(impl Fn(Range<u64>, &mut Vec<u8>) -> Result<(), Problem> + Sync),
    progress: &impl Fn(u64),
) -> Result<Written, Problem> {
    // Enough for the threads not to wait for the slowest one for long, and few megabytes.
    const BLOCKS_AT_A_TIME: u64 = 256;
    let Header { description, layout, .. } = header;
    let indices = |block: u64| layout.indices_of(block, description.entries);
    let blocks = layout.blocks(description.entries);
    let mut records = Vec::new();
    file.write(&header.encode())?;
    for first in (0..blocks).step_by(BLOCKS_AT_A_TIME as usize) {
        let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
        let done = indices(some.end - 1).end;
        let compressed = some
            .into_par_iter()
            .map_init(
                || (layout.codec.encoder(description.entries), Vec::new()),
                |(encoder, packed), block| {
                    packed.clear();
                    pack(indices(block), packed)?;
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
    Ok(Written { bytes: file.length, blocks, content_hash })
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
            system::sync_folder(folder).map_err(Problem::io("synced"))?;
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
