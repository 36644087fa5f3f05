//! Draws boards with dots and crosses, with file letters and rank numbers at the edge. This is meant for debugging.

use std::fmt::{self, Display, Write};

/// A set of squares that [`side_by_side`] can draw: a [`SquareSet`](crate::SquareSet), a
/// [`PointSet`](crate::PointSet), or your own type.
///
/// ```
/// use endspiel_bits::{Drawable, side_by_side};
///
/// struct Stripes;
/// impl Drawable for Stripes {
///     const FILES: u8 = 3;
///     const RANKS: u8 = 2;
///     fn has(&self, file: u8, _rank: u8) -> bool {
///         file % 2 == 0
///     }
/// }
/// assert_eq!(side_by_side(&[("stripes", Stripes)]), "  stripes\n2 x . x\n1 x . x\n  a b c\n");
/// ```
pub trait Drawable {
    /// Number of files (columns), at most 26, because each file has a letter.
    const FILES: u8;
    /// Number of ranks (rows).
    const RANKS: u8;

    /// Returns whether the set contains the square on this file and rank. Both are counted from 0.
    fn has(&self, file: u8, rank: u8) -> bool;
}

/// Draws several sets of the same board beside each other, each under its title.
///
/// ```
/// use endspiel_bits::{PointSet, side_by_side};
///
/// let corner = PointSet::<2, 2>::of("a1".parse()?);
/// let drawn = side_by_side(&[("men", corner), ("free", !corner)]);
/// assert_eq!(drawn, "  men    free\n2 . .    x x\n1 x .    . x\n  a b    a b\n");
/// # Ok::<(), endspiel_bits::NoSuchSquare>(())
/// ```
pub fn side_by_side<S: Drawable>(sets: &[(&str, S)]) -> String {
    let mut out = String::new();
    write_line("", sets, |(title, _)| String::from(*title), &mut out)
        .and_then(|()| write_ranks(sets, &mut out))
        .expect("writing to a string never fails");
    out
}

/// Draws one set without a title. The `Display` implementations use it.
pub(crate) fn draw<S: Drawable + Copy>(set: S, out: &mut impl Write) -> fmt::Result {
    write_ranks(&[("", set)], out)
}

/// Writes the ranks, highest first, and below them the letters of the files.
fn write_ranks<S: Drawable>(sets: &[(&str, S)], out: &mut impl Write) -> fmt::Result {
    let place = |set: &S, file, rank| if set.has(file, rank) { 'x' } else { '.' };
    for rank in (0..S::RANKS).rev() {
        write_line(rank + 1, sets, |(_, set)| spaced::<S>(|file| place(set, file, rank)), out)?;
    }
    write_line("", sets, |_| spaced::<S>(|file| char::from(b'a' + file)), out)
}

/// Writes one line of all boards. A board becomes wider if its title needs more room.
fn write_line<S: Drawable>(
    label: impl Display,
    sets: &[(&str, S)],
    text: impl Fn(&(&str, S)) -> String,
    out: &mut impl Write,
) -> fmt::Result {
    let label_width = if S::RANKS > 9 { 2 } else { 1 };
    let padded = |set: &(&str, S)| {
        let width = set.0.chars().count().max(2 * usize::from(S::FILES) - 1);
        format!(" {:<width$}", text(set))
    };
    let line = sets.iter().map(padded).collect::<Vec<_>>().join("   ");
    writeln!(out, "{}", format!("{label:>label_width$}{line}").trim_end())
}

/// Joins one character for each file with spaces.
fn spaced<S: Drawable>(character: impl Fn(u8) -> char) -> String {
    (0..S::FILES).map(|file| character(file).to_string()).collect::<Vec<_>>().join(" ")
}
