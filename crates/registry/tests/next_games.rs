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

#[test]
fn a_match_goes_on_after_a_resignation() {
    let mut rng = Rng::new(7);
    let mut session = session("backgammon", &[(&backgammon::MATCH, "3")]);
    assert!(session.resign("white", "everything").is_err());
    session.resign("white", "gammon").expect("a kind of resignation");
    assert!(session.resign("black", "").is_err(), "the game is over");
    let ending = session.ending().expect("it was resigned");
    assert_eq!((ending.winner, ending.by, ending.points), (Some("black"), "resignation", Some(2)));
    assert!(session.has_next_game() && session.next_game(&mut rng));
    session.resign("white", "backgammon").expect("a kind of resignation");
    assert_eq!(session.ending().and_then(|ending| ending.points), Some(1), "black needs no more");
    assert!(!session.has_next_game());
    assert_eq!(session.withdraw().map(|ending| ending.by), Some("resignation"));
    assert!(session.ending().is_none() && session.withdraw().is_none());
}

#[test]
fn a_resigned_game_is_recorded_with_its_result() {
    let registry = Registry::standard();
    for (game, format, told) in [
        ("chess", "pgn", "0-1"),
        ("shogi", "kif", "投了"),
        ("onitama", "moves", "red by resignation"),
        ("cotulenh", "moves", "blue by resignation"),
        ("dobutsu", "moves", "white by resignation"),
        ("backgammon", "moves", "black by resignation for 1 point"),
    ] {
        let host = registry.find(game).and_then(|family| family.open(&Options::default())).expect(game);
        let mut session = host.session(None).expect("the start");
        session.resign(host.info().sides.first, "").expect("the game is not over");
        let text = host.records().session_text(&*session, format).expect(format);
        assert!(text.contains(told), "{game}: {text}");
    }
}

#[test]
fn rules_are_short_and_fit_a_terminal() {
    for family in Registry::standard().games() {
        let rules = family.info().rules;
        assert!((20..=40).contains(&rules.lines().count()) && rules.ends_with('\n'), "{rules}");
        for line in rules.lines() {
            // A kanji takes two columns.
            let wide = line.chars().filter(|sign| ('\u{3000}'..='\u{9fff}').contains(sign)).count();
            assert!(line.chars().count() + wide <= 80 && line.trim_end() == line, "{line}");
        }
        assert!(rules.contains("\nThe end\n") && rules.contains("\nWhat is drawn"), "{rules}");
    }
}
