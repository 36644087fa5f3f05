//! Four words side by side, each treated alike: one instruction for all of them where the machine has AVX2.
//!
//! The same 256 bits are also sixteen *ranks* of sixteen bits, the four lowest in the first word: what boards of more
//! than 64 points need, see [`PointSet`](crate::PointSet).
//!
//! ```
//! use endspiel_bits::Lanes;
//!
//! let lanes = Lanes::new([1 << 63, 0, 0, 0]);
//! assert_eq!(lanes.rank_up().to_array(), [0, 1 << 15, 0, 0], "a rank goes on into the next word");
//! assert_eq!(lanes.file_up().to_array(), [0; 4], "no file goes on into the next rank");
//! assert_eq!((lanes.to_ranks()[3], lanes.empty_ranks_below(), lanes.empty_ranks_above()), (1 << 15, 3, 12));
//! ```
//!
//! Compilers take loops over `[u64; 4]` apart before they put them together again, and get half of them; so the
//! instructions are named here. [`portable`] does the same everywhere else, under the same names; the tests compare both.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::Lanes;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::Lanes;
