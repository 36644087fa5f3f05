//! Match files.

use super::BadGame;
use super::format::{GameWriter, Games, ReadGame, RecordFormat, WriteError};
use backgammon::mat::{self, MatchGame, MatchGameError, Tag};
use backgammon::{Backgammon, Board, Cube, CubeUse, Dice, Phase, Stakes, Variant, Win};
use game::move_lists::Given;
use game::{BySide, Game as _, GameResult, Position as _, Recorded, Side};
use std::io::{BufRead, Write};

pub(crate) const MAT: RecordFormat<Backgammon> =
    RecordFormat { name: "mat", extensions: &["mat"], read, writer: || Box::new(MatchWriter::default()) };

/// The names of the sides, which are also the names of the tags for the players.
const SIDES: BySide<&str> = Backgammon::INFO.sides;
/// The reason of a result when a side gave up.
const RESIGNATION: &str = "resignation";
/// The option with which positions for money have a cube, as in match files.
const WITH_CUBE: (&str, &str) = ("cube", "on");

/// Why a match file cannot hold a game.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Unwritable {
    #[error("match files hold only games that begin with the usual start")]
    Start,
    #[error("a match file that begins after the Crawford game cannot say that it was played")]
    AfterCrawford,
    #[error("match files have no form for one of the moves or for the result")]
    Events,
}

fn read<'a>(_: Given<'a, Backgammon>, source: &'a mut dyn BufRead) -> Games<'a, Backgammon> {
    Box::new(mat::stream(source).map(|read| match read {
        Ok(game) => Ok(read_game(game)),
        Err(MatchGameError { ply, error }) => {
            let wrong_move = error.kind.wrong_move().map(str::to_owned);
            Err(BadGame { line: Some(error.line), ply, wrong_move, ..BadGame::new(error.kind) })
        }
    }))
}

fn read_game(read: MatchGame) -> ReadGame<Backgammon> {
    let game = &read.game;
    let mut played = Recorded::new(*game.start());
    played.events = game.events();
    let players = Side::ALL.map(|side| (SIDES[side].to_owned(), read.players[side].clone()));
    let tags = read.tags.iter().map(|tag| (tag.name().to_owned(), tag.value().to_owned()));
    played.tags = players.into_iter().chain(tags).collect();
    played.options = vec![(WITH_CUBE.0.to_owned(), WITH_CUBE.1.to_owned())];
    played.result = game.result().map(|(winner, points)| {
        let outcome = game.last().outcome().filter(|_| !game.is_resigned());
        let by = outcome.map_or(RESIGNATION, |outcome| outcome.by).to_owned();
        GameResult { winner: Some(winner), by: Some(by), points: Some(points) }
    });
    let terms = *game.start().terms();
    let rules = Backgammon { terms, cube: CubeUse::Always, ..Backgammon::default() };
    ReadGame { rules: Some(rules), played, original: Some(Box::new(read)) }
}

/// Writes games, and before each match its head.
#[derive(Default)]
struct MatchWriter {
    last: Option<Written>,
}

/// What the next game must have in common with the last one to belong to the same match.
struct Written {
    head: Head,
    /// The points after the game. `None` if it has no result.
    points: Option<BySide<u32>>,
    number: usize,
    /// Whether a side needed one more point before one of the games. A reader takes the first such game for the Crawford game.
    was_close: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Head {
    tags: Vec<Tag>,
    length: Option<u16>,
    jacoby: bool,
    players: BySide<String>,
}

impl GameWriter<Backgammon> for MatchWriter {
    fn write(
        &mut self,
        _: &Backgammon,
        _: u64,
        read: &ReadGame<Backgammon>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let head = head(read);
        let last = self.last.as_ref().filter(|last| last.head == head);
        let built;
        let game = match read.original::<MatchGame>() {
            Some(original) => &original.game,
            None => {
                built =
                    build(&read.played, last.and_then(|last| last.points)).map_err(WriteError::unwritable)?;
                &built
            }
        };
        let score = read.played.start.terms().stakes.score().copied();
        let close =
            score.map_or(0, |score| Side::ALL.into_iter().filter(|&side| score.away(side) == 1).count());
        let is_crawford = score.is_some_and(|score| score.is_crawford());
        let last = last.filter(|last| last.points.is_none_or(|points| points == game.before()));
        let last = last.filter(|last| !(is_crawford && last.was_close));
        let was_close = last.is_some_and(|last| last.was_close);
        if close == 1 && !is_crawford && !was_close {
            return Err(WriteError::unwritable(Unwritable::AfterCrawford));
        }
        let number = last.map_or(1, |last| last.number + 1);
        if last.is_none() {
            let gap = if self.last.is_some() { "\n" } else { "" };
            write!(out, "{gap}{}", mat::write_head(&head.tags, head.length, head.jacoby))?;
        }
        out.write_all(mat::write_game(number, &head.players, game).as_bytes())?;
        let points = game.result().map(|_| game.score_after());
        self.last = Some(Written { head, points, number, was_close: was_close || close > 0 });
        Ok(())
    }
}

/// What a game says about its match.
fn head(read: &ReadGame<Backgammon>) -> Head {
    if let Some(MatchGame { tags, length, jacoby, players, .. }) = read.original() {
        return Head { tags: tags.clone(), length: *length, jacoby: *jacoby, players: players.clone() };
    }
    let (length, jacoby) = match read.played.start.terms().stakes {
        Stakes::Money { jacoby } => (None, jacoby),
        Stakes::Match(score) => (Some(score.length()), false),
    };
    let mut players = BySide::from_fn(|_| "?".to_owned());
    let mut tags = Vec::new();
    for (name, value) in &read.played.tags {
        match Side::ALL.into_iter().find(|&side| name.eq_ignore_ascii_case(SIDES[side])) {
            Some(side) => players[side] = mat::clean_name(value),
            None => tags.push(Tag::new(name, value)),
        }
    }
    tags.retain(|tag| tag.name() != mat::JACOBY);
    Head { tags, length, jacoby, players }
}

/// Builds a game for a match file. Before a game for money, the sides have the points of the games before it.
fn build(
    played: &Recorded<backgammon::Position>,
    points: Option<BySide<u32>>,
) -> Result<mat::Game, Unwritable> {
    let (start, terms) = (&played.start, played.start.terms());
    let is_usual = *start.board() == Board::START
        && matches!(start.phase(), Phase::Roll | Phase::Opening)
        && start.cube() == Cube::CENTRED
        && terms.dice == Dice::Any
        && terms.variant == Variant::Standard;
    if !is_usual {
        return Err(Unwritable::Start);
    }
    let before = match terms.stakes {
        Stakes::Money { .. } => points.unwrap_or_default(),
        Stakes::Match(score) => BySide::from_fn(|side| u32::from(score.points(side))),
    };
    let mut game = mat::Game::of_events(before, *start, &played.events).map_err(|_| Unwritable::Events)?;
    if let (None, Some(result)) = (game.result(), &played.result) {
        match result {
            GameResult { winner: Some(winner), points: Some(points), .. } => {
                // A match file has the points of the win, and the result only those that the match needs.
                let last = played.last();
                let wins = [Win::Single, Win::Gammon, Win::Backgammon];
                let win = wins.into_iter().find(|&win| last.points_of(*winner, win) == *points);
                let points = win.map_or(*points, |win| last.cube().value() * win.multiple());
                game.resign(*winner, points).map_err(|_| Unwritable::Events)?;
            }
            _ => return Err(Unwritable::Events),
        }
    }
    Ok(game)
}
