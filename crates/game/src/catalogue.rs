//! Which endings people ask for, and how.

use crate::{Endgame, GameOption, Options};

/// The slices of a game as people choose them. Solvers and tables do without it.
pub trait Catalogue: Endgame {
    /// An option that stands for many slices, such as `--men 4`.
    const SELECTOR: Option<GameOption> = None;

    /// The slices that a value of the [`SELECTOR`](Self::SELECTOR) stands for; nothing if it is no such value.
    fn select(&self, value: &str) -> Option<Vec<Self::Slice>> {
        let _ = value;
        None
    }

    /// Slices that are solved within seconds: what a newcomer gets first.
    fn starter(&self) -> Vec<Self::Slice> {
        Vec::new()
    }

    /// Options for each of the rules that have tables of their own, of a game that has many; else nothing.
    fn all_rules() -> Vec<Options> {
        Vec::new()
    }
}
