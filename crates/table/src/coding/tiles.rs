//! Tiles: blocks of indices that are near each other in every digit.

use crate::error::Problem;
use crate::format::Fields;

/// How the indices of a slice are cut into tiles. Each tile is one block.
///
/// The digits of an index, the slowest first, are cut separately: a tile holds a range of each digit. All tiles have the same
/// number of places, a power of two. At the end of a digit, some places of a tile stand for no index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiles {
    digits: Box<[Digit]>,
    /// True if the first digit tells apart sections, such as the sides to move. Each section has its own models.
    has_sections: bool,
    /// By digit, the slowest first: what finds the place of an index.
    steps: Box<[Step]>,
    tiles: u64,
    tiles_of_section: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Digit {
    /// The number of values of the digit.
    radix: u64,
    /// The binary logarithm of the number of values in a tile.
    bits: u32,
}

impl Digit {
    /// The number of tiles along this digit.
    fn tiles(self) -> u64 {
        self.radix.div_ceil(1 << self.bits)
    }
}

/// What finds the part of a digit in the place of an index. Probes spend their time here, so nothing is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    radix: u64,
    /// 2 to the power of 64, minus 1, divided by the radix.
    reciprocal: u64,
    bits: u32,
    /// The number of tiles from one along this digit to the next.
    tiles: u64,
}

impl Step {
    /// Divides a number below 2 to the power of 63 by the radix: the quotient and the remainder.
    #[inline]
    fn divide(self, number: u64) -> (u64, u64) {
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        let remainder = number - quotient * self.radix;
        // The quotient is right, or one too small.
        let is_small = remainder >= self.radix;
        (quotient + u64::from(is_small), remainder - if is_small { self.radix } else { 0 })
    }
}

impl Tiles {
    /// The number of indices is below this.
    const MOST_INDICES: u64 = 1 << 63;
    /// The binary logarithm of the number of places of a large tile. It was chosen by measurement: see `docs/experiments.md`.
    const PLACES: u32 = 14;
    /// The most digits.
    pub(crate) const MOST_DIGITS: usize = 8;
    /// The most sections.
    pub(crate) const MOST_SECTIONS: u64 = 2;

    /// Tiles for indices with these digits, the slowest first. Their product is the number of indices. If `has_sections` is
    /// true, the first digit tells apart sections.
    ///
    /// # Panics
    /// Panics if there are no digits, or more than eight, or too many sections.
    pub fn new(digits: &[u64], has_sections: bool) -> Self {
        assert!((1..=Self::MOST_DIGITS).contains(&digits.len()), "one to eight digits");
        assert!(!has_sections || digits[0] <= Self::MOST_SECTIONS, "few sections");
        let full = |radix: u64| radix.max(1).next_power_of_two().trailing_zeros();
        let mut digits: Box<[Digit]> = digits.iter().map(|&radix| Digit { radix, bits: 0 }).collect();
        let first = usize::from(has_sections);
        if let Some(last) = digits[first..].last_mut() {
            last.bits = full(last.radix).min(6);
        }
        // A digit that stands for two men gets twice the bits.
        let weight = |digit: &Digit| u64::from((full(digit.radix) + 1) / 6).max(1);
        while digits.iter().map(|digit| digit.bits).sum::<u32>() < Self::PLACES {
            let open = digits[first..].iter_mut().filter(|digit| digit.bits < full(digit.radix));
            // The comparison of bits / weight, without fractions.
            let least =
                open.min_by(|a, b| (u64::from(a.bits) * weight(b)).cmp(&(u64::from(b.bits) * weight(a))));
            let Some(least) = least else { break };
            least.bits += 1;
        }
        Self::of_digits(digits, has_sections)
    }

    fn of_digits(digits: Box<[Digit]>, has_sections: bool) -> Self {
        let mut tiles = 1;
        let mut steps: Vec<Step> = (digits.iter().rev())
            .map(|digit| {
                let reciprocal = u64::MAX / digit.radix.max(1);
                let step = Step { radix: digit.radix, reciprocal, bits: digit.bits, tiles };
                tiles *= digit.tiles();
                step
            })
            .collect();
        steps.reverse();
        let sections = if has_sections { digits[0].radix } else { 1 };
        let tiles_of_section = (tiles / sections.max(1)).max(1);
        Self { digits, has_sections, steps: steps.into(), tiles, tiles_of_section }
    }

    /// The number of places of a tile.
    #[inline]
    pub fn places(&self) -> usize {
        1 << self.digits.iter().map(|digit| digit.bits).sum::<u32>()
    }

    /// The number of tiles.
    pub fn tiles(&self) -> u64 {
        self.tiles
    }

    /// The number of indices.
    pub(crate) fn indices(&self) -> u64 {
        self.digits.iter().map(|digit| digit.radix).product()
    }

    /// The number of sections.
    pub(crate) fn sections(&self) -> usize {
        if self.has_sections { self.digits[0].radix as usize } else { 1 }
    }

    /// The section of a tile.
    #[inline]
    pub(crate) fn section_of(&self, tile: u64) -> usize {
        // There are two at most.
        usize::from(tile >= self.tiles_of_section)
    }

    /// The tile of an index, and its place in the tile.
    #[inline]
    pub fn place(&self, mut index: u64) -> (u64, usize) {
        let (mut tile, mut place, mut shift) = (0, 0, 0);
        for step in self.steps.iter().rev() {
            let (quotient, value) = step.divide(index);
            index = quotient;
            place |= (value & ((1 << step.bits) - 1)) << shift;
            shift += step.bits;
            tile += (value >> step.bits) * step.tiles;
        }
        (tile, place as usize)
    }

    /// Visits the places of a tile that stand for indices, in order.
    pub fn each_index(&self, tile: u64, mut visit: impl FnMut(usize, u64)) {
        // By digit, the slowest first: its first value in the tile, and the number of indices between two of its values.
        let mut starts = [(0u64, 0u64); Self::MOST_DIGITS];
        let (mut rest, mut stride) = (tile, 1);
        for (digit, start) in self.digits.iter().zip(&mut starts).rev() {
            *start = ((rest % digit.tiles()) << digit.bits, stride);
            rest /= digit.tiles();
            stride *= digit.radix;
        }
        let Some((last, others)) = self.digits.split_last() else { return };
        let (first, _) = starts[others.len()];
        // The last digit runs through consecutive indices.
        let length = (last.radix - first).min(1 << last.bits);
        'runs: for run in 0..self.places() >> last.bits {
            let (mut index, mut bits) = (first, run as u64);
            for (digit, (start, stride)) in others.iter().zip(starts).rev() {
                let value = start + (bits & ((1 << digit.bits) - 1));
                bits >>= digit.bits;
                if value >= digit.radix {
                    continue 'runs;
                }
                index += value * stride;
            }
            let place = run << last.bits;
            (0..length).for_each(|at| visit(place + at as usize, index + at));
        }
    }

    /// The numbers of bits of the coordinates of a place, the slowest first. The last one is at most that of a row, so a long
    /// last digit has two coordinates.
    pub(crate) fn coordinates(&self) -> Vec<u32> {
        let mut bits: Vec<u32> =
            self.digits.iter().map(|digit| digit.bits).filter(|&bits| bits > 0).collect();
        match bits.pop() {
            Some(last) if last > super::grid::ROW_BITS => {
                bits.extend([last - super::grid::ROW_BITS, super::grid::ROW_BITS]);
            }
            Some(last) => bits.push(last),
            None => bits.push(0),
        }
        bits
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.digits.len() as u8);
        bytes.push(self.has_sections.into());
        for digit in &self.digits {
            bytes.extend(digit.radix.to_le_bytes());
            bytes.push(digit.bits as u8);
        }
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Result<Self, Problem> {
        /// More bits than this are no tile of this program.
        const MOST_BITS: u32 = 20;
        let count = usize::from(fields.u8()?);
        let has_sections = match fields.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Problem::Payload),
        };
        if !(1..=Self::MOST_DIGITS).contains(&count) {
            return Err(Problem::Payload);
        }
        let digit = |_| Ok(Digit { radix: fields.u64()?, bits: fields.u8()?.into() });
        let digits: Box<[Digit]> = (0..count).map(digit).collect::<Result<_, Problem>>()?;
        let bits = digits.iter().try_fold(0u32, |sum, digit| sum.checked_add(digit.bits));
        let indices = digits.iter().try_fold(1u64, |product, digit| product.checked_mul(digit.radix));
        let sections_fit = !has_sections || (digits[0].radix <= Self::MOST_SECTIONS && digits[0].bits == 0);
        // Most of a tile must not be empty: the number of places is less than 2 to the digits times that of indices.
        let is_tight = |digit: &Digit| {
            digit.radix > 0 && digit.bits <= MOST_BITS && 1 << digit.bits < digit.radix.saturating_mul(2)
        };
        let fits = bits.is_some_and(|bits| bits <= MOST_BITS)
            && indices.is_some_and(|indices| indices < Self::MOST_INDICES)
            && sections_fit;
        if fits && digits.iter().all(is_tight) {
            Ok(Self::of_digits(digits, has_sections))
        } else {
            Err(Problem::Payload)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_one_place() {
        for (digits, has_sections) in [
            (&[2, 462, 64, 64][..], true),
            (&[1, 1806, 48], true),
            (&[2, 21, 5, 7], true),
            (&[29, 300], false),
            (&[1], false),
            (&[40_000], false),
        ] {
            let tiles = Tiles::new(digits, has_sections);
            assert_eq!(tiles.indices(), digits.iter().product());
            let mut seen = 0;
            for tile in 0..tiles.tiles() {
                let mut last = None;
                tiles.each_index(tile, |place, index| {
                    assert_eq!(tiles.place(index), (tile, place));
                    let of_section = (tiles.indices() / tiles.sections() as u64).max(1);
                    assert_eq!(tiles.section_of(tile) as u64, index / of_section);
                    assert!(place < tiles.places() && last < Some(place));
                    last = Some(place);
                    seen += 1;
                });
            }
            assert_eq!(seen, tiles.indices());
            let mut bytes = Vec::new();
            tiles.write(&mut bytes);
            assert_eq!(Tiles::read(&mut Fields::new(&bytes)).expect("what was written"), tiles);
        }
    }

    #[test]
    fn division_is_exact() {
        let mut rng = game::Rng::new(1);
        let largest = Tiles::MOST_INDICES - 1;
        for radix in [1, 2, 3, 30, 48, 64, 462, 2996, 1 << 40, largest] {
            let step = Step { radix, reciprocal: u64::MAX / radix, bits: 0, tiles: 1 };
            let random = (0..1000).map(|_| rng.below(Tiles::MOST_INDICES));
            let near =
                (0..3).flat_map(|i| [i, radix + i - 1, 2 * radix.min(largest / 2) + i - 1, largest - i]);
            for number in random.chain(near.filter(|&number| number <= largest)) {
                assert_eq!(step.divide(number), (number / radix, number % radix), "{number} / {radix}");
            }
        }
    }

    #[test]
    fn tiles_are_wide_in_every_digit() {
        let bits = |digits: &[u64], has_sections| {
            Tiles::new(digits, has_sections).digits.iter().map(|digit| digit.bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&[2, 462, 64, 64], true), [0, 4, 4, 6]);
        assert_eq!(bits(&[2, 462, 64, 64, 64], true), [0, 3, 3, 2, 6]);
        assert_eq!(bits(&[2, 462, 64], true), [0, 8, 6]);
        assert_eq!(bits(&[40_000], false), [14]);
        assert_eq!(bits(&[30], false), [5]);
    }
}
