//! `endspiel bench [GAME…]`: measures the speed of each game on this machine.

use crate::arguments;
use crate::endgames;
use crate::failure::{Failure, tell};
use crate::peers;
use crate::words;
use clap::{Arg, ArgAction, ArgMatches, Command};
use game::perft::Counting;
use game::{Index, Metric, Options, Rng};
use rayon::ThreadPool;
use registry::{
    After, Bench, Benchmark, Extras, Family, Listing, Opened, OutputFormat, ProbeCounts, Registry, SliceId,
    Tables, json_text,
};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::Library;

pub fn command(registry: &Registry) -> Command {
    let known = registry.games().map(|family| family.info().name).collect::<Vec<_>>().join(", ");
    Command::new("bench")
        .about("Measure the speed of the games on this machine")
        .arg(
            Arg::new("games")
                .value_name("GAME")
                .action(ArgAction::Append)
                .help(format!("The games to measure: {known} [default: all]")),
        )
        .args([
            arguments::threads(),
            arguments::flag(
                "endings",
                "Instead, play endings out by the tables, and tell how often a block was in the cache",
            ),
            arguments::flag("probes", "Instead, measure how quickly the tables are opened and asked")
                .conflicts_with("endings"),
            arguments::flag(
                "search",
                "Instead, search fixed positions to a fixed depth; the signature changes if the search does",
            )
            .conflicts_with_all(["endings", "probes"]),
            endgames::tables(),
            arguments::size("cache", "The size of the cache of blocks for --endings")
                .default_value("16M")
                .requires("endings"),
            arguments::json(),
        ])
        .after_help("Example:\n  endspiel bench onitama --threads 1")
}

pub fn run(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let named = matches.get_many::<String>("games").into_iter().flatten();
    let named = named.map(|name| registry.find(name)).collect::<Result<Vec<_>, _>>()?;
    // A game that was asked for must have tables. Of all games, those without are left out.
    let is_named = !named.is_empty();
    let families = if named.is_empty() { registry.games().collect() } else { named };
    let pool = arguments::pool(matches)?;
    for family in families {
        if matches.get_flag("search") {
            search(family, is_named, matches.get_flag("json"), out)?;
            continue;
        }
        let game = family.open(&Options::default())?;
        let (name, as_json) = (game.info().name, matches.get_flag("json"));
        if matches.get_flag("probes") {
            probes(&game, is_named, matches, out)?;
            continue;
        }
        if matches.get_flag("endings") {
            endings(&game, is_named, matches, out)?;
            continue;
        }
        for measured in [perft(&game, &pool)?, moves(&game)?] {
            measured.write(name, as_json, out)?;
            out.flush()?;
        }
        own_benchmarks(family, as_json, out)?;
    }
    Ok(())
}

/// Searches the fixed positions of a game. Of all games, those without an engine are left out.
fn search(family: &Family, is_named: bool, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(search) = family.search() else {
        let game = family.info().title;
        return if is_named { Err(registry::Error::NoEngine { game }.into()) } else { Ok(()) };
    };
    let Bench { signature, positions, depth, elapsed } = search();
    let (name, seconds) = (family.info().name, elapsed.as_secs_f64());
    match as_json {
        true => writeln!(
            out,
            "{}",
            json!({"game": name, "what": "search", "signature": signature, "positions": positions, "depth": depth,
                   "seconds": seconds})
        )?,
        false => writeln!(
            out,
            "{name:<10} signature {signature}: {} searched to depth {depth} in {seconds:.3} s, {} nodes a second",
            words::counted(positions as u64, "position"),
            words::rate(signature, elapsed)
        )?,
    }
    Ok(out.flush()?)
}

/// Runs the benchmarks of a game. If programs of other people are installed, prints their figures beside ours.
fn own_benchmarks(family: &Family, as_json: bool, out: &mut dyn Write) -> io::Result<()> {
    let benchmarks = family.benchmarks();
    if benchmarks.is_empty() {
        return Ok(());
    }
    let game = family.info().name;
    let (mut here, mut missing, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for peer in family.peers() {
        match peers::find(peer) {
            Some(program) => here.push((peer, program)),
            None => missing.push(format!("{} (`{}`)", peer.name, peer.installed_by)),
        }
    }
    if !as_json {
        let names: String = here.iter().map(|(peer, _)| format!(" {:>12}", peer.name)).collect();
        writeln!(out, "\n{:<44} {:>9}{names}", format!("{game}, one thread"), "endspiel")?;
        out.flush()?;
    }
    for &Benchmark { name, what, unit, measure } in benchmarks {
        // All programs run each benchmark directly after each other, so that a disturbance of the machine affects all.
        let value = measure();
        let beside: Vec<(&str, Option<f64>)> = here
            .iter()
            .map(|(peer, program)| {
                let asked = peers::ask(peer, program, name);
                let value = asked.unwrap_or_else(|error| {
                    failed.push(format!("{} failed at {name}: {error}", peer.name));
                    None
                });
                (peer.name, value)
            })
            .collect();
        if as_json {
            let peers: Map<String, Value> =
                beside.iter().map(|&(peer, value)| (peer.to_owned(), json!(value))).collect();
            let answer = json!({
                "game": game, "what": name, "unit": unit.to_string(), "value": value, "peers": peers,
            });
            writeln!(out, "{}", json_text(&answer))?;
        } else {
            let beside: String = beside
                .iter()
                .map(|(_, value)| value.map_or(format!(" {:>12}", "-"), |value| format!(" {value:>12.1}")))
                .collect();
            writeln!(out, "{what:<33} {unit:<10} {value:>9.1}{beside}")?;
        }
        out.flush()?;
    }
    failed.iter().for_each(|failure| tell(failure));
    if !as_json && !missing.is_empty() {
        words::say(out, &format!("Not installed, and so not measured: {}.", missing.join(", ")))?;
    }
    Ok(())
}

struct Measured {
    what: String,
    unit: &'static str,
    count: u64,
    time: Duration,
}

impl Measured {
    fn write(&self, game: &str, as_json: bool, out: &mut dyn Write) -> io::Result<()> {
        let Self { what, unit, count, time } = self;
        let seconds = time.as_secs_f64();
        match as_json {
            true => {
                let answer =
                    json!({"game": game, "what": what, "unit": unit, "count": count, "seconds": seconds});
                writeln!(out, "{}", json_text(&answer))
            }
            false => writeln!(
                out,
                "{game:<10} {what:<24} {:>14} {unit} in {seconds:.2} s, {} a second",
                words::thousands(*count),
                words::rate(*count, *time)
            ),
        }
    }
}

/// Runs the work three times and returns the best time, because disturbances only make a run slower.
fn best_of_three(mut work: impl FnMut() -> Result<u64, Failure>) -> Result<(u64, Duration), Failure> {
    let mut best = (0, Duration::MAX);
    for _ in 0..3 {
        let started = Instant::now();
        let count = work()?;
        best = (count, best.1.min(started.elapsed()));
    }
    Ok(best)
}

fn perft(game: &Opened, pool: &ThreadPool) -> Result<Measured, Failure> {
    let depth = game.info().capabilities.bench_depth;
    let start = game.session(None)?;
    let (count, time) = pool.install(|| {
        best_of_three(|| Ok(game.rules().perft(&*start, depth, Counting::default(), &|_, _| ())?))
    })?;
    Ok(Measured { what: format!("perft, depth {depth}"), unit: "sequences", count, time })
}

/// Measures what `moves --stdin` does, on one thread, without the pipes.
fn moves(game: &Opened) -> Result<Measured, Failure> {
    const MOST: u64 = 200_000;
    const AT_ONCE: u64 = 50;
    // Random play takes long in games with thousands of moves. Fewer positions are enough to measure their rate.
    const PATIENCE: Duration = Duration::from_secs(5);
    let (mut lines, mut positions, started) = (Vec::new(), 0, Instant::now());
    while positions < MOST && started.elapsed() < PATIENCE {
        game.rules().sample(AT_ONCE, positions, OutputFormat::Text, &mut lines)?;
        positions += AT_ONCE;
    }
    let (count, time) = best_of_three(|| {
        game.rules().moves(Listing::All, After::Omitted, &mut lines.as_slice(), &mut io::sink())?;
        Ok(positions)
    })?;
    Ok(Measured { what: "moves as JSON, one thread".to_owned(), unit: "positions", count, time })
}

/// The slices that have tables.
fn present(
    game: &Opened,
    tables: &dyn Tables,
    library: &Library,
    is_named: bool,
) -> Result<Vec<SliceId>, Failure> {
    if is_named { endgames::present(game, tables, library) } else { Ok(tables.present(library)) }
}

/// Measures how quickly the tables of a game are opened and asked: who wins, and with distances; or expected points.
fn probes(game: &Opened, is_named: bool, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    const POSITIONS: u64 = 100_000;
    let Ok(tables) = game.tables() else { return Ok(()) };
    let library = endgames::library(matches)?;
    let present = present(game, tables, &library, is_named)?;
    let has =
        |slice: &SliceId, metric| tables.metrics(&library, *slice).is_ok_and(|all| all.contains(&metric));
    for metric in [Metric::Wdl, Metric::Dtm, Metric::Equity] {
        let slices: Vec<SliceId> = present.iter().copied().filter(|slice| has(slice, metric)).collect();
        if slices.is_empty() {
            continue;
        }
        let speed = match game.equities() {
            Ok(equities) => equities.probe_speed(&library, &slices, POSITIONS)?,
            Err(_) => game.values()?.probe_speed(&library, &slices, &[metric], POSITIONS)?,
        };
        let name = game.info().name;
        if matches.get_flag("json") {
            writeln!(
                out,
                "{}",
                json!({"game": name, "what": "probes", "metric": metric.name(), "speed": speed})
            )?;
        } else {
            let told = format!(
                "{} of {}: {} probes a second from the cache, {:.1} µs without it, {:.1} µs to open a table",
                metric.name(),
                words::counted(speed.tables as u64, "table"),
                words::rounded(speed.warm_per_second),
                speed.cold_microseconds,
                speed.open_microseconds,
            );
            writeln!(out, "{}", words::labelled(name, 11, &told))?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Plays endings out by best moves from random positions of all tables of a game, on one thread, and measures how many probes
/// found their block in the cache. At every position, the values after all moves are looked up.
fn endings(game: &Opened, is_named: bool, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    const ENDINGS: u64 = 2_000;
    const LONGEST: usize = 1_000;
    // Endings with many moves and slow tables take long. Fewer are enough.
    const PATIENCE: Duration = Duration::from_secs(60);
    let (Ok(tables), Ok(values)) = (game.tables(), game.values()) else { return Ok(()) };
    let cache_bytes = *matches.get_one::<u64>("cache").expect("it has a default");
    let library = Arc::new(endgames::library(matches)?.with_own_cache(cache_bytes));
    let slices = present(game, tables, &library, is_named)?;
    let sizes: Vec<u64> = slices.iter().map(|&slice| tables.size(slice)).collect();
    let all = sizes.iter().sum();
    if all == 0 {
        return Ok(());
    }
    let prober = values.prober(Arc::clone(&library))?;
    let (mut rng, mut played, mut moves, started) = (Rng::new(1), 0, 0, Instant::now());
    while played < ENDINGS && started.elapsed() < PATIENCE {
        let (mut index, mut slice) = (rng.below(all), 0);
        while index >= sizes[slice] {
            index -= sizes[slice];
            slice += 1;
        }
        // Some indices have no position.
        let Some(position) = tables.position_at(slices[slice], Index(index)) else { continue };
        let answer = prober.probe(&*game.session(Some(&position))?, Extras::line(LONGEST))?;
        moves += answer.line.map_or(0, |line| line.moves.len() as u64);
        played += 1;
    }
    let time = started.elapsed();
    let total = ProbeCounts::from(library.statistics().total());
    let name = game.info().name;
    if matches.get_flag("json") {
        let answer = json!({
            "game": name, "what": "endings", "unit": "probes", "count": total.probes, "seconds": time.as_secs_f64(),
            "endings": played, "moves": moves, "entries": all, "cache_bytes": cache_bytes,
            "misses": total.misses, "hit_rate": total.hit_rate,
        });
        return Ok(writeln!(out, "{answer}")?);
    }
    let told = format!(
        "{} of {} moves from tables with {} entries and a cache of {}: {} probes in {:.1} s, {:.2} % of them hits",
        words::counted(played, "ending"),
        words::thousands(moves),
        words::thousands(all),
        solve::size_text(cache_bytes),
        words::thousands(total.probes),
        time.as_secs_f64(),
        100.0 * total.hit_rate.unwrap_or(0.0),
    );
    writeln!(out, "{}", words::labelled(name, 11, &told))?;
    Ok(out.flush()?)
}
