//! Errors of tables. A [`Problem`] says what is wrong; an [`Error`] adds the file.

use crate::source::NotAFile;
use game::{Metric, quoted, quoted_path};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A problem with a table or with a folder of tables, and its path.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the {} {} {problem}", problem.subject(), quoted_path(path))]
pub struct Error {
    /// The path of the file or folder.
    pub path: PathBuf,
    /// The problem.
    pub problem: Problem,
}

/// A problem with the bytes of a table, or with entries to be written. Each message continues the words "the table …".
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// An I/O operation failed.
    #[error("cannot be {action}: {reason}")]
    Io {
        /// The operation that failed: "opened", "read", "written" …
        action: &'static str,
        /// The I/O error.
        reason: Arc<io::Error>,
    },
    /// The path is that of a folder, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// The first bytes are not those of a table.
    #[error("is not an Endspiel table: its first bytes are not those of a table")]
    NotATable,
    /// The table has a version of the format that this crate cannot read.
    #[error(
        "has version {found} of the format{}, and only versions 1 to {} can be read here",
        if *found > crate::format::VERSIONS { ", which is newer than this program" } else { "" },
        crate::format::VERSIONS
    )]
    Version {
        /// The version of the table.
        found: u16,
    },
    /// Bytes are missing at the end of the file or were added there.
    #[error(
        "has a length of {length} bytes that does not fit its contents: it is cut short, grown or damaged"
    )]
    Length {
        /// The length of the file.
        length: u64,
    },
    /// A checksum is wrong.
    #[error("is damaged: the checksum of {part} is wrong")]
    Checksum {
        /// The part of the file with the wrong checksum.
        part: Part,
    },
    /// The hash of the whole file is wrong, although all checksums are right.
    #[error("is damaged: its contents do not have the hash that they had when they were written")]
    ContentHash,
    /// The fields of the header do not fill it exactly.
    #[error("is malformed: the header's fields do not fill it")]
    HeaderFields,
    /// A name in the header is not allowed.
    #[error("is malformed: the name of its {field} is not valid")]
    Name {
        /// The field with the wrong name.
        field: Field,
    },
    /// The codec is not known.
    #[error("is malformed: there is no codec {found}")]
    Codec {
        /// The number of the codec.
        found: u8,
    },
    /// The block size is not allowed.
    #[error(
        "is malformed: {found} entries per block are not a power of two up to {} that fits in {} bytes",
        crate::format::LARGEST_BLOCK,
        crate::format::LARGEST_PACKED
    )]
    BlockSize {
        /// The number of entries per block.
        found: u32,
    },
    /// The description of the payload is not valid, or does not fit the table.
    #[error("is malformed: what it says about its payload is not valid")]
    Payload,
    /// The palette, which is the list of the different entries, is not valid.
    #[error("is malformed: the list of the entries that occur is not valid")]
    Palette,
    /// The number of blocks does not fit the number of entries, or the length of a block is not allowed.
    #[error("is malformed: the lengths of its blocks do not fit")]
    Blocks,
    /// A block has the right checksum, but its contents are not valid.
    #[error("is malformed: block {block} does not unpack to its entries")]
    BlockContents {
        /// The number of the block.
        block: u64,
    },
    /// The distances belong to other outcomes than those that are there.
    #[error(
        "has the distances of other outcomes than those in {}: one of the two files was replaced; bring the right one back, or remove both and solve again",
        quoted_path(outcomes)
    )]
    OtherOutcomes {
        /// The path of the table of outcomes.
        outcomes: PathBuf,
    },
    /// The outcomes to which the distances belong are missing.
    #[error(
        "has only distances, and {}, which has the wins, draws and losses, is missing; bring it back, or remove the distances and solve again",
        quoted_path(outcomes)
    )]
    NoOutcomes {
        /// The path of the table of outcomes.
        outcomes: PathBuf,
    },
    /// The index is not below the number of entries.
    #[error("has only {entries} entries: it has no index {index}")]
    NoSuchIndex {
        /// The index.
        index: u64,
        /// The number of entries.
        entries: u64,
    },
    /// The file is a table, but not the expected one.
    #[error(
        "is not the one that belongs there: its {field} is {} instead of {}",
        quoted(found),
        quoted(expected)
    )]
    Mismatch {
        /// The field that differs.
        field: Field,
        /// The expected text of the field.
        expected: String,
        /// The text of the field in the header.
        found: String,
    },
    /// The file is at the path of another table.
    #[error("is in the wrong place: its header says that it belongs at {}", quoted_path(belongs))]
    Misplaced {
        /// The path where the table belongs.
        belongs: PathBuf,
    },
    /// The writer got an entry that a table of this metric cannot hold.
    #[error("cannot be written: {entry} at index {index} has no place in a table of {}", metric.name())]
    Unfit {
        /// The index of the entry.
        index: u64,
        /// The entry in `Debug` format.
        entry: String,
        /// The metric.
        metric: Metric,
    },
    /// The table has more different entries than the format allows.
    #[error("cannot be written: it has {found} different entries, and {} is the most", crate::values::MOST)]
    TooManyDifferent {
        /// The number of different entries.
        found: usize,
    },
    /// The writer got a block that is not packed correctly.
    #[error("cannot be written: the block that begins at index {index} is not packed as it should be")]
    Packed {
        /// The first index of the block.
        index: u64,
    },
    /// An entry changed between the two passes of the writer.
    #[error("cannot be written: its entry at index {index} changed meanwhile")]
    Unsteady {
        /// The index of the entry.
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
    /// The block index.
    BlockIndex,
    /// The trailer.
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
    /// The rules.
    Rules,
    /// The slice.
    Slice,
    /// The metric.
    Metric,
    /// The numbering.
    Index,
    /// The number of entries.
    Entries,
    /// The payload.
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

/// The kind of a problem: what it means for the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The bytes are not those that were written.
    Damaged,
    /// The file is something else, and never was a table.
    Foreign,
    /// A newer version of the program wrote the table.
    Newer,
    /// The file is a table, but not the one that belongs there.
    Misplaced,
    /// The file could not be read, so nothing is known about its bytes.
    Unreadable,
}

impl Fault {
    /// The name of the kind in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Foreign => "foreign",
            Self::Newer => "newer",
            Self::Misplaced => "misplaced",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Writes the kind in the words of a list of files.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damaged => "damaged",
            Self::Foreign => "not a table",
            Self::Newer => "newer version",
            Self::Misplaced => "misplaced",
            Self::Unreadable => "not read",
        })
    }
}

impl Error {
    /// Returns whether the place of the table is out of reach, such as a server that does not answer.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        matches!(&self.problem, Problem::Io { reason, .. } if reason.kind() == io::ErrorKind::HostUnreachable)
    }

    /// Tells damaged, foreign, newer, misplaced and unreadable files apart.
    pub fn fault(&self) -> Fault {
        match self.problem {
            Problem::Io { .. } => Fault::Unreadable,
            Problem::NotAFile | Problem::NotATable => Fault::Foreign,
            Problem::Version { found } if found > crate::format::VERSIONS => Fault::Newer,
            Problem::Mismatch { .. } | Problem::Misplaced { .. } => Fault::Misplaced,
            _ => Fault::Damaged,
        }
    }
}

impl Problem {
    /// What has the problem: a table, or a folder that cannot be listed.
    fn subject(&self) -> &'static str {
        if matches!(self, Self::Io { action: "listed", .. }) { "folder" } else { "table" }
    }

    /// Returns a function for `map_err` that makes a problem from an I/O error. `action` is "read", "written" …
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |reason| match NotAFile::is_reason_of(&reason) {
            true => Self::NotAFile,
            false => Self::Io { action, reason: Arc::new(reason) },
        }
    }

    /// Adds the file to the problem.
    pub fn at(self, path: &Path) -> Error {
        Error { path: path.to_owned(), problem: self }
    }
}
