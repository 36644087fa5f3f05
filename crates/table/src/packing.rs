//! Packs symbols side by side into bytes. The first symbol is in the lowest bits.

/// The number of bits of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    One,
    Two,
    Four,
    Eight,
    Sixteen,
}

impl Width {
    /// The smallest width for this number of different symbols.
    pub(crate) fn for_symbols(symbols: usize) -> Self {
        match symbols {
            0..=2 => Self::One,
            3..=4 => Self::Two,
            5..=16 => Self::Four,
            17..=256 => Self::Eight,
            _ => Self::Sixteen,
        }
    }

    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The number of bytes that this number of symbols takes.
    fn bytes(self, symbols: usize) -> usize {
        (symbols * usize::from(self.bits())).div_ceil(8)
    }
}

/// Packs symbols into `packed` and replaces its contents. Each symbol must fit the width.
pub(crate) fn pack(symbols: &[u16], width: Width, packed: &mut Vec<u8>) {
    packed.clear();
    match width {
        Width::Sixteen => packed.extend(symbols.iter().flat_map(|symbol| symbol.to_le_bytes())),
        Width::Eight => packed.extend(symbols.iter().map(|&symbol| symbol as u8)),
        Width::One | Width::Two | Width::Four => {
            let bits = usize::from(width.bits());
            let byte =
                |symbols: &[u16]| symbols.iter().rev().fold(0, |byte, &symbol| byte << bits | symbol) as u8;
            packed.extend(symbols.chunks(8 / bits).map(byte));
        }
    }
}

/// The symbol at a place.
///
/// # Panics
/// Panics if the place is past the end.
#[inline]
pub(crate) fn symbol_at(packed: &[u8], width: Width, place: usize) -> u16 {
    match width {
        Width::Sixteen => u16::from_le_bytes([packed[2 * place], packed[2 * place + 1]]),
        _ => {
            let bits = usize::from(width.bits());
            let first_bit = place * bits;
            let mask = (1u16 << bits) - 1;
            u16::from(packed[first_bit / 8]) >> (first_bit % 8) & mask
        }
    }
}

/// Returns whether the bytes hold exactly `symbols` symbols, each below `bound`, and all bits after the last one are 0.
pub(crate) fn is_valid(packed: &[u8], width: Width, symbols: usize, bound: usize) -> bool {
    if packed.len() != width.bytes(symbols) {
        return false;
    }
    let unused = packed.len() * 8 - symbols * usize::from(width.bits());
    if unused > 0 && packed.last().is_some_and(|last| last >> (8 - unused) != 0) {
        return false;
    }
    // Unused places hold the symbol 0, which is below every bound that occurs.
    let most = match width {
        Width::Sixteen => packed.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).max(),
        Width::Eight => greatest::<8>(packed),
        Width::Four => greatest::<4>(packed),
        Width::Two => greatest::<2>(packed),
        Width::One => greatest::<1>(packed),
    };
    most.is_none_or(|most| usize::from(most) < bound)
}

/// The greatest symbol. There is one pass for each place within a byte, because the compiler can vectorize such a pass.
fn greatest<const BITS: usize>(packed: &[u8]) -> Option<u16> {
    let mask = u8::MAX >> (8 - BITS);
    let at = |shift: usize| packed.iter().map(|byte| byte >> shift & mask).max();
    (0..8).step_by(BITS).filter_map(at).max().map(u16::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_returns_its_symbols() {
        for (width, bound) in [
            (Width::One, 2),
            (Width::Two, 4),
            (Width::Four, 16),
            (Width::Eight, 256),
            (Width::Sixteen, 60_000),
        ] {
            assert_eq!(Width::for_symbols(bound), width);
            for count in 0..40usize {
                let symbols: Vec<u16> = (0..count).map(|i| (i * 40_503 % bound) as u16).collect();
                let mut packed = vec![1, 2, 3];
                pack(&symbols, width, &mut packed);
                let most = symbols.iter().max().map_or(0, |&most| usize::from(most));
                assert!(is_valid(&packed, width, count, most + 1));
                assert!(count == 0 || !is_valid(&packed, width, count, most), "a symbol too large");
                assert!(!is_valid(&packed, width, count + 8, bound), "too few");
                for (place, &symbol) in symbols.iter().enumerate() {
                    assert_eq!(symbol_at(&packed, width, place), symbol);
                }
                if count * usize::from(width.bits()) % 8 != 0 {
                    *packed.last_mut().unwrap() |= 0x80;
                    assert!(!is_valid(&packed, width, count, bound), "a bit behind the last symbol");
                }
            }
        }
    }
}
