#![doc = include_str!("../README.md")]

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
pub mod prelude;
mod quoted;
mod record;
mod recorded;
mod repetition;
mod rng;
mod rulebook;
mod setup;
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
pub use recorded::{Comment, GameResult, Recorded, Step};
pub use repetition::Repetition;
pub use rng::Rng;
pub use rulebook::Rulebook;
pub use setup::{Fault, Faults, Setup};
pub use side::{BySide, Side};
pub use suggestion::{meant, meant_or_known};
pub use text_lines::TextLines;
pub use value::{DistanceUnit, Plies, Value, Wdl};
pub use without::Without;
