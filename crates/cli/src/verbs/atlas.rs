//! `endspiel atlas GAME`: writes a page with the figures of all solved tables, and a picture for each chapter.

use crate::arguments::{self, game_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::{svg, words};
use clap::{Arg, ArgMatches, Command, value_parser};
use registry::{Opened, Prober, Registry, SliceStats};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        endgames::slices(),
        endgames::tables(),
        Arg::new("out")
            .long("out")
            .value_name("FOLDER")
            .value_parser(value_parser!(PathBuf))
            .default_value(".")
            .help("The folder for the page; the pictures go to `pictures` in it"),
        arguments::threads(),
        arguments::json(),
    ];
    let about = "Write a page with the figures of tables, their longest wins, and pictures";
    with_selectors(registry, game_verb(registry, "atlas", about, "", &arguments))
}

/// The most moves of a line.
const LONGEST_LINE: usize = 1000;

/// The tables of a chapter.
struct Chapter {
    title: String,
    slices: Vec<SliceStats>,
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, library) = (game.tables()?, endgames::library(matches));
    let slices = endgames::wanted_or_present(game, tables, &library, matches)?;
    let pool = arguments::pool(matches)?;
    let progress = Progress::new("counting", "tables");
    let mut chapters: Vec<Chapter> = Vec::new();
    for &slice in &slices {
        let stats = pool.install(|| tables.stats(&library, slice, false))?;
        let title = tables.chapter(slice);
        match chapters.last_mut().filter(|chapter| chapter.title == title) {
            Some(chapter) => chapter.slices.push(stats),
            None => chapters.push(Chapter { title, slices: vec![stats] }),
        }
        progress.part_done(1, slices.len());
    }
    progress.finish();
    let folder = matches.get_one::<PathBuf>("out").expect("it has a default");
    let prober = tables.prober(library)?;
    let name = format!("{}-atlas", game.info().name);
    let mut written = Vec::new();
    let mut page = opening(game);
    for (number, chapter) in chapters.iter().enumerate() {
        let picture = format!("pictures/{name}-{}.svg", number + 1);
        let title = format!("{}, {}", game.info().title, chapter.title);
        write_file(&folder.join(&picture), &svg::atlas(&title, &chapter.slices), &mut written)?;
        tell(game, &*prober, chapter, &picture, &mut page)?;
    }
    write_file(&folder.join(format!("{name}.md")), &page, &mut written)?;
    if matches.get_flag("json") {
        writeln!(out, "{}", json!({"game": game.info().name, "tables": slices.len(), "files": written}))?;
    } else {
        writeln!(out, "{}:", words::counted(slices.len() as u64, "table"))?;
        written.iter().try_for_each(|path| writeln!(out, "  {}", path.display()))?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str, written: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)?;
    written.push(path.to_owned());
    Ok(())
}

fn opening(game: &Opened) -> String {
    let info = game.info();
    format!(
        "# {} atlas\n\nEvery table that has been solved, counted by `endspiel atlas {}`. A position counts for the side to \
         move. Positions with exchanged colours count once, mirror images count each. Distances are plies to the end of \
         the game.\n",
        info.title, info.name
    )
}

/// Writes a chapter: the figures of its tables, and the longest win of each.
fn tell(
    game: &Opened,
    prober: &dyn Prober,
    chapter: &Chapter,
    picture: &str,
    page: &mut String,
) -> Result<(), Failure> {
    let Chapter { title, slices } = chapter;
    let has_rule = slices.iter().any(|slice| slice.has_perpetual_check);
    let rule = if has_rule { " by perpetual check: won | lost |" } else { "" };
    let _ = write!(
        page,
        "\n## {}\n\n![{title}: the share of wins, draws and losses, and the distances]({picture})\n\n\
         | | positions | won | drawn | lost |{rule} longest | bytes | bits per position |\n\
         |---|---|---|---|---|{}---|---|---|\n",
        words::capitalised(title),
        if has_rule { "---|---|" } else { "" },
    );
    let mut sums = [0; 7];
    for slice in slices {
        let stats = &slice.stats;
        let counts = [
            stats.positions(),
            stats.wins,
            stats.draws,
            stats.losses,
            stats.wins_by_rule,
            stats.losses_by_rule,
            slice.bytes,
        ];
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let longest = stats.longest.map_or_else(String::new, |longest| longest.plies.0.to_string());
        push_row(page, &slice.slice, counts, has_rule, &longest);
    }
    push_row(page, "all", sums, has_rule, "");
    page.push_str("\nThe longest wins and losses, with a line of best play:\n\n");
    for slice in slices {
        let (Some(longest), Some(position)) = (slice.stats.longest, &slice.longest) else { continue };
        let session = game.session(Some(position))?;
        let answer = prober.probe(&*session, Some(LONGEST_LINE))?;
        let moves = answer.line.map_or_else(String::new, |line| line.moves.join(" "));
        let count = words::counted(slice.stats.plies[&longest.plies], "position");
        let _ =
            writeln!(page, "- **{}**: {} in {count}: `{position}`  \n  {moves}", slice.slice, longest.plies);
    }
    Ok(())
}

/// Writes a row: positions, wins, draws and losses, those by rule, and bytes.
fn push_row(page: &mut String, name: &str, counts: [u64; 7], has_rule: bool, longest: &str) {
    let [positions, wins, draws, losses, wins_by_rule, losses_by_rule, bytes] = counts;
    let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / positions.max(1) as f64);
    let rule = match has_rule {
        true => format!(" {} | {} |", words::thousands(wins_by_rule), words::thousands(losses_by_rule)),
        false => String::new(),
    };
    let _ = writeln!(
        page,
        "| {name} | {} | {} | {} | {} |{rule} {longest} | {} | {:.2} |",
        words::thousands(positions),
        share(wins),
        share(draws),
        share(losses),
        words::thousands(bytes),
        8.0 * bytes as f64 / positions.max(1) as f64,
    );
}
