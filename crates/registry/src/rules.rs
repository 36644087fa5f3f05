//! The rules of a game, with positions and moves as text. Each question is one call through a `dyn` trait; the work inside
//! uses the types of the game.

use crate::applied::Applied;
use crate::error::Error;
use crate::json;
use crate::lines::{self, InputLine, LONGEST_LINE, LineTooLong};
use crate::move_list::MoveList;
use crate::notes::{self, Annotate};
use crate::opened::Drawn;
use crate::session::{Ending, GameSession, Session, position_of};
use game::perft::{self, Counting};
use game::{Info, Notation, Played, Position, Rng};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The rules of an opened game.
pub trait Rules: Send + Sync {
    /// Name, notation and options of the game.
    fn info(&self) -> &'static Info;

    /// The name of these rules among the rule sets of the game. A position may have other rules: see
    /// [`Session::rules_id`].
    fn rules_id(&self) -> String;

    /// Begins a session from a position, or from the start if there is none.
    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error>;

    /// Begins a session from a position, and keeps the moves that stand behind it: repetition counts them.
    ///
    /// # Errors
    /// Returns an error if the text is not a position with moves, or if the game is over before a move.
    fn session_with_past(&self, position: &str) -> Result<Box<dyn Session>, Error>;

    /// Reads one position per line and writes one line of JSON for each: its legal moves and its outcome, or the error.
    fn moves(
        &self,
        listing: Listing,
        after: After,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()>;

    /// Returns the answer of [`moves`](Self::moves) for the position of a session, with the positions [after](After::Told) the
    /// moves. `asked` is the text of the position in the question. `drawn` is what was drawn by lot for it, if anything.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game.
    fn moves_of(
        &self,
        session: &dyn Session,
        asked: &str,
        listing: Listing,
        drawn: Option<&Drawn>,
    ) -> Result<String, Error>;

    /// Plays moves, and outcomes of chance where chance is next, all separated by spaces. The position may have moves, too.
    ///
    /// # Errors
    /// Returns an error if the text is not a position, or names the first move that is not possible.
    fn apply(&self, position: &str, moves: &str) -> Result<Applied, Error>;

    /// Reads a position with moves per line and writes one line of JSON for each: what became of it, or the error.
    fn apply_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;

    /// Counts the sequences of `depth` moves, on the threads of the current rayon pool. `progress` is called from any thread
    /// when a part is done, with the number of sequences in the part and the number of parts.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game, if the count does not fit into a `u64`, or if the threads for
    /// a deep count cannot be started.
    fn perft(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(u64, usize) + Sync),
    ) -> Result<u64, Error>;

    /// Reads one position per line and writes one line of JSON for each: the number of sequences, counted on one thread,
    /// or the error.
    fn perft_lines(
        &self,
        depth: u32,
        counting: Counting,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()>;

    /// Returns the count of [`perft`](Self::perft), split by the first move, or by the outcome of chance if the position
    /// awaits chance. The parts are sorted by their texts, and their sum fits into a `u64`. A finished position has no
    /// parts.
    fn divide(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<(String, u64)>, Error>;

    /// Writes random unfinished positions, one per line. They are reached by random play from the start.
    fn sample(&self, count: u64, seed: u64, format: OutputFormat, output: &mut dyn Write) -> io::Result<()>;
}

/// Selects the moves that are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// Every legal move.
    All,
    /// One move for each resulting position.
    Unique,
}

/// Whether lists of moves have the position after each move. It takes more time than the rest of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Each move and each outcome of chance has the position after it.
    Told,
    /// They have it only if the game always tells it in its notes.
    Omitted,
}

impl Listing {
    /// Calls `visit` for each selected move of a position.
    pub(crate) fn for_each<P: Position>(self, position: &P, visit: impl FnMut(P::Move)) {
        match self {
            Self::All => position.for_each_move(visit),
            Self::Unique => position.unique_successors().into_iter().map(|(m, _)| m).for_each(visit),
        }
    }
}

/// The format of a line of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// The plain text, for people.
    Text,
    /// A JSON object, for programs.
    Json,
}

/// The [`Rules`] of any game.
pub(crate) struct RulesOf<G: Notation> {
    pub(crate) game: Arc<G>,
    /// The notes of the game on a move, if it has any.
    pub(crate) annotate: Option<Annotate<G>>,
}

impl<G: Notation> RulesOf<G> {
    /// Appends the moves and the outcome of a position to an open JSON object.
    #[inline]
    fn push_moves(
        &self,
        position: &G::Position,
        listing: Listing,
        after: After,
        moves: &mut MoveList,
        out: &mut Vec<u8>,
    ) {
        match (self.annotate, after) {
            (None, After::Omitted) => list_moves(&*self.game, position, listing, moves, out),
            (None, After::Told) => notes::list_with_after(&*self.game, position, listing, out),
            (Some(annotate), _) => notes::list(&*self.game, position, listing, annotate, out),
        }
        if position.awaits_chance() {
            list_chances(&*self.game, position, after, out);
        }
        out.extend_from_slice(b",\"outcome\":");
        match position.outcome() {
            None => out.extend_from_slice(b"null"),
            Some(outcome) => json::push(out, &Ending::new(&G::INFO, position, outcome)),
        }
    }
}

/// Appends the texts of the moves.
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

/// Appends the possible outcomes of chance with their weights. It is kept out of the hot code of the lists.
#[inline(never)]
fn list_chances<G: Notation>(game: &G, position: &G::Position, after: After, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"rolls\":[");
    let _ = position.visit_chances(|outcome, weight| {
        out.extend_from_slice(b"{\"roll\":");
        json::push_string(out, &game.chance_text(position, outcome));
        out.extend_from_slice(format!(",\"weight\":{weight}").as_bytes());
        if after == After::Told {
            let next = position.play_chance_unchecked(outcome);
            notes::push_after(&game.position_text(&next), out);
        }
        out.extend_from_slice(b"},");
        ControlFlow::<()>::Continue(())
    });
    out.pop(); // the last comma
    out.push(b']');
}

/// Reads a position. Without a text, it is the start.
fn parse_position<G: Notation>(game: &G, text: Option<&str>) -> Result<G::Position, Error> {
    let Some(text) = text else { return Ok(game.start()) };
    game::read_position(game, text).map_err(|source| not_a_position::<G>(text, source))
}

fn not_a_position<G: Notation>(text: &str, source: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Position { game: G::INFO.title, text: text.to_owned(), source: Box::new(source) }
}

/// Reads one position per line and writes one JSON object for each: the line, and the keys that `answer` appends, or the
/// error that it returns.
pub(crate) fn answer_positions<G: Notation>(
    game: &G,
    input: &mut dyn Read,
    output: &mut dyn Write,
    answer: impl FnMut(G::Position, &mut Vec<u8>) -> Result<(), String>,
) -> io::Result<()> {
    let read = |text: &str| game::read_position(game, text).map_err(|error| error.to_string());
    answer_lines(input, output, read, answer)
}

/// Reads lines and writes one JSON object for each: the line, and the keys that `answer` appends for what `read` makes of it, or
/// the error that one of them returns.
fn answer_lines<T>(
    input: &mut dyn Read,
    output: &mut dyn Write,
    read: impl Fn(&str) -> Result<T, String>,
    mut answer: impl FnMut(T, &mut Vec<u8>) -> Result<(), String>,
) -> io::Result<()> {
    lines::answer_each(input, output, &mut |line, out| {
        let (text, asked) = match line {
            InputLine::Whole(text) => (text, read(text)),
            InputLine::TooLong(text) => {
                (text, Err(format!("{LineTooLong}; only the first {LONGEST_LINE} were read")))
            }
        };
        out.extend_from_slice(b"{\"position\":");
        json::push_string(out, text);
        if let Err(error) = asked.and_then(|asked| answer(asked, out)) {
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

    fn session_with_past(&self, position: &str) -> Result<Box<dyn Session>, Error> {
        let played = Played::parse(&*self.game, position);
        let played = played.map_err(|source| not_a_position::<G>(position, source))?;
        let session = GameSession::with_past(Arc::clone(&self.game), &played);
        Ok(Box::new(session.map_err(|source| not_a_position::<G>(position, source))?))
    }

    fn moves(
        &self,
        listing: Listing,
        after: After,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let mut moves = MoveList::default();
        answer_positions(&*self.game, input, output, |position, out| {
            self.push_moves(&position, listing, after, &mut moves, out);
            Ok(())
        })
    }

    fn moves_of(
        &self,
        session: &dyn Session,
        asked: &str,
        listing: Listing,
        drawn: Option<&Drawn>,
    ) -> Result<String, Error> {
        let mut out = b"{\"position\":".to_vec();
        json::push_string(&mut out, asked);
        let position = position_of::<G>(session)?;
        self.push_moves(position, listing, After::Told, &mut MoveList::default(), &mut out);
        if let Some(drawn) = drawn {
            out.extend_from_slice(b",\"drawn\":");
            json::push(&mut out, drawn);
        }
        out.push(b'}');
        Ok(String::from_utf8(out).expect("texts are UTF-8"))
    }

    fn apply(&self, position: &str, moves: &str) -> Result<Applied, Error> {
        let game = &*self.game;
        let played = Played::parse(game, position);
        let mut played = played.map_err(|source| not_a_position::<G>(position, source))?;
        played.play(game, moves)?;
        Ok(Applied::new(game, &played))
    }

    fn apply_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        let game = &*self.game;
        let read = |text: &str| Played::parse(game, text).map_err(|error| error.to_string());
        answer_lines(input, output, read, |played, out| {
            json::push_members(out, &Applied::new(game, &played));
            Ok(())
        })
    }

    fn perft(
        &self,
        session: &dyn Session,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(u64, usize) + Sync),
    ) -> Result<u64, Error> {
        let nodes = perft::count_parallel(position_of::<G>(session)?, depth, counting, progress)?;
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
            let nodes =
                perft::count(&position, depth, counting).map_err(|error| Error::from(error).to_string())?;
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
        let moves = perft::divide(position, depth, counting)?.into_iter();
        let chances = perft::divide_chances(position, depth, counting)?.into_iter();
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

    fn sample(&self, count: u64, seed: u64, format: OutputFormat, output: &mut dyn Write) -> io::Result<()> {
        let (start, mut rng) = (self.game.start(), Rng::new(seed));
        let (mut text, mut line) = (String::new(), Vec::new());
        for _ in 0..count {
            text.clear();
            line.clear();
            self.game.write_position(&game::sample(&start, &mut rng), &mut text);
            match format {
                OutputFormat::Text => line.extend_from_slice(text.as_bytes()),
                OutputFormat::Json => {
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
