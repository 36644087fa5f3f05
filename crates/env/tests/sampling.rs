//! A small dice game that implements only the required methods of an environment. It tests the default methods, above all
//! those of chance.

use endspiel_env::{Environment, Numbered, ObservationKind, OutcomeError, laws};
use game::{
    BySide, Capabilities, DistanceUnit, Game, Info, Notation, Options, Outcome, Position, Repetition, Rng,
    Side,
};
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;

/// The side that comes home first wins. A roll allows as many steps as it shows, or fewer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Track {
    steps_left: BySide<u8>,
    turn: Side,
    roll: Option<Roll>,
}

/// The die shows 1, 2 or 3. The weight of a number is the number itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Roll(u8);

/// A move of one to four steps. No roll allows four steps, so some action is always illegal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Steps(u8);

impl Position for Track {
    type Move = Steps;
    type Chance = Roll;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_home = |side: &Side| self.steps_left[*side] == 0;
        Side::ALL.into_iter().find(is_home).map(|side| Outcome::win(side, "home"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Steps) -> ControlFlow<B>) -> ControlFlow<B> {
        let most = self.roll.filter(|_| self.outcome().is_none()).map_or(0, |roll| roll.0);
        (1..=most).map(Steps).try_for_each(visit)
    }

    fn play_unchecked(&self, m: Steps) -> Self {
        let mut steps_left = self.steps_left;
        steps_left[self.turn] = steps_left[self.turn].saturating_sub(m.0);
        Self { steps_left, turn: self.turn.other(), roll: None }
    }

    fn awaits_chance(&self) -> bool {
        self.roll.is_none() && self.outcome().is_none()
    }

    fn visit_chances<B>(&self, mut visit: impl FnMut(Roll, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let most = if self.awaits_chance() { 3 } else { 0 };
        (1..=most).try_for_each(|shown| visit(Roll(shown), shown.into()))
    }

    fn play_chance_unchecked(&self, roll: Roll) -> Self {
        Self { roll: Some(roll), ..self.clone() }
    }
}

#[derive(Clone)]
struct Race;

impl Game for Race {
    type Position = Track;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "race",
        title: "Race",
        summary: "Home first",
        sides: BySide { first: "white", second: "black" },
        options: &[],
        position_format: "none",
        move_format: "the steps",
        ends: &[],
        rules: "",
        example_position: "",
        example_endgame: "",
        example_move: "1",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: true,
            loops: false,
            repetition: Repetition::ALLOWED,
            most_moves: 3,
            bench_depth: 1,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Track {
        Track { steps_left: BySide { first: 10, second: 10 }, turn: Side::First, roll: None }
    }
}

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("positions of the race are not written")]
struct NotWritten;

impl Notation for Race {
    type PositionError = NotWritten;

    fn parse_position(&self, _: &str) -> Result<Track, NotWritten> {
        Err(NotWritten)
    }

    fn write_position(&self, track: &Track, out: &mut String) {
        out.push_str(&format!("{track:?}"));
    }

    fn write_move(&self, _: &Track, m: Steps, out: &mut String) {
        out.push_str(&m.to_string());
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps", self.0)
    }
}

impl Numbered for Steps {
    const COUNT: usize = 4;

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then(|| Self(index as u8 + 1))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Numbered for Roll {
    const COUNT: usize = 3;

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then(|| Self(index as u8 + 1))
    }

    fn text(self) -> String {
        self.0.to_string()
    }
}

/// The observation: the steps that the player to act has left, then those of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StepsLeft;

impl fmt::Display for StepsLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("steps left")
    }
}

impl ObservationKind for StepsLeft {
    fn all() -> Vec<Self> {
        vec![Self]
    }

    fn shapes(self) -> Vec<Vec<usize>> {
        vec![vec![2]]
    }

    fn length(self) -> usize {
        2
    }
}

impl Environment for Race {
    type State = Track;
    type Action = Steps;
    type Chance = Roll;
    type Observation = StepsLeft;

    fn state_at(&self, track: Track) -> Track {
        track
    }

    fn position<'a>(&self, track: &'a Track) -> &'a Track {
        track
    }

    fn is_terminal(&self, track: &Track) -> bool {
        track.outcome().is_some()
    }

    fn rewards(&self, track: &Track) -> BySide<f32> {
        let winner = track.outcome().and_then(|outcome| outcome.winner);
        winner.map_or_else(BySide::default, |winner| {
            BySide::from_fn(|side| if side == winner { 1.0 } else { -1.0 })
        })
    }

    fn visit_actions(&self, track: &Track, visit: impl FnMut(Steps)) {
        track.for_each_move(visit);
    }

    fn is_legal(&self, track: &Track, action: Steps) -> bool {
        Position::is_legal(track, action)
    }

    fn play_action(&self, track: &mut Track, action: Steps) {
        *track = track.play_unchecked(action);
    }

    fn play_chance(&self, track: &mut Track, roll: Roll) {
        *track = track.play_chance_unchecked(roll);
    }

    fn write_observation(&self, track: &Track, _: StepsLeft, out: &mut [f32]) {
        let turn = track.turn();
        out.copy_from_slice(&[turn, turn.other()].map(|side| f32::from(track.steps_left[side])));
    }

    fn actions_of(&self, track: &Track, m: Steps) -> Option<Vec<Steps>> {
        Position::is_legal(track, m).then(|| vec![m])
    }
}

#[test]
fn a_game_with_chance_keeps_the_laws() {
    laws::hold(&Race, 20, 1);
}

#[test]
fn outcomes_come_as_often_as_they_weigh() {
    const THROWS: u32 = 6_000;
    let mut rng = Rng::new(1);
    let mut seen = [0u32; 3];
    for _ in 0..THROWS {
        let roll = Race.reset(&mut rng).roll.expect("a choice has a roll");
        seen[roll.index()] += 1;
    }
    for (weight, count) in (1..).zip(seen) {
        // Four standard deviations are below 160.
        assert!(count.abs_diff(THROWS * weight / 6) < 160, "{seen:?}");
    }
}

#[test]
fn chance_is_refused_where_a_player_chooses() {
    let mut track = Race.reset(&mut Rng::new(1));
    let (before, roll) = (track.clone(), Roll(2));
    assert_eq!(Race.apply_chance(&mut track, roll), Err(OutcomeError::NotAwaited(roll.named())));
    assert_eq!(track, before);
}
