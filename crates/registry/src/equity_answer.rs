//! The answer of tables of expected points about a position: typed values, from which text and JSON are made.

use backgammon::{Chances, CubeAction, CubeDecision, CubeEquities, CubeOwner, DROP};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The answer of tables of expected points about a position, for the side to move. As JSON: `{"table", "exact", "error_bound", "win",
/// "gammon", "backgammon", "lose_gammon", "lose_backgammon", "equity": {"cubeless", "own", "centred", "opponent"}, "cube":
/// {"action", "roll", "take", "drop", "gain"}, "moves": [{"move", "equity", "loss", "win", "cubeless"}, …]}`. What is not known
/// is `null`. If a roll is to be played, the first part is about the best move.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct EquityAnswer {
    /// The expected points and the chances.
    #[serde(flatten)]
    pub expected: Prospect,
    /// What to do with the cube now. `None` if that is not the question, or not known.
    pub cube: Option<CubeAdvice>,
    /// The moves, best first. Empty if a roll comes first.
    pub moves: Vec<RankedPlay>,
}

/// An answer together with the text of its position.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct EquityAsked<'a> {
    /// The position as text, as it was given in the question.
    pub position: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: &'a EquityAnswer,
}

/// What to do with the cube. The points are those of the side that may double or has doubled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeAdvice {
    /// The best action before the roll, and what each choice is worth.
    pub decision: CubeDecision,
    /// Whether the double was offered, and the side to move answers it.
    pub is_offered: bool,
}

/// What a player expects from a position, for a cube of one point.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Prospect {
    /// The table that tells it. `None` if the game is over.
    #[serde(serialize_with = "serialize_table")]
    pub table: Option<backgammon::Slice>,
    /// Whether the table is exact. Otherwise it says how each side bears off alone, and the answer is an approximation.
    pub exact: bool,
    /// The largest error of the expected points, if they are exact apart from rounding.
    #[serde(rename = "error_bound")]
    pub error: Option<f64>,
    /// The chances. `None` if only the expected points are known.
    #[serde(flatten, serialize_with = "serialize_chances")]
    pub chances: Option<Chances>,
    /// The expected points.
    #[serde(rename = "equity")]
    pub points: Points,
}

impl Prospect {
    /// What the opponent expects.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        let Points { cubeless, cube } = self.points;
        let points = Points { cubeless: -cubeless, cube: cube.map(ByOwner::for_opponent) };
        Self { chances: self.chances.map(Chances::for_opponent), points, ..self }
    }
}

/// Expected points of a player, by the owner of the cube, with the best doubles from now on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Points {
    /// Without a cube.
    pub cubeless: f64,
    /// With a cube of each owner. `None` if it is not known.
    pub cube: Option<ByOwner>,
}

/// Expected points by the owner of the cube, as a player sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ByOwner {
    /// If the player owns the cube.
    pub own: f64,
    /// If nobody owns the cube.
    pub centred: f64,
    /// If the opponent owns the cube.
    pub opponent: f64,
}

impl ByOwner {
    /// The same points with each cube.
    pub const fn same(points: f64) -> Self {
        Self { own: points, centred: points, opponent: points }
    }

    /// The points of the opponent.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        Self { own: -self.opponent, centred: -self.centred, opponent: -self.own }
    }

    const fn of(&self, owner: CubeOwner) -> f64 {
        match owner {
            CubeOwner::Mover => self.own,
            CubeOwner::Nobody => self.centred,
            CubeOwner::Opponent => self.opponent,
        }
    }
}

/// The points of a player who may double now, where the cube allows it.
impl From<CubeEquities> for ByOwner {
    fn from(equities: CubeEquities) -> Self {
        let [own, centred, opponent] =
            [CubeOwner::Mover, CubeOwner::Nobody, CubeOwner::Opponent].map(|owner| equities.best(owner));
        Self { own, centred, opponent }
    }
}

impl Points {
    /// The expected points with a cube of this owner, or without a cube where that is not known or not asked for.
    pub fn with(&self, owner: Option<CubeOwner>) -> f64 {
        match (self.cube, owner) {
            (Some(cube), Some(owner)) => cube.of(owner),
            _ => self.cubeless,
        }
    }
}

/// A move and what the player who makes it expects then.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedPlay {
    /// The move as text.
    pub text: String,
    /// The expected points, by which the moves are ranked: with the cube if it is in play and known, otherwise without.
    pub equity: f64,
    /// What the move loses against the best one.
    pub loss: f64,
    /// What the player expects after the move.
    pub expected: Prospect,
}

impl Serialize for RankedPlay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("move", &self.text)?;
        map.serialize_entry("equity", &self.equity)?;
        map.serialize_entry("loss", &self.loss)?;
        map.serialize_entry("win", &self.expected.chances.map(|chances| chances.win))?;
        map.serialize_entry("cubeless", &self.expected.points.cubeless)?;
        map.end()
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("cubeless", &self.cubeless)?;
        for (name, owner) in
            [("own", CubeOwner::Mover), ("centred", CubeOwner::Nobody), ("opponent", CubeOwner::Opponent)]
        {
            map.serialize_entry(name, &self.cube.map(|cube| cube.of(owner)))?;
        }
        map.end()
    }
}

fn serialize_table<S: Serializer>(
    table: &Option<backgammon::Slice>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    table.map(|slice| slice.to_string()).serialize(serializer)
}

/// The chances as members of an object.
pub(crate) fn serialize_known_chances<S: Serializer>(
    chances: &Chances,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serialize_chances(&Some(*chances), serializer)
}

fn serialize_chances<S: Serializer>(chances: &Option<Chances>, serializer: S) -> Result<S::Ok, S::Error> {
    const NAMES: [&str; 5] = ["win", "gammon", "backgammon", "lose_gammon", "lose_backgammon"];
    let known = chances.as_ref().map(Chances::numbers);
    let mut map = serializer.serialize_map(Some(NAMES.len()))?;
    for (place, name) in NAMES.into_iter().enumerate() {
        map.serialize_entry(name, &known.map(|numbers| numbers[place]))?;
    }
    map.end()
}

impl CubeAdvice {
    /// The name of the best action, in JSON.
    const fn action(&self) -> &'static str {
        match (self.is_offered, self.decision.action) {
            (true, _) if self.decision.is_taken() => "take",
            (true, _) => "drop",
            (false, CubeAction::Roll) => "roll",
            (false, CubeAction::TooGood) => "too-good",
            (false, CubeAction::DoubleTake) => "double-take",
            (false, CubeAction::DoubleDrop) => "double-drop",
        }
    }
}

impl Serialize for CubeAdvice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let decision = &self.decision;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("action", self.action())?;
        map.serialize_entry("roll", &decision.roll)?;
        map.serialize_entry("take", &decision.take)?;
        map.serialize_entry("drop", &DROP)?;
        map.serialize_entry("gain", &decision.gain())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_is_told_with_what_is_not_known() {
        let expected = Prospect {
            table: "6x15".parse().ok(),
            exact: true,
            error: Some(0.5),
            chances: None,
            points: Points { cubeless: 0.25, cube: None },
        };
        let play = RankedPlay { text: "6/off".to_owned(), equity: 0.25, loss: 0.0, expected };
        let answer = EquityAnswer { expected, cube: None, moves: vec![play] };
        assert_eq!(
            serde_json::to_value(EquityAsked { position: "x", answer: &answer }).expect("JSON"),
            json!({
                "position": "x", "table": "6x15-cubeless", "exact": true, "error_bound": 0.5, "win": null, "gammon": null,
                "backgammon": null, "lose_gammon": null, "lose_backgammon": null,
                "equity": {"cubeless": 0.25, "own": null, "centred": null, "opponent": null}, "cube": null,
                "moves": [{"move": "6/off", "equity": 0.25, "loss": 0.0, "win": null, "cubeless": 0.25}],
            })
        );
    }
}
