//! Shogi as a [`MatchGame`].

use crate::match_result::{GameReport, MatchResult, Played};
use crate::series::{MatchGame, NoFile, TOO_LONG, kept_games};
use game::Position as _;
use shogi::records::{BLACK, End, Ending, Game, WHITE, kif};
use shogi::{Position, Shogi};

impl MatchGame for Shogi {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] = &[
        ("checkmate", "checkmates"),
        ("no legal move", "opponents without a move"),
        ("perpetual check", "perpetual checks of the opponent"),
        ("try", "tries"),
    ];
    const FILE_ENDING: &'static str = "kif";

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }

    fn file(
        &self,
        [black, white]: [&str; 2],
        _: &[(String, String)],
        result: &MatchResult<Position, GameReport>,
    ) -> Result<String, NoFile> {
        let mut file = Vec::new();
        for (report, start, moves) in kept_games(result)? {
            let mut game = Game::of_moves(start, &moves)?;
            game.headers.set(BLACK, black)?;
            game.headers.set(WHITE, white)?;
            game.line.end = Some(End::new(ending(report, &game)));
            file.push(kif::write(&game));
        }
        Ok(file.join("\n"))
    }
}

/// How the game ended, in the words of game records.
fn ending(report: &GameReport, game: &Game) -> Ending {
    let loses = report.winner == Some(game.line.last().turn().other());
    match (report.by, report.winner) {
        ("repetition", _) => Ending::Repetition,
        (by, _) if by == TOO_LONG.by => Ending::MostMoves,
        (_, None) => Ending::Impasse,
        ("perpetual check", Some(_)) if loses => Ending::IllegalMove,
        ("perpetual check", Some(_)) => Ending::OpponentIllegal,
        ("checkmate" | "no legal move", Some(_)) => Ending::Mate,
        // Records have no word for a try. The side to move would have to resign.
        (_, Some(_)) if loses => Ending::Resigned,
        (_, Some(_)) => Ending::Declared,
    }
}
