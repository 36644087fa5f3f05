//! Small tables: files of outcomes and of distances that belong together.

use crate::forging::repair;
use crate::{ALONE, BOUND, Crafted, Fates, forge, is_valid, largest_request, texts};
use endspiel_table::{BlockCache, Distances, Entry, Error, Outcomes, SmallTable, Stored, Table, TableFile};
use game::{Metric, Plies, Rng};
use std::sync::{Arc, PoisonError};

/// The indices of a side to move. Each side has two tiles, and the second one is not full.
const OF_SIDE: u64 = 300;
/// The places of a tile, which has four slabs of one row each.
const PLACES: u64 = 256;
const ROW: usize = 64;
/// The plies of the wins and of the losses.
const WINS: [u16; 3] = [1, 3, 9];
const LOSSES: [u16; 3] = [0, 2, 8];

/// The frequencies of the leaves of all models.
const FREQUENCIES: [[u32; 3]; 2] = [[8192, 4096, 4096], [4096, 4096, 8192]];
/// They as weights, after the two leaves of a tree.
const LEAVES: [u8; 12] = [0, 0, 0, 3, 9, 1, 1, 0, 3, 1, 1, 9];

/// The outcome of a place, which may be past the last index of its side: the cell of a loss, a draw or a win.
fn outcome(side: u64, at: u64) -> u8 {
    match (side, at / PLACES) {
        // A tile with the likeliest outcomes.
        (1, 1) => 1,
        _ => 1 + ((at / 7 + side) % 3) as u8,
    }
}

/// The distance of a win or a loss of a place: the cell of its number.
fn distance(side: u64, at: u64) -> u8 {
    match (side, at / PLACES) {
        // A tile with the likeliest differences: from the default 2 to 3, and then to and fro.
        (1, 1) => [3, 1][at as usize % 2],
        _ => 1 + ((at / 2 + side) % 3) as u8,
    }
}

/// The cells of a plane in a tile.
fn cells(side: u64, tile: u64, outcome_of_plane: u8) -> Vec<u8> {
    let cell = |at| if outcome(side, at) == outcome_of_plane { distance(side, at) } else { 0 };
    (tile * PLACES..(tile + 1) * PLACES).map(cell).collect()
}

fn outcomes(side: u64, tile: u64) -> Vec<u8> {
    (tile * PLACES..(tile + 1) * PLACES).map(|at| outcome(side, at)).collect()
}

/// The stream of a tile: a cell of 0 is not coded. Each row has a lane, and comes after the row before it. The models look at the
/// place before.
fn stream(cells: &[u8], is_relative: bool) -> Vec<u8> {
    let (mut states, mut words) = ([1u32 << 16; 4], Vec::new());
    for (place, &cell) in cells.iter().enumerate().rev().filter(|(_, cell)| **cell > 0) {
        let before = if place % ROW == 0 { 0 } else { cells[place - 1] };
        let (leaf, number) = match (is_relative, before) {
            (false, _) => (before > 1, cell - 1),
            (true, before) => {
                let base = if before == 0 { 2 } else { before };
                (base > 1, (cell + 3 + 1 - base) % 3)
            }
        };
        let (frequencies, number) = (FREQUENCIES[usize::from(leaf)], usize::from(number));
        let (first, count) = (frequencies[..number].iter().sum::<u32>(), frequencies[number]);
        let state = &mut states[place / ROW];
        if *state >= count << 18 {
            words.push(*state as u16);
            *state >>= 16;
        }
        *state = ((*state / count) << 14) + first + *state % count;
    }
    let states = states.iter().flat_map(|state| state.to_le_bytes());
    states.chain(words.iter().rev().flat_map(|word| word.to_le_bytes())).collect()
}

/// The files of a small table.
#[derive(Clone)]
struct Pair {
    outcomes: Vec<u8>,
    distances: Vec<u8>,
}

impl Pair {
    /// A valid pair of six hundred entries, with a block of every form.
    fn crafted() -> Self {
        let digit = |values: u64, bits: u8| [&values.to_le_bytes()[..], &[bits]].concat();
        let tiles = [vec![2, 1], digit(2, 0), digit(OF_SIDE, 8)].concat();
        let with_model = |of_symbols: &[u8], shape: &[u8]| [of_symbols, shape, &LEAVES].concat();
        let crafted = |metric: &[u8],
                       payload: &[u8],
                       bits: u32,
                       description: Vec<u8>,
                       blocks: Vec<Vec<u8>>| {
            let texts = texts([b"matches".as_slice(), b"standard", b"heap", metric, b"count-1", payload]);
            let (entries, per_block, palette_length) = (2 * OF_SIDE, PLACES as u32, bits);
            let (version, codec, bits, palette) = (3, 2, 0, description);
            let crafted =
                Crafted { version, codec, bits, entries, per_block, palette_length, ..Crafted::default() };
            Crafted { texts, palette, blocks, ..crafted }.bytes()
        };

        // Not relative, the default 1, and one neighbour, which is one place before. It tells the leaf.
        let model = with_model(&[3], &[0, 1, 1, 0, 1, 0, 1, 1, 2, 0]);
        let description = [&tiles[..], &[3, 1, 2, 3], &model, &model].concat();
        let plain = |cells: Vec<u8>| -> Vec<u8> {
            let byte = |cells: &[u8]| cells.iter().rev().fold(0, |byte, cell| byte << 2 | (cell - 1));
            cells.chunks(4).map(byte).collect()
        };
        let blocks = vec![
            stream(&outcomes(0, 0), false),
            plain(outcomes(0, 1)),
            stream(&outcomes(1, 0), false),
            vec![0],
        ];
        let outcomes = crafted(b"wdl", b"outcomes", 2, description, blocks);

        // Relative, the default 2, and the same neighbour. The base tells the leaf.
        let plane = |plies: [u16; 3]| {
            let plies = plies.iter().flat_map(|plies| plies.to_le_bytes()).collect::<Vec<_>>();
            [&[2, 3][..], &plies, &with_model(&[3], &[1, 2, 1, 0, 1, 1, 1, 0, 1, 0])].concat()
        };
        // The losses of the first side are not stored.
        let planes = [vec![0], plane(WINS), plane(LOSSES), plane(WINS)].concat();
        let description = [&tiles[..], hash_of(&outcomes), &planes].concat();
        let losses = stream(&cells(1, 0, 1), true);
        let both =
            [&(losses.len() as u16).to_le_bytes()[..], &losses, &stream(&cells(1, 0, 3), true)].concat();
        let blocks = vec![stream(&cells(0, 0, 3), true), cells(0, 1, 3), both, vec![1, 0, 0, 0]];
        let distances = crafted(b"dtm", b"distances", 8, description, blocks);
        Self { outcomes, distances }
    }

    fn files(&mut self) -> [&mut Vec<u8>; 2] {
        [&mut self.outcomes, &mut self.distances]
    }

    /// Makes distances that belonged to other outcomes belong to these.
    fn join(mut self, other_outcomes: &[u8]) -> Self {
        let other = hash_of(other_outcomes);
        if let Some(at) = self.distances.windows(32).position(|hash| hash == other)
            && self.outcomes.len() >= 60
        {
            self.distances[at..at + 32].copy_from_slice(hash_of(&self.outcomes));
            repair(&mut self.distances);
        }
        self
    }

    fn open(self) -> Result<SmallTable, Error> {
        let cache = Arc::new(BlockCache::new(1 << 16));
        let outcomes = TableFile::from_bytes(self.outcomes).and_then(Table::<Outcomes>::of)?;
        let distances = TableFile::from_bytes(self.distances).and_then(Table::<Distances>::of)?;
        let outcomes = Arc::new(outcomes.with_cache(Arc::clone(&cache)));
        SmallTable::new(outcomes, Some(Arc::new(distances.with_cache(cache))))
    }

    /// Reads all entries. All of them are valid.
    fn read(self) -> Result<(), Error> {
        let table = self.open()?;
        let see = |stored| match stored {
            Stored::Entry(entry) => {
                assert!(is_valid(entry, Metric::Dtm) && entry != Entry::Nothing, "{entry:?} is stored");
            }
            Stored::WithoutDistance(entry) => {
                assert!(matches!(entry, Entry::Win(None) | Entry::Loss(None)), "{entry:?} follows");
            }
        };
        let (entries, tiles) = (table.outcomes().entries(), table.outcomes().blocks());
        let by_tiles = (0..tiles).try_for_each(|tile| table.each_stored(tile, |_, stored| see(stored)));
        let one_by_one = (0..entries).try_for_each(|index| table.stored(index).map(see));
        assert_eq!(by_tiles.is_ok(), one_by_one.is_ok(), "{by_tiles:?} {one_by_one:?}");
        let checked = table.check();
        assert!(checked.is_err() || by_tiles.is_ok(), "{by_tiles:?} after a check");
        checked.and(by_tiles)
    }
}

/// The content hash of a file, in its trailer.
fn hash_of(file: &[u8]) -> &[u8] {
    &file[file.len() - 44..file.len() - 12]
}

#[test]
fn a_pair_made_by_hand_is_read() {
    Pair::crafted().read().unwrap();
    let table = Pair::crafted().open().unwrap();
    for index in 0..2 * OF_SIDE {
        let (side, at) = (index / OF_SIDE, index % OF_SIDE);
        let plies = |of: [u16; 3]| Some(Plies(of[usize::from(distance(side, at)) - 1]));
        let expected = match (outcome(side, at), side) {
            (1, 0) => Stored::WithoutDistance(Entry::Loss(None)),
            (1, _) => Stored::Entry(Entry::Loss(plies(LOSSES))),
            (2, _) => Stored::Entry(Entry::Draw),
            _ => Stored::Entry(Entry::Win(plies(WINS))),
        };
        assert_eq!(table.stored(index).unwrap(), expected, "{index}");
    }
}

/// Each byte of a file of a pair gets many values, and the checksums are made right again. Distances belong to forged outcomes.
#[test]
fn forged_bytes_of_pairs_give_an_error_or_valid_entries() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let whole = Pair::crafted();
    let mut fates = [Fates::default(), Fates::default()];
    let largest = largest_request(|| {
        for (which, fates) in fates.iter_mut().enumerate() {
            for at in 0..whole.clone().files()[which].len() {
                let byte = whole.clone().files()[which][at];
                for other in (0..8).map(|bit| byte ^ 1 << bit).chain([0, 1, 0x7f, 0x80, 0xfe, 0xff]) {
                    let mut forged = whole.clone();
                    forged.files()[which][at] = other;
                    repair(forged.files()[which]);
                    fates.add(forged.join(&whole.outcomes).read());
                }
            }
        }
    });
    assert!(largest <= BOUND, "{largest} bytes at once");
    assert!(fates.iter().all(|fates| fates.refused > 500 && fates.read > 100), "{fates:?}");
}

fn forge_many_bytes_of_pairs(rounds: u32) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let whole = Pair::crafted();
    let (mut rng, mut fates) = (Rng::new(12), Fates::default());
    let largest = largest_request(|| {
        for _ in 0..rounds {
            let mut forged = whole.clone();
            forge(forged.files()[rng.below(2) as usize], &mut rng);
            fates.add(forged.join(&whole.outcomes).read());
        }
    });
    assert!(largest <= BOUND, "{largest} bytes at once");
    assert!(fates.refused > 0 && fates.read > 0, "{fates:?}");
}

#[test]
fn many_forged_bytes_of_pairs_give_an_error_or_valid_entries() {
    forge_many_bytes_of_pairs(20_000);
}

#[test]
#[ignore = "a minute: part of the full run"]
fn very_many_forged_bytes_of_pairs_give_an_error_or_valid_entries() {
    forge_many_bytes_of_pairs(500_000);
}

/// Files that are cut off or have changed bytes under old checksums are never read.
#[test]
fn damaged_pairs_are_refused() {
    let whole = Pair::crafted();
    for which in 0..2 {
        let length = whole.clone().files()[which].len();
        for at in 0..length {
            let mut cut = whole.clone();
            cut.files()[which].truncate(at);
            assert!(cut.read().is_err(), "file {which}: {at} bytes");
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped.files()[which][at] ^= 1 << bit;
                assert!(flipped.read().is_err(), "file {which}: bit {bit} of byte {at}");
            }
        }
    }
}

/// The most memory for the smallest file: a model has 32 bytes for each row, and a row has two places at least.
#[test]
fn a_tile_of_short_rows_takes_little_more_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let digits = [(1 << 19, 19), (2, 1)];
    let digits = digits.map(|(values, bits)| [&u64::to_le_bytes(values)[..], &[bits]].concat()).concat();
    let model = [&[3, 0, 1, 1, 0, 1, 0, 1, 1, 2, 0][..], &LEAVES].concat();
    let short = Crafted {
        version: 3,
        codec: 2,
        bits: 0,
        entries: 1 << 20,
        per_block: 1 << 20,
        palette_length: 2,
        texts: texts([b"matches", b"standard", b"heap", b"wdl", b"count-1", b"outcomes"]),
        palette: [&[2, 0][..], &digits, &[3, 1, 2, 3], &model].concat(),
        blocks: vec![vec![0]],
        ..Crafted::default()
    };
    let largest = largest_request(|| {
        let table = TableFile::from_bytes(short.bytes()).and_then(Table::<Outcomes>::of).unwrap();
        assert_eq!(table.entry(77).unwrap(), Entry::Loss(None));
    });
    assert!(largest <= 4 * BOUND, "{largest} bytes at once");
}
