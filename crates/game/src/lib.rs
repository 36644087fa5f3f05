//! The types and traits that all games share.
//!
//! A game implements three traits: [`Game`] (a game with its options fixed), [`Position`] (a position with its moves),
//! and [`Notation`] (texts for positions and moves). For such a game, this crate provides [`perft`](mod@perft), random
//! play and a [`Record`] of a game, and other crates provide the command line. `docs/add-a-game.md` has an example.
//!
//! ```
//! use endspiel_game::{NoChance, Outcome, Side, perft};
//! use std::ops::ControlFlow;
//!
//! /// Take one or two matches; whoever takes the last one wins.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Matches { left: u8, turn: Side }
//!
//! impl endspiel_game::Position for Matches {
//!     type Move = u8;
//!     type Chance = NoChance;
//!     fn turn(&self) -> Side {
//!         self.turn
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then(|| Outcome::win(self.turn.other(), "last match"))
//!     }
//!     fn visit_moves<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
//!         (1..=self.left.min(2)).try_for_each(visit)
//!     }
//!     fn play_unchecked(&self, taken: u8) -> Self {
//!         Self { left: self.left - taken, turn: self.turn.other() }
//!     }
//! }
//!
//! let five = Matches { left: 5, turn: Side::First };
//! assert_eq!(perft::perft(&five, 3), 7);
//! ```

mod catalogue;
mod centipawns;
mod chance;
mod drawing;
mod endgame;
mod expectation;
mod fold;
mod game;
mod key;
#[cfg(feature = "testing")]
pub mod laws;
pub mod move_lists;
mod notation;
mod numbering;
mod outcome;
#[cfg(feature = "threads")]
pub mod parallel;
pub mod perft;
#[cfg(feature = "testing")]
pub mod perpetual;
mod played;
mod playout;
mod position;
mod predecessors;
mod quoted;
mod record;
mod recorded;
mod repetition;
mod rng;
mod rulebook;
mod side;
mod suggestion;
mod text_lines;
mod value;
mod without;

pub use catalogue::Catalogue;
pub use centipawns::Centipawns;
pub use chance::{ChanceError, ImpossibleChance, NoChance};
pub use drawing::{Colour, Style};
pub use endgame::{Endgame, Location, Metric};
pub use expectation::{Expectation, Expected};
pub use game::{Capabilities, Game, GameOption, Info, Options};
pub use key::Key;
pub use notation::{MoveError, MoveFault, Notation, Resignation};
pub use numbering::{Index, Numbering, ShortNumbering};
pub use outcome::Outcome;
pub use played::{NotPlayed, PlayFault, Played, PlayedError, read_position};
pub use playout::{playout, random_chance, random_move, sample};
pub use position::{IllegalMove, Position, Symmetric};
pub use predecessors::Predecessors;
pub use quoted::{is_visible, quoted, quoted_path, visible, visible_path};
pub use record::{Event, NothingToClaim, Record};
pub use recorded::{GameResult, Recorded, Step};
pub use repetition::Repetition;
pub use rng::Rng;
pub use rulebook::Rulebook;
pub use side::{BySide, Side};
pub use suggestion::{meant, meant_or_known};
pub use text_lines::TextLines;
pub use value::{DistanceUnit, Plies, Value, Wdl};
pub use without::Without;
