//! How the bytes of a block are made smaller.

use crate::error::Problem;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// How blocks are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// Not at all.
    Stored,
    /// Each block is one zstd frame, or as it is where that is not longer.
    Zstd,
}

/// By measurement: `docs/experiments.md`. Of a table with very many entries compressing at the usual level would take longer than solving.
const LEVEL: i32 = 9;
const LEVEL_OF_LARGE: i32 = 3;
const LARGE: u64 = 1 << 28;

impl Codec {
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Stored => 0,
            Self::Zstd => 1,
        }
    }

    pub(crate) fn with_number(found: u8) -> Result<Self, Problem> {
        [Self::Stored, Self::Zstd]
            .into_iter()
            .find(|codec| codec.number() == found)
            .ok_or(Problem::Codec { found })
    }

    /// For a table of so many entries.
    pub(crate) fn encoder(self, entries: u64) -> Encoder {
        let level = if entries < LARGE { LEVEL } else { LEVEL_OF_LARGE };
        match self {
            Self::Stored => Encoder(None),
            // It fails only for levels that do not exist and for want of a few hundred kilobytes.
            Self::Zstd => Encoder(Some(Compressor::new(level).expect("a zstd context"))),
        }
    }

    /// Fills `packed` exactly; `None` if these bytes are not its compressed form.
    pub(crate) fn decode(self, compressed: &[u8], packed: &mut [u8]) -> Option<()> {
        if compressed.len() == packed.len() {
            packed.copy_from_slice(compressed);
            return Some(());
        }
        match self {
            Self::Stored => None,
            Self::Zstd => {
                // The destination is a slice: zstd cannot write more than it holds.
                let written = DECOMPRESSOR
                    .with_borrow_mut(|decompressor| decompressor.decompress_to_buffer(compressed, packed));
                (written.ok()? == packed.len()).then_some(())
            }
        }
    }
}

thread_local! {
    // A context has 160 kB; making one for each block would take longer than the block.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("a zstd context"));
}

/// Compresses block after block.
pub(crate) struct Encoder(Option<Compressor<'static>>);

impl Encoder {
    /// The block as it stands in the file: shorter than `packed`, or the same.
    pub(crate) fn encode(&mut self, packed: &[u8]) -> Vec<u8> {
        let compressed = self.0.as_mut().and_then(|compressor| compressor.compress(packed).ok());
        compressed.filter(|compressed| compressed.len() < packed.len()).unwrap_or_else(|| packed.to_vec())
    }
}
