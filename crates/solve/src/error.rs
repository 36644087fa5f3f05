//! Why a run could not do what was asked.

use crate::run::Stop;

/// Why a run could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The memory does not suffice.
    #[error(
        "solving {batch} takes {} of memory and {} are allowed; `--memory` sets another limit",
        bytes(*needed), bytes(*allowed)
    )]
    Memory {
        /// The batch.
        batch: String,
        /// What it takes, in bytes.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// A batch was left before its end.
    #[error("{batch}: {stop}")]
    Stopped {
        /// The batch.
        batch: String,
        /// Why.
        stop: Stop,
    },
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A table that should be there is not.
    #[error("there is no table of {slice} for {game} ({rules}); `endspiel solve {game} {slice}` makes it")]
    Missing {
        /// The game.
        game: &'static str,
        /// Its rules.
        rules: String,
        /// The slice.
        slice: String,
    },
}

/// A number of bytes as people read it.
fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(4);
    let scaled = bytes as f64 / f64::from(1 << 10).powi(unit as i32);
    format!("{scaled:.*} {}", usize::from(unit > 0), UNITS[unit as usize])
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_read_well() {
        assert_eq!(
            [0, 1023, 1024, 1536 << 20].map(super::bytes),
            ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 GiB"]
        );
    }
}
