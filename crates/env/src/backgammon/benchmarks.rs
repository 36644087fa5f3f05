//! The benchmarks of the environment: random games with numbered actions, without and with observations.

use super::{Actions, Observation, State};
use backgammon::Backgammon;
use game::Rng;
use speed::{Benchmark, Unit, thousands_per_second};
use std::hint::black_box;

/// The benchmarks that `endspiel bench` runs in addition to those of the rules.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "random-actions",
        what: "random games, actions listed",
        unit: Unit::ThousandsPerSecond,
        measure: || thousands_per_second(|| random_games(10_000, |_| ())),
    },
    Benchmark {
        name: "observed-games",
        what: "random games, full observations",
        unit: Unit::ThousandsPerSecond,
        measure: || {
            let mut buffer = vec![0.0; Observation::FULL.len()];
            thousands_per_second(|| {
                random_games(5_000, |state| {
                    Observation::FULL
                        .write(state, &mut buffer)
                        .expect("the buffer is as long as it asks for");
                    black_box(&buffer);
                })
            })
        },
    },
];

/// Plays this number of random games and returns it. Every listed action has the same probability. Calls `look` with every
/// state in which a player chooses.
pub fn random_games(games: u64, mut look: impl FnMut(&State)) -> u64 {
    let mut rng = Rng::new(1);
    let mut actions = Actions::new();
    for _ in 0..games {
        let mut state = State::reset(&Backgammon::default(), None, &mut rng);
        while !state.is_terminal() {
            look(&state);
            state.legal_actions(&mut actions);
            let chosen = actions[rng.below(actions.len() as u64) as usize];
            state.step(chosen, &mut rng).expect("a listed action is legal");
        }
        black_box(state);
    }
    games
}
