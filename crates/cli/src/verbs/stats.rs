//! `endspiel stats GAME [SLICE…]`: counts the values in the tables.

use crate::arguments::{self, flag, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::verbs::stats_equities;
use crate::{svg, words};
use clap::{Arg, ArgMatches, Command, value_parser};
use game::{DistanceUnit, Wdl, visible_path};
use registry::{Contents, Extreme, Late, Opened, PERPETUAL_CHECK, Registry, SliceStats, json_text};
use std::io::Write;
use std::path::PathBuf;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        endgames::slices(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
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
    let verb = with_selectors(registry, game_verb(registry, "stats", about, "", &arguments));
    arguments::only_for(registry, verb, &["classes"], |family| !family.has_equities())
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, library) = (game.tables()?, endgames::library_that_answers(matches)?);
    let pool = arguments::pool(matches)?;
    let values = match tables.contents() {
        Contents::Values(values) => values,
        Contents::Equities(equities) => return stats_equities::run(game, equities, &library, matches, out),
    };
    let mut all = Vec::new();
    for slice in endgames::wanted_or_present(game, tables, &library, matches)? {
        let stats = pool.install(|| values.stats(&library, slice, matches.get_flag("classes")))?;
        match matches.get_flag("json") {
            true => stats.iter().try_for_each(|part| writeln!(out, "{}", json_text(part)))?,
            false => tell(&stats, game.info().distances, out)?,
        }
        out.flush()?;
        all.extend(stats);
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
            writeln!(out, "The picture is in {}.", visible_path(path))?;
        }
    }
    Ok(())
}

/// Writes the statistics of a table: one part, or one for each side to move.
fn tell(parts: &[SliceStats], unit: DistanceUnit, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(first) = parts.first() else { return Ok(()) };
    let positions: u64 = parts.iter().map(|part| part.stats.positions()).sum();
    writeln!(out, "{} ({}): {} positions", first.slice, first.rules, words::thousands(positions))?;
    for part in parts {
        if let Some(to_move) = part.to_move {
            let positions = words::counted(part.stats.positions(), "position");
            writeln!(out, "{} to move: {positions}", words::capitalised(to_move))?;
        }
        tell_part(part, unit, out)?;
    }
    writeln!(out)?;
    Ok(())
}

fn tell_part(part: &SliceStats, unit: DistanceUnit, out: &mut dyn Write) -> Result<(), Failure> {
    let stats = &part.stats;
    let share = |count: u64| 100.0 * count as f64 / stats.positions().max(1) as f64;
    let late = part.late.unwrap_or(Late { cursed_wins: 0, blessed_losses: 0 });
    for (name, count, by_rule, late) in [
        ("won", stats.wins, stats.wins_by_rule, late.cursed_wins),
        ("lost", stats.losses, stats.losses_by_rule, late.blessed_losses),
        ("drawn", stats.draws, 0, 0),
    ] {
        let [by_rule, late] =
            [(by_rule, format!("by {PERPETUAL_CHECK}")), (late, "too late for the 50-move rule".to_owned())]
                .map(|(count, why)| match count {
                    0 => String::new(),
                    count => format!(", of which {} {why}", words::thousands(count)),
                });
        let of_which = [by_rule, late].concat();
        let told = format!("  {name:<6} {:>16} {:>8.3} %", words::thousands(count), share(count));
        writeln!(out, "{}", words::labelled(&told, told.chars().count(), &of_which).trim_end())?;
    }
    for (of, Extreme { plies, position }) in part.extremes() {
        let name = match of {
            Some(Wdl::Win) => "longest win",
            Some(Wdl::Loss) => "longest loss",
            _ => "longest",
        };
        let count = words::counted(stats.plies[plies], "position");
        // People copy the position, so it has a line of its own.
        writeln!(out, "  {name}: {} in {count}, such as\n    {position}", unit.told(*plies))?;
    }
    tell_histogram(part, unit, out)
}

/// Writes a bar for each range of distances. The ranges are so long that the bars fit on a screen. The bars are as long as the counts
/// have digits, because long distances are rarer by powers of ten.
fn tell_histogram(part: &SliceStats, unit: DistanceUnit, out: &mut dyn Write) -> Result<(), Failure> {
    const ROWS: u16 = 16;
    const WIDTH: f64 = 40.0;
    let distances = part.stats.plies.iter().map(|(&plies, &count)| (unit.count(plies), count));
    let Some((longest, _)) = distances.clone().next_back() else { return Ok(()) };
    let step = match unit {
        // A range has as many distances of wins as of losses.
        DistanceUnit::Plies => (longest / ROWS + 1).next_multiple_of(2),
        DistanceUnit::Moves => longest / ROWS + 1,
    };
    let in_row = |row: u16| distances.clone().filter(move |(n, _)| n / step == row).map(|(_, count)| count);
    let rows: Vec<(u16, u64)> = (0..=longest / step).map(|row| (row * step, in_row(row).sum())).collect();
    writeln!(out, "  {} to the end: positions (the bars are logarithmic)", unit.name())?;
    let scale = |count: u64| (count as f64 + 1.0).log10();
    let most = rows.iter().map(|&(_, count)| scale(count)).fold(1.0, f64::max);
    for (first, count) in rows {
        let bar = "▇".repeat((WIDTH * scale(count) / most).round() as usize);
        let count = words::thousands(count);
        match step {
            1 => writeln!(out, "  {first:>4} {bar} {count}")?,
            _ => writeln!(out, "  {first:>4} – {:<4} {bar} {count}", first + step - 1)?,
        }
    }
    Ok(())
}
