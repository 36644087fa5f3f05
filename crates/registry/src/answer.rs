//! The answer of the tables about a position: typed values, from which text and JSON are made.

use crate::error::Error;
use crate::rule50::Rule50;
use game::{Plies, Wdl};
use serde::ser::{Serialize, SerializeMap, Serializer};
use table::{LineEnd, Probed};

/// The only rule that decides positions of tables: who can hold a draw only by giving check for ever, loses.
pub const PERPETUAL_CHECK: &str = "perpetual check";

/// The answer of the tables about a position. As JSON: `{"value", "plies", "moves": [{"move", "value", "plies"}, …]}`,
/// and `"line": ["…", …]` if the line was requested; if a table ends it that cannot be read, also `"line_error"`. A value
/// that a rule decides also has `"by": "perpetual check"`. If the 50-move rule was asked about, the position and the moves
/// also have `"category"` and `"dtz"`.
#[derive(Debug, serde::Serialize)]
pub struct Answer {
    /// The value for the side to move.
    #[serde(flatten, serialize_with = "serialize_known")]
    pub value: Probed,
    /// What the 50-move rule makes of the value, if it was requested.
    #[serde(flatten)]
    pub rule50: Option<Rule50>,
    /// The legal moves, best first.
    pub moves: Vec<RankedMove>,
    /// The best line, if it was requested.
    #[serde(flatten)]
    pub line: Option<Line>,
}

/// An answer together with the text of its position.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Asked<'a> {
    /// The position as text, as it was given in the question.
    pub position: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: &'a Answer,
}

/// A move and its value.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct RankedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The value for the player who makes the move, with the plies that remain after it. `None` if a table is missing.
    #[serde(flatten, serialize_with = "serialize_value")]
    pub value: Option<Probed>,
    /// What the 50-move rule makes of the value, for the player who makes the move. `None` if it was not requested, or if a
    /// table is missing.
    #[serde(flatten)]
    pub rule50: Option<Rule50>,
}

/// The best line: both sides play their best moves. As JSON: `{"line": ["…", …]}`, and `"line_error"` if the rest of the
/// line cannot be read.
#[derive(Debug)]
pub struct Line {
    /// The moves.
    pub moves: Vec<String>,
    /// The reason why the line ends here. An error says that the rest cannot be read.
    pub end: Result<LineEnd, Error>,
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("line", &self.moves)?;
        if let Err(error) = &self.end {
            map.serialize_entry("line_error", &error.to_string())?;
        }
        map.end()
    }
}

fn serialize_known<S: Serializer>(value: &Probed, serializer: S) -> Result<S::Ok, S::Error> {
    serialize_value(&Some(*value), serializer)
}

fn serialize_value<S: Serializer>(value: &Option<Probed>, serializer: S) -> Result<S::Ok, S::Error> {
    let name = value.map(|value| match value.wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    });
    let plies = value.and_then(|value| value.plies).map(|Plies(plies)| plies);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("value", &name)?;
    map.serialize_entry("plies", &plies)?;
    if value.is_some_and(|value| value.by_rule) {
        map.serialize_entry("by", PERPETUAL_CHECK)?;
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule50::Category;
    use serde_json::json;

    #[test]
    fn values_are_told_with_what_decides_them() {
        let told = |value| {
            let ranked = RankedMove { text: "m".to_owned(), value, rule50: None };
            serde_json::to_value(ranked).expect("JSON")
        };
        let win = Probed { wdl: Wdl::Win, plies: None, by_rule: true };
        assert_eq!(
            told(Some(win)),
            json!({"move": "m", "value": "win", "plies": null, "by": "perpetual check"})
        );
        let loss = Probed { wdl: Wdl::Loss, plies: Some(Plies(4)), by_rule: false };
        assert_eq!(told(Some(loss)), json!({"move": "m", "value": "loss", "plies": 4}));
        let drawn = Rule50 { category: Category::BlessedLoss, dtz: Some(-101), dtz_exact: true };
        let ranked = RankedMove { text: "m".to_owned(), value: Some(loss), rule50: Some(drawn) };
        assert_eq!(
            serde_json::to_value(ranked).expect("JSON"),
            json!({"move": "m", "value": "loss", "plies": 4, "category": "blessed-loss", "dtz": -101})
        );
        assert_eq!(told(None), json!({"move": "m", "value": null, "plies": null}));
    }
}
