//! The layout of the file, byte by byte: header, blocks, block index, trailer. `docs/format.md` has it in tables.
//!
//! Everything here goes from values to bytes and back. Whoever reads trusts no number before it has been bounded by
//! the length of the file, and reserves no memory for one before that.

use crate::codec::Codec;
use crate::error::{Field, Part, Problem};
use crate::palette::{self, Palette};
use crate::{Description, Entry};
use game::{Metric, Plies};
use std::ops::Range;

/// A byte above 127, a name, and both line ends: what spoils text files spoils this visibly.
const MAGIC: [u8; 8] = *b"\x89EST\r\n\x1a\n";
const CLOSING_MAGIC: [u8; 8] = *b"\nEST end";
pub(crate) const VERSION: u16 = 1;

/// The most entries a block may have: unpacked it has 2 MiB at the most, whatever a file says.
pub(crate) const LARGEST_BLOCK: u32 = 1 << 20;

/// The part of the header before the texts.
pub(crate) const FIXED_HEADER: usize = 32;
const CHECKSUM: usize = 4;
const PALETTE_ENTRY: usize = 3;
/// Five texts of 255 bytes with their lengths, and a full palette.
const LONGEST_HEADER: usize = FIXED_HEADER + 5 * 256 + palette::MOST * PALETTE_ENTRY + CHECKSUM;
const BLOCK_INDEX_ENTRY: u64 = 8;
pub(crate) const TRAILER: usize = 60;
/// The part of the trailer that the content hash covers.
pub(crate) const TRAILER_BEFORE_HASH: usize = 16;
const NO_PLIES: u16 = u16::MAX;

/// How the entries are cut and compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// A power of two up to 2²⁰. Large blocks compress better, small ones are read faster.
    pub entries_per_block: u32,
    /// How blocks are compressed.
    pub codec: Codec,
}

/// 32,768 entries with zstd: the measurements are in `docs/experiments.md`.
impl Default for Layout {
    fn default() -> Self {
        Self { entries_per_block: 1 << 15, codec: Codec::Zstd }
    }
}

impl Layout {
    pub(crate) fn check(self) -> Result<(), Problem> {
        let found = self.entries_per_block;
        let allowed = found.is_power_of_two() && found <= LARGEST_BLOCK;
        if allowed { Ok(()) } else { Err(Problem::BlockSize { found }) }
    }

    pub(crate) fn blocks(self, entries: u64) -> u64 {
        entries.div_ceil(self.entries_per_block.into())
    }

    /// How many entries a block has: the last one has what is left.
    pub(crate) fn entries_of(self, block: u64, entries: u64) -> usize {
        let first = block * u64::from(self.entries_per_block);
        (entries - first).min(self.entries_per_block.into()) as usize
    }

    /// Their indices.
    pub(crate) fn indices_of(self, block: u64, entries: u64) -> Range<u64> {
        let first = block * u64::from(self.entries_per_block);
        first..first + self.entries_of(block, entries) as u64
    }
}

/// What stands at the beginning of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub description: Description,
    pub layout: Layout,
    pub palette: Palette,
}

impl Header {
    /// If all parts are allowed and fit each other.
    pub(crate) fn new(description: Description, layout: Layout, palette: Palette) -> Result<Self, Problem> {
        description.check()?;
        layout.check()?;
        let fits = palette.entries().is_empty() == (description.entries == 0);
        if fits { Ok(Self { description, layout, palette }) } else { Err(Problem::Palette) }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.layout.codec.number());
        bytes.push(self.palette.width().bits());
        let length_at = bytes.len();
        bytes.extend([0; 4]);
        bytes.extend(self.description.entries.to_le_bytes());
        bytes.extend(self.layout.entries_per_block.to_le_bytes());
        bytes.extend((self.palette.entries().len() as u32).to_le_bytes());
        let Description { game, rules, slice, metric, index, .. } = &self.description;
        for text in [game, rules, slice, metric.name(), index] {
            bytes.push(text.len() as u8);
            bytes.extend(text.as_bytes());
        }
        for &entry in self.palette.entries() {
            let kind = match entry {
                Entry::Nothing => 0,
                Entry::Loss(_) => 1,
                Entry::Draw => 2,
                Entry::Win(_) => 3,
                Entry::NotWon => 4,
            };
            bytes.push(kind);
            bytes.extend(entry.plies().map_or(NO_PLIES, |plies| plies.0).to_le_bytes());
        }
        let length = (bytes.len() + CHECKSUM) as u32;
        bytes[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// How long the whole header is, by its first [`FIXED_HEADER`] bytes. Never more than about 200 kB.
    pub(crate) fn length(fixed: &[u8]) -> Result<usize, Problem> {
        let mut fields = Fields(fixed);
        if fields.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
            return Err(Problem::NotATable);
        }
        let found = fields.u16()?;
        if found != VERSION {
            return Err(Problem::Version { found });
        }
        fields.take(2)?;
        let length = fields.u32()? as usize;
        let allowed = (FIXED_HEADER + CHECKSUM..=LONGEST_HEADER).contains(&length);
        if allowed { Ok(length) } else { Err(Problem::HeaderFields) }
    }

    /// Reads the whole header, whose beginning [`length`](Self::length) has seen.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Problem> {
        let bytes = checked(bytes, Part::Header)?;
        let mut fields = Fields(bytes);
        fields.take(MAGIC.len() + 2)?;
        let codec = Codec::with_number(fields.u8()?)?;
        let bits = fields.u8()?;
        fields.take(4)?;
        let entries = fields.u64()?;
        let layout = Layout { entries_per_block: fields.u32()?, codec };
        layout.check()?;
        let different = fields.u32()? as usize;

        let game = fields.text(Field::Game)?;
        let rules = fields.text(Field::Rules)?;
        let slice = fields.text(Field::Slice)?;
        let metric = fields.text(Field::Metric)?;
        let index = fields.text(Field::Index)?;
        let metric = Metric::ALL.into_iter().find(|known| known.name() == metric);
        let metric = metric.ok_or(Problem::Name { field: Field::Metric })?;
        let description = Description { game, rules, slice, metric, index, entries };
        description.check()?;

        if different > palette::MOST || fields.0.len() != different * PALETTE_ENTRY {
            return Err(Problem::HeaderFields);
        }
        let listed = fields.0.chunks_exact(PALETTE_ENTRY).map(palette_entry).collect::<Result<_, _>>()?;
        let header = Self::new(description, layout, Palette::new(listed, metric)?)?;
        if header.palette.width().bits() == bits { Ok(header) } else { Err(Problem::Palette) }
    }
}

fn palette_entry(bytes: &[u8]) -> Result<Entry, Problem> {
    let plies = match u16::from_le_bytes([bytes[1], bytes[2]]) {
        NO_PLIES => None,
        plies => Some(Plies(plies)),
    };
    match (bytes[0], plies) {
        (0, None) => Ok(Entry::Nothing),
        (1, plies) => Ok(Entry::Loss(plies)),
        (2, None) => Ok(Entry::Draw),
        (3, plies) => Ok(Entry::Win(plies)),
        (4, None) => Ok(Entry::NotWon),
        _ => Err(Problem::Palette),
    }
}

/// What the block index says about one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockRecord {
    /// Its length in the file.
    pub length: u32,
    /// The checksum of these bytes.
    pub checksum: u32,
}

pub(crate) fn encode_block_index(blocks: &[BlockRecord]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(blocks.len() * BLOCK_INDEX_ENTRY as usize + CHECKSUM);
    for block in blocks {
        bytes.extend(block.length.to_le_bytes());
        bytes.extend(block.checksum.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads a block index of the length that [`Sections::block_index_length`] says.
pub(crate) fn decode_block_index(
    bytes: &[u8],
) -> Result<impl ExactSizeIterator<Item = BlockRecord>, Problem> {
    let bytes = checked(bytes, Part::BlockIndex)?;
    Ok(bytes.chunks_exact(BLOCK_INDEX_ENTRY as usize).map(|record| BlockRecord {
        length: u32::from_le_bytes(record[..4].try_into().expect("four of eight bytes")),
        checksum: u32::from_le_bytes(record[4..].try_into().expect("four of eight bytes")),
    }))
}

/// What stands at the end of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trailer {
    pub block_index_at: u64,
    pub blocks: u64,
    /// BLAKE3 of everything before it.
    pub content_hash: [u8; 32],
}

impl Trailer {
    /// The first part, which the content hash covers.
    pub(crate) fn encode_before_hash(block_index_at: u64, blocks: u64) -> [u8; TRAILER_BEFORE_HASH] {
        let mut bytes = [0; TRAILER_BEFORE_HASH];
        bytes[..8].copy_from_slice(&block_index_at.to_le_bytes());
        bytes[8..].copy_from_slice(&blocks.to_le_bytes());
        bytes
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Self::encode_before_hash(self.block_index_at, self.blocks).to_vec();
        bytes.extend(self.content_hash);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(CLOSING_MAGIC);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Problem> {
        let damaged = Problem::Checksum { part: Part::Trailer };
        let bytes = bytes.strip_suffix(&CLOSING_MAGIC).ok_or(damaged)?;
        let mut fields = Fields(checked(bytes, Part::Trailer)?);
        Ok(Self {
            block_index_at: fields.u64()?,
            blocks: fields.u64()?,
            content_hash: fields.0.try_into().map_err(|_| Problem::HeaderFields)?,
        })
    }
}

/// Where the parts of a file lie, once its length, header and trailer agree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    pub blocks_at: u64,
    pub block_index_at: u64,
    pub block_index_length: usize,
}

impl Sections {
    /// The number of blocks that the entries need must be the trailer's, and fill the file to the byte: after this
    /// it is bounded by the file's length.
    pub(crate) fn new(
        length: u64,
        header_length: usize,
        header: &Header,
        trailer: &Trailer,
    ) -> Result<Self, Problem> {
        if header.layout.blocks(header.description.entries) != trailer.blocks {
            return Err(Problem::Blocks);
        }
        let blocks_at = header_length as u64;
        let index_length = trailer.blocks.checked_mul(BLOCK_INDEX_ENTRY).map(|bytes| bytes + CHECKSUM as u64);
        let end = index_length
            .and_then(|index| trailer.block_index_at.checked_add(index))
            .and_then(|end| end.checked_add(TRAILER as u64));
        match index_length.and_then(|index| usize::try_from(index).ok()) {
            Some(block_index_length) if end == Some(length) && trailer.block_index_at >= blocks_at => {
                Ok(Self { blocks_at, block_index_at: trailer.block_index_at, block_index_length })
            }
            _ => Err(Problem::Length { length }),
        }
    }
}

/// The bytes before their checksum, if it is right.
fn checked(bytes: &[u8], part: Part) -> Result<&[u8], Problem> {
    match bytes.split_last_chunk::<CHECKSUM>() {
        Some((bytes, checksum)) if crc32fast::hash(bytes) == u32::from_le_bytes(*checksum) => Ok(bytes),
        _ => Err(Problem::Checksum { part }),
    }
}

/// What is left of a sequence of fields.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Problem> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Problem::HeaderFields)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let (&taken, rest) = self.0.split_first_chunk().ok_or(Problem::HeaderFields)?;
        self.0 = rest;
        Ok(taken)
    }

    fn u8(&mut self) -> Result<u8, Problem> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, Problem> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Problem> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Problem> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self, field: Field) -> Result<String, Problem> {
        let length = self.u8()?.into();
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| Problem::Name { field })?;
        Ok(text.to_owned())
    }
}
