//! Games as lines of JSON, one object for each game. `docs/records.md` describes it.

use super::BadGame;
use super::format::{GameWriter, Games, ReadGame, RecordFormat, WriteError};
use crate::json::push_string;
use game::move_lists::{Given, ListedGame, MOST_TAGS, MoveListErrorKind, Replay};
use game::{Comment, Event, GameResult, Notation, Side, TextLines, quoted};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::{self, BufRead, Write};
use std::marker::PhantomData;

/// The most bytes of a line. With both positions of each ply, a game has ten times the bytes of other formats.
const LONGEST: usize = 16 << 20;
/// The bytes that are collected before they are written.
const BUFFER: usize = 1 << 16;

pub(super) fn format<G: Notation>() -> RecordFormat<G> {
    RecordFormat {
        name: "json",
        extensions: &["jsonl", "json", "ndjson"],
        read,
        writer: || Box::new(JsonWriter(PhantomData)),
    }
}

/// What is wrong in a line.
#[derive(Debug, thiserror::Error)]
enum JsonError {
    #[error("the line is longer than {} MiB", LONGEST >> 20)]
    TooLong,
    #[error("the line is not a game in JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error("a move has neither the key `move` nor `roll`")]
    NoMove,
    #[error("`after` is {}, and that is not the position after {}", quoted(found), quoted(text))]
    After { found: String, text: String },
    #[error("{} is not a side of {game}", quoted(found))]
    Winner { found: String, game: &'static str },
    #[error(transparent)]
    Game(#[from] MoveListErrorKind),
    #[error("the source cannot be read: {0}")]
    Source(io::ErrorKind),
}

/// A game in JSON. Other keys are ignored.
#[derive(Deserialize)]
struct JsonGame {
    game: Option<String>,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    tags: Map<String, Value>,
    start: Option<String>,
    result: Option<JsonResult>,
    #[serde(default)]
    comments: Vec<String>,
    moves: Vec<JsonEvent>,
}

#[derive(Deserialize)]
struct JsonResult {
    winner: Option<String>,
    by: Option<String>,
    points: Option<u32>,
}

#[derive(Deserialize)]
struct JsonEvent {
    #[serde(rename = "move")]
    text: Option<String>,
    roll: Option<String>,
    after: Option<String>,
    #[serde(default)]
    comments: Vec<String>,
}

fn read<'a, G: Notation>(given: Given<'a, G>, source: &'a mut dyn BufRead) -> Games<'a, G> {
    let (mut lines, mut line) = (TextLines::new(source, LONGEST + 1), 0);
    Box::new(std::iter::from_fn(move || {
        loop {
            line += 1;
            let bytes = match lines.read() {
                Ok(bytes) => bytes?,
                Err(error) => return Some(Err(bad(line, None, JsonError::Source(error.kind())))),
            };
            if !bytes.trim_ascii().is_empty() {
                return Some(read_line(given, bytes).map_err(|(ply, why)| bad(line, ply, why)));
            }
        }
    }))
}

fn bad(line: usize, ply: Option<usize>, why: JsonError) -> BadGame {
    let wrong_move = match &why {
        JsonError::Game(kind) => kind.wrong_move().map(str::to_owned),
        _ => None,
    };
    BadGame { line: Some(line), ply, wrong_move, ..BadGame::new(why) }
}

/// Reads a game. The error has the number of its ply, if it is in the moves.
fn read_line<G: Notation>(
    given: Given<'_, G>,
    bytes: &[u8],
) -> Result<ReadGame<G>, (Option<usize>, JsonError)> {
    let before_moves = |error: JsonError| (None, error);
    if bytes.len() > LONGEST {
        return Err(before_moves(JsonError::TooLong));
    }
    let JsonGame { game, options, tags, start, result, comments, moves } =
        serde_json::from_slice(bytes).map_err(|error| before_moves(error.into()))?;
    if let Some(found) = game.filter(|name| !name.eq_ignore_ascii_case(G::INFO.name)) {
        let other = MoveListErrorKind::OtherGame { found, game: G::INFO.name };
        return Err(before_moves(other.into()));
    }
    if tags.len().max(options.len()) > MOST_TAGS {
        return Err(before_moves(MoveListErrorKind::TooManyTags.into()));
    }
    let options = pairs(options);
    let result = result.map(read_result::<G>).transpose().map_err(before_moves)?;
    let begun = Replay::begin(given, &options, start.as_deref());
    let mut replay = begun.map_err(|error| before_moves(error.into()))?;
    let of = |events| move |text| Comment { events, text };
    let mut all_comments: Vec<Comment> = comments.into_iter().map(of(0)).collect();
    for (at, JsonEvent { text, roll, after, comments }) in moves.into_iter().enumerate() {
        all_comments.extend(comments.into_iter().map(of(at + 1)));
        let ply = Some(replay.ply());
        let text = text.or(roll).ok_or((ply, JsonError::NoMove))?;
        replay.play(given, &text).map_err(|error| (ply, error.into()))?;
        if let Some(found) = after.filter(|after| !replay.is_at(given, after)) {
            return Err((ply, JsonError::After { found, text }));
        }
    }
    let ListedGame { rules, mut played } = replay.finish(pairs(tags), options, result);
    played.comments = all_comments;
    Ok(ReadGame { rules, played, original: None })
}

/// Names and values. A value that is no text is taken as it is written.
fn pairs(object: Map<String, Value>) -> Vec<(String, String)> {
    let text = |value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    object.into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn read_result<G: Notation>(result: JsonResult) -> Result<GameResult, JsonError> {
    let JsonResult { winner, by, points } = result;
    let side = |found: String| {
        let known = Side::ALL.into_iter().find(|&side| found.eq_ignore_ascii_case(G::INFO.sides[side]));
        known.ok_or(JsonError::Winner { found, game: G::INFO.title })
    };
    Ok(GameResult { winner: winner.map(side).transpose()?, by, points })
}

struct JsonWriter<G>(PhantomData<fn(G)>);

impl<G: Notation> GameWriter<G> for JsonWriter<G> {
    fn write(
        &mut self,
        game: &G,
        number: u64,
        read: &ReadGame<G>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let played = &read.played;
        let mut line = b"{\"game\":".to_vec();
        push_string(&mut line, G::INFO.name);
        line.extend_from_slice(format!(",\"number\":{number}").as_bytes());
        if !played.options.is_empty() {
            line.extend_from_slice(b",\"options\":");
            push_pairs(&mut line, &played.options);
        }
        line.extend_from_slice(b",\"tags\":");
        push_pairs(&mut line, &played.tags);
        line.extend_from_slice(b",\"start\":");
        let mut before = String::new();
        game.write_position(&played.start, &mut before);
        push_string(&mut line, &before);
        line.extend_from_slice(b",\"result\":");
        push_result::<G>(&mut line, played.result.as_ref());
        push_comments(&mut line, played.comments_after(0));
        line.extend_from_slice(b",\"moves\":[");
        let mut after = String::new();
        for (at, step) in played.steps().enumerate() {
            if at > 0 {
                line.push(b',');
            }
            line.extend_from_slice(format!("{{\"ply\":{},\"before\":", step.ply).as_bytes());
            push_string(&mut line, &before);
            line.extend_from_slice(match step.event {
                Event::Move(_) => b",\"move\":",
                Event::Chance(_) => b",\"roll\":",
            });
            push_string(&mut line, &step.event.text(game, &step.before));
            line.extend_from_slice(b",\"after\":");
            after.clear();
            game.write_position(&step.after, &mut after);
            push_string(&mut line, &after);
            push_comments(&mut line, played.comments_after(at + 1));
            line.push(b'}');
            std::mem::swap(&mut before, &mut after);
            if line.len() >= BUFFER {
                out.write_all(&line)?;
                line.clear();
            }
        }
        line.extend_from_slice(b"]}\n");
        Ok(out.write_all(&line)?)
    }
}

fn push_pairs(out: &mut Vec<u8>, pairs: &[(String, String)]) {
    let object: Map<String, Value> =
        pairs.iter().map(|(name, value)| (name.clone(), Value::String(value.clone()))).collect();
    out.extend_from_slice(crate::json::json_text(&object).as_bytes());
}

/// Appends the comments of a place in the game to its object, if there are any.
fn push_comments<'a>(out: &mut Vec<u8>, comments: impl Iterator<Item = &'a str>) {
    let comments: Vec<&str> = comments.collect();
    if !comments.is_empty() {
        out.extend_from_slice(b",\"comments\":");
        out.extend_from_slice(crate::json::json_text(&comments).as_bytes());
    }
}

fn push_result<G: Notation>(out: &mut Vec<u8>, result: Option<&GameResult>) {
    let Some(GameResult { winner, by, points }) = result else { return out.extend_from_slice(b"null") };
    let mut object = Map::new();
    object.insert("winner".to_owned(), winner.map(|side| G::INFO.sides[side]).into());
    object.insert("by".to_owned(), by.clone().into());
    if let Some(points) = points {
        object.insert("points".to_owned(), (*points).into());
    }
    out.extend_from_slice(crate::json::json_text(&object).as_bytes());
}
