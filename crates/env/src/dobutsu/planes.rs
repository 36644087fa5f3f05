//! The observation of Dobutsu shogi: 17 planes of 4 × 3, in C-order.
//!
//! | plane | what |
//! |---|---|
//! | 0–4 | my giraffes, elephants, chicks, hens and lion |
//! | 5–9 | the opponent's giraffes, elephants, chicks, hens and lion |
//! | 10–12 | the number of giraffes, elephants and chicks in my hand, divided by 2, the same on every square |
//! | 13–15 | the number of giraffes, elephants and chicks in the opponent's hand, likewise |
//! | 16 | 1 on every square if the position has occurred before; the third time is a draw |
//!
//! "My" means: of the side to move. Entry `[plane, rank, file]` is at `12 plane + 3 rank + file`. The board is seen by
//! the side to move: rank 0 is its own first rank, file 0 is at its left. A plane of pieces is 1 where one stands.

use crate::observation::ObservationKind;
use dobutsu::{Kind, Position};
use game::Side;
use std::fmt;

/// The only kind of observation: `planes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation;

/// The number of squares of a plane.
const SQUARES: usize = 12;
const PLANES: usize = 17;

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
        vec![vec![PLANES, 4, 3]]
    }

    #[inline]
    fn length(self) -> usize {
        PLANES * SQUARES
    }
}

/// Writes the planes of a position in which the first side is to move, or would be if the game were not over.
#[inline]
pub(super) fn write(position: &Position, occurrences: u32, out: &mut [f32]) {
    let (planes, _) = out.as_chunks_mut::<SQUARES>();
    let mut planes = planes.iter_mut();
    for side in Side::ALL {
        for (kind, plane) in Kind::ALL.into_iter().zip(&mut planes) {
            let set = position.of_kind(kind) & position.of_side(side);
            for (square, entry) in plane.iter_mut().enumerate() {
                *entry = (set.word() >> square & 1).into();
            }
        }
    }
    let hand = |side: Side| Kind::IN_HAND.map(|kind| f32::from(position.hand(side).count(kind)) / 2.0);
    let stood_before = if occurrences > 1 { 1.0 } else { 0.0 };
    let single = Side::ALL.into_iter().flat_map(hand).chain([stood_before]);
    planes.zip(single).for_each(|(plane, value)| *plane = [value; SQUARES]);
}
