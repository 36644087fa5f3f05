//! Syzygy files: they answer questions about chess positions, and are compared with our tables.

use crate::answer::{Answer, RankedMove};
use crate::error::Error;
use crate::json;
use crate::prober::{Extras, Prober};
use crate::rule50::{Category, Rule50, Zeroing, ZeroingSource};
use crate::rules::answer_positions;
use crate::session::{Session, position_of};
use chess::{Chess, Material, Position};
use game::{Endgame as _, Game as _, Index, Metric, Notation as _, Position as _, Rng, Wdl, parallel};
use kernels::chess::ChessKernel;
use solve::Extent;
use std::cmp::Reverse;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use syzygy::{Tablebase, Wdl5};
use table::{Entry, Library, Preloaded, Probed, Table};

/// The Syzygy files of some folders.
pub struct Syzygy {
    game: Chess,
    files: Zeroing<Chess, Files>,
}

/// Answers from files, which ignore the clock of a position.
struct Files(Tablebase);

impl ZeroingSource<Chess> for Files {
    fn rule50(&self, position: &Position) -> Result<Rule50, Error> {
        let category = category(self.0.wdl(position).map_err(refused)?);
        // Many people have the larger tables only with who wins.
        match self.0.dtz(position) {
            Ok(dtz) => Ok(Rule50 { category, dtz: Some(dtz.plies()), dtz_exact: dtz.is_exact() }),
            Err(syzygy::ProbeError::Missing { metric: syzygy::Metric::Dtz, .. }) => {
                Ok(Rule50 { category, dtz: None, dtz_exact: true })
            }
            Err(error) => Err(refused(error)),
        }
    }
}

fn refused(error: syzygy::ProbeError) -> Error {
    Error::Syzygy(Box::new(error))
}

fn category(value: Wdl5) -> Category {
    match value {
        Wdl5::Loss => Category::Loss,
        Wdl5::BlessedLoss => Category::BlessedLoss,
        Wdl5::Draw => Category::Draw,
        Wdl5::CursedWin => Category::CursedWin,
        Wdl5::Win => Category::Win,
    }
}

/// The value without the 50-move rule.
fn wdl(category: Category) -> Wdl {
    match category {
        Category::Loss | Category::MaybeLoss | Category::BlessedLoss => Wdl::Loss,
        Category::Draw => Wdl::Draw,
        Category::CursedWin | Category::MaybeWin | Category::Win => Wdl::Win,
    }
}

/// The result of comparing a table with Syzygy files.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// The number of positions that were compared.
    pub positions: u64,
    /// Some of those that differ.
    pub different: Vec<Different>,
}

/// A position in which our table and the files differ.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Different {
    /// The position as text.
    pub position: String,
    /// Our value.
    pub ours: String,
    /// That of the files.
    pub theirs: String,
}

/// The most differences that are shown.
const MOST_SHOWN: usize = 10;

impl Syzygy {
    /// Opens the files of some folders, separated as in `PATH`.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read, or if there are no files.
    pub fn open(game: Chess, folders: &OsStr) -> Result<Self, Error> {
        let files = Tablebase::open_path(folders).map_err(|error| Error::Syzygy(Box::new(error)))?;
        if files.materials(syzygy::Metric::Wdl).next().is_none() {
            return Err(Error::NoSyzygyFiles { folders: folders.into() });
        }
        let files =
            Zeroing { source: Files(files), quiet_plies: |position: &Position| position.clock().quiet_plies };
        Ok(Self { game, files })
    }

    /// Returns whether there are files for comparing a table of this material and metric.
    pub fn has(&self, material: &str, metric: Metric) -> bool {
        let metrics = if metric == Metric::Dtz { &syzygy::Metric::ALL[..] } else { &[syzygy::Metric::Wdl] };
        let is_there = |kind| self.files.source.0.materials(kind).any(|known| known.to_string() == material);
        metrics.iter().all(|&kind| is_there(kind))
    }

    /// Compares the table of a material with the files: who wins, and the distance of DTZ tables. Distances of files that
    /// count moves may be one ply shorter. `progress` is called from any thread with the number of indices, or positions of a
    /// sample, that were just finished.
    ///
    /// # Errors
    /// Returns an error if the table or a file is missing or damaged.
    pub fn compare(
        &self,
        library: &Library,
        material: &str,
        metric: Metric,
        extent: Extent,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Compared, Error> {
        const PART: u64 = 1 << 12;
        let game = Chess::STANDARD;
        let material = Material::parse(material).ok_or_else(|| Error::UnknownSlice {
            name: material.to_owned(),
            game: Chess::INFO.title,
            known: Material::all().iter().map(Material::to_string).collect(),
        })?;
        let table = solve::whole(&game, library, material, metric, Some(&ChessKernel))?;
        let table = table.ok_or_else(|| solve::Error::missing(&game, material, metric))?;
        let size = game.size(material);
        let all = match extent {
            Extent::All => size,
            Extent::Sample { positions, .. } => positions,
        };
        let part = |compared: &mut Compared, part: usize| -> Result<(), Error> {
            let numbers = part as u64 * PART..all.min((part as u64 + 1) * PART);
            let length = numbers.end - numbers.start;
            match extent {
                Extent::All => {
                    for index in numbers {
                        self.compare_index(&table, material, Index(index), compared)?;
                    }
                }
                Extent::Sample { seed, .. } => {
                    let mut rng = Rng::new(seed.wrapping_add((part as u64) << 32));
                    let wanted = compared.positions + length;
                    while compared.positions < wanted {
                        self.compare_index(&table, material, Index(rng.below(size)), compared)?;
                    }
                }
            }
            progress(length);
            Ok(())
        };
        parallel::try_fold(all.div_ceil(PART) as usize, Compared::default, part, |mut a, b| {
            a.positions += b.positions;
            a.different.extend(b.different);
            a.different.truncate(MOST_SHOWN);
            a
        })
    }

    fn compare_index(
        &self,
        table: &Table,
        material: Material,
        index: Index,
        compared: &mut Compared,
    ) -> Result<(), Error> {
        let entry = table.entry(index.0)?;
        let Some(position) = Chess::STANDARD.unrank(material, index) else {
            if entry != Entry::Nothing && compared.different.len() < MOST_SHOWN {
                let position = format!("no position at index {}", index.0);
                compared.different.push(Different {
                    position,
                    ours: format!("{entry:?}"),
                    theirs: "none".to_owned(),
                });
            }
            return Ok(());
        };
        let files = &self.files.source.0;
        let value = files.wdl(&position).map_err(refused)?;
        let mut is_equal = entry.wdl() == Some(wdl(category(value)));
        let mut theirs = value.to_string();
        if table.description().metric == Metric::Dtz {
            let dtz = files.dtz(&position).map_err(refused)?;
            let ours = signed(entry);
            let is_longer = !dtz.is_exact() && ours == dtz.plies() + dtz.plies().signum();
            is_equal &= ours == dtz.plies() || is_longer;
            theirs = format!("{theirs}, {dtz} plies");
        }
        compared.positions += 1;
        if !is_equal && compared.different.len() < MOST_SHOWN {
            let position = self.game.position_text(&position);
            compared.different.push(Different { position, ours: format!("{entry:?}"), theirs });
        }
        Ok(())
    }

    fn answer(&self, position: &Position) -> Result<Answer, Error> {
        let probed = |rule50: Rule50| Probed { wdl: wdl(rule50.category), plies: None, by_rule: false };
        let here = self.files.of(position)?;
        let mut moves = Vec::new();
        for m in position.moves() {
            let next = position.play_unchecked(m);
            let after = self.files.known(&next)?.map(Rule50::for_opponent);
            let text = self.game.move_text(position, m);
            let is_over = next.outcome().is_some();
            let is_last = is_over || self.game.is_irreversible(position, m);
            // Mate is better than a capture that wins.
            let order = Reverse((after.map(|after| after.order(is_last)), is_over));
            moves.push((order, RankedMove { text, value: after.map(probed), rule50: after }));
        }
        moves.sort_by_key(|(order, _)| *order);
        let moves = moves.into_iter().map(|(_, ranked)| ranked).collect();
        Ok(Answer { value: probed(here), rule50: Some(here), moves, line: None })
    }
}

/// The distance of an entry as Syzygy counts it: with the sign of the value, and -1 for a mated side.
fn signed(entry: Entry) -> i32 {
    let plies = entry.plies().map_or(0, |plies| i32::from(plies.0));
    match entry.wdl() {
        Some(Wdl::Win) => plies,
        Some(Wdl::Loss) => -plies.max(1),
        Some(Wdl::Draw) | None => 0,
    }
}

/// Files have no distances to mate. So there are no lines, and the 50-move rule is always part of the answer.
impl Prober for Syzygy {
    fn probe(&self, session: &dyn Session, _: Extras) -> Result<Answer, Error> {
        self.answer(position_of::<Chess>(session)?)
    }

    /// Does nothing: the files have been found, and are opened when they are needed.
    fn preload(&self, _: &dyn Fn(usize, usize)) -> Preloaded {
        Preloaded::default()
    }

    fn has_rule50(&self) -> bool {
        true
    }

    fn line_text(&self, _: &dyn Session, _: Extras, _: &str) -> Result<String, Error> {
        Err(Error::NoLinesInSyzygy)
    }

    fn answer_lines(&self, _: Extras, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        answer_positions(&self.game, input, output, |position, out| {
            let answer = self.answer(&position).map_err(|error| error.to_string())?;
            json::push_members(out, &answer);
            Ok(())
        })
    }
}
