//! A game that is played again from the texts of its moves.

use super::error::MoveListErrorKind;
use crate::{Event, Game, GameOption, GameResult, Notation, Options, Position, Recorded};

/// The rules that a reader is given. A record may name options of its own, which replace those that were given.
#[derive(Debug)]
pub struct Given<'a, G> {
    /// The game.
    pub game: &'a G,
    /// The options of the game that were given.
    pub options: &'a Options,
}

impl<G> Clone for Given<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Given<'_, G> {}

/// A game that was read.
#[derive(Clone, Debug)]
pub struct ListedGame<G: Notation> {
    /// The game with its options, if the record names any.
    pub rules: Option<G>,
    /// The game that was played.
    pub played: Recorded<G::Position>,
}

/// A game that is played again from the texts of its moves.
#[derive(Debug)]
pub struct Replay<G: Notation> {
    rules: Option<G>,
    start: G::Position,
    last: G::Position,
    events: Vec<Event<Move<G>, Chance<G>>>,
    ply: usize,
}

type Move<G> = <<G as Game>::Position as Position>::Move;
type Chance<G> = <<G as Game>::Position as Position>::Chance;

impl<G: Notation> Replay<G> {
    /// Begins a game with these options, from this position, or from the start of the rules.
    ///
    /// # Errors
    /// Returns an error if an option or the position is wrong.
    pub fn begin(
        given: Given<'_, G>,
        options: &[(String, String)],
        start: Option<&str>,
    ) -> Result<Self, MoveListErrorKind> {
        let rules = rules(given, options)?;
        let game = rules.as_ref().unwrap_or(given.game);
        let start = match start {
            None => game.start(),
            Some(text) => game.parse_position(text).map_err(|source| MoveListErrorKind::Start {
                text: text.to_owned(),
                source: Box::new(source),
            })?,
        };
        Ok(Self { rules, last: start.clone(), start, events: Vec::new(), ply: 1 })
    }

    /// Plays a move, or an outcome of chance if chance is next.
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move or a possible outcome. Nothing changes then.
    pub fn play(&mut self, given: Given<'_, G>, text: &str) -> Result<(), MoveListErrorKind> {
        let game = self.rules.as_ref().unwrap_or(given.game);
        let event = if self.last.awaits_chance() {
            Event::Chance(game.parse_chance(&self.last, text)?)
        } else {
            let m = game.parse_reply(&self.last, Event::last_move(&self.events), text)?;
            self.ply += 1;
            Event::Move(m)
        };
        self.last = event.after(&self.last);
        self.events.push(event);
        Ok(())
    }

    /// Returns whether a text is the current position.
    pub fn is_at(&self, given: Given<'_, G>, text: &str) -> bool {
        let game = self.rules.as_ref().unwrap_or(given.game);
        game.parse_position(text).is_ok_and(|position| position == self.last)
    }

    /// The number of the ply that comes next, from 1.
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// Ends the game.
    pub fn finish(
        self,
        tags: Vec<(String, String)>,
        options: Vec<(String, String)>,
        result: Option<GameResult>,
    ) -> ListedGame<G> {
        let Self { rules, start, events, .. } = self;
        ListedGame { rules, played: Recorded { tags, options, events, result, ..Recorded::new(start) } }
    }
}

/// The game with these options. `None` if there are no options.
fn rules<G: Notation>(
    given: Given<'_, G>,
    options: &[(String, String)],
) -> Result<Option<G>, MoveListErrorKind> {
    if options.is_empty() {
        return Ok(None);
    }
    let mut all = given.options.clone();
    for (name, value) in options {
        all.set(option::<G>(name)?, value.clone());
    }
    G::new(&all).map(Some).map_err(|error| MoveListErrorKind::Option(Box::new(error)))
}

/// The option of a game with this name.
pub(super) fn option<G: Game>(name: &str) -> Result<&'static GameOption, MoveListErrorKind> {
    let known = G::INFO.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    known.ok_or_else(|| MoveListErrorKind::UnknownOption { found: name.to_owned(), game: G::INFO.name })
}
