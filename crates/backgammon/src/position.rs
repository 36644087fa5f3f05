//! A position: the board, whose turn it is, what happens next, and what is at stake.

use crate::board::Board;
use crate::cube::Cube;
use crate::dice::{Dice, Roll};
use crate::field::Field;
use crate::moves::Move;
use crate::places::Canonical;
use crate::terms::{Stakes, Terms};
use game::{Outcome, Rng, Side};
use std::ops::ControlFlow;

/// A legal position. 64 bytes, copied freely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    turn: Side,
    phase: Phase,
    cube: Cube,
    terms: Terms,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The player on turn rolls the first roll of the game, which is no double: each player threw one die, and who
    /// threw more begins.
    Opening,
    /// He rolls.
    Roll,
    /// He may double before he rolls.
    Double,
    /// He was offered a double.
    Answer,
    /// He plays a roll.
    Play(Roll),
    /// He has declined the double, and lost.
    Dropped,
}

/// How a game was won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Win {
    /// By a double that was declined.
    Drop,
    /// The loser had borne off a checker.
    Single,
    /// The loser had borne off none.
    Gammon,
    /// Nor had his last checkers left the bar or the winner's home.
    Backgammon,
}

impl Win {
    /// How often the value of the cube it counts.
    pub const fn multiple(self) -> u32 {
        match self {
            Self::Drop | Self::Single => 1,
            Self::Gammon => 2,
            Self::Backgammon => 3,
        }
    }

    /// In a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "declined double",
            Self::Single => "single game",
            Self::Gammon => "gammon",
            Self::Backgammon => "backgammon",
        }
    }
}

impl Position {
    /// From parts that were a position once; nothing is asked. What comes from elsewhere is a [`Setup`](crate::Setup).
    #[inline]
    pub const fn assembled_unchecked(
        board: Board,
        turn: Side,
        phase: Phase,
        cube: Cube,
        terms: Terms,
    ) -> Self {
        Self { board, turn, phase, cube, terms }
    }

    /// The beginning of a game: the first roll belongs to this side. Nobody doubles before it.
    pub const fn start(board: Board, first: Side, opening: Phase, terms: Terms) -> Self {
        Self::assembled_unchecked(board, first, opening, Cube::CENTRED, terms)
    }

    /// The checkers.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What happens next. In a game that is over, nothing does.
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The roll to be played, if there is one.
    #[inline]
    pub const fn roll(&self) -> Option<Roll> {
        match self.phase {
            Phase::Play(roll) => Some(roll),
            _ => None,
        }
    }

    /// The cube.
    #[inline]
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// What is played for.
    #[inline]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The board as the player on turn sees it.
    #[inline]
    pub fn field(&self) -> Field {
        Field::new(&self.board, self.turn)
    }

    /// Would the cube and the score allow this side to double?
    pub fn may_double(&self, side: Side) -> bool {
        self.terms.with_cube
            && self.terms.stakes.score().is_none_or(|score| score.allows_cube())
            && self.cube.is_available_to(side, self.terms.cube_limit)
    }

    /// Who has won and how, if anyone has.
    #[inline]
    pub fn won(&self) -> Option<(Side, Win)> {
        if self.phase == Phase::Dropped {
            return Some((self.turn.other(), Win::Drop));
        }
        let winner = self.board.finished()?;
        Some((winner, self.kind_of_loss(winner.other())))
    }

    fn kind_of_loss(&self, loser: Side) -> Win {
        // A loser's way begins in the winner's home.
        const BEHIND: usize = 6;
        if self.board.off(loser) > 0 {
            return Win::Single;
        }
        let is_behind = self.board.counts(loser)[..=BEHIND].iter().any(|&count| count > 0);
        if is_behind { Win::Backgammon } else { Win::Gammon }
    }

    /// What the winner gets: the value of the cube, once, twice or thrice. With the Jacoby rule gammons count once until
    /// the cube is turned; in a match nobody gets more than he needs.
    pub fn points(&self) -> Option<u32> {
        let (winner, win) = self.won()?;
        let points = self.cube.value() * win.multiple();
        Some(match self.terms.stakes {
            Stakes::Money { jacoby: true } if self.cube.value() == 1 => 1,
            Stakes::Money { .. } => points,
            Stakes::Match(score) => points.min(u32::from(score.away(winner))),
        })
    }

    /// Are dice to be rolled?
    #[inline]
    pub fn awaits_roll(&self) -> bool {
        matches!(self.phase, Phase::Roll | Phase::Opening) && self.board.finished().is_none()
    }

    /// The weight of a roll here, out of the sum of all; 0 for what cannot be rolled.
    pub fn weight(&self, roll: Roll) -> u32 {
        let weight = self.terms.dice.weight(roll);
        match (self.phase, self.terms.dice) {
            // With dice that show nothing but doubles, the opening shows one as well.
            (Phase::Opening, Dice::Any) if roll.is_double() => 0,
            (Phase::Opening | Phase::Roll, _) => weight,
            _ => 0,
        }
    }

    /// What can be rolled here, with its weight; nothing where no dice are to be rolled.
    fn possible_rolls(&self) -> impl Iterator<Item = (Roll, u32)> {
        let rolls = if self.awaits_roll() { &Roll::ALL[..] } else { &[] };
        rolls.iter().map(|&roll| (roll, self.weight(roll))).filter(|&(_, weight)| weight > 0)
    }

    /// With a roll to be played. Meant for where one is awaited; nothing else is asked.
    #[inline]
    #[must_use]
    pub fn rolled(&self, roll: Roll) -> Self {
        Self { phase: Phase::Play(roll), ..*self }
    }

    /// With a roll of the dice.
    #[inline]
    #[must_use]
    pub fn rolled_by(&self, rng: &mut Rng) -> Self {
        loop {
            let roll = self.terms.dice.roll(rng);
            if self.phase != Phase::Opening || self.weight(roll) > 0 {
                return self.rolled(roll);
            }
        }
    }

    /// With the first steps of a double played and its roll still on the table: how learning environments cut it.
    #[must_use]
    pub fn stepped_unchecked(&self, from: Canonical, die: u8) -> Self {
        Self { board: self.board.stepped(self.turn, from, die), ..*self }
    }

    /// The turn ends: the opponent rolls, or may double first.
    #[inline]
    #[must_use]
    pub fn passed_on(&self) -> Self {
        let turn = self.turn.other();
        // A game that is over has nothing left to decide.
        let may_double = self.may_double(turn) && self.board.finished().is_none();
        Self { turn, phase: if may_double { Phase::Double } else { Phase::Roll }, ..*self }
    }

    /// Turned round, with the sides exchanged: the same position to whom it concerns.
    #[must_use]
    pub fn turned(&self) -> Self {
        let cube = Cube::new(self.cube.doublings(), self.cube.owner().map(Side::other));
        let terms = Terms { stakes: self.terms.stakes.swapped(), ..self.terms };
        Self { board: self.board.turned(), turn: self.turn.other(), cube, terms, ..*self }
    }
}

impl game::Position for Position {
    type Move = Move;
    type Chance = Roll;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.won().map(|(winner, win)| Outcome::win(winner, win.name()))
    }

    fn points_won(&self) -> Option<u32> {
        self.points()
    }

    /// One turn for each board that can be reached, in the order of the places; who can move nothing has that one turn.
    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.phase {
            Phase::Play(roll) => self.field().visit_turns(roll, |turn| visit(Move::Turn(turn))),
            Phase::Double => [Move::Roll, Move::Double].into_iter().try_for_each(visit),
            Phase::Answer => [Move::Take, Move::Drop].into_iter().try_for_each(visit),
            Phase::Opening | Phase::Roll | Phase::Dropped => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn play_unchecked(&self, m: Move) -> Self {
        match (m, self.phase) {
            (Move::Turn(turn), Phase::Play(roll)) => {
                Self { board: self.board.after(self.turn, roll, turn), ..*self }.passed_on()
            }
            (Move::Double, _) => Self { turn: self.turn.other(), phase: Phase::Answer, ..*self },
            (Move::Take, _) => {
                let cube = self.cube.taken_by(self.turn);
                Self { turn: self.turn.other(), phase: Phase::Roll, cube, ..*self }
            }
            (Move::Drop, _) => Self { phase: Phase::Dropped, ..*self },
            (Move::Roll | Move::Turn(_), _) => Self { phase: Phase::Roll, ..*self },
        }
    }

    fn count_moves(&self) -> u64 {
        match self.phase {
            Phase::Play(roll) => self.field().count_turns(roll),
            Phase::Double | Phase::Answer => 2,
            Phase::Opening | Phase::Roll | Phase::Dropped => 0,
        }
    }

    /// The sets of one board serve all its rolls.
    fn count_moves_after_chance(&self) -> u64 {
        let field = self.field();
        self.possible_rolls().map(|(roll, _)| field.count_turns(roll)).sum()
    }

    fn awaits_chance(&self) -> bool {
        self.awaits_roll()
    }

    fn visit_chances<B>(&self, mut visit: impl FnMut(Roll, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.possible_rolls().try_for_each(|(roll, weight)| visit(roll, weight))
    }

    #[inline]
    fn play_chance_unchecked(&self, roll: Roll) -> Self {
        self.rolled(roll)
    }
}
