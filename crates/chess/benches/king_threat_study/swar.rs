//! Looking for attackers with eight squares in a word (SWAR).

use crate::men::EMPTY;
use crate::squares::Squares;
use crate::walks::{KNIGHT, Query};
use endspiel_chess::Kind;

/// Returns a bit for each byte that is not zero, the first byte in the lowest bit.
///
/// Mycroft's trick in its exact form finds the zero bytes: adding 0x7f to seven bits carries into the eighth unless they are all
/// zero. The multiplication then packs eight bits, eight places apart, into the highest byte.
#[inline]
pub fn occupancy(men: [u8; 8]) -> u32 {
    const LOW_SEVEN: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const PACK: u64 = 0x0102_0408_1020_4080;
    let word = u64::from_le_bytes(men);
    let occupied = (((word & LOW_SEVEN) + LOW_SEVEN) | word) & !LOW_SEVEN;
    ((occupied >> 7).wrapping_mul(PACK) >> 56) as u32
}

impl<S: Squares> Query<S> {
    /// The nearest men on both sides of a place in a line: one of them is this slider or a queen.
    #[inline]
    fn scan(self, men: [u8; 8], place: i8, slider: Kind) -> bool {
        let occupied = occupancy(men);
        let below = occupied & ((1 << place) - 1);
        let above = occupied & !((2 << place) - 1);
        let is_attacker = |place: u32| {
            let found = men[place as usize & 7];
            self.is(found, slider) || self.is(found, Kind::Queen)
        };
        below != 0 && is_attacker(31 - below.leading_zeros())
            || above != 0 && is_attacker(above.trailing_zeros())
    }

    /// Gathers a line from its first square on.
    #[inline]
    fn gathered(self, start: i8, stride: i8, length: i8) -> [u8; 8] {
        let mut men = [EMPTY; 8];
        let mut square = start;
        for man in men.iter_mut().take(length as usize) {
            *man = self.squares.man(square);
            square = square.wrapping_add(stride);
        }
        men
    }

    /// A rank is already eight bytes in a row.
    #[inline]
    pub fn rank_scan(self) -> bool {
        self.scan(self.squares.rank(self.rank), self.file, Kind::Rook)
    }

    /// A file is gathered with a stride of 8.
    #[inline]
    pub fn file_scan(self) -> bool {
        self.scan(self.gathered(self.file, 8, 8), self.rank, Kind::Rook)
    }

    /// Diagonals are gathered with strides of 9 and 7.
    #[inline]
    pub fn diagonal_scan(self) -> bool {
        let square = 8 * self.rank + self.file;
        let west = self.file.min(self.rank);
        let length = 8 - (self.file - self.rank).abs();
        if self.scan(self.gathered(square - 9 * west, 9, length), west, Kind::Bishop) {
            return true;
        }
        let east = (7 - self.file).min(self.rank);
        let length = 8 - (7 - self.file - self.rank).abs();
        self.scan(self.gathered(square - 7 * east, 7, length), east, Kind::Bishop)
    }

    /// All eight squares are looked at. A jump over the edge looks at some square of the board, and does not count.
    #[inline]
    pub fn knight_without_branches(self) -> bool {
        KNIGHT.into_iter().fold(false, |any, (dx, dy)| {
            let (file, rank) = (self.file + dx, self.rank + dy);
            let is_on_board = (file | rank) & !7 == 0;
            let found = self.squares.man(8 * (rank & 7) + (file & 7));
            any | is_on_board & self.is(found, Kind::Knight)
        })
    }
}
