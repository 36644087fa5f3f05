//! A setup: a position that was put together from parts or read from text, and is not checked yet.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

/// A position before it is checked. [`position`](Setup::position) checks it and tells every fault.
///
/// Every game with positions from outside has a type of this kind, called `Setup`, with public parts. It may hold anything that
/// these parts can express.
pub trait Setup {
    /// The checked position.
    type Position;
    /// What can be wrong.
    type Fault: Fault;

    /// All faults, in a fixed order. The list is empty if the position is legal.
    fn faults(&self) -> Vec<Self::Fault>;

    /// The position, without any check. Parts that mean nothing because of a fault are left out, such as a castling right
    /// without a rook. The setup must have no faults but [playable](Fault::is_playable) ones: for others, moves are unspecified
    /// and a method may panic.
    fn position_unchecked(&self) -> Self::Position;

    /// Checks everything.
    ///
    /// # Errors
    /// Returns all faults, if there is one.
    fn position(&self) -> Result<Self::Position, Faults<Self::Fault>> {
        self.position_accepting(|_| false)
    }

    /// Checks everything, but ignores the faults that the caller accepts. Only [playable](Fault::is_playable) faults can be
    /// accepted, because the rules need the rest. `|_| true` accepts every playable fault.
    ///
    /// # Errors
    /// Returns the faults that remain, if there is one.
    fn position_accepting(
        &self,
        accept: impl Fn(&Self::Fault) -> bool,
    ) -> Result<Self::Position, Faults<Self::Fault>> {
        let mut faults = self.faults();
        faults.retain(|fault| !(fault.is_playable() && accept(fault)));
        if faults.is_empty() { Ok(self.position_unchecked()) } else { Err(Faults(faults)) }
    }
}

/// A fault of a setup.
pub trait Fault: Error {
    /// Returns whether a position with this fault can still be played by the rules: moves are found and played, and every
    /// promise of the position holds, though no game leads to it. [`Setup::position_accepting`] can accept such a fault.
    fn is_playable(&self) -> bool;
}

/// The faults of a setup: at least one. The text of this error names them all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults<F>(Vec<F>);

impl<F> Deref for Faults<F> {
    type Target = [F];

    fn deref(&self) -> &[F] {
        &self.0
    }
}

impl<F> IntoIterator for Faults<F> {
    type Item = F;
    type IntoIter = std::vec::IntoIter<F>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<F: fmt::Display> fmt::Display for Faults<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(i, fault)| {
            let separator = if i > 0 { "; " } else { "" };
            write!(f, "{separator}{fault}")
        })
    }
}

impl<F: Fault> Error for Faults<F> {}
