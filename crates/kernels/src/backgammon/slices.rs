//! All tables of backgammon, whatever solves them.

use super::bearoff::{self, BearOffTable};
use super::few;
use super::verified::{Number, Unlike, Verified};
use backgammon::{Backgammon, Few, Slice};
use game::{Game, Index};
use solve::{Error, Extent, Lock, Needs, Run, Unmoves, Watch, remove_leftovers, remove_leftovers_if_idle};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Description, Library, TableFile};

/// The name of the rules under which all tables are stored: a slice tells its variant.
pub const RULES: &str = "standard";

/// The settings of a run.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The folder of all tables.
    pub folder: &'a Path,
    /// The largest amount of memory to use, in bytes.
    pub memory: u64,
    /// The time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Receives the progress.
    pub watch: &'a dyn Watch,
    /// Stops the run when it is set to true.
    pub interrupt: &'a AtomicBool,
}

/// A table of a slice.
#[derive(Clone, Copy)]
enum Maker {
    BearOff(BearOffTable),
    Few(Few),
}

impl Maker {
    fn of(slice: Slice) -> Self {
        let few = || Few::of(slice).map(Self::Few);
        BearOffTable::of(slice).map(Self::BearOff).or_else(few).expect("every slice is one of the two")
    }
}

/// The description of the table of a slice.
pub fn describe(slice: Slice) -> Description {
    match Maker::of(slice) {
        Maker::BearOff(table) => table.description(),
        Maker::Few(few) => few::description(few),
    }
}

/// The memory and disk space that it takes to solve a slice.
pub fn needs(slice: Slice) -> Needs {
    match Maker::of(slice) {
        Maker::BearOff(table) => table.needs(),
        Maker::Few(few) => few::needs(few),
    }
}

/// Roughly the seconds that solving and writing takes on two cores of 2024.
pub fn seconds(slice: Slice) -> f64 {
    let per_index = match slice {
        Slice::TwoSided { .. } => 1.2e-7,
        Slice::Cubeful { .. } => 4e-7,
        Slice::OneSided { .. } => 2e-5,
        Slice::Hyper { .. } => 8e-5,
        Slice::Left { .. } => 3e-5,
    };
    slice.entries() as f64 * per_index
}

/// Solves slices that have no tables yet, and writes their tables. Finished ones are kept if a later one fails. What killed runs have left is
/// removed.
///
/// # Errors
/// Returns an error if a slice does not fit the memory, if another run solves in the same folder, if a file cannot be written, or if the
/// run is interrupted. The next run goes on.
pub fn solve(slices: &[Slice], settings: &Settings<'_>) -> Result<(), Error> {
    let &Settings { folder, memory, checkpoint_every, watch, interrupt } = settings;
    for &slice in slices {
        check_memory("solving", slice, needs(slice).memory, memory)?;
    }
    let tables = folder.join(Backgammon::INFO.name).join(RULES);
    if slices.is_empty() {
        remove_leftovers_if_idle(&tables, watch);
        return Ok(());
    }
    let names: Vec<String> = slices.iter().map(Slice::to_string).collect();
    let _lock = Lock::take(&tables, &names.join(", "))?;
    remove_leftovers(&tables, watch);
    let library = Library::new(folder, 0);
    let run = Run { unmoves: Unmoves::default(), watch, interrupt };
    for &slice in slices {
        // Another run may have finished it since it was asked for.
        if library.file_of(&describe(slice))?.is_some() {
            continue;
        }
        match Maker::of(slice) {
            Maker::BearOff(table) => table.solve(folder, &run, checkpoint_every)?,
            Maker::Few(few) => few::solve(few, folder, checkpoint_every, &run).map(drop)?,
        }
    }
    Ok(())
}

/// Checks the checksums of the table of a slice in a file, and derives its numbers again, each by one step: at random positions or at all.
/// `progress` gets the number of indices that were just finished.
///
/// # Errors
/// Returns an error if the table is damaged, or if verifying takes more than so many bytes of memory.
pub fn verify(
    slice: Slice,
    file: TableFile,
    extent: Extent,
    memory: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Verified, Error> {
    let maker = Maker::of(slice);
    let needed = match maker {
        Maker::BearOff(table) => table.memory_to_verify(extent),
        Maker::Few(few) => few::memory_to_verify(few),
    };
    check_memory("verifying", slice, needed, memory)?;
    match maker {
        Maker::BearOff(table) => {
            let verified = table.verify(file, extent, progress)?;
            let unlike = |wrong: bearoff::Unlike| {
                let number = |value| Number { slice, place: wrong.number, value };
                let numbers = Some((number(wrong.stored), number(wrong.expected)));
                Unlike { index: Index(wrong.index), numbers }
            };
            let wrong = verified.wrong.into_iter().map(unlike).collect();
            Ok(Verified { positions: verified.positions, wrong })
        }
        Maker::Few(few) => {
            let few::Verified { positions, wrong, .. } = few::verify(few, file, extent, progress)?;
            Ok(Verified { positions, wrong })
        }
    }
}

fn check_memory(work: &'static str, slice: Slice, needed: u64, allowed: u64) -> Result<(), Error> {
    let group = slice.to_string();
    if needed <= allowed { Ok(()) } else { Err(Error::Memory { work, group, needed, allowed }) }
}

/// The memory to [export] an endgame, in bytes. Returns `None` if it cannot be exported.
pub fn memory_to_export(slice: Slice) -> Option<u64> {
    match Maker::of(slice) {
        Maker::BearOff(table) => Some(table.memory_to_export()),
        Maker::Few(_) => None,
    }
}

/// Writes an endgame as a database of GNU Backgammon, byte for byte, with its rounding. Returns `None` if that program has no such
/// database. `progress` gets the number of indices that were just finished.
///
/// # Errors
/// Returns an error if writing fails.
pub fn export(
    slice: Slice,
    compressed: bool,
    mut to: &mut dyn Write,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<io::Result<()>> {
    match Maker::of(slice) {
        Maker::BearOff(table) => Some(table.export(compressed, &mut to, progress)),
        Maker::Few(_) => None,
    }
}
