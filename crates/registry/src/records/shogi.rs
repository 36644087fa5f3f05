//! KIF and CSA.

use super::BadGame;
use super::format::{Games, Joined, ReadGame, RecordFormat, WriteError};
use game::{Comment, Event, GameResult, Position as _, Recorded, Side};
use shogi::Shogi;
use shogi::records::{self, End, Ending, RecordError, csa, kif};
use std::io::BufRead;

pub(crate) const KIF: RecordFormat<Shogi> = RecordFormat {
    name: "kif",
    extensions: &["kif", "kifu"],
    read: |_, source| games(kif::stream(source)),
    writer: || Joined::boxed("\n", |_, read| Ok(kif::write(&record(read)?))),
};

pub(crate) const CSA: RecordFormat<Shogi> = RecordFormat {
    name: "csa",
    extensions: &["csa"],
    read: |_, source| games(csa::stream(source)),
    writer: || Joined::boxed("/\n", |_, read| Ok(csa::write(&record(read)?))),
};

fn games<'a>(stream: records::Stream<&'a mut dyn BufRead>) -> Games<'a, Shogi> {
    Box::new(stream.map(|read| match read {
        Ok(game) => Ok(read_game(game)),
        Err(RecordError { line, kind, .. }) => {
            let (ply, wrong_move) = kind.wrong_move().map(|(ply, text)| (ply, text.to_owned())).unzip();
            Err(BadGame { line: Some(line), ply, wrong_move, ..BadGame::new(kind) })
        }
    }))
}

fn read_game(game: records::Game) -> ReadGame<Shogi> {
    let mut played = Recorded::new(*game.line.start());
    played.events = game.line.turns().iter().map(|turn| Event::Move(turn.played())).collect();
    let line = &game.line;
    let turns = line.turns().iter().zip(1..).map(|(turn, events)| (events, &turn.comments));
    let end = line.end.as_ref().map(|end| (played.events.len(), &end.comments));
    let comments = [(0, &line.comments)].into_iter().chain(turns).chain(end);
    let of = |events, comment: &records::Comment| Comment { events, text: comment.text().to_owned() };
    let comments =
        comments.flat_map(|(events, comments)| comments.iter().map(move |comment| of(events, comment)));
    played.comments = comments.collect();
    played.tags = game.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    played.result = game.line.end.as_ref().and_then(|end| result(end.ending, game.line.last().turn()));
    ReadGame { rules: None, played, original: Some(Box::new(game)) }
}

/// The result that an ending gives, seen by the side to move.
fn result(ending: Ending, turn: Side) -> Option<GameResult> {
    let by = reason(ending)?.to_owned();
    Some(GameResult { winner: ending.winner(turn), by: Some(by), points: None })
}

/// The reason for a result in English. `None` if the ending is no result.
const fn reason(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Resigned => Some("resignation"),
        Ending::Repetition => Some("repetition"),
        Ending::Impasse => Some("impasse"),
        Ending::Declared => Some("declaration"),
        Ending::DeclaredDraw => Some("declared draw"),
        Ending::Mate => Some("checkmate"),
        Ending::TimeUp => Some("time"),
        Ending::IllegalMove => Some("illegal move"),
        Ending::OpponentIllegal => Some("illegal move of the opponent"),
        Ending::Absent => Some("absence"),
        Ending::OpponentAbsent => Some("absence of the opponent"),
        Ending::MostMoves => Some("move limit"),
        Ending::Interrupted | Ending::NoMate | Ending::TakenBack | Ending::Error => None,
    }
}

/// The ending with this result. If the formats have no word for the reason, the winner is still right.
fn ending(result: Option<&GameResult>, turn: Side) -> Ending {
    let Some(GameResult { winner, by, .. }) = result else { return Ending::Interrupted };
    let mut fitting = Ending::ALL.into_iter().filter(|ending| ending.winner(turn) == *winner);
    fitting.find(|&ending| reason(ending).is_some_and(|reason| by.as_deref() == Some(reason))).unwrap_or(
        match (by.as_deref(), *winner) {
            (Some("no legal move"), _) => Ending::Mate,
            (Some("perpetual check"), Some(winner)) if winner == turn => Ending::OpponentIllegal,
            (Some("perpetual check"), Some(_)) => Ending::IllegalMove,
            (_, Some(winner)) if winner == turn => Ending::Declared,
            (_, Some(_)) => Ending::Resigned,
            (_, None) => Ending::DeclaredDraw,
        },
    )
}

fn record(read: &ReadGame<Shogi>) -> Result<records::Game, WriteError> {
    if let Some(original) = read.original::<records::Game>() {
        return Ok(original.clone());
    }
    let played = &read.played;
    let mut game = records::Game::new(played.start);
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
        comments.push(records::Comment::new(text));
    }
    for (name, value) in &played.tags {
        game.headers.set(name, value).map_err(WriteError::unwritable)?;
    }
    game.line.end = Some(End::new(ending(played.result.as_ref(), game.line.last().turn())));
    Ok(game)
}
