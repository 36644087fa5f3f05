//! What backgammon brings to contests: its agents, how its games are won, and match files.

use super::agents::AgentKind;
use crate::agent::Entrant;
use crate::contest::{Contested, NoFile};
use crate::encounter::{Encounter, Played, Report, as_seat};
use backgammon::{Backgammon, Move, Phase, Position, Score, Stakes, Start, Win, mat};
use game::{BySide, Rng, Side};
use serde::{Serialize, Serializer};

/// How a game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BackgammonReport {
    /// Who had the first roll.
    #[serde(serialize_with = "as_seat")]
    pub first: Side,
    /// Who won.
    #[serde(serialize_with = "as_seat")]
    pub winner: Side,
    /// How.
    #[serde(rename = "by", serialize_with = "by_name")]
    pub win: Win,
    /// What it brought.
    pub points: u32,
    /// The value of the cube at the end.
    pub cube: u32,
    /// Turns played, dances among them.
    pub moves: u32,
    /// The score before it, if it was one of a match.
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

/// Why games have no match file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMatchFile {
    /// A file does not say where the checkers stand at first.
    #[error("games in match files begin with the usual board")]
    Start,
    /// Nothing is known of the games but how they ended.
    #[error("what was played has not been kept")]
    NotKept,
}

/// An encounter as a match file (`.mat`), for programs that look at games.
///
/// # Errors
/// If there is no such file of these games.
pub fn match_file(
    game: &Backgammon,
    [first, second]: [&str; 2],
    encounter: &Encounter<Position, BackgammonReport>,
) -> Result<String, NoMatchFile> {
    if game.start != Start::Standard {
        return Err(NoMatchFile::Start);
    }
    if encounter.kept.len() != encounter.games.len() {
        return Err(NoMatchFile::NotKept);
    }
    let (length, jacoby) = match game.terms.stakes {
        Stakes::Money { jacoby } => (None, jacoby),
        Stakes::Match(score) => (Some(score.length()), false),
    };
    let mut file =
        mat::Match::new(length, jacoby, BySide { first, second }).expect("a match of this length was played");
    for (report, chosen) in encounter.games.iter().zip(&encounter.kept) {
        let game = file.begin(report.first).expect("the match was not over before it");
        let actions = chosen.iter().filter_map(|(position, m)| action(position, *m));
        actions.for_each(|action| game.play(action).expect("it was played by the same rules"));
    }
    Ok(mat::write(&file))
}

/// A choice as match files have it, if they do.
fn action(position: &Position, chosen: Move) -> Option<mat::Action> {
    match (chosen, position.roll()) {
        (Move::Turn(turn), Some(roll)) => Some(mat::Action::Play(roll, turn)),
        (Move::Double, _) => Some(mat::Action::Double),
        (Move::Take, _) => Some(mat::Action::Take),
        (Move::Drop, _) => Some(mat::Action::Drop),
        (Move::Roll | Move::Turn(_), _) => None,
    }
}

/// With a match length, every encounter is a match; else a game. Who begins is thrown for before every game.
impl Contested for Backgammon {
    type Report = BackgammonReport;

    const WINS: &'static [(&'static str, &'static str)] = &[
        (Win::Single.name(), "single games"),
        (Win::Gammon.name(), "gammons"),
        (Win::Backgammon.name(), "backgammons"),
        (Win::Drop.name(), "declined doubles"),
    ];

    /// The dice see to it that every game ends.
    const MOST_PLIES: Option<u32> = None;

    const FILE_ENDING: Option<&'static str> = Some("mat");

    fn entrants(&self) -> Vec<Entrant<Position>> {
        AgentKind::ALL.map(AgentKind::entrant).into()
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

    /// Two dice are thrown, as in play.
    fn settled(&self, position: &Position, rng: &mut Rng) -> Option<Position> {
        position.awaits_roll().then(|| position.rolled_by(rng))
    }

    /// Turns count, the cube does not.
    fn counts(&self, position: &Position) -> bool {
        matches!(position.phase(), Phase::Play(_))
    }

    fn file(
        &self,
        names: [&str; 2],
        encounter: &Encounter<Position, BackgammonReport>,
    ) -> Result<String, NoFile> {
        // Names in match files have no colons.
        let [first, second] = names.map(|name| name.replace(':', " ply "));
        Ok(match_file(self, [&first, &second], encounter)?)
    }
}
