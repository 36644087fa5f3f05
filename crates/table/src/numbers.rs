//! The payload `numbers`: equities and distributions as fixed-point numbers.

use crate::Description;
use crate::error::{Field, Problem};
use crate::payload::{Entries, Payload};
use game::Metric;

/// The format of the numbers in a table. A number is stored as an integer, *raw*. Its value is raw / unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NumberFormat {
    /// The number of bytes of each number.
    pub width: NumberWidth,
    /// True if numbers can be negative.
    pub signed: bool,
    /// The raw number that stands for the value 1. It is not 0.
    pub unit: u32,
    /// The largest error of a value, from rounding and from the way it was computed. It is finite and not negative.
    pub error: f64,
}

/// The number of bytes that a number takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberWidth {
    /// 8 bits.
    One,
    /// 16 bits.
    Two,
    /// 32 bits.
    Four,
}

impl NumberWidth {
    const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// The payload of tables with *N* numbers for each index, or `None` for an index without a position. [`Metric::Equity`]
/// has one number for each state of the cube. [`Metric::Distribution`] has one number for each result.
///
/// A block first holds the lowest bytes of the first number of all entries, then the next higher bytes, and so on. The
/// high bytes of neighbours are often equal, so they compress well side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct Numbers<const N: usize>(AnyNumbers);

impl<const N: usize> Numbers<N> {
    /// The payload with this number format.
    ///
    /// # Errors
    /// Returns an error if the unit or the error is not allowed, or if *N* is 0 or above 1,024.
    pub fn new(format: NumberFormat) -> Result<Self, Problem> {
        AnyNumbers::new(N, format).map(Self)
    }

    /// The number format.
    pub fn format(&self) -> NumberFormat {
        self.0.format
    }

    /// The value of a raw number.
    pub fn value(&self, raw: i64) -> f64 {
        raw as f64 / f64::from(self.0.format.unit)
    }

    /// The values of the raw numbers of an entry.
    pub fn values(&self, raw: [i64; N]) -> [f64; N] {
        raw.map(|raw| self.value(raw))
    }

    /// The raw number nearest to a value. Returns `None` if the value is out of range or not a number.
    pub fn nearest(&self, value: f64) -> Option<i64> {
        let raw = (value * f64::from(self.0.format.unit)).round();
        // A raw number has at most 32 bits, so the conversion is exact within the range.
        let (lowest, highest) = self.0.range();
        (raw >= lowest as f64 && raw <= highest as f64).then_some(raw as i64)
    }
}

impl<const N: usize> Payload for Numbers<N> {
    const NAME: &'static str = AnyNumbers::NAME;

    fn description(&self) -> Vec<u8> {
        self.0.description()
    }

    fn parse(description: &[u8]) -> Result<Self, Problem> {
        let found = AnyNumbers::parse(description)?;
        if usize::from(found.count) == N {
            return Ok(Self(found));
        }
        let told = |count: usize| format!("{count} {}", AnyNumbers::NAME);
        let (expected, found) = (told(N), told(found.count.into()));
        Err(Problem::Mismatch { field: Field::Payload, expected, found })
    }

    fn check(&self, table: &Description) -> Result<(), Problem> {
        self.0.check(table)
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        self.0.is_valid(packed, entries)
    }
}

impl<const N: usize> Entries for Numbers<N> {
    type Entry = Option<[i64; N]>;

    fn packer(&self) -> impl Fn(&[Self::Entry], &mut Vec<u8>) -> Result<(), usize> + Sync + '_ {
        let numbers = &self.0;
        let (lowest, highest) = numbers.range();
        move |entries, packed| {
            let fits =
                |entry: &Self::Entry| entry.iter().flatten().all(|raw| (lowest..=highest).contains(raw));
            if let Some(place) = entries.iter().position(|entry| !fits(entry)) {
                return Err(place);
            }
            for number in 0..N {
                for byte in 0..numbers.format.width.bytes() {
                    let stored = |entry: &Self::Entry| match entry {
                        Some(raw) => raw[number] as u32,
                        None => numbers.nothing(),
                    };
                    packed.extend(entries.iter().map(|entry| (stored(entry) >> (8 * byte)) as u8));
                }
            }
            Ok(())
        }
    }

    #[inline]
    fn get(&self, packed: &[u8], entries: usize, place: usize) -> Self::Entry {
        let stored: [u32; N] = std::array::from_fn(|number| self.0.stored(packed, entries, place, number));
        let is_position = stored.first() != Some(&self.0.nothing());
        is_position.then(|| stored.map(|stored| self.0.raw(stored)))
    }
}

/// The payload `numbers` when the count of numbers per entry is known only at run time, from the file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AnyNumbers {
    count: u16,
    format: NumberFormat,
}

impl AnyNumbers {
    pub(crate) const NAME: &'static str = "numbers";
    const MOST: usize = 1024;
    const DESCRIPTION: usize = 16;

    fn new(count: usize, format: NumberFormat) -> Result<Self, Problem> {
        // A negative zero is not allowed, so that zero has one form only.
        let error = format.error.is_finite() && format.error.is_sign_positive();
        if !(1..=Self::MOST).contains(&count) || format.unit == 0 || !error {
            return Err(Problem::Payload);
        }
        Ok(Self { count: count as u16, format })
    }

    fn description(&self) -> Vec<u8> {
        let Self { count, format: NumberFormat { width, signed, unit, error } } = *self;
        let mut bytes = Vec::with_capacity(Self::DESCRIPTION);
        bytes.extend(count.to_le_bytes());
        bytes.extend([width.bytes() as u8, u8::from(signed)]);
        bytes.extend(unit.to_le_bytes());
        bytes.extend(error.to_le_bytes());
        bytes
    }

    pub(crate) fn parse(description: &[u8]) -> Result<Self, Problem> {
        let bytes: &[u8; Self::DESCRIPTION] = description.try_into().map_err(|_| Problem::HeaderFields)?;
        let &[count_0, count_1, width, signed, unit_0, unit_1, unit_2, unit_3, ref error @ ..] = bytes;
        let width = match width {
            1 => NumberWidth::One,
            2 => NumberWidth::Two,
            4 => NumberWidth::Four,
            _ => return Err(Problem::Payload),
        };
        let signed = match signed {
            0 => false,
            1 => true,
            _ => return Err(Problem::Payload),
        };
        let unit = u32::from_le_bytes([unit_0, unit_1, unit_2, unit_3]);
        let format = NumberFormat { width, signed, unit, error: f64::from_le_bytes(*error) };
        Self::new(u16::from_le_bytes([count_0, count_1]).into(), format)
    }

    pub(crate) fn check(&self, table: &Description) -> Result<(), Problem> {
        match table.metric {
            Metric::Equity | Metric::Distribution => Ok(()),
            Metric::Wdl | Metric::Dtm | Metric::Dtz => Err(Problem::Payload),
        }
    }

    pub(crate) fn bits(&self) -> u32 {
        8 * self.entry_bytes() as u32
    }

    fn entry_bytes(&self) -> usize {
        usize::from(self.count) * self.format.width.bytes()
    }

    /// Returns whether the block has the right length and each entry has all of its numbers or none.
    pub(crate) fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        let nothing = self.nothing();
        let is_nothing = |place, number| self.stored(packed, entries, place, number) == nothing;
        let is_whole = |place| {
            let first = is_nothing(place, 0);
            (1..self.count.into()).all(|number| is_nothing(place, number) == first)
        };
        packed.len() == entries * self.entry_bytes() && (0..entries).all(is_whole)
    }

    /// The stored bits of one number of the entry at `place`, in a block of `entries` entries.
    #[inline]
    fn stored(&self, packed: &[u8], entries: usize, place: usize, number: usize) -> u32 {
        let bytes = self.format.width.bytes();
        let byte = |byte: usize| u32::from(packed[(number * bytes + byte) * entries + place]) << (8 * byte);
        (0..bytes).map(byte).sum()
    }

    /// The raw number with these stored bits.
    #[inline]
    fn raw(&self, stored: u32) -> i64 {
        let unused = 32 - 8 * self.format.width.bytes() as u32;
        if self.format.signed { i64::from((stored << unused) as i32 >> unused) } else { i64::from(stored) }
    }

    /// The bits that mark an index without a position: the least signed or the greatest unsigned number.
    #[inline]
    fn nothing(&self) -> u32 {
        let all = u32::MAX >> (32 - 8 * self.format.width.bytes() as u32);
        if self.format.signed { all / 2 + 1 } else { all }
    }

    /// The least and the greatest raw number.
    fn range(&self) -> (i64, i64) {
        let nothing = i64::from(self.nothing());
        if self.format.signed { (1 - nothing, nothing - 1) } else { (0, nothing - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [NumberWidth; 3] = [NumberWidth::One, NumberWidth::Two, NumberWidth::Four];

    fn numbers<const N: usize>(width: NumberWidth, signed: bool) -> Numbers<N> {
        Numbers::new(NumberFormat { width, signed, unit: 100, error: 0.005 }).unwrap()
    }

    #[test]
    fn the_ends_of_every_range_return() {
        for width in WIDTHS {
            for signed in [false, true] {
                let numbers = numbers::<2>(width, signed);
                let (lowest, highest) = numbers.0.range();
                let entries = [Some([lowest, highest]), None, Some([highest, 0]), Some([1, lowest])];
                let mut packed = Vec::new();
                numbers.packer()(&entries, &mut packed).unwrap();
                assert_eq!(packed.len() as u32, entries.len() as u32 * numbers.bits() / 8);
                assert!(numbers.is_valid(&packed, entries.len()));
                for (place, &entry) in entries.iter().enumerate() {
                    assert_eq!(numbers.get(&packed, entries.len(), place), entry);
                }
                for beyond in [lowest - 1, highest + 1] {
                    let refused = numbers.packer()(&[None, Some([0, beyond])], &mut Vec::new());
                    assert_eq!(refused, Err(1), "{beyond} of {width:?}");
                }
                assert!(!numbers.is_valid(&packed[1..], entries.len()), "too few");
            }
        }
    }

    #[test]
    fn half_an_entry_is_not_valid() {
        let numbers = numbers::<2>(NumberWidth::One, true);
        assert!(numbers.is_valid(&[0, 0x80, 1, 0x80], 2));
        assert!(!numbers.is_valid(&[0, 0x80, 0x80, 0x80], 2));
        assert!(!numbers.is_valid(&[0, 0x80, 1, 1], 2));
    }

    #[test]
    fn values_are_rounded_to_the_nearest() {
        let numbers = numbers::<1>(NumberWidth::One, true);
        assert_eq!(numbers.nearest(0.333), Some(33));
        assert_eq!(numbers.nearest(-1.268), Some(-127));
        assert_eq!(numbers.values([-127]), [-1.27]);
        for beyond in [1.28, -1.28, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(numbers.nearest(beyond), None, "{beyond}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let right = NumberFormat { width: NumberWidth::Two, signed: true, unit: 1, error: 0.0 };
        assert!(Numbers::<1024>::new(right).is_ok());
        assert!(Numbers::<0>::new(right).is_err() && Numbers::<1025>::new(right).is_err());
        assert!(Numbers::<1>::new(NumberFormat { unit: 0, ..right }).is_err());
        for error in [-0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Numbers::<1>::new(NumberFormat { error, ..right }).is_err(), "{error}");
        }
    }
}
