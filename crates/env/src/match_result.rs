//! The results of the matches of a series, and the reports of their games.

use game::{BySide, Outcome, Position, Side};
use serde::{Serialize, Serializer};
use std::fmt::Debug;

/// A game that has been played to its end.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a, P> {
    /// The side that began.
    pub first: Side,
    /// The last position.
    pub end: &'a P,
    /// The outcome of the game.
    pub outcome: Outcome,
    /// The number of moves that count.
    pub moves: u32,
}

/// The report of a finished game. Every game may have its own fields. As JSON, a report is an object.
pub trait Report: Clone + PartialEq + Debug + Send + Serialize + 'static {
    /// The winner, or `None` for a draw.
    fn winner(&self) -> Option<Side>;

    /// The name of the rule that ended the game, as in its outcome.
    fn by(&self) -> &'static str;

    /// The points of the winner.
    fn points(&self) -> u32;

    /// The number of moves.
    fn moves(&self) -> u32;
}

/// The report of a game without points: who won, by which rule, and after how many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GameReport {
    /// The side that began.
    #[serde(serialize_with = "as_seat")]
    pub first: Side,
    /// The winner, or `None` for a draw.
    #[serde(serialize_with = "as_seat_or_none")]
    pub winner: Option<Side>,
    /// The name of the rule that ended the game.
    pub by: &'static str,
    /// The number of moves.
    pub moves: u32,
}

impl<P> From<&Played<'_, P>> for GameReport {
    fn from(played: &Played<'_, P>) -> Self {
        let &Played { first, outcome, moves, .. } = played;
        Self { first, winner: outcome.winner, by: outcome.by, moves }
    }
}

impl Report for GameReport {
    fn winner(&self) -> Option<Side> {
        self.winner
    }

    fn by(&self) -> &'static str {
        self.by
    }

    fn points(&self) -> u32 {
        u32::from(self.winner.is_some())
    }

    fn moves(&self) -> u32 {
        self.moves
    }
}

/// Writes a side as the number of the agent that plays it: 0 or 1.
pub(crate) fn as_seat<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(*side as u8)
}

/// Writes a side as the number of the agent that plays it, or `None`.
pub(crate) fn as_seat_or_none<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(|side| side as u8).serialize(serializer)
}

/// The result of a match of one or several games.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchResult<P: Position, R> {
    /// The reports of its games, in order.
    pub games: Vec<R>,
    /// The choices of each game: the position, and the move that was chosen in it. Empty unless [`Series`](crate::Series)
    /// keeps them.
    pub kept: Vec<Vec<(P, P::Move)>>,
}

/// The result of a match of any game.
pub trait AnyMatchResult {
    /// The winner of the match, who is the winner of its last game. `None` for a draw.
    fn winner(&self) -> Option<Side>;

    /// The points of each side in all games together.
    fn points(&self) -> BySide<u32>;

    /// The number of moves in all games together.
    fn moves(&self) -> u32;

    /// The winner of each game, and the rule that ended it.
    fn ends(&self) -> Vec<(Option<Side>, &'static str)>;

    /// The reports of its games, in order, each as a JSON object.
    fn games(&self) -> Vec<serde_json::Value>;
}

impl<P: Position, R: Report> AnyMatchResult for MatchResult<P, R> {
    fn winner(&self) -> Option<Side> {
        self.games.last()?.winner()
    }

    fn points(&self) -> BySide<u32> {
        BySide::from_fn(|side| {
            self.games.iter().filter(|game| game.winner() == Some(side)).map(Report::points).sum()
        })
    }

    fn moves(&self) -> u32 {
        self.games.iter().map(Report::moves).sum()
    }

    fn ends(&self) -> Vec<(Option<Side>, &'static str)> {
        self.games.iter().map(|game| (game.winner(), game.by())).collect()
    }

    fn games(&self) -> Vec<serde_json::Value> {
        let value = |game| serde_json::to_value(game).expect("plain data has a JSON form");
        self.games.iter().map(value).collect()
    }
}
