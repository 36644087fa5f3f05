//! The error type of the registry.

use env::backgammon::agents::gnubg::Ply;
use env::{AgentError, MatchError};
use game::perft::NoThreads;
use game::{ChanceError, MoveError, NotPlayed, NothingToClaim, meant, meant_or_known, quoted, quoted_path};
use std::path::PathBuf;
use table::{Fault, Places, ProbeError};

/// The error of the game that caused this one.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// An error as one sentence for the user. The error of the game itself is its source.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A table was replaced while it was verified.
    #[error("the table {} was replaced while it was verified; verify it again", quoted_path(path))]
    Replaced {
        /// The path of the table.
        path: PathBuf,
    },
    /// There is no game of this name.
    #[error("there is no game {}{}", quoted(name), meant_or_known(name, "games", known.iter().copied()))]
    UnknownGame {
        /// The name that was asked for.
        name: String,
        /// The names of the games.
        known: Vec<&'static str>,
    },
    /// An option of the game has an invalid value.
    #[error("{game}: {source}")]
    Option {
        /// The game.
        game: &'static str,
        /// The reason.
        source: Source,
    },
    /// The text is not a position.
    #[error("{} is not a position of {game}: {source}", quoted(text))]
    Position {
        /// The game.
        game: &'static str,
        /// The text.
        text: String,
        /// The reason.
        source: Source,
    },
    /// The text is not a legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// One of several moves is not possible.
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
    /// The text is not a possible outcome of chance.
    #[error(transparent)]
    Chance(#[from] ChanceError),
    /// The count does not fit into a `u64`. Only perft with a transposition table is fast enough to reach such counts.
    #[error("the number of sequences of {depth} moves does not fit into 64 bits; try a smaller depth")]
    TooMany {
        /// The depth that was asked for.
        depth: u32,
    },
    /// The threads for a deep count cannot be started.
    #[error(transparent)]
    Threads(#[from] NoThreads),
    /// No rule allows a claim here.
    #[error(transparent)]
    Claim(#[from] NothingToClaim),
    /// A move or a claim after the end of the game.
    #[error("the game is over")]
    Finished,
    /// The words after `resign` mean nothing.
    #[error("{} is nothing that can be resigned in {game}", quoted(text))]
    Resignation {
        /// The words.
        text: String,
        /// The game.
        game: &'static str,
    },
    /// The session belongs to another game.
    #[error("the position belongs to another game, not to {game}")]
    OtherGame {
        /// The game that received the session.
        game: &'static str,
    },
    /// The game has no index of its positions, so it cannot be solved.
    #[error("there are no endgame tables for {game} yet")]
    NotSolvable {
        /// The game.
        game: &'static str,
    },
    /// The tables of the game tell expected points, and not who wins.
    #[error(
        "the tables of {game} tell expected points, not who wins; `probe`, `stats` and `verify` read them"
    )]
    OfEquities {
        /// The game.
        game: &'static str,
    },
    /// The tables of the game tell who wins, and not expected points.
    #[error("the tables of {game} tell who wins, not expected points: there is no chance in this game")]
    OfValues {
        /// The game.
        game: &'static str,
    },
    /// The game has no environment for learning agents.
    #[error("there is no environment for learning agents for {game} yet")]
    NoEnvironment {
        /// The game.
        game: &'static str,
    },
    /// The game has no engine.
    #[error("there is no engine for {game}")]
    NoEngine {
        /// The game.
        game: &'static str,
    },
    /// Nothing tells the threats in the game.
    #[error("threats are not told for {game}")]
    NoThreats {
        /// The game.
        game: &'static str,
    },
    /// The game has no agents.
    #[error("there are no agents that play {game} yet")]
    NoAgents {
        /// The game.
        game: &'static str,
    },
    /// A series could not be played, or was not finished.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The game has no slices for these rules.
    #[error("{game} has no tables for the rules `{rules}`")]
    NoSlices {
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
    },
    /// There is no slice of this name.
    #[error("there is no slice {} in {game}{}", quoted(name), meant_and_listed(name, known))]
    UnknownSlice {
        /// The name that was asked for.
        name: String,
        /// The game.
        game: &'static str,
        /// The names of the slices.
        known: Vec<String>,
    },
    /// The selector has an invalid value.
    #[error("--{option} does not take {}; it means: {help}", quoted(value))]
    Selector {
        /// The option.
        option: &'static str,
        /// The value.
        value: String,
        /// The help text of the option.
        help: &'static str,
    },
    /// The game has no such format for lines of moves.
    #[error("{game} cannot write lines as {}; the formats are {}", quoted(name), known.join(", "))]
    LineFormat {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        name: String,
        /// The formats of the game.
        known: Vec<&'static str>,
    },
    /// The game has no such format for records.
    #[error("there is no format {} for records of {game}; the formats are {}", quoted(name), known.join(", "))]
    RecordFormat {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        name: String,
        /// The formats of the game.
        known: Vec<&'static str>,
    },
    /// A format of records cannot hold the game.
    #[error("the game cannot be written as {format}: {source}")]
    Unwritable {
        /// The format.
        format: &'static str,
        /// The reason.
        source: Source,
    },
    /// The game has no 50-move rule.
    #[error("there is no 50-move rule in {game}; leave `--rule50` out")]
    NoRule50 {
        /// The game.
        game: &'static str,
    },
    /// There are no Syzygy files of the game.
    #[error("there are Syzygy files of chess only, not of {game}; leave `--syzygy` out")]
    NoSyzygy {
        /// The game.
        game: &'static str,
    },
    /// GNU Backgammon plays backgammon only.
    #[error("GNU Backgammon knows nothing of {game}; leave `--gnubg` out")]
    NoGnubg {
        /// The game.
        game: &'static str,
    },
    /// GNU Backgammon cannot look so far ahead.
    #[error("GNU Backgammon looks up to {} plies ahead", most.number())]
    Ply {
        /// The most plies.
        most: Ply,
    },
    /// The folders have no Syzygy files.
    #[error("there are no Syzygy files (.rtbw) in {}", quoted_path(folders))]
    NoSyzygyFiles {
        /// The folders, as they were given.
        folders: PathBuf,
    },
    /// A line was requested from Syzygy files.
    #[error("Syzygy files have no distances to mate, so they show no line to the end")]
    NoLinesInSyzygy,
    /// Syzygy files cannot answer the question.
    #[error(transparent)]
    Syzygy(Source),
    /// A line to the end was requested, but the tables have no distances.
    #[error(
        "the tables of {game} have no distances here, so they do not show the way to the end; `--metric dtm` solves them with distances"
    )]
    NoDistances {
        /// The game.
        game: &'static str,
    },
    /// The game is for points of a match, and tables are for money.
    #[error(
        "the tables are for money: they do not know perfect play, or what a move is worth, at the score of a match"
    )]
    MatchScore,
    /// The dice of the game are not the usual ones.
    #[error("the tables are for dice that show any roll; leave `--dice` out")]
    OtherDice,
    /// The Jacoby rule without a cube: a gammon counts once.
    #[error(
        "without a turned cube a gammon counts once by the Jacoby rule, but twice in the tables; leave `--jacoby` out"
    )]
    JacobyGammons,
    /// No table of expected points that is here has the position.
    #[error(
        "{} has no table that holds this position; {}",
        places.quoted(),
        wanted.iter().map(WantedTable::told).collect::<Vec<_>>().join("; ")
    )]
    NoEquityTable {
        /// The places that were searched.
        places: Places,
        /// The slices that a user may solve: the smallest exact one, and a quicker one that approximates.
        wanted: Vec<WantedTable>,
    },
    /// The table of the slice is no judge, because it is an approximation.
    #[error("{slice} cannot judge: it lets each side bear off as if it were alone, which is not exact")]
    NotExact {
        /// The slice.
        slice: String,
    },
    /// The slice has positions of another variant.
    #[error("{slice} has positions of `--variant {variant}`, and this is `--variant {played}`")]
    OtherVariant {
        /// The slice.
        slice: String,
        /// The variant of its positions.
        variant: &'static str,
        /// The variant that is played.
        played: &'static str,
    },
    /// Only the special solver of the game makes its tables.
    #[error("only the special solver of {game} makes its tables; leave `--kernel generic` out")]
    NoGenericEquities {
        /// The game.
        game: &'static str,
    },
    /// There is no such file format for a slice.
    #[error("{slice} cannot be exported: only bear-offs can, such as 6x6 and os6x15")]
    NoExport {
        /// The slice.
        slice: String,
    },
    /// An export could not be written.
    #[error("the export could not be written: {0}")]
    Export(std::io::Error),
    /// No table of expected points can hold the position.
    #[error("no table of {game} can hold this position: {why}")]
    BeyondEquities {
        /// The game.
        game: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A table is missing.
    #[error(
        "{} has no table of {slice} for {game} ({rules}); `{command}` makes it",
        places.quoted()
    )]
    MissingTable {
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
        /// The slice.
        slice: String,
        /// The places that were searched.
        places: Places,
        /// The command that solves it.
        command: String,
    },
    /// Solving or verifying failed.
    #[error(transparent)]
    Solve(#[from] solve::Error),
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The tables cannot answer the question.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// A table of expected points that a user may solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedTable {
    /// The slice.
    pub slice: String,
    /// Whether its numbers are exact.
    pub exact: bool,
    /// The command that solves it.
    pub command: String,
}

impl WantedTable {
    fn told(&self) -> String {
        let Self { slice, exact, command } = self;
        let holds = if *exact { "holds it" } else { "has an approximation" };
        format!("{slice} {holds}, and `{command}` makes that")
    }
}

impl Error {
    /// The table that is damaged or cannot be read, if that is the reason.
    pub fn table(&self) -> Option<&table::Error> {
        match self {
            Self::Table(error)
            | Self::Probe(ProbeError::Table(error))
            | Self::Solve(solve::Error::Table(error)) => Some(error),
            _ => None,
        }
    }

    /// Returns whether a Syzygy file is damaged or cannot be read.
    pub fn is_damaged_syzygy(&self) -> bool {
        match self {
            Self::Syzygy(source) => {
                matches!(source.downcast_ref(), Some(syzygy::ProbeError::Table(_)))
                    || source.is::<syzygy::Error>()
            }
            _ => false,
        }
    }

    /// Returns whether an agent was asked about a game or a position that it does not play.
    pub fn is_unfit_agent(&self) -> bool {
        matches!(self, Self::Match(MatchError::Agent(AgentError::Unfit(_))))
    }

    /// Returns whether an interruption ended the work, which the same command continues.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Solve(solve::Error::Stopped { stop: solve::Stop::Interrupted, .. }))
    }

    /// Returns whether the bytes of a table are wrong.
    pub fn is_damaged_table(&self) -> bool {
        match self {
            Self::Table(error) | Self::Solve(solve::Error::Table(error)) => {
                error.fault() != Fault::Unreadable
            }
            Self::Solve(solve::Error::Unlike { .. } | solve::Error::ByRule { .. }) => true,
            _ => false,
        }
    }

    /// Returns whether the reason is a table that is not here, but could be: it can be solved, or got from others.
    pub fn is_missing_table(&self) -> bool {
        match self {
            Self::Probe(ProbeError::MissingTable { .. })
            | Self::Solve(solve::Error::Missing { .. })
            | Self::MissingTable { .. }
            | Self::NoEquityTable { .. }
            | Self::NoDistances { .. }
            | Self::NoSyzygyFiles { .. } => true,
            Self::Syzygy(source) => match source.downcast_ref() {
                Some(syzygy::ProbeError::TooManyMen { men, .. }) => *men <= syzygy::MOST_MEN,
                Some(syzygy::ProbeError::Missing { .. }) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// The slices of which one is missing, each with the command that solves it, if that is the reason.
    pub fn wanted(&self) -> Vec<(&str, &str)> {
        match self {
            Self::Probe(ProbeError::MissingTable { slice, command, .. })
            | Self::Solve(solve::Error::Missing { slice, command, .. })
            | Self::MissingTable { slice, command, .. } => vec![(slice, command)],
            Self::NoEquityTable { wanted, .. } => {
                wanted.iter().map(|wanted| (&*wanted.slice, &*wanted.command)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether the reason is that no table here has the position: it is missing, or there is none.
    pub fn has_no_table(&self) -> bool {
        let can_have_none =
            matches!(self, Self::Probe(ProbeError::Beyond { .. }) | Self::BeyondEquities { .. });
        can_have_none || self.is_missing_table()
    }
}

/// The slice that was probably meant, and all slices. Their names are so much alike that the nearest may be a wrong one.
fn meant_and_listed(name: &str, known: &[String]) -> String {
    let meant = meant(name, known.iter().map(String::as_str));
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
    format!("{meant}; the slices are {}", listed(known))
}

/// Returns the names separated by commas: all of them, or the first 30 if there are more.
fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    match names.get(..MOST) {
        Some(first) if names.len() > MOST => {
            format!("{}, … and {} more", first.join(", "), names.len() - MOST)
        }
        _ => names.join(", "),
    }
}
