//! Games as players keep them: PGN, with comments, marks and variations.
//!
//! ```
//! use endspiel_chess::pgn;
//!
//! let text = r#"
//! [White "Morphy"]
//! [Black "Duke Karl / Count Isouard"]
//! [SetUp "1"]
//! [FEN "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16"]
//!
//! 16. Qb8+!! {the queen, too} Nxb8 17. Rd8# 1-0
//! "#;
//! for game in pgn::games(text) {
//!     let game = game?;
//!     assert_eq!(game.tags.get("White"), Some("Morphy"));
//!     assert_eq!(game.line.turns().len(), 3);
//!     assert!(game.to_string().ends_with("16. Qb8+ $3 {the queen, too} 16... Nxb8 17. Rd8# 1-0\n"));
//! }
//! # Ok::<(), pgn::PgnError>(())
//! ```

mod draft;
mod error;
mod line;
mod reader;
mod tags;
mod writer;

pub use error::{PgnError, PgnErrorKind};
pub use line::{Comment, Line, Nag, Turn};
pub use reader::{Reader, games, read};
pub use tags::{TagError, Tags};

use crate::position::Position;
use crate::start::Start;
use game::Side;
use std::str::FromStr;

/// How deep variations may be nested in a text. Analysts stop long before.
pub const DEEPEST: usize = 100;
/// How many bytes the text of a game may have. The longest with all their analysis have a tenth.
pub const LONGEST: usize = 4 << 20;

/// A game: who played, what was played and what might have been, and who won.
///
/// Written as `Display` does, it is in export format: the seven tags first, lines below 80 columns, marks as numbers. An
/// empty line goes between two games. Reading what was written gives the same game; the start, the result and where a
/// comment stands among a move's marks are told by the game, not by its tags or order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// What is said about the game, result and start aside.
    pub tags: Tags,
    /// The moves played.
    pub line: Line,
    /// Who won.
    pub verdict: Verdict,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side won.
    Win(Side),
    /// Nobody did.
    Draw,
    /// Unfinished, or not known.
    Open,
}

impl Game {
    /// A game that begins here, without moves yet.
    pub fn new(start: Position) -> Self {
        let mut tags = Tags::default();
        if start.castles_as_in_chess960() {
            tags.put(tags::VARIANT, tags::CHESS960);
        }
        Self { tags, line: Line::new(start), verdict: Verdict::Open }
    }
}

/// The first game of a text.
impl FromStr for Game {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<Self, PgnError> {
        let none = || {
            let read = Box::new(Self::new(Start::STANDARD.position()));
            PgnError { game: 1, line: 1, kind: PgnErrorKind::NoGame, read }
        };
        games(text).next().unwrap_or_else(|| Err(none()))
    }
}

impl Verdict {
    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Win(Side::First) => "1-0",
            Self::Win(Side::Second) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// As PGN writes it, and as hands do.
    fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Win(Side::First)),
            "0-1" => Some(Self::Win(Side::Second)),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Self::Draw),
            "*" => Some(Self::Open),
            _ => None,
        }
    }
}
