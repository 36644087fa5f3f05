//! How long classes of shogi endgames take: solving alone, and with perpetual check and the table.
//!
//! `cargo bench -p endspiel-kernels --bench shogi -- GP GG` measures these classes with one thread, so that wall time is
//! CPU time. Without names it measures GG, and with `cargo test` it does nothing.

use endspiel_kernels::shogi::ShogiKernel;
use game::{Endgame, Metric};
use shogi::{Class, Shogi};
use solve::{Job, Progress, Run, Unmoves, Watch};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use table::Library;

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
            run: Run { unmoves: Unmoves::FromGame, watch: &clock, interrupt: &interrupt },
        };
        pool.install(|| job.solve(&job.plan(&[class]).expect("a plan")).expect("it fits"));
        let whole = started.elapsed().as_secs_f64();
        let solving = clock.0.into_inner().expect("one thread").duration_since(started).as_secs_f64();
        let indices = game.size(class) as f64;
        println!("{class:<6} {indices:>15} {solving:>12.2} {whole:>15.2} {:>19.1}", indices / solving / 1e6);
    }
}
