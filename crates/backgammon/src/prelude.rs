//! Everything to set up positions, to list, play and count moves, and to read and write texts:
//! `use endspiel_backgammon::prelude::*;`.

pub use crate::{
    Backgammon, Board, Cube, Dice, Doublings, Move, Phase, Position, Roll, Score, Setup, Stakes, Terms,
    Variant,
};
pub use game::prelude::*;
