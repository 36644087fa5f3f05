//! Shared code of the verbs about tables: the table folders, the selection of slices, and values as text.

use crate::arguments::{self, flag, option_argument};
use crate::failure::{Failure, tell};
use crate::terminal::Progress;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};
use game::{DistanceUnit, GameOption, Metric, Wdl, visible_path};
use registry::{Family, Opened, PERPETUAL_CHECK, Probed, Prober, Registry, SliceId, Tables, Wanted};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use table::remote::{Remote, Settings};
use table::{DEFAULT_CACHE_BYTES, Folder, Library, Store};

/// `--syzygy DIR[:DIR…]`
pub fn syzygy(help: &'static str) -> Arg {
    Arg::new("syzygy").long("syzygy").value_name("DIR").value_parser(value_parser!(OsString)).help(help)
}

/// `--tables DIR[:DIR…]`
pub fn tables() -> Arg {
    Arg::new("tables")
        .long("tables")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("The folder of the tables, or several, separated as in PATH [default: $ENDSPIEL_TABLES, else ./tables]")
}

/// Opens the library in the folders that [`tables`] was given, or in the default folder. New tables go to the first
/// folder.
pub fn local_library(matches: &ArgMatches) -> Arc<Library> {
    library_of(folders(matches))
}

fn library_of(stores: Vec<Arc<dyn Store>>) -> Arc<Library> {
    Arc::new(Library::of(stores, DEFAULT_CACHE_BYTES))
}

fn folders(matches: &ArgMatches) -> Vec<Arc<dyn Store>> {
    let given = matches.get_one::<PathBuf>("tables").map(|folders| folders.clone().into_os_string());
    let said = given.or_else(|| std::env::var_os("ENDSPIEL_TABLES")).unwrap_or_default();
    let folders = std::env::split_paths(&said).filter(|folder| !folder.as_os_str().is_empty());
    let mut stores: Vec<Arc<dyn Store>> = folders.map(|folder| Arc::new(Folder::new(folder)) as _).collect();
    if stores.is_empty() {
        stores.push(Arc::new(Folder::new("tables")));
    }
    stores
}

/// `--remote URL`
pub fn remote() -> Arg {
    Arg::new("remote")
        .long("remote")
        .value_name("URL")
        .help("A server with tables, for those that no folder has [default: $ENDSPIEL_REMOTE, else none]")
}

/// `--remote-cache SIZE`
pub fn remote_cache() -> Arg {
    arguments::size("remote-cache", "The most disk space for parts of remote tables [default: 1G]")
}

/// The server that [`remote`] was given, or that of the environment. A verb without this option has none.
pub fn given_remote(matches: &ArgMatches) -> Result<Option<Remote>, Failure> {
    let Ok(given) = matches.try_get_one::<String>("remote") else { return Ok(None) };
    let said = || std::env::var_os("ENDSPIEL_REMOTE").filter(|url| !url.is_empty());
    let said = given.cloned().or_else(|| said().map(|url| url.to_string_lossy().into_owned()));
    let Some(url) = said else { return Ok(None) };
    let mut settings = Settings::default();
    // A verb that only fetches whole tables has no such option.
    let bytes = matches.try_get_one::<u64>("remote-cache").ok().flatten();
    if let (Some(cache), Some(&bytes)) = (&mut settings.cache, bytes) {
        cache.bytes = bytes;
    }
    Ok(Some(Remote::new(&url, settings)?))
}

/// Opens the library in the folders that [`tables`] was given, and on the server that [`remote`] was given. The server is asked
/// only for tables that no folder has.
pub fn library(matches: &ArgMatches) -> Result<Arc<Library>, Failure> {
    let remote = given_remote(matches)?.map(|remote| Arc::new(remote) as Arc<dyn Store>);
    Ok(library_of(folders(matches).into_iter().chain(remote).collect()))
}

/// Opens the library as [`library`] does, for a verb that reads many tables. If the server does not answer, the user is told, and only the
/// folders are read. Without any table in them, it is an error.
pub fn library_that_answers(matches: &ArgMatches) -> Result<Arc<Library>, Failure> {
    let Some(remote) = given_remote(matches)? else { return Ok(local_library(matches)) };
    let Err(error) = remote.manifest() else { return library(matches) };
    let here = local_library(matches);
    let failure = Failure::File { path: remote.root().to_owned(), source: error.into() };
    if here.list().is_empty() {
        return Err(failure);
    }
    tell(&format!("{failure}; only the tables in {} are read", here.places().quoted()));
    Ok(here)
}

/// `--preload`
pub fn preload() -> Arg {
    flag("preload", "Open all tables of the game at once, and tell which cannot be opened")
}

/// Opens all tables of a prober, if [`preload`] asks for it. The user is told what cannot be opened.
pub fn preload_if_asked(prober: &dyn Prober, matches: &ArgMatches) {
    if matches.get_flag("preload") {
        let progress = Progress::new("opening tables", "slices");
        let preloaded = prober.preload(&|_, all| progress.part_done(1, all));
        progress.finish();
        preloaded.failed.iter().for_each(|error| tell(&error.to_string()));
    }
}

/// `[SLICE…]`
pub fn slices() -> Arg {
    Arg::new("slices")
        .value_name("SLICE")
        .num_args(0..)
        .help("The slices, by name; a slice is the set of positions of one table")
}

/// Adds to each game of a verb its option that selects many slices at once.
pub fn with_selectors(registry: &Registry, mut verb: Command) -> Command {
    for family in registry.games() {
        if let Some(selector) = family.endgames().and_then(|endgames| endgames.selector) {
            verb = verb.mut_subcommand(family.info().name, |game| game.arg(option_argument(&selector)));
        }
    }
    with_unsolved(registry, verb)
}

/// Replaces the example by a note for games without endgame tables.
pub fn with_unsolved(registry: &Registry, mut verb: Command) -> Command {
    for family in registry.games().filter(|family| family.endgames().is_none()) {
        verb = verb.mut_subcommand(family.info().name, |game| game.after_help(unsolved(family)));
    }
    verb
}

fn unsolved(family: &Family) -> String {
    format!("There are no endgame tables for {} yet.", family.info().title)
}

/// Returns the selection that [`slices`] and the selector of the game were given.
pub fn wanted(selector: Option<GameOption>, matches: &ArgMatches) -> Wanted {
    let names = matches.get_many::<String>("slices").into_iter().flatten().cloned().collect();
    let selected = selector.and_then(|selector| matches.get_one::<String>(selector.name)).cloned();
    Wanted { names, selected }
}

/// Returns the selected slices. If nothing is selected, these are the slices that have a table.
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
    present(game, tables, library)
}

/// Returns the slices that have a table. None is an error.
pub fn present(game: &Opened, tables: &dyn Tables, library: &Library) -> Result<Vec<SliceId>, Failure> {
    match tables.present(library) {
        present if present.is_empty() => Err(Failure::NoTables {
            game: game.info().name,
            rules: tables.rules_id(),
            places: library.places(),
        }),
        present => Ok(present),
    }
}

/// `--kernel special|generic`
pub fn kernel(help: &'static str) -> Arg {
    Arg::new("kernel")
        .long("kernel")
        .value_name("WHICH")
        .value_parser(["special", "generic"])
        .default_value("special")
        .help(help)
}

/// Returns whether [`kernel`] asks for the generic way.
pub fn is_generic(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("kernel").is_some_and(|which| which == "generic")
}

/// `--metric dtm|wdl|dtz`
pub fn metric() -> Arg {
    Arg::new("metric")
        .long("metric")
        .value_name("METRIC")
        .value_parser(Metric::OF_VALUES.map(Metric::name))
        .default_value(Metric::Dtm.name())
        .help("What to store: in how many plies who wins (dtm), only who wins (wdl), or the plies to the next irreversible move (dtz; chess, shogi)")
}

/// Returns the value of [`metric`].
pub fn given_metric(matches: &ArgMatches) -> Metric {
    let name = matches.get_one::<String>("metric").map(String::as_str);
    Metric::OF_VALUES.into_iter().find(|metric| Some(metric.name()) == name).unwrap_or(Metric::Dtm)
}

/// Returns whether [`metric`] was given on the command line.
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

/// Formats a value for a sentence that begins with a player's name: `wins in 7 plies`.
pub fn told(value: Probed, unit: DistanceUnit) -> String {
    match value.plies {
        Some(plies) if plies.0 > 0 => format!("{} in {}", verb(value.wdl), unit.told(plies)),
        None if value.by_rule => format!("{} by {PERPETUAL_CHECK}", verb(value.wdl)),
        _ => verb(value.wdl).to_owned(),
    }
}

/// Formats the value of a move for a sentence about the player who makes it: `wins in 7 plies`, counted from the position before the
/// move, as the value of that position is.
pub fn told_move(value: Option<Probed>, unit: DistanceUnit) -> String {
    match value {
        Some(value) if value.plies.is_some_and(|plies| plies.0 == 0) => {
            format!("{} at once", verb(value.wdl))
        }
        Some(value) => told(value.one_ply_before(), unit),
        None => "unknown: its table is missing".to_owned(),
    }
}

/// Repeats the options that lead to the same tables, for the commands that are suggested to the user.
pub fn given_again(info: &game::Info, matches: &ArgMatches) -> String {
    let mut words = String::new();
    for option in info.options {
        // The starter set is solved without a game on the command line, so its options do not exist there.
        if let Ok(Some(value)) = matches.try_get_one::<String>(option.name) {
            words += &format!(" --{} {value}", option.name);
        }
    }
    if let Some(folder) = given_folder(matches) {
        words += &format!(" --tables {folder}");
    }
    words
}

/// The folder of `--tables` as an argument of a command, if it was given.
pub fn given_folder(matches: &ArgMatches) -> Option<String> {
    let folder = matches.try_get_one::<PathBuf>("tables").ok().flatten()?;
    Some(crate::words::shell_argument(&visible_path(folder)))
}
