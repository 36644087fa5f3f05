#![doc = include_str!("../README.md")]

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
pub mod prelude;
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
pub use setup::{Setup, SetupError, SetupFault};
pub use slice::{NoSlice, Slice};
pub use symmetry::Turned;
pub use terms::{Score, ScoreError, Stakes, Terms, Variant};
pub use xgid::XgidError;
