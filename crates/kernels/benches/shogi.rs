//! How long classes of shogi endgames take: solving alone, and with perpetual check and the table.
//!
//! `cargo bench -p endspiel-kernels --bench shogi -- GP GG` measures these classes with one thread, so that wall time is
//! CPU time. Without names it measures GG, and with `cargo test` it does nothing. If `ENDSPIEL_TABLES` is a folder with the
//! tables of the classes, it measures probes instead of solving.

use endspiel_kernels::shogi::ShogiKernel;
use game::{Endgame, Index, Metric, Rng};
use shogi::{Class, Shogi};
use solve::{Job, Progress, Run, Unmoves, Watch};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use table::{Library, Prober};

/// Notes when the last round was done.
struct Clock(Mutex<Instant>);

impl Watch for Clock {
    fn progress(&self, _: Progress) {
        *self.0.lock().expect("one thread") = Instant::now();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") || !arguments.contains(&"--bench".to_owned()) {
        return;
    }
    let mut classes: Vec<Class> = arguments.iter().filter_map(|name| Class::parse(name)).collect();
    if classes.is_empty() {
        classes.extend(Class::parse("GG"));
    }
    if let Some(folder) = std::env::var_os("ENDSPIEL_TABLES") {
        return classes.into_iter().for_each(|class| measure_probes(class, folder.as_ref()));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!("class          indices   solving, s   with table, s   million indices/s");
    for class in classes {
        let folder = tempfile::tempdir().expect("a folder");
        let (started, interrupt) = (Instant::now(), AtomicBool::new(false));
        let clock = Clock(Mutex::new(started));
        let game = Shogi::default();
        let job = Job {
            kernel: Some(&ShogiKernel),
            game: &game,
            library: &Library::new(folder.path(), 0),
            metric: Metric::Dtm,
            memory: 20 << 30,
            checkpoint_every: Duration::MAX,
            packs: false,
            run: Run { unmoves: Unmoves::FromGame, watch: &clock, interrupt: &interrupt },
        };
        pool.install(|| job.solve(&job.plan(&[class]).expect("a plan")).expect("it fits"));
        let whole = started.elapsed().as_secs_f64();
        let solving = clock.0.into_inner().expect("one thread").duration_since(started).as_secs_f64();
        let indices = game.size(class) as f64;
        println!("{class:<6} {indices:>15} {solving:>12.2} {whole:>15.2} {:>19.1}", indices / solving / 1e6);
    }
}

/// Measures the time to open a table, a probe whose block is in the cache, and one whose block has to be read.
fn measure_probes(class: Class, folder: &Path) {
    const ROUNDS: u32 = 2000;
    let game = Shogi::default();
    let mut rng = Rng::new(1);
    let mut random = || loop {
        if let Some(position) = game.unrank(class, Index(rng.below(game.size(class)))) {
            return position;
        }
    };
    let positions: Vec<_> = (0..ROUNDS).map(|_| random()).collect();
    let prober = |cache| Prober::new(game, Arc::new(Library::new(folder, cache)));
    let time = |work: &mut dyn FnMut(usize)| {
        let started = Instant::now();
        (0..ROUNDS as usize).for_each(&mut *work);
        started.elapsed() / ROUNDS
    };
    let opening = time(&mut |_| {
        black_box(prober(0).table(class).expect("a good table").expect("a table").entries());
    });
    let uncached = prober(0);
    let reading = time(&mut |i| {
        black_box(uncached.value(&positions[i]).expect("a value"));
    });
    let cached = prober(1 << 30);
    let few = &positions[..100];
    few.iter().for_each(|position| drop(cached.value(position)));
    let probing = time(&mut |i| {
        black_box(cached.value(&few[i % few.len()]).expect("a value"));
    });
    println!("{class:<6} opening {opening:?}, cached {probing:?}, block not in the cache {reading:?}");
}
