//! Game records in PGN, with comments, marks and variations.
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

use crate::moves::Move;
use crate::position::Position;
use crate::start::Start;
use game::{IllegalMove, Position as _, Side};
use std::str::FromStr;

/// The greatest depth of nested variations in a text. Real analyses are far less deep.
pub const DEEPEST: usize = 100;
/// The greatest length of a game's text, in bytes. The longest real games with their analysis have a tenth of it.
pub const LONGEST: usize = 4 << 20;

/// The most tags of a game, without those for the result and the start position. Real games have fewer, and a search through
/// all of them is still fast.
pub const MOST_TAGS: usize = 200;

/// A game: its tags, its moves with comments and variations, and its result.
///
/// `Display` writes export format: the seven tags first, lines below 80 columns, marks as numbers. Write an empty line
/// between two games. Reading a written game gives the same game. The start position and the result are fields of the game,
/// not tags. The order of comments and marks on the same move is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The tags, without those for the result and the start position.
    pub tags: Tags,
    /// The moves that were played.
    pub line: Line,
    /// The result.
    pub verdict: Verdict,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side won.
    Win(Side),
    /// The game was drawn.
    Draw,
    /// The game is not finished, or its result is not known.
    Open,
}

impl Game {
    /// Creates a game without moves that begins with this position.
    pub fn new(start: Position) -> Self {
        let mut tags = Tags::default();
        if start.castles_as_in_chess960() {
            tags.put(tags::VARIANT, tags::CHESS960);
        }
        Self { tags, line: Line::new(start), verdict: Verdict::Open }
    }

    /// Creates a game from its moves. The result is open unless the last position is mate or stalemate.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub fn of_moves(start: Position, moves: &[Move]) -> Result<Self, IllegalMove> {
        let mut game = Self::new(start);
        for &m in moves {
            game.line.push(m)?;
        }
        game.verdict = match game.line.end().outcome() {
            Some(outcome) => outcome.winner.map_or(Verdict::Draw, Verdict::Win),
            None => Verdict::Open,
        };
        Ok(game)
    }
}

/// Reads the first game of a text.
impl FromStr for Game {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<Self, PgnError> {
        let none = || {
            let read = Box::new(Self::new(Start::STANDARD.position()));
            PgnError { game: 1, line: 1, ply: None, kind: PgnErrorKind::NoGame, read }
        };
        games(text).next().unwrap_or_else(|| Err(none()))
    }
}

impl Verdict {
    /// The result as PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Win(Side::First) => "1-0",
            Self::Win(Side::Second) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// Reads a result as PGN writes it, or as people often write it by hand.
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
