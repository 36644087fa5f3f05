//! What the solver knows of one index, in one or two bytes that threads share.

use game::{Plies, Value};
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// The knowledge about one index: nothing yet, no position, or a win or loss with its distance.
///
/// A narrow cell knows wins in an odd and losses in an even number of plies, up to 253: that is what most games have.
/// Where it does not suffice the solver starts again with wide ones.
pub trait Cell: Copy + Eq + Send + Sync + 'static {
    /// A cell in memory that threads share. All accesses are relaxed: within a round every thread that writes a cell
    /// writes the same, and rounds are separated by the end of their parallel loops.
    type Shared: Send + Sync;

    /// Bytes per cell.
    const BYTES: usize;
    /// Nothing is known yet; in the end, a draw.
    const UNKNOWN: Self;
    /// The index stands for no position.
    const HOLE: Self;

    /// The cell for a win or loss; nothing if it cannot hold it.
    fn of(value: Value) -> Option<Self>;
    /// The win or loss in the cell.
    fn value(self) -> Option<Value>;

    /// A shared cell.
    fn share(self) -> Self::Shared;
    /// Reads a shared cell.
    fn load(shared: &Self::Shared) -> Self;
    /// Writes a shared cell and gives what was in it.
    fn swap(self, shared: &Self::Shared) -> Self;

    /// Appends its bytes, lowest first.
    fn push_to(self, bytes: &mut Vec<u8>);
    /// Reads `BYTES` bytes.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! impl_sharing {
    ($word:ty, $atomic:ty) => {
        type Shared = $atomic;
        const BYTES: usize = size_of::<$word>();
        const UNKNOWN: Self = 0;
        const HOLE: Self = <$word>::MAX;

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

/// The plies and one more; their parity tells wins from losses.
impl Cell for u8 {
    impl_sharing!(u8, AtomicU8);

    #[inline]
    fn of(value: Value) -> Option<Self> {
        let (plies, parity) = match value {
            Value::Win(plies) => (plies, 1),
            Value::Loss(plies) => (plies, 0),
            Value::Draw => return None,
        };
        (plies.0 <= 253 && plies.0 % 2 == parity).then(|| plies.0 as u8 + 1)
    }

    #[inline]
    fn value(self) -> Option<Value> {
        match self {
            Self::UNKNOWN | Self::HOLE => None,
            code if code % 2 == 0 => Some(Value::Win(Plies(u16::from(code) - 1))),
            code => Some(Value::Loss(Plies(u16::from(code) - 1))),
        }
    }
}

/// Twice the plies, and one more for a loss, two for a win.
impl Cell for u16 {
    impl_sharing!(u16, AtomicU16);

    #[inline]
    fn of(value: Value) -> Option<Self> {
        let (plies, kind) = match value {
            Value::Win(plies) => (plies, 2),
            Value::Loss(plies) => (plies, 1),
            Value::Draw => return None,
        };
        (plies.0 <= 32_766).then(|| 2 * plies.0 + kind)
    }

    #[inline]
    fn value(self) -> Option<Value> {
        match self {
            Self::UNKNOWN | Self::HOLE => None,
            code if code % 2 == 0 => Some(Value::Win(Plies(code / 2 - 1))),
            code => Some(Value::Loss(Plies(code / 2))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_code_returns<C: Cell + std::fmt::Debug>(codes: impl Iterator<Item = C>) {
        for code in codes {
            if let Some(value) = code.value() {
                assert_eq!(C::of(value), Some(code), "{value:?}");
            }
            let mut bytes = Vec::new();
            code.push_to(&mut bytes);
            assert_eq!(bytes.len(), C::BYTES);
            assert_eq!(C::from_bytes(&bytes), code);
            assert_eq!(C::load(&code.share()), code);
        }
    }

    #[test]
    fn cells_return_what_they_hold() {
        every_code_returns(0..=u8::MAX);
        every_code_returns(0..=u16::MAX);
        assert_eq!(u8::of(Value::Win(Plies(2))), None, "the parity of narrow cells");
        assert_eq!(u8::of(Value::Loss(Plies(254))), None);
        assert_eq!(u16::of(Value::Win(Plies(40_000))), None);
    }
}
