//! Cells: what the solver knows of one index, in one or two bytes that threads share.

use game::{Metric, Plies, Value};
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};
use table::Entry;

/// What the solver knows of one index: nothing yet, that it is a hole, a win or loss with its distance, or one by a rule.
///
/// A narrow cell has one byte. It can hold wins in an odd number of plies and losses in an even number, up to 251 plies.
/// That is enough for most games. If it is not enough, the solver starts again with wide cells of two bytes.
pub trait Cell: Copy + Eq + Send + Sync + 'static {
    /// A cell in memory that threads share. All accesses are relaxed. This is safe because all threads that write a cell
    /// within a round write the same value, and because the parallel loop of a round ends before the next round begins.
    type Shared: Send + Sync;

    /// The number of bytes of a cell.
    const BYTES: usize;
    /// Nothing is known yet. A cell that is unknown at the end is a draw.
    const UNKNOWN: Self;
    /// The index has no position.
    const HOLE: Self;
    /// The side to move wins by a rule, such as perpetual check.
    const WIN_BY_RULE: Self;
    /// The side to move loses by a rule.
    const LOSS_BY_RULE: Self;

    /// The cell for a win or loss. Returns `None` if a cell cannot hold the value.
    fn of(value: Value) -> Option<Self>;
    /// The win or loss in the cell, if there is one with a distance.
    fn value(self) -> Option<Value>;

    /// The entry in a finished table of this metric. A cell that is still unknown is a draw.
    fn entry(self, metric: Metric) -> Entry {
        match self {
            cell if cell == Self::HOLE => Entry::Nothing,
            cell if cell == Self::WIN_BY_RULE => Entry::WinByRule,
            cell if cell == Self::LOSS_BY_RULE => Entry::LossByRule,
            cell => Entry::new(Some(cell.value().unwrap_or(Value::Draw)), metric),
        }
    }

    /// Makes a shared cell.
    fn share(self) -> Self::Shared;
    /// Reads a shared cell.
    fn load(shared: &Self::Shared) -> Self;
    /// Writes a shared cell and returns its old contents.
    fn swap(self, shared: &Self::Shared) -> Self;

    /// Appends the bytes of the cell, lowest byte first.
    fn push_to(self, bytes: &mut Vec<u8>);
    /// Makes a cell from `BYTES` bytes; the inverse of [`push_to`](Self::push_to).
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! impl_sharing {
    ($word:ty, $atomic:ty) => {
        type Shared = $atomic;
        const BYTES: usize = size_of::<$word>();
        const UNKNOWN: Self = 0;
        const HOLE: Self = <$word>::MAX;
        const WIN_BY_RULE: Self = <$word>::MAX - 1;
        const LOSS_BY_RULE: Self = <$word>::MAX - 2;

        fn share(self) -> $atomic {
            <$atomic>::new(self)
        }

        #[inline]
        fn load(shared: &$atomic) -> Self {
            shared.load(Relaxed)
        }

        #[inline]
        fn swap(self, shared: &$atomic) -> Self {
            shared.swap(self, Relaxed)
        }

        fn push_to(self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }

        fn from_bytes(bytes: &[u8]) -> Self {
            Self::from_le_bytes(bytes.try_into().expect("as many bytes as a cell has"))
        }
    };
}

/// The narrow cell. The number is the plies plus one. The parity of the plies tells wins from losses.
impl Cell for u8 {
    impl_sharing!(u8, AtomicU8);

    #[inline]
    fn of(value: Value) -> Option<Self> {
        let (plies, parity) = match value {
            Value::Win(plies) => (plies, 1),
            Value::Loss(plies) => (plies, 0),
            Value::Draw => return None,
        };
        (plies.0 <= 251 && plies.0 % 2 == parity).then(|| plies.0 as u8 + 1)
    }

    #[inline]
    fn value(self) -> Option<Value> {
        match self {
            Self::UNKNOWN | Self::HOLE | Self::WIN_BY_RULE | Self::LOSS_BY_RULE => None,
            code if code % 2 == 0 => Some(Value::Win(Plies(u16::from(code) - 1))),
            code => Some(Value::Loss(Plies(u16::from(code) - 1))),
        }
    }
}

/// The wide cell. The number is twice the plies, plus one for a loss or two for a win.
impl Cell for u16 {
    impl_sharing!(u16, AtomicU16);

    #[inline]
    fn of(value: Value) -> Option<Self> {
        let (plies, kind) = match value {
            Value::Win(plies) => (plies, 2),
            Value::Loss(plies) => (plies, 1),
            Value::Draw => return None,
        };
        (plies.0 <= 32_765).then(|| 2 * plies.0 + kind)
    }

    #[inline]
    fn value(self) -> Option<Value> {
        match self {
            Self::UNKNOWN | Self::HOLE | Self::WIN_BY_RULE | Self::LOSS_BY_RULE => None,
            code if code % 2 == 0 => Some(Value::Win(Plies(code / 2 - 1))),
            code => Some(Value::Loss(Plies(code / 2))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_code_returns<C: Cell + std::fmt::Debug>(codes: impl Iterator<Item = C>) {
        let (mut values, mut others) = (0, Vec::new());
        for code in codes {
            match code.value() {
                Some(value) => {
                    assert_eq!(C::of(value), Some(code), "{value:?}");
                    values += 1;
                }
                None => others.push(code),
            }
            let mut bytes = Vec::new();
            code.push_to(&mut bytes);
            assert_eq!(bytes.len(), C::BYTES);
            assert_eq!(C::from_bytes(&bytes), code);
            assert_eq!(C::load(&code.share()), code);
        }
        let without_value = [C::UNKNOWN, C::LOSS_BY_RULE, C::WIN_BY_RULE, C::HOLE];
        assert!(values > 250 && others == without_value, "{values}, {others:?}");
    }

    #[test]
    fn cells_return_what_they_hold() {
        every_code_returns(0..=u8::MAX);
        every_code_returns(0..=u16::MAX);
        assert_eq!(u8::of(Value::Win(Plies(2))), None, "the parity of narrow cells");
        assert_eq!(u8::of(Value::Loss(Plies(252))), None);
        assert_eq!(u16::of(Value::Win(Plies(40_000))), None);
    }
}
