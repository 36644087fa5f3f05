//! Games that follow each other. A match continues with its score until it is decided; other games have no next game.

use endspiel_registry::{Registry, Session};
use game::{GameOption, Options, Rng};

fn session(game: &str, options: &[(&GameOption, &str)]) -> Box<dyn Session> {
    let mut given = Options::default();
    options.iter().for_each(|(option, value)| given.set(option, (*value).to_owned()));
    let registry = Registry::standard();
    let host = registry.find(game).and_then(|family| family.open(&given)).expect("options of this file");
    host.session(None).expect("the start")
}

/// Plays random moves to the end of a game.
fn play_to_the_end(session: &mut dyn Session, rng: &mut Rng) {
    session.settle(rng);
    while session.play_random(rng).is_some() {
        session.settle(rng);
    }
}

#[test]
fn a_match_goes_on_until_it_is_decided() {
    let mut rng = Rng::new(5);
    let mut session = session("backgammon", &[(&backgammon::MATCH, "5"), (&backgammon::CUBE, "on")]);
    let mut games = 1;
    loop {
        assert!(!session.next_game(&mut rng), "the game is not over");
        play_to_the_end(&mut *session, &mut rng);
        assert!(session.ending().is_some());
        if !session.next_game(&mut rng) {
            break;
        }
        games += 1;
        assert_eq!(session.undo(), None, "another game");
        assert!(session.position().contains(":5:10"), "{}: still a match to 5", session.position());
    }
    assert!(games > 1, "nobody wins 5 points at once without doubling twice");
    let board = session.draw(game::Style::Plain);
    assert!(board.contains(", and the match"), "{board}");
}

#[test]
fn other_games_stand_alone() {
    let mut rng = Rng::new(1);
    let mut session = session("dobutsu", &[]);
    play_to_the_end(&mut *session, &mut rng);
    assert!(!session.next_game(&mut rng));
}
