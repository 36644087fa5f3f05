//! Alpha-beta search with a principal variation: the root, and the positions above the quiescence search.

use crate::oracle::Oracle;
use crate::ordering::{Before, Candidate, bring_best_forward};
use crate::reductions;
use crate::score::{MOST_PLIES, Score};
use crate::searchable::{Evaluator, MoveOf, Searchable};
use crate::transposition::{Bound, Entry};
use crate::worker::Worker;
use game::{Position, Value};

/// What the evaluator knows of a position before it estimates it.
pub(crate) type SumsOf<G> = <<G as Searchable>::Evaluator as Evaluator<<G as game::Game>::Position>>::Sums;

/// Orders of candidates. Between them are histories, whose sum is far below a million.
const FROM_TABLE: i32 = 100_000_000;
const GOOD_TACTICAL: i32 = 20_000_000;
const KILLER: i32 = 10_000_000;
const BAD_TACTICAL: i32 = -20_000_000;
/// A hundredth of a pawn in the order of tactical moves.
const PER_GAIN: i32 = 1_000;

/// A window of scores: less than `alpha` and more than `beta` need not be told apart.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// The window as the opponent sees it.
    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window that only asks whether a score is above `alpha`.
    fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }
}

/// A position after a move, with what is carried along.
struct Child<G: Searchable> {
    position: G::Position,
    sums: SumsOf<G>,
}

impl<G: Searchable> Worker<'_, G> {
    /// Searches the moves of the root from number `first` on. Sets the scores of those that are better than all before them.
    pub fn search_root(
        &mut self,
        root: &G::Position,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        first: usize,
    ) -> Score {
        let sums = self.memory.evaluator.sums(root);
        let is_check = self.shared.game.is_check(root);
        self.plies[0].estimate =
            if is_check { Score::NONE } else { self.memory.evaluator.estimate(root, sums) };
        if self.count_node() {
            return alpha;
        }
        let mut best = Score::LEAST;
        for number in first..self.lines.len() {
            let m = self.lines[number].m;
            let nodes_before = self.nodes;
            let child = self.make(root, sums, m, 0);
            let later = number - first;
            let mut score = Score::LEAST;
            if later > 0 {
                let reduced = match G::SELECTIVE && depth >= 3 && later >= 3 {
                    true => (reductions::of(depth, later) / reductions::ONE - 1).clamp(0, depth - 2),
                    false => 0,
                };
                score = self.turned(&child, Window::above(alpha), depth - 1 - reduced, 1, true);
                if score > alpha && reduced > 0 {
                    score = self.turned(&child, Window::above(alpha), depth - 1, 1, true);
                }
            }
            if later == 0 || score > alpha {
                score = -self.search::<true>(
                    &child.position,
                    child.sums,
                    Window { alpha, beta }.turned(),
                    depth - 1,
                    1,
                    false,
                );
            }
            self.path.pop();
            self.lines[number].nodes += self.nodes - nodes_before;
            if self.is_broken_off {
                return alpha;
            }
            match later == 0 || score > alpha {
                true => self.lines[number].improve(score, self.deepest, &self.plies[1].line),
                false => self.lines[number].score = Score::LEAST,
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Plays a move, and adds the position after it to the path.
    #[inline]
    fn make(&mut self, position: &G::Position, sums: SumsOf<G>, m: MoveOf<G>, ply: usize) -> Child<G> {
        let after = position.play_unchecked(m);
        self.shared.table.prefetch(after.key());
        let slot = self.shared.game.slot(position, m);
        let sums = self.memory.evaluator.sums_after(sums, position, m, &after);
        self.path.push(after.key(), self.shared.game.is_check(&after));
        self.plies[ply].slot = Some(slot);
        Child { position: after, sums }
    }

    /// Searches the position after a move in a window of the side that made it.
    #[inline]
    fn turned(&mut self, child: &Child<G>, window: Window, depth: i32, ply: usize, is_cut: bool) -> Score {
        -self.search::<false>(&child.position, child.sums, window.turned(), depth, ply, is_cut)
    }

    /// The value of a position that ends the line: the game is over, or the position is repeated.
    #[inline]
    pub fn ended(&self, position: &G::Position, ply: usize) -> Option<Score> {
        let game = self.shared.game;
        let over = game.over(position, &self.rules);
        let value = over.or_else(|| self.path.repeated(game.reversible_plies(position)))?;
        Some(Score::from_value(value, ply))
    }

    /// The score of a position without legal moves.
    #[cold]
    pub fn without_moves(&self, position: &G::Position, ply: usize) -> Score {
        let value = position.outcome().map_or(Value::Draw, |outcome| outcome.value(position.turn()));
        Score::from_value(value, ply)
    }

    /// The estimate of a position with this structure, as the search has learned to correct it.
    #[inline]
    pub fn corrected(&self, position: &G::Position, structure: u64, estimate: Score) -> Score {
        match estimate {
            Score::NONE => estimate,
            _ => self.memory.corrections[position.turn() as usize].corrected(structure, estimate),
        }
    }

    /// The moves before a position, for the histories.
    #[inline]
    fn before(&self, ply: usize) -> Before {
        let slot = |back: usize| ply.checked_sub(back).and_then(|ply| self.plies[ply].slot);
        [slot(1), slot(2)]
    }

    /// Returns the score of a position. It is exact within the window; outside it is a bound.
    ///
    /// `PV` is true on lines that may become the best line. `is_cut` says that one move is expected to be enough to refute the
    /// move before.
    pub fn search<const PV: bool>(
        &mut self,
        position: &G::Position,
        sums: SumsOf<G>,
        window: Window,
        mut depth: i32,
        ply: usize,
        is_cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<PV>(position, sums, window, ply);
        }
        let game = self.shared.game;
        let Window { mut alpha, mut beta } = window;
        if PV {
            self.plies[ply].line.clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        let excluded = self.plies[ply].excluded;
        let is_whole = excluded == 0;
        if is_whole && let Some(score) = self.ended(position, ply) {
            return score;
        }
        let is_check = self.path.is_check();
        if ply >= MOST_PLIES {
            return if is_check { Score::DRAW } else { self.memory.evaluator.estimate(position, sums) };
        }
        // Even a win at once would be no better than what is known already.
        alpha = alpha.max(Score::lost_at(ply));
        beta = beta.min(-Score::lost_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = position.key();
        let known = if is_whole { self.shared.table.find(key, ply) } else { None };
        if !PV
            && let Some(known) = known
            && i32::from(known.depth) >= depth
            && known.bound.decides(known.score, beta)
        {
            return known.score;
        }
        let (mut best, mut most) = (Score::LEAST, Score::MOST);
        if is_whole
            && let Some((score, bound)) = self.ask_oracle(position, depth, ply, Window { alpha, beta })
        {
            match bound {
                Bound::Lower if score < beta => {
                    best = score;
                    alpha = alpha.max(score);
                }
                Bound::Upper if score > alpha => most = score,
                _ => {
                    let depth = (depth + 6).min(MOST_PLIES as i32) as u8;
                    let entry =
                        Entry { best: 0, score, bound, depth, estimate: Score::NONE, was_exact: false };
                    self.shared.table.store(key, ply, entry);
                    return score;
                }
            }
        }

        let was_exact = PV || known.is_some_and(|known| known.was_exact);
        let raw = match known {
            _ if is_check || !is_whole => Score::NONE,
            Some(known) if known.estimate != Score::NONE => known.estimate,
            _ => self.memory.evaluator.estimate(position, sums),
        };
        let structure = game.structure(position);
        let estimate = match is_whole {
            true => self.corrected(position, structure, raw),
            false => self.plies[ply].estimate,
        };
        self.plies[ply].estimate = estimate;
        // What the table says of the position is often better than the static estimate.
        let expected = match known {
            Some(known) if !is_check && known.bound.decides(known.score, estimate) => known.score,
            _ => estimate,
        };
        // Whether the position became better for the side to move since its last move.
        let improves = !is_check
            && ply >= 2
            && match (self.plies[ply - 2].estimate, ply.checked_sub(4).map(|ply| self.plies[ply].estimate)) {
                (Score::NONE, None | Some(Score::NONE)) => true,
                (Score::NONE, Some(before)) | (before, _) => estimate > before,
            };
        if ply + 1 < self.plies.len() {
            self.plies[ply + 1].excluded = 0;
        }
        if ply + 2 < self.plies.len() {
            self.plies[ply + 2].killers = [0; 2];
        }

        if G::SELECTIVE && !PV && !is_check && is_whole && !beta.is_decided() {
            // The position is so bad that only captures can help.
            if depth <= 3 && expected + 220 * depth < alpha {
                let score = self.quiesce::<false>(position, sums, Window::above(alpha - 1), ply);
                if score < alpha {
                    return score;
                }
            }
            // The position is so good that the opponent will not let it come to it.
            let margin = 60 * (depth - i32::from(improves));
            if depth <= 9 && expected - margin >= beta && !expected.is_decided() {
                return expected;
            }
            // If even a pass is good enough, a move will be.
            if depth >= 3
                && expected >= beta
                && estimate + 20 * depth >= beta + 120
                && self.plies[ply - 1].slot.is_some()
                && let Some(passed) = game.pass(position)
            {
                let reduction = 3 + depth / 3 + ((expected.hundredths() - beta.hundredths()) / 180).min(3);
                self.plies[ply].slot = None;
                self.path.push_pass(passed.key());
                let sums = self.memory.evaluator.sums_after_pass(sums, position, &passed);
                let window = Window::above(beta - 1).turned();
                let score = -self.search::<false>(&passed, sums, window, depth - reduction, ply + 1, !is_cut);
                self.path.pop();
                if self.is_broken_off {
                    return Score::DRAW;
                }
                if score >= beta {
                    return if score.is_decided() { beta } else { score };
                }
            }
        }
        // Without a known move, a search of less depth finds one.
        let known_move = known.map_or(0, |known| known.best);
        if G::SELECTIVE && known_move == 0 && depth >= 4 && (PV || is_cut) && is_whole {
            depth -= 1;
        }

        let start = self.candidates.len();
        self.list_moves(position, known_move);
        if self.candidates.len() == start {
            return self.without_moves(position, ply);
        }
        let before = self.before(ply);
        let old_alpha = alpha;
        let (mut best_code, mut is_best_tactical) = (0, false);
        let mut is_scored = false;
        let (mut tried, mut quiets) = (0usize, 0usize);
        let mut at = start;
        while at < self.candidates.len() {
            // The known move comes first. If it refutes the position, the others need no order.
            if at > start || self.candidates[start].order != FROM_TABLE {
                if !is_scored {
                    self.score_moves(position, at, ply, before);
                    is_scored = true;
                }
                self.pick(position, at);
            }
            let Candidate { m, code, slot, is_tactical, order, .. } = self.candidates[at];
            at += 1;
            if code == excluded {
                continue;
            }
            let slot = usize::from(slot);
            let is_bad = is_tactical && order < 0;
            // The depth that the move will have if nothing is special about it.
            let mut reduction = reductions::of(depth, tried);
            if G::SELECTIVE && best > -Score::known_win(MOST_PLIES) {
                let left = (depth - reduction / reductions::ONE).max(0);
                if is_tactical {
                    if is_bad && depth <= 7 && !game.exchange_gains(position, m, -90 * depth) {
                        continue;
                    }
                } else if order < KILLER {
                    // At little depth, moves far down in the order are hardly ever the best.
                    if !PV && quiets > (2 + (depth * depth) as usize) / (2 - usize::from(improves)) {
                        break;
                    }
                    if depth <= 5 && order < -2_600 * depth {
                        continue;
                    }
                    if !is_check && left <= 7 && estimate + 60 + 65 * left <= alpha {
                        continue;
                    }
                    if left <= 8 && !game.exchange_gains(position, m, -22 * left * left) {
                        continue;
                    }
                }
            }

            // If all other moves are clearly worse than the known one, it is searched more deeply.
            let mut extension = 0;
            if G::SELECTIVE
                && code == known_move
                && is_whole
                && depth >= 7
                && ply < 2 * self.root_depth as usize
                && let Some(known) = known
                && known.bound != Bound::Upper
                && i32::from(known.depth) >= depth - 3
                && !known.score.is_decided()
            {
                let limit = known.score - 2 * depth;
                self.plies[ply].excluded = code;
                let others = self.search::<false>(
                    position,
                    sums,
                    Window::above(limit - 1),
                    (depth - 1) / 2,
                    ply,
                    is_cut,
                );
                self.plies[ply].excluded = 0;
                if self.is_broken_off {
                    self.candidates.truncate(start);
                    return Score::DRAW;
                }
                if others < limit {
                    extension = if !PV && others < limit - 20 { 2 } else { 1 };
                } else if limit >= beta {
                    // Several moves are good enough.
                    self.candidates.truncate(start);
                    return limit;
                } else if known.score >= beta {
                    extension = -1;
                }
            }

            self.candidates[at - 1].was_tried = true;
            tried += 1;
            quiets += usize::from(!is_tactical);
            let child = self.make(position, sums, m, ply);
            let gives_check = self.path.is_check();
            let new_depth = depth - 1 + extension;
            let mut score = Score::LEAST;
            let mut is_reduced = false;
            if G::SELECTIVE && depth >= 2 && tried > 1 + usize::from(PV) && (!is_tactical || is_bad || is_cut)
            {
                reduction += 2 * reductions::ONE * i32::from(is_cut);
                reduction += reductions::ONE / 2 * i32::from(!improves);
                reduction -= reductions::ONE * i32::from(was_exact);
                reduction -= reductions::ONE * i32::from(gives_check);
                reduction -= reductions::ONE * i32::from(order >= KILLER);
                if is_tactical {
                    reduction -= reductions::ONE;
                } else {
                    let history = self.memory.histories[position.turn() as usize].of_quiet(slot, before);
                    reduction -= history * reductions::ONE / 8_000;
                }
                let reduced = (new_depth - reduction / reductions::ONE).clamp(1, new_depth.max(1));
                if reduced < new_depth {
                    is_reduced = true;
                    score = self.turned(&child, Window::above(alpha), reduced, ply + 1, true);
                }
            }
            if is_reduced && score > alpha || !is_reduced && (!PV || tried > 1) {
                score = self.turned(&child, Window::above(alpha), new_depth, ply + 1, !is_cut);
            }
            if PV && (tried == 1 || score > alpha) {
                score = -self.search::<true>(
                    &child.position,
                    child.sums,
                    Window { alpha, beta }.turned(),
                    new_depth,
                    ply + 1,
                    false,
                );
            }
            self.path.pop();
            if self.is_broken_off {
                self.candidates.truncate(start);
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    (best_code, is_best_tactical) = (code, is_tactical);
                    if PV {
                        self.take_line(ply, m);
                    }
                    alpha = score;
                    if score >= beta {
                        self.learn(position, depth, ply, before, start, at - 1);
                        break;
                    }
                }
            }
        }
        self.candidates.truncate(start);
        if tried == 0 && best == Score::LEAST {
            // Only the excluded move, or moves that were left out.
            return alpha;
        }
        best = best.min(most);
        // A quiet position whose score shows on which side the estimate was wrong.
        if G::SELECTIVE
            && is_whole
            && !is_check
            && !best.is_decided()
            && !is_best_tactical
            && !(best >= beta && best <= estimate || best_code == 0 && best >= estimate)
        {
            let difference = best.hundredths() - estimate.hundredths();
            self.memory.corrections[position.turn() as usize].learn(structure, difference, depth);
        }
        if is_whole {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && alpha > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry =
                Entry { best: best_code, score: best, bound, depth: depth as u8, estimate: raw, was_exact };
            self.shared.table.store(key, ply, entry);
        }
        best
    }

    /// The best line from a position is a move and the best line after it.
    #[inline]
    pub fn take_line(&mut self, ply: usize, m: MoveOf<G>) {
        let (before, after) = self.plies.split_at_mut(ply + 1);
        let line = &mut before[ply].line;
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0].line);
    }

    /// Asks the tables. They first say only who wins; the distance is asked if it decides.
    #[inline]
    fn ask_oracle(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Option<(Score, Bound)> {
        let oracle = self.shared.oracle;
        if !oracle.may_know(position, depth.clamp(0, 255) as u8) {
            return None;
        }
        let known = oracle.outcome(position)?;
        self.table_hits += 1;
        let (score, bound) = known.score(ply);
        let is_enough = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if is_enough {
            return Some((score, bound));
        }
        Some(oracle.value(position).unwrap_or(known).score(ply))
    }

    /// Lists the legal moves. The known one comes first.
    fn list_moves(&mut self, position: &G::Position, known_move: u16) {
        let start = self.candidates.len();
        let candidates = &mut self.candidates;
        let mut known_at = None;
        position.for_each_move(|m| {
            let code = G::move_code(m);
            if code == known_move {
                known_at = Some(candidates.len());
            }
            candidates.push(Candidate { m, code, slot: 0, is_tactical: false, was_tried: false, order: 0 });
        });
        if let Some(at) = known_at {
            self.candidates.swap(start, at);
            let Candidate { m, .. } = self.candidates[start];
            let game = self.shared.game;
            let (is_tactical, slot) = (game.is_tactical(position, m), game.slot(position, m) as u16);
            let first = &mut self.candidates[start];
            *first = Candidate { is_tactical, slot, order: FROM_TABLE, ..*first };
        }
    }

    /// Orders the moves from a place on.
    fn score_moves(&mut self, position: &G::Position, from: usize, ply: usize, before: Before) {
        let game = self.shared.game;
        let histories = &self.memory.histories[position.turn() as usize];
        let killers = self.plies[ply].killers;
        for candidate in &mut self.candidates[from..] {
            let m = candidate.m;
            let slot = game.slot(position, m);
            candidate.slot = slot as u16;
            candidate.is_tactical = game.is_tactical(position, m);
            candidate.order = if candidate.is_tactical {
                GOOD_TACTICAL + PER_GAIN * game.gain(position, m) + 6 * histories.of_tactical(slot)
            } else if killers[0] == candidate.code {
                KILLER + 1
            } else if killers[1] == candidate.code {
                KILLER
            } else {
                histories.of_quiet(slot, before)
            };
        }
    }

    /// Brings the best of the candidates from a place on to this place. A capture that loses material goes back.
    #[inline]
    fn pick(&mut self, position: &G::Position, at: usize) {
        loop {
            bring_best_forward(&mut self.candidates[at..]);
            let Candidate { m, is_tactical, order, .. } = self.candidates[at];
            // Moves that promise enough are not looked at again.
            if !is_tactical || order < 0 || self.shared.game.exchange_gains(position, m, -20) {
                return;
            }
            self.candidates[at].order += BAD_TACTICAL - GOOD_TACTICAL;
            if self.candidates[at].order >= 0 {
                self.candidates[at].order = -1;
            }
        }
    }

    /// Learns from a move that refuted the move before: it was better than those tried before it.
    fn learn(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: usize,
        before: Before,
        start: usize,
        refuted: usize,
    ) {
        let bonus = (170 * depth - 90).min(1_900);
        let histories = &mut self.memory.histories[position.turn() as usize];
        let best = self.candidates[refuted];
        if !best.is_tactical {
            let killers = &mut self.plies[ply].killers;
            if killers[0] != best.code {
                *killers = [best.code, killers[0]];
            }
        }
        for at in start..=refuted {
            let Candidate { slot, is_tactical, was_tried, .. } = self.candidates[at];
            let change = if at == refuted { bonus } else { -bonus };
            match is_tactical {
                _ if !was_tried => {}
                true => histories.add_to_tactical(slot.into(), change),
                // A quiet move says nothing about others if a capture was better.
                false if best.is_tactical => {}
                false => histories.add_to_quiet(slot.into(), before, change),
            }
        }
    }
}
