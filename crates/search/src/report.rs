//! What a search tells: while it runs, and at its end.

use crate::score::Score;
use crate::transposition::Bound;
use std::time::Duration;

/// News from a search: a line and its score.
#[derive(Clone, Debug)]
pub struct Report<'a, M> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The number of plies of the longest line that was looked at.
    pub deepest: u32,
    /// The number of the line, from 1; the best has 1.
    pub number: usize,
    /// The score of the line.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// The number of positions so far, of all threads.
    pub nodes: u64,
    /// The number of positions whose value was in a table.
    pub table_hits: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub thousandths_full: u32,
    /// The moves of the line.
    pub line: &'a [M],
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<M> {
    /// The best move; `None` if there are no moves.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The score.
    pub score: Score,
    /// The last depth that was searched to its end.
    pub depth: u32,
    /// The number of positions.
    pub nodes: u64,
    /// The number of positions whose value was in a table.
    pub table_hits: u64,
}

impl<M> Found<M> {
    /// The result if there is nothing to search.
    pub(crate) const fn nothing() -> Self {
        Self { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, table_hits: 0 }
    }
}

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootLine<M> {
    pub m: M,
    /// The score of this iteration. [`Score::LEAST`] if the move was shown to be worse than another, or was not searched.
    pub score: Score,
    /// The score of the iteration before.
    pub previous: Score,
    /// The mean of the scores of the iterations, the last ones counting most.
    pub average: Score,
    pub deepest: u32,
    /// The positions searched after this move, in all iterations.
    pub nodes: u64,
    /// The best line, this move included.
    pub moves: Vec<M>,
}

impl<M: Copy> RootLine<M> {
    pub fn new(m: M) -> Self {
        let (score, average) = (Score::LEAST, Score::DRAW);
        Self { m, score, previous: score, average, deepest: 0, nodes: 0, moves: vec![m] }
    }

    /// Begins an iteration.
    pub fn begin_iteration(&mut self) {
        self.previous = std::mem::replace(&mut self.score, Score::LEAST);
    }

    /// The score of this iteration, or if it was broken off before there was one, that of the iteration before.
    pub fn latest(&self) -> Score {
        if self.score == Score::LEAST { self.previous } else { self.score }
    }

    /// Sets the score and the line of this iteration.
    pub fn improve(&mut self, score: Score, deepest: usize, rest: &[M]) {
        self.score = score;
        self.average = match self.previous {
            Score::LEAST => score,
            _ => Score::estimate((self.average.hundredths() + score.hundredths()) / 2),
        };
        self.deepest = deepest as u32;
        self.moves.truncate(1);
        self.moves.extend_from_slice(rest);
    }
}
