//! A thread of a search: its memory, and the iterations of increasing depth.

use crate::control::Control;
use crate::corrections::Corrections;
use crate::limits::{Allotted, Limits};
use crate::ordering::{Candidate, Histories};
use crate::path::Path;
use crate::report::{Report, RootLine};
use crate::score::{MOST_PLIES, Score};
use crate::searchable::{MoveOf, Searchable};
use crate::transposition::{Bound, Transpositions};
use game::{Position, Rulebook};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a thread remembers from one search to the next.
pub(crate) struct Memory<G: Searchable> {
    pub evaluator: G::Evaluator,
    pub histories: [Histories; 2],
    pub corrections: [Corrections; 2],
}

impl<G: Searchable> Memory<G> {
    pub fn new() -> Self {
        let histories = [Histories::new(G::SLOTS), Histories::new(G::SLOTS)];
        let corrections = [Corrections::new(), Corrections::new()];
        Self { evaluator: G::Evaluator::default(), histories, corrections }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.histories.iter_mut().for_each(Histories::clear);
        self.corrections.iter_mut().for_each(Corrections::clear);
    }
}

/// What the threads of a search share.
pub(crate) struct Shared<'a, G: Searchable> {
    pub game: &'a G,
    pub oracle: &'a G::Oracle,
    pub table: &'a Transpositions,
    pub control: &'a Control,
    pub limits: &'a Limits<MoveOf<G>>,
    pub allotted: Option<Allotted>,
    /// The first thread has ended, and so shall the others.
    pub is_done: AtomicBool,
    /// The positions of each thread, brought up to date now and then.
    pub nodes: Vec<AtomicU64>,
    pub table_hits: AtomicU64,
}

impl<G: Searchable> Shared<'_, G> {
    pub fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// What a line has at a ply.
#[derive(Clone)]
pub(crate) struct Ply<M> {
    /// The static estimate.
    pub estimate: Score,
    /// The slot of the move from here; `None` for a pass.
    pub slot: Option<usize>,
    /// The code of a move that is left out, to see whether the others are as good.
    pub excluded: u16,
    /// Quiet moves that refuted another move at this ply, by their codes.
    pub killers: [u16; 2],
    /// The best line from here.
    pub line: Vec<M>,
}

/// A thread of a search.
pub(crate) struct Worker<'a, G: Searchable> {
    pub shared: &'a Shared<'a, G>,
    pub memory: &'a mut Memory<G>,
    pub rules: Rulebook<G::Position>,
    pub number: usize,
    pub path: Path,
    pub plies: Vec<Ply<MoveOf<G>>>,
    /// The moves of all positions of the current line, those of the last one at the end.
    pub candidates: Vec<Candidate<MoveOf<G>>>,
    pub nodes: u64,
    pub table_hits: u64,
    /// The number of positions after which the limits are looked at again.
    pub next_look: u64,
    /// Set when the search is broken off. Scores are then worthless.
    pub is_broken_off: bool,
    pub deepest: usize,
    /// The lines from the root, the best first.
    pub lines: Vec<RootLine<MoveOf<G>>>,
    /// The depth of the iteration.
    pub root_depth: i32,
}

impl<'a, G: Searchable> Worker<'a, G> {
    pub fn new(
        shared: &'a Shared<'a, G>,
        memory: &'a mut Memory<G>,
        number: usize,
        moves: &[MoveOf<G>],
    ) -> Self {
        let ply = Ply { estimate: Score::NONE, slot: None, excluded: 0, killers: [0; 2], line: Vec::new() };
        let rules = shared.game.rulebook();
        Self {
            shared,
            memory,
            path: Path::new(rules.repetition, rules.is_check.is_some()),
            rules,
            number,
            plies: vec![ply; MOST_PLIES + 4],
            candidates: Vec::with_capacity(1 << 12),
            nodes: 0,
            table_hits: 0,
            next_look: 0,
            is_broken_off: false,
            deepest: 0,
            lines: moves.iter().map(|&m| RootLine::new(m)).collect(),
            root_depth: 0,
        }
    }

    /// Searches deeper and deeper until a limit is reached. The positions are those of the game; the last is the root. `report`
    /// gets every new line.
    pub fn deepen(
        &mut self,
        positions: &[G::Position],
        wanted_lines: usize,
        report: &mut dyn FnMut(&Report<'_, MoveOf<G>>),
    ) {
        let Some(root) = positions.last() else { return };
        for position in positions {
            self.path.push(position.key(), self.shared.game.is_check(position));
        }
        self.path.begin();
        let wanted_lines = wanted_lines.clamp(1, self.lines.len().max(1));
        let most_depth = self.shared.limits.depth.unwrap_or(u32::MAX).min(MOST_PLIES as u32 - 1) as i32;
        let mut steady = Steadiness::default();
        for depth in 1..=most_depth {
            self.root_depth = depth;
            self.lines.iter_mut().for_each(RootLine::begin_iteration);
            for first in 0..wanted_lines {
                self.deepest = 0;
                self.search_line(root, depth, first, report);
                if self.is_broken_off {
                    break;
                }
                self.report(first, Bound::Exact, report);
            }
            if self.is_broken_off || (self.number == 0 && self.is_enough(&mut steady)) {
                break;
            }
        }
        self.shared.nodes[self.number].store(self.nodes, Ordering::Relaxed);
        self.shared.table_hits.fetch_add(std::mem::take(&mut self.table_hits), Ordering::Relaxed);
    }

    /// Searches the best of the moves from `first` on, in a window around its last score that is widened until the score is within.
    fn search_line(
        &mut self,
        root: &G::Position,
        depth: i32,
        first: usize,
        report: &mut dyn FnMut(&Report<'_, MoveOf<G>>),
    ) {
        const LEAST_DEPTH: i32 = 5;
        let expected = self.lines[first].average;
        let mut width = 12 + (expected.hundredths().abs() / 100).min(100);
        let (mut alpha, mut beta) = match depth >= LEAST_DEPTH && !expected.is_decided() {
            true => ((expected - width).max(Score::LEAST), (expected + width).min(Score::MOST)),
            false => (Score::LEAST, Score::MOST),
        };
        let mut failed_high = 0;
        loop {
            let reduced = (depth - failed_high).max(1);
            let score = self.search_root(root, alpha, beta, reduced, first);
            // Those that were not searched, or only shown to be worse, keep their order.
            self.lines[first..].sort_by_key(|line| std::cmp::Reverse(line.score));
            if self.is_broken_off {
                return;
            }
            let bound = if score <= alpha {
                beta = Score::estimate((alpha.hundredths() + beta.hundredths()) / 2);
                alpha = (score - width).max(Score::LEAST);
                failed_high = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + width).min(Score::MOST);
                failed_high += 1;
                Bound::Lower
            } else {
                return;
            };
            if score.is_decided() || width > 800 {
                (alpha, beta) = (Score::LEAST, Score::MOST);
            }
            width += width / 2;
            const QUIET_TIME: u128 = 3_000;
            if self.shared.control.elapsed().as_millis() > QUIET_TIME {
                self.report(first, bound, report);
            }
        }
    }

    fn report(&mut self, first: usize, bound: Bound, report: &mut dyn FnMut(&Report<'_, MoveOf<G>>)) {
        if self.number != 0 {
            return;
        }
        // The lines of one iteration are in order, the best first.
        self.lines[..=first].sort_by_key(|line| std::cmp::Reverse(line.score));
        self.shared.nodes[0].store(self.nodes, Ordering::Relaxed);
        let lines = if bound == Bound::Exact { 0..=first } else { first..=first };
        for number in lines {
            let line = &self.lines[number];
            report(&Report {
                depth: self.root_depth as u32,
                deepest: line.deepest,
                number: number + 1,
                score: line.score,
                bound,
                nodes: self.shared.all_nodes(),
                table_hits: self.shared.table_hits.load(Ordering::Relaxed) + self.table_hits,
                elapsed: self.shared.control.elapsed(),
                thousandths_full: self.shared.table.thousandths_full(),
                line: &line.moves,
            });
        }
    }

    /// Returns whether no further iteration is needed, or there is no time for it.
    fn is_enough(&self, steady: &mut Steadiness<MoveOf<G>>) -> bool {
        let Some(best) = self.lines.first() else { return true };
        if let (Some(wanted), Some(game::Value::Win(plies))) = (self.shared.limits.mate, best.score.value())
            && u32::from(plies.0) <= wanted
        {
            return true;
        }
        let factor = steady.factor(best, self.nodes);
        let Some(on_clock) = self.shared.control.on_clock() else { return false };
        let Some(Allotted { soft, hard }) = self.shared.allotted else { return false };
        if soft == hard {
            return on_clock >= hard;
        }
        // With a single move, or with the end in sight, there is nothing to think about.
        let is_clear = self.lines.len() == 1 || best.score.is_mate() && self.root_depth > 12;
        let factor = if is_clear { factor / 10.0 } else { factor };
        on_clock >= soft.mul_f64(factor).min(hard)
    }

    /// Counts a position, and looks at the limits now and then. Returns whether the search is broken off.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if !self.is_broken_off {
            self.nodes += 1;
            if self.nodes >= self.next_look {
                self.look_at_limits();
            }
        }
        self.is_broken_off
    }

    #[cold]
    fn look_at_limits(&mut self) {
        const INTERVAL: u64 = 1_024;
        let Shared { control, limits, allotted, nodes, table_hits, is_done, .. } = self.shared;
        nodes[self.number].store(self.nodes, Ordering::Relaxed);
        table_hits.fetch_add(std::mem::take(&mut self.table_hits), Ordering::Relaxed);
        self.next_look = self.nodes + INTERVAL;
        let most = limits.nodes.unwrap_or(u64::MAX);
        if self.number == 0 {
            // With one thread, the search ends exactly at the limit.
            let left = most.saturating_sub(self.shared.all_nodes());
            self.next_look = self.next_look.min(self.nodes + left.max(1));
            // The first iteration always ends, so that there is a move.
            let is_late = || match (allotted, control.on_clock()) {
                (Some(allotted), Some(on_clock)) => on_clock >= allotted.hard,
                _ => false,
            };
            let is_over = control.is_stopped() || left == 0 || is_late();
            self.is_broken_off |= is_over && (self.root_depth > 1 || control.is_stopped());
        } else {
            self.is_broken_off |= is_done.load(Ordering::Relaxed) || control.is_stopped();
        }
    }
}

/// Whether the best move and its score stay the same: then less time is needed.
struct Steadiness<M> {
    best: Option<M>,
    iterations: u32,
    score: Score,
}

impl<M> Default for Steadiness<M> {
    fn default() -> Self {
        Self { best: None, iterations: 0, score: Score::DRAW }
    }
}

impl<M: Copy + PartialEq> Steadiness<M> {
    /// By how much the usual time is to be multiplied.
    fn factor(&mut self, line: &RootLine<M>, nodes: u64) -> f64 {
        self.iterations = if self.best == Some(line.m) { self.iterations + 1 } else { 0 };
        self.best = Some(line.m);
        let fall = (self.score.hundredths() - line.score.hundredths()).clamp(-50, 100);
        self.score = line.average;
        let by_move = [1.9, 1.4, 1.15, 1.0, 0.9, 0.8][(self.iterations as usize).min(5)];
        // A move that took nearly all of the work has no rival.
        let share = line.nodes as f64 / nodes.max(1) as f64;
        by_move * (1.0 + f64::from(fall) / 150.0) * (1.7 - share)
    }
}
