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

/// What chance brings to a position that awaits it, each outcome as likely as it weighs; nothing to another.
pub fn random_chance<P: Position>(position: &P, rng: &mut Rng) -> Option<P::Chance> {
    if !position.awaits_chance() {
        return None;
    }
    let mut total = 0u64;
    let _ = position.visit_chances(|_, weight| {
        total += u64::from(weight);
        ControlFlow::<()>::Continue(())
    });
    let mut to_skip = rng.below(total);
    let chosen = position.visit_chances(|outcome, weight| match to_skip.checked_sub(weight.into()) {
        None => ControlFlow::Break(outcome),
        Some(left) => {
            to_skip = left;
            ControlFlow::Continue(())
        }
    });
    chosen.break_value()
}

/// The position when chance has decided what is for it to decide.
fn settled<P: Position>(position: P, rng: &mut Rng) -> P {
    match random_chance(&position, rng) {
        Some(outcome) => position.play_chance_unchecked(outcome),
        None => position,
    }
}

/// Plays random moves until the end, or for so many plies. Gives the last position, in which chance has decided what was
/// for it to decide, and the number of plies.
pub fn playout<P: Position>(start: &P, most_plies: u32, rng: &mut Rng) -> (P, u32) {
    let mut position = settled(start.clone(), rng);
    for plies in 0..most_plies {
        match random_move(&position, rng) {
            Some(m) => position = settled(position.play_unchecked(m), rng),
            None => return (position, plies),
        }
    }
    (position, most_plies)
}

/// An unfinished position from random play: a game is played to its end (or cut off after `LONGEST` plies),
/// and one of its positions before the end is picked, each as likely.
pub fn sample<P: Position>(start: &P, rng: &mut Rng) -> P {
    const LONGEST: u64 = 200;
    let mut position = settled(start.clone(), rng);
    let mut picked = position.clone();
    for seen in 1..=LONGEST {
        let Some(m) = random_move(&position, rng) else { break };
        // The n-th replaces the one picked so far with a chance of 1 in n: in the end all had the same.
        if rng.below(seen) == 0 {
            picked = position.clone();
        }
        position = settled(position.play_unchecked(m), rng);
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoChance, Outcome, Side};

    /// So many moves are left, and there is always just one.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Countdown(u8);

    impl Position for Countdown {
        type Move = ();
        type Chance = NoChance;

        fn turn(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.0 == 0).then(|| Outcome::draw("zero"))
        }

        fn visit_moves<B>(&self, mut visit: impl FnMut(()) -> ControlFlow<B>) -> ControlFlow<B> {
            if self.0 > 0 { visit(()) } else { ControlFlow::Continue(()) }
        }

        fn play_unchecked(&self, (): ()) -> Self {
            Self(self.0 - 1)
        }
    }

    #[test]
    fn every_unfinished_position_is_as_likely() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 11];
        (0..10_000).for_each(|_| seen[usize::from(sample(&Countdown(10), &mut rng).0)] += 1);
        assert_eq!(seen[0], 0, "a finished position");
        assert!(seen[1..].iter().all(|count| (900..1_100).contains(count)), "{seen:?}");
    }
}
