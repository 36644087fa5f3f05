//! Files that lie about their sizes, with every checksum right: an error, and no memory for what is not there.
//!
//! The files are put together by hand here, so this is also a second opinion on the format.

// An allocator that remembers the largest request.
#![allow(unsafe_code)]

use endspiel_table::{Entry, Error, Problem, Table};
use game::{Metric, Plies};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

struct Watching;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came, and its answer back as it is.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`, and the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// Twice the 2 MiB that the largest allowed block has unpacked, for vectors that grow.
const BOUND: usize = 4 << 20;

/// What a reader takes at once at the most, while no other test takes anything.
fn largest_request(read: impl FnOnce()) -> usize {
    LARGEST.store(0, Ordering::Relaxed);
    read();
    LARGEST.load(Ordering::Relaxed)
}

/// Tests that measure run one after another.
static ALONE: Mutex<()> = Mutex::new(());

/// A file by its fields. The default is a right one: five entries in two blocks.
#[derive(Clone)]
struct Crafted {
    codec: u8,
    bits: u8,
    header_length: Option<u32>,
    entries: u64,
    per_block: u32,
    palette_length: u32,
    texts: Vec<u8>,
    palette: Vec<u8>,
    blocks: Vec<Vec<u8>>,
    lengths: Option<Vec<u32>>,
    block_index_at: Option<u64>,
    block_count: Option<u64>,
}

fn texts(names: [&[u8]; 5]) -> Vec<u8> {
    names.iter().flat_map(|name| [&[name.len() as u8], *name].concat()).collect()
}

impl Default for Crafted {
    fn default() -> Self {
        Self {
            codec: 1,
            bits: 2,
            header_length: None,
            entries: 5,
            per_block: 4,
            palette_length: 3,
            texts: texts([b"matches", b"standard", b"heap", b"dtm", b"count-1"]),
            palette: vec![1, 4, 0, 2, 0xff, 0xff, 3, 7, 0],
            blocks: vec![vec![0b10_01_00_10], vec![0b01]],
            lengths: None,
            block_index_at: None,
            block_count: None,
        }
    }
}

impl Crafted {
    fn bytes(&self) -> Vec<u8> {
        let mut header = b"\x89EST\r\n\x1a\n\x01\x00".to_vec();
        header.extend([self.codec, self.bits]);
        let length = (32 + self.texts.len() + self.palette.len() + 4) as u32;
        header.extend(self.header_length.unwrap_or(length).to_le_bytes());
        header.extend(self.entries.to_le_bytes());
        header.extend(self.per_block.to_le_bytes());
        header.extend(self.palette_length.to_le_bytes());
        header.extend(&self.texts);
        header.extend(&self.palette);
        let mut bytes = with_checksum(header);
        bytes.extend(self.blocks.concat());

        let block_index_at = self.block_index_at.unwrap_or(bytes.len() as u64);
        let lengths = self.lengths.clone();
        let lengths = lengths.unwrap_or_else(|| self.blocks.iter().map(|block| block.len() as u32).collect());
        let record = |(length, block): (&u32, &Vec<u8>)| {
            [length.to_le_bytes(), crc32fast::hash(block).to_le_bytes()].concat()
        };
        bytes.extend(with_checksum(lengths.iter().zip(&self.blocks).flat_map(record).collect()));

        let block_count = self.block_count.unwrap_or(self.blocks.len() as u64);
        let mut trailer = [block_index_at.to_le_bytes(), block_count.to_le_bytes()].concat();
        let hash = blake3::hash(&[bytes.as_slice(), &trailer].concat());
        trailer.extend(hash.as_bytes());
        bytes.extend(with_checksum(trailer));
        bytes.extend(b"\nEST end");
        bytes
    }

    fn problem(&self) -> Problem {
        let read = || -> Result<(), Error> {
            let table = Table::from_bytes(self.bytes())?;
            table.check()?;
            for index in (0..table.entries()).take(100_000) {
                table.entry(index)?;
            }
            Ok(())
        };
        read().expect_err("a file that lies").problem
    }
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[test]
fn a_file_made_by_hand_is_read() {
    let table = Table::from_bytes(Crafted::default().bytes()).unwrap();
    assert_eq!(table.description().metric, Metric::Dtm);
    let entries: Vec<_> = (0..5).map(|index| table.entry(index).unwrap()).collect();
    let (loss, win) = (Entry::Loss(Some(Plies(4))), Entry::Win(Some(Plies(7))));
    assert_eq!(entries, [win, loss, Entry::Draw, win, Entry::Draw]);
    table.check().unwrap();
}

#[test]
fn sizes_that_are_not_there_take_no_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let largest = largest_request(lying_sizes_are_found_out);
    assert!(largest <= BOUND, "{largest} bytes at once");
}

fn lying_sizes_are_found_out() {
    let right = Crafted::default();
    let huge = [1u64 << 20, 1 << 32, 1 << 60, (1 << 61) - 1, 1 << 61, u64::MAX - 3, u64::MAX];
    for entries in huge {
        for per_block in [1, 4, 1 << 20] {
            let lying = Crafted { entries, per_block, ..right.clone() };
            assert!(matches!(lying.problem(), Problem::Blocks), "{entries} entries");
            let consistent =
                Crafted { block_count: Some(entries.div_ceil(per_block.into())), ..lying.clone() };
            assert!(
                matches!(consistent.problem(), Problem::Length { .. } | Problem::Blocks),
                "{entries} entries with as many blocks"
            );
        }
    }
    for at in huge {
        let lying = Crafted { block_index_at: Some(at), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::Length { .. }), "block index at {at}");
    }
    for per_block in [0, 3, (1 << 20) + 1, 1 << 21, 1 << 31, u32::MAX] {
        let lying = Crafted { per_block, ..right.clone() };
        assert!(matches!(lying.problem(), Problem::BlockSize { .. }), "{per_block} per block");
    }
    for length in [0, 31, 35, 1 << 18, 1 << 31, u32::MAX] {
        let lying = Crafted { header_length: Some(length), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::HeaderFields), "a header of {length}");
    }
    for length in [0, 2, 4, 65_537, u32::MAX] {
        let lying = Crafted { palette_length: length, ..right.clone() };
        assert!(matches!(lying.problem(), Problem::HeaderFields), "a palette of {length}");
    }
    for lengths in [[0, 2], [2, 0], [u32::MAX, 1], [1, u32::MAX], [1 << 31, 1 << 31]] {
        let lying = Crafted { lengths: Some(lengths.to_vec()), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::Blocks), "blocks of {lengths:?}");
    }
}

/// Right checksums around a block that unpacks to too much, too little, or something else.
#[test]
fn blocks_unpack_to_their_size_or_not_at_all() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let per_block = 1 << 20;
    let whole = Crafted { entries: per_block.into(), per_block, ..Crafted::default() };
    let packed = per_block as usize / 4;
    for unpacked in [0, 1, packed - 1, packed + 1, 100 << 20] {
        let bomb = zstd::bulk::compress(&vec![0; unpacked], 3).unwrap();
        let lying = Crafted { blocks: vec![bomb], ..whole.clone() };
        let largest = largest_request(|| {
            assert!(matches!(lying.problem(), Problem::BlockContents { block: 0 }), "{unpacked} bytes");
        });
        assert!(largest <= BOUND, "{largest} bytes at once");
    }
    let foreign = Crafted { blocks: vec![vec![0b11], vec![0]], ..Crafted::default() };
    assert!(matches!(foreign.problem(), Problem::BlockContents { block: 0 }), "not in the palette");
    let behind = Crafted { blocks: vec![vec![0], vec![0b100]], ..Crafted::default() };
    assert!(matches!(behind.problem(), Problem::BlockContents { block: 1 }), "bits behind the last symbol");
}

#[test]
fn fields_that_mean_nothing_are_refused() {
    let right = Crafted::default();
    assert!(matches!(Crafted { codec: 2, ..right.clone() }.problem(), Problem::Codec { found: 2 }));
    for bits in [0, 1, 3, 4, 16] {
        assert!(matches!(Crafted { bits, ..right.clone() }.problem(), Problem::Palette), "{bits} bits");
    }
    for palette in [
        [1, 4, 0, 2, 0xff, 0xff, 5, 7, 0],       // no such kind
        [1, 4, 0, 2, 0xff, 0xff, 4, 7, 0],       // not won, with a distance
        [1, 4, 0, 2, 0xff, 0xff, 4, 0xff, 0xff], // not won, among distances
        [1, 4, 0, 2, 9, 0, 3, 7, 0],             // a draw with a distance
        [1, 4, 0, 2, 0xff, 0xff, 3, 0xff, 0xff], // a win without, among distances
        [3, 7, 0, 2, 0xff, 0xff, 1, 4, 0],       // not in order
        [1, 4, 0, 1, 4, 0, 3, 7, 0],             // twice the same
    ] {
        let lying = Crafted { palette: palette.to_vec(), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::Palette), "{palette:?}");
    }
    for names in [
        [b"".as_slice(), b"standard", b"heap", b"dtm", b"count-1"],
        [b"matches", b"..", b"heap", b"dtm", b"count-1"],
        [b"matches", b"standard", b"he/ap", b"dtm", b"count-1"],
        [b"matches", b"standard", b"heap", b"dtz", b"count-1"],
        [b"matches", b"standard", b"heap", b"dtm", b"\xff\xfe"],
    ] {
        let lying = Crafted { texts: texts(names), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::Name { .. }), "{names:?}");
    }
}
