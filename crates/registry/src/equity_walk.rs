//! Walks over whole tables of expected points: for statistics and for pictures.

use crate::equity_source::{EquityLibrary, OpenTable, entry, race};
use crate::equity_stats::{EquityStats, PointStats, RollStats};
use crate::error::Error;
use crate::pip_map::PipMap;
use backgammon::{Backgammon, BearOff, Chances, CubeEquities, Place, Slice};
use game::{Game as _, Index, parallel};
use kernels::backgammon::{self as kernel, Odds, ROLLS};
use std::sync::Arc;
use table::{Entries, Library, Table};

/// The statistics of a table.
pub(crate) fn stats(library: &Library, slice: Slice) -> Result<EquityStats, Error> {
    let library = EquityLibrary::new(Arc::new(library.with_own_cache(0)));
    let opened = library.table(slice)?;
    let points = |counted: PointStats| (counted.positions(), Some(counted.divided()), None);
    // In a bear-off of both sides, a game is over when a side has no checkers. Such an index has an entry, but no position.
    let boards = slice.bear_off().map(|bear_off| u64::from(bear_off.boards()));
    let is_position =
        |index: u64| boards.is_none_or(|boards| index >= boards && !index.is_multiple_of(boards));
    let (positions, points, rolls) = match opened {
        OpenTable::TwoSided(table) => {
            let most = if slice.has_gammons() { 2.0 } else { 1.0 };
            points(count_points(table, is_position, PointStats::within(-most, most, false), |raw| {
                (table.payload().value(raw[0]), None)
            })?)
        }
        OpenTable::Cubeful(table) => {
            points(count_points(table, is_position, PointStats::within(-1.0, 1.0, true), |raw| {
                let [cubeless, mover, nobody, opponent] = table.payload().values(raw);
                (cubeless, Some(CubeEquities { mover, nobody, opponent }))
            })?)
        }
        OpenTable::Hyper(table) => {
            points(count_points(table, is_position, PointStats::within(-3.0, 3.0, false), |raw| {
                (Odds::of_hyper(table.payload().values(raw)).cubeless, None)
            })?)
        }
        OpenTable::Left(table) => {
            points(count_points(table, is_position, PointStats::within(-1.0, 1.0, false), |raw| {
                (Odds::of_left(table.payload().values(raw)).cubeless, None)
            })?)
        }
        OpenTable::OneSided(table) => {
            let add = |stats: &mut RollStats, _, entry: Option<[i64; 2 * ROLLS]>| {
                if let Some(raw) = entry {
                    let values = table.payload().values(raw);
                    stats.add(
                        values[..ROLLS].iter().enumerate().map(|(rolls, chance)| rolls as f64 * chance).sum(),
                    );
                }
            };
            let rolls = fold(table, RollStats::default, add, |a, b| a.and(&b))?;
            (rolls.positions(), None, Some(rolls.divided()))
        }
    };
    Ok(EquityStats {
        game: Backgammon::INFO.name,
        rules: kernel::RULES.to_owned(),
        slice: slice.to_string(),
        positions,
        bytes: opened.bytes(),
        error: opened.error(),
        points,
        rolls,
    })
}

/// The statistics of the points of a table. `is_position` tells which indices are counted; `read` gives the points of an entry.
fn count_points<P: Entries<Entry = Option<E>>, E>(
    table: &Table<P>,
    is_position: impl Fn(u64) -> bool + Sync,
    empty: PointStats,
    read: impl Fn(E) -> (f64, Option<CubeEquities>) + Sync,
) -> Result<PointStats, Error> {
    let add = |stats: &mut PointStats, index: u64, entry: Option<E>| {
        if let Some(entry) = entry.filter(|_| is_position(index)) {
            let (cubeless, cube) = read(entry);
            stats.add(cubeless, cube);
        }
    };
    fold(table, || empty.clone(), add, |a, b| a.and(&b))
}

/// Folds the entries of a table with their indices, on all threads.
fn fold<P: Entries, T: Send + Sync>(
    table: &Table<P>,
    begin: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, u64, P::Entry) + Sync,
    merge: impl Fn(T, T) -> T,
) -> Result<T, Error> {
    let per_block = u64::from(table.layout().entries_per_block);
    let work = |folded: &mut T, block: usize| {
        let block = block as u64;
        (block * per_block..)
            .zip(table.block(block)?.iter())
            .for_each(|(index, entry)| add(folded, index, entry));
        Ok::<_, Error>(())
    };
    parallel::try_fold(table.blocks() as usize, begin, work, merge)
}

/// The positions of a two-sided table by pips. Returns `None` if the slice has no two sides that bear off, or if its points do not
/// tell the chance to win, because there are gammons.
pub(crate) fn by_pips(
    library: &Library,
    slice: Slice,
    progress: &dyn Fn(u64),
) -> Result<Option<PipMap>, Error> {
    let (Slice::TwoSided { .. } | Slice::Cubeful { .. }, Some(bear_off)) = (slice, slice.bear_off()) else {
        return Ok(None);
    };
    if slice.has_gammons() {
        return Ok(None);
    }
    let library = EquityLibrary::new(Arc::new(library.with_own_cache(table::DEFAULT_CACHE_BYTES)));
    let opened = library.table(slice)?;
    let pips: Vec<u32> = (0..bear_off.boards()).map(|board| bear_off.unrank(board).pips()).collect();
    let alone = alone(&library, bear_off)?;
    let mut map = PipMap::default();
    let boards = u64::from(bear_off.boards());
    for index in 0..slice.entries() {
        if (index + 1).is_multiple_of(boards) {
            progress(boards);
        }
        let Some(told) = entry(slice, opened, Place::At(Index(index)), false)? else { continue };
        let [mine, theirs] = [index / boards, index % boards].map(|board| board as usize);
        // Without a checker, the game is over.
        if mine == 0 || theirs == 0 {
            continue;
        }
        let prospect = told.prospect;
        let chances = prospect.chances.unwrap_or(Chances::without_gammons(prospect.points.cubeless));
        let one_sided = alone.as_ref().map(|alone| race(&alone[mine], &alone[theirs]).win);
        map.add((pips[mine], pips[theirs]), chances.win, told.rolling, one_sided);
    }
    Ok(Some(map))
}

/// The distributions of all boards, if there is a one-sided table.
fn alone(library: &EquityLibrary, bear_off: BearOff) -> Result<Option<Vec<[f64; 2 * ROLLS]>>, Error> {
    let slice = Slice::OneSided { points: bear_off.points() };
    if !library.has(slice) {
        return Ok(None);
    }
    let OpenTable::OneSided(table) = library.table(slice)? else { return Ok(None) };
    // Boards with fewer checkers come first, so the numbers are the same.
    let values = |board: u32| {
        let entry = table.entry(board.into())?;
        Ok::<_, Error>(entry.map_or([0.0; 2 * ROLLS], |raw| table.payload().values(raw)))
    };
    (0..bear_off.boards()).map(values).collect::<Result<Vec<_>, _>>().map(Some)
}
