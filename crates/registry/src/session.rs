//! A game being played or looked at: text in, text out, undo.

use crate::error::Error;
use crate::json;
use crate::rules::Listing;
use game::{Info, Notation, Outcome, Position, Record, Rng, Style};
use std::any::Any;
use std::sync::Arc;

/// A game in progress.
pub trait Session: Send + Sync {
    /// Names the rules that hold here: those of the game, unless the position brought others along.
    fn rules_id(&self) -> String;

    /// Are these the rules that the game was opened with?
    fn keeps_rules(&self) -> bool;

    /// The position now, in one line.
    fn position(&self) -> String;

    /// The position now, drawn.
    fn draw(&self, style: Style) -> String;

    /// The name of the side to move.
    fn turn(&self) -> &'static str;

    /// The moves that may be played now, sorted: none when the game is over.
    fn moves(&self) -> Vec<String>;

    /// The legal moves of the position, sorted. A draw that ends the game leaves them there.
    fn position_moves(&self, listing: Listing) -> Vec<String>;

    /// How the game ended, if it has.
    fn ending(&self) -> Option<Ending>;

    /// The end that the side to move may claim, if there is one and the game goes on: a draw, or a win by declaration.
    fn claimable(&self) -> Option<Ending>;

    /// Claims it, which ends the game.
    ///
    /// # Errors
    /// If there is none; nothing changes then.
    fn claim(&mut self) -> Result<(), Error>;

    /// Takes a claim back, and nothing else; false if there is none.
    fn withdraw(&mut self) -> bool;

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; nothing changes then.
    fn play(&mut self, text: &str) -> Result<(), Error>;

    /// Is it for chance to decide what comes next? Then nobody can move until it has.
    fn awaits_chance(&self) -> bool;

    /// Lets chance bring what the text says, such as real dice, and tells it as it is usually written.
    ///
    /// # Errors
    /// If it is not possible here; nothing changes then.
    fn play_chance(&mut self, text: &str) -> Result<String, Error>;

    /// Lets chance decide where it is awaited, and tells what it brought; none elsewhere. Undo takes it back with the move
    /// before it.
    fn settle(&mut self, rng: &mut Rng) -> Option<String>;

    /// Plays a random move and tells which; none when the game is over.
    fn play_random(&mut self, rng: &mut Rng) -> Option<String>;

    /// Begins the game that follows a finished one, if one does: of a match, or another for points. The moves before it
    /// can no longer be taken back.
    fn next_game(&mut self, rng: &mut Rng) -> bool;

    /// Takes the last move back, with a claim after it, and tells which; none at the start.
    fn undo(&mut self) -> Option<String>;

    /// Itself, for those of this crate who know its game.
    fn as_any(&self) -> &dyn Any;
}

/// An outcome with the winner's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner's name, in lower case; `None` is a draw.
    pub winner: Option<&'static str>,
    /// The rule that ended the game.
    pub by: &'static str,
    /// What the winner gets, in games that are played for points.
    pub points: Option<u32>,
}

impl Ending {
    pub(crate) fn new<P: Position>(info: &Info, position: &P, outcome: Outcome) -> Self {
        let Outcome { winner, by } = outcome;
        Self { winner: winner.map(|side| info.sides[side]), by, points: position.points_won() }
    }

    /// As JSON; `null` for a game that goes on.
    pub fn push_json(ending: Option<Self>, out: &mut Vec<u8>) {
        let Some(Self { winner, by, points }) = ending else { return out.extend_from_slice(b"null") };
        out.extend_from_slice(b"{\"winner\":");
        match winner {
            Some(side) => json::push_string(out, side),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"by\":");
        json::push_string(out, by);
        if let Some(points) = points {
            out.extend_from_slice(format!(",\"points\":{points}").as_bytes());
        }
        out.push(b'}');
    }
}

/// The typed position of a session of this game.
pub(crate) fn position_of<G: Notation>(session: &dyn Session) -> Result<&G::Position, Error> {
    let session = session.as_any().downcast_ref::<GameSession<G>>();
    session.map(|session| session.record.position()).ok_or(Error::OtherGame { game: G::INFO.title })
}

pub(crate) struct GameSession<G: Notation> {
    game: Arc<G>,
    record: Record<G::Position>,
}

impl<G: Notation> GameSession<G> {
    pub(crate) fn new(game: Arc<G>, start: G::Position) -> Self {
        let record = Record::new(start, game.rulebook());
        Self { game, record }
    }
}

impl<G: Notation> Session for GameSession<G> {
    fn rules_id(&self) -> String {
        self.game.rules_id_of(self.record.position())
    }

    fn keeps_rules(&self) -> bool {
        self.game.keeps_rules(self.record.position())
    }

    fn position(&self) -> String {
        self.game.position_text(self.record.position())
    }

    fn draw(&self, style: Style) -> String {
        self.game.draw(self.record.position(), style)
    }

    fn turn(&self) -> &'static str {
        G::INFO.sides[self.record.position().turn()]
    }

    fn moves(&self) -> Vec<String> {
        if self.record.outcome().is_some() { Vec::new() } else { self.position_moves(Listing::All) }
    }

    fn position_moves(&self, listing: Listing) -> Vec<String> {
        let position = self.record.position();
        let mut moves = Vec::new();
        listing.for_each(position, |m| moves.push(self.game.move_text(position, m)));
        moves.sort();
        moves
    }

    fn ending(&self) -> Option<Ending> {
        self.record.outcome().map(|outcome| Ending::new(&G::INFO, self.record.position(), outcome))
    }

    fn claimable(&self) -> Option<Ending> {
        self.record.claimable().map(|outcome| Ending::new(&G::INFO, self.record.position(), outcome))
    }

    fn withdraw(&mut self) -> bool {
        self.record.withdraw()
    }

    fn claim(&mut self) -> Result<(), Error> {
        if self.record.outcome().is_some() {
            return Err(Error::Finished);
        }
        self.record.claim()?;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        if self.record.outcome().is_some() {
            return Err(Error::Finished);
        }
        let m = self.game.parse_move(self.record.position(), text)?;
        self.record.play(m).map_err(|_| Error::Finished)
    }

    fn awaits_chance(&self) -> bool {
        self.record.outcome().is_none() && self.record.position().awaits_chance()
    }

    fn play_chance(&mut self, text: &str) -> Result<String, Error> {
        if self.record.outcome().is_some() {
            return Err(Error::Finished);
        }
        let outcome = self.game.parse_chance(self.record.position(), text)?;
        let written = self.game.chance_text(self.record.position(), outcome);
        self.record.play_chance(outcome).map_err(|_| Error::Finished)?;
        Ok(written)
    }

    fn settle(&mut self, rng: &mut Rng) -> Option<String> {
        let before = self.record.position().clone();
        let outcome = self.record.settle(rng)?;
        Some(self.game.chance_text(&before, outcome))
    }

    fn play_random(&mut self, rng: &mut Rng) -> Option<String> {
        if self.record.outcome().is_some() {
            return None;
        }
        let m = game::random_move(self.record.position(), rng)?;
        let text = self.game.move_text(self.record.position(), m);
        self.record.play(m).ok()?;
        Some(text)
    }

    fn next_game(&mut self, rng: &mut Rng) -> bool {
        let Some(next) = self.game.next_game(self.record.position(), rng) else { return false };
        self.record = Record::new(next, self.game.rulebook());
        true
    }

    fn undo(&mut self) -> Option<String> {
        let m = self.record.undo()?;
        Some(self.game.move_text(self.record.position(), m))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
