//! What the verbs about tables share: where the tables are, which slices are meant, and how a value reads.

use crate::arguments::option_argument;
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};
use game::{GameOption, Metric, Wdl};
use registry::{Family, Opened, Probed, Registry, SliceId, Tables, Wanted};
use std::path::PathBuf;
use std::sync::Arc;
use table::{DEFAULT_CACHE_BYTES, Folder, Library, Store};

/// `--tables DIR[:DIR…]`
pub fn tables() -> Arg {
    Arg::new("tables")
        .long("tables")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("The folder of the tables, or several as in PATH [default: $ENDSPIEL_TABLES, else ./tables]")
}

/// The tables in what [`tables`] was given, or the default. New ones belong into the first folder.
pub fn library(matches: &ArgMatches) -> Arc<Library> {
    let given = matches.get_one::<PathBuf>("tables").map(|folders| folders.clone().into_os_string());
    let said = given.or_else(|| std::env::var_os("ENDSPIEL_TABLES")).unwrap_or_default();
    let folders = std::env::split_paths(&said).filter(|folder| !folder.as_os_str().is_empty());
    let mut stores: Vec<Arc<dyn Store>> = folders.map(|folder| Arc::new(Folder::new(folder)) as _).collect();
    if stores.is_empty() {
        stores.push(Arc::new(Folder::new("tables")));
    }
    Arc::new(Library::of(stores, DEFAULT_CACHE_BYTES))
}

/// `[SLICE…]`
pub fn slices() -> Arg {
    Arg::new("slices").value_name("SLICE").num_args(0..).help("The slices, by name")
}

/// Adds to each game of a verb its option that stands for many slices.
pub fn with_selectors(registry: &Registry, mut verb: Command) -> Command {
    for family in registry.games() {
        if let Some(selector) = family.endgames().and_then(|endgames| endgames.selector) {
            verb = verb.mut_subcommand(family.info().name, |game| game.arg(option_argument(&selector)));
        }
    }
    with_unsolved(registry, verb)
}

/// Instead of an example where it could not work.
pub fn with_unsolved(registry: &Registry, mut verb: Command) -> Command {
    for family in registry.games().filter(|family| family.endgames().is_none()) {
        verb = verb.mut_subcommand(family.info().name, |game| game.after_help(unsolved(family)));
    }
    verb
}

fn unsolved(family: &Family) -> String {
    format!("The endings of {} are not solved here yet.", family.info().title)
}

/// What [`slices`] and the selector of the game were given.
pub fn wanted(selector: Option<GameOption>, matches: &ArgMatches) -> Wanted {
    let names = matches.get_many::<String>("slices").into_iter().flatten().cloned().collect();
    let selected = selector.and_then(|selector| matches.get_one::<String>(selector.name)).cloned();
    Wanted { names, selected }
}

/// The slices that are meant, or those whose tables are there.
pub fn wanted_or_present(
    game: &Opened,
    tables: &dyn Tables,
    library: &Library,
    matches: &ArgMatches,
) -> Result<Vec<SliceId>, Failure> {
    let wanted = wanted(tables.selector(), matches);
    if !wanted.is_empty() {
        return Ok(tables.slices(&wanted)?);
    }
    match tables.present(library) {
        present if present.is_empty() => Err(Failure::NoTables {
            game: game.info().name,
            rules: tables.rules_id(),
            places: library.places(),
        }),
        present => Ok(present),
    }
}

/// `--metric wdl|dtm`
pub fn metric() -> Arg {
    Arg::new("metric")
        .long("metric")
        .value_name("METRIC")
        .value_parser(Metric::SOLVED.map(Metric::name))
        .default_value(Metric::Dtm.name())
        .help("What to store: who wins (wdl), or also in how many plies (dtm)")
}

/// What [`metric`] was given.
pub fn given_metric(matches: &ArgMatches) -> Metric {
    let name = matches.get_one::<String>("metric").map(String::as_str);
    Metric::SOLVED.into_iter().find(|metric| Some(metric.name()) == name).unwrap_or(Metric::Dtm)
}

/// Was [`metric`] given at all?
pub fn is_metric_given(matches: &ArgMatches) -> bool {
    matches.value_source("metric") == Some(ValueSource::CommandLine)
}

/// `wins`, `draws` or `loses`, for a sentence about the player.
pub fn verb(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    }
}

/// A value as it reads after a player's name: `wins in 7 plies`.
pub fn told(value: Probed) -> String {
    match value.plies {
        Some(plies) if plies.0 > 0 => format!("{} in {plies}", verb(value.wdl)),
        None if value.by_rule => format!("{} by rule", verb(value.wdl)),
        _ => verb(value.wdl).to_owned(),
    }
}

/// The options that lead to the same tables again, for commands that are proposed.
pub fn given_again(info: &game::Info, matches: &ArgMatches) -> String {
    let mut words = String::new();
    for option in info.options {
        // The starter set is solved without a game, and so without its options.
        if let Ok(Some(value)) = matches.try_get_one::<String>(option.name) {
            words += &format!(" --{} {value}", option.name);
        }
    }
    if let Some(folder) = matches.get_one::<PathBuf>("tables") {
        words += &format!(" --tables {}", folder.display());
    }
    words
}
