//! The benchmarks of backgammon: random games with every legal turn listed, and perft from the start.

use crate::board::Board;
use crate::moves::Turn;
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use crate::terms::Terms;
use game::{Game, Position as _, Rng, Side};
use speed::{Benchmark, Unit, millions_per_second, thousands_per_second};
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::ControlFlow;

/// The benchmarks of backgammon, in addition to those of every game.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "random-games",
        what: "random games, legal turns listed",
        unit: Unit::ThousandsPerSecond,
        measure: || thousands_per_second(|| random_games(20_000)),
    },
    Benchmark {
        name: "perft-start",
        what: "perft 3 from the start",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| Backgammon::default().start().count_sequences(3)),
    },
    Benchmark {
        name: "plain-start",
        what: "perft 2, start, leaves played",
        unit: Unit::MillionsPerSecond,
        measure: || millions_per_second(|| Backgammon::default().start().play_sequences(2)),
    },
];

/// The length of the list of turns. It is more than any position has, and a power of two, so that an index modulo it
/// needs no bounds check.
const LISTED: usize = 1 << 12;

/// Plays this number of random games. Lists all legal turns each time and plays one of them, all equally likely.
fn random_games(games: u64) -> u64 {
    let mut rng = Rng::new(1);
    let mut turns = [Turn::DANCE; LISTED];
    for _ in 0..games {
        let mut position = Position::start(Board::START, Side::First, Phase::Roll, Terms::default());
        while position.awaits_roll() {
            let rolled = position.rolled_by(&mut rng);
            let mut count = 0;
            if let Some(roll) = rolled.roll() {
                let ControlFlow::Continue(()) = rolled.field().visit_turns(roll, |turn| {
                    turns[count % LISTED] = turn;
                    count += 1;
                    ControlFlow::<Infallible>::Continue(())
                });
            }
            let chosen = turns[rng.below(count as u64) as usize % LISTED];
            position = rolled.play_unchecked(crate::Move::Turn(chosen));
        }
        black_box(position);
    }
    games
}
