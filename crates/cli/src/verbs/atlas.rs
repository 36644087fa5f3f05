//! `endspiel atlas GAME`: writes a page with the figures of all solved tables, and a picture for each chapter.

use crate::arguments::{self, some_games_verb};
use crate::endgames::{self, with_selectors};
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::{svg, words};
use clap::{Arg, ArgMatches, Command, value_parser};
use game::{DistanceUnit, visible_path};
use registry::{Extras, Extreme, Line, Opened, Prober, Registry, SliceStats, json_text};
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        endgames::slices(),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        Arg::new("out")
            .long("out")
            .value_name("PATH")
            .value_parser(value_parser!(PathBuf))
            .default_value(".")
            .help("The folder for the page, or a file that ends in `.md`; the pictures go to `pictures` beside it"),
        arguments::threads(),
        arguments::json(),
    ];
    let about = "Write a page with the figures of tables, their longest wins, and pictures";
    let verb = some_games_verb(registry, "atlas", about, "", &arguments, |family| !family.has_equities());
    with_selectors(registry, verb)
}

/// The most moves of a line.
const LONGEST_LINE: usize = 1000;

/// The tables of a chapter.
struct Chapter {
    title: String,
    tables: Vec<Counted>,
}

/// The statistics of a table: one part, or one for each side to move.
struct Counted(Vec<SliceStats>);

impl Counted {
    /// The parts, each with the side to move. Of two equal parts, there is only one, because the armies are the same.
    fn parts(&self) -> impl Iterator<Item = (String, &SliceStats)> {
        let is_same = matches!(&self.0[..], [one, other] if one.stats == other.stats);
        let shown = if is_same { &self.0[..1] } else { &self.0[..] };
        shown.iter().map(move |part| match part.to_move {
            Some(_) if is_same => ("Either side".to_owned(), part),
            Some(side) => (words::capitalised(side), part),
            None => (String::new(), part),
        })
    }
}

impl Chapter {
    fn keeps_sides_apart(&self) -> bool {
        self.tables.iter().flat_map(|table| &table.0).any(|part| part.to_move.is_some())
    }

    /// The rows of the picture, each with its label.
    fn rows(&self) -> Vec<(String, &SliceStats)> {
        let parts = self.tables.iter().flat_map(Counted::parts);
        let labelled = parts.map(|(side, part)| match side.as_str() {
            "" => (part.slice.clone(), part),
            side => (format!("{}, {}", part.slice, side.to_lowercase()), part),
        });
        labelled.collect()
    }
}

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let (tables, values, library) =
        (game.tables()?, game.values()?, endgames::library_that_answers(matches)?);
    let slices = endgames::wanted_or_present(game, tables, &library, matches)?;
    let pool = arguments::pool(matches)?;
    let progress = Progress::new("counting", "tables");
    let mut chapters: Vec<Chapter> = Vec::new();
    for &slice in &slices {
        let stats = pool.install(|| values.stats(&library, slice, false))?;
        let title = values.chapter(slice);
        match chapters.last_mut().filter(|chapter| chapter.title == title) {
            Some(chapter) => chapter.tables.push(Counted(stats)),
            None => chapters.push(Chapter { title, tables: vec![Counted(stats)] }),
        }
        progress.part_done(1, slices.len());
    }
    progress.finish();
    let Place { folder, page: file, name } = place(game, matches);
    let prober = values.prober(library)?;
    let mut written = Vec::new();
    let mut page = opening(game, chapters.iter().any(Chapter::keeps_sides_apart));
    for (number, chapter) in chapters.iter().enumerate() {
        let picture = format!("pictures/{name}-{}.svg", number + 1);
        let title = format!("{}, {}", game.info().title, chapter.title);
        write_file(
            &folder.join(&picture),
            &svg::atlas(&title, &chapter.rows(), game.info().distances),
            &mut written,
        )?;
        tell(game, &*prober, chapter, &picture, &mut page)?;
    }
    write_file(&folder.join(file), &page, &mut written)?;
    if matches.get_flag("json") {
        let files: Vec<_> = written.iter().map(|path| words::path_in_json(path)).collect();
        let answer = json!({"game": game.info().name, "tables": slices.len(), "files": files});
        writeln!(out, "{}", json_text(&answer))?;
    } else {
        writeln!(out, "{}:", words::counted(slices.len() as u64, "table"))?;
        written.iter().try_for_each(|path| writeln!(out, "  {}", visible_path(path)))?;
    }
    Ok(())
}

/// Where the atlas is written.
struct Place {
    folder: PathBuf,
    /// The file name of the page.
    page: OsString,
    /// The beginning of the names of the pictures. The page names them, so it is text.
    name: String,
}

fn place(game: &Opened, matches: &ArgMatches) -> Place {
    let out = matches.get_one::<PathBuf>("out").expect("it has a default");
    match (out.extension(), out.file_stem(), out.file_name(), out.parent()) {
        (Some(ending), Some(name), Some(page), Some(folder)) if ending == "md" => Place {
            folder: folder.to_owned(),
            page: page.to_owned(),
            name: name.to_string_lossy().into_owned(),
        },
        _ => {
            let name = format!("{}-atlas", game.info().name);
            Place { folder: out.clone(), page: format!("{name}.md").into(), name }
        }
    }
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

fn opening(game: &Opened, keeps_sides_apart: bool) -> String {
    let info = game.info();
    let counted = match keeps_sides_apart {
        true => "A position counts for the side to move, and each side to move has its own figures.",
        false => {
            "A position counts for the side to move. Positions with exchanged colours count once, mirror images count each."
        }
    };
    format!(
        "# {} atlas\n\nTables that have been solved, counted by `endspiel atlas {}`. {counted} Distances are {} to the end \
         of the game.\n",
        info.title,
        info.name,
        info.distances.name()
    )
}

/// Writes a chapter: the figures of its tables, and the longest wins and losses of each.
fn tell(
    game: &Opened,
    prober: &dyn Prober,
    chapter: &Chapter,
    picture: &str,
    page: &mut String,
) -> Result<(), Failure> {
    let (title, unit) = (&chapter.title, game.info().distances);
    let _ = write!(
        page,
        "\n## {}\n\n![{title}: the share of wins, draws and losses, and the distances]({picture})\n\n",
        words::capitalised(title)
    );
    match chapter.keeps_sides_apart() {
        true => tell_sides(chapter, unit, page),
        false => tell_tables(chapter, unit, page),
    }
    page.push_str("\nThe longest wins and losses, with a line of best play:\n\n");
    for (side, part) in chapter.tables.iter().flat_map(Counted::parts) {
        for (of, Extreme { plies, position }) in part.extremes() {
            let session = game.session(Some(position))?;
            let answer = prober.probe(&*session, Extras::line(LONGEST_LINE))?;
            let moves = match answer.line {
                Some(Line { end: Err(error), .. }) => return Err(error.into()),
                Some(Line { moves, .. }) => moves.join(" "),
                None => String::new(),
            };
            let count = words::counted(part.stats.plies[plies], "position");
            let who = of.map_or_else(String::new, |wdl| format!(", {side} to move {}", endgames::verb(wdl)));
            let told = unit.told(*plies);
            let _ = writeln!(page, "- **{}**{who}: {told} in {count}: `{position}`  \n  {moves}", part.slice);
        }
    }
    Ok(())
}

/// Writes a row for each table: the shares of its values, and its size.
fn tell_tables(chapter: &Chapter, unit: DistanceUnit, page: &mut String) {
    let parts = || chapter.tables.iter().flat_map(|table| &table.0);
    let has_rule = parts().any(|slice| slice.has_perpetual_check);
    let rule = if has_rule { " by perpetual check: won | lost |" } else { "" };
    let _ = write!(
        page,
        "| | positions | won | drawn | lost |{rule} longest | bytes | bits per position |\n|---|---|---|---|---|{}---|---|---|\n",
        if has_rule { "---|---|" } else { "" },
    );
    let mut sums = [0; 7];
    for slice in parts() {
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
        push_row(page, &slice.slice, counts, has_rule, &distance(slice.longest(), unit));
    }
    push_row(page, "all", sums, has_rule, "");
}

/// Writes a row for each side to move of each table: the number of its values, and the size of the table.
fn tell_sides(chapter: &Chapter, unit: DistanceUnit, page: &mut String) {
    page.push_str("| | to move | won | drawn | lost | longest win | longest loss | bytes |\n|---|---|---|---|---|---|---|---|\n");
    for table in &chapter.tables {
        for (number, (side, part)) in table.parts().enumerate() {
            let stats = &part.stats;
            let [wins, draws, losses] = [stats.wins, stats.draws, stats.losses].map(words::thousands);
            let [win, loss] =
                [&part.longest_win, &part.longest_loss].map(|longest| distance(longest.as_ref(), unit));
            // The sides share a file.
            let bytes = if number == 0 { words::thousands(part.bytes) } else { String::new() };
            let side = side.to_lowercase();
            let _ = writeln!(
                page,
                "| {} | {side} | {wins} | {draws} | {losses} | {win} | {loss} | {bytes} |",
                part.slice
            );
        }
    }
}

fn distance(longest: Option<&Extreme>, unit: DistanceUnit) -> String {
    longest.map_or_else(String::new, |longest| unit.count(longest.plies).to_string())
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
