//! `endspiel record`: records of games, shown, checked, and converted.

use crate::arguments::{self, game_verb, number};
use crate::failure::{self, Failure};
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::quoted_path;
use registry::{BadGame, Counts, OutputFormat, Records, Registry, Task, json_text};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// The bytes of a file that are read at once.
const BUFFER: usize = 1 << 18;

pub fn command(registry: &Registry) -> Command {
    let file = Arg::new("file")
        .value_name("FILE")
        .value_parser(clap::value_parser!(PathBuf))
        .help("The file with the games [default: the standard input, also as -]");
    let from = Arg::new("from").long("from").value_name("FORMAT").help(
        "The format of the file: pgn (chess), kif and csa (shogi), mat (backgammon), moves and json (every game) [default: what the \
         name of the file says]",
    );
    let to = Arg::new("format")
        .long("to")
        .value_name("FORMAT")
        .default_value("json")
        .help("The format to write, one of those of --from");
    let only = number("game", "Only the game with this number in the file, from 1", 1..=u64::MAX);
    let show = [file.clone(), from.clone(), only.clone()];
    let check = [file.clone(), from.clone(), arguments::json()];
    let convert = [file.clone(), from.clone(), to, only.clone()];
    let positions = [file, from, only, arguments::json()];
    Command::new("record")
        .about("Read records of games: show, check or convert them")
        .subcommand_required(true)
        .subcommand_value_name("WHAT")
        .subcommand_help_heading("What")
        .disable_help_subcommand(true)
        .after_help(
            "A record that cannot be read is reported and passed over; the others follow, and the exit code is 1.\n\n\
             Examples:\n  endspiel record show onitama game.moves\n  endspiel record check chess games.pgn\n  \
             endspiel record convert shogi game.kif --to csa\n  \
             endspiel record positions chess games.pgn | endspiel moves chess --stdin",
        )
        .subcommands([
            game_verb(registry, "record show", "Draw the games, move by move", "game.moves", &show),
            game_verb(registry, "record check", "Check that every move is legal", "game.moves", &check),
            game_verb(
                registry,
                "record convert",
                "Write the games in another format",
                "game.moves --to json",
                &convert,
            ),
            game_verb(
                registry,
                "record positions",
                "List all positions of the games, one per line",
                "game.moves",
                &positions,
            ),
        ])
}

pub fn run(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (what, matches) = matches.subcommand().expect("clap asks for it");
    let (game, matches) = matches.subcommand().expect("clap asks for a game");
    let game = arguments::open(registry, game, matches)?;
    let records = game.records();
    let file = matches.get_one::<PathBuf>("file").filter(|path| path.as_os_str() != "-");
    let from = format(records, matches, file.map(PathBuf::as_path))?;
    let in_json = matches!(matches.try_get_one("json"), Ok(Some(true)));
    let to = matches.try_get_one::<String>("format").ok().flatten();
    let task = match what {
        "check" => Task::Check,
        "show" => Task::Show(terminal::style(matches)),
        "convert" => Task::Convert { to: to.expect("it has a default") },
        "positions" if in_json => Task::Positions(OutputFormat::Json),
        "positions" => Task::Positions(OutputFormat::Text),
        _ => unreachable!("clap knows them"),
    };
    let only = matches.try_get_one::<u64>("game").ok().flatten().copied();
    let reading = records.reading(from, task)?;
    let mut source: Box<dyn BufRead> = match file {
        Some(path) => {
            let opened = File::open(path).map_err(|source| Failure::File { path: path.clone(), source })?;
            Box::new(BufReader::with_capacity(BUFFER, opened))
        }
        None => Box::new(BufReader::with_capacity(BUFFER, io::stdin().lock())),
    };
    let is_check = what == "check";
    let name = file.map_or("the standard input".to_owned(), |path| quoted_path(path));
    let counts = reading.run(&mut *source, only, out, &mut |bad, out| match (is_check, in_json) {
        (true, true) => writeln!(out, "{}", json_text(&told(bad))),
        (true, false) => writeln!(out, "{}", game::visible(&bad.to_string())),
        (false, _) => {
            failure::tell(&bad.to_string());
            Ok(())
        }
    })?;
    if counts.games == 0 {
        return Err(Failure::NoSuchRecord { name, number: only });
    }
    match is_check {
        true => tell_counts(counts, in_json, out),
        false if counts.bad > 0 => Err(Failure::PassedOver { count: counts.bad }),
        false => Ok(()),
    }
}

/// The format of a file: the one that was named, or else that of its name.
fn format<'a>(
    records: &dyn Records,
    matches: &'a ArgMatches,
    file: Option<&Path>,
) -> Result<&'a str, Failure> {
    if let Some(from) = matches.get_one::<String>("from") {
        return Ok(from);
    }
    let extension = file.and_then(Path::extension).and_then(|extension| extension.to_str());
    let known = extension.and_then(|extension| records.format_of(extension));
    known.ok_or_else(|| Failure::UnknownFormat { known: records.formats() })
}

/// A bad game in JSON.
fn told(bad: &BadGame) -> serde_json::Value {
    let BadGame { game, ply, line, wrong_move, why } = bad;
    json!({"game": game, "ply": ply, "line": line, "move": wrong_move, "error": why.to_string()})
}

fn tell_counts(counts: Counts, in_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Counts { games, bad } = counts;
    match (in_json, bad) {
        (true, _) => writeln!(out, "{}", json!({"games": games, "right": games - bad, "wrong": bad}))?,
        (false, 0) => writeln!(out, "{}: every move is legal", words::counted(games, "game"))?,
        (false, _) => writeln!(out, "{}: {} wrong", words::counted(games, "game"), words::thousands(bad))?,
    }
    if bad > 0 { Err(Failure::CheckFailed) } else { Ok(()) }
}
