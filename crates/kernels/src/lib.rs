#![doc = include_str!("../README.md")]

pub mod backgammon;
pub mod chess;
pub mod onitama;
pub mod prelude;
mod rows;
pub mod shogi;
mod spill;
