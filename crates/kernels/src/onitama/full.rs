//! WDL tables in the game's ordinary index: all deals of all positions, two bits each.

use super::attack;
use super::deals::{Deals, Word};
use super::known::Men;
use super::losses;
use super::men::with_men;
use super::mirror;
use super::row::{self, ATTACKERS_GOAL, BOARD, DEFENDERS_GOAL, Dense, MOST_MEN, squares, turned};
use super::store::{Buffers, Lists, Rows};
use bits::pext;
use bits::subsets::of_25;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, RwLock};
use table::Entry;

const DEALS: u64 = 30;

/// The entries of a slice. `men` has the number of men of the side to move and of the opponent.
pub struct Slice<'a> {
    men: Men,
    deals: &'a Deals,
    /// The wins of the side to move as the attacker.
    won: &'a Rows,
    /// The losses of the side to move as the defender, by the rows of the opponent.
    lost: &'a Lists,
    spread: Box<Spread>,
    codes: Codes,
    /// The losses of as many rows as fit the memory.
    some_lost: RwLock<SomeLost>,
    rows_at_a_time: usize,
    unpacked: Mutex<Vec<Unpacked>>,
}

/// The losses of some rows, by placement, then by the master of the side to move, then by the opponent's master.
#[derive(Default)]
struct SomeLost {
    rows: Range<usize>,
    words: Vec<Word>,
}

/// A row of wins, unpacked, with buffers for reading it.
struct Unpacked {
    row: Option<usize>,
    won: Dense,
    packed: Vec<u8>,
    spare: Dense,
}

/// The symbol of each entry.
struct Codes {
    nothing: u64,
    loss: u64,
    draw: u64,
    win: u64,
}

/// Converts words by the hand of the side to move to two bits for each deal, in the order of the deals' numbers. The lower
/// of the two bits is set if the deal is in the word.
struct Spread([[u64; 1 << 10]; 3]);

impl Spread {
    fn new(deals: &Deals) -> Box<Self> {
        let mut place = [0; 30];
        for (number, &bit) in deals.numbered(true).iter().enumerate() {
            place[usize::from(bit)] = 2 * number;
        }
        let mut table = Box::new(Self([[0; 1 << 10]; 3]));
        for (plane, spread) in table.0.iter_mut().enumerate() {
            for ten in 1..spread.len() {
                spread[ten] =
                    spread[ten & (ten - 1)] | 1 << place[plane * 10 + ten.trailing_zeros() as usize];
            }
        }
        table
    }

    #[inline]
    fn of(&self, word: Word) -> u64 {
        self.0[0][(word & 1023) as usize]
            | self.0[1][(word >> 10 & 1023) as usize]
            | self.0[2][(word >> 20 & 1023) as usize]
    }
}

/// The lower bit of each of thirty symbols.
const LOW_BITS: u64 = 0x0555_5555_5555_5555;

impl<'a> Slice<'a> {
    /// The slice with these wins and losses. `room` is the memory for losses, in bytes. The place of an entry in `palette`
    /// is its symbol.
    pub fn new(
        deals: &'a Deals,
        men: Men,
        won: &'a Rows,
        lost: &'a Lists,
        room: u64,
        palette: &[Entry],
    ) -> Self {
        let symbol = |entry| palette.iter().position(|&known| known == entry).unwrap_or(0) as u64;
        Self {
            men,
            deals,
            won,
            lost,
            spread: Spread::new(deals),
            codes: Codes {
                nothing: symbol(Entry::Nothing),
                loss: symbol(Entry::Loss(None)),
                draw: symbol(Entry::Draw),
                win: symbol(Entry::Win(None)),
            },
            some_lost: RwLock::default(),
            rows_at_a_time: (room as usize / (4 * row::words(men.0, men.1))).max(1),
            unpacked: Mutex::default(),
        }
    }

    /// Adds the packed symbols of some entries to `packed`.
    pub fn fill(&self, entries: Range<u64>, packed: &mut Vec<u8>) -> io::Result<()> {
        let (a, b) = self.men;
        let mut unpacked = self.unpacked.lock().expect("no thread has failed").pop().unwrap_or_else(|| {
            Unpacked { row: None, won: row::dense(a, b), packed: Vec::new(), spare: row::dense(a, b) }
        });
        let words_of_row = row::words(a, b) as u64;
        let mut out = Bits { bytes: packed, held: 0, bits: 0 };
        let mut at = entries.start;
        while at < entries.end {
            let row = at / (words_of_row * DEALS);
            let end = entries.end.min((row + 1) * words_of_row * DEALS);
            self.fill_row(
                row as usize,
                at - row * words_of_row * DEALS..end - row * words_of_row * DEALS,
                &mut unpacked,
                &mut out,
            )?;
            at = end;
        }
        out.finish();
        self.unpacked.lock().expect("no thread has failed").push(unpacked);
        Ok(())
    }

    fn fill_row(
        &self,
        row: usize,
        entries: Range<u64>,
        unpacked: &mut Unpacked,
        out: &mut Bits<'_>,
    ) -> io::Result<()> {
        let (a, b) = self.men;
        let men = of_25::of_size(a as u32)[row];
        if unpacked.row != Some(row) {
            unpacked.row = None;
            let Unpacked { won, packed, spare, .. } = unpacked;
            with_men!(b, B => attack::load::<B>(self.deals, self.won, men, won, packed, spare))?;
            unpacked.row = Some(row);
        }
        loop {
            let some = self.some_lost.read().expect("no thread has failed");
            if some.rows.contains(&row) {
                let words = row::words(a, b);
                let lost = &some.words[(row - some.rows.start) * words..][..words];
                self.fill_words(men, entries, &unpacked.won, lost, out);
                return Ok(());
            }
            drop(some);
            let mut some = self.some_lost.write().expect("no thread has failed");
            if !some.rows.contains(&row) {
                self.load_lost(row, &mut some)?;
            }
        }
    }

    fn fill_words(&self, men: u32, entries: Range<u64>, won: &[Word], lost: &[Word], out: &mut Bits<'_>) {
        let Codes { nothing, loss, draw, win } = self.codes;
        let (a, b) = self.men;
        let placements = of_25::of_size(b as u32);
        let free = !men & BOARD;
        let masters = squares::<MOST_MEN>(men);
        let mut at = entries.start;
        while at < entries.end {
            let word = (at / DEALS) as usize;
            let (placement, pair) = (word / (a * b), word % (a * b));
            let (mover, opponent) = (pair / b, pair % b);
            let defenders = bits::pdep(placements[placement].into(), free.into()) as u32;
            let opponents = squares::<MOST_MEN>(defenders);
            let is_hole = masters[mover] == ATTACKERS_GOAL || opponents[opponent] == DEFENDERS_GOAL;
            let symbols = if is_hole {
                LOW_BITS * nothing
            } else {
                let won = self.spread.of(won[placement * a * b + opponent * a + mover]);
                let lost = self.spread.of(lost[word]);
                (LOW_BITS * draw) ^ (won * (draw ^ win)) ^ (lost * (draw ^ loss))
            };
            let (skipped, end) = (at % DEALS, entries.end.min((word as u64 + 1) * DEALS));
            out.push(symbols >> (2 * skipped), 2 * (end - at) as u32);
            at = end;
        }
    }

    /// Loads the losses of rows from `first` on. They are found in the lists, which are by the opponent's rows.
    fn load_lost(&self, first: usize, some: &mut SomeLost) -> io::Result<()> {
        let (a, b) = self.men;
        let rows = of_25::of_size(a as u32).len();
        some.rows = first..rows.min(first + self.rows_at_a_time);
        some.words.clear();
        some.words.resize(some.rows.len() * row::words(a, b), 0);
        let mut buffers = Buffers::default();
        for (rank, &attackers) in of_25::of_size(b as u32).iter().enumerate() {
            let list = self.lost.get(rank, &mut buffers)?.unwrap_or_default();
            losses::visit(list, |defenders, present, words| {
                let places = (std::array::from_fn(|place| place), std::array::from_fn(|place| place));
                put_lost(some, [attackers, defenders], places, losses::numbered(present, words));
            });
            if let Some(mirror) = self.deals.mirror()
                && mirror::set(attackers) != attackers
            {
                let image = mirror::set(attackers);
                losses::visit(list, |defenders, present, words| {
                    let places = (mirror::places(attackers), mirror::places(defenders));
                    let words =
                        losses::numbered(present, words).map(|(number, word)| (number, mirror.of(word)));
                    put_lost(some, [image, mirror::set(defenders)], places, words);
                });
            }
        }
        Ok(())
    }
}

/// Stores the losses of a placement if its row is one of the loaded rows. The side to move is the defender and sees the
/// board turned. `attacker_of` and `defender_of` give the places of the men on each side.
fn put_lost(
    some: &mut SomeLost,
    [attackers, defenders]: [u32; 2],
    (attacker_of, defender_of): ([usize; MOST_MEN], [usize; MOST_MEN]),
    lost: impl Iterator<Item = (usize, Word)>,
) {
    let mover = turned(defenders);
    let (a, b) = (defenders.count_ones() as usize, attackers.count_ones() as usize);
    let row = of_25::rank(mover) as usize;
    if !some.rows.contains(&row) {
        return;
    }
    let placement = of_25::rank(pext(turned(attackers).into(), (!mover).into()) as u32) as usize;
    let at = ((row - some.rows.start) * row::placements(a, b) + placement) * a * b;
    for (number, word) in lost {
        let (defender, attacker) = (defender_of[number / b], attacker_of[number % b]);
        some.words[at + (a - 1 - defender) * b + (b - 1 - attacker)] = word;
    }
}

/// Packs bits into bytes.
struct Bits<'a> {
    bytes: &'a mut Vec<u8>,
    held: u64,
    bits: u32,
}

impl Bits<'_> {
    /// Adds the lowest `bits` bits of a number, at most sixty.
    #[inline]
    fn push(&mut self, number: u64, bits: u32) {
        let number = number & ((1 << bits) - 1);
        self.held |= number << self.bits;
        self.bits += bits;
        if self.bits >= 64 {
            self.bytes.extend_from_slice(&self.held.to_le_bytes());
            self.bits -= 64;
            self.held = number >> (bits - self.bits);
        }
    }

    fn finish(self) {
        let bytes = self.bits.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
    }
}

/// Reads the words of a row of wins from the entries of a table. The men of the pair are those of the side to move and those
/// of the opponent.
pub fn read_row<E>(
    deals: &Deals,
    (a, b): Men,
    men: u32,
    words: &mut [Word],
    mut entry: impl FnMut(u64) -> Result<Entry, E>,
) -> Result<(), E> {
    let numbered = deals.numbered(true);
    let row = u64::from(of_25::rank(men)) * words.len() as u64;
    for (number, word) in (row..).zip(0..words.len()) {
        let (placement, pair) = (word / (a * b), word % (a * b));
        let (mover, opponent) = (pair / b, pair % b);
        let mut won = 0;
        for (deal, &bit) in numbered.iter().enumerate() {
            won |= Word::from(matches!(entry(number * DEALS + deal as u64)?, Entry::Win(_))) << bit;
        }
        words[placement * a * b + opponent * a + mover] = won;
    }
    Ok(())
}
