//! The record of a game, with undo and the rules that depend on the past.

use crate::fold::BuildFold;
use crate::{IllegalMove, ImpossibleChance, Outcome, Position, Rng, Rulebook, Side};
use std::collections::HashMap;

/// A game from its start position: the moves and the outcomes of chance. It adds to a position what only a game has: a
/// past, and rules that end the game although there are legal moves.
///
/// It stores whole positions, not their keys. So undo restores a position with its clock, and repetition is decided by
/// `Eq`, so that two positions with the same key cannot be confused. Positions are small.
#[derive(Clone, Debug)]
pub struct Record<P: Position> {
    /// The start position and the position after every event. It is never empty.
    positions: Vec<P>,
    events: Vec<Event<P::Move, P::Chance>>,
    /// How often each position has occurred. It is stored because counting again at every move of a long game would be slow.
    occurrences: HashMap<P, u32, BuildFold>,
    rules: Rulebook<P>,
    /// The end that a player claimed, or by which one resigned.
    declared: Option<Declared>,
}

/// An end of a game that a player declared.
#[derive(Clone, Copy, Debug)]
struct Declared {
    outcome: Outcome,
    /// The points of the winner, if the position does not tell them.
    points: Option<u32>,
}

/// An event of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Event<M, C> {
    /// A player moved.
    Move(M),
    /// An outcome of chance, chosen or random.
    Chance(C),
}

impl<P: Position> Record<P> {
    /// Creates the record of a game that begins with this position, with the rules of its
    /// [`rulebook`](crate::Game::rulebook).
    pub fn new(start: P, rules: Rulebook<P>) -> Self {
        Self {
            occurrences: HashMap::from_iter([(start.clone(), 1)]),
            positions: vec![start],
            events: Vec::new(),
            rules,
            declared: None,
        }
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.positions.last().expect("the start is never undone")
    }

    /// All events, in order.
    pub fn events(&self) -> &[Event<P::Move, P::Chance>] {
        &self.events
    }

    /// The moves played, in order.
    pub fn moves(&self) -> impl Iterator<Item = P::Move> {
        self.events.iter().filter_map(|event| match event {
            Event::Move(m) => Some(*m),
            Event::Chance(_) => None,
        })
    }

    /// All positions from the start to the current one. There is one more position than events.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Returns an error if the move is not legal or the game is over. The record is then unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove);
        }
        let next = self.position().play(m)?;
        self.push(Event::Move(m), next);
        Ok(())
    }

    /// Plays a given outcome of chance, such as a roll of real dice.
    ///
    /// # Errors
    /// Returns an error if the outcome is not possible here or the game is over. The record is then unchanged.
    pub fn play_chance(&mut self, outcome: P::Chance) -> Result<(), ImpossibleChance> {
        if self.outcome().is_some() {
            return Err(ImpossibleChance);
        }
        let next = self.position().play_chance(outcome)?;
        self.push(Event::Chance(outcome), next);
        Ok(())
    }

    /// Plays a random outcome of chance and returns it. Returns `None` if the position does not await chance.
    pub fn settle(&mut self, rng: &mut Rng) -> Option<P::Chance> {
        let outcome = crate::random_chance(self.position(), rng)?;
        self.play_chance(outcome).ok()?;
        Some(outcome)
    }

    fn push(&mut self, event: Event<P::Move, P::Chance>, next: P) {
        *self.occurrences.entry(next.clone()).or_default() += 1;
        self.positions.push(next);
        self.events.push(event);
    }

    /// Takes back the last move and the outcome of chance after it, and returns the move. Returns `None` if there is no
    /// move; an outcome of chance before the first move stays. A claim is always taken back as well, because it was
    /// made after the last move.
    pub fn undo(&mut self) -> Option<P::Move> {
        self.declared = None;
        let last = self.events.iter().rposition(|event| matches!(event, Event::Move(_)))?;
        for left in self.positions.split_off(last + 1) {
            self.forget(&left);
        }
        match self.events.drain(last..).next()? {
            Event::Move(undone) => Some(undone),
            Event::Chance(_) => None,
        }
    }

    /// Counts one occurrence of a position less. A position without occurrences is removed, so that a record does not
    /// grow when moves are played and undone for hours.
    fn forget(&mut self, left: &P) {
        if let Some(count) = self.occurrences.get_mut(left) {
            *count -= 1;
            if *count == 0 {
                self.occurrences.remove(left);
            }
        }
    }

    /// How often the current position has occurred, including this time.
    pub fn occurrences(&self) -> u32 {
        self.occurrences[self.position()]
    }

    /// The outcome of the game, or `None` if it is not over. A game ends by its position, by another rule of the
    /// rulebook, by repetition, or by a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        position
            .outcome()
            .or_else(|| (self.rules.ends)(position))
            .or_else(|| self.repeated(self.rules.repetition.draw))
            .or(self.declared.map(|declared| declared.outcome))
    }

    /// The outcome that the side to move may claim: a draw, or a win by declaration. Returns `None` if nothing can be
    /// claimed or the game is over.
    pub fn claimable(&self) -> Option<Outcome> {
        if self.outcome().is_some() {
            return None;
        }
        self.repeated(self.rules.repetition.claim).or_else(|| (self.rules.claims)(self.position()))
    }

    /// Claims the [`claimable`](Self::claimable) outcome, which ends the game.
    ///
    /// # Errors
    /// Returns an error if nothing can be claimed. The record is then unchanged.
    pub fn claim(&mut self) -> Result<Outcome, NothingToClaim> {
        let claimed = self.claimable().ok_or(NothingToClaim)?;
        self.declared = Some(Declared { outcome: claimed, points: None });
        Ok(claimed)
    }

    /// Ends the game by the resignation of a side. `points` are those of the winner, in games that are played for points.
    ///
    /// # Errors
    /// Returns an error if the game is over. The record is then unchanged.
    pub fn resign(&mut self, loser: Side, points: Option<u32>) -> Result<Outcome, IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove);
        }
        let outcome = Outcome::win(loser.other(), Outcome::RESIGNATION);
        self.declared = Some(Declared { outcome, points });
        Ok(outcome)
    }

    /// Takes back a claim or a resignation, but no move. Returns what it was. Returns `None` if there is neither.
    pub fn withdraw(&mut self) -> Option<Outcome> {
        self.declared.take().map(|declared| declared.outcome)
    }

    /// The points that the winner got, in games that are played for points. `None` if the game is not over.
    pub fn points_won(&self) -> Option<u32> {
        self.position().points_won().or_else(|| self.declared?.points)
    }

    /// Returns the outcome by repetition if the current position has occurred `limit` times: a draw, unless one side
    /// has given perpetual check.
    fn repeated(&self, limit: Option<u32>) -> Option<Outcome> {
        if self.occurrences() < limit? {
            return None;
        }
        let draw = Outcome::draw("repetition");
        Some(self.perpetual_check().unwrap_or(draw))
    }

    /// Returns the loss of the side that gave check with every move since the current position first occurred. Returns
    /// `None` if neither side or both sides did.
    fn perpetual_check(&self) -> Option<Outcome> {
        let is_check = self.rules.is_check?;
        let now = self.position();
        let first = self.positions.iter().position(|position| position == now)?;
        let since = &self.positions[first + 1..];
        let always_in_check = |side| since.iter().filter(|at| at.turn() == side).all(is_check);
        match (always_in_check(Side::First), always_in_check(Side::Second)) {
            (true, false) => Some(Outcome::win(Side::First, "perpetual check")),
            (false, true) => Some(Outcome::win(Side::Second, "perpetual check")),
            _ => None,
        }
    }
}

/// The error for a claim that no rule allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("nothing can be claimed here: no rule allows it")]
pub struct NothingToClaim;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoChance, Repetition, Side};
    use std::hash::{Hash, Hasher};
    use std::ops::ControlFlow;

    /// A token on a ring of four squares. It steps left or right, or takes a stone, which resets the clock. Without
    /// stones the game is a draw by dead stones. A draw may be claimed after 6 steps; after 8 steps the game is drawn.
    #[derive(Clone, Debug)]
    struct Ring {
        at: u8,
        stones: u8,
        clock: u8,
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    enum Step {
        Left,
        Right,
        Take,
    }
    use Step::{Left, Right, Take};

    /// The clock is not compared: a position counts as repeated for any clock.
    impl PartialEq for Ring {
        fn eq(&self, other: &Self) -> bool {
            (self.at, self.stones) == (other.at, other.stones)
        }
    }
    impl Eq for Ring {}
    impl Hash for Ring {
        fn hash<H: Hasher>(&self, state: &mut H) {
            (self.at, self.stones).hash(state);
        }
    }

    impl Position for Ring {
        type Move = Step;
        type Chance = NoChance;

        fn turn(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn visit_moves<B>(&self, mut visit: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
            visit(Left)?;
            visit(Right)?;
            if self.stones > 0 { visit(Take) } else { ControlFlow::Continue(()) }
        }

        fn play_unchecked(&self, step: Step) -> Self {
            let &Self { at, stones, clock } = self;
            match step {
                Left => Self { at: (at + 3) % 4, stones, clock: clock + 1 },
                Right => Self { at: (at + 1) % 4, stones, clock: clock + 1 },
                Take => Self { at, stones: stones - 1, clock: 0 },
            }
        }
    }

    fn rules(repetition: Repetition) -> Rulebook<Ring> {
        Rulebook {
            repetition,
            is_check: None,
            ends: |ring| match ring {
                Ring { stones: 0, .. } => Some(Outcome::draw("dead stones")),
                Ring { clock: 8.., .. } => Some(Outcome::draw("eight steps")),
                _ => None,
            },
            claims: |ring| (ring.clock >= 6).then(|| Outcome::draw("six steps")),
        }
    }

    fn record(repetition: Repetition) -> Record<Ring> {
        Record::new(Ring { at: 0, stones: 2, clock: 0 }, rules(repetition))
    }

    fn play(record: &mut Record<Ring>, steps: &[Step]) {
        steps.iter().for_each(|&step| record.play(step).expect("the game goes on"));
    }

    const TWO_AND_THREE: Repetition = Repetition { claim: Some(2), draw: Some(3) };

    #[test]
    fn a_draw_in_the_game_leaves_the_position_its_moves() {
        let mut record = record(Repetition::ALLOWED);
        play(&mut record, &[Take, Take]);
        assert_eq!(record.outcome(), Some(Outcome::draw("dead stones")));
        assert_eq!(record.position().outcome(), None);
        assert_eq!(record.position().count_moves(), 2);
        assert_eq!(record.play(Left), Err(IllegalMove));
        assert_eq!(record.claim(), Err(NothingToClaim), "it is over already");
        assert_eq!(record.undo(), Some(Take));
        assert_eq!(record.outcome(), None);
    }

    #[test]
    fn what_may_be_claimed_is_no_draw_until_it_is() {
        let mut record = record(Repetition::ALLOWED);
        play(&mut record, &[Right; 5]);
        assert_eq!((record.claimable(), record.claim()), (None, Err(NothingToClaim)));
        play(&mut record, &[Right]);
        let draw = Outcome::draw("six steps");
        assert_eq!((record.claimable(), record.outcome()), (Some(draw), None));
        play(&mut record, &[Right]);
        assert_eq!(record.claim(), Ok(draw));
        assert_eq!((record.claimable(), record.outcome()), (None, Some(draw)));
        assert_eq!(record.play(Right), Err(IllegalMove));
        assert_eq!(record.undo(), Some(Right));
        assert_eq!(
            (record.claimable(), record.outcome()),
            (Some(draw), None),
            "the claim went with the move"
        );
        play(&mut record, &[Right, Right]);
        assert_eq!(record.outcome(), Some(Outcome::draw("eight steps")), "nobody need claim this");
    }

    #[test]
    fn repetition_may_be_claimed_before_it_draws() {
        let mut record = record(TWO_AND_THREE);
        play(&mut record, &[Left, Right]);
        assert_eq!(record.occurrences(), 2);
        assert_eq!((record.claimable(), record.outcome()), (Some(Outcome::draw("repetition")), None));
        play(&mut record, &[Left, Right]);
        assert_eq!((record.claimable(), record.outcome()), (None, Some(Outcome::draw("repetition"))));
        record.undo();
        assert_eq!((record.occurrences(), record.outcome()), (2, None));
        play(&mut record, &[Take]);
        assert_eq!((record.occurrences(), record.claimable()), (1, None));
    }

    /// The first side is to move in all positions of the ring. `in_check` says in which of them it is in check.
    #[test]
    fn who_only_gives_check_loses_by_repetition() {
        let told = |in_check: fn(&Ring) -> bool| {
            let rules = Rulebook { is_check: Some(in_check), ..rules(Repetition::draw_at(3)) };
            let mut record = Record::new(Ring { at: 0, stones: 2, clock: 0 }, rules);
            play(&mut record, &[Left, Right, Left, Right]);
            record.outcome().expect("three times")
        };
        // The second side is never to move, so it counts as always in check. In the first case both sides are always in
        // check, in the second case only the second side.
        assert_eq!(told(|_| true), Outcome::draw("repetition"));
        assert_eq!(told(|ring| ring.at == 0), Outcome::win(Side::Second, "perpetual check"));
    }

    #[test]
    fn at_the_start_a_claim_is_taken_back_alone() {
        let start = Ring { at: 0, stones: 1, clock: 6 };
        let mut record = Record::new(start, rules(Repetition::ALLOWED));
        record.claim().expect("six steps");
        assert_eq!(record.undo(), None);
        assert_eq!(record.outcome(), None);
        record.claim().expect("six steps");
        assert!(record.withdraw().is_some() && record.withdraw().is_none());
        assert_eq!(record.outcome(), None);
    }

    #[test]
    fn undo_forgets_what_stands_no_more() {
        let mut record = record(Repetition::ALLOWED);
        play(&mut record, &[Left, Left, Left, Left, Take]);
        assert_eq!(record.occurrences.len(), 5);
        while record.undo().is_some() {}
        assert_eq!((record.occurrences.len(), record.occurrences()), (1, 1));
    }
    /// A coin is thrown before every step: heads moves one square, tails two. The third square ends the game.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    struct Coin {
        at: u8,
        thrown: Option<Face>,
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    enum Face {
        Heads,
        Tails,
    }
    use Face::{Heads, Tails};

    impl Position for Coin {
        type Move = ();
        type Chance = Face;

        fn turn(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.at >= 3).then(|| Outcome::win(Side::First, "third place"))
        }

        fn visit_moves<B>(&self, mut visit: impl FnMut(()) -> ControlFlow<B>) -> ControlFlow<B> {
            if self.thrown.is_some() { visit(()) } else { ControlFlow::Continue(()) }
        }

        fn play_unchecked(&self, (): ()) -> Self {
            Self { at: self.at + if self.thrown == Some(Heads) { 1 } else { 2 }, thrown: None }
        }

        fn awaits_chance(&self) -> bool {
            self.thrown.is_none() && self.at < 3
        }

        /// On the first throw the coin can only show heads.
        fn visit_chances<B>(&self, mut visit: impl FnMut(Face, u32) -> ControlFlow<B>) -> ControlFlow<B> {
            let faces: &[Face] = match (self.awaits_chance(), self.at) {
                (false, _) => &[],
                (true, 0) => &[Heads],
                (true, _) => &[Heads, Tails],
            };
            faces.iter().try_for_each(|&face| visit(face, 1))
        }

        fn play_chance_unchecked(&self, thrown: Face) -> Self {
            Self { thrown: Some(thrown), ..*self }
        }
    }

    #[test]
    fn chance_is_chosen_or_rolled_kept_and_undone_with_the_move_before_it() {
        let coin = |at, thrown| Coin { at, thrown };
        let start = coin(0, None);
        let mut record = Record::new(start, Rulebook::new(Repetition::ALLOWED));
        assert_eq!(record.play(()), Err(IllegalMove), "the coin comes first");
        assert_eq!(record.play_chance(Tails), Err(ImpossibleChance), "the coin is bent");
        assert_eq!(record.settle(&mut Rng::new(1)), Some(Heads));
        assert_eq!(record.play_chance(Heads), Err(ImpossibleChance), "it is thrown");
        assert_eq!(record.settle(&mut Rng::new(1)), None);
        record.play(()).expect("a step");
        record.play_chance(Tails).expect("either may come");
        let positions = [start, coin(0, Some(Heads)), coin(1, None), coin(1, Some(Tails))];
        assert_eq!(record.positions(), positions);
        assert_eq!(record.events(), [Event::Chance(Heads), Event::Move(()), Event::Chance(Tails)]);
        assert_eq!(record.moves().count(), 1);
        // Undo takes back the move and the outcome of chance after it. The outcome before the first move stays.
        assert_eq!(record.undo(), Some(()));
        assert_eq!((record.positions(), record.events()), (&positions[..2], &[Event::Chance(Heads)][..]));
        assert_eq!((record.undo(), record.position()), (None, &positions[1]));
        assert_eq!(record.occurrences.len(), 2);
        record.play(()).expect("a step");
        record.play_chance(Tails).expect("either may come");
        record.play(()).expect("a step");
        assert!(record.outcome().is_some());
        assert_eq!(record.play_chance(Heads), Err(ImpossibleChance), "it is over");
    }
}
