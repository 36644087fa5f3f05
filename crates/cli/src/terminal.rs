//! Colours and progress bars in the terminal.

use crate::words;
use clap::ArgMatches;
use game::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use registry::Watch;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Chooses the style of drawn boards: coloured if `--color` says so, or if the output is a terminal and `NO_COLOR` is not
/// set.
pub fn style(matches: &ArgMatches) -> Style {
    let coloured = match matches.get_one::<String>("color").map(String::as_str) {
        Some("always") => true,
        Some("never") => false,
        _ => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            std::io::stdout().is_terminal() && !refused && !dumb
        }
    };
    if coloured { Style::Coloured } else { Style::Plain }
}

/// The progress of work that consists of parts and counts something. A terminal shows a bar of the parts, the rate of the
/// counting and the remaining time. Without a terminal, nothing is shown.
pub struct Progress {
    bar: ProgressBar,
    counted: Arc<AtomicU64>,
}

impl Progress {
    /// Makes a bar that begins with `message`. `unit` names what is counted, in the plural.
    pub fn new(message: &str, unit: &'static str) -> Self {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        Self::on(target, message, unit)
    }

    fn on(target: ProgressDrawTarget, message: &str, unit: &'static str) -> Self {
        let counted = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&counted);
        let rate = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{} {unit}/s", words::rate(shown.load(Ordering::Relaxed), state.elapsed()));
        };
        let template = "{msg} {wide_bar} {pos}/{len}, {rate}, {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is fixed and tested");
        let bar = ProgressBar::with_draw_target(Some(0), target)
            .with_style(style.with_key("rate", rate))
            .with_message(message.to_owned());
        Self { bar, counted }
    }

    /// Reports that a part is done. `counted` is the count in this part, and `parts` the number of all parts. May be called
    /// from any thread.
    pub fn part_done(&self, counted: u64, parts: usize) {
        self.counted.fetch_add(counted, Ordering::Relaxed);
        self.bar.set_length(parts as u64);
        self.bar.inc(1);
    }

    /// Reports that `counted` of `all` are done. May be called from any thread.
    pub fn done(&self, counted: u64, all: u64) {
        self.counted.fetch_add(counted, Ordering::Relaxed);
        self.bar.set_length(all);
        self.bar.inc(counted);
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the progress of a solver, and collects the tables that it writes.
#[derive(Default)]
pub struct SolveProgress {
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    bar: Option<ProgressBar>,
    written: Vec<(String, u64)>,
}

impl SolveProgress {
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
}

/// Tells warnings only, for work whose progress is shown in another way.
pub struct Warnings;

impl Watch for Warnings {
    fn warning(&self, text: &str) {
        crate::failure::tell(text);
    }
}

impl Watch for SolveProgress {
    fn group(&self, slices: &str, indices: u64, resumed: bool) {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let template = "{prefix} {wide_bar} {percent} %, {msg}, {per_sec}, {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is fixed and tested");
        let message = if resumed { "resumed" } else { "first look" };
        let bar = ProgressBar::with_draw_target(Some(indices), target)
            .with_style(style)
            .with_prefix(slices.to_owned())
            .with_message(message);
        self.with(|shown| {
            if let Some(before) = shown.bar.replace(bar) {
                before.finish_and_clear();
            }
        });
    }

    fn progress(&self, progress: registry::Progress) {
        self.with(|shown| {
            if let Some(bar) = &shown.bar {
                bar.set_length(progress.cells);
                bar.set_position(progress.known);
                if let Some(round) = progress.round {
                    bar.set_message(format!("ply {}", round.0 + 1));
                }
            }
        });
    }

    fn walk(&self, what: &str, done: u64, cells: u64) {
        self.with(|shown| {
            if let Some(bar) = &shown.bar {
                bar.set_length(cells);
                bar.set_position(done);
                bar.set_message(what.to_owned());
            }
        });
    }

    fn sweep(&self, slice: &str, sweep: usize, done: usize, rows: usize) {
        self.with(|shown| {
            if let Some(bar) = &shown.bar {
                bar.set_length(rows as u64);
                bar.set_position(done as u64);
                let comma = if slice.is_empty() { "" } else { ", " };
                bar.set_message(format!("{slice}{comma}sweep {}", sweep + 1));
            }
        });
    }

    fn writing(&self, slice: &str, done: u64, entries: u64) {
        self.with(|shown| {
            if let Some(bar) = &shown.bar {
                bar.set_length(entries);
                bar.set_position(done);
                bar.set_message(format!("writing {slice}"));
            }
        });
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
            Some(bar) => bar.suspend(|| crate::failure::tell(text)),
            None => crate::failure::tell(text),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;

    /// A terminal that stores the written text.
    #[derive(Clone, Default, Debug)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            *self.0.lock().expect("no writer panics") += text;
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_bar_shows_parts_and_the_rate_of_what_is_counted() {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let progress = Progress::on(target, "depth 7", "sequences");
        progress.part_done(1_000, 4);
        progress.part_done(2_000, 4);
        assert_eq!((progress.bar.position(), progress.bar.length()), (2, Some(4)));
        progress.bar.force_draw();
        let shown = paper.0.lock().expect("no writer panics").clone();
        assert!(shown.contains("depth 7 ") && shown.contains(" 2/4, "), "{shown}");
        assert!(shown.contains(" sequences/s, "), "{shown}");
    }
}
