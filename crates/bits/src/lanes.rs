//! Four 64-bit words that are processed together. With AVX2, one instruction works on all four.
//!
//! The same 256 bits can also be read as sixteen *ranks* of sixteen bits each. The first word holds the four lowest
//! ranks. Boards of more than 64 points need this, see [`PointSet`](crate::PointSet).
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
//! Compilers vectorise only half of the loops over `[u64; 4]`. Therefore this module uses the vector instructions
//! explicitly. [`portable`] has the same functions for all other machines. The tests compare both versions.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::Lanes;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::Lanes;
