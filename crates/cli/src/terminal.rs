//! Colours and progress bars in the terminal.

use crate::words;
use clap::ArgMatches;
use game::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::Mutex;

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
