//! The tables of backgammon: bear-offs, and endgames with few checkers.

pub mod bearoff;
pub mod few;
mod slices;
mod verified;

pub use bearoff::ROLLS;
pub use few::{HYPER, LEFT, Odds};
pub use slices::{RULES, Settings, describe, export, memory_to_export, needs, seconds, solve, verify};
pub use verified::{Number, Unlike, Verified};
