//! Runs benchmarks of `endspiel bench backgammon` with bkgm, by name: `endspiel-peer-bkgm random-games`. bkgm represents a
//! move by the position after it. The program uses the same allocator as bkgm's own programs.

use bkgm::dice::ALL_21;
use bkgm::dice_gen::{DiceGen, FastrandDice};
use bkgm::{BACKGAMMON, ClassicRules, GameState, Position, PositionRules, State};
use mimalloc::MiMalloc;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

/// Runs the benchmark with the given name. Prints nothing if there is no such benchmark.
fn main() {
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        // Thousand games per second.
        "random-games" => println!("{:.2}", best_rate(|| random_games(20_000)) / 1e3),
        // Million sequences per second. The last positions are listed and counted.
        "perft-start" => println!("{:.1}", best_rate(|| perft_start(3, 116_154_993)) / 1e6),
        _ => {}
    }
}

/// Returns the count of the work per second: the best of five runs, as in our benchmarks. bkgm's runs are longer than
/// ours and would be disturbed more often, so only the time on the processor counts.
fn best_rate(work: impl Fn() -> u64) -> f64 {
    let begun = Instant::now();
    let now = || time_on_processor().unwrap_or_else(|| begun.elapsed());
    let run = || {
        let started = now();
        work() as f64 / (now() - started).as_secs_f64()
    };
    (0..5).map(|_| run()).fold(0.0, f64::max)
}

/// The time that this thread has spent on the processor; `None` if the system does not tell it.
fn time_on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Plays this many random games. Every listed turn is equally likely. The first roll may be a double.
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
