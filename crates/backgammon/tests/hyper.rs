//! Hypergammon: its starts, its points, what it refuses, and the numbers of its positions.

use endspiel_backgammon::{
    Backgammon, Few, Move, OptionError, PositionError, SetupFault, Slice, VARIANT, Variant, Win,
};
use game::{
    Expectation as _, Expected, Game, Index, Notation, Options, Position as _, Rng, Side, Style, laws,
};
use proptest::prelude::*;

fn variant(name: &str) -> Result<Backgammon, OptionError> {
    let mut options = Options::default();
    options.set(&VARIANT, name.to_owned());
    Backgammon::new(&options)
}

fn hyper3() -> Backgammon {
    variant("hyper3").expect("a variant")
}

#[test]
fn games_begin_as_in_gnubg() {
    // GNU Backgammon 1.07.001: `set variation 1-chequer-hypergammon`, `new session`, `show board`.
    for (name, id, pips) in
        [("hyper1", "AACAAAAAAgAAAA", 24), ("hyper2", "AABAAQAACgAAAA", 47), ("hyper3", "AACgAgAAKgAAAA", 69)]
    {
        let game = variant(name).expect("a variant");
        let start = game.start();
        assert_eq!(start.board().position_id(Side::First), id, "{name}");
        assert_eq!(game.rules_id(), name);
        for side in Side::ALL {
            assert_eq!((start.board().pips(side), start.off(side)), (pips, 0), "{name}");
        }
        let read = game.parse_position(&start.board().position_id(Side::First)).expect("its ID");
        assert_eq!(read, start, "{name}");
        assert!(game.draw(&start, Style::default()).contains(&format!("white: {pips} pips, 0 off")));
    }
    assert_eq!(variant("standard").expect("the default"), Backgammon::default());
    assert_eq!(Variant::Standard.absent(), 0);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(variant("hyper4").is_err_and(|error| error.to_string().contains("`hyper4`")));
    let mut options = Options::default();
    options.set(&VARIANT, "hyper2".to_owned());
    options.set(&endspiel_backgammon::START, "short".to_owned());
    assert_eq!(Backgammon::new(&options), Err(OptionError::ShortVariant { variant: "hyper2" }));
    let error = hyper3().parse_position("4HPwATDgc/ABMA").expect_err("fifteen checkers");
    let PositionError::Setup(faults) = error else { panic!("{error}") };
    assert!(matches!(*faults, [SetupFault::TooMany { count: 15, most: 3, .. }, SetupFault::TooMany { .. }]));
    assert_eq!(faults.to_string(), "white has 15 checkers; there are 3; black has 15 checkers; there are 3");
}

#[test]
fn a_loser_of_three_checkers_pays_up_to_three_points() {
    let game = hyper3();
    // White bears off its last checker. Black has borne off one, has all three at home, or one of three in White's home.
    for (places, win, points) in [
        ("-A----------------aa------", Win::Single, 1),
        ("-A------------------aaa---", Win::Gammon, 2),
        ("-A-a----------------aa----", Win::Backgammon, 3),
        ("aA------------------aa----", Win::Backgammon, 3),
    ] {
        let text = format!("XGID={places}:0:0:1:21:0:0:0:0:10");
        let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let [m] = position.moves()[..] else { panic!("one move in {text}") };
        let last = position.play_unchecked(m);
        assert_eq!((last.won(), last.points()), (Some((Side::First, win)), Some(points)), "{text}");
    }
}

#[test]
fn games_end_with_every_kind_of_win() {
    let (game, mut kinds) = (hyper3(), [0; 4]);
    for seed in 0..400 {
        let (last, _) = game::playout(&game.start(), 10_000, &mut Rng::new(seed));
        let (winner, win) = last.won().expect("a game that is over");
        assert_eq!(last.off(winner), 3);
        assert_eq!(last.off(winner.other()) > 0, win == Win::Single);
        assert_eq!(last.points(), Some(win.multiple()));
        kinds[win.multiple() as usize] += 1;
    }
    assert!(kinds[1..].iter().all(|&games| games > 10), "{kinds:?}");
}

#[test]
fn positions_are_found_where_they_are_numbered() {
    let game = hyper3();
    let start = game.start();
    let few = Few::of_position(&start).expect("few checkers");
    assert_eq!(few.slice(), Slice::Hyper { checkers: 3 });
    let Expected::At(index) = game.locate(few, &start) else { panic!("the start is numbered") };
    assert_eq!(game.unrank(few, index), Some(start));
    assert_eq!(Few::of_position(&Backgammon::default().start()), None);
    let left = Few::of(Slice::Left { checkers: 3 }).expect("few checkers");
    assert!(matches!(game.locate(left, &start), Expected::Beyond(_)), "another variant");
    let rolled = start.rolled(endspiel_backgammon::Roll::ALL[0]);
    assert!(matches!(game.locate(few, &rolled), Expected::Beyond(_)), "a roll is to be played");
    assert!(rolled.moves().iter().all(|m| matches!(m, Move::Turn(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn numbers_keep_the_laws(slice in 0usize..6, number: u64) {
        let slices: Vec<Few> = Slice::all().filter_map(Few::of).collect();
        let few = slices[slice];
        let game = Backgammon::default();
        let index = Index(number % game.size(few));
        laws::expectation_returns(&game, few, index);
        laws::moves_stay(&game, few, index);
        assert_eq!(slices.len(), 6);
    }
}
