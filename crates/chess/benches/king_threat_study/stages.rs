//! The stages of the study: six, each with those before it, and two combinations of the good ones.

use crate::squares::{Fixed, Loose};
use crate::walks::{DIAGONALS, FILE, Query, RANK};
use endspiel_chess::Kind;
use game::Side;

/// A way to tell whether a square is attacked.
pub trait Stage {
    /// The name in the table.
    const NAME: &'static str;
    /// What is new.
    const WHAT: &'static str;

    /// Returns whether the side attacks the square. The man on the square does not matter.
    fn is_threatened(squares: &[u8; 64], square: u8, by: Side) -> bool;
}

macro_rules! stages {
    ($($stage:ident: $name:literal, $what:literal, $access:ident, $query:ident => $threatened:expr;)*) => {$(
        #[doc = $what]
        pub struct $stage;

        impl Stage for $stage {
            const NAME: &'static str = $name;
            const WHAT: &'static str = $what;

            #[inline]
            fn is_threatened(squares: &[u8; 64], square: u8, by: Side) -> bool {
                let $query = Query::new($access(squares), square, by);
                $threatened
            }
        }
    )*};
}

stages! {
    Baseline: "baseline", "rank, file, diagonals square by square; knight, pawn, king", Loose, q =>
        q.rank_walk() || q.file_walk() || q.diagonal_walk() || q.knight_by_distance() || q.pawn() || q.king();
    A: "A", "pawn and knight first, knight by steps, one helper for sliders", Loose, q =>
        q.pawn() || q.knight_by_steps() || q.slider(RANK, Kind::Rook) || q.slider(FILE, Kind::Rook)
            || q.slider(DIAGONALS, Kind::Bishop) || q.king();
    B: "B", "rank by a mask of eight bytes, knight without branches", Loose, q =>
        q.pawn() || q.knight_without_branches() || q.rank_scan() || q.slider(FILE, Kind::Rook)
            || q.slider(DIAGONALS, Kind::Bishop) || q.king();
    C: "C", "file gathered with stride 8", Loose, q =>
        q.pawn() || q.knight_without_branches() || q.rank_scan() || q.file_scan()
            || q.slider(DIAGONALS, Kind::Bishop) || q.king();
    D: "D", "diagonals gathered with strides 9 and 7", Loose, q =>
        q.pawn() || q.knight_without_branches() || q.rank_scan() || q.file_scan() || q.diagonal_scan() || q.king();
    E: "E", "checked numbers, arrays of fixed size", Fixed, q =>
        q.pawn() || q.knight_without_branches() || q.rank_scan() || q.file_scan() || q.diagonal_scan() || q.king();
    AWithE: "A + E", "A with the checked numbers and arrays of E, without B to D", Fixed, q =>
        q.pawn() || q.knight_by_steps() || q.slider(RANK, Kind::Rook) || q.slider(FILE, Kind::Rook)
            || q.slider(DIAGONALS, Kind::Bishop) || q.king();
    BWithE: "B + E", "B with the checked numbers and arrays of E, without C and D", Fixed, q =>
        q.pawn() || q.knight_without_branches() || q.rank_scan() || q.slider(FILE, Kind::Rook)
            || q.slider(DIAGONALS, Kind::Bishop) || q.king();
}
