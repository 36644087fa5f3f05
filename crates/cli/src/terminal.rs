//! What the terminal can do: colours, progress bars.

use clap::ArgMatches;
use game::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Coloured when asked for, or when the terminal shows it and `NO_COLOR` is not set.
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

/// A bar with rate and time left on a terminal; nothing elsewhere.
pub fn progress_bar(message: &str) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let template = "{msg} {wide_bar} {pos}/{len}, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is fixed and tested");
    ProgressBar::with_draw_target(Some(0), target).with_style(style).with_message(message.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bar_can_be_made() {
        super::progress_bar("counting").finish_and_clear();
    }
}
