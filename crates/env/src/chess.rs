//! Chess as a [`MatchGame`].

use crate::match_result::{GameReport, MatchResult, Played};
use crate::series::{MatchGame, NoFile, kept_games};
use chess::{Chess, Position, pgn};
use game::Side;

impl MatchGame for Chess {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] = &[("checkmate", "checkmates")];
    const FILE_ENDING: &'static str = "pgn";

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }

    fn file(
        &self,
        [white, black]: [&str; 2],
        _: &[(String, String)],
        result: &MatchResult<Position, GameReport>,
    ) -> Result<String, NoFile> {
        let mut file = Vec::new();
        for (report, start, moves) in kept_games(result)? {
            let mut game = pgn::Game::of_moves(start, &moves)?;
            game.verdict = match report.winner {
                Some(Side::First) => pgn::Verdict::Win(Side::First),
                Some(Side::Second) => pgn::Verdict::Win(Side::Second),
                None => pgn::Verdict::Draw,
            };
            game.tags.set("White", white)?;
            game.tags.set("Black", black)?;
            game.tags.set("Termination", report.by)?;
            file.push(game.to_string());
        }
        Ok(file.join("\n"))
    }
}
