//! Floating-point numbers of two sizes. The small ones are quicker, and good enough to come near the solution.

use std::ops::{AddAssign, DivAssign, Mul};

/// A floating-point number.
pub trait Real:
    Copy + PartialOrd + Send + Sync + From<f32> + Into<f64> + AddAssign + DivAssign + Mul<Output = Self>
{
    /// The nearest number of this size.
    fn nearest(value: f64) -> Self;

    /// The larger of two numbers.
    #[must_use]
    fn larger(self, other: Self) -> Self;
}

impl Real for f32 {
    #[inline]
    fn nearest(value: f64) -> Self {
        value as Self
    }

    #[inline]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Real for f64 {
    #[inline]
    fn nearest(value: f64) -> Self {
        value
    }

    #[inline]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }
}
