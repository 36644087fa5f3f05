//! Why a command did not do what was asked, and its exit code.

use game::quoted;
use registry::ContestError;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use table::{Places, ProbeError};

/// What ended a command early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Clap speaks for itself: help, version, or wrong arguments.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// A word that is no verb.
    #[error("there is no command {}; the commands are {}", quoted(name), known.join(", "))]
    UnknownVerb {
        /// The word.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Nothing where a verb or a game belongs.
    #[error("`{command}` needs a {noun} after it; the {noun}s are {}", known.join(", "))]
    Missing {
        /// What was written.
        command: String,
        /// What is missing.
        noun: &'static str,
        /// What there is.
        known: Vec<String>,
    },
    /// A picture of distances, of tables without them.
    #[error("the tables have no distances, so there is nothing to draw to {}", quoted(&path.to_string_lossy()))]
    NothingToDraw {
        /// Where it should go.
        path: PathBuf,
    },
    /// Someone asked for it, between two sets of rules.
    #[error("interrupted; the same command goes on where it was left")]
    Interrupted,
    /// A word that is no side of the game.
    #[error("there is no side {} in {game}; the sides are {} and {}", quoted(name), sides[0], sides[1])]
    UnknownSide {
        /// The word.
        name: String,
        /// The game.
        game: &'static str,
        /// Its sides.
        sides: [&'static str; 2],
    },
    /// A word that is no opponent in the game.
    #[error("there is no opponent {} in {game}; the opponents are {}", quoted(name), known.join(", "))]
    UnknownOpponent {
        /// The word.
        name: String,
        /// The game.
        game: &'static str,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Somebody wants to roll dice where there are none.
    #[error("there are no dice in {game}, so none can be given; leave `--chance` out")]
    NoChance {
        /// The game.
        game: &'static str,
    },
    /// An option asks for other rules than the position brings along.
    #[error(
        "{options} asks for {asked}, but the position is one of {found}; leave the option out, or the position"
    )]
    OtherRules {
        /// The options that were given.
        options: String,
        /// The rules they ask for.
        asked: String,
        /// The rules of the position.
        found: String,
    },
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] registry::Error),
    /// No table of the game.
    #[error("{} has no tables of {game} ({rules}); `endspiel solve {game}` makes some", places.quoted())]
    NoTables {
        /// The game.
        game: &'static str,
        /// Its rules.
        rules: String,
        /// Where they were looked for.
        places: Places,
    },
    /// A check found something, and the answer has said what.
    #[error("the check failed")]
    CheckFailed,
    /// The input is wrong and the answer, in JSON, has said so already.
    #[error("the input is wrong")]
    Answered,
    /// No threads.
    #[error("the threads cannot be started: {0}; `--threads` takes fewer")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A file or folder.
    #[error("{}: {source}", quoted(&path.to_string_lossy()))]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Reading questions or writing answers failed.
    #[error("reading or writing failed: {0}")]
    Io(#[from] io::Error),
}

impl Failure {
    /// Tells the user, and gives the exit code: 0 fine, 2 wrong input, 1 anything else.
    pub fn report(self) -> ExitCode {
        const WRONG_INPUT: u8 = 2;
        match &self {
            Self::Arguments(error) if !error.use_stderr() => match error.print() {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => Self::Io(error).report(),
            },
            Self::Arguments(error) => {
                tell(&in_one_sentence(error));
                ExitCode::from(WRONG_INPUT)
            }
            Self::Answered => ExitCode::from(WRONG_INPUT),
            Self::CheckFailed => ExitCode::FAILURE,
            // Damage, interruption and agents that do not answer are nobody's wrong input.
            Self::Input(registry::Error::Table(_) | registry::Error::Contest(ContestError::Agent(_)))
            | Self::Input(registry::Error::Solve(
                solve::Error::Stopped { .. }
                | solve::Error::Table(_)
                | solve::Error::Busy { .. }
                | solve::Error::Folder { .. }
                | solve::Error::Unlike { .. },
            ))
            | Self::Input(registry::Error::Probe(ProbeError::Table(_) | ProbeError::NoValue { .. })) => {
                tell(&self.to_string());
                ExitCode::FAILURE
            }
            // The reader has seen enough, as in `endspiel sample … | head`.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Io(_) | Self::File { .. } | Self::Threads(_) | Self::Interrupted => {
                tell(&self.to_string());
                ExitCode::FAILURE
            }
            Self::Input(_)
            | Self::UnknownVerb { .. }
            | Self::Missing { .. }
            | Self::UnknownSide { .. }
            | Self::UnknownOpponent { .. }
            | Self::NoChance { .. }
            | Self::NoTables { .. }
            | Self::NothingToDraw { .. }
            | Self::OtherRules { .. } => {
                tell(&self.to_string());
                ExitCode::from(WRONG_INPUT)
            }
        }
    }

    /// What is wrong with a position, without quoting it: for answers that have it already.
    pub fn reason(&self) -> String {
        match self {
            Self::Input(registry::Error::Position { source, .. }) => source.to_string(),
            _ => self.to_string(),
        }
    }
}

/// Where nobody listens to errors either, the exit code has to do.
pub fn tell(sentence: &str) {
    let _ = writeln!(io::stderr(), "endspiel: {sentence}");
}

/// Clap explains over several lines; the first paragraphs say what is wrong and what may have been meant.
fn in_one_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let told =
        text.split("\n\n").take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
    let told: Vec<_> = told.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let told = told.join("; ").replace(char::is_control, "\u{fffd}");
    format!("{}; `--help` shows how", told.trim_start_matches("error: "))
}
