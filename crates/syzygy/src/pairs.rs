//! The values of one part of a table: unpacks them from blocks of coded symbols.
//!
//! A symbol stands for a value or for a pair of symbols. The symbols of a block are written with a prefix code, in which
//! longer codes have smaller numbers. An index into the blocks has an entry for every `span` values.

use crate::error::Problem;
use crate::reader::Reader;
use table::Source;

/// The longest code, in bits. Together with up to seven bits of a byte before it, it fits in 64 bits.
const LONGEST_CODE: u8 = 32;
/// The most symbols: they are stored in 12 bits.
const MOST_SYMBOLS: usize = 1 << 12;
/// The second half of a symbol that stands for a value.
const IS_VALUE: u32 = 0xfff;
/// The most values of a symbol.
const MOST_VALUES: u32 = 1 << 8;
/// The largest block, as a power of two.
const LARGEST_BLOCK: u8 = 16;
/// The largest span between entries of the index, as a power of two. Files have spans of at most 32 blocks of average length, and
/// blocks have up to 2^16 values, so 21 is the most that is used.
const LARGEST_SPAN: u8 = 24;
/// The lengths of blocks that are read at once.
const LENGTHS_AT_ONCE: u32 = 64;
/// The most reads of lengths for one value, so that a damaged index cannot make a probe walk over millions of blocks. The tables
/// with up to four men need 42 blocks at most. A table that is dense in some places and sparse in others needs more, but not
/// 2^16: that would be blocks of 16 values in half of a span of 2^21.
const MOST_READS: u32 = (1 << 16) / LENGTHS_AT_ONCE;
/// The bits that are looked up at once.
const LOOK: u32 = 10;
/// The bits that can be used after one read: a read begins with a byte, whose first seven bits may be used already.
const READ_BITS: u32 = 57;
/// Bytes that may be read after a block. Every file has them, because a checksum of 16 bytes ends it.
const AFTER_BLOCK: usize = 8;

/// The values of one part of a table.
#[derive(Debug)]
pub(crate) enum Pairs {
    /// All values are equal.
    Single(u16),
    /// The values are in blocks.
    Blocks(Box<Blocks>),
}

/// The place of a part of the file, which [`Blocks::place`] fills in.
#[derive(Debug, Default)]
struct Places {
    index: u64,
    lengths: u64,
    data: u64,
}

/// Values in blocks, and how to unpack them.
#[derive(Debug)]
pub(crate) struct Blocks {
    places: Places,
    /// The number of entries of the index.
    entries: u64,
    span_bits: u8,
    block_bits: u8,
    /// The number of blocks.
    blocks: u32,
    /// The number of lengths of blocks. There are more than blocks, so that the index stays in range.
    lengths: u32,
    shortest: u8,
    /// For each length of code, the smallest code, at the upper end of 64 bits. It decreases to zero.
    bases: Box<[u64]>,
    /// For each length of code, the symbol of the smallest code.
    first_symbols: Box<[u16]>,
    /// For each symbol, the number of its values.
    values: Box<[u16]>,
    symbols: Box<[Symbol]>,
    /// What the next [`LOOK`] bits begin with.
    looks: Box<[Look; 1 << LOOK]>,
}

/// A symbol in 32 bits, as in the file but with the number of values of its left half: left, right, number minus one.
#[derive(Clone, Copy, Debug)]
struct Symbol(u32);

impl Symbol {
    #[inline]
    fn left(self) -> u32 {
        self.0 & 0xfff
    }

    #[inline]
    fn right(self) -> u32 {
        self.0 >> 12 & 0xfff
    }

    #[inline]
    fn left_values(self) -> u32 {
        (self.0 >> 24) + 1
    }

    #[inline]
    fn is_value(self) -> bool {
        self.right() == IS_VALUE
    }
}

/// All the symbols that are complete in some bits: the number of their values, and the bits that they take. No bits if even
/// the first symbol is longer.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    values: u16,
    bits: u16,
}

impl Pairs {
    /// Reads the sizes, the code and the symbols of a part with this many positions. Its flags have been read before.
    pub fn read(reader: &mut Reader<'_>, is_single: bool, positions: u64) -> Result<Self, Problem> {
        if is_single {
            return Ok(Self::Single(reader.u8()?.into()));
        }
        let [block_bits, span_bits, padding] = reader.array()?;
        let blocks = u32::from_le_bytes(reader.array()?);
        let lengths = blocks.checked_add(padding.into()).ok_or(Problem::BlockSizes)?;
        if block_bits > LARGEST_BLOCK || span_bits > LARGEST_SPAN || blocks == 0 {
            return Err(Problem::BlockSizes);
        }
        let [longest, shortest] = reader.array()?;
        if shortest == 0 || shortest > longest || longest > LONGEST_CODE {
            return Err(Problem::Code);
        }
        let first_symbols = reader.numbers(usize::from(longest - shortest) + 1)?;
        let count = usize::from(u16::from_le_bytes(reader.array()?));
        if count == 0 || count > MOST_SYMBOLS {
            return Err(Problem::Symbols);
        }
        let mut symbols = Vec::with_capacity(count);
        for bytes in reader.bytes(3 * count)?.chunks_exact(3) {
            symbols.push(Symbol(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])));
        }
        reader.skip(count as u64 & 1);

        let values = values_of(&symbols)?;
        for symbol in symbols.iter_mut().filter(|symbol| !symbol.is_value()) {
            symbol.0 |= u32::from(values[symbol.left() as usize] - 1) << 24;
        }
        let bases = bases_of(&first_symbols, shortest, count)?;
        let mut blocks = Blocks {
            places: Places::default(),
            entries: positions.div_ceil(1 << span_bits),
            span_bits,
            block_bits,
            blocks,
            lengths,
            shortest,
            bases: bases.into(),
            first_symbols: first_symbols.into(),
            values: values.into(),
            symbols: symbols.into(),
            looks: Box::new([Look::default(); 1 << LOOK]),
        };
        *blocks.looks = std::array::from_fn(|bits| blocks.look((bits as u64) << (64 - LOOK)));
        Ok(Self::Blocks(Box::new(blocks)))
    }

    /// Notes where the index begins, and skips it.
    pub fn place_index(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let Self::Blocks(blocks) = self else { return Ok(()) };
        blocks.places.index = reader.skip(6 * blocks.entries);
        reader.check()
    }

    /// Notes where the lengths of the blocks begin, and skips them.
    pub fn place_lengths(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let Self::Blocks(blocks) = self else { return Ok(()) };
        blocks.places.lengths = reader.skip(2 * u64::from(blocks.lengths));
        reader.check()
    }

    /// Notes where the blocks begin, and skips them.
    pub fn place_data(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let Self::Blocks(blocks) = self else { return Ok(()) };
        reader.align(64);
        blocks.places.data = reader.skip(u64::from(blocks.blocks) << blocks.block_bits);
        reader.check()
    }

    /// The value of an index.
    #[inline]
    pub fn value(&self, source: &dyn Source, index: u64) -> Result<u16, Problem> {
        match self {
            Self::Single(value) => Ok(*value),
            Self::Blocks(blocks) => blocks.value(source, index),
        }
    }
}

/// The bits of a block from this bit on. At least [`READ_BITS`] are those of the block.
#[inline]
fn read_bits(block: &[u8], at: usize) -> Option<u64> {
    let word: [u8; 8] = block.get(at >> 3..(at >> 3) + 8)?.try_into().ok()?;
    Some(u64::from_be_bytes(word) << (at & 7))
}

/// The number of values of each symbol. An error if a symbol contains itself, or one that does not exist, or too many values.
fn values_of(symbols: &[Symbol]) -> Result<Vec<u16>, Problem> {
    const OPEN: u16 = u16::MAX;
    let mut values = vec![0; symbols.len()];
    let mut stack = Vec::new();
    for root in 0..symbols.len() as u32 {
        stack.push(root);
        // A symbol stays on the stack until its halves are known. It is open after it has been seen once.
        while let Some(&top) = stack.last() {
            let symbol = symbols[top as usize];
            let known = values[top as usize];
            if symbol.is_value() {
                values[top as usize] = 1;
            }
            if symbol.is_value() || known != 0 && known != OPEN {
                stack.pop();
                continue;
            }
            let half = |half: u32| values.get(half as usize).copied().ok_or(Problem::Symbols);
            let halves = [half(symbol.left())?, half(symbol.right())?];
            match halves {
                [0, _] | [_, 0] if known == OPEN => return Err(Problem::Symbols),
                [OPEN, _] | [_, OPEN] => return Err(Problem::Symbols),
                [0, _] | [_, 0] => {
                    values[top as usize] = OPEN;
                    if halves[0] == 0 {
                        stack.push(symbol.left());
                    }
                    if halves[1] == 0 {
                        stack.push(symbol.right());
                    }
                }
                [left, right] => {
                    let sum = u32::from(left) + u32::from(right);
                    values[top as usize] =
                        u16::try_from(sum).ok().filter(|_| sum <= MOST_VALUES).ok_or(Problem::Symbols)?;
                    stack.pop();
                }
            }
        }
    }
    Ok(values)
}

/// The smallest code of each length, at the upper end of 64 bits. Checks that every sequence of bits begins with the code of
/// a symbol that exists.
fn bases_of(first_symbols: &[u16], shortest: u8, symbols: usize) -> Result<Vec<u64>, Problem> {
    let lengths = first_symbols.len();
    let mut bases = vec![0; lengths];
    for i in (0..lengths - 1).rev() {
        // The codes of length i + 1 begin after those that are longer.
        let codes = first_symbols[i].checked_sub(first_symbols[i + 1]).ok_or(Problem::Code)?;
        bases[i] = (bases[i + 1] + u64::from(codes)) / 2;
    }
    let mut above: Option<u64> = None;
    for (i, base) in bases.iter_mut().enumerate() {
        let bits = u32::from(shortest) + i as u32;
        // At least one code of the shortest length, so that no base is as large as 2^64.
        if *base >> bits != 0 {
            return Err(Problem::Code);
        }
        *base <<= 64 - bits;
        // The number of codes of this length is the distance to the codes that are shorter.
        let codes = match above {
            None => (0u64.wrapping_sub(*base)) >> (64 - bits),
            Some(above) if above >= *base => (above - *base).div_ceil(1 << (64 - bits)),
            Some(_) => return Err(Problem::Code),
        };
        // All 64 bits are free if the only base is 0: 2^bits codes.
        let codes = if above.is_none() && *base == 0 { 1 << bits } else { codes };
        if u64::from(first_symbols[i]) + codes > symbols as u64 {
            return Err(Problem::Code);
        }
        above = Some(*base);
    }
    Ok(bases)
}

impl Blocks {
    /// The symbol at the beginning of 64 bits, and the length of its code.
    #[inline]
    fn first(&self, bits: u64) -> (usize, u32) {
        let i = self.bases.iter().position(|&base| bits >= base).unwrap_or(0);
        let length = u32::from(self.shortest) + i as u32;
        let number = (bits - self.bases[i]) >> (64 - length);
        (usize::from(self.first_symbols[i]) + number as usize, length)
    }

    /// The symbols that are complete in the first [`LOOK`] bits.
    fn look(&self, mut bits: u64) -> Look {
        let mut look = Look::default();
        loop {
            let (symbol, length) = self.first(bits);
            if u32::from(look.bits) + length > LOOK {
                return look;
            }
            look.bits += length as u16;
            look.values += self.values[symbol];
            bits <<= length;
        }
    }

    fn value(&self, source: &dyn Source, index: u64) -> Result<u16, Problem> {
        let mut buffer = Vec::new();
        let (block, offset) = self.locate(source, index, &mut buffer)?;
        let damaged = Problem::Block { block };
        if block >= self.blocks {
            return Err(damaged);
        }
        let at = self.places.data + (u64::from(block) << self.block_bits);
        let bytes = source.read_at(at, (1 << self.block_bits) + AFTER_BLOCK, &mut buffer)?;
        self.unpack(bytes, offset).ok_or(damaged)
    }

    /// The block of an index, and the number of values before it in the block.
    #[inline]
    fn locate(&self, source: &dyn Source, index: u64, buffer: &mut Vec<u8>) -> Result<(u32, u32), Problem> {
        let entry = source.read_at(self.places.index + 6 * (index >> self.span_bits), 6, buffer)?;
        let mut block = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        // An entry is for the middle of its span.
        let span = 1i64 << self.span_bits;
        let mut offset =
            i64::from(u16::from_le_bytes([entry[4], entry[5]])) + (index as i64 & (span - 1)) - span / 2;
        for _ in 0..MOST_READS {
            let is_before = offset < 0;
            let (first, end) = match is_before {
                true => (block.saturating_sub(LENGTHS_AT_ONCE), block),
                false => (block, block.saturating_add(LENGTHS_AT_ONCE).min(self.lengths)),
            };
            if first >= end || end > self.lengths {
                break;
            }
            let at = self.places.lengths + 2 * u64::from(first);
            let bytes = source.read_at(at, 2 * (end - first) as usize, buffer)?;
            let lengths =
                bytes.chunks_exact(2).map(|pair| i64::from(u16::from_le_bytes([pair[0], pair[1]])) + 1);
            if is_before {
                for values in lengths.rev() {
                    block -= 1;
                    offset += values;
                    if offset >= 0 {
                        return Ok((block, offset as u32));
                    }
                }
            } else {
                for values in lengths {
                    if offset < values {
                        return Ok((block, offset as u32));
                    }
                    block += 1;
                    offset -= values;
                }
            }
        }
        Err(Problem::Block { block })
    }

    /// The value in a block that has this many values before it. `None` if the block ends before it.
    #[inline]
    fn unpack(&self, block: &[u8], mut offset: u32) -> Option<u16> {
        let mut at = 0;
        let mut symbol = loop {
            let start = read_bits(block, at)?;
            // Several looks at the bits that have been read, as long as there are enough of them.
            let (mut bits, mut used) = (start, 0);
            let ends_here = loop {
                let look = self.looks[(bits >> (64 - LOOK)) as usize];
                if u32::from(look.values) > offset || look.bits == 0 {
                    break true;
                }
                offset -= u32::from(look.values);
                used += u32::from(look.bits);
                if used > READ_BITS - LOOK {
                    break false;
                }
                bits = start << used;
            };
            at += used as usize;
            if !ends_here {
                continue;
            }
            // The value is in one of the next symbols, or the next one is longer than a look.
            let (symbol, length) = self.first(read_bits(block, at)?);
            let values = u32::from(*self.values.get(symbol)?);
            if offset < values {
                break *self.symbols.get(symbol)?;
            }
            offset -= values;
            at += length as usize;
        };
        while !symbol.is_value() {
            let left = symbol.left_values();
            let half = if offset < left {
                symbol.left()
            } else {
                offset -= left;
                symbol.right()
            };
            symbol = *self.symbols.get(half as usize)?;
        }
        Some(symbol.left() as u16)
    }
}
