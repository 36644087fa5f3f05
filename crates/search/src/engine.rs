//! The engine: what is kept between searches, and the threads of a search.

use crate::control::Control;
use crate::limits::Limits;
use crate::oracle::{BestMoves, Oracle};
use crate::report::{Found, Report, RootLine};
use crate::score::Score;
use crate::searchable::{MoveOf, Searchable};
use crate::transposition::Transpositions;
use crate::worker::{Memory, Shared, Worker};
use game::{Position, Wdl};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Searches positions of one game. It remembers what it finds, for the next search.
///
/// With one thread and limits of depth or nodes, a new engine always finds the same.
pub struct Engine<G: Searchable> {
    game: G,
    oracle: G::Oracle,
    table: Transpositions,
    megabytes: usize,
    memories: Vec<Memory<G>>,
    /// The time that may be lost between the engine and the clock.
    pub overhead: Duration,
    /// The number of best lines to find.
    pub lines: usize,
}

/// A place of the transposition table takes 16 bytes, so that each move of a small table has one.
const DEFAULT_MEGABYTES: usize = 16;

impl<G: Searchable> Engine<G> {
    /// Makes an engine with one thread and a table of 16 MB.
    pub fn new(game: G, oracle: G::Oracle) -> Self {
        Self {
            game,
            oracle,
            table: Transpositions::new(DEFAULT_MEGABYTES),
            megabytes: DEFAULT_MEGABYTES,
            memories: vec![Memory::new()],
            overhead: Duration::from_millis(10),
            lines: 1,
        }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Replaces the game by one with other options. Both must have the same positions and moves.
    pub fn set_game(&mut self, game: G) {
        self.game = game;
    }

    /// The tables that the search asks.
    pub fn oracle_mut(&mut self) -> &mut G::Oracle {
        &mut self.oracle
    }

    /// Sets the size of the transposition table, and empties it if the size is new.
    pub fn set_megabytes(&mut self, megabytes: usize) {
        if megabytes != self.megabytes {
            // The old one is freed before the new one is made.
            self.table = Transpositions::new(1);
            self.table = Transpositions::new(megabytes);
            self.megabytes = megabytes;
        }
    }

    /// Sets the number of threads, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), Memory::new);
    }

    /// Forgets all that earlier searches found: a new game begins.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// The static estimate of a position for the side to move.
    pub fn estimate(&mut self, position: &G::Position) -> Score {
        use crate::searchable::Evaluator;
        let evaluator = &mut self.memories[0].evaluator;
        let sums = evaluator.sums(position);
        evaluator.estimate(position, sums)
    }

    /// Searches the last of these positions, which are those of a game in order, until a limit is reached or `control` stops the
    /// search. `report` gets every new line.
    ///
    /// Without a limit, and with [`Limits::infinite`] or while it ponders, the search does not return before it is stopped.
    pub fn search(
        &mut self,
        positions: &[G::Position],
        limits: &Limits<MoveOf<G>>,
        control: &Control,
        report: &mut dyn FnMut(&Report<'_, MoveOf<G>>),
    ) -> Found<MoveOf<G>> {
        let Some(root) = positions.last() else { return Found::nothing() };
        let mut moves = root.moves();
        if !limits.moves.is_empty() {
            moves.retain(|m| limits.moves.contains(m));
        }
        let by_tables = self.oracle.best_moves(root, &moves);
        let known = by_tables.as_ref().map(|best| best.known);
        if let Some(BestMoves { moves: best, .. }) = by_tables {
            moves = best;
        }
        // What the search finds may not contradict the tables.
        let corrected = |score: Score| match known {
            Some(known) if known.plies.is_none() => match known.wdl {
                Wdl::Win => score.max(Score::known_win(0)),
                Wdl::Loss => score.min(-Score::known_win(0)),
                Wdl::Draw => Score::DRAW,
            },
            Some(known) => known.score(0).0,
            None => score,
        };
        self.table.grow_older();
        let shared = Shared {
            game: &self.game,
            oracle: &self.oracle,
            table: &self.table,
            control,
            limits,
            allotted: limits.allotted(self.overhead),
            is_done: AtomicBool::new(false),
            nodes: self.memories.iter().map(|_| AtomicU64::new(0)).collect(),
            table_hits: AtomicU64::new(known.map_or(0, |_| moves.len() as u64)),
        };
        let mut report = |news: &Report<'_, MoveOf<G>>| {
            report(&Report { score: corrected(news.score), ..news.clone() });
        };
        let [first, others @ ..] = &mut self.memories[..] else { unreachable!("there is a thread") };
        let mut worker = Worker::new(&shared, first, 0, &moves);
        if !moves.is_empty() {
            std::thread::scope(|scope| {
                for (number, memory) in others.iter_mut().enumerate() {
                    let (shared, moves) = (&shared, &moves);
                    scope.spawn(move || {
                        Worker::new(shared, memory, number + 1, moves).deepen(positions, 1, &mut |_| ());
                    });
                }
                worker.deepen(positions, self.lines, &mut report);
                shared.is_done.store(true, Ordering::Relaxed);
            });
        }
        // Whoever asked for an endless search must stop it, even if there is nothing left to search.
        while (limits.infinite || control.ponders()) && !control.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (depth, best) = (worker.root_depth, worker.lines.first());
        let ponder = best.and_then(|best| best.moves.get(1).copied().or_else(|| self.reply(root, best)));
        Found {
            best: best.map(|best| best.m),
            ponder,
            score: best.map_or(Score::DRAW, |best| corrected(best.latest())),
            depth: depth as u32,
            nodes: shared.all_nodes(),
            table_hits: shared.table_hits.load(Ordering::Relaxed),
        }
    }

    /// The expected reply to a move, if the transposition table has one.
    fn reply(&self, root: &G::Position, line: &RootLine<MoveOf<G>>) -> Option<MoveOf<G>> {
        let after = root.play_unchecked(line.m);
        let code = self.table.find(after.key(), 0)?.best;
        after.moves().into_iter().find(|&m| G::move_code(m) == code)
    }

    /// The oracle, to ask it about single positions.
    pub fn oracle(&self) -> &(impl Oracle<G::Position> + use<G>) {
        &self.oracle
    }
}
