//! Tables of races in which both sides bear off from their home boards.

use super::order::Order;
use super::race::{ByBoard, Race, Rule};
use super::rules::{Cubeful, Cubeless, STEPS, rows};
use super::tables::BearOffTable;
use crate::rows::Saves;
use backgammon::BearOff;
use game::Plies;
use solve::{Checkpoint, Error, Progress, Run, Stop};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use table::{Numbers, write_payload_ranges};

/// The rows of a cell that a table with the cube has, in the order of GNU Backgammon: no cube, own, centred, the opponent's.
pub const COLUMNS: [usize; 4] = [rows::CUBELESS, rows::OWN, rows::CENTRED, rows::THEIRS];

/// A race that is solved into a table.
pub struct Solving<'a> {
    /// The table.
    pub table: BearOffTable,
    /// The folder of all tables.
    pub root: &'a Path,
    /// The settings of the run.
    pub run: &'a Run<'a>,
    /// How often a checkpoint is written.
    pub checkpoint_every: Duration,
}

impl Solving<'_> {
    /// Solves the table without the cube.
    pub fn cubeless(&self, numbering: BearOff) -> Result<(), Error> {
        self.solve(&Order::new(numbering), &Cubeless::new(numbering.checkers()), [0])
    }

    /// Solves the table with the cube.
    pub fn cubeful(&self, numbering: BearOff) -> Result<(), Error> {
        self.solve(&Order::new(numbering), &Cubeful, COLUMNS)
    }

    fn solve<const READ: usize, const KEPT: usize, const N: usize>(
        &self,
        order: &Order,
        rule: &impl Rule<READ, KEPT>,
        columns: [usize; N],
    ) -> Result<(), Error> {
        let race = self.race(order, rule)?;
        let numbering = order.numbering();
        let checkers = |place| order.board(place).map_or(0, |board| numbering.unrank(board).checkers());
        let stored = race.by_board(order, |mover, opponent, values| match mover {
            // The mover has won. Nobody is on turn then, but the values make sense.
            0 => columns.map(|column| stored(-rule.lost(checkers(opponent))[column])),
            _ => columns.map(|column| stored(values[column])),
        });
        self.write(order, &stored)
    }

    /// Solves all levels, from a checkpoint if there is one.
    fn race<const READ: usize, const KEPT: usize>(
        &self,
        order: &Order,
        rule: &impl Rule<READ, KEPT>,
    ) -> Result<Race<KEPT>, Error> {
        let (watch, name) = (self.run.watch, self.table.slice().to_string());
        let checkpoint = self.checkpoint();
        let loaded = checkpoint.load(|loading| Race::new(order, rule).load(order, loading).map(Some));
        let loaded = loaded.unwrap_or_else(|error| {
            watch.warning(&format!("the checkpoint of {name} is not used: {error}"));
            None
        });
        let boards = u64::from(order.numbering().boards());
        watch.group(&name, boards * boards, loaded.is_some());
        let mut race = loaded.unwrap_or_else(|| Race::new(order, rule));
        let mut saves = Saves::new(self.checkpoint_every);
        let stopped = |stop| Error::Stopped { group: name.clone(), stop };
        while race.solved() < order.levels().len() {
            let interrupted = self.run.interrupt.load(Relaxed);
            if interrupted || saves.is_due() {
                let started = Instant::now();
                self.run.save(&checkpoint, |saving| race.save(order, saving)).map_err(stopped)?;
                saves.saved(started);
            }
            if interrupted {
                return Err(stopped(Stop::Interrupted));
            }
            race.solve_level(order, rule);
            let (round, known) = (Plies(race.solved() as u16 - 1), order.boards_to(race.solved()));
            watch.progress(Progress { round: Some(round), known: known * known, cells: boards * boards });
        }
        Ok(race)
    }

    fn checkpoint(&self) -> Checkpoint {
        let (path, name) = (self.table.description().path(self.root), self.table.slice().to_string());
        let tables = path.parent().unwrap_or(self.root);
        Checkpoint::new(tables, &format!("{name}.equity"), &format!("backgammon bear-off 1 {name}"))
    }

    fn write<const N: usize>(&self, order: &Order, stored: &ByBoard<N>) -> Result<(), Error> {
        let (watch, name) = (self.run.watch, self.table.slice().to_string());
        let description = self.table.description();
        let payload = Numbers::<N>::new(self.table.format()).expect("a format of numbers");
        let path = description.path(self.root);
        let boards = u64::from(order.numbering().boards());
        let fill = |indices: Range<u64>, entries: &mut Vec<_>| {
            let mut index = indices.start;
            while index < indices.end {
                let (us, them) = (index / boards, index % boards);
                let end = (us * boards + boards).min(indices.end);
                let values = &stored.of(order.place(us as u32))[them as usize..][..(end - index) as usize];
                entries.extend(values.iter().map(|values| Some(values.map(i64::from))));
                index = end;
            }
            if indices.start == 0 {
                // Only one side can have borne off all checkers.
                entries[0] = None;
            }
            io::Result::Ok(())
        };
        let progress = |done| watch.writing(&name, done, description.entries);
        let written =
            write_payload_ranges(&path, &description, self.table.layout(), &payload, fill, progress)?;
        watch.written(&name, written.bytes);
        self.run.discard(&self.checkpoint());
        Ok(())
    }
}

/// The stored number nearest to a value in steps.
fn stored(steps: i32) -> i16 {
    // At most as large as `stored_unit`, or twice that with gammons.
    (steps + STEPS / 2).div_euclid(STEPS) as i16
}
