//! Writes tables. A file is written completely or not at all.

use crate::error::{Error, Problem};
use crate::format::{self, BlockRecord, Header, Layout, Trailer};
use crate::payload::{Entries, Payload as _};
use crate::symbols::EntrySet;
use crate::system;
use crate::values::Values;
use crate::working;
use crate::{Codec, Description, Entry, Table};
use game::parallel;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Facts about a written table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The size of the file.
    pub bytes: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The BLAKE3 hash of the contents.
    pub content_hash: [u8; 32],
}

/// Writes the table of values with the entry `entry(i)` at every index `i`. An old file is replaced only when the new file
/// is complete and on the disk. Missing folders are created.
///
/// `entry` is called twice for each index, from all threads of the current pool. The bytes of the file do not depend on
/// the number of threads. `progress` is called from time to time with the number of entries in the file. Two writers of
/// the same table must not run at the same time, because they would use the same temporary file.
///
/// # Errors
/// Returns an error if an I/O operation fails, if a name is not allowed, or if an entry does not fit the metric.
pub fn write(
    path: &Path,
    description: &Description,
    entry: impl Fn(u64) -> Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    write_as(path, description, Layout::default(), entry, progress)
}

/// Writes a table of values like [`write`](write()), with a given block size and codec.
///
/// # Errors
/// Returns the same errors as [`write`](write()), and an error if the layout is not allowed.
pub fn write_as(
    path: &Path,
    description: &Description,
    layout: Layout,
    entry: impl Fn(u64) -> Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    write_ranges(path, description, layout, one_by_one(entry), progress)
}

/// Writes a table of values like [`write`](write()), for callers that have the entries of many indices at a time. `fill` gets
/// the indices of one block and an empty vector, and appends their entries. It is called twice for each block.
///
/// # Errors
/// Returns the same errors as [`write_as`], and an error if `fill` fails.
pub fn write_ranges(
    path: &Path,
    description: &Description,
    layout: Layout,
    fill: impl Fn(Range<u64>, &mut Vec<Entry>) -> io::Result<()> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    let table = || {
        let values = survey(description, layout, &fill)?;
        let changed = |index, _| Problem::Unsteady { index };
        write_entries(description, layout, &values, fill, changed, |header, pack| {
            write_packed(path, header, pack, &progress)
        })
    };
    table().map_err(|problem| problem.at(path))
}

/// Makes a table of values in memory, not compressed, with the entry `entry(i)` at every index `i`. Errors name it by `path`.
///
/// # Errors
/// Returns the same errors as [`write`](write()).
pub fn in_memory(
    path: &Path,
    description: &Description,
    entry: impl Fn(u64) -> Entry + Sync,
) -> Result<Table, Error> {
    let layout = Layout { codec: Codec::Stored, ..Layout::default() };
    let bytes = || {
        let fill = one_by_one(entry);
        let values = survey(description, layout, &fill)?;
        let changed = |index, _| Problem::Unsteady { index };
        let mut hashed = Hashed { file: Vec::new(), hasher: blake3::Hasher::new(), length: 0 };
        write_entries(description, layout, &values, fill, changed, |header, pack| {
            write_contents(&mut hashed, header, pack, &|_| ())
        })?;
        Ok(hashed.file)
    };
    let bytes: Vec<u8> = bytes().map_err(|problem: Problem| problem.at(path))?;
    Table::from_source(path, Box::new(bytes))
}

/// Gives the entries of many indices, one after another.
fn one_by_one<E>(
    entry: impl Fn(u64) -> E + Sync,
) -> impl Fn(Range<u64>, &mut Vec<E>) -> io::Result<()> + Sync {
    move |indices, entries| {
        entries.extend(indices.map(&entry));
        Ok(())
    }
}

/// Writes a table like [`write`](write()), with any payload. `entry` is called once for each index.
///
/// # Errors
/// Returns an error if an I/O operation fails, if a name or the layout is not allowed, or if the payload or an entry does
/// not fit the table.
pub fn write_payload<P: Entries>(
    path: &Path,
    description: &Description,
    layout: Layout,
    payload: &P,
    entry: impl Fn(u64) -> P::Entry + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    write_payload_ranges(path, description, layout, payload, one_by_one(entry), progress)
}

/// Writes a table like [`write_payload`], for callers that have the entries of many indices at a time. `fill` gets the indices
/// of one block and an empty vector, and appends their entries. It is called once for each block.
///
/// # Errors
/// Returns the same errors as [`write_payload`], and an error if `fill` fails.
pub fn write_payload_ranges<P: Entries>(
    path: &Path,
    description: &Description,
    layout: Layout,
    payload: &P,
    fill: impl Fn(Range<u64>, &mut Vec<P::Entry>) -> io::Result<()> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Written, Error> {
    let unfit = |index, entry: P::Entry| {
        let metric = description.metric;
        Problem::Unfit { index, entry: format!("{entry:?}"), metric }
    };
    write_entries(description, layout, payload, fill, unfit, |header, pack| {
        write_packed(path, header, pack, &progress)
    })
    .map_err(|problem| problem.at(path))
}

/// Writes a table of values like [`write`](write()), for callers that have packed symbols already.
///
/// `fill` gets the indices of one block and an empty vector. It appends the packed symbols of these indices, as
/// `docs/format.md` describes. It is called once for each block. A symbol is the place of its entry in `palette`, which
/// must ascend. If the palette has exactly the entries that occur, the file has the same bytes as that of
/// [`write`](write()).
///
/// # Errors
/// Returns an error if an I/O operation or `fill` fails, if a name or the palette is not allowed, or if a block is not
/// packed correctly.
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
        let pack = |block: u64, packed: &mut Vec<u8>| {
            let indices = layout.indices_of(block, description.entries);
            let (first, entries) = (indices.start, (indices.end - indices.start) as usize);
            fill(indices, packed).map_err(Problem::io("computed"))?;
            let valid = values.is_valid(packed, entries);
            if valid { Ok(()) } else { Err(Problem::Packed { index: first }) }
        };
        write_packed(path, &header, &pack, &progress)
    };
    table().map_err(|problem| problem.at(path))
}

/// Packs entries. `unfit` gives the problem for an entry that the payload cannot store, and `write` writes the table.
fn write_entries<P: Entries>(
    description: &Description,
    layout: Layout,
    payload: &P,
    fill: impl Fn(Range<u64>, &mut Vec<P::Entry>) -> io::Result<()> + Sync,
    unfit: impl Fn(u64, P::Entry) -> Problem + Sync,
    write: impl FnOnce(&Header, &Pack<'_>) -> Result<Written, Problem>,
) -> Result<Written, Problem> {
    let header = Header::new(description, layout, payload)?;
    let packer = payload.packer();
    let pack = |block: u64, packed: &mut Vec<u8>| {
        let indices = layout.indices_of(block, description.entries);
        let first = indices.start;
        let mut entries = Vec::with_capacity((indices.end - first) as usize);
        fill(indices, &mut entries).map_err(Problem::io("computed"))?;
        packer(&entries, packed).map_err(|place| unfit(first + place as u64, entries[place]))
    };
    write(&header, &pack)
}

/// The first pass over the entries of a table of values: finds the palette.
fn survey(
    description: &Description,
    layout: Layout,
    fill: &(impl Fn(Range<u64>, &mut Vec<Entry>) -> io::Result<()> + Sync),
) -> Result<Values, Problem> {
    // Must come before `layout.blocks`. The number of bits per entry is not known yet, but it is at least one.
    layout.check(1)?;
    let metric = description.metric;
    let see = |seen: &mut EntrySet, block: usize| {
        let mut last = None;
        let indices = layout.indices_of(block as u64, description.entries);
        let mut entries = Vec::with_capacity((indices.end - indices.start) as usize);
        fill(indices.clone(), &mut entries).map_err(Problem::io("computed"))?;
        for (index, entry) in indices.zip(entries) {
            // Neighbours are often equal, and then there is nothing to do.
            if last != Some(entry) {
                if !entry.fits(metric) {
                    return Err(Problem::Unfit { index, entry: format!("{entry:?}"), metric });
                }
                seen.insert(entry);
                last = Some(entry);
            }
        }
        Ok(())
    };
    let blocks = layout.blocks(description.entries) as usize;
    parallel::try_fold(blocks, EntrySet::default, see, EntrySet::union)?.into_values()
}

/// Appends the packed entries of a block to an empty vector.
pub(crate) type Pack<'a> = dyn Fn(u64, &mut Vec<u8>) -> Result<(), Problem> + Sync + 'a;

/// Writes a table whose blocks `pack` gives.
pub(crate) fn write_packed(
    path: &Path,
    header: &Header,
    pack: &Pack<'_>,
    progress: &dyn Fn(u64),
) -> Result<Written, Problem> {
    replace(path, |file| write_contents(file, header, pack, progress))
}

/// Writes the whole file. Some blocks at a time are packed and compressed in parallel, and then written in order. `pack`
/// gets the number of a block and an empty vector.
fn write_contents<W: io::Write>(
    file: &mut Hashed<W>,
    header: &Header,
    pack: &Pack<'_>,
    progress: &dyn Fn(u64),
) -> Result<Written, Problem> {
    // Enough that threads do not wait long for the slowest one, and only a few megabytes.
    const BLOCKS_AT_A_TIME: u64 = 256;
    let Header { description, layout, .. } = header;
    let blocks = header.blocks();
    let mut records = Vec::new();
    file.write(&header.encode())?;
    for first in (0..blocks).step_by(BLOCKS_AT_A_TIME as usize) {
        let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
        let done = description.entries.min(some.end.saturating_mul(layout.entries_per_block.into()));
        let compressed = some
            .into_par_iter()
            .map_init(
                || (layout.codec.encoder(description.entries), Vec::new()),
                |(encoder, packed), block| {
                    packed.clear();
                    pack(block, packed)?;
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
struct Hashed<W> {
    file: W,
    hasher: blake3::Hasher,
    length: u64,
}

impl<W: io::Write> Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Problem::io("written"))
    }
}

/// Writes a temporary file beside the old one, and renames it when it is on the disk. After a crash there is the old file,
/// or no file if there was none before. A temporary file that a crash leaves is replaced next time.
fn replace<T>(
    path: &Path,
    contents: impl FnOnce(&mut Hashed<io::BufWriter<File>>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let folder = working::folder_of(path);
    fs::create_dir_all(folder).map_err(Problem::io("written"))?;
    let temporary = working::temporary(path);
    let file = working::create(&temporary).map_err(Problem::io("written"))?;
    let mut hashed = Hashed { file: io::BufWriter::new(file), hasher: blake3::Hasher::new(), length: 0 };
    let result = contents(&mut hashed).and_then(|result| {
        let file = hashed.file.into_inner().map_err(|error| Problem::io("written")(error.into_error()))?;
        file.sync_all().map_err(Problem::io("synced"))?;
        fs::rename(&temporary, path).map_err(Problem::io("put in its place"))?;
        Ok(result)
    });
    match result {
        Ok(result) => {
            // The new name is on the disk only after the folder is synced.
            system::sync_folder(folder).map_err(Problem::io("synced"))?;
            Ok(result)
        }
        Err(problem) => {
            // The caller gets the first problem, even if the temporary file cannot be removed.
            let _ = fs::remove_file(&temporary);
            Err(problem)
        }
    }
}
