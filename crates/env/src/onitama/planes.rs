//! The observation of Onitama: nine planes of 5 × 5, in C-order.
//!
//! | plane | what |
//! |---|---|
//! | 0, 1 | my students; my master |
//! | 2, 3 | the opponent's students; the opponent's master |
//! | 4, 5 | my two cards, by name |
//! | 6, 7 | the opponent's two cards, by name |
//! | 8 | the card beside the board |
//!
//! "My" means: of the side to move. Entry `[plane, rank, file]` is at `25 plane + 5 rank + file`. The board is seen by
//! the side to move: rank 0 is its own first rank, file 0 is at its left. A plane of men is 1 where one stands. The
//! plane of a card is 1 where the card could move a man that stands in the middle, on rank 2 and file 2. My cards and
//! the card beside the board are shown as I would use them. The opponent's cards are shown as the opponent uses them:
//! rotated.

use crate::observation::ObservationKind;
use game::Side;
use onitama::{Card, Position, SquareSet};
use std::fmt;

/// The only kind of observation: `planes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation;

/// The number of squares of a plane.
const SQUARES: usize = 25;
const PLANES: usize = 9;
const MIDDLE: usize = SQUARES / 2;

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("planes")
    }
}

impl ObservationKind for Observation {
    fn all() -> Vec<Self> {
        vec![Self]
    }

    fn shapes(self) -> Vec<Vec<usize>> {
        vec![vec![PLANES, 5, 5]]
    }

    #[inline]
    fn length(self) -> usize {
        PLANES * SQUARES
    }
}

/// Writes the planes of a position in which the first side is to move, or would be if the game were not over.
#[inline]
pub(super) fn write(position: &Position, out: &mut [f32]) {
    let (planes, _) = out.as_chunks_mut::<SQUARES>();
    let men = Side::ALL.map(|side| {
        let master = position.master(side);
        [position.men(side) & !master, master]
    });
    let hand = |side: Side| position.hand(side).iter().map(move |card| (side, card));
    let beside = std::iter::once((Side::First, position.side_card()));
    let cards = hand(Side::First).chain(hand(Side::Second)).chain(beside);
    let cards = cards.map(|(side, card)| PATTERNS[card as usize][side as usize]);
    for (plane, set) in planes.iter_mut().zip(men.into_iter().flatten().chain(cards)) {
        for (square, entry) in plane.iter_mut().enumerate() {
            *entry = (set.word() >> square & 1) as f32;
        }
    }
}

/// The squares to which each card moves a man in the middle, as each side uses the card.
static PATTERNS: [[SquareSet; 2]; 16] = {
    let mut patterns = [[SquareSet::EMPTY; 2]; 16];
    let mut at = 0;
    while at < patterns.len() {
        let offsets = Card::ALL[at].offsets();
        let (mut mine, mut turned) = (0, 0);
        let mut n = 0;
        while n < offsets.len() {
            let distance = offsets[n].1 as isize * 5 + offsets[n].0 as isize;
            mine |= 1 << MIDDLE.wrapping_add_signed(distance);
            turned |= 1 << MIDDLE.wrapping_add_signed(-distance);
            n += 1;
        }
        patterns[at] = [SquareSet::from_word(mine), SquareSet::from_word(turned)];
        at += 1;
    }
    patterns
};

#[cfg(test)]
mod tests {
    use super::*;
    use onitama::Square;

    /// Compares the table with the rules. From the middle square no step leaves the board.
    #[test]
    fn patterns_are_those_of_the_rules() {
        let middle = Square::from_index(MIDDLE as u8).expect("a square");
        for card in Card::ALL {
            for side in Side::ALL {
                assert_eq!(PATTERNS[card as usize][side as usize], card.reach(side, middle), "{card}");
            }
        }
    }
}
