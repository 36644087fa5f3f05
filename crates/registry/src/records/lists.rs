//! Lists of moves, the format that every game has.

use super::BadGame;
use super::format::{Games, Joined, ReadGame, RecordFormat};
use game::Notation;
use game::move_lists::{self, Given, MoveListError};
use std::io::BufRead;

pub(super) fn format<G: Notation>() -> RecordFormat<G> {
    RecordFormat {
        name: "moves",
        extensions: &["moves"],
        read,
        writer: || Joined::boxed("\n", |game, read| Ok(move_lists::write(game, &read.played))),
    }
}

fn read<'a, G: Notation>(given: Given<'a, G>, source: &'a mut dyn BufRead) -> Games<'a, G> {
    Box::new(move_lists::read(given, source).map(|read| match read {
        Ok(listed) => Ok(ReadGame::from(listed)),
        Err(MoveListError { line, ply, kind }) => {
            let wrong_move = kind.wrong_move().map(str::to_owned);
            Err(BadGame { line: Some(line), ply, wrong_move, ..BadGame::new(kind) })
        }
    }))
}
