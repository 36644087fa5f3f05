//! Agents of backgammon and what they lose, judged by tables.

use crate::equity_prober::{ProberOfEquities, Told};
use crate::equity_source::EquityLibrary;
use crate::error::Error;
use backgammon::{Backgammon, CubeOwner, Dice, Phase, Position, Slice, Stakes};
use env::backgammon::agents::{AgentKind, perfect_agent};
use env::backgammon::{Equity, ExactEquities};
use env::{AgentError, Matches, NamedAgent, matches_with};
use game::{Index, Notation as _, Position as _, Rng};
use std::sync::Arc;

/// Tables that judge: those that are exact.
type Judging = ProberOfEquities<EquityLibrary>;

impl ExactEquities for Judging {
    fn equity(&self, position: &Position) -> Result<Option<Equity>, AgentError> {
        let terms = position.terms();
        let jacoby = matches!(terms.stakes, Stakes::Money { jacoby: true });
        // Without a cube, gammons never count by the Jacoby rule. Tables do not know that game.
        if !terms.stakes.is_money() || terms.dice != Dice::Any || (jacoby && !terms.with_cube) {
            return Ok(None);
        }
        let known = self.source.known(position).map_err(|error| AgentError::Values(Box::new(error)))?;
        Ok(known.filter(|told| told.prospect.exact).and_then(|told| Self::equity_of(told, position)))
    }
}

impl Judging {
    /// What an exact table says of a position, with its cube as it stands. Returns `None` if the table knows no cube.
    fn equity_of(told: Told, position: &Position) -> Option<Equity> {
        let (terms, cube) = (position.terms(), position.cube());
        let points = match terms.with_cube {
            false => told.prospect.points.cubeless,
            true => told.rolling?.rolling(CubeOwner::of(cube, position.turn())),
        };
        let stake = f64::from(cube.value());
        Some(Equity { points: points * stake, error: told.prospect.error.unwrap_or_default() * stake })
    }
}

/// Agents for matches: those of the game, and, if there are tables, perfect play with another agent where they end.
pub(crate) fn matches(game: Backgammon, library: EquityLibrary) -> Box<dyn Matches> {
    // A judge without tables would look at every position and tell nothing.
    let can_judge = library.slices().any(|slice| can_judge(&game, slice).is_ok());
    let can_judge = can_judge && game.terms.stakes.is_money();
    let judging = Arc::new(Judging { game, source: library });
    // Tables are for money: nobody knows perfect play at the score of a match.
    let has_tables = game.terms.stakes.is_money() && judging.source.slices().next().is_some();
    let perfect = if has_tables { perfect_agents(&judging) } else { Vec::new() };
    matches_with(game, perfect, can_judge.then_some(judging))
}

fn perfect_agents(judging: &Arc<Judging>) -> Vec<NamedAgent<Position>> {
    let source = || Arc::clone(judging) as Arc<dyn ExactEquities>;
    AgentKind::ALL.into_iter().map(|fallback| perfect_agent(&judging.game, source(), fallback)).collect()
}

/// Whether the table of a slice tells what the choices in a game lose.
///
/// # Errors
/// Says why it does not.
pub(crate) fn can_judge(game: &Backgammon, slice: Slice) -> Result<(), Error> {
    if matches!(slice, Slice::OneSided { .. }) {
        return Err(Error::NotExact { slice: slice.to_string() });
    }
    let (variant, played) = (slice.variant(), game.terms.variant);
    if variant != played {
        return Err(Error::OtherVariant {
            slice: slice.to_string(),
            variant: variant.name(),
            played: played.name(),
        });
    }
    Ok(())
}

/// Random positions of a slice under the terms of a game, as text: each before a roll, and, if there is a cube, before a double of the
/// cube in the middle.
pub(crate) fn sample(game: &Backgammon, slice: Slice, count: u64, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    let phases = if game.terms.with_cube { &[Phase::Roll, Phase::Double][..] } else { &[Phase::Roll] };
    for _ in 0..count {
        // Every slice has positions, and most indices have one.
        let found = loop {
            if let Some(found) = slice.position(Index(rng.below(slice.entries()))) {
                break found;
            }
        };
        let of_phase = |&phase: &Phase| {
            Position::assembled_unchecked(*found.board(), found.turn(), phase, found.cube(), game.terms)
        };
        positions.extend(phases.iter().map(of_phase).map(|position| game.position_text(&position)));
    }
    positions
}
