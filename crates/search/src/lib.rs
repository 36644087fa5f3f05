//! Finds the best move of a position: alpha-beta search that asks endgame tables.
//!
//! A game gives what [`Searchable`] asks for, mostly with defaults. The search is compiled for each game.
//!
//! ```
//! use chess::Chess;
//! use endspiel_search::{Control, Engine, Limits, chess::Tables};
//! use game::Notation;
//!
//! let mate_in_two = Chess::STANDARD.parse_position("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16")?;
//! let mut engine = Engine::new(Chess::STANDARD, Tables::default());
//! let limits = Limits { depth: Some(8), ..Limits::default() };
//! let found = engine.search(&[mate_in_two], &limits, &Control::new(), &mut |_| ());
//! assert_eq!(found.best.unwrap().to_string(), "b3b8");
//! assert!(found.score.is_mate());
//! # Ok::<(), chess::PositionError>(())
//! ```

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
