//! A game in progress, with positions and moves as text, and with undo.

use crate::error::Error;
use crate::rules::Listing;
use game::{
    Event, Game, Info, NotPlayed, Notation, Outcome, PlayFault, Played, Position, Record, Resignation, Rng,
    Side, Style,
};
use serde::Serialize;
use std::any::Any;
use std::sync::Arc;

/// A game in progress.
pub trait Session: Send + Sync {
    /// The name of the rules of this session: those of the game, unless the position has other rules.
    fn rules_id(&self) -> String;

    /// Returns whether these are the rules that the game was opened with.
    fn keeps_rules(&self) -> bool;

    /// The current position, in one line.
    fn position(&self) -> String;

    /// A drawing of the current position, as the first side sees it.
    fn draw(&self, style: Style) -> String;

    /// A drawing of the current position, as the side with this name sees it.
    fn draw_from(&self, side: &str, style: Style) -> String;

    /// The name of the side to move.
    fn turn(&self) -> &'static str;

    /// The moves that can be played now, sorted. Empty if the game is over.
    fn moves(&self) -> Vec<String>;

    /// The legal moves of the position, sorted. They exist even if a draw, such as by repetition, has ended the game.
    fn position_moves(&self, listing: Listing) -> Vec<String>;

    /// The end of the game, if it is over.
    fn ending(&self) -> Option<Ending>;

    /// The end that the side to move may claim: a draw, or a win by declaration. `None` if there is none, or if the game is
    /// over.
    fn claimable(&self) -> Option<Ending>;

    /// Claims the [`claimable`](Self::claimable) end, which ends the game.
    ///
    /// # Errors
    /// Returns an error if nothing can be claimed. Nothing changes then.
    fn claim(&mut self) -> Result<(), Error>;

    /// Ends the game by the resignation of the side with this name. In games for points, the words say how much it gives up.
    ///
    /// # Errors
    /// Returns an error if the game is over, or if the words mean nothing. Nothing changes then.
    fn resign(&mut self, side: &str, words: &str) -> Result<(), Error>;

    /// Takes back a claim or a resignation, and nothing else. Returns what it was. Returns `None` if there is neither.
    fn withdraw(&mut self) -> Option<Ending>;

    /// Plays a move.
    ///
    /// # Errors
    /// Returns an error if the move is not legal. Nothing changes then.
    fn play(&mut self, text: &str) -> Result<(), Error>;

    /// The text of the last move. `None` if there is no move.
    fn last_move(&self) -> Option<String>;

    /// Returns whether chance is next, such as a roll of the dice. There are no moves before it.
    fn awaits_chance(&self) -> bool;

    /// Plays the outcome of chance that the text names, such as the roll of real dice. Returns it in its usual notation.
    ///
    /// # Errors
    /// Returns an error if the outcome is not possible here. Nothing changes then.
    fn play_chance(&mut self, text: &str) -> Result<String, Error>;

    /// Plays a random outcome of chance if chance is next, and returns its text; otherwise returns `None`. Undo takes it
    /// back together with the move before it.
    fn settle(&mut self, rng: &mut Rng) -> Option<String>;

    /// Plays a random move and returns its text. Returns `None` if the game is over.
    fn play_random(&mut self, rng: &mut Rng) -> Option<String>;

    /// The number of outcomes of chance so far, such as rolls.
    fn chances(&self) -> usize;

    /// Begins the same game again, as it was when the session began, or the game of a match.
    fn restart(&mut self);

    /// Returns whether a game follows this one, if it is finished.
    fn has_next_game(&self) -> bool;

    /// Begins the game that follows a finished one: the next game of a match, or another game for points. Returns `false`
    /// if there is none. The moves of the finished game can no longer be taken back.
    fn next_game(&mut self, rng: &mut Rng) -> bool;

    /// Takes back the last move, and a claim after it. Returns the text of the move, or `None` at the start.
    fn undo(&mut self) -> Option<String>;

    /// The session as [`Any`], so that this crate can downcast it to the type of its game.
    fn as_any(&self) -> &dyn Any;
}

/// An outcome with the winner's name. As JSON: `{"winner": "white", "by": "checkmate"}`, and `"points"` in games for points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// The winner's name, in lower case; `None` is a draw.
    pub winner: Option<&'static str>,
    /// The rule that ended the game.
    pub by: &'static str,
    /// The points of the winner, in games that are played for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
}

impl Ending {
    pub(crate) fn new<P: Position>(info: &Info, position: &P, outcome: Outcome) -> Self {
        let Outcome { winner, by } = outcome;
        Self { winner: winner.map(|side| info.sides[side]), by, points: position.points_won() }
    }
}

/// Returns the typed position of a session of this game.
pub(crate) fn position_of<G: Notation>(session: &dyn Session) -> Result<&G::Position, Error> {
    Ok(record_of::<G>(session)?.position())
}

/// Returns the typed record of a session of this game.
pub(crate) fn record_of<G: Notation>(session: &dyn Session) -> Result<&Record<G::Position>, Error> {
    let session = session.as_any().downcast_ref::<GameSession<G>>();
    session.map(|session| &session.record).ok_or(Error::OtherGame { game: G::INFO.title })
}

/// The side with this name; the sides of a game are known by their names outside of this crate.
fn side_named<G: Game>(name: &str) -> Side {
    if name == G::INFO.sides.first { Side::First } else { Side::Second }
}

type MoveOf<G> = <<G as Game>::Position as Position>::Move;
type ChanceOf<G> = <<G as Game>::Position as Position>::Chance;

pub(crate) struct GameSession<G: Notation> {
    game: Arc<G>,
    record: Record<G::Position>,
    /// The number of events that were there when the session began.
    given: usize,
}

impl<G: Notation> GameSession<G> {
    pub(crate) fn new(game: Arc<G>, start: G::Position) -> Self {
        let record = Record::new(start, game.rulebook());
        Self { game, record, given: 0 }
    }

    /// A session after what was played.
    ///
    /// # Errors
    /// Returns an error if the game is over before a move, for example by repetition.
    pub(crate) fn with_past(game: Arc<G>, played: &Played<G::Position>) -> Result<Self, NotPlayed> {
        let mut session = Self::new(game, played.start.clone());
        for (at, &event) in played.events.iter().enumerate() {
            if !session.play_event(event) {
                let text = session.text(event);
                return Err(NotPlayed { number: at + 1, fault: PlayFault::Over { text } });
            }
        }
        session.given = played.events.len();
        Ok(session)
    }

    /// Plays an event. Returns whether the game was not over.
    fn play_event(&mut self, event: Event<MoveOf<G>, ChanceOf<G>>) -> bool {
        match event {
            Event::Move(m) => self.record.play(m).is_ok(),
            Event::Chance(outcome) => self.record.play_chance(outcome).is_ok(),
        }
    }

    /// An outcome of the game as it stands.
    fn ending_by(&self, outcome: Outcome) -> Ending {
        let points = self.record.points_won();
        Ending { points, ..Ending::new(&G::INFO, self.record.position(), outcome) }
    }

    /// The start of the game that follows this one.
    fn next_start(&self, rng: &mut Rng) -> Option<G::Position> {
        let (winner, points) = (self.record.outcome()?.winner?, self.record.points_won()?);
        self.game.game_after(self.record.position(), winner, points, rng)
    }

    /// The text of an event that comes next.
    fn text(&self, event: Event<MoveOf<G>, ChanceOf<G>>) -> String {
        match event {
            Event::Move(m) => self.game.move_text(self.record.position(), m),
            Event::Chance(outcome) => self.game.chance_text(self.record.position(), outcome),
        }
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

    fn draw_from(&self, side: &str, style: Style) -> String {
        self.game.draw_from(self.record.position(), side_named::<G>(side), style)
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
        self.record.outcome().map(|outcome| self.ending_by(outcome))
    }

    fn claimable(&self) -> Option<Ending> {
        self.record.claimable().map(|outcome| self.ending_by(outcome))
    }

    fn resign(&mut self, side: &str, words: &str) -> Result<(), Error> {
        let position = self.record.position();
        let loser = side_named::<G>(side);
        let Some(Resignation { points }) = self.game.resignation(position, loser, words) else {
            return Err(Error::Resignation { text: words.to_owned(), game: G::INFO.title });
        };
        self.record.resign(loser, points).map(|_| ()).map_err(|_| Error::Finished)
    }

    fn withdraw(&mut self) -> Option<Ending> {
        self.record.withdraw().map(|outcome| self.ending_by(outcome))
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
        let previous = Event::last_move(self.record.events());
        let m = self.game.parse_reply(self.record.position(), previous, text)?;
        self.record.play(m).map_err(|_| Error::Finished)
    }

    fn last_move(&self) -> Option<String> {
        let mut before = self.record.positions().iter().zip(self.record.events()).rev();
        before.find_map(|(before, event)| match event {
            Event::Move(m) => Some(self.game.move_text(before, *m)),
            Event::Chance(_) => None,
        })
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

    fn chances(&self) -> usize {
        self.record.events().iter().filter(|event| matches!(event, Event::Chance(_))).count()
    }

    fn restart(&mut self) {
        let given = self.record.events()[..self.given].to_vec();
        self.record = Record::new(self.record.positions()[0].clone(), self.game.rulebook());
        for event in given {
            self.play_event(event);
        }
    }

    fn has_next_game(&self) -> bool {
        // Chance decides only how the game begins, not whether.
        self.next_start(&mut Rng::new(0)).is_some()
    }

    fn next_game(&mut self, rng: &mut Rng) -> bool {
        let Some(next) = self.next_start(rng) else { return false };
        self.record = Record::new(next, self.game.rulebook());
        self.given = 0;
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
