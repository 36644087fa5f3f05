//! PGN.

use super::BadGame;
use super::format::{Games, Joined, ReadGame, RecordFormat, WriteError};
use chess::Chess;
use chess::pgn::{self, PgnError, PgnErrorKind, Verdict};
use game::move_lists::Given;
use game::{Comment, Event, GameResult, Position as _, Recorded};
use std::io::BufRead;

pub(crate) const PGN: RecordFormat<Chess> = RecordFormat {
    name: "pgn",
    extensions: &["pgn"],
    read,
    writer: || Joined::boxed("\n", |_, read| text(read)),
};

/// A side passes in the moves of a game. Only analyses may have this.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("`--` is not a legal move here: nobody may pass in a game")]
struct Pass;

fn read<'a>(_: Given<'a, Chess>, source: &'a mut dyn BufRead) -> Games<'a, Chess> {
    Box::new(pgn::read(source).map(|read| match read {
        Ok(game) => read_game(game),
        Err(PgnError { line, ply, kind, .. }) => {
            let wrong_move = match &kind {
                PgnErrorKind::Move { source, .. } => Some(source.text().to_owned()),
                _ => None,
            };
            Err(BadGame { line: Some(line), ply, wrong_move, ..BadGame::new(kind) })
        }
    }))
}

fn read_game(game: pgn::Game) -> Result<ReadGame<Chess>, BadGame> {
    let mut played = Recorded::new(*game.line.start());
    for (at, turn) in game.line.turns().iter().enumerate() {
        match turn.played() {
            Some(m) => played.events.push(Event::Move(m)),
            None => {
                let wrong_move = Some("--".to_owned());
                return Err(BadGame { ply: Some(at + 1), wrong_move, ..BadGame::new(Pass) });
            }
        }
    }
    let comments = |events, comments: &[pgn::Comment]| {
        let of = |comment: &pgn::Comment| Comment { events, text: comment.text().to_owned() };
        comments.iter().map(of).collect::<Vec<_>>()
    };
    played.comments = comments(0, &game.line.comments);
    for (at, turn) in game.line.turns().iter().enumerate() {
        played.comments.extend(comments(at + 1, &turn.comments));
    }
    let known = game.tags.iter().filter(|(_, value)| !matches!(*value, "?" | "????.??.??"));
    played.tags = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    played.result = result(&game);
    Ok(ReadGame { rules: None, played, original: Some(Box::new(game)) })
}

/// The tag with the reason of the end, and its value for what the moves tell themselves.
const TERMINATION: &str = "Termination";
const NORMAL: &str = "normal";

/// The result of a game. The reason is the rule if the last position has this outcome, or else what the tag says.
fn result(game: &pgn::Game) -> Option<GameResult> {
    let winner = match game.verdict {
        Verdict::Open => return None,
        Verdict::Draw => None,
        Verdict::Win(side) => Some(side),
    };
    let outcome = game.line.end().outcome().filter(|outcome| outcome.winner == winner);
    let told = game.tags.get(TERMINATION).filter(|told| !told.eq_ignore_ascii_case(NORMAL));
    let by = outcome.map(|outcome| outcome.by).or(told).map(str::to_owned);
    Some(GameResult { winner, by, points: None })
}

fn text(read: &ReadGame<Chess>) -> Result<String, WriteError> {
    if let Some(original) = read.original::<pgn::Game>() {
        return Ok(original.to_string());
    }
    let played = &read.played;
    let mut game = pgn::Game::new(played.start);
    for event in &played.events {
        if let Event::Move(m) = event {
            game.line.push(*m).map_err(WriteError::unwritable)?;
        }
    }
    for Comment { events, text } in &played.comments {
        let comments = match events.checked_sub(1).and_then(|at| game.line.turns_mut().get_mut(at)) {
            Some(turn) => &mut turn.comments,
            None => &mut game.line.comments,
        };
        comments.push(pgn::Comment::new(text));
    }
    for (name, value) in &played.tags {
        game.tags.set(name, value).map_err(WriteError::unwritable)?;
    }
    if let Some(GameResult { by: Some(by), .. }) = &played.result
        && game.line.end().outcome().is_none_or(|outcome| outcome.by != by)
        && game.tags.get(TERMINATION).is_none()
    {
        game.tags.set(TERMINATION, by).map_err(WriteError::unwritable)?;
    }
    game.verdict = match &played.result {
        None => Verdict::Open,
        Some(GameResult { winner: None, .. }) => Verdict::Draw,
        Some(GameResult { winner: Some(side), .. }) => Verdict::Win(*side),
    };
    Ok(game.to_string())
}
