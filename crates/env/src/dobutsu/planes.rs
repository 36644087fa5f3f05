//! What is observed of Dobutsu shogi: 17 planes of 4 × 3, in C-order.
//!
//! | plane | what |
//! |---|---|
//! | 0–4 | my giraffes, elephants, chicks, hens and lion |
//! | 5–9 | the other's |
//! | 10–12 | giraffes, elephants and chicks in my hand, of 2, the same on every square |
//! | 13–15 | in the other's hand |
//! | 16 | 1 on every square if the position has stood before: a third time is a draw |
//!
//! Entry `[plane, rank, file]` is at `12 plane + 3 rank + file`, as the mover sees the board: rank 0 is his own, file 0 at his
//! left. Planes of pieces are 1 where one stands.

use crate::observation::ObservationKind;
use dobutsu::{Kind, Position};
use game::Side;
use std::fmt;

/// The one kind of observation: `planes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation;

/// The squares of a plane.
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

/// Writes a position in which the first side is to move, or would be.
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
