//! What a game is played for: money, or points towards a match.

use crate::board::{Board, CHECKERS};
use crate::cube::Doublings;
use crate::dice::Dice;
use game::{BySide, Side};

/// What the players agreed on before the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Terms {
    /// What the game is played for.
    pub stakes: Stakes,
    /// Whether there is a doubling cube.
    pub with_cube: bool,
    /// How far the cube can be doubled.
    pub cube_limit: Doublings,
    /// Which dice are used.
    pub dice: Dice,
    /// With how many checkers the game is played.
    pub variant: Variant,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            stakes: Stakes::Money { jacoby: false },
            with_cube: false,
            cube_limit: Doublings::USUAL_LIMIT,
            dice: Dice::Any,
            variant: Variant::Standard,
        }
    }
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Standard, Self::Hyper1, Self::Hyper2, Self::Hyper3];

    /// The name in options and in the names of rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Hyper1 => "hyper1",
            Self::Hyper2 => "hyper2",
            Self::Hyper3 => "hyper3",
        }
    }

    /// The number of checkers of each side.
    pub const fn checkers(self) -> u8 {
        match self {
            Self::Standard => CHECKERS,
            Self::Hyper1 => 1,
            Self::Hyper2 => 2,
            Self::Hyper3 => 3,
        }
    }

    /// The checkers that a [`Board`](crate::Board) counts as off from the beginning, because the game is played without
    /// them.
    pub const fn absent(self) -> u8 {
        CHECKERS - self.checkers()
    }

    /// The board at the usual start of the variant. Hypergammon begins with single checkers on the points farthest from
    /// home.
    pub const fn board(self) -> Board {
        match self {
            Self::Standard => Board::START,
            Self::Hyper1 => Board::symmetric(&[(24, 1)]),
            Self::Hyper2 => Board::symmetric(&[(24, 1), (23, 1)]),
            Self::Hyper3 => Board::symmetric(&[(24, 1), (23, 1), (22, 1)]),
        }
    }
}

/// The number of checkers of each side, and where they begin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variant {
    /// Fifteen checkers a side.
    #[default]
    Standard,
    /// One checker a side.
    Hyper1,
    /// Two checkers a side.
    Hyper2,
    /// Three checkers a side: hypergammon.
    Hyper3,
}

/// What a game is played for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stakes {
    /// A fixed amount of money for each point.
    Money {
        /// Whether the Jacoby rule holds: gammons count only after the cube was turned.
        jacoby: bool,
    },
    /// Points towards a match.
    Match(Score),
}

/// The score of a match before a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Score {
    length: u16,
    points: BySide<u16>,
    crawford: bool,
}

/// An impossible score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScoreError {
    /// The match is too short or too long. It has at least one point, and at most as many as a match ID can hold.
    #[error("a match is played to 1 up to {} points, not to {length}", Score::LONGEST)]
    Length {
        /// The given length.
        length: u32,
    },
    /// A side has enough points to win, so the match is over.
    #[error("{points} points in a match to {length}: it is over")]
    Over {
        /// The points of that side.
        points: u32,
        /// The points that win the match.
        length: u16,
    },
    /// Neither side is one point away from winning the match.
    #[error("the Crawford game is played when a side needs one more point, which neither does")]
    NoCrawford,
}

impl Score {
    /// The longest match: the largest number in the 15 bits of a match ID.
    pub const LONGEST: u16 = (1 << 15) - 1;

    /// The score at the start of a match.
    pub fn start(length: u32) -> Result<Self, ScoreError> {
        Self::new(length, BySide::default(), false)
    }

    /// The score in the course of a match. A match to one point has no Crawford game, since its cube is dead from the
    /// start.
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

    /// The points that win the match.
    pub const fn length(&self) -> u16 {
        self.length
    }

    /// The points that a side has.
    pub fn points(&self, side: Side) -> u16 {
        self.points[side]
    }

    /// The points that a side still needs.
    pub fn away(&self, side: Side) -> u16 {
        self.length - self.points[side]
    }

    /// Returns whether this is the Crawford game: the one game without a cube, after a side first came within one
    /// point.
    pub const fn is_crawford(&self) -> bool {
        self.crawford
    }

    /// Returns whether the Crawford game has been played.
    pub fn is_post_crawford(&self) -> bool {
        self.length > 1 && !self.crawford && self.is_anyone_one_away()
    }

    fn is_anyone_one_away(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.away(side) == 1)
    }

    /// Returns whether the cube may be used at all.
    pub(crate) fn allows_cube(&self) -> bool {
        !self.crawford && self.length > 1
    }

    /// Returns the score before the next game if a side wins this one with this number of points. Returns `None` if
    /// that wins the match.
    pub fn after(&self, winner: Side, points: u32) -> Option<Self> {
        let points = u16::try_from(points).ok().filter(|&points| points < self.away(winner))?;
        let mut next = *self;
        next.points[winner] += points;
        // The game after a side first comes within one point is the Crawford game. There is only one in a match.
        next.crawford = !self.is_anyone_one_away() && next.is_anyone_one_away();
        Some(next)
    }

    /// The score with the sides exchanged.
    #[must_use]
    pub(crate) fn swapped(&self) -> Self {
        Self { points: self.points.swap(), ..*self }
    }
}

impl Stakes {
    /// Returns whether the game is played for money.
    pub const fn is_money(&self) -> bool {
        matches!(self, Self::Money { .. })
    }

    /// The score of the match, or `None` if the game is played for money.
    pub const fn score(&self) -> Option<&Score> {
        match self {
            Self::Money { .. } => None,
            Self::Match(score) => Some(score),
        }
    }

    /// The stakes with the sides exchanged.
    #[must_use]
    pub(crate) fn swapped(&self) -> Self {
        match self {
            Self::Money { .. } => *self,
            Self::Match(score) => Self::Match(score.swapped()),
        }
    }
}
