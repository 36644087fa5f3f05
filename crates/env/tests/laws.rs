//! The laws of environments, checked for all games.

use backgammon::{Backgammon, Dice, Score, Stakes, Start};
use dobutsu::Dobutsu;
use endspiel_env::laws;
use onitama::{Card, Onitama};

#[test]
fn backgammon_keeps_the_laws() {
    let with = |change: &dyn Fn(&mut Backgammon)| {
        let mut game = Backgammon::default();
        change(&mut game);
        game
    };
    let games = [
        with(&|_| ()),
        with(&|game| game.start = Start::Short),
        with(&|game| game.terms.dice = Dice::Doubles),
        with(&|game| game.terms.with_cube = true),
        with(&|game| {
            game.terms.with_cube = true;
            game.terms.stakes = Stakes::Match(Score::start(3).expect("a match"));
        }),
    ];
    for (seed, game) in (1..).zip(games) {
        laws::hold(&game, 1, seed);
    }
}

#[test]
fn onitama_keeps_the_laws() {
    laws::hold(&Onitama::default(), 20, 1);
    // With these cards, positions soon occur in which no man can move.
    let deal = [Card::Tiger, Card::Crab, Card::Dragon, Card::Frog, Card::Rabbit];
    laws::hold(&Onitama::with_deal(deal).expect("five cards"), 20, 2);
}

#[test]
fn dobutsu_keeps_the_laws() {
    laws::hold(&Dobutsu, 20, 1);
}
