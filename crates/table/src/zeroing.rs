//! Distances to the next irreversible move, for a rule that draws games without such moves.

use crate::library::Library;
use crate::probe::{Found, Preloaded, ProbeError, Prober, no_value};
use crate::{Entry, Values};
use game::{Endgame, Metric, Position, Value};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Probes the tables of [`Metric::Dtz`] of a game in which a rule draws a game after a number of plies without an
/// irreversible move, such as the 50-move rule of chess.
///
/// The distance of a value is the number of plies to the next irreversible move, or to the end of the game. Up to the limit
/// of the rule, the value holds. Above it, the game is drawn by the rule. If the rule draws the game only after a later
/// irreversible move, the distance is the limit plus the plies to the next one.
#[derive(Debug)]
pub struct ZeroingProber<G: Endgame> {
    prober: Prober<G, Values>,
}

impl<G: Endgame + PartialEq> ZeroingProber<G> {
    /// A prober for positions of this game. No file is opened yet.
    pub fn new(game: G, library: Arc<Library>) -> Self {
        Self { prober: Prober::of_metrics(game, library, vec![Metric::Dtz]) }
    }

    /// Opens the tables of all slices, as [`Prober::preload`] does.
    pub fn preload(&self, progress: impl Fn(usize, usize)) -> Preloaded {
        self.prober.preload(progress)
    }

    /// The value of a position for which no plies have counted yet.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged, or if the position has other rules than this prober.
    pub fn value(&self, position: &G::Position) -> Result<Value, ProbeError> {
        match self.prober.find(position).map_err(|unanswered| self.prober.error(unanswered))? {
            Found::Over(value) => Ok(value),
            Found::At(table, index) => match table.entry(index.0)? {
                Entry::Win(Some(plies)) => Ok(Value::Win(plies)),
                Entry::Loss(Some(plies)) => Ok(Value::Loss(plies)),
                Entry::Draw => Ok(Value::Draw),
                _ => Err(no_value(table, index)),
            },
            // Distances to the next irreversible move have no small tables.
            Found::Small(..) | Found::WonAtOnce | Found::Through => self.one_step(position),
        }
    }

    /// The value of a position from the values after its moves.
    #[cold]
    fn one_step(&self, position: &G::Position) -> Result<Value, ProbeError> {
        let mut best = None;
        let walk = position.visit_moves(|m| match self.value(&position.play_unchecked(m)) {
            Ok(after) => {
                let game = self.prober.game();
                let value = match game.is_irreversible(position, m) {
                    true => game.before_irreversible(after),
                    false => after.before_move(),
                };
                best = best.max(Some(value));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        match (walk, best) {
            (ControlFlow::Break(error), _) => Err(error),
            (_, Some(best)) => Ok(best),
            (_, None) => {
                let outcome = position.outcome().expect("a position without moves is finished");
                Ok(outcome.value(position.turn()))
            }
        }
    }
}
