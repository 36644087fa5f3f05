//! What can be wrong with what someone asked.

use env::ContestError;
use game::{ChanceError, MoveError, NothingToClaim, quoted};
use table::Places;

/// The cause, in the words of the game.
type Source = Box<dyn std::error::Error + Send + Sync>;

/// One sentence for the person who asked; the game's own error is its source.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such game.
    #[error("there is no game {}; the games are {}", quoted(name), known.join(", "))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A game refuses one of its options.
    #[error("{game}: {source}")]
    Option {
        /// The game.
        game: &'static str,
        /// Why.
        source: Source,
    },
    /// A text that is no position.
    #[error("{} is not a position of {game}: {source}", quoted(text))]
    Position {
        /// The game.
        game: &'static str,
        /// The text.
        text: String,
        /// Why.
        source: Source,
    },
    /// A text that is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A text that chance cannot bring.
    #[error(transparent)]
    Chance(#[from] ChanceError),
    /// A count that no number holds: only a memory of positions gets there.
    #[error("the sequences of {depth} moves are too many to be counted; try a smaller depth")]
    TooMany {
        /// The depth that was asked for.
        depth: u32,
    },
    /// A draw that no rule allows to claim.
    #[error(transparent)]
    Claim(#[from] NothingToClaim),
    /// A move or a claim after the end.
    #[error("the game is over")]
    Finished,
    /// A session of one game was shown to another.
    #[error("the position is not one of {game}")]
    OtherGame {
        /// The game that was asked.
        game: &'static str,
    },
    /// The game has no numbering of its positions.
    #[error("the endings of {game} are not solved here yet")]
    NotSolvable {
        /// The game.
        game: &'static str,
    },
    /// Learning agents cannot play it.
    #[error("there is no environment for learning agents that play {game} here yet")]
    NoEnvironment {
        /// The game.
        game: &'static str,
    },
    /// Nobody plays it.
    #[error("there are no agents that play {game} here yet")]
    NoAgents {
        /// The game.
        game: &'static str,
    },
    /// A contest that could not be played, or not to its end.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// No slice at all under these rules.
    #[error("{game} has no tables for the rules `{rules}`")]
    NoSlices {
        /// The game.
        game: &'static str,
        /// The rules.
        rules: String,
    },
    /// No such slice.
    #[error("there is no slice {} in {game}; the slices are {}", quoted(name), listed(known))]
    UnknownSlice {
        /// What was asked for.
        name: String,
        /// The game.
        game: &'static str,
        /// What there is.
        known: Vec<String>,
    },
    /// A selector with a value that it does not take.
    #[error("--{option} does not take {}; it means: {help}", quoted(value))]
    Selector {
        /// The option.
        option: &'static str,
        /// The value.
        value: String,
        /// What it means.
        help: &'static str,
    },
    /// A table that is not there.
    #[error(
        "{} has no table of {slice} for {game} ({rules}); it has to be solved first",
        places.quoted()
    )]
    MissingTable {
        /// The game.
        game: &'static str,
        /// Its rules.
        rules: String,
        /// The slice.
        slice: String,
        /// Where it was looked for.
        places: Places,
    },
    /// Solving or checking did not succeed.
    #[error(transparent)]
    Solve(#[from] solve::Error),
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// The tables have no answer.
    #[error(transparent)]
    Probe(#[from] table::ProbeError),
}

/// The names, or the first of them where they are many.
fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    match names.get(..MOST) {
        Some(first) if names.len() > MOST => {
            format!("{}, … and {} more", first.join(", "), names.len() - MOST)
        }
        _ => names.join(", "),
    }
}
