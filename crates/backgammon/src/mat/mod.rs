//! Match files (`.mat`). Jellyfish introduced the format, and every backgammon program reads it.
//!
//! Every move in a [`Match`] was checked by the rules. The player in the left column is the first side.
//!
//! ```
//! use endspiel_backgammon::mat;
//!
//! let file = " 3 point match
//!
//!  Game 1
//!  Anna : 0                       otto : 0
//!   1)                             31: 8/5 6/5
//!   2)  Doubles => 2                Drops
//!       Wins 1 point
//! ";
//! let played = mat::read(file)?;
//! assert_eq!(played.players().first, "Anna");
//! assert_eq!(played.games()[0].result(), Some((game::Side::First, 1)));
//! assert_eq!(mat::write(&played), file);
//! # Ok::<(), mat::MatError>(())
//! ```

mod error;
mod read;
mod stream;
mod write;

pub use error::{MatError, MatErrorKind};
pub use read::{JACOBY, read};
pub use stream::{MatchGame, MatchGameError, Stream, stream};
pub use write::{write, write_game, write_head};

use crate::board::Board;
use crate::cube::Doublings;
use crate::dice::Roll;
use crate::moves::{Move, Turn};
use crate::position::{Phase, Position};
use crate::terms::{Score, ScoreError, Stakes, Terms};
use game::{BySide, Event, IllegalMove, Position as _, Side};

/// The most bytes that the text of a match may have. The longest matches have a tenth of it.
pub const LONGEST: usize = 4 << 20;

/// A match, or a session for money.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    tags: Vec<Tag>,
    /// The points that win the match, or `None` for money.
    length: Option<u16>,
    jacoby: bool,
    players: BySide<String>,
    games: Vec<Game>,
    /// Whether a side needed one more point before one of the games.
    was_close: bool,
}

/// A statement about a match: `; [EventDate "2026.11.16"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    name: String,
    value: String,
}

/// A game of a match, up to its end or to where it was broken off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    before: BySide<u32>,
    start: Position,
    actions: Vec<Action>,
    last: Position,
    unplayed: Option<Roll>,
    resigned: Option<(Side, u32)>,
}

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// The player rolled and played the roll.
    Play(Roll, Turn),
    /// The player doubled.
    Double,
    /// The player took the double.
    Take,
    /// The player declined the double.
    Drop,
}

impl Match {
    /// Creates a match without games. Line ends and colons in the names become spaces, since the format cannot hold
    /// them.
    ///
    /// # Errors
    /// Returns an error if no match can have this length.
    pub fn new(length: Option<u16>, jacoby: bool, players: BySide<&str>) -> Result<Self, ScoreError> {
        if let Some(length) = length {
            Score::start(u32::from(length))?;
        }
        let players = BySide { first: clean_name(players.first), second: clean_name(players.second) };
        let jacoby = jacoby && length.is_none();
        Ok(Self { tags: Vec::new(), length, jacoby, players, games: Vec::new(), was_close: false })
    }

    /// The tags of the match.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Adds a tag. A tag for the Jacoby rule is ignored, since the match already says whether that rule holds.
    pub fn add_tag(&mut self, tag: Tag) {
        if tag.name != read::JACOBY {
            self.tags.push(tag);
        }
    }

    /// The points that win the match, or `None` if it is played for money.
    pub const fn length(&self) -> Option<u16> {
        self.length
    }

    /// Returns whether the Jacoby rule holds: gammons count only after the cube was turned.
    pub const fn jacoby(&self) -> bool {
        self.jacoby
    }

    /// The names of the players.
    pub const fn players(&self) -> &BySide<String> {
        &self.players
    }

    /// The games of the match.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Begins the next game. `first` has the first roll. The score follows from the last game.
    ///
    /// # Errors
    /// Returns an error if the match is over.
    pub fn begin(&mut self, first: Side) -> Result<&mut Game, ScoreError> {
        let before = self.games.last().map_or(BySide::default(), Game::score_after);
        self.begin_at(before, first)
    }

    /// Begins a game before which the sides have these points.
    fn begin_at(&mut self, before: BySide<u32>, first: Side) -> Result<&mut Game, ScoreError> {
        let stakes = match self.length {
            None => Stakes::Money { jacoby: self.jacoby },
            Some(length) => {
                let length = u32::from(length);
                let close = Side::ALL.into_iter().filter(|&side| before[side].saturating_add(1) == length);
                let close = close.count();
                // The first game in which a side needs one more point is taken for the Crawford game. A file may begin in the
                // middle of its match; then the Crawford game may have been played before. That is certain only if both
                // sides need one point.
                let score = Score::new(length, before, close == 1 && !self.was_close)?;
                self.was_close |= close > 0;
                Stakes::Match(score)
            }
        };
        let terms = Terms { stakes, with_cube: true, cube_limit: Doublings::MOST, ..Terms::default() };
        let start = Position::start(Board::START, first, Phase::Roll, terms);
        let at = self.games.len();
        self.games.push(Game::new(before, start));
        Ok(&mut self.games[at])
    }
}

impl Game {
    const fn new(before: BySide<u32>, start: Position) -> Self {
        Self { before, start, actions: Vec::new(), last: start, unplayed: None, resigned: None }
    }

    /// The points of each side before the game.
    pub const fn before(&self) -> BySide<u32> {
        self.before
    }

    /// The first position of the game.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The actions of both players in order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The moves and rolls of the game, in order. They include the decision to roll where the player could have doubled, and a
    /// [roll](Self::unplayed) that was not played.
    pub fn events(&self) -> Vec<Event<Move, Roll>> {
        let (mut events, mut at) = (Vec::new(), self.start);
        let mut add = |event: Event<Move, Roll>| {
            at = event.after(&at);
            events.push(event);
            at.phase()
        };
        let mut phase = self.start.phase();
        let rolls = self.unplayed.map(|roll| (roll, None));
        let plays = self.actions.iter().map(|&action| match action {
            Action::Play(roll, turn) => Ok((roll, Some(turn))),
            Action::Double => Err(Move::Double),
            Action::Take => Err(Move::Take),
            Action::Drop => Err(Move::Drop),
        });
        for play in plays.chain(rolls.map(Ok)) {
            match play {
                Err(m) => phase = add(Event::Move(m)),
                Ok((roll, turn)) => {
                    if phase == Phase::Double {
                        add(Event::Move(Move::Roll));
                    }
                    phase = add(Event::Chance(roll));
                    if let Some(turn) = turn {
                        phase = add(Event::Move(Move::Turn(turn)));
                    }
                }
            }
        }
        events
    }

    /// Makes a game from its moves and rolls, before which the sides have these points.
    ///
    /// # Errors
    /// Returns an error if a move is not legal or a roll not possible, or if match files have no form for it.
    pub fn of_events(
        before: BySide<u32>,
        start: Position,
        events: &[Event<Move, Roll>],
    ) -> Result<Self, IllegalMove> {
        let mut game = Self::new(before, start);
        let mut rolled = None;
        for &event in events {
            match (event, rolled.take()) {
                (Event::Chance(roll), None) => rolled = Some(roll),
                (Event::Move(Move::Turn(turn)), Some(roll)) => game.play(Action::Play(roll, turn))?,
                // The next roll tells that the player did not double.
                (Event::Move(Move::Roll), None) if game.last.phase() == Phase::Double => {}
                (Event::Move(Move::Double), None) => game.play(Action::Double)?,
                (Event::Move(Move::Take), None) => game.play(Action::Take)?,
                (Event::Move(Move::Drop), None) => game.play(Action::Drop)?,
                _ => return Err(IllegalMove),
            }
        }
        match rolled {
            Some(roll) => game.leave(roll).map(|()| game),
            None => Ok(game),
        }
    }

    /// The last position of the game.
    pub const fn last(&self) -> &Position {
        &self.last
    }

    /// A roll that was not played, since the game ended there.
    pub const fn unplayed(&self) -> Option<Roll> {
        self.unplayed
    }

    /// Returns whether a side resigned.
    pub const fn is_resigned(&self) -> bool {
        self.resigned.is_some()
    }

    /// The winner and the points, or `None` if the game is not over. The points are not limited to those that the
    /// match needed.
    pub fn result(&self) -> Option<(Side, u32)> {
        let (winner, win) = match (self.resigned, self.last.won()) {
            (Some(resigned), _) => return Some(resigned),
            (None, won) => won?,
        };
        let value = self.last.cube().value();
        let is_single = self.last.terms().stakes == (Stakes::Money { jacoby: true }) && value == 1;
        Some((winner, if is_single { value } else { value * win.multiple() }))
    }

    /// The points of each side after the game. Without a result, they are those before it.
    pub fn score_after(&self) -> BySide<u32> {
        let mut points = self.before;
        if let Some((winner, won)) = self.result() {
            points[winner] = points[winner].saturating_add(won);
        }
        points
    }

    /// Plays an action. A player who may double and rolls instead has decided not to double.
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The game is then unchanged.
    pub fn play(&mut self, action: Action) -> Result<(), IllegalMove> {
        if self.result().is_some() || self.unplayed.is_some() {
            return Err(IllegalMove);
        }
        self.last = match action {
            Action::Play(roll, turn) => self.rolled(roll).ok_or(IllegalMove)?.play(Move::Turn(turn))?,
            Action::Double => self.last.play(Move::Double)?,
            Action::Take => self.last.play(Move::Take)?,
            Action::Drop => self.last.play(Move::Drop)?,
        };
        self.actions.push(action);
        Ok(())
    }

    /// Returns the position with this roll, or `None` if no roll is possible now.
    pub fn rolled(&self, roll: Roll) -> Option<Position> {
        let awaiting = match self.last.phase() {
            Phase::Double => self.last.play_unchecked(Move::Roll),
            _ => self.last,
        };
        (awaiting.awaits_roll() && self.resigned.is_none()).then(|| awaiting.rolled(roll))
    }

    /// Ends the game with a roll that is not played. A roll with which no checker can move is a dance instead, and
    /// counts as played.
    ///
    /// # Errors
    /// Returns an error if no roll is possible now, or if no checker can move with this one.
    pub fn leave(&mut self, roll: Roll) -> Result<(), IllegalMove> {
        match self.rolled(roll) {
            Some(rolled) if self.unplayed.is_none() && !rolled.is_legal(Move::Turn(Turn::DANCE)) => {
                self.unplayed = Some(roll);
                Ok(())
            }
            _ => Err(IllegalMove),
        }
    }

    /// Ends the game by a resignation. The winner gets these points, which are one, two or three times the cube.
    ///
    /// # Errors
    /// Returns an error if the game is over, or if the points are not such a multiple.
    pub fn resign(&mut self, winner: Side, points: u32) -> Result<(), IllegalMove> {
        let value = self.last.cube().value();
        let is_possible = (1..=3).any(|multiple| value * multiple == points);
        if self.result().is_some() || !is_possible {
            return Err(IllegalMove);
        }
        self.resigned = Some((winner, points));
        Ok(())
    }
}

impl Tag {
    /// Creates a tag. Characters that cannot be written become spaces in the value and are left out of the name.
    pub fn new(name: &str, value: &str) -> Self {
        let name = cleaned(name, &['[', ']', '"']).replace(' ', "");
        Self { name: named(name), value: cleaned(value, &['"']) }
    }

    /// The name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of the tag.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// The name of a player without characters that the format cannot hold.
pub fn clean_name(name: &str) -> String {
    named(cleaned(name, &[':']))
}

/// Replaces an empty name with `?`, since an empty one could not be read back.
fn named(name: String) -> String {
    if name.is_empty() { "?".to_owned() } else { name }
}

/// The words of a text with one space between them. Control characters and the unwanted ones are left out.
fn cleaned(text: &str, unwanted: &[char]) -> String {
    let is_gap = |letter: char| letter.is_whitespace() || letter.is_control() || unwanted.contains(&letter);
    text.split(is_gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
