//! `endspiel verify GAME [SLICE…]`: checks tables: their checksums, and their values, which are derived again from the rules.

use crate::advice::mending;
use crate::arguments::{self, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::{Failure, tell};
use crate::manifest;
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use game::Metric;
use registry::{
    Compared, Different, Extent, Family, Opened, Recorded, Registry, SliceId, Syzygy, TableVerified, Tables,
    Verified, Verifying, Wrong, json_text,
};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;
use table::Depth;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        endgames::slices(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        Arg::new("depth")
            .long("depth")
            .value_name("DEPTH")
            .value_parser([CHECKSUMS, EVERYTHING])
            .default_value(EVERYTHING)
            .help("Check every checksum only, which is quick, or also derive every value again"),
        arguments::number(
            "sample",
            "Check every checksum, and only this many random positions, one by one",
            1..=u64::MAX >> 8,
        )
        .conflicts_with("depth"),
        arguments::number("seed", "The same seed gives the same sample", 0..=u64::MAX).default_value("1"),
        endgames::kernel(
            "The game's fast check of whole rows, if it has one, or one position after another (slower)",
        ),
        endgames::syzygy(
            "Compare every value with the Syzygy files in these folders instead, separated as in PATH (chess)",
        )
        .conflicts_with_all(["kernel", "depth"]),
        arguments::threads(),
        arguments::json(),
    ];
    let about = "Check tables: every checksum, and every value against the values after each move";
    let verb = with_selectors(registry, game_verb(registry, "verify", about, "", &arguments));
    let without_a_game = [manifest::file(), endgames::tables(), arguments::threads(), arguments::json()];
    let verb = arguments::only_for(registry, verb, &["kernel"], |family| !family.has_equities());
    arguments::only_for(registry, verb, &["syzygy"], Family::has_syzygy)
        .subcommand_required(false)
        .args_conflicts_with_subcommands(true)
        .args(without_a_game)
}

/// The values of `--depth`.
const CHECKSUMS: &str = "checksums";
const EVERYTHING: &str = "everything";

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, library) = (game.tables()?, endgames::library_that_answers(matches)?);
    let number = |name: &str| matches.get_one::<u64>(name).copied();
    let sample = number("sample").map(|positions| (positions, number("seed").unwrap_or(1)));
    if let Some(folders) = matches.get_one::<OsString>("syzygy") {
        let extent = sample.map_or(Extent::All, |(positions, seed)| Extent::Sample { positions, seed });
        return compare(game, &game.syzygy(folders)?, extent, matches, out);
    }
    let depth = match (sample, matches.get_one::<String>("depth").map(String::as_str)) {
        (Some((positions, seed)), _) => Depth::Sample { positions, seed },
        (None, Some(CHECKSUMS)) => Depth::Checksums,
        _ => Depth::Everything,
    };
    let verifying = Verifying { depth, generic: endgames::is_generic(matches), memory: solve::free_memory() };
    let pool = arguments::pool(matches)?;
    let (mut all_right, mut all_recorded) = (true, true);
    for slice in endgames::wanted_or_present(game, tables, &library, matches)? {
        for metric in tables.metrics(&library, slice)? {
            let started = Instant::now();
            let size = match depth {
                Depth::Checksums | Depth::Everything => tables.size(slice),
                Depth::Sample { positions, .. } => positions,
            };
            let name = format!("{} {}", tables.name(slice), metric.name());
            let progress = Progress::new(&name, "positions");
            let part_done = |done| progress.done(done, size);
            let TableVerified { verified, recorded } =
                pool.install(|| tables.verify(&library, slice, metric, verifying, &part_done));
            progress.finish();
            match recorded {
                // The other tables are in the same folder, and so have the same problem.
                Recorded::NotWritten(error) if all_recorded => {
                    all_recorded = false;
                    tell(&format!("the verification of {name} cannot be recorded beside its table: {error}"));
                }
                Recorded::NotWritten(_) | Recorded::UpToDate => {}
                Recorded::NotRemoved { path, reason } => {
                    let record = game::quoted_path(&path);
                    tell(&format!("{record}, which says that {name} is right, cannot be removed: {reason}"));
                }
            }
            all_right &= verified.as_ref().is_ok_and(|verified| verified.wrong.is_empty());
            let seconds = started.elapsed().as_secs_f64();
            let answer = Answer { game, matches, tables, slice, metric, depth, seconds };
            match matches.get_flag("json") {
                true => writeln!(out, "{}", json_text(&answer.json(verified)))?,
                false => answer.tell(verified, out)?,
            }
            out.flush()?;
        }
    }
    if all_right { Ok(()) } else { Err(Failure::CheckFailed) }
}

/// Compares tables with Syzygy files.
fn compare(
    game: &Opened,
    syzygy: &Syzygy,
    extent: Extent,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (tables, library, pool) =
        (game.tables()?, endgames::library_that_answers(matches)?, arguments::pool(matches)?);
    let (mut all_equal, mut compared_any) = (true, false);
    for slice in endgames::wanted_or_present(game, tables, &library, matches)? {
        let material = tables.name(slice);
        for metric in tables.metrics(&library, slice)? {
            let name = format!("{material} {}", metric.name());
            if !syzygy.has(&material, metric) {
                if !matches.get_flag("json") {
                    writeln!(out, "{name:<10} no Syzygy files")?;
                }
                continue;
            }
            compared_any = true;
            let started = Instant::now();
            let size = match extent {
                Extent::All => tables.size(slice),
                Extent::Sample { positions, .. } => positions,
            };
            let progress = Progress::new(&name, "positions");
            let part_done = |done| progress.done(done, size);
            let compared = pool.install(|| syzygy.compare(&library, &material, metric, extent, &part_done));
            progress.finish();
            let Compared { positions, different } = match compared {
                Ok(compared) => compared,
                // Another table may be in order.
                Err(error) => {
                    all_equal = false;
                    if matches.get_flag("json") {
                        let answer = json!({
                            "game": game.info().name, "rules": tables.rules_id(), "slice": material,
                            "metric": metric.name(), "with": "syzygy", "equal": false, "error": error.to_string(),
                        });
                        writeln!(out, "{}", json_text(&answer))?;
                    } else {
                        writeln!(out, "{}", words::labelled(&name, column_after(&name), &error.to_string()))?;
                    }
                    continue;
                }
            };
            let (is_equal, seconds) = (different.is_empty(), started.elapsed().as_secs_f64());
            all_equal &= is_equal;
            if matches.get_flag("json") {
                let answer = json!({
                    "game": game.info().name, "rules": tables.rules_id(), "slice": material, "metric": metric.name(),
                    "with": "syzygy", "positions": positions, "equal": is_equal, "different": different, "seconds": seconds,
                });
                writeln!(out, "{}", json_text(&answer))?;
            } else {
                let (positions, verdict) =
                    (words::thousands(positions), if is_equal { "equal to" } else { "not equal to" });
                writeln!(out, "{name:<10} {positions:>16} positions, {verdict} Syzygy ({seconds:.1} s)")?;
                for Different { position, ours, theirs } in different {
                    writeln!(out, "  {position}\n    {ours} here, {theirs} there")?;
                }
            }
            out.flush()?;
        }
    }
    match (compared_any, all_equal) {
        (true, true) => Ok(()),
        (true, false) => Err(Failure::CheckFailed),
        (false, _) => Err(Failure::NothingToCompare),
    }
}

/// The result for one table.
struct Answer<'a> {
    game: &'a Opened,
    matches: &'a ArgMatches,
    tables: &'a dyn Tables,
    slice: SliceId,
    metric: Metric,
    depth: Depth,
    seconds: f64,
}

impl Answer<'_> {
    fn position(&self, entry: &Wrong) -> String {
        let position = self.tables.position_at(self.slice, entry.index);
        position.unwrap_or_else(|| "no position".to_owned())
    }

    fn json(&self, verified: Result<Verified, registry::Error>) -> Value {
        let mut answer = json!({
            "game": self.game.info().name, "rules": self.tables.rules_id(), "slice": self.tables.name(self.slice),
            "metric": self.metric.name(),
        });
        match verified {
            Err(error) => {
                answer["right"] = false.into();
                if let Some(table) = error.table() {
                    answer["fault"] = table.fault().name().into();
                }
                answer["error"] = error.to_string().into();
            }
            Ok(verified) => {
                let wrong = verified.wrong.iter().map(|entry| {
                    json!({
                        "position": self.position(entry), "index": entry.index.0, "stored": entry.stored,
                        "expected": entry.expected,
                    })
                });
                let wrong: Vec<Value> = wrong.collect();
                answer["depth"] = words::depth(self.depth).into();
                answer["positions"] = verified.positions.into();
                answer["right"] = wrong.is_empty().into();
                answer["wrong"] = wrong.into();
                answer["seconds"] = self.seconds.into();
            }
        }
        answer
    }

    fn tell(&self, verified: Result<Verified, registry::Error>, out: &mut dyn Write) -> Result<(), Failure> {
        let name = format!("{} {}", self.tables.name(self.slice), self.metric.name());
        match verified {
            Err(error) => match error.table() {
                Some(table) => {
                    let again = endgames::given_again(self.game.info(), self.matches);
                    let how = mending(table, self.game, &again);
                    let how = how.map_or_else(String::new, |how| format!("; {how}"));
                    let told = format!("{error}{how}");
                    writeln!(out, "{}", words::labelled(&name, column_after(&name), &told))?;
                }
                None => writeln!(out, "{}", words::labelled(&name, column_after(&name), &error.to_string()))?,
            },
            Ok(_) if self.depth == Depth::Checksums => {
                writeln!(out, "{name:<10} all checksums are right ({:.1} s)", self.seconds)?;
            }
            Ok(verified) if verified.wrong.is_empty() => {
                let positions = words::thousands(verified.positions);
                writeln!(out, "{name:<10} {positions:>16} positions, all right ({:.1} s)", self.seconds)?;
            }
            Ok(verified) => {
                writeln!(out, "{name:<10} wrong:")?;
                for entry in &verified.wrong {
                    let Wrong { stored, expected, .. } = entry;
                    let told = format!("{stored} is stored, {expected} follows from the moves");
                    writeln!(out, "  {}\n    {told}", self.position(entry))?;
                }
            }
        }
        Ok(())
    }
}

/// The column of what is told about a table: behind the longest usual name, or behind a longer one.
fn column_after(name: &str) -> usize {
    11.max(name.chars().count() + 1)
}
