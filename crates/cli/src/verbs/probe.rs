//! `endspiel probe GAME POSITION`: looks up a position in the tables.

use crate::arguments::{self, flag, game_verb};
use crate::endgames::{self, told};
use crate::failure::Failure;
use crate::verbs::moves::state;
use crate::verbs::probe_equities;
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::{DistanceUnit, Wdl};
use registry::{
    Answer, Asked, Category, Contents, Extras, Family, Line, LineEnd, Opened, ProbeCounts, ProbeStatistics,
    Probed, Prober, RankedMove, Registry, Rule50, Session, json_text,
};
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        arguments::json(),
        Arg::new("line")
            .long("line")
            .value_name("FORM")
            .num_args(0..=1)
            .require_equals(true)
            .value_parser(["moves"])
            .default_missing_value("moves")
            .help("Show the whole best line, in which both sides play their best moves; add it to JSON"),
        flag(
            "rule50",
            "Add what the 50-move rule makes of each value, and the plies to the next capture or pawn move (chess; needs dtz tables)",
        ),
        endgames::syzygy(
            "Ask the Syzygy files in these folders, separated as in PATH, and not our tables: who wins with the 50-move rule, and dtz (chess)",
        )
        .conflicts_with_all(["line", "tables", "remote", "preload", "statistics"]),
        arguments::number(
            "gnubg",
            "Ask GNU Backgammon, which looks this many plies ahead, and not our tables (backgammon)",
            0..=4,
        )
        .value_name("PLY")
        .conflicts_with_all(["line", "tables", "remote", "preload", "statistics", "syzygy", "stdin"]),
        endgames::preload(),
        flag(
            "statistics",
            "At the end, tell on the standard error how many entries were asked for, how many of them were in the cache, and how much was read; with --json as JSON",
        ),
        flag("stdin", "Read a position per line and answer each with a line of JSON, in the same order")
            .conflicts_with("position"),
    ];
    let verb = game_verb(
        registry,
        "probe",
        "Look up a position in the tables: who wins, in how many plies, by which moves",
        "ENDGAME",
        &arguments,
    );
    let verb = endgames::with_unsolved(registry, verb);
    let verb = arguments::only_for(registry, verb, &["syzygy"], Family::has_syzygy);
    let verb = registry.games().fold(verb, with_line_formats);
    let verb = arguments::only_for(registry, verb, &["gnubg"], Family::has_equities);
    let verb = arguments::only_for(registry, verb, &["line", "preload"], |family| !family.has_equities());
    arguments::only_for(registry, verb, &["rule50"], Family::has_rule50)
}

/// Adds the formats of a game to `--line`.
fn with_line_formats(verb: Command, family: &Family) -> Command {
    let formats = family.line_formats();
    if formats.is_empty() {
        return verb;
    }
    let help = format!(
        "Show the whole best line, in which both sides play their best moves, and add it to JSON; or write it as a game record: {}",
        formats.join(", ")
    );
    let values: Vec<&'static str> = ["moves"].into_iter().chain(formats.iter().copied()).collect();
    let change = |line: Arg| line.value_parser(values).help(help);
    verb.mut_subcommand(family.info().name, |game| game.mut_arg("line", change))
}

/// The most moves of a best line.
const LONGEST_LINE: usize = 1000;

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(folders) = matches.get_one::<OsString>("syzygy") {
        return ask(game, &game.syzygy(folders)?, matches, out);
    }
    if let Some(&ply) = matches.get_one::<u64>("gnubg") {
        return probe_equities::ask_gnubg(game, ply, matches, out);
    }
    let library = endgames::library(matches)?;
    let done = match game.tables()?.contents() {
        Contents::Values(values) => {
            let prober = values.prober(Arc::clone(&library))?;
            endgames::preload_if_asked(&*prober, matches);
            ask(game, &*prober, matches, out)
        }
        Contents::Equities(equities) => {
            let flag = ["rule50", "preload"].into_iter().find(|option| matches.get_flag(option));
            let line = matches.contains_id("line").then_some("line");
            if let Some(option) = flag.or(line) {
                return Err(Failure::OptionOfValues { option, game: game.info().title });
            }
            probe_equities::ask(game, &*equities.prober(Arc::clone(&library)), matches, out)
        }
    };
    if matches.get_flag("statistics") {
        // First what the statistics are about.
        out.flush()?;
        tell_statistics(library.statistics().into(), matches.get_flag("json"))?;
    }
    done
}

/// Prints the statistics of the probes to the standard error.
fn tell_statistics(statistics: ProbeStatistics, as_json: bool) -> Result<(), Failure> {
    let mut out = io::stderr().lock();
    if as_json {
        return Ok(writeln!(out, "{}", json_text(&statistics))?);
    }
    let told = |counts: &ProbeCounts, of: &str| {
        let rate = counts.hit_rate.map_or_else(String::new, |rate| format!("{:.1} %", 100.0 * rate));
        let [probes, hits, misses] = [counts.probes, counts.hits, counts.misses].map(words::thousands);
        let read = solve::size_text(counts.bytes_read);
        format!("{probes:>13} {hits:>13} {rate:>7} {misses:>10} {read:>10}  {of}")
    };
    writeln!(out, "{:>13} {:>13} {:>7} {:>10} {:>10}  of", "probes", "hits", "", "misses", "read")?;
    for table in &statistics.tables {
        writeln!(out, "{}", told(&table.counts, &game::visible(&table.table).to_string()))?;
    }
    Ok(writeln!(out, "{}", told(&statistics.total, "all"))?)
}

/// Asks the questions of the command line.
fn ask(game: &Opened, prober: &dyn Prober, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let line = matches.contains_id("line").then_some(LONGEST_LINE);
    let format = matches.get_one::<String>("line").filter(|format| *format != "moves");
    if let Some(format) = format.filter(|_| matches.get_flag("stdin") || matches.get_flag("json")) {
        return Err(Failure::RecordInJson { format: format.clone() });
    }
    let rule50 = matches.get_flag("rule50");
    if rule50 && !prober.has_rule50() {
        return Err(registry::Error::NoRule50 { game: game.info().title }.into());
    }
    let extras = Extras { line, rule50 };
    if matches.get_flag("stdin") {
        return Ok(prober.answer_lines(extras, &mut io::stdin().lock(), out)?);
    }
    let session = arguments::session(game, matches, out)?;
    if let Some(format) = format {
        return Ok(out.write_all(prober.line_text(&*session, extras, format)?.as_bytes())?);
    }
    if matches.get_flag("json") {
        let position = arguments::given_position(matches).unwrap_or_else(|| session.position());
        return match prober.probe(&*session, extras) {
            Ok(answer) => {
                Ok(writeln!(out, "{}", json_text(&Asked { position: &position, answer: &answer }))?)
            }
            Err(error) => {
                let answer = json!({"position": position, "error": error.to_string()});
                Err(Failure::from(error).answered(&answer, out))
            }
        };
    }
    let answer = prober.probe(&*session, Extras { line: Some(LONGEST_LINE), rule50 })?;
    writeln!(out, "{}\n{}\n", session.draw(terminal::style(matches)), session.position())?;
    words::say(out, &verdict(game, &*session, &answer))?;
    if let Some(sentence) = fifty_moves(&answer) {
        words::say(out, &sentence)?;
    }
    tell_moves(&answer, game.info().distances, out)?;
    let shown = if line.is_some() { LONGEST_LINE } else { SHOWN };
    answer.line.as_ref().map_or(Ok(()), |line| tell_line(&answer, line, shown, out))
}

/// Returns the value of the position as a sentence.
fn verdict(game: &Opened, session: &dyn Session, answer: &Answer) -> String {
    // Only a finished position has no moves. Tables ignore draws that end a game and not a position, such as repetition.
    if answer.moves.is_empty() {
        return state(session);
    }
    let sides = game.info().sides;
    let mover = session.turn();
    let other = if mover == sides.first { sides.second } else { sides.first };
    let (winner, value) = match answer.value.wdl {
        Wdl::Win => (mover, answer.value),
        Wdl::Loss => (other, answer.value.for_opponent()),
        Wdl::Draw => {
            let [mover, other] = [mover, other].map(words::capitalised);
            return format!("Drawn: neither {mover} nor {other} can force a win.");
        }
    };
    format!("{} {}.", words::capitalised(winner), told(value, game.info().distances))
}

/// Returns what the 50-move rule makes of the value, as a sentence. `None` if it was not asked for, or if there is nothing to
/// add: the game is over or drawn anyway.
fn fifty_moves(answer: &Answer) -> Option<String> {
    let Rule50 { category, dtz, dtz_exact } = answer.rule50.filter(|_| !answer.moves.is_empty())?;
    let away = dtz.map_or(String::new(), |dtz| {
        let plies = match (dtz.abs(), dtz_exact) {
            (1, true) => "1 ply".to_owned(),
            (plies, true) => format!("{plies} plies"),
            (plies, false) => format!("{plies} or {} plies", plies + 1),
        };
        format!(": the next capture, pawn move or mate is {plies} away")
    });
    match category {
        Category::Draw => None,
        Category::Win | Category::Loss => Some(format!("The 50-move rule changes nothing{away}.")),
        Category::MaybeWin | Category::MaybeLoss => {
            Some(format!("It may be a draw by the 50-move rule{away}."))
        }
        Category::CursedWin | Category::BlessedLoss => {
            Some(format!("It is a draw by the 50-move rule{away}."))
        }
    }
}

/// Returns what the 50-move rule makes of a move, to be added to its value.
fn fifty_moves_after(rule50: Rule50) -> String {
    let Rule50 { category, dtz, dtz_exact } = rule50;
    let rounded = if dtz_exact { "" } else { "~" };
    let dtz = dtz.map_or(String::new(), |dtz| format!(", dtz {rounded}{dtz}"));
    match category {
        Category::Draw => String::new(),
        Category::Win | Category::Loss => dtz,
        Category::MaybeWin | Category::MaybeLoss => format!("{dtz}: maybe a draw by the 50-move rule"),
        Category::CursedWin | Category::BlessedLoss => format!("{dtz}: a draw by the 50-move rule"),
    }
}

fn tell_moves(answer: &Answer, unit: DistanceUnit, out: &mut dyn Write) -> Result<(), Failure> {
    if answer.moves.is_empty() {
        return Ok(());
    }
    let width = answer.moves.iter().map(|ranked| ranked.text.len()).max().unwrap_or(0);
    writeln!(out)?;
    for RankedMove { text, value, rule50 } in &answer.moves {
        let value = endgames::told_move(*value, unit);
        let rule50 = rule50.map(fifty_moves_after).unwrap_or_default();
        writeln!(out, "  {text:<width$}  {value}{rule50}")?;
    }
    Ok(())
}

/// The number of moves of a line that are shown if the line was not requested.
const SHOWN: usize = 60;

fn tell_line(answer: &Answer, line: &Line, most: usize, out: &mut dyn Write) -> Result<(), Failure> {
    let Line { moves, end } = line;
    if moves.is_empty() && end.is_ok() {
        return Ok(());
    }
    let shown = &moves[..moves.len().min(most)];
    let rest = match end {
        _ if moves.len() > most => format!(" … and {} more; `--line` shows all", moves.len() - most),
        Ok(LineEnd::Over) => String::new(),
        Ok(LineEnd::Repetition) => " … and so on: the position repeats".to_owned(),
        Ok(LineEnd::NoProgress) => " … and it is a draw by the 50-move rule".to_owned(),
        Ok(LineEnd::MissingTable) => " … up to a missing table".to_owned(),
        Ok(LineEnd::Cut) => " …".to_owned(),
        Err(error) => format!(" … and the rest cannot be read: {error}"),
    };
    let Probed { wdl, plies, by_rule } = answer.value;
    let has_distances = plies.is_some() || by_rule || wdl == Wdl::Draw || answer.rule50.is_some();
    let title = if has_distances {
        "Best play"
    } else {
        "A line that keeps the result (the tables have no distances)"
    };
    let told = shown.join(" ") + &rest;
    writeln!(out)?;
    Ok(words::say(out, &format!("{title}: {}", told.trim_start()))?)
}
