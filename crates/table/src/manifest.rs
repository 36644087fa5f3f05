//! A manifest: the tables of a library by name, each with its hash and its size. It is a text, one line per table.

use crate::description;
use crate::error::{Error, Problem};
use crate::library::{Library, Listed};
use crate::source::{self, Source};
use crate::working;
use game::quoted;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

/// The hash and the size of a whole file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// The BLAKE3 hash of all bytes.
    pub hash: [u8; 32],
    /// The number of bytes.
    pub bytes: u64,
}

impl Fingerprint {
    /// Reads all bytes of a source. `progress` gets the length of each piece.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read.
    pub fn of(source: &dyn Source, progress: &dyn Fn(u64)) -> io::Result<Self> {
        let (bytes, mut hasher) = (source.len(), blake3::Hasher::new());
        source::hash(source, 0..bytes, &mut hasher, progress)?;
        Ok(Self { hash: hasher.finalize().into(), bytes })
    }
}

/// The hash in hexadecimal digits, and the size.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", blake3::Hash::from_bytes(self.hash), self.bytes)
    }
}

/// The tables of a library, each with its hash and its size. `docs/remote.md` describes the text of a manifest. A text that
/// somebody else wrote is checked: every name is that of a table below the folder, and occurs once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    tables: BTreeMap<String, Fingerprint>,
}

/// The reason why a text is not a manifest. Each message continues the words "the manifest …".
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ManifestError {
    /// The text is longer than any manifest.
    #[error("is longer than {} bytes", Manifest::LARGEST)]
    TooLarge,
    /// The first line is wrong.
    #[error("does not begin with the line `{FIRST_LINE}`")]
    FirstLine,
    /// The last line has no end.
    #[error("is cut short: its last line has no end")]
    Cut,
    /// A line is too long.
    #[error("has a line {line} of more than {LONGEST_LINE} bytes")]
    LongLine {
        /// The number of the line.
        line: usize,
    },
    /// A line is not text.
    #[error("has a line {line} that is not UTF-8")]
    NotText {
        /// The number of the line.
        line: usize,
    },
    /// A line does not consist of a hash, a size and a name.
    #[error("has a line {line} that is not a hash, a number of bytes and a name")]
    Line {
        /// The number of the line.
        line: usize,
    },
    /// A name is not that of a table below the folder.
    #[error("has a line {line} with the name {}, and no table can have this name", quoted(name))]
    Name {
        /// The number of the line.
        line: usize,
        /// The name.
        name: String,
    },
    /// A name occurs twice.
    #[error("has the table {} twice, the second time in line {line}", quoted(name))]
    Twice {
        /// The number of the second line.
        line: usize,
        /// The name.
        name: String,
    },
}

const FIRST_LINE: &str = "# Endspiel manifest 1: BLAKE3 hash, bytes, table";
/// More than a hash, a number of 64 bits and the longest name take.
const LONGEST_LINE: usize = 1024;

/// What became of a table since a manifest was written.
#[derive(Clone, Debug)]
pub enum Compared {
    /// The file has the same bytes.
    Same,
    /// The manifest has the table, and the library has not.
    Missing,
    /// The file has other bytes.
    Changed {
        /// The bytes of the manifest.
        expected: Fingerprint,
        /// The number of bytes of the file.
        bytes: u64,
    },
    /// The library has the table, and the manifest has not.
    Extra,
    /// The file could not be read.
    Unreadable(Error),
}

impl Manifest {
    /// The most bytes that a manifest may have.
    pub const LARGEST: u64 = 64 << 20;

    /// The tables of a library. Each table is read as a whole. What is not a whole table is not in the manifest; it is among
    /// the errors. `progress` gets the number of bytes that were read, from any thread.
    pub fn of(library: &Library, progress: &(dyn Fn(u64) + Sync)) -> (Self, Vec<Error>) {
        let read = |listed: &Listed| -> Result<_, Error> {
            let table = listed.open()?;
            let fingerprint = Fingerprint { hash: table.file_hash()?, bytes: table.bytes() };
            progress(table.bytes());
            Ok((listed.name().unwrap_or_default().to_owned(), fingerprint))
        };
        let (mut manifest, mut errors) = (Self::default(), Vec::new());
        // Read on all threads, and collected in the order of the list.
        for read in library.list().par_iter().map(read).collect::<Vec<_>>() {
            match read {
                Ok((name, fingerprint)) => drop(manifest.tables.insert(name, fingerprint)),
                Err(error) => errors.push(error),
            }
        }
        (manifest, errors)
    }

    /// Reads a manifest from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, and a [`ManifestError`] within it if it is not a manifest.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut text = Vec::new();
        std::fs::File::open(path)?.take(Self::LARGEST + 1).read_to_end(&mut text)?;
        Self::parse(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// Returns an error if the text is not a manifest.
    pub fn parse(text: &[u8]) -> Result<Self, ManifestError> {
        if text.len() as u64 > Self::LARGEST {
            return Err(ManifestError::TooLarge);
        }
        let text = text.strip_prefix(FIRST_LINE.as_bytes()).and_then(|rest| rest.strip_prefix(b"\n"));
        let text = text.ok_or(ManifestError::FirstLine)?;
        let Some(lines) = text.strip_suffix(b"\n") else {
            return if text.is_empty() { Ok(Self::default()) } else { Err(ManifestError::Cut) };
        };
        let mut tables = BTreeMap::new();
        for (line, bytes) in (2..).zip(lines.split(|&byte| byte == b'\n')) {
            if bytes.len() > LONGEST_LINE {
                return Err(ManifestError::LongLine { line });
            }
            let text = std::str::from_utf8(bytes).map_err(|_| ManifestError::NotText { line })?;
            let (fingerprint, name) = parse_line(text).ok_or(ManifestError::Line { line })?;
            let name = name.to_owned();
            if !description::is_file_name(&name) {
                return Err(ManifestError::Name { line, name });
            }
            if tables.insert(name.clone(), fingerprint).is_some() {
                return Err(ManifestError::Twice { line, name });
            }
        }
        Ok(Self { tables })
    }

    /// Writes the manifest to a file. It is written beside the file, synced and renamed, so that there is never a part of it.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        working::replace(path, |file| write!(file, "{self}"))
    }

    /// The tables with their names, sorted by name.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = (&str, Fingerprint)> + '_ {
        self.tables.iter().map(|(name, &fingerprint)| (name.as_str(), fingerprint))
    }

    /// The hash and the size of a table.
    pub fn get(&self, name: &str) -> Option<Fingerprint> {
        self.tables.get(name).copied()
    }

    /// Compares the tables of a library with the manifest, sorted by name. What cannot be listed comes last, with its path.
    /// `progress` gets the number of bytes that were read, from any thread.
    pub fn compare(&self, library: &Library, progress: &(dyn Fn(u64) + Sync)) -> Vec<(String, Compared)> {
        let (mut here, mut unlisted) = (HashMap::new(), Vec::new());
        for listed in library.list() {
            match listed.name().map(str::to_owned) {
                Some(name) => drop(here.insert(name, listed)),
                None => unlisted.push(listed),
            }
        }
        let compare = |(name, &expected): (&String, &Fingerprint)| {
            let compared =
                here.get(name).map_or(Compared::Missing, |listed| compare(listed, expected, progress));
            (name.clone(), compared)
        };
        let mut compared: Vec<_> = self.tables.par_iter().map(compare).collect();
        let extra = here.keys().filter(|name| !self.tables.contains_key(*name));
        compared.extend(extra.map(|name| (name.clone(), Compared::Extra)));
        compared.sort_by(|(a, _), (b, _)| a.cmp(b));
        compared.extend(unlisted.into_iter().filter_map(|listed| {
            Some((listed.path.to_string_lossy().into_owned(), Compared::Unreadable(listed.source().err()?)))
        }));
        compared
    }
}

fn compare(listed: &Listed, expected: Fingerprint, progress: &dyn Fn(u64)) -> Compared {
    let found = listed.source().and_then(|source| {
        let bytes = source.len();
        // A file of another size need not be read.
        let is_same = bytes == expected.bytes
            && Fingerprint::of(&*source, progress)
                .map_err(|error| Problem::io("read")(error).at(&listed.path))?
                == expected;
        Ok(if is_same { Compared::Same } else { Compared::Changed { expected, bytes } })
    });
    found.unwrap_or_else(|error| match error.problem {
        // A pipe or a device has the name of the table.
        Problem::NotAFile => Compared::Changed { expected, bytes: 0 },
        _ => Compared::Unreadable(error),
    })
}

fn parse_line(line: &str) -> Option<(Fingerprint, &str)> {
    let (hash, rest) = line.split_once(' ')?;
    let (digits, name) = rest.split_once(' ')?;
    let bytes: u64 = digits.parse().ok()?;
    let hash = blake3::Hash::from_hex(hash).ok()?;
    let fingerprint = Fingerprint { hash: hash.into(), bytes };
    // There is one way to write a line: no signs, no capital letters.
    (line.len() - name.len() == fingerprint.to_string().len() + 1
        && line.starts_with(&fingerprint.to_string()))
    .then_some((fingerprint, name))
}

/// The text of the manifest.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        self.tables().try_for_each(|(name, fingerprint)| writeln!(f, "{fingerprint} {name}"))
    }
}
