//! Actions in the usual notation of moves.

use super::actions::{Action, Kind};
use super::state::State;
use backgammon::{Canonical, Field};
use std::fmt::Write as _;

/// A step of a checker.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    from: Canonical,
    to: Canonical,
    hits: bool,
}

impl State {
    /// The action in the usual notation of moves: `24/18 13/11`, `bar/20*`, `6/off(2)`, `24/18/16`. Other actions are
    /// `roll`, `double`, `take`, `drop`, and `pass` if nothing can be moved. The method is meant for legal actions; others
    /// are written in the same way.
    pub fn action_text(&self, action: Action) -> String {
        let (Kind::Play(first, second), Some(roll)) = (action.kind(), self.position().roll()) else {
            return action.to_string();
        };
        let field = self.field();
        let dice = [(first, roll.high()), (second, roll.low())];
        let mut steps = dice.into_iter().filter(|(from, _)| *from != Canonical::OFF);
        let step = |(from, die)| Step::new(field, from, die);
        match (steps.next().map(step), steps.next().map(step)) {
            (Some(one), Some(other)) => two_steps(one, other),
            (Some(only), None) => only.text(),
            (None, _) => "pass".to_owned(),
        }
    }
}

fn two_steps(one: Step, other: Step) -> String {
    // A checker that makes both steps is written with the place between them, in the order in which the steps connect.
    let goes_on = |first: Step, then: Step| first.to == then.from && first.to != Canonical::OFF;
    match (one, other) {
        (one, other) if one.from == other.from && one.to == other.to => {
            // Both checkers land on the same point, and only the first can hit.
            one.text() + "(2)"
        }
        (one, other) if goes_on(one, other) => one.text() + &other.text_of_end(),
        (one, other) if goes_on(other, one) => other.text() + &one.text_of_end(),
        // If the second checker lands on the same point, the blot there was already hit by the first.
        (one, other) if one.to == other.to => {
            format!("{} {}", one.text(), Step { hits: false, ..other }.text())
        }
        // By convention, the rearmost checker comes first.
        (one, other) if other.from < one.from => format!("{} {}", other.text(), one.text()),
        (one, other) => format!("{} {}", one.text(), other.text()),
    }
}

impl Step {
    fn new(field: &Field, from: Canonical, die: u8) -> Self {
        let to = from.after(die);
        Self { from, to, hits: field.blots >> to.number() & 1 != 0 }
    }

    fn text(self) -> String {
        let mut text = self.from.human().to_string();
        text.push_str(&self.text_of_end());
        text
    }

    fn text_of_end(self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write!(text, "/{}{}", self.to.human(), if self.hits { "*" } else { "" });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Action, Chance};
    use backgammon::{Backgammon, Roll};
    use game::Side;

    fn text(dice: (u8, u8), places: (u32, u32)) -> String {
        let mut state = State::begin(&Backgammon::default(), Side::First);
        let roll = Roll::new(dice.0, dice.1).expect("dice");
        state.apply_chance(Chance::from(roll)).expect("a roll");
        let action = Action::at(places.0, places.1);
        assert!(state.is_legal(action), "{action}");
        state.action_text(action)
    }

    #[test]
    fn actions_read_as_moves() {
        assert_eq!(text((3, 1), (17, 19)), "8/5 6/5");
        assert_eq!(text((6, 2), (12, 1)), "24/22 13/7");
        assert_eq!(text((6, 5), (1, 7)), "24/18/13");
        assert_eq!(text((6, 6), (1, 1)), "24/18(2)");
        assert_eq!(text((2, 2), (12, 14)), "13/11/9");
    }
}
