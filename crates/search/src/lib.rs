#![doc = include_str!("../README.md")]

mod alpha_beta;
mod bench;
pub mod chess;
mod control;
mod corrections;
mod engine;
mod features;
mod limits;
mod oracle;
mod ordering;
mod own_tables;
mod path;
mod prefetch;
pub mod protocol;
mod quiescence;
mod reductions;
mod report;
mod score;
mod searchable;
pub mod shogi;
mod transposition;
mod worker;

pub use bench::{Bench, bench};
pub use control::Control;
pub use engine::Engine;
pub use features::{Group, Tally, Tapered};
pub use limits::{Allotted, Clock, Limits};
pub use oracle::{BestMoves, Known, NoOracle, Oracle};
pub use report::{Found, Report};
pub use score::{MOST_PLIES, Score};
pub use searchable::{Blind, Evaluator, MoveOf, Searchable};
pub use transposition::{Bound, Entry, Transpositions};
