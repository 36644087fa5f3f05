//! Special solvers, a folder per game that has one. Each gives the same tables as the generic solver, sooner.

pub mod onitama;
