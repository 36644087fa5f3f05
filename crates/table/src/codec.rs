//! Compression of blocks.

use crate::error::Problem;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe;

/// How blocks are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// Blocks are not compressed.
    Stored,
    /// Each block is one zstd frame, or is stored without compression if the frame is not shorter.
    Zstd,
    /// Each block is a tile, coded by a model of its payload, from what its neighbours tell.
    Contexts,
}

/// The zstd level of most tables. It was chosen by measurement: see `docs/experiments.md`.
const LEVEL: i32 = 9;
/// The zstd level of large tables. At the usual level, compression would take longer than solving.
const LEVEL_OF_LARGE: i32 = 3;
/// The number of entries from which on a table is large.
const LARGE: u64 = 1 << 28;

impl Codec {
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Stored => 0,
            Self::Zstd => 1,
            Self::Contexts => 2,
        }
    }

    pub(crate) fn with_number(found: u8) -> Result<Self, Problem> {
        [Self::Stored, Self::Zstd, Self::Contexts]
            .into_iter()
            .find(|codec| codec.number() == found)
            .ok_or(Problem::Codec { found })
    }

    /// An encoder for a table with this number of entries.
    pub(crate) fn encoder(self, entries: u64) -> Encoder {
        let level = if entries < LARGE { LEVEL } else { LEVEL_OF_LARGE };
        match self {
            // The payload codes its own blocks.
            Self::Stored | Self::Contexts => Encoder(None),
            // This fails only if the level does not exist or a few hundred kilobytes of memory are missing.
            Self::Zstd => Encoder(Some(Compressor::new(level).expect("a zstd context"))),
        }
    }

    /// Decompresses a block into `packed`. Returns `None` if the result does not fill `packed` exactly.
    pub(crate) fn decode(self, compressed: &[u8], packed: &mut [u8]) -> Option<()> {
        if compressed.len() == packed.len() {
            packed.copy_from_slice(compressed);
            return Some(());
        }
        match self {
            Self::Stored | Self::Contexts => None,
            Self::Zstd => {
                // zstd would accept several frames one after another, and each would be another way to write a block.
                if zstd_safe::find_frame_compressed_size(compressed) != Ok(compressed.len()) {
                    return None;
                }
                // The destination is a slice, so zstd cannot write past its end.
                let written = DECOMPRESSOR
                    .with_borrow_mut(|decompressor| decompressor.decompress_to_buffer(compressed, packed));
                (written.ok()? == packed.len()).then_some(())
            }
        }
    }
}

thread_local! {
    // A context has 160 kB. To make one for each block would take longer than to decompress the block.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("a zstd context"));
}

/// Compresses blocks one after another.
pub(crate) struct Encoder(Option<Compressor<'static>>);

impl Encoder {
    /// Returns the bytes of the block for the file: compressed, or the bytes of `packed` if that is not shorter.
    pub(crate) fn encode(&mut self, packed: &[u8]) -> Vec<u8> {
        let compressed = self.0.as_mut().and_then(|compressor| compressor.compress(packed).ok());
        compressed.filter(|compressed| compressed.len() < packed.len()).unwrap_or_else(|| packed.to_vec())
    }
}
