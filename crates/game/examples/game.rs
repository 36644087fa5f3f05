//! A game in forty lines: take one or two matches, and whoever takes the last one wins. Its moves, perft and a random game:
//! `cargo run -p endspiel-game --example game`.

use endspiel_game::{NoChance, prelude::*};
use std::ops::ControlFlow;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Matches {
    left: u8,
    turn: Side,
}

impl endspiel_game::Position for Matches {
    type Move = u8;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::win(self.turn.other(), "last match"))
    }

    fn visit_moves<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.left.min(2)).try_for_each(visit)
    }

    fn play_unchecked(&self, taken: u8) -> Self {
        Self { left: self.left - taken, turn: self.turn.other() }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let five = Matches { left: 5, turn: Side::First };
    println!("{:?}, {} sequences of three moves", five.moves(), perft(&five, 3));
    let (last, plies) = endspiel_game::playout(&five, 5, &mut Rng::new(1));
    println!("after {plies} plies: {:?}", last.outcome());
    assert!(five.play(3).is_err(), "nobody takes three");
    Ok(())
}
