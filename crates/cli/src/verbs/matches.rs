//! `endspiel match GAME AGENT AGENT`: two agents play against each other. The module cannot be called `match`, which is a
//! keyword of Rust.

use crate::agents;
use crate::arguments::{self, number, some_games_verb};
use crate::endgames;
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::verbs::regret;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use game::{BySide, Side, visible_path};
use registry::{
    AnyMatchResult, Estimate, Family, LossReport, MatchError, Matches, NoFile, Opened, Registry,
    SeriesSettings, Shown, Tally, json_text,
};
use serde_json::{Map, Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        Arg::new("agents")
            .value_name("AGENT")
            .num_args(2)
            .required(true)
            .help(format!("Two of {}", agents::NAMES)),
        number("games", "How many games; with --match, how many matches", 1..=1_000_000_000)
            .default_value("1000"),
        number("seed", "The same seed gives the same games, on any number of threads", 0..=u64::MAX)
            .default_value("1"),
        number("threads", "Games played at the same time [default: depends on the agents]", 1..=256),
        Arg::new("save")
            .long("save")
            .value_name("FOLDER")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Write every game, or match, to a file of its own: .pgn for chess, .kif for shogi, .mat for backgammon, .moves for the others"),
        agents::move_time(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        arguments::flag("json", "A line of JSON for each game, with the totals so far, and a summary line"),
    ];
    let (about, example) = ("Let two agents play each other", "random random --games 100");
    let verb = some_games_verb(registry, "match", about, example, &arguments, Family::has_matches);
    agents::with_names(registry, verb, "agents")
}

pub fn run(game: &Opened, options: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    // Tables judge what the agents lose, and know perfect play.
    let library = endgames::library(options)?;
    let matches = &*agents::of(game, &library)?;
    let mut agents = options.get_many::<String>("agents").into_iter().flatten().map(String::as_str);
    let number = |name: &str| *options.get_one::<u64>(name).expect("it has a default");
    let folder = options.get_one::<PathBuf>("save");
    let agents = [(); 2].map(|()| agents.next().expect("clap asks for two"));
    let settings = SeriesSettings {
        at_once: options.get_one::<u64>("threads").map(|&threads| threads as usize),
        keep: folder.is_some(),
        patience: agents::patience(options),
        options: &game.records().options(),
        ..SeriesSettings::new(agents, number("games"), number("seed"))
    };
    let explained = |error| agents::failure(error, game, &library);
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| not_saved(folder, error))?;
    }
    match options.get_flag("json") {
        true => in_json(matches, &settings, folder, &explained, out),
        false => in_words(matches, &settings, folder, &explained, game.info().sides, out),
    }
}

fn not_saved(path: &Path, source: io::Error) -> Failure {
    Failure::File { path: path.to_owned(), source }
}

/// The sums over a series.
#[derive(Default)]
struct Series {
    tally: Tally,
    /// What each agent lost where tables can judge. `None` without tables.
    losses: Option<BySide<LossReport>>,
}

/// Plays the series. Saves each game or match if there is a folder, and passes the result to `show`. A failure of saving
/// or of `show` ends the series.
fn play(
    matches: &dyn Matches,
    settings: &SeriesSettings<'_>,
    folder: Option<&PathBuf>,
    explained: &dyn Fn(MatchError) -> Failure,
    mut show: impl FnMut(&dyn AnyMatchResult, &Tally) -> Result<(), Failure>,
) -> Result<Series, Failure> {
    let (mut last, mut done) = (Series::default(), Ok(()));
    let ending = matches.file_ending();
    let played = matches.play(settings, &mut |shown| {
        let Shown { result, tally, file, losses } = shown;
        last = Series { tally: tally.clone(), losses };
        let saved = match (folder, file) {
            (Some(folder), Some(file)) => save(&folder.join(format!("{:06}.{ending}", tally.matches)), file),
            _ => Ok(()),
        };
        done = saved.and_then(|()| show(result, tally));
        done.is_ok()
    });
    played.map_err(explained)?;
    done.map(|()| last)
}

fn save(path: &Path, file: Result<String, NoFile>) -> Result<(), Failure> {
    let file = file.map_err(|error| registry::Error::from(MatchError::File(error)))?;
    // An existing file is not overwritten: it belongs to another series, and the two would be mixed up.
    let saved = fs::File::create_new(path).and_then(|mut to| to.write_all(file.as_bytes()));
    saved.map_err(|error| not_saved(path, error))
}

fn in_json(
    matches: &dyn Matches,
    settings: &SeriesSettings<'_>,
    folder: Option<&PathBuf>,
    explained: &dyn Fn(MatchError) -> Failure,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let has_draws = matches.has_draws();
    let last = play(matches, settings, folder, explained, |result, tally| {
        // Each line is flushed, so that a program can follow the series while it is played.
        writeln!(out, "{}", json_text(&line(result, tally, has_draws)))?;
        Ok(out.flush()?)
    })?;
    let Series { tally: last, losses } = last;
    let [rate, gain] = [last.win_rate(Side::First), last.gain(Side::First)];
    let mut summary = Map::new();
    summary.insert("agents".to_owned(), json!(settings.agents));
    summary.insert("seed".to_owned(), json!(settings.seed));
    summary.extend(figures(&last, has_draws));
    summary.insert("agent0_win_rate_interval".to_owned(), json!([rate.low, rate.high]));
    summary.insert("agent0_net_points_per_game".to_owned(), json!(gain.value));
    let interval = gain.low.is_finite().then_some([gain.low, gain.high]);
    summary.insert("agent0_net_points_per_game_interval".to_owned(), json!(interval));
    if let Some(losses) = losses.filter(has_judged) {
        for side in Side::ALL {
            summary.insert(format!("agent{}_losses", seat(side)), json!(losses[side]));
        }
    }
    Ok(writeln!(out, "{}", json_text(&summary))?)
}

/// Returns whether tables could judge any decision.
fn has_judged(losses: &BySide<LossReport>) -> bool {
    Side::ALL.into_iter().any(|side| losses[side].moves.decisions + losses[side].cube.decisions > 0)
}

/// Returns the result of a game or match, and the totals so far under names that are usual in experiment trackers.
fn line(result: &dyn AnyMatchResult, tally: &Tally, has_draws: bool) -> Value {
    let mut line = Map::new();
    line.insert("winner".to_owned(), json!(result.winner().map(seat)));
    line.insert("points".to_owned(), json!(Side::ALL.map(|side| result.points()[side])));
    line.insert("moves".to_owned(), json!(result.moves()));
    line.insert("played".to_owned(), json!(result.games()));
    line.extend(figures(tally, has_draws));
    Value::Object(line)
}

/// The number of the agent that plays a side: 0 or 1.
const fn seat(side: Side) -> usize {
    side as usize
}

fn figures(tally: &Tally, has_draws: bool) -> Map<String, Value> {
    let mut figures = json!({
        "games": tally.matches,
        "agent0_wins": tally.wins.first,
        "agent1_wins": tally.wins.second,
        "agent0_win_rate": tally.win_rate(Side::First).value,
        "agent0_points": tally.points.first,
        "agent1_points": tally.points.second,
        "avg_moves": tally.average_moves(),
    });
    if has_draws {
        figures["draws"] = json!(tally.draws);
    }
    match figures {
        Value::Object(figures) => figures,
        _ => unreachable!("an object was made"),
    }
}

fn in_words(
    matches: &dyn Matches,
    settings: &SeriesSettings<'_>,
    folder: Option<&PathBuf>,
    explained: &dyn Fn(MatchError) -> Failure,
    sides: BySide<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let [first, second] = settings.agents;
    let (unit, units) = if matches.plays_matches() { ("match", "matches") } else { ("game", "games") };
    let progress = Progress::new(&format!("{first} against {second}"), units);
    // An agent that plays against itself is named with its side.
    let names = match first == second {
        true => Side::ALL.map(|side| format!("{first} as {}", words::capitalised(sides[side]))),
        false => [first.to_owned(), second.to_owned()],
    };
    let last = play(matches, settings, folder, explained, |_, _| {
        progress.part_done(1, settings.matches as usize);
        Ok(())
    })?;
    progress.finish();
    let Series { tally: last, losses } = last;
    let number = words::thousands(last.matches);
    let unit_or_units = if last.matches == 1 { unit } else { units };
    writeln!(out, "{first} against {second}: {number} {unit_or_units}, seed {}", settings.seed)?;
    writeln!(out, "{:.1} turns a {unit}\n", last.average_moves())?;
    for side in Side::ALL {
        write_agent(&names[seat(side)], side, unit, &last, matches.wins(), out)?;
    }
    if let Some(losses) = losses.filter(has_judged) {
        writeln!(out, "Against perfect play, where tables reach:")?;
        for side in Side::ALL {
            writeln!(out, "{}", names[seat(side)])?;
            regret::tell(&losses[side], out)?;
        }
        writeln!(out)?;
    }
    if matches.has_draws() {
        writeln!(out, "Drawn: {}.\n", words::thousands(last.draws))?;
    }
    if let Some(folder) = folder {
        writeln!(out, "Saved in {}.", visible_path(folder))?;
    }
    Ok(writeln!(out, "In brackets: 95 % confidence intervals.")?)
}

fn write_agent(
    name: &str,
    side: Side,
    unit: &str,
    tally: &Tally,
    wins: &[(&str, &str)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let rate = tally.win_rate(side);
    let percent = Estimate { value: 100.0 * rate.value, low: 100.0 * rate.low, high: 100.0 * rate.high };
    let gain = tally.gain(side);
    // A single result has no confidence interval.
    let spread = match gain.low.is_finite() {
        true => format!(" [{:+.2}, {:+.2}]", gain.low, gain.high),
        false => String::new(),
    };
    writeln!(
        out,
        "{name} wins {}: {:.1} % [{:.1}, {:.1}],\n    {:+.2} points a {unit}{spread}",
        words::thousands(tally.wins[side]),
        percent.value,
        percent.low,
        percent.high,
        gain.value,
    )?;
    let won =
        |(rule, plural): &(&str, &str)| format!("{plural} {}", words::thousands(tally.won_by(side, rule)));
    words::say(out, &format!("    {}\n", wins.iter().map(won).collect::<Vec<_>>().join(", ")))
}
