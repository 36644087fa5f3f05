//! What becomes of a position by moves.

use crate::opened::Drawn;
use crate::session::Ending;
use game::{Event, Notation, Played, Position, Record};
use serde::Serialize;

/// A position after moves and outcomes of chance. As JSON: `{"played": ["e2e4", …], "after": "…", "outcome": null, "ending": null}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Applied {
    /// What was played, in the usual notation.
    pub played: Vec<String>,
    /// The position after it, in one line.
    pub after: String,
    /// The outcome, if the position is finished.
    pub outcome: Option<Ending>,
    /// The end of a game that reaches the position, also by rules that leave the position its moves, such as a move counter.
    pub ending: Option<Ending>,
}

/// What became of a position, together with its text.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AppliedTo<'a> {
    /// The position as text, as it was given in the question.
    pub position: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub applied: &'a Applied,
    /// What was drawn by lot for the position, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<&'a Drawn>,
}

impl Applied {
    pub(crate) fn new<G: Notation>(game: &G, played: &Played<G::Position>) -> Self {
        let mut before = played.start.clone();
        let text = |event| match event {
            Event::Move(m) => {
                let text = game.move_text(&before, m);
                before = before.play_unchecked(m);
                text
            }
            Event::Chance(outcome) => {
                let text = game.chance_text(&before, outcome);
                before = before.play_chance_unchecked(outcome);
                text
            }
        };
        let texts = played.events.iter().copied().map(text).collect();
        let position = &played.position;
        let end = |outcome| Ending::new(&G::INFO, position, outcome);
        Self {
            played: texts,
            after: game.position_text(position),
            outcome: position.outcome().map(end),
            ending: Record::new(position.clone(), game.rulebook()).outcome().map(end),
        }
    }
}
