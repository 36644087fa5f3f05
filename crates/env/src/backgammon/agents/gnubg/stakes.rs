//! What a game is played for, in the form in which GNU Backgammon is told.

use backgammon::{Position, Stakes};
use game::Side;
use serde::Serialize;

/// The stakes of a game, as the player on roll sees them: the cube, the score and the rules for gammons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AtStake {
    /// The value of the cube, a power of two.
    pub cube_value: u32,
    /// The owner of the cube: nobody (`None`), the player on roll (`true`) or the opponent (`false`).
    pub cube_owner: Option<bool>,
    /// The points that win the match; 0 for money.
    pub match_length: u32,
    /// The points of the player on roll.
    pub my_score: u32,
    /// The points of the opponent.
    pub opponent_score: u32,
    /// Whether this is the Crawford game. Gnubg accepts it at any score, so it is also used for matches without a cube.
    pub crawford: bool,
    /// For money: whether gammons count only after the cube has been turned (the Jacoby rule).
    pub jacoby: bool,
}

impl AtStake {
    /// The stakes of the game, as `player` sees them.
    pub fn of(position: &Position, player: Side) -> Self {
        let (cube, terms) = (position.cube(), position.terms());
        let score = terms.stakes.score();
        let points = |side| score.map_or(0, |score| score.points(side).into());
        Self {
            cube_value: cube.value(),
            cube_owner: cube.owner().map(|owner| owner == player),
            match_length: score.map_or(0, |score| score.length().into()),
            my_score: points(player),
            opponent_score: points(player.other()),
            crawford: score.is_some_and(|score| score.is_crawford()),
            jacoby: matches!(terms.stakes, Stakes::Money { jacoby: true }),
        }
    }

    /// The stakes of a game without a cube. In a match they are those of the Crawford game. For money with the Jacoby rule,
    /// gammons do not count, as in a match to one point. For money without it there is nothing to tell, so the result is
    /// `None`.
    pub(in super::super) fn without_cube(position: &Position, player: Side) -> Option<Self> {
        let at_stake = Self::of(position, player);
        match position.terms().stakes {
            Stakes::Money { jacoby: false } => None,
            Stakes::Money { jacoby: true } => Some(Self { match_length: 1, jacoby: false, ..at_stake }),
            Stakes::Match(_) => Some(Self { crawford: true, ..at_stake }),
        }
    }
}
