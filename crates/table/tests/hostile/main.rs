//! Tests with files that have wrong sizes but right checksums. Reading them must return an error and must not reserve
//! memory for data that does not exist.
//!
//! The files are built here by hand, so these tests are also a second implementation of the format.

// For an allocator that records the largest request.
#![allow(unsafe_code)]

#[path = "../common/forging.rs"]
mod forging;
mod pairs;

use endspiel_table::{
    Backend, Entries, Entry, Error, Field, Numbers, Outcomes, Problem, Source, Table, TableFile, Values,
};
use forging::repair;
use game::{Metric, Plies, Rng};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Seek as _, Write as _};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

struct Watching;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed to the system allocator unchanged, and its result is returned unchanged. A call that is
// not passed on has failed.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // A reader that believes a large file fails here. It does not take the memory of the machine.
        if layout.size() > 1 << 30 {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`, and the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// The bound of a memory request: twice the 2 MiB of the largest allowed block, because vectors grow in steps.
const BOUND: usize = 4 << 20;

/// The largest single memory request of a reader. No other test may allocate memory at the same time.
fn largest_request(read: impl FnOnce()) -> usize {
    LARGEST.store(0, Ordering::Relaxed);
    read();
    LARGEST.load(Ordering::Relaxed)
}

/// Held by tests that measure memory, so that they run one after another.
static ALONE: Mutex<()> = Mutex::new(());

/// The fields of a file. The default is a valid file: five entries in two blocks.
#[derive(Clone)]
struct Crafted {
    version: u8,
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

fn texts<const N: usize>(names: [&[u8]; N]) -> Vec<u8> {
    names.iter().flat_map(|name| [&[name.len() as u8], *name].concat()).collect()
}

impl Default for Crafted {
    fn default() -> Self {
        Self {
            version: 1,
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
    /// A valid file of version 2: five entries in two blocks, each entry with two numbers of one byte. In version 2,
    /// `palette` is the description of the payload, and `palette_length` is the number of bits per entry.
    fn of_numbers() -> Self {
        Self {
            version: 2,
            bits: 0,
            palette_length: 16,
            texts: texts([b"matches", b"standard", b"heap", b"equity", b"count-1", b"numbers"]),
            palette: [&[2, 0, 1, 1, 100, 0, 0, 0][..], &0.005f64.to_le_bytes()].concat(),
            blocks: vec![vec![1, 0xff, 0x80, 127, 5, 6, 0x80, 0x81], vec![0, 1]],
            ..Self::default()
        }
    }

    /// A valid file of version 2: distances to the next irreversible move, and values by rule.
    fn of_version_2() -> Self {
        Self {
            version: 2,
            bits: 0,
            palette_length: 2,
            texts: texts([b"matches", b"standard", b"heap", b"dtz", b"count-1", b"values"]),
            palette: vec![1, 4, 0, 5, 0xff, 0xff, 6, 0xff, 0xff],
            ..Self::default()
        }
    }

    /// A valid file of 700 entries in blocks of 512: two frames of zstd.
    fn compressed() -> Self {
        let frame =
            |length: usize, byte: u8| zstd::bulk::compress(&[&vec![byte; length - 1][..], &[1]].concat(), 3);
        let blocks = vec![frame(128, 0b10_01_00_10).unwrap(), frame(47, 0).unwrap()];
        Self { entries: 700, per_block: 512, blocks, ..Self::default() }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut header = b"\x89EST\r\n\x1a\n".to_vec();
        header.extend([self.version, 0, self.codec, self.bits]);
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
        let file = TableFile::from_bytes(self.bytes());
        file.and_then(read).expect_err("a file that lies").problem
    }
}

/// Reads all entries of a file of any payload. All of them are valid.
fn read(file: TableFile) -> Result<(), Error> {
    file.check()?;
    match file.payload_name() {
        "values" => {
            let metric = file.description().metric;
            read_entries(&Table::<Values>::of(file)?, |entry| {
                assert!(is_valid(entry, metric), "{entry:?} in a table of {metric:?}");
            })
        }
        "numbers" => read_entries(&Table::<Numbers<2>>::of(file)?, |_| ()),
        "outcomes" => read_entries(&Table::<Outcomes>::of(file)?, |entry| {
            assert!(is_valid(entry, Metric::Wdl) && entry != Entry::Nothing, "{entry:?} is no outcome");
        }),
        _ => Ok(()),
    }
}

fn read_entries<P: Entries>(table: &Table<P>, see: impl Fn(P::Entry)) -> Result<(), Error> {
    for block in table.iter_blocks() {
        block?.iter().for_each(&see);
    }
    [0, table.entries() / 2, table.entries() - 1]
        .into_iter()
        .try_for_each(|index| table.entry(index).map(&see))
}

/// Returns whether a table of this metric can have this entry, by `docs/format.md`.
fn is_valid(entry: Entry, metric: Metric) -> bool {
    match entry {
        Entry::Loss(plies) | Entry::Win(plies) => plies.is_some() == (metric != Metric::Wdl),
        Entry::NotWon => metric == Metric::Wdl,
        Entry::Nothing | Entry::Draw | Entry::LossByRule | Entry::WinByRule => true,
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

/// A block with a right checksum decompresses to too many bytes, too few bytes, or wrong bytes.
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
    assert!(matches!(Crafted { codec: 3, ..right.clone() }.problem(), Problem::Codec { found: 3 }));
    for bits in [0, 1, 3, 4, 16] {
        assert!(matches!(Crafted { bits, ..right.clone() }.problem(), Problem::Payload), "{bits} bits");
    }
    for palette in [
        [1, 4, 0, 2, 0xff, 0xff, 7, 7, 0],       // no such kind
        [1, 4, 0, 2, 0xff, 0xff, 5, 0xff, 0xff], // a loss by rule, which version 1 does not have
        [1, 4, 0, 2, 0xff, 0xff, 4, 7, 0],       // not won, with a distance
        [1, 4, 0, 2, 0xff, 0xff, 4, 0xff, 0xff], // not won, in a table with distances
        [1, 4, 0, 2, 9, 0, 3, 7, 0],             // a draw with a distance
        [1, 4, 0, 2, 0xff, 0xff, 3, 0xff, 0xff], // a win without a distance, in a table with distances
        [3, 7, 0, 2, 0xff, 0xff, 1, 4, 0],       // not in order
        [1, 4, 0, 1, 4, 0, 3, 7, 0],             // the same entry twice
    ] {
        let lying = Crafted { palette: palette.to_vec(), ..right.clone() };
        let expected = if palette[6] < 5 { "Palette" } else { "Payload" };
        assert_eq!(format!("{:?}", lying.problem()), expected, "{palette:?}");
    }
    for names in [
        [b"".as_slice(), b"standard", b"heap", b"dtm", b"count-1"],
        [b"matches", b"..", b"heap", b"dtm", b"count-1"],
        [b"matches", b"standard", b"he/ap", b"dtm", b"count-1"],
        [b"matches", b"standard", b"heap", b"dtx", b"count-1"],
        [b"matches", b"standard", b"heap", b"dtm", b"\xff\xfe"],
    ] {
        let lying = Crafted { texts: texts(names), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::Name { .. }), "{names:?}");
    }
}

#[test]
fn numbers_made_by_hand_are_read() {
    let file = TableFile::from_bytes(Crafted::of_numbers().bytes()).unwrap();
    file.check().unwrap();
    assert_eq!((file.description().metric, file.payload_name()), (Metric::Equity, "numbers"));
    let table = Table::<Numbers<2>>::of(file).unwrap();
    let entries: Vec<_> = (0..5).map(|index| table.entry(index).unwrap()).collect();
    assert_eq!(entries, [Some([1, 5]), Some([-1, 6]), None, Some([127, -127]), Some([0, 1])]);
    assert_eq!(table.payload().values([-1, 127]), [-0.01, 1.27]);
    assert_eq!(table.payload().format().error, 0.005);
}

#[test]
fn payloads_that_mean_nothing_are_refused() {
    let right = Crafted::of_numbers();
    let described = |at: usize, bytes: &[u8]| {
        let mut lying = right.clone();
        lying.palette[at..at + bytes.len()].copy_from_slice(bytes);
        lying
    };
    for (at, bytes) in [
        (0, &[0, 0][..]),                  // no numbers
        (0, &[1, 0]),                      // too few numbers for the bits per entry
        (0, &[1, 4]),                      // more than 1,024
        (2, &[2]),                         // numbers too long for the bits per entry
        (2, &[3]),                         // no such length
        (3, &[2]),                         // neither signed nor unsigned
        (4, &[0; 4]),                      // the unit is 0
        (8, &(-0.005f64).to_le_bytes()),   // a negative error
        (8, &(-0.0f64).to_le_bytes()),     // a negative zero
        (8, &f64::NAN.to_le_bytes()),      // not a number
        (8, &f64::INFINITY.to_le_bytes()), // infinite
    ] {
        assert!(matches!(described(at, bytes).problem(), Problem::Payload), "{bytes:?} at {at}");
    }
    for palette in [&right.palette[..15], &[&right.palette[..], &[0]].concat()] {
        let lying = Crafted { palette: palette.to_vec(), ..right.clone() };
        assert!(matches!(lying.problem(), Problem::HeaderFields), "{} bytes", palette.len());
    }
    assert!(matches!(Crafted { bits: 16, ..right.clone() }.problem(), Problem::HeaderFields));
    let half = Crafted { blocks: vec![vec![1, 0xff, 0x80, 127, 5, 6, 7, 0x81], vec![0, 1]], ..right.clone() };
    assert!(matches!(half.problem(), Problem::BlockContents { block: 0 }), "half an entry");

    let named = |metric: &[u8], payload: &[u8]| {
        let names = [b"matches".as_slice(), b"standard", b"heap", metric, b"count-1", payload];
        Crafted { texts: texts(names), ..right.clone() }
    };
    assert!(matches!(named(b"dtm", b"numbers").problem(), Problem::Payload), "distances that are numbers");
    assert!(matches!(named(b"equity", b"").problem(), Problem::Name { field: Field::Payload }));
    assert!(matches!(named(b"equity", b"values").problem(), Problem::HeaderFields | Problem::Palette));
}

/// A file with an unknown payload can be listed and its bytes can be checked, but its entries cannot be read.
#[test]
fn foreign_payloads_are_files() {
    let names = [b"matches".as_slice(), b"standard", b"heap", b"equity", b"count-1", b"foreign"];
    let foreign = Crafted { texts: texts(names), ..Crafted::of_numbers() };
    let file = TableFile::from_bytes(foreign.bytes()).unwrap();
    file.check().unwrap();
    assert_eq!(file.payload_name(), "foreign");
    let error = Table::<Numbers<2>>::of(file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the table `(memory)` is not the one that belongs there: its payload is `foreign` instead of `numbers`"
    );
    let file = TableFile::from_bytes(Crafted::of_numbers().bytes()).unwrap();
    let error = Table::<Numbers<3>>::of(file).unwrap_err();
    assert!(error.to_string().ends_with("its payload is `2 numbers` instead of `3 numbers`"), "{error}");
}

/// Too many bits per entry would make a block larger than allowed: this is an error and takes no memory.
#[test]
fn large_entries_take_no_more_memory_than_small_ones() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let names = [b"matches".as_slice(), b"standard", b"heap", b"equity", b"count-1", b"foreign"];
    let right = Crafted { texts: texts(names), ..Crafted::of_numbers() };
    let bomb = zstd::bulk::compress(&vec![0; 100 << 20], 3).unwrap();
    let largest = largest_request(|| {
        for bits in [1 << 23, 1 << 31, u32::MAX] {
            let lying = Crafted { palette_length: bits, ..right.clone() };
            assert!(matches!(lying.problem(), Problem::BlockSize { found: 4 }), "{bits} bits");
        }
        let most = Crafted { palette_length: 1 << 22, blocks: vec![bomb.clone(), vec![0]], ..right.clone() };
        assert!(matches!(most.problem(), Problem::BlockContents { block: 0 }));
        assert!(matches!(Crafted { palette_length: 0, ..right.clone() }.problem(), Problem::Payload));
    });
    assert!(largest <= BOUND, "{largest} bytes at once");
}

/// Valid files of each payload and version, stored and compressed.
fn valid() -> [Crafted; 5] {
    let numbers = Crafted::of_numbers();
    let block = zstd::bulk::compress(&[5; 2 * 256], 3).unwrap();
    let compressed =
        Crafted { entries: 512, per_block: 256, blocks: vec![block.clone(), block], ..numbers.clone() };
    [Crafted::default(), Crafted::of_version_2(), Crafted::compressed(), numbers, compressed]
}

/// How many forged files were refused, and how many could be read.
#[derive(Default, Debug)]
struct Fates {
    refused: u32,
    read: u32,
}

impl Fates {
    fn add(&mut self, result: Result<(), Error>) {
        match result {
            Ok(()) => self.read += 1,
            Err(_) => self.refused += 1,
        }
    }
}

/// Each byte of a valid file gets each value, and the checksums are made right again.
#[test]
fn forged_bytes_give_an_error_or_valid_entries() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut fates = Fates::default();
    let largest = largest_request(|| {
        for whole in valid() {
            let whole = whole.bytes();
            let mut repaired = whole.clone();
            repair(&mut repaired);
            assert_eq!(repaired, whole, "nothing to repair");
            TableFile::from_bytes(repaired).and_then(read).expect("a valid file");
            for at in 0..whole.len() {
                for byte in 0..=u8::MAX {
                    let mut forged = whole.clone();
                    forged[at] = byte;
                    repair(&mut forged);
                    fates.add(TableFile::from_bytes(forged).and_then(read));
                }
            }
        }
    });
    assert!(largest <= BOUND, "{largest} bytes at once");
    assert!(fates.refused > 1000 && fates.read > 1000, "{fates:?}");
}

/// Changes, removes or adds a few bytes of a file, and makes the checksums right again.
fn forge(file: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        let (at, length) = (rng.below(file.len() as u64) as usize, rng.below(5) as usize);
        match rng.below(4) {
            0 => drop(file.splice(at..(at + length).min(file.len()), [])),
            1 => drop(file.splice(at..at, vec![rng.next_u64() as u8; length])),
            2 => file[at] ^= 1 << rng.below(8),
            _ => file[at] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][rng.below(6) as usize],
        }
    }
    if file.len() >= 32 + 60 {
        repair(file);
    }
}

fn forge_many_bytes(rounds: u32) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rng = Rng::new(11);
    let mut fates = Fates::default();
    let valid = valid().map(|whole| whole.bytes());
    let largest = largest_request(|| {
        for _ in 0..rounds {
            let mut forged = valid[rng.below(valid.len() as u64) as usize].clone();
            forge(&mut forged, &mut rng);
            fates.add(TableFile::from_bytes(forged).and_then(read));
        }
    });
    assert!(largest <= BOUND, "{largest} bytes at once");
    assert!(fates.refused > 0 && fates.read > 0, "{fates:?}");
}

#[test]
fn many_forged_bytes_give_an_error_or_valid_entries() {
    forge_many_bytes(100_000);
}

#[test]
#[ignore = "a minute: part of the full run"]
fn very_many_forged_bytes_give_an_error_or_valid_entries() {
    forge_many_bytes(20_000_000);
}

/// A block has one frame of zstd, and nothing else.
#[test]
fn blocks_have_one_frame_each() {
    let packed = [0b10_01_00_10; 1024];
    let compressed = |bytes: &[u8]| zstd::bulk::compress(bytes, 3).unwrap();
    let crafted = |block: Vec<u8>| Crafted {
        entries: 4 * packed.len() as u64,
        per_block: 4 * packed.len() as u32,
        blocks: vec![block],
        ..Crafted::default()
    };
    let skipped = |magic: u8| [&[magic, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let one = compressed(&packed);
    assert!(TableFile::from_bytes(crafted(one.clone()).bytes()).and_then(read).is_ok());
    let (head, tail) = packed.split_at(100);
    for (block, what) in [
        ([compressed(head), compressed(tail)].concat(), "two frames"),
        ([compressed(&[]), one.clone()].concat(), "an empty frame first"),
        ([one.clone(), compressed(&[])].concat(), "an empty frame last"),
        ([skipped(0x50), one.clone()].concat(), "a skippable frame first"),
        ([one.clone(), skipped(0x5f)].concat(), "a skippable frame last"),
        ([compressed(head), skipped(0x57), compressed(tail)].concat(), "a skippable frame between"),
        (skipped(0x50), "a skippable frame only"),
        ([&one[..], &[0]].concat(), "a byte after the frame"),
        ([&[0], &one[..]].concat(), "a byte before the frame"),
        (one[..one.len() - 1].to_vec(), "a frame that is cut"),
    ] {
        let result = TableFile::from_bytes(crafted(block).bytes()).and_then(read);
        let problem = result.map_err(|error| error.problem);
        assert!(matches!(problem, Err(Problem::BlockContents { block: 0 })), "{what}: {problem:?}");
    }
}

/// A source that counts the bytes that are read from it.
struct Counted(Box<dyn Source>, Arc<AtomicU64>);

impl Source for Counted {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at<'a>(&'a self, offset: u64, length: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.1.fetch_add(length as u64, Ordering::Relaxed);
        self.0.read_at(offset, length, buffer)
    }
}

/// Files of 10 GiB that take no room on the disk, with headers and trailers that fit their length. No more memory is
/// reserved for them than for small files, and little is read.
#[test]
fn large_files_of_nothing_are_refused_at_once() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const LENGTH: u64 = 10 << 30;
    // The header and the trailer, and the checksum of the block index.
    let ends = (Crafted { blocks: vec![], ..Crafted::default() }.bytes().len()) as u64;
    // One entry per block: the most blocks. Each takes 8 bytes of the block index, and a byte of its own.
    let (index_only, whole) = ((LENGTH - ends) / 8, (LENGTH - ends) / 9);
    let crafted = |blocks: u64| Crafted {
        entries: blocks,
        per_block: 1,
        blocks: vec![],
        block_index_at: Some(LENGTH - 60 - 4 - 8 * blocks),
        block_count: Some(blocks),
        ..Crafted::default()
    };
    let folder = tempfile::tempdir().unwrap();
    for (what, crafted) in [
        ("a small table that has grown", Crafted::default()),
        ("a block index without blocks", crafted(index_only)),
        ("blocks and block index of zeros", crafted(whole)),
        ("one large block", Crafted { entries: 1, ..crafted(1) }),
        ("a million blocks", crafted(1 << 20)),
    ] {
        let bytes = crafted.bytes();
        let path = folder.path().join("sparse.est");
        let mut file = std::fs::File::create(&path).unwrap();
        let (header, trailer) = bytes.split_at(bytes.len() - 60);
        file.write_all(header).unwrap();
        file.set_len(LENGTH).unwrap();
        file.seek(io::SeekFrom::End(-60)).unwrap();
        file.write_all(trailer).unwrap();
        let count = Arc::new(AtomicU64::new(0));
        let largest = largest_request(|| {
            let source = Counted(Backend::Read.open(&path).unwrap(), count.clone());
            let error = TableFile::from_source(&path, Box::new(source)).expect_err(what);
            assert!(!matches!(error.problem, Problem::Io { .. }), "{what}: {error}");
        });
        assert!(largest <= BOUND, "{what}: {largest} bytes at once");
        let bytes = count.load(Ordering::Relaxed);
        assert!(bytes <= 16 << 20, "{what}: {bytes} bytes read");
    }
}

/// Each table has exactly one version: the lowest version that can express it.
#[test]
fn the_version_is_the_first_that_fits() {
    let values = |palette: [u8; 9]| Crafted {
        version: 2,
        bits: 0,
        palette_length: 2,
        texts: texts([b"matches", b"standard", b"heap", b"dtm", b"count-1", b"values"]),
        palette: palette.to_vec(),
        ..Crafted::default()
    };
    let old = values([1, 4, 0, 2, 0xff, 0xff, 3, 7, 0]);
    assert!(matches!(old.problem(), Problem::Payload));
    let new = values([1, 4, 0, 2, 0xff, 0xff, 6, 0xff, 0xff]);
    let table = Table::from_bytes(new.bytes()).unwrap();
    assert_eq!(table.entry(0).unwrap(), Entry::WinByRule);
    table.check().unwrap();
}
