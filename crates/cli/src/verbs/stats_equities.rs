//! `endspiel stats` for games with dice: expected points, doubles, and how long bear-offs take.

use crate::arguments;
use crate::endgames;
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::{svg_pips, words};
use clap::ArgMatches;
use game::visible_path;
use registry::{CubeStats, EquityStats, EquityTables, Opened, PointStats, RollStats, json_text};
use std::io::Write;
use std::path::PathBuf;
use table::Library;

pub fn run(
    game: &Opened,
    equities: &dyn EquityTables,
    library: &Library,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if matches.get_flag("classes") {
        return Err(Failure::OptionOfValues { option: "classes", game: game.info().title });
    }
    let (tables, pool) = (game.tables()?, arguments::pool(matches)?);
    let mut drawn = None;
    for slice in endgames::wanted_or_present(game, tables, library, matches)? {
        let stats = pool.install(|| equities.stats(library, slice))?;
        match matches.get_flag("json") {
            true => writeln!(out, "{}", json_text(&stats))?,
            false => tell(&stats, out)?,
        }
        out.flush()?;
        if matches.contains_id("svg") && drawn.is_none() {
            let bar = Progress::new(&format!("pips of {}", tables.name(slice)), "positions");
            let map = equities.by_pips(library, slice, &|done| bar.done(done, tables.size(slice)));
            bar.finish();
            let map = map?;
            drawn = map.map(|map| (tables.name(slice), map));
        }
    }
    if let Some(path) = matches.get_one::<PathBuf>("svg") {
        let (name, map) = drawn.ok_or_else(|| Failure::NoPipMap { path: path.clone() })?;
        let title = format!("{}, {name}", game.info().title);
        std::fs::write(path, svg_pips::pip_maps(&title, &map))
            .map_err(|source| Failure::File { path: path.clone(), source })?;
        if !matches.get_flag("json") {
            writeln!(out, "The picture of {name} is in {}.", visible_path(path))?;
        }
    }
    Ok(())
}

fn tell(stats: &EquityStats, out: &mut dyn Write) -> Result<(), Failure> {
    let EquityStats { rules, slice, positions, error, points, rolls, .. } = stats;
    writeln!(out, "{slice} ({rules}): {}, right to {error:.1e}", words::counted(*positions, "position"))?;
    if let Some(points) = points {
        tell_points(points, *positions, out)?;
    }
    if let Some(rolls) = rolls {
        tell_rolls(rolls, out)?;
    }
    Ok(writeln!(out)?)
}

fn tell_points(points: &PointStats, positions: u64, out: &mut dyn Write) -> Result<(), Failure> {
    let PointStats { mean, ranges, least, most, cube, .. } = points;
    writeln!(out, "  the side to move expects {mean:+.4} points on average, without a cube")?;
    if let Some(CubeStats { roll, double_take, double_drop, too_good }) = cube {
        writeln!(out, "  with a cube in the middle:")?;
        for (name, count) in [
            ("roll", roll),
            ("double, take", double_take),
            ("double, drop", double_drop),
            ("too good", too_good),
        ] {
            let share = 100.0 * *count as f64 / positions.max(1) as f64;
            writeln!(out, "    {name:<13} {:>16} {share:>8.3} %", words::thousands(*count))?;
        }
    }
    let length = (most - least) / ranges.len() as f64;
    let rows = ranges.iter().enumerate().map(|(range, &count)| {
        let from = least + range as f64 * length;
        (format!("{from:+.2} – {:+.2}", from + length), count)
    });
    tell_bars("points", &rows.collect::<Vec<_>>(), out)
}

fn tell_rolls(rolls: &RollStats, out: &mut dyn Write) -> Result<(), Failure> {
    let RollStats { mean, longest, boards, .. } = rolls;
    writeln!(out, "  a side takes {mean:.3} rolls on average, at most {longest:.3}")?;
    let rows = boards.iter().enumerate().map(|(rolls, &count)| (format!("{rolls} – {}", rolls + 1), count));
    tell_bars("rolls", &rows.collect::<Vec<_>>(), out)
}

/// Writes a bar for each row.
fn tell_bars(what: &str, rows: &[(String, u64)], out: &mut dyn Write) -> Result<(), Failure> {
    const WIDTH: f64 = 40.0;
    let most = rows.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
    let label = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0).max(what.len());
    writeln!(out, "  {what:>label$} : positions")?;
    for (name, count) in rows {
        let bar = "▇".repeat((WIDTH * *count as f64 / most as f64).round() as usize);
        writeln!(out, "  {name:>label$} {bar} {}", words::thousands(*count))?;
    }
    Ok(())
}
