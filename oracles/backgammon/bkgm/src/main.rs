//! The benchmarks of `endspiel bench backgammon` with bkgm, by their names: `endspiel-peer-bkgm random-games`. Its moves are
//! the positions they lead to. With the allocator that bkgm's own programs use.

use bkgm::dice::ALL_21;
use bkgm::dice_gen::{DiceGen, FastrandDice};
use bkgm::{BACKGAMMON, ClassicRules, GameState, Position, PositionRules, State};
use mimalloc::MiMalloc;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

/// The benchmark with the name that is asked for; silent about those that it does not have.
fn main() {
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        // Thousand games a second.
        "random-games" => println!("{:.2}", best_rate(|| random_games(20_000)) / 1e3),
        // Million sequences a second: the last positions are listed and counted.
        "perft-start" => println!("{:.1}", best_rate(|| perft_start(3, 116_154_993)) / 1e6),
        _ => {}
    }
}

/// What the work counts, per second: the best of as many runs as ours has. Its runs are longer than ours and would be
/// disturbed more often, so only the time on the processor counts.
fn best_rate(work: impl Fn() -> u64) -> f64 {
    let begun = Instant::now();
    let now = || time_on_processor().unwrap_or_else(|| begun.elapsed());
    let run = || {
        let started = now();
        work() as f64 / (now() - started).as_secs_f64()
    };
    (0..5).map(|_| run()).fold(0.0, f64::max)
}

/// How long this thread has been running, where the system tells.
fn time_on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Plays so many games, every turn one of the listed, each as likely; the first roll may be a double.
fn random_games(games: u64) -> u64 {
    let (mut dice, mut chooser) = (FastrandDice::with_seed(1), fastrand::Rng::with_seed(2));
    for _ in 0..games {
        let mut position = BACKGAMMON;
        while position.game_state() == GameState::Ongoing {
            let listed = ClassicRules::legal_positions(position, &dice.roll());
            position = listed[chooser.usize(..listed.len())];
        }
        black_box(position);
    }
    games
}

fn perft_start(depth: u32, expected: u64) -> u64 {
    let nodes = perft(black_box(BACKGAMMON), depth);
    assert_eq!(nodes, expected);
    nodes
}

fn perft(position: Position<15>, depth: u32) -> u64 {
    let mut nodes = 0;
    for (dice, _) in ALL_21 {
        let listed = ClassicRules::legal_positions(position, &dice);
        nodes += match depth {
            1 => listed.len() as u64,
            _ => listed.into_iter().map(|next| perft(next, depth - 1)).sum(),
        };
    }
    nodes
}
