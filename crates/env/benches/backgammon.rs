//! The speed of playing and observing games. An item is a game; in `batch_step` it is an action.

use backgammon::Backgammon;
use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_env::backgammon::{Action, Encoding, Observation, Tier, random_games};
use endspiel_env::{Agent, AgentError, Batch, Buffers, Extras, Random, Series};

fn main() {
    divan::main();
}

/// The number of games of a sample.
const GAMES: u64 = 100;

/// Plays a hundred random games.
#[divan::bench]
fn games(bencher: Bencher) {
    bencher.counter(ItemsCount::new(GAMES)).bench(|| random_games(black_box(GAMES), |_| ()));
}

/// Plays a hundred random games, with an observation before every action.
#[divan::bench(args = [
    Observation::FULL,
    Observation { tier: Tier::Minimal, encoding: Encoding::Spatial },
    Observation { tier: Tier::Biased, encoding: Encoding::Spatial },
    Observation { tier: Tier::Full, encoding: Encoding::Flat },
    Observation { tier: Tier::Full, encoding: Encoding::Hybrid },
])]
fn observed_games(bencher: Bencher, kind: Observation) {
    let mut out = vec![0.0; kind.len()];
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        random_games(black_box(GAMES), |state| {
            kind.write(state, &mut out).expect("as long as it says");
            black_box(&mut out);
        })
    });
}

/// Steps a batch of `count` games on all cores, with the first legal action in each game. Items are actions.
#[divan::bench(args = [64, 1024, 8192])]
fn batch_step(bencher: Bencher, count: usize) {
    let kind = Observation::FULL;
    let mut batch = Batch::new(Backgammon::default(), count, 1, kind);
    let mut buffers = Buffers {
        observations: &mut vec![0.0; count * kind.len()],
        masks: &mut vec![0; count * Action::COUNT],
        rewards: &mut vec![0.0; count * 2],
        terminated: &mut vec![0; count],
        players: &mut vec![0; count],
        extras: Extras::default(),
    };
    let mut actions = vec![0i32; count];
    let mut is_new = true;
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        match std::mem::take(&mut is_new) {
            true => batch.observe(&mut buffers),
            false => batch.step(&actions, &mut buffers),
        }
        .expect("legal actions");
        for (action, mask) in actions.iter_mut().zip(buffers.masks.chunks_exact(Action::COUNT)) {
            *action = mask.iter().position(|&legal| legal == 1).expect("somebody is to act") as i32;
        }
    });
}

/// Plays a series of a hundred games between random agents, one game at a time.
#[divan::bench]
fn series(bencher: Bencher) {
    let series = Series::new(Backgammon::default(), GAMES, 1);
    let random: fn() -> Result<Box<dyn Agent<_>>, AgentError> = || Ok(Box::new(Random));
    bencher.counter(ItemsCount::new(GAMES)).bench(|| series.play([&random, &random], 1, |_| true));
}
