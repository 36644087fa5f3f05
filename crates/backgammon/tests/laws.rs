//! The laws of rules and notation in random games, with and without cube and match. Two ways to find turns are
//! compared with each other and with steps that are played one by one.

use endspiel_backgammon::{
    Backgammon, Board, Canonical, Dice, Field, Move, Opening, Phase, Position, Roll, Start, Terms, Twins,
    places,
};
use game::{Game, GameOption, Notation, Options, Position as _, Rng, Side, laws};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The game with these options of the command line.
fn game_with(options: &[(&GameOption, &str)]) -> Backgammon {
    let mut given = Options::default();
    options.iter().for_each(|(option, value)| given.set(option, (*value).to_owned()));
    Backgammon::new(&given).expect("options of this file")
}

fn games() -> [Backgammon; 8] {
    use endspiel_backgammon::{CUBE, DICE, JACOBY, MATCH, OPENING, START, VARIANT};
    [
        game_with(&[]),
        game_with(&[(&CUBE, "on"), (&JACOBY, "on")]),
        game_with(&[(&CUBE, "4"), (&MATCH, "5"), (&OPENING, "real")]),
        game_with(&[(&MATCH, "1"), (&CUBE, "on")]),
        game_with(&[(&START, "short"), (&OPENING, "real")]),
        game_with(&[(&DICE, "doubles"), (&CUBE, "on")]),
        game_with(&[(&VARIANT, "hyper3"), (&CUBE, "on"), (&JACOBY, "on")]),
        game_with(&[(&VARIANT, "hyper1"), (&MATCH, "3"), (&OPENING, "real")]),
    ]
}

/// Every board that a roll can lead to. The dice are played one after the other in every order, as far as possible,
/// as the rules say.
fn boards_one_by_one(position: &Position, roll: Roll) -> BTreeSet<String> {
    let orders = match roll.is_double() {
        true => vec![vec![roll.high(); 4]],
        false => vec![vec![roll.high(), roll.low()], vec![roll.low(), roll.high()]],
    };
    // Every way to play: the number of dice played, the highest of them, and the board.
    let mut ways = Vec::new();
    for dice in orders {
        let mut open = vec![(0, 0, *position)];
        while let Some((played, highest, now)) = open.pop() {
            let die = dice.get(played as usize).copied();
            let field = Field::new(now.board(), position.turn());
            let from = die.map_or(0, |die| field.steps(die));
            if from == 0 {
                ways.push((played, highest, now));
            }
            for from in places(from) {
                let die = die.expect("there is a step");
                let from = Canonical::new(from as u8).expect("a place");
                open.push((played + 1, highest.max(die), now.stepped_unchecked(from, die)));
            }
        }
    }
    let most = ways.iter().map(|way| way.0).max().unwrap_or(0);
    ways.retain(|way| way.0 == most);
    let highest = ways.iter().map(|way| way.1).max().unwrap_or(0);
    let next = position.turn().other();
    ways.iter().filter(|way| way.1 == highest).map(|(_, _, now)| now.board().position_id(next)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn positions_keep_the_laws(seed: u64, plies in 0u32..160, game in 0usize..8) {
        let game = games()[game];
        let (position, _) = game::playout(&game.start(), plies, &mut Rng::new(seed));
        laws::moves_agree(&position);
        // The texts of all pairs of moves are compared, which takes long for many moves.
        if position.count_moves() < 200 {
            laws::text_returns(&game, &position);
        }
        laws::keys_agree(&game, &position);
        laws::symmetry_keeps_moves(&position);
        laws::symmetries_compose(&position);
        laws::undo_restores(&game, &mut Rng::new(seed));
    }


    /// `visit_moves`, `count_moves` and single steps find the same turns for every roll. Without twins, the pairs are
    /// a subset of all pairs.
    #[test]
    fn turns_are_found_in_three_ways(seed: u64, plies in 0u32..200) {
        let (position, _) = game::playout(&Backgammon::default().start(), plies, &mut Rng::new(seed));
        if position.outcome().is_some() {
            return Ok(());
        }
        for roll in Roll::ALL {
            let position = position.rolled(roll);
            let mut boards = Vec::new();
            position.for_each_move(|m| {
                let next = position.play_unchecked(m);
                boards.push(next.board().position_id(next.turn()));
            });
            prop_assert_eq!(boards.len() as u64, position.count_moves());
            let different: BTreeSet<String> = boards.iter().cloned().collect();
            prop_assert_eq!(boards.len(), different.len());
            prop_assert_eq!(&different, &boards_one_by_one(&position, roll));
            if !roll.is_double() {
                let pairs = |twins| {
                    let mut pairs = Vec::new();
                    let ControlFlow::Continue(()) = position.field().visit_pairs(roll, twins, |first, seconds| {
                        pairs.extend(places(seconds).map(|second| (first, second)));
                        ControlFlow::<Infallible>::Continue(())
                    });
                    pairs
                };
                let (kept, left) = (pairs(Twins::Kept), pairs(Twins::Left));
                prop_assert!(kept.is_sorted() && left.iter().all(|pair| kept.contains(pair)));
            }
        }
    }
}

proptest! {
    // Every roll of two turns in a row is counted in a dozen ways.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn counts_agree(seed: u64, plies in 0u32..160) {
        let (position, _) = game::playout(&Backgammon::default().start(), plies, &mut Rng::new(seed));
        if position.count_moves() < 20 {
            laws::perft_agrees(&position);
        }
    }
}

/// Both players are on the bar and enter only with a six. With 11, the first roll, nobody ever moves.
#[test]
fn the_stack_suffices() {
    let game = Backgammon::default();
    let dances = "XGID=aBBBBB------Dd------bbbbbA:0:0:1:00:0:0:0:0:10";
    laws::stack_suffices(&game.parse_position(dances).expect("a position"));
}

/// No position of random games has more moves than `INFO` says.
#[test]
fn no_position_has_more_moves() {
    let mut rng = Rng::new(7);
    let mut most = 0;
    for _ in 0..300 {
        let mut position = Backgammon::default().start();
        while position.won().is_none() {
            let rolled = position.rolled_by(&mut rng);
            most = most.max(rolled.count_moves());
            let m = game::random_move(&rolled, &mut rng).expect("a turn, if only a dance");
            position = rolled.play_unchecked(m);
        }
    }
    assert!(most <= Backgammon::INFO.capabilities.most_moves.into(), "{most}");
}

#[test]
fn the_start_is_as_the_options_say() {
    let [plain, _, real_match, _, short, doubles, ..] = games();
    assert_eq!(plain.start().phase(), Phase::Roll);
    assert_eq!(real_match.start().phase(), Phase::Opening);
    assert_eq!(short.start().board(), &Start::Short.board());
    let rolls = |game: Backgammon| {
        let start = game.start();
        let mut rolls = Vec::new();
        let _ = start.visit_chances(|roll, weight| {
            assert_eq!(start.play_chance(roll), Ok(start.rolled(roll)));
            rolls.push((roll, weight));
            ControlFlow::<()>::Continue(())
        });
        rolls
    };
    let sum = |rolls: &[(Roll, u32)]| rolls.iter().map(|(_, weight)| weight).sum::<u32>();
    assert_eq!((rolls(plain).len(), sum(&rolls(plain))), (21, 36));
    assert_eq!((rolls(real_match).len(), sum(&rolls(real_match))), (15, 30), "no doubles at the start");
    assert_eq!((rolls(doubles).len(), sum(&rolls(doubles))), (6, 6));
    // After the first turn, doubles are possible again.
    let mut rng = Rng::new(1);
    let first = real_match.start().rolled_by(&mut rng);
    assert!(first.roll().is_some_and(|roll| !roll.is_double()));
    let next = first.play_unchecked(first.moves()[0]);
    assert_eq!(next.phase(), Phase::Double, "the cube may be used from the second turn on");
    let rolling = next.play(Move::Roll).expect("who may double may roll");
    assert_eq!(Roll::ALL.iter().filter(|&&roll| rolling.weight(roll) > 0).count(), 21);
}

/// With dice that show only doubles, the first roll is a double, too.
#[test]
fn doubles_open_a_game_of_doubles() {
    let terms = Terms { dice: Dice::Doubles, ..Terms::default() };
    let game = Backgammon { terms, opening: Opening::Real, ..Backgammon::default() };
    let rolled = game.start().rolled_by(&mut Rng::new(3));
    assert!(rolled.roll().is_some_and(Roll::is_double));
    assert_eq!(rolled.board(), &Board::START);
    assert_eq!(game.position_text(&rolled.turned()).matches(":-1:").count(), 1, "{:?}", Side::Second);
}
