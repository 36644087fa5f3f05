//! Tables of a server: `endspiel tables --remote URL` lists them, and `--fetch NAME…` brings them.

use crate::endgames;
use crate::failure::{Failure, tell};
use crate::interrupt;
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches};
use game::{visible, visible_path};
use registry::json_text;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::remote::{FetchError, Fetched, MANIFEST, Remote};
use table::{Fingerprint, Library, Manifest, Store};

/// `--fetch NAME…`
pub fn names() -> Arg {
    Arg::new("fetch").long("fetch").value_name("NAME").num_args(1..).help(
        "Bring these tables from the server to the first folder: `chess/standard/KRvK.dtm`, or all that begin so, such as \
         `chess/standard/KRvK` or `chess`",
    )
}

/// Lists the tables of the server.
pub fn list(library: &Library, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let remote = given_remote(matches)?;
    let manifest = manifest(&remote)?;
    for (name, Fingerprint { hash, bytes }) in manifest.tables() {
        let is_here = library.places().iter().any(|place| place.join(name).exists());
        if matches.get_flag("json") {
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            let answer = json!({"table": name, "bytes": bytes, "hash": hash, "here": is_here});
            writeln!(out, "{}", json_text(&answer))?;
        } else {
            let here = if is_here { "  here" } else { "" };
            writeln!(out, "{:<60} {:>10}{here}", visible(name), solve::size_text(bytes))?;
        }
    }
    if !matches.get_flag("json") {
        let bytes = manifest.tables().map(|(_, table)| table.bytes).fold(0, u64::saturating_add);
        let count = words::counted(manifest.tables().len() as u64, "table");
        writeln!(out, "{count} at {}, {}", visible_path(remote.root()), solve::size_text(bytes))?;
    }
    Ok(())
}

/// Brings tables from the server.
pub fn run(library: &Library, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let remote = given_remote(matches)?;
    let manifest = manifest(&remote)?;
    let wanted = selected(&manifest, &remote, matches)?;
    let bytes = wanted.iter().map(|(_, table)| table.bytes).fold(0, u64::saturating_add);
    let as_json = matches.get_flag("json");
    if !as_json {
        let count = words::counted(wanted.len() as u64, "table");
        let folder = visible_path(library.folder());
        writeln!(out, "fetching {count}, {}, to {folder}", solve::size_text(bytes))?;
        out.flush()?;
    }
    interrupt::on_interrupt(|| STOP.store(true, Relaxed))?;
    let progress = Progress::new("fetching", "bytes");
    let mut failed = 0;
    for (name, expected) in wanted {
        let done = |count| progress.done(count, bytes);
        let state = match remote.fetch(name, expected, library.folder(), &done, &STOP) {
            Ok(Fetched::Here) => "here",
            Ok(Fetched::Brought) => "fetched",
            Err(FetchError::Stopped) => {
                progress.finish();
                return Err(Failure::Interrupted);
            }
            // Another table may be in order.
            Err(error) => {
                failed += 1;
                match as_json {
                    true => {
                        let answer = json!({"table": name, "error": error.to_string()});
                        writeln!(out, "{}", json_text(&answer))?;
                    }
                    false => tell(&error.to_string()),
                }
                continue;
            }
        };
        match as_json {
            true => {
                let answer = json!({"table": name, "bytes": expected.bytes, "state": state});
                writeln!(out, "{}", json_text(&answer))?;
            }
            false => writeln!(out, "{state}: {}", visible(name))?,
        }
    }
    progress.finish();
    if failed == 0 { Ok(()) } else { Err(Failure::NotFetched { count: failed }) }
}

fn given_remote(matches: &ArgMatches) -> Result<Remote, Failure> {
    endgames::given_remote(matches)?.ok_or(Failure::NoServer)
}

fn manifest(remote: &Remote) -> Result<Arc<Manifest>, Failure> {
    let path = remote.root().join(MANIFEST);
    match remote.manifest() {
        Ok(Some(manifest)) => Ok(manifest),
        Ok(None) => Err(Failure::NoServerManifest { path }),
        Err(error) => Err(Failure::File { path, source: error.into() }),
    }
}

/// The tables of the manifest that [`names`] was given, each once, in the order of the manifest. But distances come last, because
/// those of a packed table are refused without its outcomes.
fn selected<'a>(
    manifest: &'a Manifest,
    remote: &Remote,
    matches: &ArgMatches,
) -> Result<Vec<(&'a str, Fingerprint)>, Failure> {
    let asked: Vec<&str> = matches
        .get_many::<String>("fetch")
        .into_iter()
        .flatten()
        .map(|name| name.trim_end_matches('/'))
        .collect();
    let has = |asked: &str| manifest.tables().any(|(name, _)| begins(name, asked));
    if let Some(unknown) = asked.iter().find(|asked| !has(asked)) {
        return Err(Failure::NothingToFetch {
            name: (*unknown).to_owned(),
            path: remote.root().join(MANIFEST),
        });
    }
    let is_asked = |name: &str| asked.iter().any(|asked| begins(name, asked));
    let mut selected: Vec<_> = manifest.tables().filter(|(name, _)| is_asked(name)).collect();
    selected.sort_by_key(|(name, _)| name.ends_with(".dtm.est"));
    Ok(selected)
}

/// Returns whether a name is the asked one, or begins with it up to a `/` or a `.`.
fn begins(name: &str, asked: &str) -> bool {
    name.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn names_are_selected_by_their_beginning() {
        let name = "chess/standard/KRvK.dtm.est";
        for asked in ["chess", "chess/standard", "chess/standard/KRvK", "chess/standard/KRvK.dtm", name] {
            assert!(begins(name, asked), "{asked}");
        }
        for asked in
            ["", "che", "chess/standard/KR", "chess/standard/KRvK.d", "standard", "chess/standard/KRvKB"]
        {
            assert!(!begins(name, asked), "{asked}");
        }
    }
}
