//! `endspiel export GAME SLICE --to FILE`: writes an endgame in the file format of another program.

use crate::arguments::{self, flag, some_games_verb};
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::words;
use clap::{Arg, ArgMatches, Command, value_parser};
use game::visible_path;
use registry::{Exporting, Family, Opened, Registry, Wanted, json_text};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use table::working;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        Arg::new("slice").value_name("SLICE").required(true).help("The endgame, by the name of its table"),
        Arg::new("to")
            .long("to")
            .value_name("FILE")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help("The file to write; a file that is there is replaced when the new one is complete"),
        flag("uncompressed", "Write a one-sided database without compression"),
        arguments::threads(),
        arguments::json(),
    ];
    let about = "Write an endgame in the file format of another program: GNU Backgammon's databases";
    some_games_verb(registry, "export", about, "6x6 --to gnubg_ts0.bd", &arguments, Family::has_equities)
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, equities, pool) = (game.tables()?, game.equities()?, arguments::pool(matches)?);
    let name = matches.get_one::<String>("slice").expect("clap asks for it");
    let path = matches.get_one::<PathBuf>("to").expect("clap asks for it");
    let wanted = Wanted { names: vec![name.clone()], selected: None };
    let slice = tables.slices(&wanted)?[0];
    let exporting = Exporting { uncompressed: matches.get_flag("uncompressed") };
    let progress = Progress::new(name, "positions");
    let size = tables.size(slice);
    let mut failed = None;
    let written = working::replace(path, |file| {
        let exported =
            pool.install(|| equities.export(slice, exporting, file, &|done| progress.done(done, size)));
        exported.map_err(|error| {
            failed = Some(error);
            io::Error::other("it cannot be written in this format")
        })
    });
    progress.finish();
    if let Some(error) = failed {
        return Err(error.into());
    }
    let bytes = written.and_then(|()| Ok(fs::metadata(path)?.len()));
    let bytes = bytes.map_err(|source| Failure::File { path: path.clone(), source })?;
    if matches.get_flag("json") {
        let answer = json!({
            "game": game.info().name, "slice": tables.name(slice), "file": words::path_in_json(path), "bytes": bytes,
        });
        return Ok(writeln!(out, "{}", json_text(&answer))?);
    }
    let bytes = words::counted(bytes, "byte");
    Ok(writeln!(out, "{} in GNU Backgammon's format: {bytes} in {}", tables.name(slice), visible_path(path))?)
}
