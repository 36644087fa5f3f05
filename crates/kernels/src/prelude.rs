//! Everything to solve endgames with a kernel and to ask the tables: `use endspiel_kernels::prelude::*;`.

pub use crate::chess::ChessKernel;
pub use crate::onitama::OnitamaKernel;
pub use crate::shogi::ShogiKernel;
pub use ::chess::{self, Chess};
pub use ::onitama::{self, Onitama};
pub use ::shogi::{self, Shogi};
pub use solve::prelude::*;
