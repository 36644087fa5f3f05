//! The state of a game of backgammon as learning agents play it, with actions and chance.

use super::actions::{Action, Actions, Kind};
use super::chance::{Chance, ChanceOutcome};
use super::legal::Dice;
use crate::environment::Environment as _;
use crate::error::{ActionError, OutcomeError};
use crate::numbered::Numbered as _;
use backgammon::{Backgammon, Canonical, Field, Move, Phase, Position, Roll, Turn, places};
use game::{BySide, Position as _, Rng, Side};
use std::hash::{Hash, Hasher};

/// A position in which a double may be half played. A state has 112 bytes and is cheap to copy.
///
/// Chance is either explicit or sampled. A search that looks at every roll calls [`State::apply_action`] and
/// [`State::apply_chance`] in turn. [`State::step`] samples the dice and goes on to the next real choice.
#[derive(Clone, Copy, Debug)]
pub struct State {
    position: Position,
    /// The board as the side to move sees it. It is stored because every action needs it four times.
    field: Field,
    /// Whether the first of the two actions of a double has been played.
    half_played: bool,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.position, self.half_played) == (other.position, other.half_played)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.position, self.half_played).hash(state);
    }
}

impl From<Position> for State {
    fn from(position: Position) -> Self {
        Self::assembled_unchecked(position, false)
    }
}

impl State {
    /// The beginning of a game, before the first roll. The side `first` has the first roll.
    pub fn begin(game: &Backgammon, first: Side) -> Self {
        Self::from(game.begin(first))
    }

    /// Begins a game and goes on to its first choice. The side `first` has the first roll; if it is `None`, the side is
    /// drawn by lot.
    pub fn reset(game: &Backgammon, first: Option<Side>, rng: &mut Rng) -> Self {
        let mut state = Self::begin(game, first.unwrap_or_else(|| Side::by_lot(rng)));
        state.settle(rng);
        state
    }

    #[inline]
    pub(super) fn assembled_unchecked(position: Position, half_played: bool) -> Self {
        Self { position, field: position.field(), half_played }
    }

    /// Sets a position in which checkers have moved or the turn has changed.
    #[inline]
    fn put(&mut self, position: Position) {
        self.position = position;
        self.field = position.field();
    }

    /// The board as the side to move sees it.
    #[inline]
    pub const fn field(&self) -> &Field {
        &self.field
    }

    /// The position. In the middle of a double, the steps of its first action are made, and its roll is still to be played.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns whether the first of the two actions of a double has been played, but not yet the second.
    #[inline]
    pub const fn is_half_played(&self) -> bool {
        self.half_played
    }

    /// The number of actions that the player to act has left in this turn: two at the beginning of a double, otherwise one.
    /// Returns 0 if no player is to act.
    pub fn actions_left(&self) -> u32 {
        match self.position.phase() {
            Phase::Play(roll) if roll.is_double() => 2 - u32::from(self.half_played),
            Phase::Play(_) | Phase::Double | Phase::Answer => 1,
            Phase::Opening | Phase::Roll | Phase::Dropped => 0,
        }
    }

    /// The side to act, or to roll.
    #[inline]
    pub fn current_player(&self) -> Side {
        self.position.turn()
    }

    /// Returns whether the dice are to be rolled.
    #[inline]
    pub fn is_chance_node(&self) -> bool {
        self.position.awaits_roll()
    }

    /// Returns whether the game is over.
    #[inline]
    pub fn is_terminal(&self) -> bool {
        self.position.won().is_some()
    }

    /// The winner. Returns `None` if the game is not over.
    pub fn winner(&self) -> Option<Side> {
        self.position.won().map(|(winner, _)| winner)
    }

    /// The reward of the first side: the points of the game, negative if the second side has won. Returns 0 if the game
    /// is not over.
    pub fn reward(&self) -> f32 {
        self.rewards().first
    }

    /// The rewards of both sides: the winner gets the points of the game, the loser minus the same number.
    pub fn rewards(&self) -> BySide<f32> {
        let (Some(winner), Some(points)) = (self.winner(), self.position.points()) else {
            return BySide::default();
        };
        let points = points as f32;
        BySide::from_fn(|side| if side == winner { points } else { -points })
    }

    /// Replaces the content of the list with the legal actions, in ascending order. There is none at a chance node or
    /// after the end of the game.
    #[inline]
    pub fn legal_actions(&self, actions: &mut Actions) {
        actions.fill(|writer| match self.position.phase() {
            Phase::Play(roll) => Dice { field: &self.field, roll }.rows(|first, seconds| {
                writer.push_row(first, seconds);
            }),
            _ => self.cube_actions().into_iter().flatten().for_each(|action| writer.push(action)),
        });
    }

    /// Calls `visit` with every legal action, in ascending order.
    #[inline]
    pub fn visit_actions(&self, mut visit: impl FnMut(Action)) {
        match self.position.phase() {
            Phase::Play(roll) => Dice { field: &self.field, roll }.rows(|first, seconds| {
                places(seconds).for_each(|second| visit(Action::at(first, second)));
            }),
            _ => self.cube_actions().into_iter().flatten().for_each(visit),
        }
    }

    /// The two legal actions if the player decides about the cube. Returns `None` otherwise.
    fn cube_actions(&self) -> Option<[Action; 2]> {
        match self.position.phase() {
            Phase::Double => Some([Action::ROLL, Action::DOUBLE]),
            Phase::Answer => Some([Action::TAKE, Action::DROP]),
            Phase::Play(_) | Phase::Opening | Phase::Roll | Phase::Dropped => None,
        }
    }

    /// Returns whether the action is legal, without listing the other actions.
    #[inline]
    pub fn is_legal(&self, action: Action) -> bool {
        match self.position.phase() {
            Phase::Play(roll) => action
                .places()
                .is_some_and(|(first, second)| Dice { field: &self.field, roll }.allow(first, second)),
            _ => self.cube_actions().is_some_and(|legal| legal.contains(&action)),
        }
    }

    /// Plays an action, and stops before the next roll. See [`Environment::apply_action`](crate::Environment::apply_action).
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The state is unchanged then.
    #[inline]
    pub fn apply_action(&mut self, action: Action) -> Result<(), ActionError> {
        any_game().apply_action(self, action)
    }

    /// The state after an action. Returns an error if the action is not legal.
    fn after(&self, action: Action) -> Result<Self, NoSuchMove> {
        if !self.is_legal(action) {
            return Err(NoSuchMove);
        }
        let mut next = *self;
        next.play(action);
        Ok(next)
    }

    /// Plays an action that is known to be legal.
    #[inline]
    pub(super) fn play(&mut self, action: Action) {
        let m = match action.kind() {
            Kind::Play(first, second) => return self.play_checkers(first, second),
            Kind::Roll => Move::Roll,
            Kind::Double => Move::Double,
            Kind::Take => Move::Take,
            Kind::Drop => Move::Drop,
        };
        self.put(self.position.play_unchecked(m));
    }

    #[inline]
    fn play_checkers(&mut self, first: Canonical, second: Canonical) {
        match self.position.roll() {
            Some(roll) if roll.is_double() => self.play_half(roll, first, second),
            _ => self.put(self.position.play_unchecked(Move::Turn(Turn::of_two(first, second)))),
        }
    }

    #[inline]
    fn play_half(&mut self, roll: Roll, first: Canonical, second: Canonical) {
        let mut next = self.position;
        for from in [first, second] {
            if from != Canonical::OFF {
                next = next.stepped_unchecked(from, roll.high());
            }
        }
        // A player who has borne off the last checker does not play the second half.
        self.half_played = !self.half_played && next.won().is_none();
        self.put(if self.half_played { next } else { next.passed_on() });
    }

    /// The 21 outcomes of the dice in the order of [`Roll::ALL`], with their weights. The weight of an impossible roll
    /// is 0. If the dice are not to be rolled, all weights are 0.
    pub fn chance_outcomes(&self) -> [ChanceOutcome; Chance::COUNT] {
        let weights = Roll::ALL.map(|roll| match self.is_chance_node() {
            true => self.position.weight(roll),
            false => 0,
        });
        let of = weights.iter().sum::<u32>().max(1);
        Roll::ALL.map(|roll| ChanceOutcome { chance: roll.into(), weight: weights[roll.index()], of })
    }

    /// Applies a roll. See [`Environment::apply_chance`](crate::Environment::apply_chance).
    ///
    /// # Errors
    /// Returns an error if the dice are not to be rolled, or if the roll is impossible. The state is unchanged then.
    pub fn apply_chance(&mut self, chance: Chance) -> Result<(), OutcomeError> {
        any_game().apply_chance(self, chance)
    }

    /// Sets a roll that is known to be possible.
    #[inline]
    pub(super) fn roll(&mut self, roll: Roll) {
        self.position = self.position.rolled(roll);
    }

    /// Plays an action, and goes on to the next choice. See [`Environment::step`](crate::Environment::step).
    ///
    /// # Errors
    /// Returns an error if the action is not legal. The state is unchanged then.
    #[inline]
    pub fn step(&mut self, action: Action, rng: &mut Rng) -> Result<(), ActionError> {
        any_game().step(self, action, rng)
    }

    /// Goes on to the next choice, or to the end of the game: rolls the dice, and passes if they can move nothing.
    #[inline]
    pub fn settle(&mut self, rng: &mut Rng) {
        loop {
            match self.position.phase() {
                Phase::Opening | Phase::Roll => {
                    if self.is_terminal() {
                        return;
                    }
                    self.position = self.position.rolled_by(rng);
                }
                Phase::Play(roll) if (Dice { field: &self.field, roll }).dance() => {
                    self.half_played = false;
                    self.put(self.position.passed_on());
                }
                Phase::Play(_) | Phase::Double | Phase::Answer | Phase::Dropped => return,
            }
        }
    }

    /// The number of steps that will still be made with the roll, up to four with a double. Returns 0 if there is no roll.
    #[inline]
    pub(super) fn playable(&self) -> u32 {
        match self.position.phase() {
            Phase::Play(roll) => {
                Dice { field: &self.field, roll }.playable(if self.half_played { 2 } else { 4 })
            }
            _ => 0,
        }
    }
}

/// A game on which to call the methods of the environment. Every position carries its own terms, so the terms of this game
/// do not matter.
#[inline]
fn any_game() -> Backgammon {
    Backgammon::default()
}

/// The move cannot be played in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("that move cannot be played here")]
pub struct NoSuchMove;

/// The actions of a whole move, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveActions {
    /// The first action.
    pub first: Action,
    /// The second half of a double. `None` for other moves, and if the first half has won the game.
    pub second: Option<Action>,
}

impl IntoIterator for MoveActions {
    type Item = Action;
    type IntoIter = std::iter::Chain<std::iter::Once<Action>, std::option::IntoIter<Action>>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self.first).chain(self.second)
    }
}

/// The actions of a move. If several lists of actions lead to the same board, it is the one with the smallest numbers.
///
/// # Errors
/// Returns an error if the move cannot be played in this position.
pub fn actions_of(position: &Position, m: Move) -> Result<MoveActions, NoSuchMove> {
    let action = match m {
        Move::Turn(turn) => return actions_of_turn(position, turn),
        Move::Roll => Action::ROLL,
        Move::Double => Action::DOUBLE,
        Move::Take => Action::TAKE,
        Move::Drop => Action::DROP,
    };
    let is_legal = State::from(*position).is_legal(action);
    is_legal.then_some(MoveActions { first: action, second: None }).ok_or(NoSuchMove)
}

fn actions_of_turn(position: &Position, turn: Turn) -> Result<MoveActions, NoSuchMove> {
    let (roll, start) = (position.roll().ok_or(NoSuchMove)?, State::from(*position));
    let [first, second, third, fourth] = turn.sources();
    let (steps, rest) = (Action::of(first, second), Action::of(third, fourth));
    let end = start.after(steps)?;
    if end.is_half_played() {
        // The steps of a turn are in ascending order. They can be made in this order, and no other steps lead to the
        // same board.
        end.after(rest)?;
        return Ok(MoveActions { first: steps, second: Some(rest) });
    }
    if rest != Action::PASS {
        return Err(NoSuchMove);
    }
    if roll.is_double() {
        return Ok(MoveActions { first: steps, second: None });
    }
    let mut smallest = None;
    start.visit_actions(|action| {
        if smallest.is_none() && start.after(action) == Ok(end) {
            smallest = Some(action);
        }
    });
    Ok(MoveActions { first: smallest.unwrap_or(steps), second: None })
}

/// The position after these actions. After the last action of a turn, the next player decides about the cube or rolls.
///
/// # Errors
/// Returns an error that names the first action that is not legal.
pub fn position_after(
    position: &Position,
    actions: impl IntoIterator<Item = Action>,
) -> Result<Position, ActionError> {
    let mut state = State::from(*position);
    for action in actions {
        state.apply_action(action)?;
    }
    Ok(state.position)
}
