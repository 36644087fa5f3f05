//! Finds what the tables of a library tell of a position of backgammon before a roll.

use crate::equity_answer::{ByOwner, Points, Prospect};
use crate::equity_prober::{EquitySource, Told};
use crate::equity_tables::{missing, solve_command};
use crate::error::{Error, WantedTable};
use crate::probe_speed::{ProbeSpeed, measure_asking};
use backgammon::{Backgammon, CHECKERS, Chances, CubeEquities, Place, Position, Slice, Stakes};
use game::{Game as _, Index, Rng, Side};
use kernels::backgammon::{HYPER, LEFT, Odds, ROLLS, RULES, describe, seconds};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use table::{Library, Numbers, Table};

/// The numbers of an entry of a one-sided table: the probability of each number of rolls to bear off all checkers, and the same for the
/// first of fifteen.
const DISTRIBUTIONS: usize = 2 * ROLLS;

/// The tables of a library, each opened when it is first needed. Those on this machine answer first, so that they never wait for a
/// server.
pub(crate) struct EquityLibrary {
    library: Arc<Library>,
    local: Part,
    /// The tables on servers, listed when the others do not have a position.
    remote: OnceLock<Option<Part>>,
}

/// The tables on this machine, or those on servers.
struct Part {
    library: Library,
    /// The slices that have a table, the best first: exact ones with the cube, exact ones, the others.
    slices: Vec<(Slice, OnceLock<OpenTable>)>,
}

/// An open table of a slice.
pub(crate) enum OpenTable {
    TwoSided(Arc<Table<Numbers<1>>>),
    Cubeful(Arc<Table<Numbers<4>>>),
    OneSided(Arc<Table<Numbers<DISTRIBUTIONS>>>),
    Hyper(Arc<Table<Numbers<HYPER>>>),
    Left(Arc<Table<Numbers<LEFT>>>),
}

impl OpenTable {
    /// The size of the file.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::TwoSided(table) => table.bytes(),
            Self::Cubeful(table) => table.bytes(),
            Self::OneSided(table) => table.bytes(),
            Self::Hyper(table) => table.bytes(),
            Self::Left(table) => table.bytes(),
        }
    }

    /// The largest error of a number.
    pub(crate) fn error(&self) -> f64 {
        let format = match self {
            Self::TwoSided(table) => table.payload().format(),
            Self::Cubeful(table) => table.payload().format(),
            Self::OneSided(table) => table.payload().format(),
            Self::Hyper(table) => table.payload().format(),
            Self::Left(table) => table.payload().format(),
        };
        format.error
    }
}

impl EquityLibrary {
    /// The tables that a library has now.
    pub(crate) fn new(library: Arc<Library>) -> Self {
        let (local, _) = library.parts();
        Self { library, local: Part::new(local), remote: OnceLock::new() }
    }

    /// The slices that have a table, the best first, those on this machine before those on servers.
    pub(crate) fn slices(&self) -> impl Iterator<Item = Slice> {
        self.parts().flat_map(|part| part.slices.iter().map(|(slice, _)| *slice))
    }

    /// The parts of the library. Servers are asked for their tables when the second part is needed.
    fn parts(&self) -> impl Iterator<Item = &Part> {
        let remote = || self.remote.get_or_init(|| self.library.parts().1.map(Part::new)).as_ref();
        std::iter::once(&self.local).chain(std::iter::once_with(remote).flatten())
    }

    /// The table of a slice.
    ///
    /// # Errors
    /// Returns an error if it is missing or damaged.
    pub(crate) fn table(&self, slice: Slice) -> Result<&OpenTable, Error> {
        let with_part = |part: &'_ Part| part.slices.iter().position(|(known, _)| *known == slice);
        let found = self.parts().find_map(|part| Some((part, with_part(part)?)));
        found.map_or_else(|| Err(missing(slice).into()), |(part, number)| part.opened(number))
    }

    /// Returns whether there is a table of a slice.
    pub(crate) fn has(&self, slice: Slice) -> bool {
        self.slices().any(|known| known == slice)
    }

    /// What the tables tell of a position that awaits a roll. Returns `None` if none of them has it.
    pub(crate) fn known(&self, position: &Position) -> Result<Option<Told>, Error> {
        for part in self.parts() {
            if let Some(told) = part.known(position)? {
                return Ok(Some(told));
            }
        }
        Ok(None)
    }
}

impl Part {
    fn new(library: Library) -> Self {
        let slices = present(&library).into_iter().map(|slice| (slice, OnceLock::new())).collect();
        Self { library, slices }
    }

    /// The table of the slice with this number.
    fn opened(&self, number: usize) -> Result<&OpenTable, Error> {
        let (slice, place) = &self.slices[number];
        let slice = *slice;
        if let Some(opened) = place.get() {
            return Ok(opened);
        }
        let (about, library) = (describe(slice), &self.library);
        let opened = match slice {
            Slice::TwoSided { .. } => library.described_of(&about)?.map(OpenTable::TwoSided),
            Slice::Cubeful { .. } => library.described_of(&about)?.map(OpenTable::Cubeful),
            Slice::OneSided { .. } => library.described_of(&about)?.map(OpenTable::OneSided),
            Slice::Hyper { .. } => library.described_of(&about)?.map(OpenTable::Hyper),
            Slice::Left { .. } => library.described_of(&about)?.map(OpenTable::Left),
        };
        opened.map(|opened| place.get_or_init(|| opened)).ok_or_else(|| missing(slice).into())
    }

    fn known(&self, position: &Position) -> Result<Option<Told>, Error> {
        let jacoby = matches!(position.terms().stakes, Stakes::Money { jacoby: true });
        for (number, (slice, _)) in self.slices.iter().enumerate() {
            let Some(place) = slice.place(position) else { continue };
            if let Some(mut told) = entry(*slice, self.opened(number)?, place, jacoby)? {
                // Who has borne off a checker cannot lose a gammon.
                if told.prospect.chances.is_none() && !Side::ALL.map(|side| position.off(side)).contains(&0) {
                    told.prospect.chances = Some(Chances::without_gammons(told.prospect.points.cubeless));
                }
                return Ok(Some(told));
            }
        }
        Ok(None)
    }
}

/// What the table of a slice has at a place. Returns `None` if it has nothing there. `jacoby` tells whether gammons count only
/// after a double.
pub(crate) fn entry(
    slice: Slice,
    opened: &OpenTable,
    place: Place,
    jacoby: bool,
) -> Result<Option<Told>, Error> {
    let told = match (opened, place) {
        (OpenTable::TwoSided(table), Place::At(index)) => {
            let Some([raw]) = table.entry(index.0)? else { return Ok(None) };
            let cubeless = table.payload().value(raw);
            // The points alone do not tell gammons apart.
            let chances = (!slice.has_gammons()).then(|| Chances::without_gammons(cubeless));
            exact(slice, table.payload().format().error, chances, cubeless, None)
        }
        (OpenTable::Cubeful(table), Place::At(index)) => {
            let Some(raw) = table.entry(index.0)? else { return Ok(None) };
            let [cubeless, mover, nobody, opponent] = table.payload().values(raw);
            let rolling = CubeEquities { mover, nobody, opponent };
            let chances = Some(Chances::without_gammons(cubeless));
            let error = table.payload().format().error;
            exact(slice, error, chances, cubeless, Some(rolling))
        }
        (OpenTable::Hyper(table), Place::At(index)) => {
            let Some(raw) = table.entry(index.0)? else { return Ok(None) };
            let odds = Odds::of_hyper(table.payload().values(raw));
            of_odds(slice, table.payload().format().error, &odds, jacoby)
        }
        (OpenTable::Left(table), Place::At(index)) => {
            let Some(raw) = table.entry(index.0)? else { return Ok(None) };
            let odds = Odds::of_left(table.payload().values(raw));
            of_odds(slice, table.payload().format().error, &odds, jacoby)
        }
        (OpenTable::OneSided(table), Place::Sides(mine, theirs)) => {
            let values = |Index(index)| {
                let entry = table.entry(index)?;
                Ok::<_, Error>(entry.map(|raw| table.payload().values(raw)))
            };
            let (Some(mine), Some(theirs)) = (values(mine)?, values(theirs)?) else { return Ok(None) };
            let chances = race(&mine, &theirs);
            let points = Points { cubeless: chances.points(), cube: None };
            let prospect =
                Prospect { table: Some(slice), exact: false, error: None, chances: Some(chances), points };
            Told { prospect, rolling: None }
        }
        (OpenTable::OneSided(_), Place::At(_)) | (_, Place::Sides(..)) => return Ok(None),
    };
    Ok(Some(told))
}

fn exact(
    slice: Slice,
    error: f64,
    chances: Option<Chances>,
    cubeless: f64,
    rolling: Option<CubeEquities>,
) -> Told {
    let points = Points { cubeless, cube: rolling.map(ByOwner::from) };
    // A double that is taken counts the number of the table twice, and its error too.
    let error = if rolling.is_some() { 2.0 * error } else { error };
    let prospect = Prospect { table: Some(slice), exact: true, error: Some(error), chances, points };
    Told { prospect, rolling }
}

fn of_odds(slice: Slice, error: f64, odds: &Odds, jacoby: bool) -> Told {
    let centred = if jacoby { odds.jacoby } else { odds.centred };
    let rolling = CubeEquities { mover: odds.own, nobody: centred, opponent: odds.theirs };
    exact(slice, error, Some(odds.chances), odds.cubeless, Some(rolling))
}

/// The chances in a race if each side bears off as if it were alone. The side to move has the first roll.
pub(crate) fn race(mine: &[f64; DISTRIBUTIONS], theirs: &[f64; DISTRIBUTIONS]) -> Chances {
    let (mine, mine_first) = mine.split_at(ROLLS);
    let (theirs, theirs_first) = theirs.split_at(ROLLS);
    // The probability that a side with this distribution needs at least so many rolls.
    let at_least = |of: &[f64], rolls: usize| of.iter().skip(rolls).sum::<f64>();
    let sum = |of: &dyn Fn(usize) -> f64| (0..ROLLS).map(of).sum::<f64>();
    Chances {
        win: sum(&|rolls| mine[rolls] * at_least(theirs, rolls)),
        // The opponent has had one roll less.
        gammon: sum(&|rolls| mine[rolls] * at_least(theirs_first, rolls)),
        backgammon: 0.0,
        lose_gammon: sum(&|rolls| theirs[rolls] * at_least(mine_first, rolls + 1)),
        lose_backgammon: 0.0,
    }
}

/// The slices that have a table in a library, the best first.
pub(crate) fn present(library: &Library) -> Vec<Slice> {
    let scanned = library.scan(Backgammon::INFO.name, RULES);
    let is_there = |slice: &Slice| {
        let about = describe(*slice);
        match &scanned {
            Ok(scanned) => scanned.has(&about.slice, about.metric),
            // A folder that cannot be listed may still have tables that can be read.
            Err(_) => !matches!(library.file_of(&about), Ok(None)),
        }
    };
    best_first(Slice::all().filter(is_there))
}

/// Measures how quickly the tables of these slices are opened, and positions of them looked up among all tables of the library.
pub(crate) fn probe_speed(library: &Library, slices: &[Slice], positions: u64) -> Result<ProbeSpeed, Error> {
    let fresh = || EquityLibrary::new(Arc::new(library.with_own_cache(u64::MAX)));
    let open = |source: &EquityLibrary| slices.iter().try_for_each(|&slice| source.table(slice).map(drop));
    // The first time, the system reads the files from the disk.
    open(&fresh())?;
    let (opening, source) = (Instant::now(), fresh());
    open(&source)?;
    let open_microseconds = opening.elapsed().as_secs_f64() * 1e6 / slices.len().max(1) as f64;
    let (mut rng, mut sample) = (Rng::new(1), Vec::new());
    while !slices.is_empty() && (sample.len() as u64) < positions {
        let slice = slices[rng.below(slices.len() as u64) as usize];
        // Some indices have no position.
        sample.extend(slice.position(Index(rng.below(slice.entries()))));
    }
    let ask = |position: &Position| source.known(position).map(|told| _ = std::hint::black_box(told));
    measure_asking(slices.len(), open_microseconds, &sample, &|| source.library.cache().clear(), &ask)
}

/// Sorts slices: exact ones with the cube come first, then exact ones, then the others; small ones before large ones.
fn best_first(slices: impl Iterator<Item = Slice>) -> Vec<Slice> {
    let order = |slice: &Slice| match slice {
        Slice::Cubeful { .. } => 0,
        Slice::Hyper { .. } | Slice::Left { .. } => 1,
        Slice::TwoSided { .. } => 2,
        Slice::OneSided { .. } => 3,
    };
    let mut slices: Vec<Slice> = slices.collect();
    slices.sort_by_key(order);
    slices
}

impl EquitySource for EquityLibrary {
    fn tell(&self, position: &Position) -> Result<Told, Error> {
        if let Some(told) = self.known(position)? {
            return Ok(told);
        }
        let wanted = wanted(position);
        if wanted.is_empty() {
            return Err(Error::BeyondEquities { game: Backgammon::INFO.title, why: beyond(position) });
        }
        Err(Error::NoEquityTable { places: self.library.places(), wanted })
    }
}

/// The tables that a user may solve to have a position: the smallest exact one, and, if that takes minutes, a one-sided one.
fn wanted(position: &Position) -> Vec<WantedTable> {
    const QUICK: f64 = 60.0;
    // Below six checkers, the table of six takes no time.
    let is_usual = |slice: &Slice| match slice {
        Slice::Cubeful { checkers } => *checkers >= 6,
        Slice::TwoSided { checkers } => *checkers > 10,
        _ => true,
    };
    let holds = |slice: &Slice| slice.place(position).is_some();
    let slices = best_first(Slice::all().filter(is_usual).filter(holds));
    let is_exact = |slice: &Slice| !matches!(slice, Slice::OneSided { .. });
    let (exact, approximate): (Vec<Slice>, Vec<Slice>) = slices.into_iter().partition(is_exact);
    let mut wanted: Vec<Slice> = exact.into_iter().take(1).collect();
    if wanted.iter().all(|&slice| seconds(slice) > QUICK) {
        wanted.extend(approximate.first());
    }
    let told = |slice: Slice| WantedTable {
        slice: slice.to_string(),
        exact: is_exact(&slice),
        command: solve_command(slice),
    };
    wanted.into_iter().map(told).collect()
}

/// Why no table can have a position.
fn beyond(position: &Position) -> &'static str {
    let left = |side| CHECKERS - position.board().off(side);
    // The point of the rearmost checker, as its side counts; 25 is the bar.
    let rearmost = |side| 25 - position.board().counts(side).iter().take_while(|&&count| count == 0).count();
    if Side::ALL.into_iter().all(|side| left(side) <= 3) {
        "it does not await a roll"
    } else if Side::ALL.into_iter().map(rearmost).sum::<usize>() > 25 {
        "the sides can still hit each other, and a side has more than three checkers left"
    } else {
        "a checker is farther from home than the ten point"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_bear_off_wins() {
        let needs = |all: &[(usize, f64)], first: usize| {
            let mut distribution = [0.0; DISTRIBUTIONS];
            all.iter().for_each(|&(rolls, chance)| distribution[rolls] = chance);
            distribution[ROLLS + first] = 1.0;
            distribution
        };
        // Two rolls for sure against one or two: the side to move wins if the opponent needs two.
        let chances = race(&needs(&[(2, 1.0)], 0), &needs(&[(1, 0.25), (2, 0.75)], 0));
        assert_eq!((chances.win, chances.gammon, chances.lose_gammon), (0.75, 0.0, 0.0));
        // The opponent bears off its first checker with the second roll, which it does not get.
        let chances = race(&needs(&[(2, 1.0)], 1), &needs(&[(9, 1.0)], 2));
        assert_eq!((chances.win, chances.gammon), (1.0, 1.0));
        // The side to move has had three rolls when the opponent's third bears off the last one.
        let chances = race(&needs(&[(9, 1.0)], 3), &needs(&[(3, 1.0)], 1));
        assert_eq!((chances.win, chances.lose_gammon), (0.0, 0.0));
        let chances = race(&needs(&[(9, 1.0)], 4), &needs(&[(3, 1.0)], 1));
        assert_eq!((chances.win, chances.lose_gammon), (0.0, 1.0));
    }
}
