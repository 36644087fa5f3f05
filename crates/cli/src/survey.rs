//! A survey of all rule sets of a game, such as every card set of Onitama: solves, counts and compares them.

use crate::endgames;
use crate::failure::Failure;
use crate::terminal::Progress;
use crate::{svg, words};
use clap::ArgMatches;
use game::{Info, Plies, visible_path};
use rayon::ThreadPoolBuilder;
use registry::{Family, Opened, SliceStats, Solving, Wanted};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use table::{Library, working};

/// The counts of the tables of one rule set, all slices together.
#[derive(Clone, Debug, Default)]
pub struct Surveyed {
    /// The rules.
    pub rules: String,
    /// The numbers of positions that are wins, losses and draws for the side to move.
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    /// The longest win or loss with a position for it, if the tables have distances.
    pub longest: Option<(Plies, String)>,
}

impl Surveyed {
    fn new(rules: String, slices: &[SliceStats]) -> Self {
        let sum = |count: fn(&SliceStats) -> u64| slices.iter().map(count).sum();
        let longest =
            |slice: &SliceStats| slice.longest().map(|longest| (longest.plies, longest.position.clone()));
        Self {
            rules,
            wins: sum(|slice| slice.stats.wins),
            losses: sum(|slice| slice.stats.losses),
            draws: sum(|slice| slice.stats.draws),
            // The first one, if several are equally long.
            longest: slices.iter().filter_map(longest).rev().max_by_key(|(plies, _)| *plies),
        }
    }

    fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    fn draw_share(&self) -> f64 {
        self.draws as f64 / self.positions() as f64
    }

    /// The advantage of the side to move: the share of wins minus the share of losses.
    pub fn advantage(&self) -> f64 {
        (self.wins as f64 - self.losses as f64) / self.positions() as f64
    }
}

/// Solves and counts all rule sets of a game. Each rule set uses one thread, and as many are solved at a time as there are
/// threads.
pub fn all(
    family: &Family,
    wanted: &Wanted,
    matches: &ArgMatches,
    solving: &Solving<'_>,
) -> Result<Vec<Surveyed>, Failure> {
    let variants =
        family.endgames().and_then(|endgames| endgames.all_rules).map_or_else(Vec::new, |all| all());
    let threads = match matches.get_one::<u64>("threads") {
        Some(&threads) if threads > 0 => threads as usize,
        _ => std::thread::available_parallelism()?.get(),
    };
    let progress = Progress::new(&words::counted(variants.len() as u64, "rule set"), "positions");
    let library = solving.library.with_own_cache(0);
    let next = AtomicUsize::new(0);
    let surveyed = Mutex::new(Vec::new());
    let solving = Solving { memory: solving.memory / threads as u64, ..*solving };
    let work = || -> Result<(), Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
        while let Some(options) = variants.get(next.fetch_add(1, Relaxed)) {
            if solving.interrupt.load(Relaxed) {
                return Err(Failure::Interrupted);
            }
            let game = family.open(options)?;
            let one = pool.install(|| survey(&game, wanted, &library, &solving)).inspect_err(|_| {
                // The other threads need not begin another rule set.
                next.store(variants.len(), Relaxed);
            })?;
            progress.part_done(one.positions(), variants.len());
            surveyed.lock().expect("no thread has failed").push(one);
        }
        Ok(())
    };
    let done: Result<(), Failure> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no thread has failed"))
    });
    progress.finish();
    done?;
    let mut surveyed = surveyed.into_inner().expect("no thread has failed");
    surveyed.sort_by(|a, b| a.rules.cmp(&b.rules));
    Ok(surveyed)
}

fn survey(
    game: &Opened,
    wanted: &Wanted,
    library: &Library,
    solving: &Solving<'_>,
) -> Result<Surveyed, Failure> {
    let (tables, values) = (game.tables()?, game.values()?);
    let slices = tables.slices(wanted)?;
    tables.plan(&slices, solving)?.run()?;
    let counted = slices.iter().map(|&slice| values.stats(library, slice, false));
    Ok(Surveyed::new(tables.rules_id(), &counted.collect::<Result<Vec<_>, _>>()?.concat()))
}

/// Prints the extreme rule sets, and writes all rule sets to a CSV file and a picture beside the tables.
pub fn tell(
    info: &Info,
    name: &str,
    surveyed: &[Surveyed],
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let library = endgames::local_library(matches);
    let folder = library.folder().join(info.name);
    let write = |ending: &str, text: String| {
        let path: PathBuf = folder.join(format!("all-{name}.{ending}"));
        match working::create(&path).and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => Ok(path),
            Err(source) => Err(Failure::File { path, source }),
        }
    };
    let table = write("csv", csv(surveyed))?;
    let picture = write(
        "svg",
        svg::scatter(
            &format!("{}: all {}", info.title, words::counted(surveyed.len() as u64, "rule set")),
            surveyed,
        ),
    )?;
    type Order<'a> = (&'a str, Box<dyn Fn(&Surveyed) -> f64>);
    let orders: [Order<'_>; 4] = [
        ("longest wins", Box::new(|one| one.longest.as_ref().map_or(0.0, |(plies, _)| f64::from(plies.0)))),
        ("most draws", Box::new(Surveyed::draw_share)),
        ("largest advantage of the side to move", Box::new(Surveyed::advantage)),
        ("smallest advantage of the side to move", Box::new(|one| -one.advantage())),
    ];
    for (title, key) in orders {
        let mut order: Vec<&Surveyed> = surveyed.iter().collect();
        order.sort_by(|a, b| key(b).total_cmp(&key(a)));
        writeln!(out, "\n{title}:")?;
        for one in order.into_iter().take(5) {
            writeln!(out, "  {}", line(one))?;
        }
    }
    writeln!(
        out,
        "\nAll rule sets are in {}, and in the picture {}.",
        visible_path(&table),
        visible_path(&picture)
    )?;
    Ok(())
}

fn line(one: &Surveyed) -> String {
    let mut line = format!(
        "{:<42} won {:.3} %, lost {:.3} %, drawn {:.4} %",
        one.rules,
        100.0 * one.wins as f64 / one.positions() as f64,
        100.0 * one.losses as f64 / one.positions() as f64,
        100.0 * one.draw_share()
    );
    if let Some((plies, _)) = &one.longest {
        let _ = write!(line, ", longest {plies}");
    }
    line
}

fn csv(surveyed: &[Surveyed]) -> String {
    let mut text = String::from("rules,positions,wins,losses,draws,longest plies,longest position\n");
    for one in surveyed {
        let (plies, position) = match &one.longest {
            Some((plies, position)) => (plies.0.to_string(), format!("\"{position}\"")),
            None => Default::default(),
        };
        let Surveyed { rules, wins, losses, draws, .. } = one;
        let _ = writeln!(text, "{rules},{},{wins},{losses},{draws},{plies},{position}", one.positions());
    }
    text
}

/// Returns the counts of a rule set as a JSON object, for the summary in JSON.
pub fn as_json(one: &Surveyed) -> serde_json::Value {
    serde_json::json!({
        "rules": one.rules, "positions": one.positions(), "win": one.wins, "loss": one.losses, "draw": one.draws,
        "longest": one.longest.as_ref().map(|(plies, position)| serde_json::json!({"plies": plies.0, "position": position})),
    })
}

/// Describes the survey in a sentence.
pub fn sentence(surveyed: &[Surveyed], seconds: f64) -> String {
    let positions: u64 = surveyed.iter().map(Surveyed::positions).sum();
    format!(
        "{} with {} positions, solved or found and counted in {seconds:.1} s.",
        words::counted(surveyed.len() as u64, "rule set"),
        words::thousands(positions)
    )
}
