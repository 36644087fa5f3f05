//! The stages of a solution. Each continues where the one before it ended, and can be interrupted and resumed between two sweeps.

use super::approach::Approach;
use super::chosen::{Chosen, Ending};
use super::cube::Bounds;
use super::plays::Plays;
use super::real::Real;
use super::sweep::{After, Rule, compare, sweep};
use game::parallel;
use solve::{Checkpoint, Loading, Run, Saving, Stop};
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The slack of the bounds: see [`Bounds`].
pub const SLACK: f64 = 1e-9;
/// Sweeps with small numbers end when no number changes by more than this.
const NEAR: f64 = 3e-6;
/// Sweeps with large numbers end when no number changes by more than this. It is below the slack, so that the bounds move little.
const EXACT: f64 = 1e-10;
/// Rounding in a step is far below this part of the slack.
const ROUNDING: f64 = 1e-3;
/// The most sweeps with small numbers, in which rounding might keep numbers from coming near enough.
const MOST_NEAR: u64 = 100;
/// The number of turns is known well enough when it changes by no more than this.
const TURNS: f64 = 1e-3;

/// What is known between two sweeps.
#[derive(Clone, PartialEq, Debug)]
struct State {
    stage: u64,
    approach: Approach,
    /// The largest distance between an upper and a lower bound.
    gap: f64,
    /// The numbers of the finished stages.
    kept: Vec<After<f64>>,
    /// The numbers of the present stage.
    now: Vec<After<f64>>,
}

/// The stages of the solution of a table.
pub struct Stages<'a> {
    plays: &'a Plays,
    name: &'a str,
    run: &'a Run<'a>,
    checkpoint: &'a Checkpoint,
    every: Duration,
    saved: Instant,
    state: State,
    /// The number of the stage that comes next.
    next: u64,
}

impl<'a> Stages<'a> {
    /// Begins with these numbers, or resumes from the checkpoint.
    pub fn new(
        plays: &'a Plays,
        name: &'a str,
        run: &'a Run<'a>,
        (checkpoint, every): (&'a Checkpoint, Duration),
        start: impl FnOnce() -> After<f64>,
    ) -> Self {
        let cells = plays.sets() * plays.sets();
        let found = checkpoint.load(|loading| load(loading, cells)).unwrap_or_else(|error| {
            run.watch.warning(&format!("the checkpoint of {name} cannot be used: {error}"));
            None
        });
        run.watch.group(name, cells as u64, found.is_some());
        let state = found.unwrap_or_else(|| State {
            stage: 0,
            approach: Approach::START,
            gap: 0.0,
            kept: Vec::new(),
            now: vec![start()],
        });
        Self { plays, name, run, checkpoint, every, saved: Instant::now(), state, next: 0 }
    }

    /// Returns whether the stage that comes next is still to be done.
    fn is_due(&mut self) -> bool {
        let stage = self.next;
        self.next += 1;
        self.state.stage == stage
    }

    /// Comes near the solution with small numbers, and then with large ones.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted.
    pub fn approach<const K: usize>(&mut self, rule: &impl Rule<K>) -> Result<(), Stop> {
        self.approach_with::<f32, K>(rule, |approach| {
            approach.change <= NEAR || approach.sweeps >= MOST_NEAR
        })?;
        self.approach_with::<f64, K>(rule, |approach| approach.change <= EXACT)
    }

    fn approach_with<R: Real, const K: usize>(
        &mut self,
        rule: &impl Rule<K>,
        is_done: impl Fn(&Approach) -> bool,
    ) -> Result<(), Stop> {
        if !self.is_due() {
            return Ok(());
        }
        let mut now: [After<R>; K] =
            array(take(&mut self.state.now).iter().map(|numbers| converted(numbers)));
        while !is_done(&self.state.approach) {
            self.state.approach = self.state.approach.next(self.plays, &mut now, rule);
            self.after_sweep(|| now.iter().map(|numbers| converted(numbers)).collect())?;
        }
        self.finish(now.iter().map(|numbers| converted(numbers)).collect());
        Ok(())
    }

    /// Proves bounds around the numbers of the last stage, and keeps the middle between them.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted.
    pub fn prove<T, const K: usize, const BOTH: usize>(&mut self, rule: T) -> Result<(), Stop>
    where
        Bounds<T>: Rule<BOTH>,
    {
        if !self.is_due() {
            return Ok(());
        }
        let rule = Bounds { rule, slack: SLACK };
        let mut now = take(&mut self.state.now);
        if now.len() == K {
            now.extend_from_within(..);
        }
        let mut now: [After<f64>; BOTH] = array(now.into_iter());
        let all: Vec<usize> = (1..self.plays.sets()).collect();
        loop {
            let change = sweep(self.plays, &mut now, &rule);
            self.state.approach.sweeps += 1;
            if change <= SLACK {
                let beyond = |_, _, old: [f64; BOTH], new: [f64; BOTH]| {
                    let beyond = |k: usize| if k < K { new[k] - old[k] } else { old[k] - new[k] };
                    (0..BOTH).map(beyond).fold(f64::NEG_INFINITY, f64::max)
                };
                if compare(self.plays, &now, &rule, &all, beyond) <= (1.0 - ROUNDING) * SLACK {
                    break;
                }
            }
            self.after_sweep(|| now.to_vec())?;
        }
        let (upper, lower) = now.split_at(K);
        for (upper, lower) in upper.iter().zip(lower) {
            let gaps = upper.iter().zip(lower).map(|(upper, lower)| upper - lower);
            self.state.gap = gaps.fold(self.state.gap, f64::max);
            self.state.kept.push(upper.iter().zip(lower).map(|(&u, &l)| f64::midpoint(u, l)).collect());
        }
        self.finish(Vec::new());
        Ok(())
    }

    /// Begins the next stage with these numbers, unless it has begun already.
    pub fn begin(&mut self, now: impl FnOnce(&[After<f64>]) -> Vec<After<f64>>) {
        if self.state.stage == self.next && self.state.now.is_empty() {
            self.state.now = now(&self.state.kept);
        }
    }

    /// Computes what comes of the chosen plays.
    ///
    /// # Errors
    /// Returns an error if the run is interrupted.
    pub fn endings(&mut self, chosen: &Chosen) -> Result<Vec<Ending>, Stop> {
        let joined = |now: &[After<f64>]| -> Vec<Ending> {
            parallel::map(now[0].len(), |at| std::array::from_fn(|k| now[k][at]))
        };
        let parted = |now: &[Ending]| -> Vec<After<f64>> {
            (0..6).map(|k| now.iter().map(|ending| ending[k]).collect()).collect()
        };
        let mut now = joined(&take(&mut self.state.now));
        if self.is_due() {
            while {
                let (change, turns) = chosen.sweep(self.plays, &mut now);
                self.state.approach.sweeps += 1;
                change > EXACT || turns > TURNS
            } {
                self.after_sweep(|| parted(&now))?;
            }
            self.finish(Vec::new());
        }
        Ok(now)
    }

    /// The largest distance of a kept number from the true one.
    pub fn error(&self) -> f64 {
        self.state.gap / 2.0
    }

    /// The numbers of the finished stages.
    pub fn kept(&self) -> &[After<f64>] {
        &self.state.kept
    }

    fn finish(&mut self, now: Vec<After<f64>>) {
        (self.state.stage, self.state.approach, self.state.now) =
            (self.state.stage + 1, Approach::START, now);
    }

    /// Tells the progress, and saves a checkpoint from time to time or if the run is interrupted.
    fn after_sweep(&mut self, now: impl FnOnce() -> Vec<After<f64>>) -> Result<(), Stop> {
        let (sets, sweeps) = (self.plays.sets(), self.state.approach.sweeps as usize);
        self.run.watch.sweep(self.name, sweeps, sets, sets);
        let is_interrupted = self.run.interrupt.load(Relaxed);
        if is_interrupted || self.saved.elapsed() >= self.every {
            self.state.now = now();
            self.run.save(self.checkpoint, |saving| save(&self.state, saving))?;
            (self.state.now, self.saved) = (Vec::new(), Instant::now());
        }
        if is_interrupted { Err(Stop::Interrupted) } else { Ok(()) }
    }
}

fn take(numbers: &mut Vec<After<f64>>) -> Vec<After<f64>> {
    std::mem::take(numbers)
}

fn array<T, const K: usize>(numbers: impl Iterator<Item = T>) -> [T; K] {
    let numbers: Vec<T> = numbers.collect();
    let Ok(numbers) = numbers.try_into() else { unreachable!("a stage has its numbers") };
    numbers
}

/// The same numbers in another size.
fn converted<R: Real, S: Real>(numbers: &[R]) -> Vec<S> {
    numbers.iter().map(|&number| S::nearest(number.into())).collect()
}

fn save(state: &State, saving: &mut Saving) -> io::Result<()> {
    let Approach { sweeps, change, factor, since_leap } = state.approach;
    let numbers = [state.stage, sweeps, change.to_bits(), factor.to_bits(), since_leap, state.gap.to_bits()];
    numbers.into_iter().try_for_each(|number| saving.number(number))?;
    for list in [&state.kept, &state.now] {
        saving.number(list.len() as u64)?;
        for numbers in list {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            saving.bytes(&bytes)?;
        }
    }
    Ok(())
}

fn load(loading: &mut Loading, cells: usize) -> io::Result<Option<State>> {
    const MOST: u64 = 16;
    let mut number = || loading.number();
    let (stage, sweeps, change, factor) = (number()?, number()?, number()?, number()?);
    let (since_leap, gap) = (number()?, f64::from_bits(number()?));
    let (change, factor) = (f64::from_bits(change), f64::from_bits(factor));
    let mut list = || {
        let count = loading.number()?;
        if count > MOST {
            return Err(solve::unusable("it is damaged"));
        }
        let one = |_| {
            let mut bytes = vec![0; 8 * cells];
            loading.bytes(&mut bytes)?;
            Ok(bytes.as_chunks::<8>().0.iter().map(|&number| f64::from_le_bytes(number)).collect())
        };
        (0..count).map(one).collect()
    };
    let approach = Approach { sweeps, change, factor, since_leap };
    Ok(Some(State { stage, approach, gap, kept: list()?, now: list()? }))
}
