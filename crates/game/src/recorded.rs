//! A game that was played, as any format of records can tell it.

use crate::{BySide, Event, Notation, Outcome, Position, Record, Side};
use std::fmt::{self, Display};

/// A game that was played: its start, its events, and what a record says about it. Every event is legal in its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded<P: Position> {
    /// Names and values, such as the names of the players, in their order.
    pub tags: Vec<(String, String)>,
    /// The names and values of the options of the game. Without any, the rules are those of the reader.
    pub options: Vec<(String, String)>,
    /// The position before the first event.
    pub start: P,
    /// The moves and the outcomes of chance.
    pub events: Vec<Event<P::Move, P::Chance>>,
    /// How the game ended. `None` if it did not end, or if that is not known.
    pub result: Option<GameResult>,
    /// What the record says about the events, in their order.
    pub comments: Vec<Comment>,
}

/// A comment in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The number of events before it.
    pub events: usize,
    /// Its text.
    pub text: String,
}

/// How a game ended, as a record tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The rule or the reason, in a few words: `checkmate`, `resignation`. `None` if it is not known.
    pub by: Option<String>,
    /// The points of the winner, in games that are played for points.
    pub points: Option<u32>,
}

/// A step of a game: an event, and the positions around it.
#[derive(Clone, Debug)]
pub struct Step<P: Position> {
    /// The number of the ply, from 1. An outcome of chance has the number of the move that follows it.
    pub ply: usize,
    /// The position before the event.
    pub before: P,
    /// The event.
    pub event: Event<P::Move, P::Chance>,
    /// The position after the event.
    pub after: P,
}

impl<P: Position> Recorded<P> {
    /// Creates a game without events.
    pub const fn new(start: P) -> Self {
        Self {
            tags: Vec::new(),
            options: Vec::new(),
            start,
            events: Vec::new(),
            result: None,
            comments: Vec::new(),
        }
    }

    /// Makes the game of a record, with its outcome.
    pub fn of_record(record: &Record<P>) -> Self {
        let points = record.points_won();
        let result = record.outcome().map(|outcome| GameResult::of(outcome, points));
        let start = record.positions()[0].clone();
        Self { events: record.events().to_vec(), result, ..Self::new(start) }
    }

    /// The number of moves.
    pub fn plies(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Move(_))).count()
    }

    /// The steps of the game, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step<P>> {
        let (mut ply, mut before) = (1, self.start.clone());
        self.events.iter().map(move |&event| {
            let after = event.after(&before);
            let step = Step { ply, before: std::mem::replace(&mut before, after.clone()), event, after };
            ply += usize::from(matches!(event, Event::Move(_)));
            step
        })
    }

    /// The comments that follow this number of events.
    pub fn comments_after(&self, events: usize) -> impl Iterator<Item = &str> {
        let first = self.comments.partition_point(|comment| comment.events < events);
        let these = self.comments[first..].iter().take_while(move |comment| comment.events == events);
        these.map(|comment| &*comment.text)
    }

    /// The position after the last event.
    pub fn last(&self) -> P {
        self.events.iter().fold(self.start.clone(), |before, event| event.after(&before))
    }
}

impl<M: Copy, C: Copy> Event<M, C> {
    /// The last move among events. `None` if there is none.
    pub fn last_move(events: &[Self]) -> Option<M> {
        events.iter().rev().find_map(|event| match event {
            Self::Move(m) => Some(*m),
            Self::Chance(_) => None,
        })
    }

    /// The position after the event, which is legal before it.
    pub fn after<P: Position<Move = M, Chance = C>>(&self, before: &P) -> P {
        match *self {
            Self::Move(m) => before.play_unchecked(m),
            Self::Chance(outcome) => before.play_chance_unchecked(outcome),
        }
    }

    /// The text of the event, which is legal in this position.
    pub fn text<G: Notation>(&self, game: &G, before: &G::Position) -> String
    where
        G::Position: Position<Move = M, Chance = C>,
    {
        match *self {
            Self::Move(m) => game.move_text(before, m),
            Self::Chance(outcome) => game.chance_text(before, outcome),
        }
    }
}

impl GameResult {
    /// The result that an outcome gives.
    pub fn of(outcome: Outcome, points: Option<u32>) -> Self {
        Self { winner: outcome.winner, by: Some(outcome.by.to_owned()), points }
    }

    /// The text of the result: `white by checkmate`, `draw by repetition`, `black by gammon for 2 points`, `white`.
    pub fn text(&self, sides: BySide<&'static str>) -> impl Display {
        // The text is one line, and without spaces at its ends.
        let by = self.by.as_deref().unwrap_or_default().replace(char::is_control, " ");
        let by = if by.trim().is_empty() { String::new() } else { format!(" by {}", by.trim()) };
        let points =
            self.points.map(|points| format!(" for {points} point{}", if points == 1 { "" } else { "s" }));
        ResultText {
            winner: self.winner.map_or("draw", |side| sides[side]),
            by,
            points: points.unwrap_or_default(),
        }
    }

    /// Reads a [text](Self::text) of a result.
    pub fn parse(text: &str, sides: BySide<&'static str>) -> Option<Self> {
        let points = |text: &str| {
            let number = text.strip_suffix(" points").or_else(|| text.strip_suffix(" point"))?;
            number.parse().ok()
        };
        let with_points = text.rsplit_once(" for ").and_then(|(text, behind)| Some((text, points(behind)?)));
        let (text, points) = with_points.map_or((text, None), |(text, points)| (text, Some(points)));
        let (winner, by) = match text.split_once(" by ") {
            Some((winner, by)) => (winner, Some(by.trim().to_owned())),
            None => (text, None),
        };
        let side = Side::ALL.into_iter().find(|&side| winner.eq_ignore_ascii_case(sides[side]));
        match side {
            None if !winner.eq_ignore_ascii_case("draw") => None,
            winner => Some(Self { winner, by, points }),
        }
    }
}

struct ResultText {
    winner: &'static str,
    by: String,
    points: String,
}

impl Display for ResultText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.winner, self.by, self.points)
    }
}
