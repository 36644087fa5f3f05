//! The record of the last verification of a table: a small text file beside it, such as `KRvK.dtm.verified`.
//!
//! ```text
//! endspiel verification 1
//! hash 8f0c…
//! depth everything
//! date 2026-11-18T07:52:10Z
//! ```

use crate::working;
use std::fmt;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How thoroughly a table is verified. A later depth includes the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Depth {
    /// Every checksum and the content hash: the bytes are those that were written.
    Checksums,
    /// Also the values of random positions, derived again from the values after each move.
    Sample {
        /// The number of positions.
        positions: u64,
        /// The same seed gives the same positions.
        seed: u64,
    },
    /// Also every value, derived again.
    Everything,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checksums => write!(f, "checksums"),
            Self::Sample { positions, seed } => write!(f, "sample {positions} seed {seed}"),
            Self::Everything => write!(f, "everything"),
        }
    }
}

impl Depth {
    fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok();
        match text.split(' ').collect::<Vec<_>>()[..] {
            ["checksums"] => Some(Self::Checksums),
            ["sample", positions, "seed", seed] => {
                Some(Self::Sample { positions: number(positions)?, seed: number(seed)? })
            }
            ["everything"] => Some(Self::Everything),
            _ => None,
        }
    }
}

/// A successful verification of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verification {
    /// The content hash of the table that was verified.
    pub content_hash: [u8; 32],
    /// How thoroughly it was verified.
    pub depth: Depth,
    /// When it was verified, such as `2026-11-18T07:52:10Z`.
    pub date: String,
}

/// The reason why a record is ignored.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its text is not that of a record.
    #[error("it is not the record of a verification")]
    NotARecord,
}

impl Verification {
    /// The first line of a record.
    const TITLE: &str = "endspiel verification 1";

    /// No record has more bytes.
    const LONGEST: u64 = 300;

    /// The path of the record of a table.
    pub fn path(table: &Path) -> PathBuf {
        table.with_extension("verified")
    }

    /// Reads the record of a table. Returns `None` if there is none, or if it is about other contents: the table was made
    /// again since.
    ///
    /// # Errors
    /// Returns an error if there is a file that cannot be read or is no record.
    pub fn of(table: &Path, content_hash: [u8; 32]) -> Result<Option<Self>, BadRecord> {
        let file = match working::open(&Self::path(table)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut bytes = Vec::new();
        file.take(Self::LONGEST + 1).read_to_end(&mut bytes)?;
        let text = String::from_utf8(bytes).map_err(|_| BadRecord::NotARecord)?;
        let record = Self::parse(&text).ok_or(BadRecord::NotARecord)?;
        Ok(Some(record).filter(|record| record.content_hash == content_hash))
    }

    /// Records that a table was verified now. A deeper verification of the same contents stays recorded, because it still
    /// holds.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written.
    pub fn record(table: &Path, content_hash: [u8; 32], depth: Depth) -> io::Result<()> {
        if Self::of(table, content_hash).is_ok_and(|last| last.is_some_and(|last| last.depth > depth)) {
            return Ok(());
        }
        let record = Self { content_hash, depth, date: utc_now() };
        working::replace(&Self::path(table), |file| write!(file, "{record}"))
    }

    /// Removes the record of a table, if there is one.
    ///
    /// # Errors
    /// Returns an error if it cannot be removed.
    pub fn forget(table: &Path) -> io::Result<()> {
        working::remove(&Self::path(table))
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('\n')?;
        let [title, hash, depth, date] = text.split('\n').collect::<Vec<_>>()[..] else { return None };
        let (hash, date) = (hash.strip_prefix("hash ")?, date.strip_prefix("date ")?);
        let is_record = title == Self::TITLE && is_date(date);
        let content_hash = blake3::Hash::from_hex(hash).ok().filter(|_| is_record)?.into();
        Some(Self {
            content_hash,
            depth: Depth::parse(depth.strip_prefix("depth ")?)?,
            date: date.to_owned(),
        })
    }
}

/// Writes the text of the file.
impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { content_hash, depth, date } = self;
        let hash = blake3::Hash::from(*content_hash).to_hex();
        writeln!(f, "{}\nhash {hash}\ndepth {depth}\ndate {date}", Self::TITLE)
    }
}

/// Returns whether a text has the form of a date of [`utc_now`].
fn is_date(text: &str) -> bool {
    let fits = |(found, form): (u8, u8)| if form == b'0' { found.is_ascii_digit() } else { found == form };
    let form = b"0000-00-00T00:00:00Z";
    text.len() == form.len() && text.bytes().zip(form.iter().copied()).all(fits)
}

/// The date and time in Greenwich, such as `2026-11-18T07:52:10Z`.
pub fn utc_now() -> String {
    utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

/// The date and time of a number of seconds after the beginning of 1970.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last day of its year.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (400 * era + year, month + 3),
        _ => (400 * era + year + 1, month - 9),
    };
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are from `date -u -d @…`.
    #[test]
    fn dates_are_right() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_794_988_330, "2026-11-18T07:52:10Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), text);
            assert!(is_date(text));
        }
        assert!(!is_date("2026-11-18 07:52:10Z") && !is_date("2026-11-18T07:52:1Z") && is_date(&utc_now()));
    }

    #[test]
    fn records_return() {
        let depths = [Depth::Checksums, Depth::Sample { positions: 1000, seed: u64::MAX }, Depth::Everything];
        assert!(depths.is_sorted());
        for depth in depths {
            let record = Verification { content_hash: [7; 32], depth, date: utc_now() };
            let text = record.to_string();
            assert!(text.len() as u64 <= Verification::LONGEST);
            assert_eq!(Verification::parse(&text), Some(record));
            // Every change to a letter, and every text that is too short, is no record or another one.
            for at in 0..text.len() {
                assert_eq!(Verification::parse(&text[..at]), None);
                let mut other = text.clone().into_bytes();
                other[at] ^= 1;
                let other = String::from_utf8(other).expect("ASCII");
                assert!(Verification::parse(&other).is_none_or(|other| other.to_string() != text));
            }
        }
    }
}
