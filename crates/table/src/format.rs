//! The layout of the file, byte by byte: header, blocks, block index, trailer. `docs/format.md` describes it in tables.
//!
//! This module converts between values and bytes. A reader trusts a number from a file, and reserves memory for it, only
//! after it has checked the number against the length of the file.

use crate::Description;
use crate::codec::Codec;
use crate::coding::Tiles;
use crate::description;
use crate::distances::Distances;
use crate::error::{Field, Part, Problem};
use crate::outcomes::Outcomes;
use crate::payload::Payload;
use crate::values::{self, Values};
use game::Metric;
use std::ops::Range;

/// A byte above 127, a name, and both kinds of line ends. Programs that convert text files change these bytes, so that
/// the damage is noticed.
const MAGIC: [u8; 8] = *b"\x89EST\r\n\x1a\n";
const CLOSING_MAGIC: [u8; 8] = *b"\nEST end";
/// The newest version of the format. Versions 1 to this one exist.
pub(crate) const VERSIONS: u16 = 3;

/// The most entries a block may have.
pub(crate) const LARGEST_BLOCK: u32 = 1 << 20;
/// The most bytes a block may have when it is not compressed.
pub(crate) const LARGEST_PACKED: u64 = 2 << 20;

/// The length of the header before the texts.
pub(crate) const FIXED_HEADER: usize = 32;
const CHECKSUM: usize = 4;
/// The length of the longest description of a payload: a full palette.
const LONGEST_PAYLOAD: usize = values::MOST * values::LISTED;
const BLOCK_INDEX_ENTRY: u64 = 8;
pub(crate) const TRAILER: usize = 60;
/// The length of the part of the trailer that the content hash covers.
pub(crate) const TRAILER_BEFORE_HASH: usize = 16;

/// How the entries are split into blocks and compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The number of entries in a block: a power of two up to 2²⁰. Large blocks compress better, small blocks are read
    /// faster.
    pub entries_per_block: u32,
    /// How blocks are compressed.
    pub codec: Codec,
}

/// 32,768 entries per block, with zstd. The measurements are in `docs/experiments.md`.
impl Default for Layout {
    fn default() -> Self {
        Self { entries_per_block: 1 << 15, codec: Codec::Zstd }
    }
}

impl Layout {
    /// The default layout for a payload, with smaller blocks if a packed block would be larger than 64 KiB.
    pub fn for_payload(payload: &impl Payload) -> Self {
        const LARGEST: u32 = 64 << 13;
        let fitting = 1 << (LARGEST / payload.bits().clamp(1, LARGEST)).ilog2();
        let usual = Self::default();
        Self { entries_per_block: usual.entries_per_block.min(fitting), ..usual }
    }

    /// Checks that the layout is allowed for entries with this number of bits.
    pub(crate) fn check(self, bits: u32) -> Result<(), Problem> {
        let found = self.entries_per_block;
        let allowed = found.is_power_of_two()
            && found <= LARGEST_BLOCK
            && u64::from(found) * u64::from(bits) <= 8 * LARGEST_PACKED;
        if allowed { Ok(()) } else { Err(Problem::BlockSize { found }) }
    }

    pub(crate) fn blocks(self, entries: u64) -> u64 {
        entries.div_ceil(self.entries_per_block.into())
    }

    /// The number of entries in a block. The last block has the rest of the entries.
    pub(crate) fn entries_of(self, block: u64, entries: u64) -> usize {
        let first = block * u64::from(self.entries_per_block);
        (entries - first).min(self.entries_per_block.into()) as usize
    }

    /// The indices of the entries in a block.
    pub(crate) fn indices_of(self, block: u64, entries: u64) -> Range<u64> {
        let first = block * u64::from(self.entries_per_block);
        first..first + self.entries_of(block, entries) as u64
    }
}

/// The header: the first part of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub description: Description,
    pub layout: Layout,
    pub payload: PayloadPart,
    /// The tiles of a payload that is coded by contexts. Its description begins with them.
    tiles: Option<Tiles>,
}

/// The part of the header about the payload. The file layer does not interpret it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PayloadPart {
    pub name: String,
    /// The number of bits of each entry.
    pub bits: u32,
    pub description: Vec<u8>,
}

impl PayloadPart {
    /// Returns whether this is a payload of small tables. Their blocks are tiles that are coded by contexts, and no others are.
    pub(crate) fn is_small(&self) -> bool {
        [Outcomes::NAME, Distances::NAME].contains(&self.name.as_str())
    }

    /// Checks that this is the payload `P`.
    pub(crate) fn expect<P: Payload>(&self) -> Result<(), Problem> {
        if self.name == P::NAME {
            return Ok(());
        }
        let (expected, found) = (P::NAME.to_owned(), self.name.clone());
        Err(Problem::Mismatch { field: Field::Payload, expected, found })
    }
}

impl Header {
    /// Makes a header, and checks that all parts are allowed and fit each other.
    pub(crate) fn new<P: Payload>(
        description: &Description,
        layout: Layout,
        payload: &P,
    ) -> Result<Self, Problem> {
        payload.check(description)?;
        let payload = PayloadPart {
            name: P::NAME.to_owned(),
            bits: payload.bits(),
            description: payload.description(),
        };
        Self::of_parts(description.clone(), layout, payload)
    }

    fn of_parts(description: Description, layout: Layout, payload: PayloadPart) -> Result<Self, Problem> {
        // The places of a tile are not the entries of a block without tiles: a payload must not read blocks of the other kind.
        if (layout.codec == Codec::Contexts) != payload.is_small() {
            return Err(Problem::Payload);
        }
        let tiles = match layout.codec {
            Codec::Contexts => Some(Tiles::read(&mut Fields::new(&payload.description))?),
            Codec::Stored | Codec::Zstd => None,
        };
        let fits = |tiles: &Tiles| {
            tiles.indices() == description.entries && tiles.places() == layout.entries_per_block as usize
        };
        if !tiles.as_ref().is_none_or(fits) {
            return Err(Problem::Payload);
        }
        let header = Self { description, layout, payload, tiles };
        header.check()?;
        Ok(header)
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> u64 {
        let untiled = || self.layout.blocks(self.description.entries);
        self.tiles.as_ref().map_or_else(untiled, Tiles::tiles)
    }

    /// The number of entries in a block. In a tile, some of them may stand for no index.
    #[inline]
    pub(crate) fn entries_of(&self, block: u64) -> usize {
        match self.tiles {
            Some(_) => self.layout.entries_per_block as usize,
            None => self.layout.entries_of(block, self.description.entries),
        }
    }

    fn check(&self) -> Result<(), Problem> {
        let PayloadPart { name, bits, description } = &self.payload;
        self.description.check()?;
        self.layout.check(*bits)?;
        if !description::is_name(name) {
            return Err(Problem::Name { field: Field::Payload });
        }
        if *bits == 0 || description.len() > LONGEST_PAYLOAD { Err(Problem::Payload) } else { Ok(()) }
    }

    /// The number of bytes of a packed block, before compression. It cannot overflow: [`Layout::check`] limits it.
    pub(crate) fn packed_bytes(&self, block: u64) -> usize {
        (self.entries_of(block) * self.payload.bits as usize).div_ceil(8)
    }

    /// The version in which the header is written: the lowest version that can express it. So tables that version 1 can
    /// express keep their old bytes.
    fn version(&self) -> u16 {
        let is_old = self.payload.name == Values::NAME
            && matches!(self.description.metric, Metric::Wdl | Metric::Dtm)
            && values::is_of_version_1(&self.payload.description);
        match (&self.tiles, is_old) {
            (Some(_), _) => 3,
            (None, true) => 1,
            (None, false) => 2,
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let PayloadPart { name, bits, description: payload } = &self.payload;
        let version = self.version();
        let (old_bits, number) = match version {
            1 => (*bits as u8, (payload.len() / values::LISTED) as u32),
            _ => (0, *bits),
        };
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(version.to_le_bytes());
        bytes.push(self.layout.codec.number());
        bytes.push(old_bits);
        let length_at = bytes.len();
        bytes.extend([0; 4]);
        bytes.extend(self.description.entries.to_le_bytes());
        bytes.extend(self.layout.entries_per_block.to_le_bytes());
        bytes.extend(number.to_le_bytes());
        let Description { game, rules, slice, metric, index, .. } = &self.description;
        let texts = [game, rules, slice, metric.name(), index, name];
        for text in &texts[..texts_of(version)] {
            bytes.push(text.len() as u8);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(payload);
        let length = (bytes.len() + CHECKSUM) as u32;
        bytes[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the length of the whole header from its first [`FIXED_HEADER`] bytes, after [`check_magic`]. It is never more
    /// than about 200 kB.
    pub(crate) fn length(fixed: &[u8]) -> Result<usize, Problem> {
        let mut fields = Fields(fixed);
        fields.take(MAGIC.len())?;
        let version = fields.u16()?;
        if !(1..=VERSIONS).contains(&version) {
            return Err(Problem::Version { found: version });
        }
        fields.take(2)?;
        let length = fields.u32()? as usize;
        let longest = FIXED_HEADER + texts_of(version) * LONGEST_TEXT + LONGEST_PAYLOAD + CHECKSUM;
        let allowed = (FIXED_HEADER + CHECKSUM..=longest).contains(&length);
        if allowed { Ok(length) } else { Err(Problem::HeaderFields) }
    }

    /// Reads the whole header, after [`length`](Self::length) has checked its beginning. It does not interpret the
    /// description of the payload.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Problem> {
        let bytes = checked(bytes, Part::Header)?;
        let mut fields = Fields(bytes);
        fields.take(MAGIC.len())?;
        let version = fields.u16()?;
        let codec = Codec::with_number(fields.u8()?)?;
        let old_bits = fields.u8()?;
        fields.take(4)?;
        let entries = fields.u64()?;
        let layout = Layout { entries_per_block: fields.u32()?, codec };
        let number = fields.u32()?;

        let game = fields.text(Field::Game)?;
        let rules = fields.text(Field::Rules)?;
        let slice = fields.text(Field::Slice)?;
        let metric = fields.text(Field::Metric)?;
        let index = fields.text(Field::Index)?;
        let name = if version == 1 { Values::NAME.to_owned() } else { fields.text(Field::Payload)? };
        let metric = Metric::ALL.into_iter().find(|known| known.name() == metric);
        let metric = metric.ok_or(Problem::Name { field: Field::Metric })?;
        let description = Description { game, rules, slice, metric, index, entries };

        let payload = fields.0.to_vec();
        let bits = match version {
            1 if Some(payload.len()) != (number as usize).checked_mul(values::LISTED) => {
                return Err(Problem::HeaderFields);
            }
            1 => old_bits.into(),
            _ if old_bits != 0 => return Err(Problem::HeaderFields),
            _ => number,
        };
        let header = Self::of_parts(description, layout, PayloadPart { name, bits, description: payload })?;
        if header.version() == version { Ok(header) } else { Err(Problem::Payload) }
    }
}

/// Checks the first bytes of a file, which may be too few.
pub(crate) fn check_magic(first: &[u8]) -> Result<(), Problem> {
    let known = first.len().min(MAGIC.len());
    if first[..known] == MAGIC[..known] { Ok(()) } else { Err(Problem::NotATable) }
}

/// The number of bytes of the longest text: a byte for its length, and 255 bytes.
const LONGEST_TEXT: usize = 256;

/// The number of texts in a header. Version 2 has one more than version 1: the name of the payload.
const fn texts_of(version: u16) -> usize {
    if version == 1 { 5 } else { 6 }
}

/// The record of one block in the block index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockRecord {
    /// The number of bytes of the block in the file.
    pub length: u32,
    /// The checksum of the bytes of the block in the file.
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

/// Reads a block index, and returns the offset of each block with the end of the last one, and the checksums of the blocks.
/// `read` reads bytes of the file.
///
/// It is read in pieces, and the lengths in a piece are checked before more memory is reserved. So a file cannot take memory
/// for blocks that it only claims to have: a hole of a sparse file reads as zeros, and no block has the length 0. In an index of
/// several pieces, a wrong length is found before the checksum is known.
pub(crate) fn read_block_index(
    header: &Header,
    sections: Sections,
    read: &mut dyn FnMut(u64, usize) -> Result<Vec<u8>, Problem>,
) -> Result<(Vec<u64>, Vec<u32>), Problem> {
    const PIECE: usize = 1 << 20;
    let length = sections.block_index_length - CHECKSUM;
    let (mut bounds, mut checksums) = (vec![sections.blocks_at], Vec::new());
    let (mut end, mut hasher) = (sections.blocks_at, crc32fast::Hasher::new());
    // An index without records is one piece, too.
    for start in (0..length.max(1)).step_by(PIECE) {
        let is_last = length - start <= PIECE;
        let bytes = if is_last { length - start + CHECKSUM } else { PIECE };
        let piece = read(sections.block_index_at + start as u64, bytes)?;
        let (records, checksum) = piece.split_at(if is_last { length - start } else { PIECE });
        hasher.update(records);
        if is_last && checksum != hasher.clone().finalize().to_le_bytes() {
            return Err(Problem::Checksum { part: Part::BlockIndex });
        }
        let records = records.chunks_exact(BLOCK_INDEX_ENTRY as usize);
        bounds.reserve_exact(records.len());
        checksums.reserve_exact(records.len());
        for record in records {
            let [length, checksum] = [&record[..4], &record[4..]]
                .map(|field| u32::from_le_bytes(field.try_into().expect("four of eight bytes")));
            if length == 0 || length as usize > header.packed_bytes(checksums.len() as u64) {
                return Err(Problem::Blocks);
            }
            end += u64::from(length);
            if end > sections.block_index_at {
                return Err(Problem::Blocks);
            }
            bounds.push(end);
            checksums.push(checksum);
        }
    }
    if end == sections.block_index_at { Ok((bounds, checksums)) } else { Err(Problem::Blocks) }
}

/// The trailer: the last part of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trailer {
    pub block_index_at: u64,
    pub blocks: u64,
    /// The BLAKE3 hash of all bytes of the file before it.
    pub content_hash: [u8; 32],
}

impl Trailer {
    /// Encodes the first part of the trailer, which the content hash covers.
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

/// The offsets of the parts of a file, after a check that its length, header and trailer agree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    pub blocks_at: u64,
    pub block_index_at: u64,
    pub block_index_length: usize,
}

impl Sections {
    /// Checks that the trailer has the number of blocks that the entries need, and that the parts fill the file exactly.
    /// After this check the number of blocks is limited by the length of the file.
    pub(crate) fn new(
        length: u64,
        header_length: usize,
        header: &Header,
        trailer: &Trailer,
    ) -> Result<Self, Problem> {
        if header.blocks() != trailer.blocks {
            return Err(Problem::Blocks);
        }
        let blocks_at = header_length as u64;
        let index_length = trailer.blocks.checked_mul(BLOCK_INDEX_ENTRY).map(|bytes| bytes + CHECKSUM as u64);
        let end = index_length
            .and_then(|index| trailer.block_index_at.checked_add(index))
            .and_then(|end| end.checked_add(TRAILER as u64));
        // Every block has at least one byte.
        let has_room =
            |blocks: u64| blocks_at.checked_add(blocks).is_some_and(|end| end <= trailer.block_index_at);
        match index_length.and_then(|index| usize::try_from(index).ok()) {
            Some(block_index_length) if end == Some(length) && has_room(trailer.blocks) => {
                Ok(Self { blocks_at, block_index_at: trailer.block_index_at, block_index_length })
            }
            _ => Err(Problem::Length { length }),
        }
    }
}

/// Returns the bytes without the checksum at their end, or an error if the checksum is wrong.
fn checked(bytes: &[u8], part: Part) -> Result<&[u8], Problem> {
    match bytes.split_last_chunk::<CHECKSUM>() {
        Some((bytes, checksum)) if crc32fast::hash(bytes) == u32::from_le_bytes(*checksum) => Ok(bytes),
        _ => Err(Problem::Checksum { part }),
    }
}

/// Reads fields one after another. It holds the bytes that are not read yet.
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes that are not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// Returns whether all bytes are read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Problem> {
        // Tables are opened quickly, so a problem is made only if there is one.
        let Some((taken, rest)) = self.0.split_at_checked(length) else { return Err(Problem::HeaderFields) };
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let Some((&taken, rest)) = self.0.split_first_chunk() else { return Err(Problem::HeaderFields) };
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Problem> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Problem> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Problem> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Problem> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self, field: Field) -> Result<String, Problem> {
        let length = self.u8()?.into();
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| Problem::Name { field })?;
        Ok(text.to_owned())
    }
}
