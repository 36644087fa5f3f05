//! Logarithms of counts, as integers, so that every machine finds the same models.

use std::sync::LazyLock;

/// One bit, in the units of [`n_log_n`].
pub(super) const BIT: u64 = 1 << 16;

/// The counts whose logarithms are in a table.
const TABLED: usize = 1 << 18;

static TABLE: LazyLock<Box<[u64]>> = LazyLock::new(|| (0..TABLED as u64).map(|n| n * log2(n)).collect());

/// n · log₂ n in units of 2⁻¹⁶. It is 0 for 0.
#[inline]
pub(super) fn n_log_n(n: u64) -> u64 {
    TABLE.get(n as usize).copied().unwrap_or_else(|| n * log2(n))
}

/// The binary logarithm in units of 2⁻¹⁶, rounded down. It is 0 for 0.
pub(super) fn log2(n: u64) -> u64 {
    let Some(whole) = n.checked_ilog2() else { return 0 };
    // The number is 2^whole times a fraction from 1 to 2, with 31 bits after the point. Each squaring doubles its logarithm.
    let mut fraction = if whole >= 31 { n >> (whole - 31) } else { n << (31 - whole) };
    let mut log = u64::from(whole);
    for _ in 0..16 {
        fraction = (fraction * fraction) >> 31;
        let carry = fraction >> 32;
        fraction >>= carry;
        log = log << 1 | carry;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for n in (1..3000).chain([65_535, 1 << 20, (1 << 40) + 12_345, u64::MAX]) {
            let expected = (n as f64).log2() * BIT as f64;
            assert!((log2(n) as f64 - expected).abs() <= 2.0, "{n}");
        }
        assert_eq!((log2(0), n_log_n(0), n_log_n(1), n_log_n(4)), (0, 0, 0, 8 * BIT));
    }
}
