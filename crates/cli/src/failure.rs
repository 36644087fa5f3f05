//! Why a command did not do what was asked, and its exit code.

use clap::error::ErrorKind;
use std::io;
use std::process::ExitCode;

/// What ended a command early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Clap speaks for itself: help, version, or wrong arguments.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// A word that is no verb.
    #[error("there is no command `{name}`; the commands are {}", known.join(", "))]
    UnknownVerb {
        /// The word.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A word that is no side of the game.
    #[error("there is no side `{name}` in {game}; the sides are {} and {}", sides[0], sides[1])]
    UnknownSide {
        /// The word.
        name: String,
        /// The game.
        game: &'static str,
        /// Its sides.
        sides: [&'static str; 2],
    },
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] registry::Error),
    /// The input is wrong and the answer, in JSON, has said so already.
    #[error("the input is wrong")]
    Answered,
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Failure {
    /// Tells the user, and gives the exit code: 0 fine, 2 wrong input, 1 anything else.
    pub fn report(self) -> ExitCode {
        const WRONG_INPUT: u8 = 2;
        match self {
            Self::Arguments(error) if asked_for_help(&error) => {
                // A reader who closes the pipe early has seen enough.
                let _ = error.print();
                ExitCode::SUCCESS
            }
            Self::Arguments(error) => {
                eprintln!("endspiel: {}", in_one_sentence(&error));
                ExitCode::from(WRONG_INPUT)
            }
            Self::Answered => ExitCode::from(WRONG_INPUT),
            // The reader has seen enough, as in `endspiel sample … | head`.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Io(_) => {
                eprintln!("endspiel: {self}");
                ExitCode::FAILURE
            }
            Self::Input(_) | Self::UnknownVerb { .. } | Self::UnknownSide { .. } => {
                eprintln!("endspiel: {self}");
                ExitCode::from(WRONG_INPUT)
            }
        }
    }
}

/// Whoever types less than a command is shown what there is; that is no mistake.
fn asked_for_help(error: &clap::Error) -> bool {
    !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Clap explains over several lines; the first paragraphs say what is wrong and what may have been meant.
fn in_one_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let told =
        text.split("\n\n").take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
    let told: Vec<_> = told.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    format!("{}; `--help` shows how", told.join("; ").trim_start_matches("error: "))
}
