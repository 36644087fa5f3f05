//! The cells of a slice: a byte for each position, in the order of the game's ordinary index.
//!
//! For wins the side to move is the attacker, so cells have the same view as the attacker's rows. For losses the side to
//! move is the defender. The attacker is the opponent, who sees the board from the other side. So squares are counted from
//! the other end of the board, and so are the places of men.

use super::deals::{Deals, Word};
use super::known::Men;
use super::men::with_men;
use super::mirror;
use super::row::{self, MOST_MEN, Row, squares, turned};
use bits::pext;
use bits::subsets::{self, of_25};
use rayon::prelude::*;

/// The number of deals for each pair of masters.
pub const DEALS: usize = 30;
/// A hole: a master is on its goal, so the game is over.
pub const HOLE: u8 = 255;

/// The number of cells of a slice, given the number of men of the side to move and of the opponent.
pub fn count(mover: usize, opponent: usize) -> usize {
    let rows = subsets::count(25, mover as u32) as usize;
    rows * row_len(mover, opponent)
}

/// The number of cells with the same squares of the side to move. These cells are consecutive.
pub fn row_len(mover: usize, opponent: usize) -> usize {
    subsets::count(25 - mover as u32, opponent as u32) as usize * mover * opponent * DEALS
}

/// The first cell of a placement in the slice in which the defender is to move.
#[inline]
pub fn of_defender(attackers: u32, defenders: u32) -> usize {
    let (mover, opponent) = (turned(defenders), turned(attackers));
    let free = !mover & row::BOARD;
    let (men, others) = (mover.count_ones(), opponent.count_ones());
    let sets = subsets::count(25 - men, others) as usize;
    let set =
        of_25::rank(mover) as usize * sets + of_25::rank(pext(opponent.into(), free.into()) as u32) as usize;
    set * (men * others) as usize * DEALS
}

/// Finds the cells that are equal to `cell`, as a set of bits.
#[inline]
pub fn equal(cells: &[u8; DEALS], cell: u8) -> u32 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const LOW: u64 = ONES * 0x7f;
    let mut padded = [cell ^ 1; 32];
    padded[..DEALS].copy_from_slice(cells);
    let mut which = 0;
    for (i, eight) in padded.as_chunks::<8>().0.iter().enumerate() {
        let difference = u64::from_le_bytes(*eight) ^ (ONES * u64::from(cell));
        // The highest bit of each byte that is zero.
        let equal = !(((difference & LOW) + LOW) | difference | LOW);
        which |= (pext(equal, !LOW) as u32) << (8 * i);
    }
    which
}

/// Converts between the game's numbers of deals and the bits of words. The words are by the hand of the side to move.
pub struct Numbers {
    bit_of: [u8; DEALS],
    number_of: [u8; 32],
    /// The number of each deal's mirror image, if the card set is its own mirror image.
    mirror: Option<[u8; DEALS]>,
}

impl Numbers {
    /// The conversion for a card set.
    pub fn new(deals: &Deals) -> Self {
        let bit_of = *deals.numbered(true);
        let mut number_of = [0; 32];
        for (number, &bit) in bit_of.iter().enumerate() {
            number_of[usize::from(bit)] = number as u8;
        }
        let mirror = deals.mirror().map(|mirror| {
            let image = |bit: u8| mirror.of(1 << bit).trailing_zeros() as usize;
            bit_of.map(|bit| number_of[image(bit)])
        });
        Self { bit_of, number_of, mirror }
    }

    /// The word of a set of deals, which is given as bits by their numbers.
    #[inline]
    pub fn word(&self, mut numbers: u32) -> Word {
        let mut word = 0;
        while numbers != 0 {
            word |= 1 << self.bit_of[numbers.trailing_zeros() as usize];
            numbers &= numbers - 1;
        }
        word
    }

    /// The number of the deal with this bit.
    #[inline]
    pub fn of(&self, bit: u32) -> usize {
        self.number_of[bit as usize].into()
    }

    /// The bit of the deal with this number.
    #[inline]
    pub fn bit(&self, number: usize) -> u32 {
        self.bit_of[number].into()
    }
}

/// Completes the cells of a slice. It copies values between each row and its mirror image, if only one of them was solved.
/// Then it marks the positions that need no search: wins at once and holes.
pub fn complete((mover, opponent): Men, deals: &Deals, numbers: &Numbers, cells: &mut [u8]) {
    let sets = of_25::of_size(mover as u32);
    let rows = cells.chunks_exact_mut(row_len(mover, opponent));
    let mut rows: Vec<Option<&mut [u8]>> = rows.map(Some).collect();
    let mut pairs = Vec::new();
    for (rank, &men) in sets.iter().enumerate() {
        if let Some(row) = rows[rank].take() {
            let image = if numbers.mirror.is_some() { of_25::rank(mirror::set(men)) as usize } else { rank };
            pairs.push((men, row, rows[image].take()));
        }
    }
    pairs.into_par_iter().for_each(|(men, row, image)| {
        with_men!(opponent, B => complete_row::<B>(deals, numbers, men, row, image));
    });
}

fn complete_row<const B: usize>(
    deals: &Deals,
    numbers: &Numbers,
    men: u32,
    row: &mut [u8],
    image: Option<&mut [u8]>,
) {
    match (&numbers.mirror, image) {
        (Some(deal_of), Some(image)) => {
            combine::<B>(deal_of, men, row, image);
            combine::<B>(deal_of, mirror::set(men), image, row);
            stamp::<B>(deals, numbers, mirror::set(men), image);
        }
        (Some(deal_of), None) => {
            let image = row.to_vec();
            combine::<B>(deal_of, men, row, &image);
        }
        (None, _) => {}
    }
    stamp::<B>(deals, numbers, men, row);
}

/// Copies the value of the mirror image to each cell without a value.
fn combine<const B: usize>(deal_of: &[u8; DEALS], men: u32, row: &mut [u8], image: &[u8]) {
    let a = men.count_ones() as usize;
    let free = u64::from(!men & row::BOARD);
    let image_free = u64::from(mirror::set(free as u32));
    let place_of = mirror::places::<MOST_MEN>(men);
    let (row, image) = (row.as_chunks_mut::<DEALS>().0, image.as_chunks::<DEALS>().0);
    for (&placement, cells) in of_25::of_size(B as u32).iter().zip(row.chunks_exact_mut(a * B)) {
        let defenders = bits::pdep(placement.into(), free) as u32;
        let rank = of_25::rank_of::<B>(pext(mirror::set(defenders).into(), image_free) as u32) as usize;
        let defender_of = mirror::places::<B>(defenders);
        let images = &image[rank * a * B..][..a * B];
        for (cells, lane) in cells.chunks_exact_mut(B).zip(place_of) {
            for (cells, g) in cells.iter_mut().zip(defender_of) {
                let image = &images[lane * B + g];
                for (cell, &number) in cells.iter_mut().zip(deal_of) {
                    // The two values are equal, or one of them is zero.
                    *cell |= image[usize::from(number)];
                }
            }
        }
    }
}

/// Marks the wins at once and the holes.
fn stamp<const B: usize>(deals: &Deals, numbers: &Numbers, men: u32, row: &mut [u8]) {
    let known = Row::<B>::new(deals, men);
    let stamps: [[[u8; DEALS]; MOST_MEN]; 25] = std::array::from_fn(|square| {
        std::array::from_fn(|lane| match known.won_at_once(square, lane) {
            None => [HOLE; DEALS],
            Some(won) => std::array::from_fn(|number| (won >> numbers.bit(number) & 1) as u8),
        })
    });
    let cells = row.as_chunks_mut::<DEALS>().0.chunks_exact_mut(known.attackers * B);
    for (&placement, cells) in known.placements().iter().zip(cells) {
        let masters = squares::<B>(placement);
        for (lane, cells) in cells.chunks_exact_mut(B).enumerate() {
            for (cells, master) in cells.iter_mut().zip(masters) {
                for (cell, stamp) in cells.iter_mut().zip(&stamps[master][lane]) {
                    *cell |= stamp;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cells_are_found_among_all_others() {
        for cell in 0..=255u8 {
            for first in 0..=255u8 {
                let cells = std::array::from_fn(|i| first.wrapping_add(i as u8 % 9));
                let slowly = (0..DEALS).filter(|&i| cells[i] == cell).fold(0, |set, i| set | 1 << i);
                assert_eq!(equal(&cells, cell), slowly, "{cell} among {cells:?}");
            }
        }
    }
}
