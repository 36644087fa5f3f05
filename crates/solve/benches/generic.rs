//! How long the generic solver takes: CPU time for the first look, for all that follows it, and for the tables.
//!
//! `cargo bench -p endspiel-solve --bench generic -- cotulenh CNvCN` measures these slices with one thread, and with them all that
//! they need. `dobutsu` has one slice. Without names it measures CNvC of CoTuLenh, and with `cargo test` it does nothing. With
//! `inverted` it takes no unmoves from the game. If `ENDSPIEL_TABLES` is a folder, tables that are there are used, and new ones are
//! kept there. A run that was killed goes on there.

use cotulenh::CoTuLenh;
use dobutsu::Dobutsu;
use endspiel_solve::{Job, Progress, Run, Unmoves, Watch};
use game::{Endgame, Game, Metric};
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

/// Notes when the parts of a group were done.
struct Clock {
    started: Instant,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    begun: f64,
    looked: f64,
    done: f64,
}

impl Watch for Clock {
    fn group(&self, _: &str, _: u64, _: bool) {
        self.times.lock().expect("one thread").begun = now(self.started);
    }

    fn progress(&self, progress: Progress) {
        let mut times = self.times.lock().expect("one thread");
        times.done = now(self.started);
        if progress.round.is_none() {
            times.looked = times.done;
        }
    }

    fn written(&self, slice: &str, bytes: u64) {
        let mut times = self.times.lock().expect("one thread");
        let now = now(self.started);
        let (look, rounds, writing) =
            (times.looked - times.begun, times.done - times.looked, now - times.done);
        println!("{slice:<8} {look:>9.2} {rounds:>9.2} {writing:>9.2} {now:>9.2} {bytes:>12}");
        (times.begun, times.looked, times.done) = (now, now, now);
    }
}

fn measure<G: Endgame>(game: &G, slices: &[G::Slice], unmoves: Unmoves) {
    let (temporary, interrupt) = (tempfile::tempdir().expect("a folder"), AtomicBool::new(false));
    let folder = std::env::var_os("ENDSPIEL_TABLES").map_or(temporary.path().to_owned(), Into::into);
    let clock = Clock { started: Instant::now(), times: Mutex::default() };
    let job = Job {
        kernel: None,
        game,
        library: &Library::new(&folder, 0),
        metric: Metric::Dtm,
        memory: 20 << 30,
        checkpoint_every: Duration::from_secs(600),
        packs: false,
        run: Run { unmoves, watch: &clock, interrupt: &interrupt },
    };
    println!("slice      look, s rounds, s writing, s   all, s        bytes");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| job.solve(&job.plan(slices).expect("a plan"))).expect("it fits");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") || !arguments.contains(&"--bench".to_owned()) {
        return;
    }
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let unmoves = if has("inverted") { Unmoves::Inverted } else { Unmoves::FromGame };
    if has(Dobutsu::INFO.name) {
        return measure(&Dobutsu, &Dobutsu.groups().concat(), unmoves);
    }
    let game = CoTuLenh::default();
    let mut slices: Vec<_> = arguments.iter().filter_map(|name| game.slice(name)).collect();
    if slices.is_empty() {
        slices.extend(game.slice("CNvC"));
    }
    measure(&game, &slices, unmoves);
}
