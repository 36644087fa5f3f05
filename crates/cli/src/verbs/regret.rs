//! `endspiel regret GAME AGENT`: what an agent loses against perfect play, on random positions of tables.

use crate::agents;
use crate::arguments::{self, number, some_games_verb};
use crate::endgames;
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use registry::{Family, LossReport, LossSumReport, Opened, Registry, RegretSettings, json_text};
use serde_json::json;
use std::io::Write;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        Arg::new("agent").value_name("AGENT").required(true).help("The agent, as in `match`"),
        endgames::slices(),
        number("positions", "How many random positions of each table", 1..=100_000_000).default_value("1000"),
        number("seed", "The same seed gives the same positions and rolls", 0..=u64::MAX).default_value("1"),
        number("threads", "Agents at the same time [default: depends on the agent]", 1..=256),
        agents::move_time(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        arguments::json(),
    ];
    let about = "Measure what an agent loses against perfect play, on random positions of tables";
    some_games_verb(registry, "regret", about, "pips 6x6 --positions 1000", &arguments, Family::has_equities)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, equities, library) =
        (game.tables()?, game.equities()?, endgames::library_that_answers(matches)?);
    let mut slices = endgames::wanted_or_present(game, tables, &library, matches)?;
    if matches.contains_id("slices") {
        slices.iter().try_for_each(|slice| equities.can_judge(*slice))?;
    }
    slices.retain(|slice| equities.can_judge(*slice).is_ok());
    if slices.is_empty() {
        let example = "endspiel solve backgammon 6x6";
        return Err(Failure::NoExactTables { example, game: game.info().title });
    }
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let agent = matches.get_one::<String>("agent").expect("clap asks for it");
    let at_once = matches.get_one::<u64>("threads").map(|&threads| threads as usize);
    let judged = agents::of(game, &library)?;
    for slice in slices {
        // Without its table, nothing would be judged.
        tables.metrics(&library, slice)?;
        let positions = equities.sample(slice, number("positions"), number("seed"));
        let name = tables.name(slice);
        let (bar, all) = (Progress::new(&format!("{agent} on {name}"), "positions"), positions.len() as u64);
        let progress = |judged| bar.done(judged, all);
        let settings = RegretSettings {
            at_once,
            patience: agents::patience(matches),
            progress: &progress,
            ..RegretSettings::new(agent, &positions, number("seed"))
        };
        let report = judged.regret(&settings);
        bar.finish();
        let report = report.map_err(|error| agents::failure(error, game, &library))?;
        match matches.get_flag("json") {
            true => {
                let answer = json!({
                    "game": game.info().name, "agent": agent, "slice": name, "seed": number("seed"),
                    "positions": number("positions"), "losses": report,
                });
                writeln!(out, "{}", json_text(&answer))?;
            }
            false => {
                writeln!(
                    out,
                    "{agent} on {} of {name}:",
                    words::counted(number("positions"), "random position")
                )?;
                tell(&report, out)?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// Writes what an agent lost, moves and cube apart.
pub fn tell(report: &LossReport, out: &mut dyn Write) -> Result<(), Failure> {
    let LossReport { moves, cube, forced, unknown } = report;
    tell_sum("moves", moves, out)?;
    if cube.decisions > 0 {
        tell_sum("cube", cube, out)?;
    }
    let [forced, unknown] = [*forced, *unknown].map(words::thousands);
    Ok(writeln!(out, "  {forced} with nothing to choose, {unknown} that no table can judge")?)
}

fn tell_sum(what: &str, sum: &LossSumReport, out: &mut dyn Write) -> Result<(), Failure> {
    let LossSumReport { decisions, errors, mean, interval, worst } = sum;
    let spread = interval.map_or_else(String::new, |[low, high]| format!(" [{low:.6}, {high:.6}]"));
    let errors = words::counted(*errors, "error");
    let decisions = words::counted(*decisions, "decision");
    words::say(out, &format!("  {what}: {decisions}, {errors}, {mean:.6} points lost per decision{spread}"))?;
    if let Some(worst) = worst {
        writeln!(out, "    the worst: {} loses {:.4} in\n    {}", worst.chosen, worst.lost, worst.position)?;
    }
    Ok(())
}
