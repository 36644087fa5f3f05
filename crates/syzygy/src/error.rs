//! Errors. A [`Problem`] says what is wrong with a file, an [`Error`] adds its path, and a [`ProbeError`] says why a position
//! has no answer.

use crate::material::Material;
use game::quoted_path;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use table::NotAFile;

/// What a file stores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss: files that end in `.rtbw`.
    Wdl,
    /// The distance to zeroing: files that end in `.rtbz`.
    Dtz,
}

impl Metric {
    /// Both kinds of files.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// The extension of the files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

/// Writes the extension, which is the usual name of the kind of file.
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// A problem with a file or folder, and its path.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{} {problem}", quoted_path(path))]
pub struct Error {
    /// The path of the file or folder.
    pub path: PathBuf,
    /// The problem.
    pub problem: Problem,
}

/// What is wrong with a file or folder. Each message continues its path.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// An I/O operation failed.
    #[error("cannot be read: {reason}")]
    Io {
        /// The I/O error.
        reason: Arc<io::Error>,
    },
    /// The path is that of a folder, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// The first bytes are not those of a Syzygy table of this kind.
    #[error("is not a Syzygy table of this kind: its first bytes are others")]
    NotATable,
    /// The length is not that of a Syzygy table: a multiple of 64 bytes, and 16 bytes more.
    #[error("has a length of {length} bytes, which no Syzygy table has: it is cut short, grown or damaged")]
    Length {
        /// The length of the file.
        length: u64,
    },
    /// The file ends before the parts that its header names.
    #[error("is too short for what its header says: it is cut short or damaged")]
    TooShort,
    /// The header is that of another material, or it lists the pieces in a way that no table has.
    #[error("is damaged, or the table of other pieces: its pieces do not fit its name")]
    Pieces,
    /// The size of the blocks or the distance of the index entries is not allowed.
    #[error("is damaged: the sizes of its blocks are not possible")]
    BlockSizes,
    /// The lengths of the codes are not those of a prefix code.
    #[error("is damaged: its code is not a prefix code")]
    Code,
    /// The pairs of symbols form a cycle, name a symbol that does not exist, or are too long.
    #[error("is damaged: its symbols do not form trees")]
    Symbols,
    /// A block, or the index that leads to it, is not valid. This is found when a position is probed.
    #[error("is damaged: block {block} does not unpack")]
    Block {
        /// The number of the block.
        block: u32,
    },
    /// A value is not one that a table can store. This is found when a position is probed.
    #[error("is damaged: it has the value {found}, which no table has")]
    Value {
        /// The value.
        found: u16,
    },
    /// The file stores the distances of one side to move, and the positions of the other side do not lead to these.
    #[error("is damaged: it does not store the side to move that it names")]
    SideToMove,
}

impl From<io::Error> for Problem {
    fn from(reason: io::Error) -> Self {
        match reason.kind() {
            _ if NotAFile::is_reason_of(&reason) => Self::NotAFile,
            io::ErrorKind::UnexpectedEof => Self::TooShort,
            _ => Self::Io { reason: Arc::new(reason) },
        }
    }
}

/// The reason why a position has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ProbeError {
    /// A side may still castle. Syzygy tables have no such positions.
    #[error("a side may still castle, and tables have no positions with castling rights")]
    Castling,
    /// The position has more men than the largest table.
    #[error("the position has {men} men, and the largest table that was found has {largest}")]
    TooManyMen {
        /// The number of men in the position, kings included.
        men: u32,
        /// The number of men in the largest table.
        largest: u32,
    },
    /// The table of this material is missing. It can also be the table after a capture or promotion.
    #[error("the table {material}.{metric} was not found")]
    Missing {
        /// The material, with the stronger side first.
        material: Material,
        /// The kind of the file.
        metric: Metric,
    },
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] Error),
}
