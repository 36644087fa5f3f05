//! Manifests: `endspiel tables --manifest` writes one, and `endspiel verify --manifest FILE` compares the tables with one.

use crate::arguments;
use crate::endgames;
use crate::failure::{Failure, tell};
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches, value_parser};
use game::visible;
use registry::json_text;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use table::{Compared, Library, Manifest, ManifestError};

/// `--manifest FILE`
pub fn file() -> Arg {
    Arg::new("manifest").long("manifest").value_name("FILE").value_parser(value_parser!(PathBuf)).help(
        "Compare every table with this manifest, which `endspiel tables --manifest` wrote; without a game",
    )
}

/// Writes the manifest of all tables, to the output or to the file `--out`.
pub fn write(library: &Library, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = library.folder();
    if !folder.exists() {
        let source = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such folder");
        return Err(Failure::File { path: folder.to_owned(), source });
    }
    let all = library.list().iter().filter_map(|listed| Some(listed.source().ok()?.len())).sum();
    let progress = Progress::new("reading", "bytes");
    let (manifest, errors) = Manifest::of(library, &|bytes| progress.done(bytes, all));
    progress.finish();
    // A manifest says that its tables are right, so there is none if one is not.
    if !errors.is_empty() {
        errors.iter().for_each(|error| tell(&format!("{}: {error}", error.fault())));
        return Err(Failure::NoManifest { wrong: errors.len() as u64 });
    }
    match matches.get_one::<PathBuf>("out") {
        None => write!(out, "{manifest}")?,
        Some(path) => {
            manifest.write(path).map_err(|source| Failure::File { path: path.clone(), source })?;
            writeln!(
                out,
                "{} in {}",
                words::counted(manifest.tables().len() as u64, "table"),
                game::visible_path(path)
            )?;
        }
    }
    Ok(())
}

/// Reads the manifest that [`file()`] was given, and compares the tables with it.
pub fn check(matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let path = matches.get_one::<PathBuf>("manifest").expect("it was given");
    let manifest = Manifest::read(path).map_err(|source| {
        let path = path.clone();
        match source.get_ref().and_then(|reason| reason.downcast_ref::<ManifestError>()) {
            Some(reason) => Failure::NotAManifest { path, source: reason.clone() },
            None => Failure::File { path, source },
        }
    })?;
    let (library, pool) = (endgames::local_library(matches), arguments::pool(matches)?);
    let all = manifest.tables().map(|(_, fingerprint)| fingerprint.bytes).fold(0, u64::saturating_add);
    let progress = Progress::new("reading", "bytes");
    let compared = pool.install(|| manifest.compare(&library, &|bytes| progress.done(bytes, all)));
    progress.finish();
    for (name, compared) in &compared {
        match matches.get_flag("json") {
            true => writeln!(out, "{}", answer(name, compared))?,
            false => told(name, compared, out)?,
        }
    }
    let count = |state: &str| compared.iter().filter(|(_, compared)| word(compared) == state).count() as u64;
    if !matches.get_flag("json") {
        let wrong = ["missing", "changed", "extra", "not read"].map(|state| (state, count(state)));
        let wrong: Vec<_> = wrong.iter().filter(|(_, count)| *count > 0).collect();
        let wrong: String = wrong.iter().map(|(state, count)| format!(", {count} {state}")).collect();
        writeln!(out, "{} as in the manifest{wrong}", words::counted(count("same"), "table"))?;
    }
    if count("same") == compared.len() as u64 { Ok(()) } else { Err(Failure::CheckFailed) }
}

fn word(compared: &Compared) -> &'static str {
    match compared {
        Compared::Same => "same",
        Compared::Missing => "missing",
        Compared::Changed { .. } => "changed",
        Compared::Extra => "extra",
        Compared::Unreadable(_) => "not read",
    }
}

fn told(name: &str, compared: &Compared, out: &mut dyn Write) -> Result<(), Failure> {
    let (word, name) = (word(compared), visible(name));
    match compared {
        Compared::Same => {}
        Compared::Missing | Compared::Extra => writeln!(out, "{word}: {name}")?,
        Compared::Changed { expected, bytes } if *bytes == expected.bytes => {
            writeln!(out, "{word}: {name} has other bytes")?;
        }
        Compared::Changed { expected, bytes } => {
            writeln!(out, "{word}: {name} has {bytes} bytes instead of {}", expected.bytes)?;
        }
        Compared::Unreadable(error) => writeln!(out, "{word}: {error}")?,
    }
    Ok(())
}

fn answer(name: &str, compared: &Compared) -> String {
    let mut answer = json!({"table": name, "state": word(compared).replace("not read", "unreadable")});
    match compared {
        Compared::Changed { expected, bytes } => {
            answer["bytes"] = (*bytes).into();
            answer["expected_bytes"] = expected.bytes.into();
        }
        Compared::Unreadable(error) => answer["error"] = error.to_string().into(),
        Compared::Same | Compared::Missing | Compared::Extra => {}
    }
    json_text(&answer)
}
