//! Walks over whole tables of expected points: for statistics and for pictures.

use crate::equity_source::{EquityLibrary, OpenTable, race};
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
    let points = |counted: (u64, PointStats)| (counted.0, Some(counted.1.divided()), None);
    let (positions, points, rolls) = match opened {
        OpenTable::TwoSided(table) => {
            let most = if slice.has_gammons() { 2.0 } else { 1.0 };
            points(count_points(table, PointStats::within(-most, most, false), |raw| {
                (table.payload().value(raw[0]), None)
            })?)
        }
        OpenTable::Cubeful(table) => {
            points(count_points(table, PointStats::within(-1.0, 1.0, true), |raw| {
                let [cubeless, mover, nobody, opponent] = table.payload().values(raw);
                (cubeless, Some(CubeEquities { mover, nobody, opponent }))
            })?)
        }
        OpenTable::Hyper(table) => {
            points(count_points(table, PointStats::within(-3.0, 3.0, false), |raw| {
                (Odds::of_hyper(table.payload().values(raw)).cubeless, None)
            })?)
        }
        OpenTable::Left(table) => points(count_points(table, PointStats::within(-1.0, 1.0, false), |raw| {
            (Odds::of_left(table.payload().values(raw)).cubeless, None)
        })?),
        OpenTable::OneSided(table) => {
            let add = |stats: &mut RollStats, entry: Option<[i64; 2 * ROLLS]>| {
                if let Some(raw) = entry {
                    let values = table.payload().values(raw);
                    stats.add(
                        values[..ROLLS].iter().enumerate().map(|(rolls, chance)| rolls as f64 * chance).sum(),
                    );
                }
            };
            let rolls = fold(table, RollStats::default, add, |a, b| a.and(&b))?;
            (rolls.boards.iter().sum(), None, Some(rolls.divided()))
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

/// Counts the positions of a table, and the statistics of their points. `read` gives the points of an entry.
fn count_points<P: Entries<Entry = Option<E>>, E>(
    table: &Table<P>,
    empty: PointStats,
    read: impl Fn(E) -> (f64, Option<CubeEquities>) + Sync,
) -> Result<(u64, PointStats), Error> {
    let add = |(positions, stats): &mut (u64, PointStats), entry: Option<E>| {
        if let Some(entry) = entry {
            let (cubeless, cube) = read(entry);
            stats.add(cubeless, cube);
            *positions += 1;
        }
    };
    fold(table, || (0, empty.clone()), add, |a, b| (a.0 + b.0, a.1.and(&b.1)))
}

/// Folds the entries of a table on all threads.
fn fold<P: Entries, T: Send + Sync>(
    table: &Table<P>,
    begin: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, P::Entry) + Sync,
    merge: impl Fn(T, T) -> T,
) -> Result<T, Error> {
    let work = |folded: &mut T, block: usize| {
        table.block(block as u64)?.iter().for_each(|entry| add(folded, entry));
        Ok::<_, Error>(())
    };
    parallel::try_fold(table.blocks() as usize, begin, work, merge)
}

/// The positions of a two-sided table by pips. Returns `None` if the slice has no two sides that bear off.
pub(crate) fn by_pips(library: &Library, slice: Slice) -> Result<Option<PipMap>, Error> {
    let (Slice::TwoSided { .. } | Slice::Cubeful { .. }, Some(bear_off)) = (slice, slice.bear_off()) else {
        return Ok(None);
    };
    let library = EquityLibrary::new(Arc::new(library.with_own_cache(table::DEFAULT_CACHE_BYTES)));
    let opened = library.table(slice)?;
    let pips: Vec<u32> = (0..bear_off.boards()).map(|board| bear_off.unrank(board).pips()).collect();
    let alone = alone(&library, bear_off)?;
    let mut map = PipMap::default();
    let boards = u64::from(bear_off.boards());
    for index in 0..slice.entries() {
        let Some(told) = library.entry(slice, opened, Place::At(Index(index)), false)? else { continue };
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
