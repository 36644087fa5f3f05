//! Gathering bits under a mask (`pext`) and spreading them again (`pdep`).
//!
//! Machines with BMI2 have one instruction for each. [`portable`] has the same functions for all other machines.
//! The tests compare both versions.
#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub use portable::{pdep, pdep_dense, pext};

/// Extracts the bits of `value` that are set in `mask` and packs them together at the low end.
///
/// ```
/// assert_eq!(endspiel_bits::pext(0b1011_0010, 0b1111_0000), 0b1011);
/// ```
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
pub fn pext(value: u64, mask: u64) -> u64 {
    // SAFETY: this function is compiled only if the target has BMI2. The instruction needs nothing else.
    unsafe { core::arch::x86_64::_pext_u64(value, mask) }
}

/// Deposits the low bits of `value` at the bits that are set in `mask`, from the lowest up.
///
/// ```
/// assert_eq!(endspiel_bits::pdep(0b1011, 0b1111_0000), 0b1011_0000);
/// ```
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
pub fn pdep(value: u64, mask: u64) -> u64 {
    // SAFETY: this function is compiled only if the target has BMI2. The instruction needs nothing else.
    unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
}

/// The same as [`pdep`], for masks with few unset bits below their highest one. Without BMI2 it takes a step for each of those, and not
/// for each set bit.
///
/// ```
/// assert_eq!(endspiel_bits::pdep_dense(0b1011, 0b1_1011), 0b1_0011);
/// ```
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
pub fn pdep_dense(value: u64, mask: u64) -> u64 {
    pdep(value, mask)
}

/// The versions for machines without BMI2: one step per bit of the mask, or per unset bit.
pub mod portable {
    /// Extracts the bits of `value` that are set in `mask` and packs them together at the low end.
    #[inline]
    pub const fn pext(value: u64, mut mask: u64) -> u64 {
        let mut gathered = 0;
        let mut target = 1;
        while mask != 0 {
            if value & mask & mask.wrapping_neg() != 0 {
                gathered |= target;
            }
            mask &= mask - 1;
            target <<= 1;
        }
        gathered
    }

    /// Deposits the low bits of `value` at the bits that are set in `mask`, from the lowest up.
    #[inline]
    pub const fn pdep(mut value: u64, mut mask: u64) -> u64 {
        let mut spread = 0;
        while mask != 0 {
            if value & 1 != 0 {
                spread |= mask & mask.wrapping_neg();
            }
            mask &= mask - 1;
            value >>= 1;
        }
        spread
    }

    /// The same as [`pdep`], for masks with few unset bits below their highest one: it opens a gap for each.
    #[inline]
    pub const fn pdep_dense(value: u64, mask: u64) -> u64 {
        if mask == 0 {
            return 0;
        }
        let mut gaps = !mask & (u64::MAX >> mask.leading_zeros());
        let mut spread = value;
        while gaps != 0 {
            let below = (gaps & gaps.wrapping_neg()) - 1;
            spread = spread & below | (spread & !below) << 1;
            gaps &= gaps - 1;
        }
        spread & mask
    }
}
