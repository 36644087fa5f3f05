//! What is observed of Onitama: nine planes of 5 × 5, in C-order.
//!
//! | plane | what |
//! |---|---|
//! | 0, 1 | my students; my master |
//! | 2, 3 | the other's students; his master |
//! | 4, 5 | my two cards, by name |
//! | 6, 7 | the other's two cards, by name |
//! | 8 | the card beside the board |
//!
//! Entry `[plane, rank, file]` is at `25 plane + 5 rank + file`, as the mover sees the board: rank 0 is his own, file 0 at his
//! left. Planes of men are 1 where one stands. The plane of a card is 1 where a man in the middle, on rank 2 and file 2, could go by
//! it: my cards and the one beside the board as I would use them, the other's as he does, turned.

use crate::observation::ObservationKind;
use game::Side;
use onitama::{Card, Position, SquareSet};
use std::fmt;

/// The one kind of observation: `planes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation;

/// The squares of a plane.
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

/// Writes a position in which the first side is to move, or would be.
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

/// Where a man in the middle goes by each card, as each side uses it.
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

    /// The table against the rules, from the middle square, where no step leaves the board.
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
