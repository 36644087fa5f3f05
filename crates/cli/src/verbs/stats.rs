//! `endspiel stats GAME [SLICE…]`: counts the values in the tables.

use crate::arguments::{self, flag, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::{svg, words};
use clap::{Arg, ArgMatches, Command, value_parser};
use registry::{Opened, PERPETUAL_CHECK, Registry, SliceStats};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        endgames::slices(),
        endgames::tables(),
        flag("classes", "Count each index once, instead of every position that it stands for"),
        Arg::new("svg")
            .long("svg")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Write a chart of the distances to this SVG file"),
        arguments::threads(),
        arguments::json(),
    ];
    let about = "Count wins, losses, draws and distances in tables";
    with_selectors(registry, game_verb(registry, "stats", about, "", &arguments))
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, library) = (game.tables()?, endgames::library(matches));
    let pool = arguments::pool(matches)?;
    let mut all = Vec::new();
    for slice in endgames::wanted_or_present(game, tables, &library, matches)? {
        let stats = pool.install(|| tables.stats(&library, slice, matches.get_flag("classes")))?;
        match matches.get_flag("json") {
            true => writeln!(out, "{}", json!(stats))?,
            false => tell(&stats, out)?,
        }
        out.flush()?;
        all.push(stats);
    }
    let has_distances = all.iter().any(|slice| !slice.stats.plies.is_empty());
    if let Some(path) = matches.get_one::<PathBuf>("svg") {
        if !has_distances {
            return Err(Failure::NothingToDraw { path: path.clone() });
        }
        let title = format!("{}, {}", game.info().title, tables.rules_id());
        std::fs::write(path, svg::histogram(&title, &all))
            .map_err(|source| Failure::File { path: path.clone(), source })?;
        if !matches.get_flag("json") {
            writeln!(out, "The picture is in {}.", path.display())?;
        }
    }
    Ok(())
}

fn tell(slice: &SliceStats, out: &mut dyn Write) -> Result<(), Failure> {
    let stats = &slice.stats;
    let share = |count: u64| 100.0 * count as f64 / stats.positions().max(1) as f64;
    writeln!(out, "{} ({}): {} positions", slice.slice, slice.rules, words::thousands(stats.positions()))?;
    for (name, count, by_rule) in [
        ("won", stats.wins, stats.wins_by_rule),
        ("lost", stats.losses, stats.losses_by_rule),
        ("drawn", stats.draws, 0),
    ] {
        let by_rule = match by_rule {
            0 => String::new(),
            count => format!(", of which {} by {PERPETUAL_CHECK}", words::thousands(count)),
        };
        writeln!(out, "  {name:<6} {:>16} {:>8.3} %{by_rule}", words::thousands(count), share(count))?;
    }
    if let (Some(longest), Some(position)) = (stats.longest, &slice.longest) {
        let count = stats.plies[&longest.plies];
        writeln!(
            out,
            "  longest: {} in {}, such as {position}",
            longest.plies,
            words::counted(count, "position")
        )?;
        tell_histogram(slice, out)?;
    }
    writeln!(out)?;
    Ok(())
}

/// Writes a bar for each range of distances. The ranges are so long that the bars fit on a screen.
fn tell_histogram(slice: &SliceStats, out: &mut dyn Write) -> Result<(), Failure> {
    const ROWS: u16 = 16;
    const WIDTH: f64 = 40.0;
    let plies = &slice.stats.plies;
    let Some((longest, _)) = plies.last_key_value() else { return Ok(()) };
    let step = (longest.0 / ROWS + 1).next_multiple_of(2);
    let rows: Vec<(u16, u64)> = (0..=longest.0 / step)
        .map(|row| (row * step, plies.iter().filter(|(p, _)| p.0 / step == row).map(|(_, n)| n).sum()))
        .collect();
    // The scale is logarithmic, because long distances are rarer by powers of ten.
    let scale = |count: u64| (count as f64 + 1.0).log10();
    let most = rows.iter().map(|&(_, count)| scale(count)).fold(1.0, f64::max);
    for (first, count) in rows {
        let bar = "▇".repeat((WIDTH * scale(count) / most).round() as usize);
        writeln!(out, "  {first:>4} – {:<4} {bar} {}", first + step - 1, words::thousands(count))?;
    }
    Ok(())
}
