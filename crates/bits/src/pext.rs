//! Gathering bits under a mask (`pext`) and spreading them again (`pdep`).
//!
//! Machines with BMI2 have one instruction for each. [`portable`] has the same functions for all other machines.
//! The tests compare both versions.
#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub use portable::{pdep, pext};

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

/// The versions for machines without BMI2: one step per bit of the mask.
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
}
