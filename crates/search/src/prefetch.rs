//! Asks the processor to bring memory into its cache before it is read.

#![allow(unsafe_code)]

/// Begins to load the line of this value. Where the processor has no such instruction, nothing happens.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads nothing and never faults, and the reference is valid anyway. SSE, to which it belongs, is part
        // of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
