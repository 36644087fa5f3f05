//! Match files: `.mat`, which Jellyfish began and every backgammon program reads.
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
mod write;

pub use error::{MatError, MatErrorKind};
pub use read::read;
pub use write::write;

use crate::board::Board;
use crate::cube::Doublings;
use crate::dice::{Dice, Roll};
use crate::moves::{Move, Turn};
use crate::position::{Phase, Position};
use crate::terms::{Score, ScoreError, Stakes, Terms};
use game::{BySide, IllegalMove, Position as _, Side};

/// How many bytes the text of a match may have. The longest have a tenth.
pub const LONGEST: usize = 4 << 20;

/// A match, or a session for money.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    tags: Vec<Tag>,
    /// Points that win it; for money none do.
    length: Option<u16>,
    jacoby: bool,
    players: BySide<String>,
    games: Vec<Game>,
}

/// What is said about a match: `; [EventDate "2026.11.16"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    name: String,
    value: String,
}

/// A game of a match, up to its end or to where it was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    before: BySide<u32>,
    start: Position,
    actions: Vec<Action>,
    last: Position,
    unplayed: Option<Roll>,
    resigned: Option<(Side, u32)>,
}

/// What a player did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// He rolled and played.
    Play(Roll, Turn),
    /// He doubled.
    Double,
    /// He took the double.
    Take,
    /// He declined it.
    Drop,
}

impl Match {
    /// No games yet. Line ends and colons in the names become spaces, since neither can be written.
    ///
    /// # Errors
    /// If no match is as long.
    pub fn new(length: Option<u16>, jacoby: bool, players: BySide<&str>) -> Result<Self, ScoreError> {
        if let Some(length) = length {
            Score::start(u32::from(length))?;
        }
        let players = BySide { first: clean_name(players.first), second: clean_name(players.second) };
        Ok(Self { tags: Vec::new(), length, jacoby: jacoby && length.is_none(), players, games: Vec::new() })
    }

    /// What is said about it.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Says something about it. Whether the Jacoby rule holds is said already.
    pub fn add_tag(&mut self, tag: Tag) {
        if tag.name != read::JACOBY {
            self.tags.push(tag);
        }
    }

    /// Points that win it; none if it is played for money.
    pub const fn length(&self) -> Option<u16> {
        self.length
    }

    /// Do gammons count only after the cube was turned?
    pub const fn jacoby(&self) -> bool {
        self.jacoby
    }

    /// Who played.
    pub const fn players(&self) -> &BySide<String> {
        &self.players
    }

    /// The games.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Begins the next game; who rolls first is given. The score is as the last game left it.
    ///
    /// # Errors
    /// If the match is over.
    pub fn begin(&mut self, first: Side) -> Result<&mut Game, ScoreError> {
        let before = self.games.last().map_or(BySide::default(), Game::score_after);
        self.begin_at(before, first)
    }

    /// Begins a game with these points before it.
    fn begin_at(&mut self, before: BySide<u32>, first: Side) -> Result<&mut Game, ScoreError> {
        let stakes = match self.length {
            None => Stakes::Money { jacoby: self.jacoby },
            Some(length) => Stakes::Match(self.score(u32::from(length), before)?),
        };
        let terms = Terms { stakes, with_cube: true, cube_limit: Doublings::MOST, dice: Dice::default() };
        let start = Position::start(Board::START, first, Phase::Roll, terms);
        let at = self.games.len();
        self.games.push(Game::new(before, start));
        Ok(&mut self.games[at])
    }

    /// The score before a game. The first one in which a side needs one point more is Crawford's; of a file that begins
    /// later than its match, nobody knows whether that was played, unless both need one.
    fn score(&self, length: u32, before: BySide<u32>) -> Result<Score, ScoreError> {
        let is_close = |points: &BySide<u32>| {
            Side::ALL.into_iter().filter(|&side| points[side].saturating_add(1) == length).count()
        };
        let was_close = self.games.iter().any(|game| is_close(&game.before) > 0);
        Score::new(length, before, is_close(&before) == 1 && !was_close)
    }
}

impl Game {
    const fn new(before: BySide<u32>, start: Position) -> Self {
        Self { before, start, actions: Vec::new(), last: start, unplayed: None, resigned: None }
    }

    /// What each had before it.
    pub const fn before(&self) -> BySide<u32> {
        self.before
    }

    /// Its beginning.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// What was done.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Where it led.
    pub const fn last(&self) -> &Position {
        &self.last
    }

    /// A roll that nobody has played, since the game ended there.
    pub const fn unplayed(&self) -> Option<Roll> {
        self.unplayed
    }

    /// Was it given up?
    pub const fn is_resigned(&self) -> bool {
        self.resigned.is_some()
    }

    /// Who won, and how many points: not only those that the match lacked.
    pub fn result(&self) -> Option<(Side, u32)> {
        let (winner, win) = match (self.resigned, self.last.won()) {
            (Some(resigned), _) => return Some(resigned),
            (None, won) => won?,
        };
        let value = self.last.cube().value();
        let is_single = self.last.terms().stakes == (Stakes::Money { jacoby: true }) && value == 1;
        Some((winner, if is_single { value } else { value * win.multiple() }))
    }

    fn score_after(&self) -> BySide<u32> {
        let mut points = self.before;
        if let Some((winner, won)) = self.result() {
            points[winner] = points[winner].saturating_add(won);
        }
        points
    }

    /// Plays on. Who may double and rolls has decided not to.
    ///
    /// # Errors
    /// If that is not legal there; nothing changes then.
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

    /// The position with a roll, if one can be rolled now.
    pub fn rolled(&self, roll: Roll) -> Option<Position> {
        let awaiting = match self.last.phase() {
            Phase::Double => self.last.play_unchecked(Move::Roll),
            _ => self.last,
        };
        (awaiting.awaits_roll() && self.resigned.is_none()).then(|| awaiting.rolled(roll))
    }

    /// The game ends with a roll that is not played. Who can move nothing has played it.
    ///
    /// # Errors
    /// If nothing can be rolled, or nothing moved.
    pub fn leave(&mut self, roll: Roll) -> Result<(), IllegalMove> {
        match self.rolled(roll) {
            Some(rolled) if self.unplayed.is_none() && !rolled.is_legal(Move::Turn(Turn::DANCE)) => {
                self.unplayed = Some(roll);
                Ok(())
            }
            _ => Err(IllegalMove),
        }
    }

    /// One side gives up, and the other wins so many points: once, twice or thrice the cube.
    ///
    /// # Errors
    /// If the game is over, or that is no such number.
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
    /// A tag. What cannot be written becomes a space, and is left out of the name.
    pub fn new(name: &str, value: &str) -> Self {
        let name = cleaned(name, &['[', ']', '"']).replace(' ', "");
        Self { name: named(name), value: cleaned(value, &['"']) }
    }

    /// What it is about.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says.
    pub fn value(&self) -> &str {
        &self.value
    }
}

fn clean_name(name: &str) -> String {
    named(cleaned(name, &[':']))
}

/// Whoever has no name is `?`: a gap could not be read.
fn named(name: String) -> String {
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Words with one space between, without control characters and these.
fn cleaned(text: &str, unwanted: &[char]) -> String {
    let is_gap = |letter: char| letter.is_whitespace() || letter.is_control() || unwanted.contains(&letter);
    text.split(is_gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
