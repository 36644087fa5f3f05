//! What GNU Backgammon thinks of a position.

use crate::equity_answer::serialize_known_chances;
use crate::error::Error;
use crate::session::{Session, position_of};
use backgammon::{Backgammon, Chances, CubeUse, Phase, Position, Terms};
use env::MatchError;
use env::backgammon::agents::gnubg::{
    BestMove, CubeOpinion, Evaluation, Gnubg, GnubgError, Ply, check_variant,
};
use game::{Notation as _, Position as _};
use serde::Serialize;

/// What GNU Backgammon thinks of a position, for money and without a cube, and of the cube if there is one. As JSON: `{"ply",
/// "win", "gammon", "backgammon", "lose_gammon", "lose_backgammon", "equity", "cube", "moves": [{"move", "win", …, "equity"}, …]}`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Opinion {
    /// How many plies it looked ahead.
    pub ply: u8,
    /// The chances of the side to move: before a roll, or with the best move.
    #[serde(flatten, serialize_with = "serialize_known_chances")]
    pub chances: Chances,
    /// The expected points of the side to move.
    pub equity: f64,
    /// What it thinks of a double. `None` if that is not the question.
    pub cube: Option<CubeOpinion>,
    /// The moves, best first. Empty if a roll comes first.
    pub moves: Vec<OpinionOfMove>,
}

/// An opinion together with the text of its position.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OpinionAsked<'a> {
    /// The position as text, as it was given in the question.
    pub position: &'a str,
    /// The opinion.
    #[serde(flatten)]
    pub opinion: &'a Opinion,
}

/// A move, and what the player who makes it can expect then.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpinionOfMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The chances.
    #[serde(flatten, serialize_with = "serialize_known_chances")]
    pub chances: Chances,
    /// The expected points.
    pub equity: f64,
}

/// Asks GNU Backgammon about the position of a session.
pub(crate) fn ask(game: &Backgammon, session: &dyn Session, ply: u8) -> Result<Opinion, Error> {
    let position = position_of::<Backgammon>(session)?;
    let ply = Ply::new(ply).ok_or(Error::Ply { most: Ply::MOST })?;
    opinion(game, position, ply).map_err(|error| Error::Match(MatchError::Agent(error.into())))
}

fn opinion(game: &Backgammon, position: &Position, ply: Ply) -> Result<Opinion, GnubgError> {
    // A wrong question is told even where the program is not installed.
    check_variant(position)?;
    let mut gnubg = Gnubg::start()?;
    if let Phase::Play(_) = position.phase() {
        let moves = gnubg.ranked_moves(position, ply)?;
        let told = |of: &BestMove| OpinionOfMove {
            text: game.move_text(position, of.play),
            equity: of.evaluation.equity,
            chances: of.evaluation.chances,
        };
        // A roll always has a move, if only to dance.
        let best = moves.first().map(|best| best.evaluation);
        let Evaluation { chances, equity } =
            best.unwrap_or(Evaluation { chances: Chances::without_gammons(0.0), equity: 0.0 });
        let moves = moves.iter().map(told).collect();
        return Ok(Opinion { ply: ply.number(), chances, equity, cube: None, moves });
    }
    let chances = gnubg.evaluate_probs(position, ply)?;
    // As for tables, the cube counts unless there is none.
    let terms = Terms { with_cube: game.cube != CubeUse::Never, ..*position.terms() };
    let asked = Position::assembled_unchecked(
        *position.board(),
        position.turn(),
        Phase::Double,
        position.cube(),
        terms,
    );
    let has_decided = position.phase() == Phase::Roll && position.may_double(position.turn());
    let may_double = position.outcome().is_none() && !has_decided && asked.may_double(position.turn());
    let cube = may_double.then(|| gnubg.cube_opinion(&asked, ply)).transpose()?;
    Ok(Opinion { ply: ply.number(), equity: chances.points(), chances, cube, moves: Vec::new() })
}
