//! The quiescence search: only tactical moves, until the estimate holds.

use crate::alpha_beta::{SumsOf, Window};
use crate::ordering::{Candidate, bring_best_forward};
use crate::score::{MOST_PLIES, Score};
use crate::searchable::{Evaluator, Searchable};
use crate::transposition::{Bound, Entry};
use crate::worker::Worker;
use game::Position;

impl<G: Searchable> Worker<'_, G> {
    /// Returns the score of a position if both sides make only tactical moves, or none. In check, all moves are searched.
    pub fn quiesce<const PV: bool>(
        &mut self,
        position: &G::Position,
        sums: SumsOf<G>,
        window: Window,
        ply: usize,
    ) -> Score {
        let game = self.shared.game;
        let Window { mut alpha, beta } = window;
        if PV {
            self.plies[ply].line.clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        let is_check = self.path.is_check();
        if ply >= MOST_PLIES {
            return if is_check { Score::DRAW } else { self.memory.evaluator.estimate(position, sums) };
        }
        let key = position.key();
        let known = self.shared.table.find(key, ply);
        if !PV
            && let Some(known) = known
            && known.bound.decides(known.score, beta)
        {
            return known.score;
        }
        let (mut raw, mut estimate) = (Score::NONE, Score::NONE);
        let mut best = Score::LEAST;
        if !is_check {
            raw = match known {
                Some(known) if known.estimate != Score::NONE => known.estimate,
                _ => self.memory.evaluator.estimate(position, sums),
            };
            estimate = self.corrected(position, game.structure(position), raw);
            best = match known {
                Some(known) if known.bound.decides(known.score, estimate) => known.score,
                _ => estimate,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let start = self.candidates.len();
        self.list_tactical(position, is_check, known.map_or(0, |known| known.best));
        if is_check && self.candidates.len() == start {
            return self.without_moves(position, ply);
        }
        let (mut best_code, mut quiet_escapes) = (0, 0);
        let mut at = start;
        while at < self.candidates.len() {
            bring_best_forward(&mut self.candidates[at..]);
            let Candidate { m, code, is_tactical, .. } = self.candidates[at];
            at += 1;
            if best > -Score::known_win(MOST_PLIES) {
                // The first two quiet escapes are searched, the best by their order.
                if !is_tactical && quiet_escapes == 2 {
                    break;
                }
                // Not even the captured piece brings the position up to alpha.
                let hope = estimate.hundredths() + 180;
                if !is_check
                    && hope <= alpha.hundredths()
                    && !game.exchange_gains(position, m, alpha.hundredths() - hope + 1)
                {
                    best = best.max(Score::estimate(hope));
                    continue;
                }
                if !game.exchange_gains(position, m, 0) {
                    continue;
                }
            }
            quiet_escapes += usize::from(!is_tactical);
            let after = position.play_unchecked(m);
            self.shared.table.prefetch(after.key());
            let sums = self.memory.evaluator.sums_after(sums, position, m, &after);
            self.path.push(after.key(), game.is_check(&after));
            let window = Window { alpha: -beta, beta: -alpha };
            let score = -self.quiesce::<PV>(&after, sums, window, ply + 1);
            self.path.pop();
            if self.is_broken_off {
                self.candidates.truncate(start);
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_code = code;
                    if PV {
                        self.take_line(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.candidates.truncate(start);
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let was_exact = PV || known.is_some_and(|known| known.was_exact);
        let entry = Entry { best: best_code, score: best, bound, depth: 0, estimate: raw, was_exact };
        self.shared.table.store(key, ply, entry);
        best
    }

    /// Lists the tactical moves, or in check all moves, each with its order.
    fn list_tactical(&mut self, position: &G::Position, is_check: bool, known_move: u16) {
        let game = self.shared.game;
        let histories = &self.memory.histories[position.turn() as usize];
        let candidates = &mut self.candidates;
        let mut push = |m, is_tactical| {
            let (code, slot) = (G::move_code(m), game.slot(position, m));
            let order = match is_tactical {
                _ if code == known_move => i32::MAX,
                true => 1_000_000 + 1_000 * game.gain(position, m) + 6 * histories.of_tactical(slot),
                false => histories.of_quiet(slot, [None; 2]),
            };
            candidates.push(Candidate { m, code, slot: slot as u16, is_tactical, was_tried: true, order });
        };
        match is_check {
            true => position.for_each_move(|m| push(m, game.is_tactical(position, m))),
            false => game.for_each_tactical(position, |m| push(m, true)),
        }
    }
}
