//! How long chess endgames take: solving alone, and with the tables.
//!
//! `cargo bench -p endspiel-kernels --bench chess -- KQRvKQ` measures this material with one thread, and with it all that it
//! needs. `4` stands for all materials of four men. Without names it measures KQvKR, and with `cargo test` it does nothing. If
//! `ENDSPIEL_TABLES` is a folder, tables that are there are used, and new ones are kept there. Times are CPU time where the
//! system tells it.

use chess::{Chess, Material};
use endspiel_kernels::chess::ChessKernel;
use game::{Catalogue as _, Endgame as _, Metric};
use solve::{Job, Progress, Run, Unmoves, Watch};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use table::Library;

/// The time that this thread has used, in seconds.
fn now(started: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or(started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds as f64 / 1e9)
}

/// Notes when the last table was written, and when the last round was done.
struct Clock {
    started: Instant,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    written: f64,
    rounds_done: f64,
    solving: f64,
    whole: f64,
}

impl Watch for Clock {
    fn progress(&self, _: Progress) {
        self.times.lock().expect("one thread").rounds_done = now(self.started);
    }

    fn written(&self, slice: &str, bytes: u64) {
        let mut times = self.times.lock().expect("one thread");
        let now = now(self.started);
        let (solving, whole) = ((times.rounds_done - times.written).max(0.0), now - times.written);
        println!("{slice:<8} {solving:>12.2} {whole:>15.2} {bytes:>12}");
        times.solving += solving;
        times.whole += whole;
        times.written = now;
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") || !arguments.contains(&"--bench".to_owned()) {
        return;
    }
    let game = Chess::STANDARD;
    let metric = Metric::ALL.into_iter().find(|metric| arguments.iter().any(|name| name == metric.name()));
    let named = |name: &String| Material::parse(name).map(|material| vec![material]).or(game.select(name));
    let mut materials: Vec<Material> = arguments.iter().filter_map(named).flatten().collect();
    if materials.is_empty() {
        materials.extend(game.slice("KQvKR"));
    }
    let (temporary, interrupt) = (tempfile::tempdir().expect("a folder"), AtomicBool::new(false));
    let folder = std::env::var_os("ENDSPIEL_TABLES").map_or(temporary.path().to_owned(), Into::into);
    let started = Instant::now();
    let clock = Clock { started, times: Mutex::default() };
    let job = Job {
        kernel: Some(&ChessKernel),
        game: &game,
        library: &Library::new(&folder, 0),
        metric: metric.unwrap_or(Metric::Dtm),
        memory: 20 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &clock, interrupt: &interrupt },
    };
    println!("material   solving, s   with table, s        bytes");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let solve = || {
        let plan = job.plan(&materials).expect("a plan");
        clock.times.lock().expect("one thread").written = now(started);
        job.solve(&plan).expect("it fits");
    };
    pool.install(solve);
    let times = clock.times.into_inner().expect("one thread");
    println!("all      {:>12.2} {:>15.2}", times.solving, times.whole);
}
