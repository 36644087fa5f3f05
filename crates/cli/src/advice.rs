//! What to do about a table that is missing or damaged: the command that makes it, with the options in force, its time and its size.

use crate::endgames;
use crate::failure::Failure;
use crate::verbs::solve::seconds_of;
use crate::words;
use clap::ArgMatches;
use game::Metric;
use registry::{Opened, Solving, Unmoves, Unwatched, Wanted};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::Fault;

/// The failure of a verb with advice, if there is any.
pub fn advised(failure: Failure, game: &Opened, matches: &ArgMatches) -> Failure {
    let Failure::Input(error) = &failure else { return failure };
    let sentence = match (error.wanted(), error.table()) {
        (Some((slice, command)), _) => {
            let whole = with_folder(command, matches);
            let said = error.to_string().replace(&format!("`{command}`"), &format!("`{whole}`"));
            match cost(game, slice, command, matches) {
                Some(cost) => format!("{said}, which takes {cost}"),
                None => said,
            }
        }
        (None, Some(table)) if table.fault() == Fault::Damaged => {
            let Some(slice) = slice_of(game, &table.path) else { return failure };
            let command = format!(
                "endspiel solve {} {slice}{}",
                game.info().name,
                endgames::given_again(game.info(), matches)
            );
            format!("{error}; remove the file, and `{command}` makes it again")
        }
        _ => return failure,
    };
    Failure::Advised { sentence, failure: Box::new(failure) }
}

/// The command with the folder that was given.
fn with_folder(command: &str, matches: &ArgMatches) -> String {
    match endgames::given_folder(matches) {
        Some(folder) if !command.contains(" --tables ") => format!("{command} --tables {folder}"),
        _ => command.to_owned(),
    }
}

/// The slice of the table in a local file. `None` if the file is not in a folder of tables.
fn slice_of(game: &Opened, path: &Path) -> Option<String> {
    let name = path.is_file().then(|| path.file_name()?.to_str()).flatten()?;
    let (slice, _) = name.split_once('.')?;
    let wanted = Wanted { names: vec![slice.to_owned()], selected: None };
    game.tables().ok()?.slices(&wanted).is_ok().then(|| slice.to_owned())
}

/// The time and the disk space that a slice takes, with the slices that it leads into.
fn cost(game: &Opened, slice: &str, command: &str, matches: &ArgMatches) -> Option<String> {
    let tables = game.tables().ok()?;
    let slices = tables.slices(&Wanted { names: vec![slice.to_owned()], selected: None }).ok()?;
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
    Some(format!("about {time} and at most {} of disk", solve::size_text(disk)))
}
