//! Kernels: special solvers, with a folder for each game that has one. A kernel gives the same tables as the generic solver,
//! but faster.

pub mod backgammon;
pub mod chess;
pub mod onitama;
mod rows;
pub mod shogi;
mod spill;
