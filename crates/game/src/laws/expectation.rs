//! The laws of numbered positions of games of chance.

use super::chance::outcomes;
use crate::{Expectation, Expected, Index, Position};

/// Checks `locate(unrank(i)) = At(i)`, and that the position awaits chance. A hole has no position.
pub fn expectation_returns<G: Expectation>(game: &G, slice: G::Slice, index: Index) {
    if let Some(position) = game.unrank(slice, index) {
        assert!(position.awaits_chance(), "{position:?}");
        assert_eq!(game.locate(slice, &position), Expected::At(index), "{position:?}");
    }
}

/// Checks that every move after an outcome of chance leads to a numbered position of the slice that leads back, or ends the game.
pub fn moves_stay<G: Expectation>(game: &G, slice: G::Slice, index: Index) {
    let Some(position) = game.unrank(slice, index) else { return };
    for (outcome, _) in outcomes(&position) {
        let before = position.play_chance_unchecked(outcome);
        for m in before.moves() {
            let next = before.play_unchecked(m);
            match game.locate(slice, &next) {
                Expected::At(index) => expectation_returns(game, slice, index),
                Expected::Over(points) => assert!(next.outcome().is_some() && points != 0, "{next:?}"),
                Expected::Beyond(why) => panic!("{next:?} after {position:?}: {why}"),
            }
        }
    }
}
