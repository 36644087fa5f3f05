//! Random play.

use crate::{Position, Rng};
use std::ops::ControlFlow;

/// Chooses a legal move, each with equal probability. Returns `None` if there are no moves.
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

/// Chooses an outcome of chance with a probability in proportion to its weight. Returns `None` if the position does not
/// await chance.
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

/// Returns the position after a random outcome of chance, or the position itself if it does not await chance.
fn settled<P: Position>(position: P, rng: &mut Rng) -> P {
    match random_chance(&position, rng) {
        Some(outcome) => position.play_chance_unchecked(outcome),
        None => position,
    }
}

/// Plays random moves until the end of the game, but at most `most_plies` plies. Returns the last position and the
/// number of plies. The last position never awaits chance.
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

/// Returns an unfinished position from random play. It plays a game to its end (or stops after `LONGEST` plies) and
/// picks one of the positions before the end, each with equal probability.
pub fn sample<P: Position>(start: &P, rng: &mut Rng) -> P {
    const LONGEST: u64 = 200;
    let mut position = settled(start.clone(), rng);
    let mut picked = position.clone();
    for seen in 1..=LONGEST {
        let Some(m) = random_move(&position, rng) else { break };
        // The n-th position replaces the picked one with probability 1/n. So in the end all have the same probability.
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

    /// A game with a given number of moves left, and always exactly one legal move.
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
