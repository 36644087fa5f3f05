//! How users choose the endgames of a game.

use crate::{Endgame, GameOption, Options};

/// Lets users choose slices of a game. Solvers and tables do not need it.
pub trait Catalogue: Endgame {
    /// A command line option that selects many slices, such as `--men 4`.
    const SELECTOR: Option<GameOption> = None;

    /// Lists the options of all rules that have tables of their own. Only a game with many such rules has it.
    const ALL_RULES: Option<fn() -> Vec<Options>> = None;

    /// Returns the slices that a value of the [`SELECTOR`](Self::SELECTOR) selects, or `None` if the value is invalid.
    fn select(&self, value: &str) -> Option<Vec<Self::Slice>> {
        let _ = value;
        None
    }

    /// The chapter of an atlas in which a slice is listed, such as `4 pieces`. Slices of a chapter follow each other.
    fn chapter(&self, slice: Self::Slice) -> String {
        let _ = slice;
        "all endings".to_owned()
    }

    /// Slices that are solved within seconds, for a first try.
    fn starter(&self) -> Vec<Self::Slice> {
        Vec::new()
    }
}
