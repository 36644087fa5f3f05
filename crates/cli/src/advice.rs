//! What to do about a table that is missing or damaged: the command that makes it, with the options in force, its time and its size.

use crate::endgames;
use crate::failure::Failure;
use crate::verbs::solve::seconds_of;
use crate::words;
use clap::ArgMatches;
use game::{Metric, Options};
use registry::{Opened, Registry, Solving, Unmoves, Unwatched, Wanted};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::Fault;

/// The failure of a verb with advice, if there is any.
pub fn advised(failure: Failure, game: &Opened, matches: &ArgMatches) -> Failure {
    let sentence = match &failure {
        Failure::NoTables { .. } => {
            let command = format!("endspiel solve {}", game.info().name);
            let whole = format!("{command}{}", endgames::given_again(game.info(), matches));
            let wanted = Wanted { names: Vec::new(), selected: None };
            Some(with_cost(&failure.to_string(), &command, &whole, cost(game, &wanted, &whole, matches)))
        }
        Failure::NoExactTables { example, .. } => {
            let whole = with_folder(example, matches);
            Some(failure.to_string().replace(&format!("`{example}`"), &format!("`{whole}`")))
        }
        Failure::Input(error) => match error.table() {
            Some(table) => {
                let again = endgames::given_again(game.info(), matches);
                mending(table, game, &again).map(|how| format!("{error}; {how}"))
            }
            None => {
                let wanted = error.wanted();
                let told = wanted.iter().fold(error.to_string(), |said, (slice, command)| {
                    let wanted = Wanted { names: vec![(*slice).to_owned()], selected: None };
                    let cost = cost(game, &wanted, command, matches);
                    with_cost(&said, command, &with_folder(command, matches), cost)
                });
                (!wanted.is_empty()).then_some(told)
            }
        },
        _ => None,
    };
    match sentence {
        Some(sentence) => Failure::Advised { sentence, failure: Box::new(failure) },
        None => failure,
    }
}

/// How to mend a table: it is made again, with these options. `None` if nothing is wrong with the bytes, or if the file is not in a folder of tables.
pub fn mending(table: &table::Error, game: &Opened, again: &str) -> Option<String> {
    if !matches!(table.fault(), Fault::Damaged | Fault::Foreign) {
        return None;
    }
    let (slice, metric) = slice_of(game, &table.path)?;
    let metric = match metric {
        Metric::Wdl | Metric::Dtz => format!(" --metric {}", metric.name()),
        Metric::Dtm | Metric::Equity | Metric::Distribution => String::new(),
    };
    let name = game.info().name;
    Some(format!("remove the file, and `endspiel solve {name} {slice}{metric}{again}` makes it again"))
}

/// How to mend a table of any game. The folders of its file tell the game and its rules.
pub fn mending_anywhere(registry: &Registry, table: &table::Error, matches: &ArgMatches) -> Option<String> {
    let rules_folder = table.path.parent()?;
    let (rules, game) = (rules_folder.file_name()?, rules_folder.parent()?.file_name()?.to_str()?);
    let family = registry.find(game).ok()?;
    let all_rules = family.endgames()?.all_rules.map_or_else(Vec::new, |all_rules| all_rules());
    let has_rules = |options: &Options| {
        let opened = family.open(options).ok()?;
        (opened.tables().ok()?.rules_id().as_str() == rules).then_some(opened)
    };
    let all_options = [Options::default()].into_iter().chain(all_rules);
    let (game, options) =
        all_options.into_iter().find_map(|options| Some((has_rules(&options)?, options)))?;
    let again: String = options.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
    let folder = endgames::given_folder(matches).map(|folder| format!(" --tables {folder}"));
    mending(table, &game, &(again + &folder.unwrap_or_default()))
}

/// Replaces a command in a sentence by the whole one, with the time and the size of what it makes.
fn with_cost(said: &str, command: &str, whole: &str, cost: Option<String>) -> String {
    let cost = cost.map_or_else(String::new, |cost| format!(" ({cost})"));
    said.replace(&format!("`{command}`"), &format!("`{whole}`{cost}"))
}

/// The command with the folder that was given.
fn with_folder(command: &str, matches: &ArgMatches) -> String {
    match endgames::given_folder(matches) {
        Some(folder) if !command.contains(" --tables ") => format!("{command} --tables {folder}"),
        _ => command.to_owned(),
    }
}

/// The slice and the metric of the table in a local file. `None` if the file is not in a folder of tables.
fn slice_of(game: &Opened, path: &Path) -> Option<(String, Metric)> {
    let name = path.is_file().then(|| path.file_name()?.to_str()).flatten()?;
    let (slice, rest) = name.split_once('.')?;
    let metric = Metric::ALL.into_iter().find(|metric| rest.split('.').next() == Some(metric.name()))?;
    let wanted = Wanted { names: vec![slice.to_owned()], selected: None };
    game.tables().ok()?.slices(&wanted).is_ok().then(|| (slice.to_owned(), metric))
}

/// The time and the disk space that slices take, with those that they lead into.
fn cost(game: &Opened, wanted: &Wanted, command: &str, matches: &ArgMatches) -> Option<String> {
    let tables = game.tables().ok()?;
    let slices = tables.slices(wanted).ok()?;
    let (library, interrupt) = (endgames::local_library(matches), AtomicBool::new(false));
    let (metrics, is_solved) = ([Metric::Wdl, Metric::Dtz], |metric: &Metric| {
        command.ends_with(&format!("--metric {}", metric.name()))
    });
    let solving = Solving {
        library: &library,
        metric: metrics.into_iter().find(is_solved).unwrap_or(Metric::Dtm),
        memory: solve::free_memory(),
        checkpoint_every: Duration::MAX,
        packs: false,
        unmoves: Unmoves::FromGame,
        generic: false,
        wait: false,
        watch: &Unwatched,
        interrupt: &interrupt,
    };
    let plan = tables.plan(&slices, &solving).ok().filter(|plan| !plan.steps().is_empty())?;
    let seconds: f64 = plan.steps().iter().map(|step| seconds_of(step, &*plan, &solving)).sum();
    let disk = plan.steps().iter().map(|step| step.disk).sum();
    let time = words::duration(Duration::from_secs_f64(seconds));
    Some(format!("about {time}, at most {} of disk", solve::size_text(disk)))
}
