//! Expected points for money: what the cube is worth, and what to do with it.

use crate::cube::Cube;
use game::Side;

/// The chances of a player without a cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// To win, in any way.
    pub win: f64,
    /// To win a gammon or a backgammon.
    pub gammon: f64,
    /// To win a backgammon.
    pub backgammon: f64,
    /// To lose a gammon or a backgammon.
    pub lose_gammon: f64,
    /// To lose a backgammon.
    pub lose_backgammon: f64,
}

impl Chances {
    /// The chances of a player for whom no gammon is possible on either side, from its expected points without a cube.
    pub fn without_gammons(cubeless: f64) -> Self {
        let win = ((1.0 + cubeless) / 2.0).clamp(0.0, 1.0);
        Self { win, gammon: 0.0, backgammon: 0.0, lose_gammon: 0.0, lose_backgammon: 0.0 }
    }

    /// The chances as numbers, in the order of the fields.
    pub const fn numbers(&self) -> [f64; 5] {
        [self.win, self.gammon, self.backgammon, self.lose_gammon, self.lose_backgammon]
    }

    /// The expected points without a cube.
    pub fn points(&self) -> f64 {
        2.0 * self.win - 1.0 + self.gammon + self.backgammon - self.lose_gammon - self.lose_backgammon
    }

    /// The chances of the opponent.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let Self { win, gammon, backgammon, lose_gammon, lose_backgammon } = self;
        Self {
            win: 1.0 - win,
            gammon: lose_gammon,
            backgammon: lose_backgammon,
            lose_gammon: gammon,
            lose_backgammon: backgammon,
        }
    }
}

impl From<[f64; 5]> for Chances {
    fn from([win, gammon, backgammon, lose_gammon, lose_backgammon]: [f64; 5]) -> Self {
        Self { win, gammon, backgammon, lose_gammon, lose_backgammon }
    }
}

/// Who may double next, as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CubeOwner {
    /// The side to move owns the cube.
    Mover,
    /// Nobody owns the cube, so both sides may double.
    Nobody,
    /// The opponent owns the cube.
    Opponent,
}

impl CubeOwner {
    /// The owner of a cube, as this side sees it.
    pub fn of(cube: Cube, mover: Side) -> Self {
        match cube.owner() {
            None => Self::Nobody,
            Some(owner) if owner == mover => Self::Mover,
            Some(_) => Self::Opponent,
        }
    }

    /// The owner as the other side sees it.
    #[must_use]
    pub const fn seen_by_opponent(self) -> Self {
        match self {
            Self::Mover => Self::Opponent,
            Self::Nobody => Self::Nobody,
            Self::Opponent => Self::Mover,
        }
    }
}

/// The expected points of the side to move before its roll, for a cube of one point, if it rolls without a double now. The
/// players do the best with the cube from then on, and the cube has no limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeEquities {
    /// If the side to move owns the cube.
    pub mover: f64,
    /// If nobody owns the cube.
    pub nobody: f64,
    /// If the opponent owns the cube.
    pub opponent: f64,
}

/// The best action with the cube.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeAction {
    /// Roll: a double would be taken and would lose points, or gain none.
    Roll,
    /// Roll: the position is too good for a double, which the opponent would drop.
    TooGood,
    /// Double, and the opponent takes.
    DoubleTake,
    /// Double, and the opponent drops.
    DoubleDrop,
}

/// What to do with the cube before the roll, and what each choice is worth. All are expected points of the side to move, for a
/// cube that stands at one point before the double.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeDecision {
    /// The best action.
    pub action: CubeAction,
    /// If it rolls without a double.
    pub roll: f64,
    /// If it doubles, and the opponent takes.
    pub take: f64,
}

/// The expected points of the side that doubles, if the opponent drops.
pub const DROP: f64 = 1.0;

impl CubeEquities {
    /// The expected points if the side to move rolls without a double.
    pub const fn rolling(&self, owner: CubeOwner) -> f64 {
        match owner {
            CubeOwner::Mover => self.mover,
            CubeOwner::Nobody => self.nobody,
            CubeOwner::Opponent => self.opponent,
        }
    }

    /// The expected points if the side to move may double first.
    pub fn best(&self, owner: CubeOwner) -> f64 {
        self.decision(owner).map_or(self.opponent, |decision| decision.best())
    }

    /// What to do with the cube. Returns `None` if the opponent owns it.
    pub fn decision(&self, owner: CubeOwner) -> Option<CubeDecision> {
        if owner == CubeOwner::Opponent {
            return None;
        }
        let (roll, take) = (self.rolling(owner), 2.0 * self.opponent);
        let action = match take < DROP {
            true if roll < take => CubeAction::DoubleTake,
            true => CubeAction::Roll,
            // Without gammons, a sure win is worth as much as a drop, and ends the game.
            false if roll <= DROP => CubeAction::DoubleDrop,
            false => CubeAction::TooGood,
        };
        Some(CubeDecision { action, roll, take })
    }
}

impl CubeDecision {
    /// The expected points after a double: the opponent chooses.
    pub fn doubling(&self) -> f64 {
        self.take.min(DROP)
    }

    /// The expected points after the best action.
    pub fn best(&self) -> f64 {
        self.roll.max(self.doubling())
    }

    /// What a double gains over a roll without one. It is negative if a double loses points.
    pub fn gain(&self) -> f64 {
        self.doubling() - self.roll
    }

    /// Returns whether the opponent takes a double.
    pub const fn is_taken(&self) -> bool {
        self.take < DROP
    }

    /// Returns whether the best action is a double.
    pub const fn doubles(&self) -> bool {
        matches!(self.action, CubeAction::DoubleTake | CubeAction::DoubleDrop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_goes_where_the_points_are() {
        let equities = |mover, nobody, opponent| CubeEquities { mover, nobody, opponent };
        // A last roll with 17 of 36 shots missed: worth 2/36 without the cube, and a double is taken.
        let last_roll = 2.0 / 36.0;
        for (of, owner, action, best) in [
            (
                equities(last_roll, last_roll, last_roll),
                CubeOwner::Nobody,
                CubeAction::DoubleTake,
                2.0 * last_roll,
            ),
            (equities(0.9, 0.8, 0.6), CubeOwner::Nobody, CubeAction::DoubleDrop, 1.0),
            (equities(0.9, 0.8, 0.6), CubeOwner::Mover, CubeAction::DoubleDrop, 1.0),
            (equities(0.3, 0.2, -0.1), CubeOwner::Nobody, CubeAction::Roll, 0.2),
            (equities(1.3, 1.2, 0.9), CubeOwner::Mover, CubeAction::TooGood, 1.3),
            (equities(1.0, 1.0, 1.0), CubeOwner::Nobody, CubeAction::DoubleDrop, 1.0),
        ] {
            let decision = of.decision(owner).expect("the mover may double");
            assert_eq!(decision.action, action);
            assert_eq!(decision.best(), best);
            assert_eq!(decision.doubles(), decision.gain() >= 0.0);
            assert_eq!(of.best(owner), best);
        }
        let of = equities(0.9, 0.8, 0.6);
        assert_eq!(of.decision(CubeOwner::Opponent), None);
        assert_eq!(of.best(CubeOwner::Opponent), 0.6);
    }

    #[test]
    fn what_one_wins_the_other_loses() {
        let mine =
            Chances { win: 0.75, gammon: 0.25, backgammon: 0.125, lose_gammon: 0.0625, lose_backgammon: 0.0 };
        assert_eq!(mine.points(), 0.8125);
        assert_eq!(mine.for_opponent().points(), -0.8125);
        assert_eq!(mine.for_opponent().for_opponent(), mine);
        assert_eq!(Chances::without_gammons(0.5).points(), 0.5);
    }
}
