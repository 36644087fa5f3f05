//! The rules of a game, asked in text: every question is one call, and works on the game's own types inside.

use crate::error::Error;
use crate::json;
use crate::lines::{self, Line};
use crate::move_list::MoveList;
use crate::notes::{self, Annotate};
use crate::session::{Ending, GameSession, Session, position_of};
use game::perft::{self, Counting};
use game::{Info, Notation, Position, Rng};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The rules of an opened game.
pub trait Rules: Send + Sync {
    /// What the game says about itself.
    fn info(&self) -> &'static Info;

    /// Names its rules among those of the same game. A position may bring others along: [`Session::rules_id`].
    fn rules_id(&self) -> String;

    /// A game to play or look at, from a position or from the start.
    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error>;

    /// Reads a position per line and answers each with a line of JSON: its legal moves and its outcome, or what is
    /// wrong with it.
    fn moves(&self, listing: Listing, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;

    /// The same answer about the position of a session, which was asked about in these words.
    ///
    /// # Errors
    /// If the session is of another game.
    fn moves_of(&self, session: &dyn Session, asked: &str, listing: Listing) -> Result<String, Error>;

    /// The number of sequences of `depth` moves, on the threads of the current rayon pool. `progress` hears, from any
    /// thread, when a part is done: the sequences in it, and how many parts there are.
    ///
    /// # Errors
    /// If the session is of another game, or no `u64` holds the number.
    fn perft(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(u64, usize) + Sync),
    ) -> Result<u64, Error>;

    /// Reads a position per line and answers each with a line of JSON: the number of sequences, counted on this
    /// thread, or what is wrong with the line.
    fn perft_lines(
        &self,
        depth: u32,
        counting: Counting,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()>;

    /// The same by first moves, or, where chance is awaited, by what it brings, sorted by their text; nothing for a
    /// finished position. Their sum is a `u64` too.
    fn divide(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<(String, u64)>, Error>;

    /// Writes unfinished positions, reached by random play from the start, one per line.
    fn sample(&self, count: u64, seed: u64, form: Form, output: &mut dyn Write) -> io::Result<()>;
}

/// Which moves are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// Every one.
    All,
    /// One for each position that a move leads to.
    Unique,
}

impl Listing {
    /// Shows the moves of a position that are meant.
    pub(crate) fn for_each<P: Position>(self, position: &P, visit: impl FnMut(P::Move)) {
        match self {
            Self::All => position.for_each_move(visit),
            Self::Unique => position.unique_successors().into_iter().map(|(m, _)| m).for_each(visit),
        }
    }
}

/// For whom a line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For people: the bare text.
    Text,
    /// For programs: an object.
    Json,
}

/// The rules of any game.
pub(crate) struct RulesOf<G: Notation> {
    pub(crate) game: Arc<G>,
    /// What it says about a move beside its text.
    pub(crate) annotate: Option<Annotate<G>>,
}

impl<G: Notation> RulesOf<G> {
    /// Appends the moves of a position and its outcome to an open object.
    #[inline]
    fn push_moves(&self, position: &G::Position, listing: Listing, moves: &mut MoveList, out: &mut Vec<u8>) {
        match self.annotate {
            None => list_moves(&*self.game, position, listing, moves, out),
            Some(annotate) => notes::list(&*self.game, position, listing, annotate, out),
        }
        list_chances(&*self.game, position, out);
        out.extend_from_slice(b",\"outcome\":");
        let ending = position.outcome().map(|outcome| Ending::new(&G::INFO, position, outcome));
        Ending::push_json(ending, out);
    }
}

/// The texts of the moves.
fn list_moves<G: Notation>(
    game: &G,
    position: &G::Position,
    listing: Listing,
    moves: &mut MoveList,
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b",\"moves\":[");
    moves.clear();
    listing.for_each(position, |m| moves.push(|text| game.write_move(position, m, text)));
    moves.write_sorted(out);
    out.push(b']');
}

/// What chance may bring, with its weights, where it is awaited.
fn list_chances<G: Notation>(game: &G, position: &G::Position, out: &mut Vec<u8>) {
    if !position.awaits_chance() {
        return;
    }
    out.extend_from_slice(b",\"rolls\":[");
    let _ = position.visit_chances(|outcome, weight| {
        out.extend_from_slice(b"{\"roll\":");
        json::push_string(out, &game.chance_text(position, outcome));
        out.extend_from_slice(format!(",\"weight\":{weight}}},").as_bytes());
        ControlFlow::<()>::Continue(())
    });
    out.pop(); // the last comma
    out.push(b']');
}

/// The position of a text, or the start.
fn parse_position<G: Notation>(game: &G, text: Option<&str>) -> Result<G::Position, Error> {
    let Some(text) = text else { return Ok(game.start()) };
    game.parse_position(text).map_err(|source| Error::Position {
        game: G::INFO.title,
        text: text.to_owned(),
        source: Box::new(source),
    })
}

/// Reads a position per line and answers each with a JSON object: the line, and what `answer` appends, or the error
/// that it gives instead.
pub(crate) fn answer_positions<G: Notation>(
    game: &G,
    input: &mut dyn Read,
    output: &mut dyn Write,
    mut answer: impl FnMut(G::Position, &mut Vec<u8>) -> Result<(), String>,
) -> io::Result<()> {
    lines::answer_each(input, output, |line, out| {
        let (text, position) = match line {
            Line::Whole(text) => (text, game.parse_position(text).map_err(|error| error.to_string())),
            Line::TooLong(text) => (text, Err(lines::too_long())),
        };
        out.extend_from_slice(b"{\"position\":");
        json::push_string(out, text);
        if let Err(error) = position.and_then(|position| answer(position, out)) {
            out.extend_from_slice(b",\"error\":");
            json::push_string(out, &error);
        }
        out.push(b'}');
    })
}

impl<G: Notation> Rules for RulesOf<G> {
    fn info(&self) -> &'static Info {
        &G::INFO
    }

    fn rules_id(&self) -> String {
        self.game.rules_id()
    }

    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error> {
        Ok(Box::new(GameSession::new(Arc::clone(&self.game), parse_position(&*self.game, position)?)))
    }

    fn moves(&self, listing: Listing, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        let mut moves = MoveList::default();
        answer_positions(&*self.game, input, output, |position, out| {
            self.push_moves(&position, listing, &mut moves, out);
            Ok(())
        })
    }

    fn moves_of(&self, session: &dyn Session, asked: &str, listing: Listing) -> Result<String, Error> {
        let mut out = b"{\"position\":".to_vec();
        json::push_string(&mut out, asked);
        self.push_moves(position_of::<G>(session)?, listing, &mut MoveList::default(), &mut out);
        out.push(b'}');
        Ok(String::from_utf8(out).expect("texts are UTF-8"))
    }

    fn perft(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(u64, usize) + Sync),
    ) -> Result<u64, Error> {
        let nodes = perft::count_parallel(position_of::<G>(session)?, depth, counting, progress);
        if nodes == u64::MAX { Err(Error::TooMany { depth }) } else { Ok(nodes) }
    }

    fn perft_lines(
        &self,
        depth: u32,
        counting: Counting,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        answer_positions(&*self.game, input, output, |position, out| {
            let nodes = perft::count(&position, depth, counting);
            if nodes == u64::MAX {
                return Err(Error::TooMany { depth }.to_string());
            }
            out.extend_from_slice(format!(",\"depth\":{depth},\"nodes\":{nodes}").as_bytes());
            Ok(())
        })
    }

    fn divide(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<(String, u64)>, Error> {
        let position = position_of::<G>(session)?;
        let moves = perft::divide(position, depth, counting).into_iter();
        let chances = perft::divide_chances(position, depth, counting).into_iter();
        let moves = moves.map(|(m, nodes)| (self.game.move_text(position, m), nodes));
        let chances = chances.map(|(outcome, nodes)| (self.game.chance_text(position, outcome), nodes));
        let mut parts: Vec<_> = moves.chain(chances).collect();
        let total = parts.iter().fold(0u64, |total, (_, nodes)| total.saturating_add(*nodes));
        if total == u64::MAX {
            return Err(Error::TooMany { depth });
        }
        parts.sort();
        Ok(parts)
    }

    fn sample(&self, count: u64, seed: u64, form: Form, output: &mut dyn Write) -> io::Result<()> {
        let (start, mut rng) = (self.game.start(), Rng::new(seed));
        let (mut text, mut line) = (String::new(), Vec::new());
        for _ in 0..count {
            text.clear();
            line.clear();
            self.game.write_position(&game::sample(&start, &mut rng), &mut text);
            match form {
                Form::Text => line.extend_from_slice(text.as_bytes()),
                Form::Json => {
                    line.extend_from_slice(b"{\"position\":");
                    json::push_string(&mut line, &text);
                    line.push(b'}');
                }
            }
            line.push(b'\n');
            output.write_all(&line)?;
        }
        Ok(())
    }
}
