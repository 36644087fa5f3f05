//! Numbers as a payload: equities and distributions in fixed point.

use crate::Description;
use crate::error::{Field, Problem};
use crate::payload::Payload;
use game::Metric;

/// How the numbers of a table are stored. A stored number is a whole one, *raw*; its value is raw / unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NumberFormat {
    /// How many bytes each takes.
    pub width: NumberWidth,
    /// Are there numbers below 0?
    pub signed: bool,
    /// What 1 is stored as. Not 0.
    pub unit: u32,
    /// By how much a value is off at the most, from rounding and from how it was found: finite, not below 0.
    pub error: f64,
}

/// How many bytes a number takes.
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

/// Numbers: *N* of them for each index, or nothing where it stands for no position. [`Metric::Equity`] has one for each
/// state of the cube, [`Metric::Distribution`] one for each result.
///
/// Blocks hold the lowest bytes of the first number of all entries, then the next higher ones, and so on: the high
/// bytes of neighbours are alike, and compress well side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct Numbers<const N: usize>(AnyNumbers);

impl<const N: usize> Numbers<N> {
    /// Numbers that are stored so.
    ///
    /// # Errors
    /// If the unit or the error is not allowed, or *N* is 0 or above 1,024.
    pub fn new(format: NumberFormat) -> Result<Self, Problem> {
        AnyNumbers::new(N, format).map(Self)
    }

    /// How they are stored.
    pub fn format(&self) -> NumberFormat {
        self.0.format
    }

    /// The value of a stored number.
    pub fn value(&self, raw: i64) -> f64 {
        raw as f64 / f64::from(self.0.format.unit)
    }

    /// The values of an entry.
    pub fn values(&self, raw: [i64; N]) -> [f64; N] {
        raw.map(|raw| self.value(raw))
    }

    /// The number that is stored for a value: the nearest. Nothing if there is none so large, or it is no number.
    pub fn nearest(&self, value: f64) -> Option<i64> {
        let raw = (value * f64::from(self.0.format.unit)).round();
        // No number that is stored has more than 32 bits: within the range the conversion is exact.
        let (lowest, highest) = self.0.range();
        (raw >= lowest as f64 && raw <= highest as f64).then_some(raw as i64)
    }
}

impl<const N: usize> Payload for Numbers<N> {
    type Entry = Option<[i64; N]>;

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

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        self.0.is_valid(packed, entries)
    }

    #[inline]
    fn get(&self, packed: &[u8], entries: usize, place: usize) -> Self::Entry {
        let stored: [u32; N] = std::array::from_fn(|number| self.0.stored(packed, entries, place, number));
        let is_position = stored.first() != Some(&self.0.nothing());
        is_position.then(|| stored.map(|stored| self.0.raw(stored)))
    }
}

/// Numbers whose count is known only when the file is read.
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
        // Zero has one form.
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

    /// An entry has all of its numbers or none.
    pub(crate) fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        let nothing = self.nothing();
        let is_nothing = |place, number| self.stored(packed, entries, place, number) == nothing;
        let is_whole = |place| {
            let first = is_nothing(place, 0);
            (1..self.count.into()).all(|number| is_nothing(place, number) == first)
        };
        packed.len() == entries * self.entry_bytes() && (0..entries).all(is_whole)
    }

    /// The bits of a number at a place of a block of so many entries.
    #[inline]
    fn stored(&self, packed: &[u8], entries: usize, place: usize, number: usize) -> u32 {
        let bytes = self.format.width.bytes();
        let byte = |byte: usize| u32::from(packed[(number * bytes + byte) * entries + place]) << (8 * byte);
        (0..bytes).map(byte).sum()
    }

    /// The number that has these bits.
    #[inline]
    fn raw(&self, stored: u32) -> i64 {
        let unused = 32 - 8 * self.format.width.bytes() as u32;
        if self.format.signed { i64::from((stored << unused) as i32 >> unused) } else { i64::from(stored) }
    }

    /// The bits that stand for no number: the least of those with a sign, the greatest of those without.
    #[inline]
    fn nothing(&self) -> u32 {
        let all = u32::MAX >> (32 - 8 * self.format.width.bytes() as u32);
        if self.format.signed { all / 2 + 1 } else { all }
    }

    /// The least and the greatest number.
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
