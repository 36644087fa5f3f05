//! The errors of a command, and their exit codes.

use crate::output::Lost;
use crate::words::{self, counted};
use game::{meant_or_known, quoted, quoted_path, visible};
use registry::{MatchError, json_text};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use table::remote::UrlError;
use table::{ManifestError, Places, ProbeError};

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A message of clap: help, version, or wrong arguments.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// The word is not a verb.
    #[error("there is no command {}{}", quoted(name), meant_or_known(name, "commands", known.iter().map(String::as_str)))]
    UnknownVerb {
        /// The word.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A verb or a game is missing.
    #[error("`{command}` needs a {noun} after it; the {noun}s are {}", known.join(", "))]
    Missing {
        /// The command as it was given.
        command: String,
        /// The missing part: `command` or `game`.
        noun: &'static str,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A picture of distances was requested, but the tables have none.
    #[error("the tables have no distances, so there is nothing to draw to {}", quoted_path(path))]
    NothingToDraw {
        /// The file for the picture.
        path: PathBuf,
    },
    /// A picture of bear-offs was requested, and none of the tables is one.
    #[error("only bear-offs of both sides, such as 6x6, can be drawn to {}", quoted_path(path))]
    NoPipMap {
        /// The file for the picture.
        path: PathBuf,
    },
    /// None of the tables is exact, so nothing can judge an agent.
    #[error(
        "none of these tables of {game} is exact, so they cannot tell what an agent loses; `{example}` makes one that is"
    )]
    NoExactTables {
        /// A command that makes an exact table.
        example: &'static str,
        /// The game.
        game: &'static str,
    },
    /// An option that only tables of wins and losses have.
    #[error("`--{option}` is for tables of wins and losses; those of {game} have expected points")]
    OptionOfValues {
        /// The option.
        option: &'static str,
        /// The game.
        game: &'static str,
    },
    /// A game record was requested together with JSON.
    #[error("`--line={format}` prints a game record and not JSON; leave out `--json` and `--stdin`")]
    RecordInJson {
        /// The format of the record.
        format: String,
    },
    /// The file is not a manifest.
    #[error("the manifest {} {source}", quoted_path(path))]
    NotAManifest {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: ManifestError,
    },
    /// Some files are not whole tables, so there is no manifest.
    #[error("there is no manifest while something is wrong with {}", counted(*wrong, "file"))]
    NoManifest {
        /// The number of these files.
        wrong: u64,
    },
    /// The text is not the address of a server.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// `--fetch` without a server.
    #[error("`--fetch` needs a server: give its address with `--remote`, or set ENDSPIEL_REMOTE")]
    NoServer,
    /// The server has no manifest, so it is not known which tables it has.
    #[error(
        "the server has no manifest {}, so its tables are not known; `endspiel tables --manifest` makes one",
        quoted_path(path)
    )]
    NoServerManifest {
        /// The address of the manifest.
        path: PathBuf,
    },
    /// The manifest of the server has no such table.
    #[error("the manifest {} has no table {}, and none that begins so", quoted_path(path), quoted(name))]
    NothingToFetch {
        /// The name.
        name: String,
        /// The address of the manifest.
        path: PathBuf,
    },
    /// Some tables were not fetched.
    #[error("{} not fetched", counted(*count, "table"))]
    NotFetched {
        /// The number of these tables.
        count: u64,
    },
    /// No table has Syzygy files to compare it with.
    #[error("there are no Syzygy files for any of these tables, so nothing was compared")]
    NothingToCompare,
    /// The user interrupted `solve --all` between two rule sets.
    #[error("interrupted; run the same command to go on")]
    Interrupted,
    /// The user left a game with Ctrl-C.
    #[cfg(unix)]
    #[error("the game was left")]
    GameLeft,
    /// The word is not a side of the game.
    #[error("there is no side {} in {game}; the sides are {} and {}", quoted(name), sides[0], sides[1])]
    UnknownSide {
        /// The word.
        name: String,
        /// The game.
        game: &'static str,
        /// The sides of the game.
        sides: [&'static str; 2],
    },
    /// The word is not an opponent in the game.
    #[error(
        "there is no opponent {} in {game}{}",
        quoted(name), meant_or_known(name, "opponents", known.iter().map(String::as_str))
    )]
    UnknownOpponent {
        /// The word.
        name: String,
        /// The game.
        game: &'static str,
        /// The opponents that exist.
        known: Vec<String>,
    },
    /// `--chance` was given for a game without dice.
    #[error("there are no dice in {game}, so none can be given; leave `--chance` out")]
    NoChance {
        /// The game.
        game: &'static str,
    },
    /// An option asks for other rules than those of the position.
    #[error("{options} asks for other rules than those of the position; leave out one of the two")]
    OtherRules {
        /// The options that were given.
        options: String,
    },
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] registry::Error),
    /// The name of a file does not tell its format.
    #[error("the format of the records is not known; name it with `--from`: {}", known.join(", "))]
    UnknownFormat {
        /// The formats of the game.
        known: Vec<&'static str>,
    },
    /// There are no records in the input, or not as many.
    #[error("there is no game{} in {name}", number.map(|number| format!(" {number}")).unwrap_or_default())]
    NoSuchRecord {
        /// The file, in quotation marks, or the words for the standard input.
        name: String,
        /// The game that was asked for.
        number: Option<u64>,
    },
    /// Some records could not be read or written. Each was reported.
    #[error("{} passed over", counted(*count, "game"))]
    PassedOver {
        /// The number of these games.
        count: u64,
    },
    /// There is no table of the game.
    #[error("{} has no tables of {game} ({rules}); `endspiel solve {game}` makes some", places.quoted())]
    NoTables {
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
        /// The places that were searched.
        places: Places,
    },
    /// A check failed. The output has already said why.
    #[error("the check failed")]
    CheckFailed,
    /// A failure with advice.
    #[error("{sentence}")]
    Advised {
        /// The failure and the advice.
        sentence: String,
        /// The failure.
        failure: Box<Failure>,
    },
    /// The question has no answer. The output, in JSON, has already said why.
    #[error(transparent)]
    Answered(Box<Failure>),
    /// The threads cannot be started.
    #[error("the threads cannot be started: {0}; use fewer, with `--threads`")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", quoted_path(path))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Writing the output failed. [`Output`](crate::output::Output) knows why.
    #[error(transparent)]
    OutputLost(Lost),
    /// Reading the input failed, or another operation of the system.
    #[error("reading or writing failed: {0}")]
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if Lost::is_reason_of(&error) { Self::OutputLost(Lost) } else { Self::Io(error) }
    }
}

/// The exit codes other than that of success, and their meanings for the manual page.
pub const EXIT_CODES: [(u8, &str); 4] = [
    (
        FAILED,
        "A check failed, a record was passed over, a table is damaged, another run is solving in the same folder, or the system \
         refuses something: reading, writing, a server, threads.",
    ),
    (WRONG_INPUT, "The input is wrong, or the work needs more memory than is allowed."),
    (
        MISSING_TABLE,
        "A table is missing: none that is here answers the question, but one could be solved. The message names the \
         command.",
    ),
    (INTERRUPTED, "The work was interrupted by Ctrl-C, SIGTERM or SIGHUP. The same command goes on with it."),
];

const FAILED: u8 = 1;
const WRONG_INPUT: u8 = 2;
const MISSING_TABLE: u8 = 3;
const INTERRUPTED: u8 = 130;

/// Prints why a command failed, and returns its exit code: 0 for success, or one of [`EXIT_CODES`]. `lost` is the error of
/// writing its output, if there was one.
pub fn report(done: Result<(), Failure>, lost: Option<io::Error>) -> ExitCode {
    let is_output_read = lost.is_none();
    // The reader may close the pipe, as in `endspiel sample … | head`. Any other loss is a failure of its own.
    let lost = lost.filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    if let Some(error) = &lost {
        tell(&format!("the output cannot be written: {error}"));
    }
    let code = match done {
        Ok(()) | Err(Failure::OutputLost(_)) => ExitCode::SUCCESS,
        Err(failure) => {
            if !(is_output_read && failure.is_told_in_output()) {
                tell(&failure.sentence());
            }
            failure.exit_code().into()
        }
    };
    if lost.is_some() { ExitCode::FAILURE } else { code }
}

impl Failure {
    /// Returns whether the output has already said what is wrong.
    fn is_told_in_output(&self) -> bool {
        matches!(self, Self::CheckFailed | Self::Answered(_))
    }

    fn sentence(&self) -> String {
        match self {
            Self::Arguments(error) => in_one_sentence(error),
            _ => self.to_string(),
        }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Answered(failure) | Self::Advised { failure, .. } => failure.exit_code(),
            Self::Interrupted => INTERRUPTED,
            #[cfg(unix)]
            Self::GameLeft => INTERRUPTED,
            Self::Input(error) if error.is_interruption() => INTERRUPTED,
            Self::Input(error) if error.is_missing_table() => MISSING_TABLE,
            Self::Input(error) if error.is_unfit_agent() => WRONG_INPUT,
            // A damaged table, an agent that does not answer or a lack of threads is not wrong input.
            Self::Input(error) if error.is_damaged_syzygy() => FAILED,
            Self::Input(
                registry::Error::Table(_)
                | registry::Error::Threads(_)
                | registry::Error::Match(MatchError::Agent(_)),
            )
            | Self::Input(registry::Error::Solve(
                solve::Error::Stopped { .. }
                | solve::Error::Table(_)
                | solve::Error::Busy { .. }
                | solve::Error::Folder { .. }
                | solve::Error::Unlike { .. },
            ))
            | Self::Input(registry::Error::Probe(ProbeError::Table(_) | ProbeError::NoValue { .. }))
            | Self::CheckFailed
            | Self::NoManifest { .. }
            | Self::NotFetched { .. }
            | Self::NoSuchRecord { .. }
            | Self::PassedOver { .. }
            | Self::OutputLost(_)
            | Self::Io(_)
            | Self::File { .. }
            | Self::Threads(_) => FAILED,
            Self::NoTables { .. }
            | Self::NoExactTables { .. }
            | Self::NothingToCompare
            | Self::NothingToFetch { .. } => MISSING_TABLE,
            Self::Arguments(_)
            | Self::Input(_)
            | Self::UnknownVerb { .. }
            | Self::Missing { .. }
            | Self::UnknownSide { .. }
            | Self::UnknownOpponent { .. }
            | Self::NoChance { .. }
            | Self::NotAManifest { .. }
            | Self::Url(_)
            | Self::NoServer
            | Self::NoServerManifest { .. }
            | Self::NothingToDraw { .. }
            | Self::OptionOfValues { .. }
            | Self::NoPipMap { .. }
            | Self::RecordInJson { .. }
            | Self::UnknownFormat { .. }
            | Self::OtherRules { .. } => WRONG_INPUT,
        }
    }

    /// Writes an answer in JSON that tells the failure. The exit code is that of the failure, also if nobody reads the answer.
    pub fn answered(self, answer: &serde_json::Value, out: &mut dyn Write) -> Self {
        // The output remembers that it is lost.
        let _ = writeln!(out, "{}", json_text(answer));
        Self::Answered(Box::new(self))
    }

    /// Returns the message without quoting the position, for answers that contain the position already.
    pub fn reason(&self) -> String {
        match self {
            Self::Input(registry::Error::Position { source, .. }) => source.to_string(),
            _ => self.to_string(),
        }
    }
}

/// Prints an error. Texts of others in it, such as file names, may have control characters. A failure to print it is ignored,
/// because the exit code reports the error too.
pub fn tell(sentence: &str) {
    let told = visible(&format!("endspiel: {sentence}")).to_string();
    let mut out = io::stderr();
    // A log has a line for each error.
    let _ = if out.is_terminal() { words::say(&mut out, &told) } else { writeln!(out, "{told}") };
}

/// Shortens a message of clap to one sentence. Only the first paragraphs are kept: they say what is wrong, and suggest
/// what was meant.
fn in_one_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let told =
        text.split("\n\n").take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
    // An unknown option was not meant as a value.
    let told = told.filter(|part| !part.trim_start().starts_with("tip: to pass "));
    let told: Vec<_> = told.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    format!("{}; `--help` shows how", told.join("; ").trim_start_matches("error: "))
}
