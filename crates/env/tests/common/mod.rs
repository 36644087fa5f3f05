//! Helpers of the tests: positions from the rows of the fixtures, and legal actions.
#![allow(dead_code, reason = "each test uses some of it")]

use backgammon::{Cube, Phase, Position, Roll, Setup, Terms};
use endspiel_env::backgammon::{Action, Actions, State};
use game::{BySide, Rng, Side};
use serde_json::Value;

/// Reads the checkers from a position ID, independently of the library. The player who is not on roll comes first. The
/// points of each player go from the ace point to the bar.
pub fn checkers(id: &str, on_roll: Side) -> BySide<[u8; 25]> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let number = |letter: u8| LETTERS.iter().position(|&known| known == letter).expect("base64");
    let bits = id.bytes().flat_map(|letter| (0..6).rev().map(move |bit| number(letter) >> bit & 1));
    let bits: Vec<usize> = bits.collect();
    // Base64 gives bytes from their highest bit; the ID fills them from the lowest.
    let mut ordered = bits.chunks_exact(8).flat_map(|byte| byte.iter().rev().copied());
    let mut half = || {
        let mut counts = [0; 25];
        counts
            .iter_mut()
            .rev()
            .for_each(|count| *count = ordered.by_ref().take_while(|&bit| bit == 1).count() as u8);
        counts
    };
    let (waiting, rolling) = (half(), half());
    match on_roll {
        Side::First => BySide { first: rolling, second: waiting },
        Side::Second => BySide { first: waiting, second: rolling },
    }
}

pub fn position(row: &Value, turn: Side) -> Position {
    let die = |at: usize| row["dice"][at].as_u64().expect("a die") as u8;
    let phase = Phase::Play(Roll::new(die(0), die(1)).expect("dice"));
    let checkers = checkers(row["id"].as_str().expect("an ID"), turn);
    let setup = Setup { checkers, turn, phase, cube: Cube::CENTRED, terms: Terms::default() };
    Position::try_from(setup).unwrap_or_else(|error| panic!("{row}: {error}"))
}

pub fn legal(state: &State) -> Vec<Action> {
    let mut actions = Actions::new();
    state.legal_actions(&mut actions);
    actions.to_vec()
}

pub fn any_of(actions: &[Action], rng: &mut Rng) -> Action {
    actions[rng.below(actions.len() as u64) as usize]
}
