//! Access to a board of one byte per square, in two ways: through a slice with casts, or through an array with checks.

/// The 64 squares of a board, a byte each, a1 first. Stages of the study read them through this trait.
pub trait Squares: Copy {
    /// The man on the square with this number.
    fn man(self, square: i8) -> u8;

    /// The eight men of a rank.
    fn rank(self, rank: i8) -> [u8; 8];
}

/// A slice of any length, and casts that would also accept wrong numbers. The compiler checks each index.
#[derive(Clone, Copy)]
pub struct Loose<'a>(pub &'a [u8]);

impl Squares for Loose<'_> {
    #[inline]
    fn man(self, square: i8) -> u8 {
        self.0[square as usize]
    }

    #[inline]
    fn rank(self, rank: i8) -> [u8; 8] {
        let start = 8 * rank as usize;
        let mut men = [0; 8];
        men.copy_from_slice(&self.0[start..start + 8]);
        men
    }
}

/// An array of 64 squares. Numbers are converted with a check, after which the index needs none.
#[derive(Clone, Copy)]
pub struct Fixed<'a>(pub &'a [u8; 64]);

impl Squares for Fixed<'_> {
    #[inline]
    fn man(self, square: i8) -> u8 {
        self.0[usize::try_from(square).expect("a square") & 63]
    }

    #[inline]
    fn rank(self, rank: i8) -> [u8; 8] {
        let (ranks, _) = self.0.as_chunks::<8>();
        ranks[usize::try_from(rank).expect("a rank") & 7]
    }
}
