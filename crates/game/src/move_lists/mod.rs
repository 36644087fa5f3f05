//! Games as lists of moves: a format of text that every game has. `docs/records.md` describes it.
//!
//! ```text
//! game: onitama
//! blue: Anna
//! start: 1121100000000000000033433 b boar,ox elephant,horse crab
//! result: blue by stone
//!
//! boar:a1a2
//! ```

mod error;
mod reader;
mod replay;
mod writer;

pub use error::{MoveListError, MoveListErrorKind};
pub use reader::{Reader, read};
pub use replay::{Given, ListedGame, Replay};
pub use writer::write;

/// The most bytes that the text of a game may have.
pub const LONGEST: usize = 4 << 20;
/// The most tags of a game, and the most options. Real games have fewer.
pub const MOST_TAGS: usize = 200;

/// The header that begins a game.
const GAME: &str = "game";
/// The header with the start position.
const START: &str = "start";
/// The header with the result.
const RESULT: &str = "result";
/// The header with an option of the game: its name and its value.
const OPTION: &str = "option";

/// The headers that are not tags.
const RESERVED: [&str; 4] = [GAME, START, RESULT, OPTION];
