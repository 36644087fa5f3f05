//! What a game is played for: money, or points towards a match.

use crate::cube::Doublings;
use crate::dice::Dice;
use game::{BySide, Side};

/// What the players agreed on before the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Terms {
    /// What it is played for.
    pub stakes: Stakes,
    /// Is there a doubling cube?
    pub with_cube: bool,
    /// How far it can be doubled.
    pub cube_limit: Doublings,
    /// With which dice.
    pub dice: Dice,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            stakes: Stakes::Money { jacoby: false },
            with_cube: false,
            cube_limit: Doublings::USUAL_LIMIT,
            dice: Dice::Any,
        }
    }
}

/// What a game is played for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stakes {
    /// So much a point.
    Money {
        /// Do gammons count only after the cube was turned?
        jacoby: bool,
    },
    /// Points towards a match.
    Match(Score),
}

/// How a match stands before a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    length: u16,
    points: BySide<u16>,
    crawford: bool,
}

/// What is wrong with a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScoreError {
    /// A match has at least one point, and no more than a match ID can say.
    #[error("a match is played to 1 up to {} points, not to {length}", Score::LONGEST)]
    Length {
        /// What was given.
        length: u32,
    },
    /// The match is over.
    #[error("{points} points in a match to {length}: it is over")]
    Over {
        /// What somebody has.
        points: u32,
        /// What it is played to.
        length: u16,
    },
    /// Nobody is one point away.
    #[error("the Crawford game is played when a side needs one more point, which neither does")]
    NoCrawford,
}

impl Score {
    /// The longest match: what 15 bits of a match ID hold.
    pub const LONGEST: u16 = (1 << 15) - 1;

    /// The beginning of a match.
    pub fn start(length: u32) -> Result<Self, ScoreError> {
        Self::new(length, BySide::default(), false)
    }

    /// A match in its course. A match to one point has no Crawford game: its cube is dead from the start.
    pub fn new(length: u32, points: BySide<u32>, crawford: bool) -> Result<Self, ScoreError> {
        let length = match u16::try_from(length) {
            Ok(short @ 1..=Self::LONGEST) => short,
            _ => return Err(ScoreError::Length { length }),
        };
        let point = |points: u32| match u16::try_from(points) {
            Ok(few) if few < length => Ok(few),
            _ => Err(ScoreError::Over { points, length }),
        };
        let score = Self {
            length,
            points: BySide { first: point(points.first)?, second: point(points.second)? },
            crawford: crawford && length > 1,
        };
        match crawford && !score.is_anyone_one_away() {
            true => Err(ScoreError::NoCrawford),
            false => Ok(score),
        }
    }

    /// Points that win the match.
    pub const fn length(&self) -> u16 {
        self.length
    }

    /// Points that a side has.
    pub fn points(&self, side: Side) -> u16 {
        self.points[side]
    }

    /// Points that a side still needs.
    pub fn away(&self, side: Side) -> u16 {
        self.length - self.points[side]
    }

    /// Is this the one game without a cube, after a side first came within a point?
    pub const fn is_crawford(&self) -> bool {
        self.crawford
    }

    /// Has that game been played?
    pub fn is_post_crawford(&self) -> bool {
        self.length > 1 && !self.crawford && self.is_anyone_one_away()
    }

    fn is_anyone_one_away(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.away(side) == 1)
    }

    /// May the cube be used at all?
    pub(crate) fn allows_cube(&self) -> bool {
        !self.crawford && self.length > 1
    }

    /// The score before the next game, when a side has won this one with so many points; nothing when that wins the
    /// match.
    pub fn after(&self, winner: Side, points: u32) -> Option<Self> {
        let points = u16::try_from(points).ok().filter(|&points| points < self.away(winner))?;
        let mut next = *self;
        next.points[winner] += points;
        // Once somebody is one away, the next game is Crawford's; after that, never again.
        next.crawford = !self.is_anyone_one_away() && next.is_anyone_one_away();
        Some(next)
    }

    /// With the sides exchanged.
    #[must_use]
    pub(crate) fn swapped(&self) -> Self {
        Self { points: self.points.swap(), ..*self }
    }
}

impl Stakes {
    /// Are they for money?
    pub const fn is_money(&self) -> bool {
        matches!(self, Self::Money { .. })
    }

    /// How the match stands, if it is one.
    pub const fn score(&self) -> Option<&Score> {
        match self {
            Self::Money { .. } => None,
            Self::Match(score) => Some(score),
        }
    }

    /// With the sides exchanged.
    #[must_use]
    pub(crate) fn swapped(&self) -> Self {
        match self {
            Self::Money { .. } => *self,
            Self::Match(score) => Self::Match(score.swapped()),
        }
    }
}
