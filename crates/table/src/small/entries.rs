//! The entries of a slice, as a writer asks for them.

use super::kind_of;
use crate::Entry;
use crate::coding::{Tiles, Wanted};
use game::{Plies, parallel};
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The entries of a slice, for a writer. `E` gives the entry of an index, and `F` tells whether a move out of the group of the slice
/// gives its whole value.
pub(super) struct Source<'a, E, F> {
    pub tiles: &'a Tiles,
    pub entry: &'a E,
    pub is_free: &'a F,
    pub progress: Progress<'a>,
}

/// Tells the caller of a writer how many entries are done, and asks it whether to go on.
pub(super) struct Progress<'a> {
    tell: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync),
    done: AtomicU64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(tell: &'a (dyn Fn(u64) -> ControlFlow<()> + Sync)) -> Self {
        Self { tell, done: AtomicU64::new(0) }
    }

    /// Tells that so many entries of a file are written.
    pub(super) fn written(&self, entries: u64) {
        self.done.store(entries, Relaxed);
        // The next step asks whether to go on.
        let _ = (self.tell)(entries);
    }

    pub(super) fn go_on(&self) -> io::Result<()> {
        match (self.tell)(self.done.load(Relaxed)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::ErrorKind::Interrupted.into()),
        }
    }
}

impl<E: Fn(u64) -> Entry + Sync, F: Fn(u64) -> bool + Sync> Source<'_, E, F> {
    /// The tiles of a section.
    pub(super) fn tiles_of(&self, section: usize) -> std::ops::Range<u64> {
        let each = self.tiles.tiles() / self.tiles.sections() as u64;
        section as u64 * each..(section as u64 + 1) * each
    }

    /// By section and kind: the distances that occur.
    pub(super) fn plies(&self) -> io::Result<Vec<[BTreeSet<Plies>; 2]>> {
        let find = |found: &mut Vec<[BTreeSet<Plies>; 2]>, tile: usize| {
            self.progress.go_on()?;
            let section = self.tiles.section_of(tile as u64);
            let mut last = Entry::Nothing;
            self.tiles.each_index(tile as u64, |_, index| {
                let entry = (self.entry)(index);
                if let (Some(kind), Some(plies), true) = (kind_of(entry), entry.plies(), entry != last) {
                    found[section][kind as usize].insert(plies);
                    last = entry;
                }
            });
            Ok(())
        };
        let nothing = || (0..self.tiles.sections()).map(|_| Default::default()).collect();
        let tiles = self.tiles.tiles() as usize;
        parallel::try_fold(tiles, nothing, find, |mut a: Vec<[BTreeSet<Plies>; 2]>, b| {
            a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, mut b)| a.append(&mut b));
            a
        })
    }

    /// The different outcomes.
    pub(super) fn outcomes(&self) -> io::Result<Vec<Entry>> {
        let find = |found: &mut BTreeSet<Entry>, tile: usize| {
            self.progress.go_on()?;
            let mut last = None;
            self.tiles.each_index(tile as u64, |_, index| {
                let outcome = outcome_of((self.entry)(index));
                if outcome != last {
                    found.extend(outcome);
                    last = outcome;
                }
            });
            Ok::<_, io::Error>(())
        };
        let found = parallel::try_fold(self.tiles.tiles() as usize, BTreeSet::new, find, |mut a, mut b| {
            a.append(&mut b);
            a
        })?;
        Ok(if found.is_empty() { vec![Entry::Draw] } else { found.into_iter().collect() })
    }

    /// What is wanted at the places of a tile of outcomes.
    pub(super) fn wanted_outcomes(&self, palette: &[Entry], tile: u64, wanted: &mut Vec<Wanted>) {
        // Of a position with this entry: what is wanted, and what if it is free.
        let of_entry = |entry: Entry| {
            let outcome = outcome_of(entry)?;
            let symbol = palette.iter().position(|&of| of == outcome).expect("all outcomes were found") as u8;
            let is_not_better = |of: &Entry| !of.is_by_rule() && of.wdl() <= outcome.wdl();
            let set = palette.iter().enumerate().filter(|(_, of)| is_not_better(of));
            let set = Wanted::AnyOf(set.fold(0, |set, (symbol, _)| set | 1 << symbol));
            let symbol = Wanted::Symbol(symbol);
            Some((symbol, if outcome.is_by_rule() { symbol } else { set }))
        };
        wanted.resize(self.tiles.places(), Wanted::Anything);
        // Many entries are the same as the one before.
        let mut last = (Entry::Nothing, None);
        self.tiles.each_index(tile, |place, index| {
            let entry = (self.entry)(index);
            if entry != last.0 {
                last = (entry, of_entry(entry));
            }
            if let Some((exact, free)) = last.1 {
                wanted[place] = if (self.is_free)(index) { free } else { exact };
            }
        });
    }
}

/// The outcome of an entry. Returns `None` if there is no position.
fn outcome_of(entry: Entry) -> Option<Entry> {
    match entry {
        Entry::Loss(_) => Some(Entry::Loss(None)),
        Entry::Win(_) => Some(Entry::Win(None)),
        Entry::Nothing => None,
        other => Some(other),
    }
}
