//! Options of an engine: what `setoption` says, and what the protocols have in common.

use super::session::{Dialect, Session};
use crate::searchable::Searchable;
use game::{Notation, quoted};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use table::{DEFAULT_CACHE_BYTES, Folder, Library, Store};

pub(super) const MOST_MEGABYTES: u64 = 1 << 20;
pub(super) const MOST_THREADS: u64 = 512;
pub(super) const MOST_LINES: u64 = 256;
pub(super) const MOST_DEPTH: u64 = 100;
pub(super) const MOST_OVERHEAD: u64 = 5_000;

/// Why an option was not set.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingFault {
    #[error("`setoption` needs `name` and a name")]
    NoName,
    #[error("there is no option {}", quoted(name))]
    Unknown { name: String },
    #[error("{name} is a number from {least} to {most}, not {}", quoted(found))]
    Number { name: &'static str, least: u64, most: u64, found: String },
    #[error("{name} is `true` or `false`, not {}", quoted(found))]
    Check { name: &'static str, found: String },
    #[error("{name} is one of {}, not {}", .known.join(", "), quoted(found))]
    Choice { name: &'static str, known: Vec<&'static str>, found: String },
    #[error("no Syzygy tables are used: {0}")]
    Syzygy(#[from] syzygy::Error),
}

/// An option with its new value: `name NAME [value VALUE]`. Names have spaces, and may be written in upper or lower case.
pub(super) struct Setting<'a> {
    /// The name as it was written.
    name: &'a str,
    value: &'a str,
}

impl<'a> Setting<'a> {
    /// Reads what follows `setoption`.
    pub fn parse(text: &'a str) -> Result<Self, SettingFault> {
        let text = text.strip_prefix("name").map(str::trim).filter(|text| !text.is_empty());
        let text = text.ok_or(SettingFault::NoName)?;
        let (name, value) = text.split_once(" value").unwrap_or((text, ""));
        Ok(Self { name: name.trim(), value: value.trim() })
    }

    /// The name in lower case.
    pub fn name(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    pub fn number(&self, name: &'static str, least: u64, most: u64) -> Result<u64, SettingFault> {
        match self.value.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(SettingFault::Number { name, least, most, found: self.value.to_owned() }),
        }
    }

    pub fn check(&self, name: &'static str) -> Result<bool, SettingFault> {
        match self.value.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(SettingFault::Check { name, found: self.value.to_owned() }),
        }
    }

    /// One of several named values.
    pub fn choice<T: Copy>(
        &self,
        name: &'static str,
        choices: &[(&'static str, T)],
    ) -> Result<T, SettingFault> {
        let found = choices.iter().find(|(choice, _)| choice.eq_ignore_ascii_case(self.value));
        found.map(|&(_, value)| value).ok_or_else(|| SettingFault::Choice {
            name,
            known: choices.iter().map(|&(choice, _)| choice).collect(),
            found: self.value.to_owned(),
        })
    }

    /// The value, which is a path or a list of paths.
    pub fn path(&self) -> &'a str {
        if self.value == "<empty>" { "" } else { self.value }
    }

    /// The tables in a list of folders, separated as in `PATH`.
    pub fn library(&self) -> Option<Arc<Library>> {
        let folders = std::env::split_paths(self.path()).filter(|folder| !folder.as_os_str().is_empty());
        let stores: Vec<Arc<dyn Store>> =
            folders.map(|folder: PathBuf| Arc::new(Folder::new(folder)) as Arc<dyn Store>).collect();
        (!stores.is_empty()).then(|| Arc::new(Library::of(stores, DEFAULT_CACHE_BYTES)))
    }

    /// An option that no protocol knows.
    pub fn unknown(&self) -> SettingFault {
        SettingFault::Unknown { name: self.name.to_owned() }
    }

    /// Sets an option that all games have. The size of the transposition table has its own name in each protocol.
    pub fn apply_common<G, D, W>(
        &self,
        session: &mut Session<'_, '_, G, D, W>,
        size: &'static str,
    ) -> Result<(), SettingFault>
    where
        G: Searchable + Notation + Copy,
        D: Dialect<G>,
        W: Write + Send,
    {
        match self.name().as_str() {
            "threads" => {
                let threads = self.number("Threads", 1, MOST_THREADS)?;
                session.engine().set_threads(threads as usize);
            }
            "multipv" => session.engine().lines = self.number("MultiPV", 1, MOST_LINES)? as usize,
            "clear hash" => session.engine().forget(),
            "move overhead" => {
                let millis = self.number("Move Overhead", 0, MOST_OVERHEAD)?;
                session.engine().overhead = Duration::from_millis(millis);
            }
            name if name == size.to_ascii_lowercase() => {
                let megabytes = self.number(size, 1, MOST_MEGABYTES)?;
                session.engine().set_megabytes(megabytes as usize);
            }
            _ => return Err(self.unknown()),
        }
        Ok(())
    }
}

/// The common options with their types and defaults, as the protocols list them.
pub(super) fn common_options(size: &str) -> Vec<String> {
    vec![
        format!("{size} type spin default 16 min 1 max {MOST_MEGABYTES}"),
        format!("Threads type spin default 1 min 1 max {MOST_THREADS}"),
        format!("MultiPV type spin default 1 min 1 max {MOST_LINES}"),
        "Clear Hash type button".to_owned(),
        format!("Move Overhead type spin default 10 min 0 max {MOST_OVERHEAD}"),
    ]
}
