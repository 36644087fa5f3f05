//! Game records in two formats: KIF, the usual one in Japan, and CSA, which programs exchange.
//!
//! Both are read into the same [`Game`] and written from it. CSA has no variations; both formats hold all other parts
//! of a game.
//!
//! ```
//! use endspiel_shogi::records::{self, Ending, csa, kif};
//!
//! let file = "手合割：平手\n先手：大山\n   1 ７六歩(77)\n   2 投了\n".as_bytes();
//! let game = kif::read(&records::decode(file)?)?;
//! assert_eq!(game.headers.get(records::BLACK), Some("大山"));
//! assert_eq!(game.line.turns()[0].played().to_string(), "7g7f");
//! assert_eq!(game.line.end.as_ref().map(|end| end.ending), Some(Ending::Resigned));
//! assert_eq!(csa::write(&game), "V2.2\nN+大山\nPI\n+\n+7776FU\n%TORYO\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod csa;
mod draft;
mod encoding;
mod ending;
mod error;
mod headers;
pub mod kif;
mod line;
mod stream;

pub use encoding::{EncodingError, decode, to_shift_jis};
pub use ending::Ending;
pub use error::{RecordError, RecordErrorKind};
pub use headers::{BEGUN, BLACK, ENDED, EVENT, HeaderError, Headers, OPENING, SITE, TIME_LIMIT, WHITE};
pub use line::{Comment, End, Line, Turn, VariationError};
pub use stream::Stream;

use crate::moves::Move;
use crate::position::Position;
use game::{IllegalMove, Position as _};

/// How deep variations may be nested. Real analyses are far less deep.
pub const DEEPEST: usize = 100;
/// How many bytes the text of a game may have. The longest games, with all their analysis, have a tenth of that.
pub const LONGEST: usize = 4 << 20;

/// A game: the headers, the moves with their variations, and the end.
///
/// Writing a game and reading it again gives the same game. Neither format keeps the number of the first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The headers. The start position is not one of them.
    pub headers: Headers,
    /// The main line: the moves that were played.
    pub line: Line,
}

impl Game {
    /// Creates a game from its start position, without moves.
    pub fn new(start: Position) -> Self {
        Self { headers: Headers::default(), line: Line::new(start) }
    }

    /// Creates a game from its moves. It ends with mate if the last side to move has no moves, and with a foul if a side has given
    /// check with every move since the last position was there before. Otherwise it is interrupted.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub fn of_moves(start: Position, moves: &[Move]) -> Result<Self, IllegalMove> {
        let mut game = Self::new(start);
        for &m in moves {
            game.line.push(m)?;
        }
        let last = game.line.last();
        let ending = match last.outcome() {
            Some(_) => Ending::Mate,
            None => game.perpetual_check().unwrap_or(Ending::Interrupted),
        };
        game.line.end = Some(End::new(ending));
        Ok(game)
    }

    /// The ending, as the side to move sees it, if a side has given check with every move since the last position was there
    /// before.
    fn perpetual_check(&self) -> Option<Ending> {
        let (turns, last) = (self.line.turns(), self.line.last());
        let cycle = &turns[turns.iter().rposition(|turn| *turn.before() == last)?..];
        let checks = |side| {
            let mut own = cycle.iter().filter(|turn| turn.before().turn() == side);
            own.all(|turn| turn.after().is_check())
        };
        match (checks(last.turn()), checks(last.turn().other())) {
            (true, false) => Some(Ending::IllegalMove),
            (false, true) => Some(Ending::OpponentIllegal),
            _ => None,
        }
    }
}
