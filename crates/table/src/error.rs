//! What can be wrong with a table, on two levels: what is wrong with the bytes, and in which file.

use game::Metric;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is wrong, and in which file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the table `{}` {problem}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with the bytes of a table, or with what was to be written. Each text goes on from "the table …".
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// The operating system refused.
    #[error("cannot be {action}: {reason}")]
    Io {
        /// What was tried: "opened", "read", "written" …
        action: &'static str,
        /// Why it failed.
        reason: Arc<io::Error>,
    },
    /// It does not begin as tables do.
    #[error("is not an Endspiel table: it does not begin as one")]
    NotATable,
    /// It is a table of another version of the format.
    #[error(
        "has version {found} of the format, and only versions 1 to {} can be read here",
        crate::format::VERSIONS
    )]
    Version {
        /// Its version.
        found: u16,
    },
    /// Something has been cut off or added.
    #[error(
        "has a length of {length} bytes that does not fit its contents: it is cut short, grown or damaged"
    )]
    Length {
        /// Its length.
        length: u64,
    },
    /// A checksum is wrong.
    #[error("is damaged: the checksum of {part} is wrong")]
    Checksum {
        /// What it is the checksum of.
        part: Part,
    },
    /// The hash over the whole file is wrong, though all checksums are right.
    #[error("is damaged: its contents do not have the hash that they had when they were written")]
    ContentHash,
    /// The header's fields do not end where the header does.
    #[error("is malformed: the header's fields do not fill it")]
    HeaderFields,
    /// A text of the header is none.
    #[error("is malformed: the name of the {field} is not a name")]
    Name {
        /// Which text.
        field: Field,
    },
    /// A codec that this version does not know.
    #[error("is malformed: there is no codec {found}")]
    Codec {
        /// Its number.
        found: u8,
    },
    /// A block size that is not allowed.
    #[error(
        "is malformed: {found} entries per block are not a power of two up to {} that fits in {} bytes",
        crate::format::LARGEST_BLOCK,
        crate::format::LARGEST_PACKED
    )]
    BlockSize {
        /// Entries per block.
        found: u32,
    },
    /// The header describes a payload that is none, or not one of such a table.
    #[error("is malformed: what it says about its payload is not valid")]
    Payload,
    /// The list of the entries that occur is not one.
    #[error("is malformed: the list of the entries that occur is not valid")]
    Palette,
    /// The blocks are not as many as the entries need, or one is longer than it can be.
    #[error("is malformed: the lengths of its blocks do not fit")]
    Blocks,
    /// A block with the right checksum does not hold what it should.
    #[error("is malformed: block {block} does not unpack to its entries")]
    BlockContents {
        /// Its number.
        block: u64,
    },
    /// There is no such index.
    #[error("has {entries} entries, and so none at {index}")]
    NoSuchIndex {
        /// The index.
        index: u64,
        /// How many entries there are.
        entries: u64,
    },
    /// It is a table, but not the one that was asked for.
    #[error("is not the one that belongs there: its {field} is `{found}` instead of `{expected}`")]
    Mismatch {
        /// In what it differs.
        field: Field,
        /// What was asked for.
        expected: String,
        /// What the header says.
        found: String,
    },
    /// It lies where another table belongs.
    #[error("does not belong where it lies: its header says `{}`", belongs.display())]
    Misplaced {
        /// Where it belongs.
        belongs: PathBuf,
    },
    /// An entry that a table of this metric cannot hold was to be written.
    #[error("cannot be written: {entry} at index {index} has no place in a table of {}", metric.name())]
    Unfit {
        /// Its index.
        index: u64,
        /// The entry, as `Debug` writes it.
        entry: String,
        /// The metric.
        metric: Metric,
    },
    /// More different entries than the format can number.
    #[error("cannot be written: it has {found} different entries, and {} is the most", crate::values::MOST)]
    TooManyDifferent {
        /// How many there are.
        found: usize,
    },
    /// A block was to be written that is not packed as the format says.
    #[error("cannot be written: the block that begins at index {index} is not packed as it should be")]
    Packed {
        /// Its first index.
        index: u64,
    },
    /// The entries changed between the two looks that the writer takes.
    #[error("cannot be written: its entry at index {index} changed meanwhile")]
    Unsteady {
        /// The index.
        index: u64,
    },
}

/// A part of the file that has a checksum of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The header.
    Header,
    /// A block.
    Block(u64),
    /// The list of the blocks.
    BlockIndex,
    /// The end of the file.
    Trailer,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "the header"),
            Self::Block(block) => write!(f, "block {block}"),
            Self::BlockIndex => write!(f, "the block index"),
            Self::Trailer => write!(f, "the trailer"),
        }
    }
}

/// A field of a [`Description`](crate::Description).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The game.
    Game,
    /// Its rules.
    Rules,
    /// The slice.
    Slice,
    /// The metric.
    Metric,
    /// The numbering.
    Index,
    /// The number of entries.
    Entries,
    /// What is stored for each index.
    Payload,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Rules => "rules",
            Self::Slice => "slice",
            Self::Metric => "metric",
            Self::Index => "index",
            Self::Entries => "number of entries",
            Self::Payload => "payload",
        })
    }
}

impl Problem {
    /// For `map_err`: the operating system refused to have the table read, written …
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |reason| Self::Io { action, reason: Arc::new(reason) }
    }

    /// In which file.
    pub(crate) fn at(self, path: &Path) -> Error {
        Error { path: path.to_owned(), problem: self }
    }
}
