//! `endspiel solve [GAME] [SLICE…]`: makes tables. Without a game, it makes a starter set in less than a minute.

use crate::advice::advised;
use crate::arguments::{self, flag, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::interrupt;
use crate::solve_progress::{SolveProgress, Warnings};
use crate::survey;
use crate::words;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use game::{Metric, Options, visible_path};
use registry::{
    Contents, Opened, Plan, PlannedStep, Registry, SliceId, Solving, Tables, Unmoves, Watch, Way, json_text,
};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use table::Library;

pub fn command(registry: &Registry) -> Command {
    let shared = [
        endgames::tables(),
        arguments::threads(),
        arguments::size(
            "memory",
            "The memory to use at most, such as 512M or 8G [default: nine tenths of the free memory]",
        ),
        arguments::size("disk", "The disk space to use at most [default: what is free]"),
        endgames::metric(),
        Arg::new("unmoves")
            .long("unmoves")
            .value_name("FROM")
            .value_parser(["game", "inverted"])
            .default_value("game")
            .help("How to find unmoves: by the game's own code, or by inverting its moves (slower, the same tables)"),
        endgames::kernel("The game's special solver, if it has one, or the generic solver (slower, the same tables)"),
        flag("wait", "If another run solves in the same folder, wait until it ends"),
        flag("pack", "Pack the tables at the end: a half to a quarter of the size, and slower to ask"),
        arguments::number("checkpoint", "Seconds between two checkpoints", 0..=86_400).default_value("60"),
        arguments::json(),
    ];
    let after_the_game: Vec<Arg> = [endgames::slices()].into_iter().chain(shared.clone()).collect();
    let about = "Solve endgames and store them in tables; without a game, solve a starter set";
    let mut verb = with_selectors(registry, game_verb(registry, "solve", about, "", &after_the_game));
    for options in [&OF_VALUES[..], &["kernel"]] {
        verb = arguments::only_for(registry, verb, options, |family| !family.has_equities());
    }
    for family in registry.games() {
        if family.endgames().is_some_and(|endgames| endgames.all_rules.is_some()) {
            let help = "Solve all rule sets that have their own tables, and write a summary and a picture";
            let options = family.info().options.iter().map(|option| option.name);
            let all = flag("all", help).conflicts_with_all(options);
            verb = verb.mut_subcommand(family.info().name, |game| game.arg(all));
        }
    }
    verb.subcommand_required(false).args_conflicts_with_subcommands(true).args(shared)
}

/// The options for tables of wins and losses only.
const OF_VALUES: [&str; 3] = ["metric", "unmoves", "pack"];

pub fn run(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let Some((game, matches)) = matches.subcommand() else { return solve_starter(registry, matches, out) };
    if matches.try_get_one::<bool>("all").is_ok_and(|all| all == Some(&true)) {
        return solve_all(registry, game, matches, out);
    }
    let game = arguments::open(registry, game, matches)?;
    let tables = game.tables()?;
    if let Contents::Equities(_) = tables.contents() {
        let given = |option: &&str| matches.value_source(option) == Some(ValueSource::CommandLine);
        if let Some(option) = OF_VALUES.into_iter().find(given) {
            return Err(Failure::OptionOfValues { option, game: game.info().title });
        }
    }
    let slices = tables.slices(&endgames::wanted(tables.selector(), matches))?;
    solve(&game, tables, &slices, matches, out).map_err(|failure| advised(failure, &game, matches))?;
    say_what_to_ask(&game, tables, &slices, matches, out)
}

/// Solves the starter set of every game.
fn solve_starter(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let mut solved = Vec::new();
    for family in registry.games().filter(|family| family.endgames().is_some()) {
        let game = family.open(&Options::default())?;
        let slices = game.tables()?.starter();
        if !slices.is_empty() {
            let done = solve(&game, game.tables()?, &slices, matches, out);
            done.map_err(|failure| advised(failure, &game, matches))?;
            solved.push((game, slices));
        }
    }
    for (game, slices) in solved {
        say_what_to_ask(&game, game.tables()?, &slices, matches, out)?;
    }
    Ok(())
}

/// Returns the solver settings of the command line.
fn given<'a>(matches: &ArgMatches, library: &'a Library, watch: &'a dyn Watch) -> Solving<'a> {
    Solving {
        library,
        metric: endgames::given_metric(matches),
        memory: matches.get_one::<u64>("memory").copied().unwrap_or_else(::solve::free_memory),
        checkpoint_every: Duration::from_secs(
            *matches.get_one::<u64>("checkpoint").expect("it has a default"),
        ),
        packs: matches.get_flag("pack"),
        unmoves: match matches.get_one::<String>("unmoves").map(String::as_str) {
            Some("inverted") => Unmoves::Inverted,
            _ => Unmoves::FromGame,
        },
        generic: endgames::is_generic(matches),
        wait: matches.get_flag("wait"),
        watch,
        interrupt: &INTERRUPT,
    }
}

/// Solves all rule sets of a game and compares them.
fn solve_all(
    registry: &Registry,
    game: &str,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (family, library) = (registry.find(game)?, endgames::local_library(matches));
    let endgames = family.endgames();
    let wanted = endgames::wanted(endgames.and_then(|endgames| endgames.selector), matches);
    let name = match &wanted.selected {
        Some(selected) => selected.clone(),
        None if wanted.names.is_empty() => "default".to_owned(),
        None => wanted.names.join("-"),
    };
    interrupt::on_interrupt(|| INTERRUPT.store(true, Relaxed))?;
    if !matches.get_flag("json") {
        let rules = endgames.and_then(|endgames| endgames.all_rules).map_or(0, |all| all().len());
        let (rules, folder) = (words::counted(rules as u64, "rule set"), visible_path(library.folder()));
        let title = family.info().title;
        let told =
            format!("{title}: solving {rules} to {folder}. If you interrupt it, the same command continues.");
        words::say(out, &told)?;
        out.flush()?;
    }
    let started = Instant::now();
    let surveyed = survey::all(family, &wanted, matches, &given(matches, &library, &Warnings))?;
    if matches.get_flag("json") {
        surveyed.iter().try_for_each(|one| writeln!(out, "{}", json_text(&survey::as_json(one))))?;
        return Ok(());
    }
    let told = survey::sentence(&surveyed, started.elapsed().as_secs_f64());
    words::say(out, &format!("{}: {told}", family.info().title))?;
    survey::tell(family.info(), &name, &surveyed, matches, out)
}

/// Set by Ctrl-C and the signals that end a program.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

fn solve(
    game: &Opened,
    tables: &dyn Tables,
    slices: &[SliceId],
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let library = endgames::local_library(matches);
    let progress = SolveProgress::default();
    let mut solving = given(matches, &library, &progress);
    let pool = arguments::pool(matches)?;
    let mut plan = pool.install(|| tables.plan(slices, &solving))?;
    let as_json = matches.get_flag("json");
    // To solve less is no help for tables that only have to be packed.
    let fits = |steps: &[PlannedStep]| {
        steps.iter().all(|step| step.way == Way::Pack || step.memory <= solving.memory)
    };
    if !endgames::is_metric_given(matches) && !fits(plan.steps()) {
        let without = Solving { metric: Metric::Wdl, ..solving };
        let shorter = pool.install(|| tables.plan(slices, &without))?;
        if fits(shorter.steps()) {
            if !as_json {
                let told = "Distances do not fit into memory; solving only who wins, as with --metric wdl.";
                words::say(out, told)?;
            }
            (solving, plan) = (without, shorter);
        }
    }
    if !as_json {
        announce(game, tables, &*plan, &solving, out)?;
    }
    out.flush()?;
    check_disk(plan.steps(), library.folder(), matches)?;
    progress.expect(plan.steps(), |step| seconds_of(step, &*plan, &solving));
    interrupt::on_interrupt(|| INTERRUPT.store(true, Relaxed))?;
    let started = Instant::now();
    let done = pool.install(|| plan.run());
    drop(plan);
    let written = progress.finish();
    let seconds = started.elapsed().as_secs_f64();
    let bytes: u64 = written.iter().map(|(_, bytes)| bytes).sum();
    if as_json {
        let slices: Vec<String> = slices.iter().map(|&slice| tables.name(slice)).collect();
        let solved = written.iter().map(|(slice, bytes)| json!({"slice": slice, "bytes": bytes}));
        let answer = json!({
            "game": game.info().name, "rules": tables.rules_id(), "tables": words::path_in_json(library.folder()), "slices": slices,
            "solved": solved.collect::<Vec<_>>(), "seconds": seconds,
        });
        if done.is_ok() {
            writeln!(out, "{}", json_text(&answer))?;
        }
    } else {
        for (slice, bytes) in &written {
            writeln!(out, "  {slice:<8} {:>12}", solve::size_text(*bytes))?;
        }
        if !written.is_empty() {
            writeln!(out, "Written in {seconds:.1} s: {}.", solve::size_text(bytes))?;
        }
    }
    Ok(done?)
}

/// Refuses what the disk may not hold, before anything is solved.
fn check_disk(steps: &[PlannedStep], folder: &Path, matches: &ArgMatches) -> Result<(), Failure> {
    let needed = steps.iter().map(|step| step.disk).sum();
    match matches.get_one::<u64>("disk").copied().or_else(|| solve::free_disk(folder)) {
        Some(allowed) if needed > allowed => {
            let folder = folder.to_owned();
            Err(registry::Error::from(solve::Error::Disk { folder, needed, allowed }).into())
        }
        _ => Ok(()),
    }
}

/// If there are more groups than this, only the first and the last are named.
const MOST_NAMED: usize = 20;

/// Prints the groups to be solved, and the memory, disk space and time that they need.
fn announce(
    game: &Opened,
    tables: &dyn Tables,
    plan: &dyn Plan,
    solving: &Solving<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (title, rules) = (game.info().title, tables.rules_id());
    let (library, stay_whole) = (solving.library, plan.stay_whole());
    for whole in stay_whole.chunk_by(|(_, a), (_, b)| a == b) {
        let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
        let names = named(&names);
        words::say(out, &format!("Not packed: {}: {}.", names.trim_end_matches(','), whole[0].1))?;
    }
    let steps = plan.steps();
    if steps.is_empty() {
        let told = format!("{title} ({rules}): all of these tables are in {} already.", library.places());
        return Ok(words::say(out, &told)?);
    }
    let indices: u64 = steps.iter().map(|step| step.indices).sum();
    let seconds: f64 = steps.iter().map(|step| seconds_of(step, plan, solving)).sum();
    let disk: u64 = steps.iter().map(|step| step.disk).sum();
    let memory = steps.iter().map(|step| step.memory).max().unwrap_or(0);
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    let names = named(&names);
    let verb = if steps.iter().all(|step| step.way == Way::Pack) { "packing" } else { "solving" };
    words::say(out, &format!("{title} ({rules}): {verb} {names} to {}", visible_path(library.folder())))?;
    let needs = format!(
        "{} indices; needs {} of memory and at most {} of disk, and takes about {}.",
        words::thousands(indices),
        solve::size_text(memory),
        solve::size_text(disk),
        words::duration(Duration::from_secs_f64(seconds)),
    );
    Ok(words::say(out, &needs)?)
}

/// The names of groups, or the first and the last of many.
fn named(names: &[&str]) -> String {
    match names {
        [first, .., last] if names.len() > MOST_NAMED => {
            format!("{} groups, {first} to {last},", names.len())
        }
        _ => names.join(", "),
    }
}

/// The seconds that a group takes, roughly.
pub fn seconds_of(step: &PlannedStep, plan: &dyn Plan, solving: &Solving<'_>) -> f64 {
    let is_packed_later = solving.packs
        && step.way != Way::Pack
        && plan.stay_whole().iter().all(|(name, _)| *name != step.name);
    let packing = if is_packed_later { step.indices as f64 / INDICES_PACKED_PER_SECOND } else { 0.0 };
    let solving =
        step.seconds.unwrap_or_else(|| step.indices as f64 / indices_per_second(step, solving.metric));
    solving + packing
}

const INDICES_PACKED_PER_SECOND: f64 = 1e6;

/// The speed of two cores of 2024: an estimate for the announcement, measured with Dobutsu shogi, CoTuLenh and Onitama.
fn indices_per_second(step: &PlannedStep, metric: Metric) -> f64 {
    match (step.way, metric) {
        (Way::Unmoves, _) => 3e6,
        (Way::Inverted, _) => 1e5,
        (Way::Kernel, Metric::Dtm) => 3e7,
        (Way::Kernel, _) => 2e8,
        (Way::Pack, _) => INDICES_PACKED_PER_SECOND,
    }
}

/// Suggests commands that use the tables.
fn say_what_to_ask(
    game: &Opened,
    tables: &dyn Tables,
    slices: &[SliceId],
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if matches.get_flag("json") {
        return Ok(());
    }
    let (name, again) = (game.info().name, endgames::given_again(game.info(), matches));
    let folder = matches
        .get_one::<PathBuf>("tables")
        .map_or_else(String::new, |f| format!(" --tables {}", words::shell_argument(&visible_path(f))));
    writeln!(out, "\nAsk them:")?;
    if endgames::given_metric(matches) == Metric::Dtz {
        // Other verbs use the distances to the end.
        writeln!(out, "  endspiel verify {name}{again}\n  endspiel tables{folder}")?;
        return Ok(());
    }
    if let Some(position) = slices.iter().rev().find_map(|&slice| tables.example(slice)) {
        writeln!(out, "  endspiel probe {name}{folder} \"{position}\"")?;
        writeln!(out, "  endspiel play {name}{folder} \"{position}\"")?;
    }
    writeln!(
        out,
        "  endspiel stats {name}{again}\n  endspiel verify {name}{again}\n  endspiel tables{folder}"
    )?;
    Ok(())
}
