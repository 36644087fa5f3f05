//! Backgammon as a [`MatchGame`]: its agents, its ways to win, and match files.

use super::agents::AgentKind;
use crate::agent::NamedAgent;
use crate::match_result::{MatchResult, Played, Report, as_seat};
use crate::series::{MatchGame, NoFile};
use backgammon::{Backgammon, Board, Move, Phase, Position, Score, Stakes, Win, mat};
use game::{BySide, Rng, Side};
use serde::{Serialize, Serializer};

/// The report of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BackgammonReport {
    /// The side that had the first roll.
    #[serde(serialize_with = "as_seat")]
    pub first: Side,
    /// The winner.
    #[serde(serialize_with = "as_seat")]
    pub winner: Side,
    /// The way in which the game was won.
    #[serde(rename = "by", serialize_with = "by_name")]
    pub win: Win,
    /// The points of the winner.
    pub points: u32,
    /// The value of the cube at the end.
    pub cube: u32,
    /// The number of turns, including dances.
    pub moves: u32,
    /// The score before the game. `None` for money games.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_pair")]
    pub score: Option<BySide<u16>>,
}

fn by_name<S: Serializer>(win: &Win, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(win.name())
}

fn as_pair<S: Serializer>(score: &Option<BySide<u16>>, serializer: S) -> Result<S::Ok, S::Error> {
    score.map(|score| [score.first, score.second]).serialize(serializer)
}

impl Report for BackgammonReport {
    fn winner(&self) -> Option<Side> {
        Some(self.winner)
    }

    fn by(&self) -> &'static str {
        self.win.name()
    }

    fn points(&self) -> u32 {
        self.points
    }

    fn moves(&self) -> u32 {
        self.moves
    }
}

/// Why a match cannot be written to a match file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMatchFile {
    /// The games have another start. A match file cannot store the start.
    #[error("match files can only hold games that begin with the standard start")]
    Start,
    /// The result has only the reports of the games, not their moves.
    #[error("the moves of the match were not kept")]
    NotKept,
}

/// Writes the games of a match as a match file (`.mat`), which programs for game analysis can read.
///
/// # Errors
/// Returns an error if a match file cannot hold these games.
pub fn match_file(
    game: &Backgammon,
    [first, second]: [&str; 2],
    result: &MatchResult<Position, BackgammonReport>,
) -> Result<String, NoMatchFile> {
    if game.start_board() != Board::START {
        return Err(NoMatchFile::Start);
    }
    if result.kept.len() != result.games.len() {
        return Err(NoMatchFile::NotKept);
    }
    let (length, jacoby) = match game.terms.stakes {
        Stakes::Money { jacoby } => (None, jacoby),
        Stakes::Match(score) => (Some(score.length()), false),
    };
    let mut file =
        mat::Match::new(length, jacoby, BySide { first, second }).expect("a match of this length was played");
    for (report, chosen) in result.games.iter().zip(&result.kept) {
        let game = file.begin(report.first).expect("the match was not over before it");
        let actions = chosen.iter().filter_map(|(position, m)| action(position, *m));
        actions.for_each(|action| game.play(action).expect("it was played by the same rules"));
    }
    Ok(mat::write(&file))
}

/// The choice as an action of a match file. Returns `None` for a choice that match files do not contain.
fn action(position: &Position, chosen: Move) -> Option<mat::Action> {
    match (chosen, position.roll()) {
        (Move::Turn(turn), Some(roll)) => Some(mat::Action::Play(roll, turn)),
        (Move::Double, _) => Some(mat::Action::Double),
        (Move::Take, _) => Some(mat::Action::Take),
        (Move::Drop, _) => Some(mat::Action::Drop),
        (Move::Roll | Move::Turn(_), _) => None,
    }
}

/// With a match length, a match is played to that number of points; for money, a match is one game. The side that begins is
/// drawn by lot before every game.
impl MatchGame for Backgammon {
    type Report = BackgammonReport;

    const WINS: &'static [(&'static str, &'static str)] = &[
        (Win::Single.name(), "single games"),
        (Win::Gammon.name(), "gammons"),
        (Win::Backgammon.name(), "backgammons"),
        (Win::Drop.name(), "declined doubles"),
    ];

    /// Every game ends, because of the dice.
    const MOST_PLIES: Option<u32> = None;

    const FILE_ENDING: &'static str = "mat";

    fn named_agents(&self) -> Vec<NamedAgent<Position>> {
        AgentKind::ALL.map(|kind| kind.named_agent(self)).into()
    }

    fn report(&self, played: &Played<'_, Position>) -> BackgammonReport {
        let &Played { first, end, moves, .. } = played;
        let (winner, win) = end.won().expect("the game was played to its end");
        let score = |score: &Score| BySide::from_fn(|side| score.points(side));
        BackgammonReport {
            first,
            winner,
            win,
            points: end.points().unwrap_or_default(),
            cube: end.cube().value(),
            moves,
            score: end.terms().stakes.score().map(score),
        }
    }

    fn begin_game(&self, rng: &mut Rng) -> Position {
        self.begin(Side::by_lot(rng))
    }

    fn plays_matches(&self) -> bool {
        !self.terms.stakes.is_money()
    }

    /// Rolls two dice, in the same way as [`State::settle`](super::State::settle).
    fn settled(&self, position: &Position, rng: &mut Rng) -> Option<Position> {
        position.awaits_roll().then(|| position.rolled_by(rng))
    }

    /// Turns count as moves, decisions about the cube do not.
    fn counts(&self, position: &Position) -> bool {
        matches!(position.phase(), Phase::Play(_))
    }

    fn file(
        &self,
        names: [&str; 2],
        _: &[(String, String)],
        result: &MatchResult<Position, BackgammonReport>,
    ) -> Result<String, NoFile> {
        // Names in match files cannot contain colons.
        let [first, second] = names.map(|name| name.replace("gnubg:", "gnubg ply ").replace(':', " "));
        Ok(match_file(self, [&first, &second], result)?)
    }
}
