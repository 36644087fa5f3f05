//! The progress of a solver: a bar on a terminal, or lines in a log.

use crate::failure::tell;
use crate::words;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use registry::{PlannedStep, Watch};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// In a log, the progress is told so often. Short runs say nothing.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Shows the progress of a solver, and collects the tables that it writes.
pub struct SolveProgress {
    shown: Mutex<Shown>,
    clock: Arc<Clock>,
}

struct Shown {
    /// The seconds that each group is expected to take, by its name.
    expected: Vec<(String, f64)>,
    bar: Option<ProgressBar>,
    /// The name of the current group, and what is done with it.
    group: String,
    deed: String,
    /// The part of the current group that is done, from 0 to 1.
    part: f64,
    /// The expected seconds of the groups that are done.
    done: f64,
    /// When the last line was written to a log.
    told: Instant,
    written: Vec<(String, u64)>,
}

/// How much of the whole job is done, so that every thread can tell the time left.
struct Clock {
    started: Instant,
    /// In millionths.
    done: AtomicU64,
}

impl Clock {
    /// The time left if the rest goes on as before. `None` at the beginning.
    fn left(&self) -> Option<Duration> {
        let done = self.done.load(Relaxed) as f64 / 1e6;
        (done > 0.01).then(|| self.started.elapsed().mul_f64((1.0 - done).max(0.0) / done))
    }
}

impl Default for SolveProgress {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            shown: Mutex::new(Shown {
                expected: Vec::new(),
                bar: None,
                group: String::new(),
                deed: String::new(),
                part: 0.0,
                done: 0.0,
                told: now,
                written: Vec::new(),
            }),
            clock: Arc::new(Clock { started: now, done: AtomicU64::new(0) }),
        }
    }
}

impl SolveProgress {
    /// Says what will be solved: the groups, and how long each is expected to take. The time left is that of all of them.
    pub fn expect(&self, steps: &[PlannedStep], seconds: impl Fn(&PlannedStep) -> f64) {
        self.with(|shown| {
            shown.expected = steps.iter().map(|step| (step.name.clone(), seconds(step).max(1e-3))).collect();
        });
    }

    /// Removes the bar, and returns the tables that were written and their sizes in bytes.
    pub fn finish(self) -> Vec<(String, u64)> {
        let shown = self.shown.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = shown.bar {
            bar.finish_and_clear();
        }
        shown.written
    }

    fn with(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Shows that `done` of `all` are done of a part of the group, which begins and ends at these parts of the whole group.
    fn show(&self, [begin, end]: [f64; 2], done: u64, all: u64, deed: String) {
        self.with(|shown| {
            let part = begin + (end - begin) * done as f64 / all.max(1) as f64;
            shown.part = shown.part.max(part.clamp(0.0, 1.0));
            shown.deed = deed;
            let total: f64 = shown.expected.iter().map(|(_, seconds)| seconds).sum();
            let done_of_all = (shown.done + shown.part * shown.seconds_of_group()) / total.max(1e-3);
            self.clock.done.store((done_of_all.min(1.0) * 1e6) as u64, Relaxed);
            if let Some(bar) = &shown.bar {
                bar.set_length(all);
                bar.set_position(done);
                bar.set_message(shown.deed.clone());
            }
            shown.tell_a_log(&self.clock);
        });
    }
}

impl Shown {
    fn seconds_of_group(&self) -> f64 {
        self.expected.iter().find(|(name, _)| *name == self.group).map_or(0.0, |(_, seconds)| *seconds)
    }

    /// Writes a line if there is no terminal, and if the last line was long ago.
    fn tell_a_log(&mut self, clock: &Clock) {
        if self.bar.is_some() || self.told.elapsed() < BETWEEN_LINES {
            return;
        }
        self.told = Instant::now();
        let left = clock.left().map(|left| format!(", about {} left", words::duration(left)));
        let percent = 100.0 * clock.done.load(Relaxed) as f64 / 1e6;
        tell(&format!("{}: {}, {percent:.0} % of all{}", self.group, self.deed, left.unwrap_or_default()));
    }
}

/// The parts of a group that its phases take, roughly: a first look, rounds or sweeps, and writing.
const LOOK: [f64; 2] = [0.0, 0.3];
const ROUNDS: [f64; 2] = [0.3, 0.9];
const WRITING: [f64; 2] = [0.9, 1.0];

impl Watch for SolveProgress {
    fn group(&self, slices: &str, indices: u64, resumed: bool) {
        let clock = Arc::clone(&self.clock);
        let left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = match clock.left() {
                Some(left) => write!(out, ", about {} left", words::duration(left)),
                None => Ok(()),
            };
        };
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{}", words::rounded(state.per_sec()));
        };
        let message = if resumed { "resumed" } else { "first look" };
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{prefix} {wide_bar} {percent} %, {msg}, {rate}/s{left}";
            let style = ProgressStyle::with_template(template).expect("the template is fixed and tested");
            ProgressBar::with_draw_target(Some(indices), ProgressDrawTarget::stderr())
                .with_style(style.with_key("left", left).with_key("rate", rate))
                .with_prefix(slices.to_owned())
                .with_message(message)
        });
        self.with(|shown| {
            shown.done += shown.seconds_of_group();
            shown.group = slices.to_owned();
            (shown.deed, shown.part) = (message.to_owned(), 0.0);
            if let Some(before) = std::mem::replace(&mut shown.bar, bar) {
                before.finish_and_clear();
            }
        });
    }

    fn progress(&self, progress: registry::Progress) {
        let deed =
            progress.round.map_or_else(|| "first look".to_owned(), |round| format!("ply {}", round.0 + 1));
        let phase = if progress.round.is_some() { ROUNDS } else { LOOK };
        self.show(phase, progress.known, progress.cells, deed);
    }

    fn walk(&self, what: &str, done: u64, cells: u64) {
        self.show(LOOK, done, cells, what.to_owned());
    }

    fn sweep(&self, slice: &str, sweep: usize, done: usize, rows: usize) {
        // Nobody knows how many sweeps there will be. Each is taken for half of the rest.
        let [begin, end] = [sweep, sweep + 1].map(|sweeps| 0.9 * (1.0 - 0.5f64.powi(sweeps as i32)));
        let comma = if slice.is_empty() { "" } else { ", " };
        self.show([begin, end], done as u64, rows as u64, format!("{slice}{comma}sweep {}", sweep + 1));
    }

    fn writing(&self, slice: &str, done: u64, entries: u64) {
        self.show(WRITING, done, entries, format!("writing {slice}"));
    }

    fn written(&self, slice: &str, bytes: u64) {
        self.with(|shown| {
            // A packed table replaces the whole one.
            shown.written.retain(|(before, _)| before != slice);
            shown.written.push((slice.to_owned(), bytes));
        });
    }

    fn waiting(&self, folder: &Path, holder: Option<&str>) {
        let holder = holder.map_or_else(String::new, |holder| format!(": {holder}"));
        self.warning(&format!(
            "waiting for another run that solves in {}{holder}",
            game::quoted_path(folder)
        ));
    }

    fn warning(&self, text: &str) {
        self.with(|shown| match &shown.bar {
            Some(bar) => bar.suspend(|| tell(text)),
            None => tell(text),
        });
    }
}

/// Tells warnings only, for work whose progress is shown in another way.
pub struct Warnings;

impl Watch for Warnings {
    fn warning(&self, text: &str) {
        tell(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use registry::Way;

    fn step(name: &str) -> PlannedStep {
        PlannedStep {
            name: name.to_owned(),
            way: Way::Kernel,
            indices: 100,
            memory: 0,
            disk: 0,
            seconds: None,
        }
    }

    /// Two groups, of which the second takes three times as long.
    #[test]
    fn the_time_left_is_that_of_all_groups() {
        let progress = SolveProgress::default();
        progress.expect(&[step("one"), step("two")], |step| if step.name == "one" { 10.0 } else { 30.0 });
        let done = || progress.clock.done.load(Relaxed);
        progress.group("one", 100, false);
        assert_eq!((done(), progress.clock.left()), (0, None));
        progress.walk("first look", 50, 100);
        assert_eq!(done(), 37_500);
        progress.writing("one", 100, 100);
        assert_eq!(done(), 250_000);
        progress.group("two", 100, false);
        progress.sweep("", 0, 50, 100);
        assert_eq!(done(), 418_750);
        // A phase that begins again does not turn the clock back.
        progress.walk("first look", 0, 100);
        assert_eq!(done(), 418_750);
        assert!(progress.clock.left().is_some());
        progress.writing("two", 1, 1);
        assert_eq!((done(), progress.clock.left()), (1_000_000, Some(Duration::ZERO)));
    }
}
