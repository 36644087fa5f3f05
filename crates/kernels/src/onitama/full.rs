//! Tables in the game's ordinary numbering, of who wins: all deals of all positions, two bits each.

use super::attack;
use super::deals::{Deals, Word};
use super::known::Men;
use super::losses;
use super::mirror;
use super::row::{self, ATTACKERS_GOAL, BOARD, DEFENDERS_GOAL, Dense, Row, squares, turned};
use super::store::{Buffers, Lists, Rows};
use bits::pext;
use bits::subsets::of_25;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, RwLock};
use table::Entry;

const DEALS: u64 = 30;

/// A slice in which `A` men are to move against `B`.
pub struct Slice<'a, const A: usize, const B: usize> {
    deals: &'a Deals,
    /// What the mover wins as the attacker.
    won: &'a Rows,
    /// What he loses as the defender, by the rows of his opponent.
    lost: &'a Lists,
    spread: Box<Spread>,
    codes: Codes,
    /// As many rows of losses as fit the memory, and where they begin.
    some_lost: RwLock<SomeLost>,
    rows_at_a_time: usize,
    unpacked: Mutex<Vec<Unpacked>>,
}

/// The losses of some rows, by layout, mover's master and opponent's.
#[derive(Default)]
struct SomeLost {
    rows: Range<usize>,
    words: Vec<Word>,
}

/// A row of wins.
struct Unpacked {
    row: Option<usize>,
    won: Dense,
    packed: Vec<u8>,
    spare: Dense,
}

/// The symbols.
struct Codes {
    nothing: u64,
    loss: u64,
    draw: u64,
    win: u64,
}

/// From words by the mover's hand to two bits for each deal, the lower one set, in the order of their numbers.
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

impl<'a, const A: usize, const B: usize> Slice<'a, A, B> {
    /// The slice of these wins and losses. `room` is the memory for losses, in bytes; `palette` has the symbols.
    pub fn new(deals: &'a Deals, won: &'a Rows, lost: &'a Lists, room: u64, palette: &[Entry]) -> Self {
        let symbol = |entry| palette.iter().position(|&known| known == entry).unwrap_or(0) as u64;
        Self {
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
            rows_at_a_time: (room as usize / (4 * row::words::<A, B>())).max(1),
            unpacked: Mutex::default(),
        }
    }

    /// The symbols of some entries, packed.
    pub fn fill(&self, entries: Range<u64>, packed: &mut Vec<u8>) -> io::Result<()> {
        let mut unpacked = self.unpacked.lock().expect("no thread has failed").pop().unwrap_or_else(|| {
            Unpacked { row: None, won: row::dense::<A, B>(), packed: Vec::new(), spare: row::dense::<A, B>() }
        });
        let words_of_row = row::words::<A, B>() as u64;
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
        let men = of_25::of_size(A as u32)[row];
        if unpacked.row != Some(row) {
            unpacked.row = None;
            let Unpacked { won, packed, spare, .. } = unpacked;
            attack::load::<A, B>(self.deals, self.won, men, won, packed, spare)?;
            unpacked.row = Some(row);
        }
        loop {
            let some = self.some_lost.read().expect("no thread has failed");
            if some.rows.contains(&row) {
                let lost =
                    &some.words[(row - some.rows.start) * row::words::<A, B>()..][..row::words::<A, B>()];
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
        let free = !men & BOARD;
        let masters = squares::<A>(men);
        let mut at = entries.start;
        while at < entries.end {
            let word = (at / DEALS) as usize;
            let (layout, pair) = (word / (A * B), word % (A * B));
            let (mover, opponent) = (pair / B, pair % B);
            let defenders = bits::pdep(Row::<A, B>::layouts()[layout].into(), free.into()) as u32;
            let opponents = squares::<B>(defenders);
            let is_hole = masters[mover] == ATTACKERS_GOAL || opponents[opponent] == DEFENDERS_GOAL;
            let symbols = if is_hole {
                LOW_BITS * nothing
            } else {
                let won = self.spread.of(won[layout * A * B + opponent * A + mover]);
                let lost = self.spread.of(lost[word]);
                (LOW_BITS * draw) ^ (won * (draw ^ win)) ^ (lost * (draw ^ loss))
            };
            let (skipped, end) = (at % DEALS, entries.end.min((word as u64 + 1) * DEALS));
            out.push(symbols >> (2 * skipped), 2 * (end - at) as u32);
            at = end;
        }
    }

    /// The losses of rows from this one on: found in the lists by the opponent's rows.
    fn load_lost(&self, first: usize, some: &mut SomeLost) -> io::Result<()> {
        let rows = of_25::of_size(A as u32).len();
        some.rows = first..rows.min(first + self.rows_at_a_time);
        some.words.clear();
        some.words.resize(some.rows.len() * row::words::<A, B>(), 0);
        let mut buffers = Buffers::default();
        for (rank, &attackers) in of_25::of_size(B as u32).iter().enumerate() {
            let list = self.lost.get(rank, &mut buffers)?.unwrap_or_default();
            losses::visit(list, |defenders, present, words| {
                let places = (std::array::from_fn(|place| place), std::array::from_fn(|place| place));
                put_lost::<A, B>(some, [attackers, defenders], places, losses::numbered(present, words));
            });
            if let Some(mirror) = self.deals.mirror()
                && mirror::set(attackers) != attackers
            {
                let image = mirror::set(attackers);
                losses::visit(list, |defenders, present, words| {
                    let places = (mirror::places(attackers), mirror::places(defenders));
                    let words =
                        losses::numbered(present, words).map(|(number, word)| (number, mirror.of(word)));
                    put_lost::<A, B>(some, [image, mirror::set(defenders)], places, words);
                });
            }
        }
        Ok(())
    }
}

/// Puts the losses of a layout where they belong, if its row is among those wanted: the mover is the defender, and sees the
/// board turned. `places` are those of the attacker's men and of the defender's among their own.
fn put_lost<const A: usize, const B: usize>(
    some: &mut SomeLost,
    [attackers, defenders]: [u32; 2],
    (attacker_of, defender_of): ([usize; B], [usize; A]),
    lost: impl Iterator<Item = (usize, Word)>,
) {
    let mover = turned(defenders);
    let row = of_25::rank_of::<A>(mover) as usize;
    if !some.rows.contains(&row) {
        return;
    }
    let layout = of_25::rank_of::<B>(pext(turned(attackers).into(), (!mover).into()) as u32) as usize;
    let at = ((row - some.rows.start) * row::layouts::<A, B>() + layout) * A * B;
    for (number, word) in lost {
        let (defender, attacker) = (defender_of[number / B], attacker_of[number % B]);
        some.words[at + (A - 1 - defender) * B + (B - 1 - attacker)] = word;
    }
}

/// Bits that are put together to bytes.
struct Bits<'a> {
    bytes: &'a mut Vec<u8>,
    held: u64,
    bits: u32,
}

impl Bits<'_> {
    /// Adds the lowest bits of a number, at most sixty.
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

/// The words of a row of wins, from the entries of a table: `A` men to move against `B`.
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
        let (layout, pair) = (word / (a * b), word % (a * b));
        let (mover, opponent) = (pair / b, pair % b);
        let mut won = 0;
        for (deal, &bit) in numbered.iter().enumerate() {
            won |= Word::from(matches!(entry(number * DEALS + deal as u64)?, Entry::Win(_))) << bit;
        }
        words[layout * a * b + opponent * a + mover] = won;
    }
    Ok(())
}
