//! Backgammon with few checkers anywhere on the board: hypergammon, and the last checkers of the ordinary game.

mod approach;
mod chosen;
mod cube;
mod entries;
mod plays;
mod real;
mod solve;
mod stages;
mod sweep;
mod verify;

pub use entries::{HYPER, LEFT, Odds, UNIT, description, payload};
pub use solve::{Report, needs, solve};
pub use verify::{Verified, memory_to_verify, verify};
