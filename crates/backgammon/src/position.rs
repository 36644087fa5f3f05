//! A position: the board, the side to move, what happens next, and the stakes.

use crate::board::Board;
use crate::cube::Cube;
use crate::dice::{Dice, Roll};
use crate::field::Field;
use crate::moves::Move;
use crate::places::Canonical;
use crate::terms::{Stakes, Terms};
use game::{Outcome, Rng, Side};
use std::ops::ControlFlow;

/// A legal position. It has 64 bytes and is copied freely.
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
    /// The side to move makes the first roll of the game. It is not a double, since each player threw one die and the
    /// player with the higher die begins.
    Opening,
    /// The side to move rolls.
    Roll,
    /// The side to move may double before the roll.
    Double,
    /// The side to move was offered a double.
    Answer,
    /// The side to move plays a roll.
    Play(Roll),
    /// The side to move has declined a double and lost.
    Dropped,
}

/// How a game was won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Win {
    /// The loser declined a double.
    Drop,
    /// The loser had borne off a checker.
    Single,
    /// The loser had borne off no checker.
    Gammon,
    /// The loser had borne off no checker and still had one on the bar or in the winner's home.
    Backgammon,
}

impl Win {
    /// The factor by which the value of the cube is multiplied.
    pub const fn multiple(self) -> u32 {
        match self {
            Self::Drop | Self::Single => 1,
            Self::Gammon => 2,
            Self::Backgammon => 3,
        }
    }

    /// The name of this kind of win.
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
    /// Builds a position from parts of a legal position, without any check. For other parts, use a
    /// [`Setup`](crate::Setup).
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

    /// The start of a game in which this side has the first roll. Nobody may double before it.
    pub const fn start(board: Board, first: Side, opening: Phase, terms: Terms) -> Self {
        Self::assembled_unchecked(board, first, opening, Cube::CENTRED, terms)
    }

    /// The checkers on the board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What happens next. After the end of a game, nothing does.
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The roll to be played, or `None` if there is none.
    #[inline]
    pub const fn roll(&self) -> Option<Roll> {
        match self.phase {
            Phase::Play(roll) => Some(roll),
            _ => None,
        }
    }

    /// The doubling cube.
    #[inline]
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// The terms of the game: stakes, cube limit and dice.
    #[inline]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The board as the side to move sees it.
    #[inline]
    pub fn field(&self) -> Field {
        Field::new(&self.board, self.turn)
    }

    /// The number of checkers that a side has borne off.
    #[inline]
    pub const fn off(&self, side: Side) -> u8 {
        self.board.off(side) - self.terms.variant.absent()
    }

    /// Returns whether the cube and the score allow this side to double. The phase is not checked.
    #[inline]
    pub fn may_double(&self, side: Side) -> bool {
        self.cube.may_be_doubled_by(side, &self.terms)
    }

    /// The winner and the kind of win, or `None` if the game is not over.
    #[inline]
    pub fn won(&self) -> Option<(Side, Win)> {
        if self.phase == Phase::Dropped {
            return Some((self.turn.other(), Win::Drop));
        }
        let winner = self.board.finished()?;
        Some((winner, self.kind_of_loss(winner.other())))
    }

    fn kind_of_loss(&self, loser: Side) -> Win {
        // The winner's home is the first six points on the loser's way; place 0 is the loser's bar.
        const BEHIND: usize = 6;
        if self.off(loser) > 0 {
            return Win::Single;
        }
        let is_behind = self.board.counts(loser)[..=BEHIND].iter().any(|&count| count > 0);
        if is_behind { Win::Backgammon } else { Win::Gammon }
    }

    /// The points for the winner: the value of the cube, once, twice or three times. With the Jacoby rule, gammons
    /// count once until the cube is turned. In a match, no side gets more points than it needs. Returns `None` if the
    /// game is not over.
    pub fn points(&self) -> Option<u32> {
        let (winner, win) = self.won()?;
        Some(self.points_of(winner, win))
    }

    /// The [points](Self::points) of a side if it wins in this way with the cube as it is.
    pub fn points_of(&self, winner: Side, win: Win) -> u32 {
        let points = self.cube.value() * win.multiple();
        match self.terms.stakes {
            Stakes::Money { jacoby: true } if self.cube.value() == 1 => 1,
            Stakes::Money { .. } => points,
            Stakes::Match(score) => points.min(u32::from(score.away(winner))),
        }
    }

    /// Returns whether the dice are to be rolled next.
    #[inline]
    pub fn awaits_roll(&self) -> bool {
        matches!(self.phase, Phase::Roll | Phase::Opening) && self.board.finished().is_none()
    }

    /// The weight of a roll in this position, relative to the sum of all weights; 0 if the roll is not possible.
    pub fn weight(&self, roll: Roll) -> u32 {
        let weight = self.terms.dice.weight(roll);
        match (self.phase, self.terms.dice) {
            // Dice that show only doubles also show a double in the opening.
            (Phase::Opening, Dice::Any) if roll.is_double() => 0,
            (Phase::Opening | Phase::Roll, _) => weight,
            _ => 0,
        }
    }

    /// The possible rolls with their weights; empty if no roll is awaited.
    fn possible_rolls(&self) -> impl Iterator<Item = (Roll, u32)> {
        let rolls = if self.awaits_roll() { &Roll::ALL[..] } else { &[] };
        rolls.iter().map(|&roll| (roll, self.weight(roll))).filter(|&(_, weight)| weight > 0)
    }

    /// The position with this roll to be played. Use it only where a roll is awaited: nothing is checked.
    #[inline]
    #[must_use]
    pub fn rolled(&self, roll: Roll) -> Self {
        Self { phase: Phase::Play(roll), ..*self }
    }

    /// The position after a random roll of the dice.
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

    /// The position after one step, with the same roll still to be played. Learning environments split a double in
    /// this way.
    #[must_use]
    pub fn stepped_unchecked(&self, from: Canonical, die: u8) -> Self {
        Self { board: self.board.stepped(self.turn, from, die), ..*self }
    }

    /// Ends the turn: the opponent rolls, or may double first.
    #[inline]
    #[must_use]
    pub fn passed_on(&self) -> Self {
        let turn = self.turn.other();
        // Nobody may double after the end of the game.
        let may_double = self.may_double(turn) && self.board.finished().is_none();
        Self { turn, phase: if may_double { Phase::Double } else { Phase::Roll }, ..*self }
    }

    /// The position with the board turned round and the sides exchanged. For the side to move it is the same
    /// position.
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

    /// Visits one turn for each reachable board, in the order of the places. If no checker can move, the only turn is
    /// a dance.
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

    /// The sets of the board are computed once for all rolls.
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
