//! Onitama and Dobutsu shogi as environments: their actions are their moves, and their planes are as documented.

use dobutsu::Dobutsu;
use endspiel_env::{Environment, Numbered, dobutsu as animals, onitama as cards};
use game::{Game, Notation, Position, Record, Rng};
use onitama::Onitama;

fn any<T: Copy>(list: &[T], rng: &mut Rng) -> T {
    list[rng.below(list.len() as u64) as usize]
}

fn observed<E: Environment>(game: &E, state: &E::State, kind: E::Observation, length: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; length];
    game.observe(state, kind, &mut out).expect("as long as it says");
    out
}

/// There are as many actions as moves. The rotated board gives the same actions and the same observation.
#[test]
fn onitama_is_seen_by_who_moves() {
    let (game, mut rng) = (Onitama::default(), Rng::new(3));
    for _ in 0..200 {
        let mut state = game.reset(&mut rng);
        while !game.is_terminal(&state) {
            let actions = game.actions(&state);
            assert_eq!(actions.len() as u64, state.count_moves());
            let turned = state.rotate();
            assert_eq!(actions, game.actions(&turned));
            let see = |state| observed(&game, state, cards::Observation, 225);
            assert_eq!(see(&state), see(&turned));
            let action = any(&actions, &mut rng);
            game.step(&mut state, action, &mut rng).expect("legal");
        }
        assert_eq!(game.rewards(&state)[state.turn()], -1.0, "the side to move has lost");
    }
}

/// Checks the start by hand. Blue has boar and ox, Red has elephant and horse, the crab lies beside the board.
#[test]
fn onitama_planes_by_hand() {
    let game = Onitama::default();
    let text = "1121100000000000000033433 r boar,ox elephant,horse crab";
    let state = game.state_at(game.parse_position(text).expect("a position"));
    let planes = observed(&game, &state, cards::Observation, 225);
    let ones: Vec<Vec<usize>> = planes
        .chunks_exact(25)
        .map(|plane| {
            assert!(plane.iter().all(|value| [0.0, 1.0].contains(value)));
            (0..25).filter(|&square| plane[square] == 1.0).collect()
        })
        .collect();
    let expected: [&[usize]; 9] = [
        &[0, 1, 3, 4],
        &[2],
        &[20, 21, 23, 24],
        &[22],
        &[11, 13, 16, 18], // elephant: sideways, and diagonally forward
        &[7, 11, 17],      // horse: forward, back, left
        &[7, 11, 13],      // the opponent's boar: sideways, and towards me
        &[7, 11, 17],      // the opponent's ox: its right is my left
        &[10, 14, 17],     // crab: two sideways, one forward
    ];
    assert_eq!(ones, expected);
    // The elephant moves the student in Red's left corner to the second rank.
    let action = cards::Action::from_index(6).expect("an action");
    assert_eq!(action.to_string(), "card 0 a1b2");
    let m = action.as_move(&state).expect("Red has two cards");
    assert_eq!(game.move_text(&state, m), "elephant:e5d4");
}

/// Every move has its action, and every action has its move.
#[test]
fn onitama_moves_are_actions() {
    let (mut rng, mut seen) = (Rng::new(5), 0);
    for set in Onitama::all_card_sets().step_by(37) {
        let deal: Vec<_> = set.iter().collect();
        let game = Onitama::with_deal(deal.try_into().expect("five")).expect("five cards");
        let mut state = game.reset(&mut rng);
        while !game.is_terminal(&state) {
            let actions = game.actions(&state);
            let mut numbered: Vec<_> = state.moves().iter().map(|&m| cards::Action::of(&state, m)).collect();
            numbered.sort();
            assert_eq!(actions, numbered);
            let moves = actions.iter().filter_map(|action| action.as_move(&state));
            assert!(moves.clone().all(|m| state.is_legal(m)) && moves.count() == actions.len());
            let action = any(&actions, &mut rng);
            game.step(&mut state, action, &mut rng).expect("legal");
            seen += 1;
        }
    }
    assert!(seen > 500, "only {seen} positions");
}

/// If no man can move, either card may be exchanged.
#[test]
fn onitama_passes_are_actions() {
    let game = Onitama::default();
    let text = "4000000000000000000021111 b boar,crab elephant,horse ox";
    let mut state = game.state_at(game.parse_position(text).expect("a position"));
    let actions = game.actions(&state);
    assert_eq!(actions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["card 0 pass", "card 1 pass"]);
    assert_eq!(actions.iter().map(|action| action.index()).collect::<Vec<_>>(), [1_250, 1_251]);
    game.apply_action(&mut state, actions[1]).expect("legal");
    assert_eq!(
        game.position_text(&state),
        "4000000000000000000021111 r boar,ox elephant,horse crab",
        "the crab was exchanged"
    );
}

#[test]
fn dobutsu_is_seen_by_who_moves() {
    let (mut rng, mut seen) = (Rng::new(3), 0);
    for _ in 0..200 {
        let mut state = Dobutsu.reset(&mut rng);
        while !Dobutsu.is_terminal(&state) {
            let actions = Dobutsu.actions(&state);
            assert_eq!(actions.len() as u64, state.position().count_moves());
            let turned = Dobutsu.state_at(state.position().rotate());
            assert_eq!(actions, Dobutsu.actions(&turned));
            let see = |state| observed(&Dobutsu, state, animals::Observation, 204);
            assert_eq!(see(&state)[..192], see(&turned)[..192]);
            let action = any(&actions, &mut rng);
            Dobutsu.step(&mut state, action, &mut rng).expect("legal");
            seen += 1;
        }
    }
    assert!(seen >= 600, "a game has three moves or more: {seen}");
}

/// Checks a position by hand. White is to move; Black has a hen, and an elephant in hand.
#[test]
fn dobutsu_planes_by_hand() {
    let state = Dobutsu.state_at(Dobutsu.parse_position("1le/g2/+C1c/1LG w E 1").expect("a position"));
    let planes = observed(&Dobutsu, &state, animals::Observation, 204);
    let ones = |plane: usize| -> Vec<usize> {
        (0..12).filter(|&square| planes[12 * plane + square] == 1.0).collect()
    };
    let boards: Vec<Vec<usize>> = (0..10).map(ones).collect();
    let none: &[usize] = &[];
    let expected: [&[usize]; 10] = [&[5], &[0], &[6], none, &[1], &[9], none, none, &[8], &[10]];
    assert_eq!(boards, expected);
    let hands: Vec<f32> = (10..17).map(|plane| planes[12 * plane]).collect();
    assert_eq!(hands, [0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0]);
}

/// The environment counts repetitions as a record of the game does. The third time is a draw, and no action is legal then.
#[test]
fn dobutsu_counts_what_stands_again() {
    let mut rng = Rng::new(9);
    let mut drawn = 0;
    for _ in 0..3_000 {
        let mut state = Dobutsu.reset(&mut rng);
        let mut record = Record::new(Dobutsu.start(), Dobutsu.rulebook());
        while !Dobutsu.is_terminal(&state) {
            // Choose among the first two actions only, so that positions are repeated.
            let actions = Dobutsu.actions(&state);
            let action = any(&actions[..actions.len().min(2)], &mut rng);
            record.play(action.as_move(state.position())).expect("legal");
            Dobutsu.step(&mut state, action, &mut rng).expect("legal");
            assert_eq!((state.position(), state.occurrences()), (record.position(), record.occurrences()));
            assert_eq!(state.outcome(), record.outcome());
            let seen = observed(&Dobutsu, &state, animals::Observation, 204);
            assert_eq!(seen[192..], [f32::from(u8::from(record.occurrences() > 1)); 12]);
        }
        if state.is_drawn() {
            drawn += 1;
            assert_eq!(Dobutsu.rewards(&state), game::BySide::default());
            assert!(Dobutsu.actions(&state).is_empty() && state.position().count_moves() > 0);
        }
    }
    assert!(drawn > 20, "{drawn}");
}

/// States have the documented sizes. A search that keeps many of them relies on this.
#[test]
fn states_are_small() {
    assert_eq!(size_of::<<Onitama as Environment>::State>(), 20);
    assert!(size_of::<animals::State>() <= 48);
}
