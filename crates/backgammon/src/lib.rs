//! Backgammon by its exact rules: positions with dice, cube and score, all legal turns, and the text formats that
//! players and programs exchange.
//!
//! ```
//! use endspiel_backgammon::Backgammon;
//! use game::{Notation, Position};
//!
//! let game = Backgammon::default();
//! let position = game.parse_position("4HPwATDgc/ABMA 31")?;
//! assert_eq!(position.count_moves(), 16, "as many boards can be reached with 3 and 1");
//! let next = position.play(game.parse_move(&position, "8/5 6/5")?)?;
//! assert!(next.awaits_chance(), "now the opponent rolls");
//! assert_eq!(next.board().position_id(next.turn()), "sGfwATDgc/ABMA");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod base64;
mod bearoff;
mod benchmarks;
mod board;
mod cube;
mod dice;
mod doubles;
mod draw;
mod equity;
mod few;
mod field;
mod index;
pub mod mat;
mod match_id;
mod move_text;
mod moves;
mod notation;
mod pairs;
mod places;
mod position;
mod position_id;
mod rules;
mod setup;
mod slice;
mod stated;
mod symmetry;
mod terms;
mod xgid;

pub use bearoff::{BearOff, HomeBoard, MOST_POINTS};
pub use benchmarks::BENCHMARKS;
pub use board::{Board, CHECKERS, Seen};
pub use cube::{Cube, Doublings};
pub use dice::{Dice, Roll};
pub use equity::{Chances, CubeAction, CubeDecision, CubeEquities, CubeOwner, DROP};
pub use few::Few;
pub use field::{Field, POINT_SET, places};
pub use index::Place;
pub use match_id::MatchIdError;
pub use moves::{Move, Turn};
pub use notation::PositionError;
pub use pairs::Twins;
pub use places::{Canonical, Human, Physical};
pub use position::{Phase, Position, Win};
pub use position_id::PositionIdError;
pub use rules::{
    Backgammon, CUBE, CubeUse, DICE, JACOBY, MATCH, OPENING, Opening, OptionError, START, Start, VARIANT,
};
pub use setup::{Setup, SetupError};
pub use slice::{NoSlice, Slice};
pub use symmetry::Turned;
pub use terms::{Score, ScoreError, Stakes, Terms, Variant};
pub use xgid::XgidError;
