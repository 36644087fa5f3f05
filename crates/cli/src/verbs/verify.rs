//! `endspiel verify GAME [SLICE…]`: are the tables right? Every value is derived anew by the rules alone.

use crate::arguments::{self, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::words;
use clap::{ArgMatches, Command};
use registry::Registry;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

pub fn command(registry: &Registry) -> Command {
    let arguments = [endgames::slices(), endgames::tables(), arguments::threads(), arguments::json()];
    let about = "Check tables: every checksum, and every value against its successors";
    with_selectors(registry, game_verb(registry, "verify", about, "", &arguments))
}

pub fn run(
    registry: &Registry,
    game: &str,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let host = endgames::open(registry, game, matches)?;
    let library = endgames::library(matches);
    let pool = arguments::pool(matches)?;
    let mut all_right = true;
    for slice in endgames::wanted_or_present(registry, &*host, &library, matches)? {
        let started = Instant::now();
        let size = host.size(&slice)?;
        let progress = Progress::new(&slice, "positions");
        let part = size.div_ceil(1 << 14) as usize;
        let verified =
            pool.install(|| host.verify(&library, &slice, &|done| progress.part_done(done, part)))?;
        progress.finish();
        all_right &= verified.wrong.is_empty();
        let mut wrong = Vec::new();
        for entry in &verified.wrong {
            let position = host.position_at(&slice, entry.index)?;
            wrong.push((position.unwrap_or_else(|| "no position".to_owned()), entry));
        }
        if matches.get_flag("json") {
            let wrong = wrong.iter().map(|(position, entry)| {
                let (stored, expected) = (format!("{:?}", entry.stored), format!("{:?}", entry.expected));
                json!({"position": position, "index": entry.index.0, "stored": stored, "expected": expected})
            });
            let answer = json!({
                "game": host.info().name, "rules": host.rules_id(), "slice": slice,
                "positions": verified.positions, "right": verified.wrong.is_empty(),
                "wrong": wrong.collect::<Vec<_>>(), "seconds": started.elapsed().as_secs_f64(),
            });
            writeln!(out, "{answer}")?;
        } else if wrong.is_empty() {
            let (positions, time) = (words::thousands(verified.positions), started.elapsed().as_secs_f64());
            writeln!(out, "{slice:<8} {positions:>16} positions, all right ({time:.1} s)")?;
        } else {
            writeln!(out, "{slice:<8} wrong:")?;
            for (position, entry) in wrong {
                writeln!(out, "  {position}: {:?} is stored, {:?} follows", entry.stored, entry.expected)?;
            }
        }
        out.flush()?;
    }
    if all_right { Ok(()) } else { Err(Failure::CheckFailed) }
}
