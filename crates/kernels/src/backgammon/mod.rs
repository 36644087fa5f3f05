//! The kernel for backgammon with few checkers: hypergammon, and the last checkers of the ordinary game.

pub mod approach;
pub mod chosen;
pub mod cube;
pub mod entries;
pub mod few;
pub mod plays;
pub mod real;
pub mod stages;
pub mod sweep;
pub mod verify;
