//! Solves endgames with few checkers, and writes their tables.

use super::chosen::{Chosen, Ending, opposite};
use super::cube::{Cube, Cubeless, Held};
use super::entries::{HYPER, LEFT, Odds, UNIT, description, payload};
use super::plays::Plays;
use super::stages::Stages;
use super::sweep::{After, step};
use backgammon::Few;
use solve::{Checkpoint, Error, Needs, Run};
use std::path::Path;
use std::time::Duration;
use table::{Layout, Written, write_payload};

/// What is solved when a table is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// The file.
    pub written: Written,
    /// The largest error of a number in the table.
    pub error: f64,
    /// The longest mean number of turns until the end with the best plays, and the index of that position. `None` where endings are
    /// not solved.
    pub longest: Option<(f64, u64)>,
}

/// The memory of the plays and of blocks of positions, with which three checkers do.
pub const LISTS: u64 = 96 << 20;

/// The memory and disk that solving takes.
pub fn needs(few: Few) -> Needs {
    let cells = (few.sets() * few.sets()) as u64;
    // Lists of eight bytes for each index. Bounds without and with a cube: the cubeless equities, upper and lower bounds, their copies and the bytes of one list for a
    // checkpoint. Endings: five finished lists, six numbers, the best plays with 21 rolls, and copies and bytes again.
    let bounds = 8 * (1 + 8 + 8 + 1);
    let endings = 8 * (5 + 6 + 6 + 1) + 21 * 4;
    let (memory, numbers, checkpoint) =
        if few.has_gammons() { (endings, HYPER, 8 * (5 + 6)) } else { (bounds, LEFT, 8 * (1 + 8)) };
    Needs { memory: cells * memory + LISTS, disk: cells * (4 * numbers as u64 + checkpoint) }
}

/// Solves the endgames and writes their table into a library folder. If it is interrupted, the next run goes on.
///
/// # Errors
/// Returns an error if the run is interrupted, or if the table cannot be written.
pub fn solve(few: Few, folder: &Path, checkpoint_every: Duration, run: &Run<'_>) -> Result<Report, Error> {
    let (description, name) = (description(few), few.to_string());
    let plays = Plays::new(few);
    let path = description.path(folder);
    let tables = path.parent().unwrap_or(folder);
    let identity = format!("{description:?} of {SOLVER}");
    let checkpoint = Checkpoint::new(tables, &format!("{name}.equity"), &identity);
    let points = Points::of(few, &plays);
    let stopped = |stop| Error::Stopped { group: name.clone(), stop };
    let start = || points.rows(&plays, |points| points);
    let mut stages = Stages::new(&plays, &name, run, (&checkpoint, checkpoint_every), start);

    stages.approach(&Cubeless).map_err(stopped)?;
    stages.prove::<_, 1, 2>(Cubeless).map_err(stopped)?;
    stages.begin(|kept| {
        let cubeless = &kept[0];
        let mut jacoby = cubeless.clone();
        jacoby[..plays.sets()].fill(1.0);
        vec![cubeless.clone(), cubeless.clone(), cubeless.clone(), jacoby]
    });
    stages.approach(&Cube).map_err(stopped)?;
    stages.prove::<_, 4, 8>(Cube).map_err(stopped)?;
    let rounding = 0.5 / f64::from(UNIT);
    let mut error = stages.error() + rounding;
    // The numbers of a side to move that does not double. They are computed last, because the endings take much memory.
    let held = |stages: &Stages<'_>| {
        let with_cube: [After<f64>; 4] = std::array::from_fn(|k| stages.kept()[1 + k].clone());
        step(&plays, &with_cube, &Held)
    };

    let place = Places::of(&plays);
    let written = |bytes: u64| run.watch.writing(&name, bytes, description.entries);
    let finished;
    let report = if few.has_gammons() {
        let chosen = Chosen::new(&plays, &raw(&stages.kept()[0]), |_| true);
        stages.begin(|_| {
            let first = |least: f64| points.rows(&plays, |points| f64::from(u8::from(points >= least)));
            let nothing = || vec![0.0; plays.sets() * plays.sets()];
            vec![first(1.0), first(2.0), first(3.0), nothing(), nothing(), nothing()]
        });
        let endings = stages.endings(&chosen).map_err(stopped)?;
        let (residual, turns) = chosen.residual(&plays, &endings);
        drop(chosen);
        let held = held(&stages);
        let longest = longest(&plays, &endings);
        // So many turns, at most, pass on an error of one step.
        error = error.max(residual * longest.0 / (1.0 - turns) + rounding);
        let payload = payload::<HYPER>(error);
        let entry = |index: u64| {
            let at = place.get(index)?;
            let [chances @ .., _turns] = opposite(endings[at]);
            let cubeless = -stages.kept()[0][at];
            let [theirs, own, centred, jacoby] = std::array::from_fn(|k| -held[k][at]);
            let odds = Odds { chances: chances.into(), cubeless, own, centred, jacoby, theirs };
            Some(odds.hyper().map(|number| payload.nearest(number).expect("at most three points")))
        };
        finished =
            write_payload(&path, &description, Layout::for_payload(&payload), &payload, entry, written)?;
        let (mine, theirs) = (plays.numbers[longest.1], plays.numbers[longest.2]);
        Report { written: finished, error, longest: Some((longest.0, few.index(mine, theirs).0)) }
    } else {
        let held = held(&stages);
        let payload = payload::<LEFT>(error);
        let entry = |index: u64| {
            let at = place.get(index)?;
            let cubeless = -stages.kept()[0][at];
            let [theirs, own, centred, _] = std::array::from_fn(|k| -held[k][at]);
            let numbers = [cubeless, own, centred, theirs];
            Some(numbers.map(|number| payload.nearest(number).expect("at most one point")))
        };
        finished =
            write_payload(&path, &description, Layout::for_payload(&payload), &payload, entry, written)?;
        Report { written: finished, error, longest: None }
    };
    run.watch.written(&name, finished.bytes);
    run.discard(&checkpoint);
    Ok(report)
}

/// The name of this solver in checkpoints. If the stages change, the name must change.
const SOLVER: &str = "sweeps 1";

/// The points of a player who has borne off all checkers, for each set of the opponent.
pub struct Points(Vec<f64>);

impl Points {
    /// The points by the rules.
    pub fn of(few: Few, plays: &Plays) -> Self {
        let points =
            |&number: &usize| f64::from(few.points(&few.set(number).expect("a set has this number")));
        Self(plays.numbers.iter().map(points).collect())
    }

    /// The numbers of all positions after a play, known only where the game is over.
    pub fn rows(&self, plays: &Plays, number: impl Fn(f64) -> f64) -> After<f64> {
        let mut after = vec![0.0; plays.sets() * plays.sets()];
        after.iter_mut().zip(&self.0).for_each(|(after, &points)| *after = number(points));
        after
    }
}

/// The place of the position with an index, among the positions after a play.
pub struct Places<'a> {
    plays: &'a Plays,
    of_number: Vec<usize>,
}

impl<'a> Places<'a> {
    /// The places of all indices.
    pub fn of(plays: &'a Plays) -> Self {
        let mut of_number = vec![0; plays.sets()];
        plays.numbers.iter().enumerate().for_each(|(place, &number)| of_number[number] = place);
        Self { plays, of_number }
    }

    /// The place of an index, or `None` if there is no position.
    pub fn get(&self, index: u64) -> Option<usize> {
        let sets = self.of_number.len() as u64;
        let [mine, theirs] = [index / sets, index % sets].map(|number| self.of_number[number as usize]);
        self.plays.is_position(mine, theirs).then_some(theirs * sets as usize + mine)
    }
}

/// The raw numbers of cubeless equities after a play.
fn raw(cubeless: &[f64]) -> Vec<i32> {
    let payload = payload::<1>(0.0);
    let raw = |&equity: &f64| payload.nearest(equity).and_then(|raw| i32::try_from(raw).ok());
    cubeless.iter().map(|equity| raw(equity).expect("at most three points")).collect()
}

/// The longest mean number of turns, with the sets of the position.
fn longest(plays: &Plays, endings: &[Ending]) -> (f64, usize, usize) {
    let sets = plays.sets();
    let mut longest = (0.0, 0, 0);
    for (mine, theirs) in (0..sets).flat_map(|mine| (0..sets).map(move |theirs| (mine, theirs))) {
        let turns = endings[theirs * sets + mine][5];
        if plays.is_position(mine, theirs) && turns > longest.0 {
            longest = (turns, mine, theirs);
        }
    }
    longest
}
