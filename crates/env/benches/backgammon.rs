//! How fast games are played and observed. Divide a second by the median of `games` for games a second: an item is an
//! action, and a random game has about 111.

use backgammon::Backgammon;
use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_env::backgammon::{Action, Actions, Batch, Buffers, Extras, Form, Observation, State, Tier};
use game::Rng;

fn main() {
    divan::main();
}

/// Games of a sample.
const GAMES: u64 = 100;

/// Plays random games, the legal actions listed at every step and something done with the state; gives their actions.
fn random_games(seed: u64, mut observe: impl FnMut(&State)) -> u64 {
    let (game, mut rng, mut actions) = (Backgammon::default(), Rng::new(seed), Actions::new());
    let mut count = 0;
    for _ in 0..GAMES {
        let mut state = State::reset(&game, None, &mut rng);
        while !state.is_terminal() {
            observe(&state);
            state.legal_actions(&mut actions);
            let chosen = actions[rng.below(actions.len() as u64) as usize];
            state.step(chosen, &mut rng).expect("one of the legal");
            count += 1;
        }
        black_box(state.reward());
    }
    count
}

/// A hundred games.
#[divan::bench]
fn games(bencher: Bencher) {
    bencher.counter(ItemsCount::new(random_games(1, |_| ()))).bench(|| random_games(black_box(1), |_| ()));
}

/// A hundred games, observed before every action.
#[divan::bench(args = [
    Observation::FULL,
    Observation { tier: Tier::Minimal, form: Form::Spatial },
    Observation { tier: Tier::Biased, form: Form::Spatial },
    Observation { tier: Tier::Full, form: Form::Flat },
    Observation { tier: Tier::Full, form: Form::Hybrid },
])]
fn observed_games(bencher: Bencher, kind: Observation) {
    let mut out = vec![0.0; kind.len()];
    let actions = random_games(1, |_| ());
    bencher.counter(ItemsCount::new(actions)).bench_local(|| {
        random_games(black_box(1), |state| {
            kind.write(state, &mut out).expect("as long as it says");
            black_box(&mut out);
        })
    });
}

/// A step of so many games, on all cores, the first legal action in each; items are actions.
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
            *action = mask.iter().position(|&legal| legal == 1).expect("somebody is to act") as i32 + 1;
        }
    });
}
