//! The tables of bear-offs: what they hold, what they need, and how they are made.

use super::gnubg;
use super::one_sided::{self, OneSided, ROLLS};
use super::race::Race;
use super::rules::{STEPS, stored_unit};
use super::two_sided::Solving;
use super::verify::{OfFile, Verified};
use backgammon::{BearOff, Board, CHECKERS, Slice};
use game::{Metric, Side};
use solve::{Error, Extent, Needs, Run};
use std::io;
use std::path::Path;
use std::time::Duration;
use table::{Codec, Description, Layout, NumberFormat, NumberWidth, Numbers, TableFile, write_payload};

/// The points of a home board.
const HOME: u8 = 6;

/// The memory for the numbers of plays, blocks that are being read or written, and the program itself.
const FIXED: u64 = 64 << 20;

/// A table of a bear-off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BearOffTable {
    /// The points that the side to move can expect. There is one number for each position.
    Cubeless(BearOff),
    /// The same in money play, in units of the cube, if the side to move does not double now. There are four numbers: without the cube, with an
    /// own cube, with a centred cube, and with the opponent's cube.
    Cubeful(BearOff),
    /// The probabilities that one side bears off all its checkers in 0, 1, 2 … rolls, and then those that it bears off the first
    /// of fifteen in so many rolls. The last of [`ROLLS`] numbers stands for more rolls as well.
    OneSided(BearOff),
}

impl BearOffTable {
    /// The table of a slice. Returns `None` if it is not a bear-off.
    pub fn of(slice: Slice) -> Option<Self> {
        match slice {
            Slice::TwoSided { checkers } => BearOff::new(HOME, checkers).map(Self::Cubeless),
            Slice::Cubeful { checkers } => BearOff::new(HOME, checkers).map(Self::Cubeful),
            Slice::OneSided { points } => BearOff::new(points, CHECKERS).map(Self::OneSided),
            Slice::Hyper { .. } | Slice::Left { .. } => None,
        }
    }

    /// The slice of the table.
    pub fn slice(self) -> Slice {
        match self {
            Self::Cubeless(numbering) => Slice::TwoSided { checkers: numbering.checkers() },
            Self::Cubeful(numbering) => Slice::Cubeful { checkers: numbering.checkers() },
            Self::OneSided(numbering) => Slice::OneSided { points: numbering.points() },
        }
    }

    /// The numbering of the boards of one side.
    pub fn numbering(self) -> BearOff {
        match self {
            Self::Cubeless(numbering) | Self::Cubeful(numbering) | Self::OneSided(numbering) => numbering,
        }
    }

    /// The index of a position with this side to move; in a one-sided table, of the board of this side. Returns `None` if the
    /// table does not have it. Of a side that has borne off all checkers and is not to move, the position is over, but has an index.
    pub fn locate(self, board: &Board, turn: Side) -> Option<u64> {
        let numbering = self.numbering();
        match self {
            Self::Cubeless(_) | Self::Cubeful(_) => {
                let (us, them) = numbering.numbers(board, turn)?;
                Some(u64::from(us) * u64::from(numbering.boards()) + u64::from(them))
            }
            Self::OneSided(_) => numbering.number(board, turn).map(u64::from),
        }
    }

    /// The description in the header of the file.
    pub fn description(self) -> Description {
        let boards = u64::from(self.numbering().boards());
        let (metric, entries) = match self {
            Self::Cubeless(_) | Self::Cubeful(_) => (Metric::Equity, boards * boards),
            Self::OneSided(_) => (Metric::Distribution, boards),
        };
        Description {
            game: "backgammon".to_owned(),
            rules: "standard".to_owned(),
            slice: self.slice().to_string(),
            metric,
            index: "bearoff-1".to_owned(),
            entries,
        }
    }

    /// The format of the numbers, with the proven bound of their errors.
    pub fn format(self) -> NumberFormat {
        let numbering = self.numbering();
        // Storing costs half a number, and solving so many steps: see `rules` and `one_sided`.
        let (unit, steps) = match self {
            Self::Cubeless(_) | Self::Cubeful(_) => {
                (stored_unit(numbering.checkers()) as u32, 3.0 * f64::from(numbering.checkers()))
            }
            Self::OneSided(_) => (one_sided::UNIT, OneSided::error(numbering)),
        };
        let error = (0.5 + steps / f64::from(STEPS)) / f64::from(unit);
        NumberFormat { width: NumberWidth::Two, signed: !matches!(self, Self::OneSided(_)), unit, error }
    }

    /// The layout of the file. Blocks of 16 KiB are read quickly. Two-sided tables are not compressed: that would save 8 to 15 %, and take
    /// longer than solving them.
    pub fn layout(self) -> Layout {
        let (entries_per_block, codec) = match self {
            Self::Cubeless(_) => (1 << 13, Codec::Stored),
            Self::Cubeful(_) => (1 << 11, Codec::Stored),
            Self::OneSided(_) => (1 << 7, Codec::Zstd),
        };
        Layout { entries_per_block, codec }
    }

    /// The memory and disk space to solve the table. A checkpoint is written only if solving takes long, and is included.
    pub fn needs(self) -> Needs {
        let (numbering, entries) = (self.numbering(), self.description().entries);
        let (memory, bytes, checkpoint) = match self {
            Self::Cubeless(_) => (Race::<1>::memory(numbering), 2 * entries, 4 * entries),
            Self::Cubeful(_) => (Race::<6>::memory(numbering), 8 * entries, 24 * entries),
            Self::OneSided(_) => (OneSided::memory(numbering), 4 * ROLLS as u64 * entries, 0),
        };
        Needs { memory: memory + FIXED, disk: bytes + checkpoint }
    }

    /// Solves the table and writes it below the folder `root`. A two-sided table is resumed from a checkpoint, if there is one, and a
    /// checkpoint is written when the run is interrupted, and each time that `checkpoint_every` has passed.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted, or if a file cannot be written.
    pub fn solve(self, root: &Path, run: &Run<'_>, checkpoint_every: Duration) -> Result<(), Error> {
        let solving = Solving { table: self, root, run, checkpoint_every };
        match self {
            Self::Cubeless(numbering) => solving.cubeless(numbering),
            Self::Cubeful(numbering) => solving.cubeful(numbering),
            Self::OneSided(numbering) => self.solve_one_sided(numbering, root, run),
        }
    }

    fn solve_one_sided(self, numbering: BearOff, root: &Path, run: &Run<'_>) -> Result<(), Error> {
        let (description, name) = (self.description(), self.slice().to_string());
        run.watch.group(&name, description.entries, false);
        // It takes a minute at most, so there is no checkpoint.
        let stopped = |stop| Error::Stopped { group: name.clone(), stop };
        let solved = OneSided::solve(numbering, run.interrupt).map_err(stopped)?;
        let payload = Numbers::<{ 2 * ROLLS }>::new(self.format()).expect("a format of numbers");
        let entry = |index: u64| Some(solved.stored(index as u32));
        let progress = |done| run.watch.writing(&name, done, description.entries);
        let path = description.path(root);
        let written = write_payload(&path, &description, self.layout(), &payload, entry, progress)?;
        run.watch.written(&name, written.bytes);
        Ok(())
    }

    /// The memory to verify the table, in bytes.
    pub fn memory_to_verify(self, extent: Extent) -> u64 {
        let numbering = self.numbering();
        let memory = match (self, extent) {
            (Self::OneSided(_), _) => OneSided::memory_to_verify(numbering),
            // It reads blocks.
            (_, Extent::Sample { .. }) => 0,
            (Self::Cubeless(_), Extent::All) => Race::<1>::memory(numbering),
            (Self::Cubeful(_), Extent::All) => Race::<6>::memory(numbering),
        };
        memory + FIXED
    }

    /// Checks that every number of a table follows from the numbers after one turn, within the proven error, and all
    /// checksums. One-sided tables are always checked as a whole. `progress` is called from any thread with the number of indices that were just finished.
    ///
    /// # Errors
    /// Returns an error if the file is damaged or is another table.
    pub fn verify(
        self,
        file: TableFile,
        extent: Extent,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, table::Error> {
        file.expect(&self.description())?;
        file.check()?;
        let of_file = OfFile { numbering: self.numbering(), format: self.format(), file };
        match self {
            Self::Cubeless(_) => of_file.cubeless(extent, progress),
            Self::Cubeful(_) => of_file.cubeful(extent, progress),
            Self::OneSided(_) => of_file.one_sided(extent, progress),
        }
    }

    /// The memory to [export](Self::export) the table, in bytes.
    pub fn memory_to_export(self) -> u64 {
        let memory = match self {
            Self::Cubeless(numbering) => Race::<1>::memory(numbering),
            Self::Cubeful(numbering) => Race::<6>::memory(numbering),
            Self::OneSided(numbering) => gnubg::memory_to_write_one_sided(numbering),
        };
        memory + FIXED
    }

    /// Writes the table as a file of GNU Backgammon, byte for byte, with its rounding. This solves it once more. `compressed` is for one-sided
    /// files. `progress` gets the number of indices that were just finished.
    ///
    /// # Errors
    /// Returns an error if an I/O operation fails.
    pub fn export(
        self,
        compressed: bool,
        to: &mut impl io::Write,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<()> {
        match self {
            Self::Cubeless(numbering) => gnubg::write_cubeless(numbering, to, progress),
            Self::Cubeful(numbering) => gnubg::write_cubeful(numbering, to, progress),
            Self::OneSided(numbering) => gnubg::write_one_sided(numbering, compressed, to, progress),
        }
    }
}
