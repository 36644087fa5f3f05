//! Random play.

use crate::{Position, Rng};
use std::ops::ControlFlow;

/// A legal move, each as likely; nothing in a finished position.
pub fn random_move<P: Position>(position: &P, rng: &mut Rng) -> Option<P::Move> {
    let count = position.count_moves();
    if count == 0 {
        return None;
    }
    let mut to_skip = rng.below(count);
    let chosen = position.visit_moves(|m| {
        if to_skip == 0 {
            return ControlFlow::Break(m);
        }
        to_skip -= 1;
        ControlFlow::Continue(())
    });
    chosen.break_value()
}

/// Plays random moves until the end, or for so many plies. Gives the last position and the number of plies.
pub fn playout<P: Position>(start: &P, most_plies: u32, rng: &mut Rng) -> (P, u32) {
    let mut position = start.clone();
    for plies in 0..most_plies {
        match random_move(&position, rng) {
            Some(m) => position = position.play_unchecked(m),
            None => return (position, plies),
        }
    }
    (position, most_plies)
}

/// An unfinished position from random play: a game is played to its end (or cut off after `LONGEST` plies),
/// and one of its positions before the end is picked.
pub fn sample<P: Position>(start: &P, rng: &mut Rng) -> P {
    const LONGEST: u32 = 200;
    let replay = rng.clone();
    let (_, length) = playout(start, LONGEST, rng);
    let plies = rng.below(u64::from(length.max(1)));
    playout(start, plies as u32, &mut replay.clone()).0
}
