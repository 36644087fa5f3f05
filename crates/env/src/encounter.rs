//! How games of a contest went.

use game::{BySide, Outcome, Position, Side};
use serde::{Serialize, Serializer};
use std::fmt::Debug;

/// A game that has been played to its end.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a, P> {
    /// Who began.
    pub first: Side,
    /// How it stands at the end.
    pub end: &'a P,
    /// How it ended.
    pub outcome: Outcome,
    /// The moves that count.
    pub moves: u32,
}

/// How a game went, in the words of that game. Its JSON is an object.
pub trait Report: Clone + PartialEq + Debug + Send + Serialize + 'static {
    /// Who won; nobody, if it was a draw.
    fn winner(&self) -> Option<Side>;

    /// By which rule it ended: the name of the outcome.
    fn by(&self) -> &'static str;

    /// What the winner got.
    fn points(&self) -> u32;

    /// The moves that were played.
    fn moves(&self) -> u32;
}

/// How a game without points went: who won, by which rule, and after how many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GameReport {
    /// Who began.
    #[serde(serialize_with = "as_seat")]
    pub first: Side,
    /// Who won; nobody, if it was a draw.
    #[serde(serialize_with = "as_seat_or_none")]
    pub winner: Option<Side>,
    /// By which rule it ended.
    pub by: &'static str,
    /// Moves played.
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

/// The number of who plays a side: 0 or 1.
pub(crate) fn as_seat<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(*side as u8)
}

pub(crate) fn as_seat_or_none<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(|side| side as u8).serialize(serializer)
}

/// How a game, or a match of several, went.
#[derive(Clone, PartialEq, Debug)]
pub struct Encounter<P: Position, R> {
    /// Its games, in order.
    pub games: Vec<R>,
    /// The choices of each game, if they were to be kept: the position, and the move that was chosen in it.
    pub kept: Vec<Vec<(P, P::Move)>>,
}

/// An encounter of whatever game.
pub trait AnyEncounter {
    /// The winner of its last game, who has won the encounter.
    fn winner(&self) -> Option<Side>;

    /// The points of each side.
    fn points(&self) -> BySide<u32>;

    /// The moves of all its games.
    fn moves(&self) -> u32;

    /// How its games ended: who won, and by which rule.
    fn ends(&self) -> Vec<(Option<Side>, &'static str)>;

    /// Its games, in order, each a JSON object.
    fn games(&self) -> Vec<serde_json::Value>;
}

impl<P: Position, R: Report> AnyEncounter for Encounter<P, R> {
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
