//! Helpers that the tests share.

use onitama::{Card, Onitama};

/// Card sets for tests. Some are their own mirror image, with one pair of cards that mirror each other, with two pairs, or
/// with none. Others are not their own mirror image. In one set every card has the step forward, so that any card reaches
/// the goal.
pub const CARD_SETS: [&str; 10] = [
    "boar,ox,elephant,horse,crab",
    "frog,mantis,monkey,rabbit,tiger",
    "frog,horse,ox,rabbit,tiger",
    "boar,crab,mantis,monkey,tiger",
    "tiger,crab,crane,mantis,boar",
    "crab,dragon,elephant,goose,horse",
    "cobra,dragon,eel,frog,goose",
    "horse,tiger,cobra,crane,rooster",
    "ox,tiger,eel,crane,goose",
    "boar,crab,crane,horse,ox",
];

pub fn game_with(cards: &str) -> Onitama {
    let cards: Vec<Card> = cards.split(',').map(|name| name.parse().expect("a card")).collect();
    Onitama::with_deal(cards.try_into().expect("five cards")).expect("different cards")
}
