//! `endspiel tables`: lists the tables.

use crate::advice::mending_anywhere;
use crate::arguments::{self, flag};
use crate::endgames;
use crate::failure::{Failure, tell};
use crate::fetch;
use crate::manifest;
use crate::words;
use clap::{Arg, ArgMatches, Command, value_parser};
use game::{Metric, visible};
use registry::{Registry, json_text};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use table::{Depth, Distances, Library, Listed, Payload as _, TableFile, Verification};

pub fn command() -> Command {
    Command::new("tables")
        .about("List the tables that have been solved: their sizes, and whether they have been verified")
        .args([
            endgames::tables(),
            endgames::remote()
                .help("List the tables of this server, or fetch them from it [default for --fetch: $ENDSPIEL_REMOTE]"),
            fetch::names(),
            arguments::json(),
            flag("manifest", "Print a manifest: the hash, the size and the name of every table")
                .conflicts_with_all(["json", "remote", "fetch"]),
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .requires("manifest")
                .help("Write the manifest to this file"),
        ])
        .after_help(
            "Examples:\n  endspiel tables --tables ~/endspiel\n  endspiel tables --manifest --out tables/manifest\n  \
             endspiel tables --remote https://example.org/tables\n  \
             endspiel tables --remote https://example.org/tables --fetch chess/standard/KRvK",
        )
}

pub fn run(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let library = endgames::local_library(matches);
    if matches.get_flag("manifest") {
        return manifest::write(&library, matches, out);
    }
    if matches.contains_id("fetch") {
        return fetch::run(&library, matches, out);
    }
    if matches.contains_id("remote") {
        return fetch::list(&library, matches, out);
    }
    let as_json = matches.get_flag("json");
    let listed = library.list();
    let (mut bytes, mut entries, mut tables, mut broken) = (0, 0, 0, false);
    // The slice of the last file, if it has the distances of a small table. Its outcomes come next, and have the same entries.
    let mut distances_of = None;
    let mut rows = Rows::default();
    for file in &listed {
        // One file at a time: an operating system allows few open files, and a game can have thousands.
        match open(&library, file) {
            Ok(table) => {
                let about = table.description();
                let bits = 8.0 * table.bytes() as f64 / table.entries().max(1) as f64;
                let ratio = table.entries() as f64 / table.bytes() as f64;
                bytes += table.bytes();
                let slice = Some([&about.game, &about.rules, &about.slice].map(String::clone));
                let is_second_file = table.is_small() && distances_of == slice;
                if !is_second_file {
                    tables += 1;
                    entries += table.entries();
                }
                distances_of = slice.filter(|_| table.is_small() && about.metric == Metric::Dtm);
                let verified = verification(&table);
                if as_json {
                    let answer = json!({
                        "game": about.game, "rules": about.rules, "slice": about.slice,
                        "metric": about.metric.name(), "index": about.index,
                        "payload": table.payload_name(), "entries": table.entries(),
                        "bytes": table.bytes(), "bits_per_entry": bits, "ratio": ratio,
                        "file": words::path_in_json(&file.path), "verified": verified.map(as_json_value),
                    });
                    writeln!(out, "{}", json_text(&answer))?;
                } else {
                    let group = format!("{} ({})", visible(&about.game), visible(&about.rules));
                    rows.begin(&group, out)?;
                    let packed = if table.is_small() { "packed, " } else { "" };
                    rows.rows.push(Row {
                        slice: visible(&about.slice).to_string(),
                        metric: about.metric.name(),
                        entries: words::thousands(table.entries()),
                        size: solve::size_text(table.bytes()),
                        bits,
                        verified: format!("{packed}{}", verified.map_or_else(|| "no".to_owned(), told)),
                    });
                }
            }
            Err(error) => {
                broken = true;
                if as_json {
                    let answer = json!({
                        "file": words::path_in_json(&file.path), "fault": error.fault().name(),
                        "error": error.to_string(),
                    });
                    writeln!(out, "{}", json_text(&answer))?;
                } else {
                    rows.end(out)?;
                    let how = mending_anywhere(registry, &error, matches);
                    let how = how.map_or_else(String::new, |how| format!("; {how}"));
                    words::say(out, &format!("{error}{how}"))?;
                }
            }
        }
    }
    if !as_json {
        rows.end(out)?;
        let folder = library.places();
        let told = match (tables, broken) {
            (0, false) => {
                let again = endgames::given_folder(matches);
                let again = again.map_or_else(String::new, |folder| format!(" --tables {folder}"));
                format!("There are no tables in {folder}; `endspiel solve{again}` makes some.")
            }
            _ => {
                let (count, size) = (words::counted(tables, "table"), solve::size_text(bytes));
                let ratio = entries as f64 / bytes.max(1) as f64;
                format!("{count} in {folder}, {size}, {ratio:.1}:1 against a byte per entry")
            }
        };
        words::say(out, &told)?;
    }
    if broken { Err(Failure::CheckFailed) } else { Ok(()) }
}

/// The tables of a game with one set of rules, as people see them.
#[derive(Default)]
struct Rows {
    group: String,
    rows: Vec<Row>,
}

struct Row {
    slice: String,
    metric: &'static str,
    entries: String,
    size: String,
    bits: f64,
    verified: String,
}

impl Rows {
    /// Begins a group, if it is another one. The last one is then written.
    fn begin(&mut self, group: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.group != group {
            self.end(out)?;
            group.clone_into(&mut self.group);
        }
        Ok(())
    }

    /// Writes the rows so far, in columns that are as wide as they must be.
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Ok(());
        }
        words::say(out, &self.group)?;
        let width = |least: &str, of: fn(&Row) -> &str| {
            rows.iter().map(|row| of(row).chars().count()).fold(least.len(), usize::max)
        };
        let slice = width("slice", |row| &row.slice);
        let metric = width("metric", |row| row.metric);
        let entries = width("entries", |row| &row.entries);
        writeln!(
            out,
            "  {:<slice$} {:<metric$} {:>entries$} {:>10} {:>10}  verified",
            "slice", "metric", "entries", "size", "bits each"
        )?;
        for row in &rows {
            let Row { size, bits, verified, .. } = row;
            writeln!(
                out,
                "  {:<slice$} {:<metric$} {:>entries$} {size:>10} {bits:>10.3}  {verified}",
                row.slice, row.metric, row.entries
            )?;
        }
        writeln!(out)
    }
}

/// Opens a file. Distances are a table only with the outcomes to which they belong, so that these are opened, too.
fn open(library: &Library, file: &Listed) -> Result<TableFile, table::Error> {
    let table = file.open()?;
    if table.payload_name() == Distances::NAME {
        library.with_own_cache(0).small(table.description())?;
    }
    Ok(table)
}

/// Reads the record of the last verification of a table. A file that is no record is ignored, and the user is told.
fn verification(table: &TableFile) -> Option<Verification> {
    let path = table.path();
    Verification::of(path, table.content_hash()).unwrap_or_else(|error| {
        let record = game::quoted_path(&Verification::path(path));
        tell(&format!("{record} is ignored: {error}"));
        None
    })
}

fn as_json_value(verification: Verification) -> Value {
    let Verification { depth, date, .. } = verification;
    let mut verified = json!({"depth": words::depth(depth), "date": date});
    if let Depth::Sample { positions, seed } = depth {
        verified["positions"] = positions.into();
        verified["seed"] = seed.into();
    }
    verified
}

fn told(verification: Verification) -> String {
    let Verification { depth, date, .. } = verification;
    let day = date.get(..10).unwrap_or(&date);
    match depth {
        Depth::Checksums => format!("checksums {day}"),
        Depth::Sample { .. } => format!("sample {day}"),
        Depth::Everything => day.to_owned(),
    }
}
