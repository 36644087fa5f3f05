//! What GNU Backgammon thinks of decisions about the cube.

use super::opinion::{check_variant, pointless};
use super::{AtStake, Gnubg, GnubgError, Ply, Request};
use backgammon::{Phase, Position};
use game::Position as _;
use serde::{Deserialize, Serialize};

/// What gnubg thinks of the cube in a position. Equities are those of the player on roll, in units of the cube before a double. In
/// a match they stand for the chances to win it, as gnubg shows them: 1 for a win and -1 for a loss of the cube's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeOpinion {
    /// The equity if both players do what gnubg thinks best.
    pub equity: f32,
    /// The equity if the player on roll does not double.
    pub no_double: f32,
    /// The equity if the player on roll doubles and the opponent takes.
    pub double_take: f32,
    /// The equity if the player on roll doubles and the opponent drops.
    pub double_pass: f32,
    /// Whether the player on roll should double. Never if that player may not, or if it is useless.
    pub doubles: bool,
    /// Whether the opponent should take a double.
    pub takes: bool,
    /// The decision in gnubg's words, such as `Double, take`.
    pub words: String,
}

impl Gnubg {
    /// What gnubg thinks of the cube, with the score and the rules of the position. The player on roll may have been denied the
    /// cube; then only the equity without a double means something.
    ///
    /// # Errors
    /// Returns [`GnubgError::Pointless`] if no roll comes next, or if there is no cube in the game.
    pub fn cube_opinion(
        &mut self,
        position: &Position,
        ply: impl Into<Option<Ply>>,
    ) -> Result<CubeOpinion, GnubgError> {
        let opinions = self.cube_opinions(std::slice::from_ref(position), ply)?;
        let first = opinions.into_iter().next();
        first.ok_or_else(|| self.give_up(GnubgError::Garbage("[]".to_owned())))
    }

    /// What gnubg thinks of the cube in each of these positions. They go to gnubg in one request. Each takes 10 ms or more.
    ///
    /// # Errors
    /// As [`cube_opinion`](Self::cube_opinion), for the first position with an error.
    pub fn cube_opinions(
        &mut self,
        positions: &[Position],
        ply: impl Into<Option<Ply>>,
    ) -> Result<Vec<CubeOpinion>, GnubgError> {
        /// The most positions in one request, so that an answer is neither too long nor too late.
        const AT_ONCE: usize = 100;
        let ply = ply.into().unwrap_or(self.default_ply());
        let questions: Vec<_> = positions.iter().map(question).collect::<Result<_, _>>()?;
        let mut all = Vec::with_capacity(positions.len());
        for positions in questions.chunks(AT_ONCE) {
            let opinions: Vec<CubeOpinion> = self.ask(&Request::Cubes { positions, ply })?;
            if opinions.len() != positions.len() {
                let counts = format!("{} answers to {} positions", opinions.len(), positions.len());
                return Err(self.give_up(GnubgError::Garbage(counts)));
            }
            all.extend(opinions);
        }
        Ok(all)
    }
}

fn question(position: &Position) -> Result<(String, AtStake), GnubgError> {
    let before_roll = matches!(position.phase(), Phase::Opening | Phase::Roll | Phase::Double);
    if !before_roll || position.won().is_some() || !position.terms().with_cube {
        return Err(pointless(position, "a player must be about to roll, in a game with a cube"));
    }
    check_variant(position)?;
    let mover = position.turn();
    Ok((position.board().position_id(mover), AtStake::of(position, mover)))
}
