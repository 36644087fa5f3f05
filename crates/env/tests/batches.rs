//! A batch plays the same games as single states, on any number of threads.

mod common;

use backgammon::{Backgammon, Dice, Doublings, Phase, Score, Stakes, Start};
use common::any_of;
use endspiel_env::backgammon::{Action, CONTEXT, Observation, State, context};
use endspiel_env::laws::{Arrays, UNSEEN, UNSET};
use endspiel_env::{
    ActionError, Batch, BatchError, BufferError, Buffers, Environment, Extras, Numbered, ObservationKind,
    slot_rng,
};
use game::{BySide, Rng, Side};

fn kinds() -> Vec<Backgammon> {
    let with = |change: &dyn Fn(&mut Backgammon)| {
        let mut game = Backgammon::default();
        change(&mut game);
        game
    };
    vec![
        with(&|_| ()),
        with(&|game| game.start = Start::Short),
        with(&|game| game.terms.dice = Dice::Doubles),
        with(&|game| game.terms.with_cube = true),
        with(&|game| {
            game.terms.with_cube = true;
            game.terms.stakes = Stakes::Match(Score::start(3).expect("a match"));
        }),
    ]
}

const COUNT: usize = 150;

fn run(game: Backgammon, threads: usize, steps: usize) -> Vec<Arrays> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let kind = Observation::named("minimal_hybrid").expect("a name");
        let mut batch = Batch::new(game, COUNT, 42, kind);
        let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(1));
        batch.observe(&mut arrays.buffers()).expect("as long as asked");
        let mut all = vec![arrays.clone()];
        for _ in 0..steps {
            let actions = arrays.choose(&mut rng);
            batch.step(&actions, &mut arrays.buffers()).expect("legal");
            all.push(arrays.clone());
        }
        all
    })
}

#[test]
fn threads_do_not_matter() {
    for game in kinds() {
        let one = run(game, 1, 60);
        for threads in [2, 3, 8] {
            assert!(run(game, threads, 60) == one, "{threads} threads: {game:?}");
        }
    }
}

#[test]
fn a_batch_is_its_games() {
    for game in kinds() {
        let kind = Observation::FULL;
        let count = 70;
        let mut batch = Batch::new(game, count, 9, kind);
        let mut dice: Vec<Rng> = (0..count).map(|slot| slot_rng(9, slot)).collect();
        let mut states: Vec<State> = dice.iter_mut().map(|rng| State::reset(&game, None, rng)).collect();
        let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(2));
        batch.observe(&mut arrays.buffers()).expect("as long as asked");
        let (mut ended, mut matches) = (0, 0);
        for step in 0..1_500 {
            let actions = arrays.choose(&mut rng);
            batch.step(&actions, &mut arrays.buffers()).expect("legal");
            for slot in 0..count {
                let (state, dice) = (&mut states[slot], &mut dice[slot]);
                state
                    .step(Action::from_index(actions[slot] as usize).expect("a number"), dice)
                    .expect("legal");
                let (rewards, is_over) = (state.rewards(), state.is_terminal());
                let (mut is_match_over, mut last) = (false, vec![UNSEEN; kind.len()]);
                if is_over {
                    assert_eq!(Some(state.current_player().other()), state.winner());
                    kind.write(state, &mut last).expect("as long as it says");
                    let first = Side::ALL[dice.below(2) as usize];
                    *state = match state.next_game(&game, first) {
                        Some(mut next) => {
                            next.settle(dice);
                            next
                        }
                        None => {
                            is_match_over = true;
                            State::reset(&game, None, dice)
                        }
                    };
                }
                ended += u32::from(is_over);
                matches += u32::from(is_match_over);
                assert_eq!(batch.state(slot), Some(&*state));
                assert_eq!(arrays.match_over[slot], u8::from(is_match_over));
                assert_eq!(arrays.contexts[slot * CONTEXT..(slot + 1) * CONTEXT], context(state));
                let place = &mut arrays.final_observations[slot * kind.len()..(slot + 1) * kind.len()];
                assert_eq!(*place, last);
                place.fill(UNSEEN);
                assert_eq!(arrays.rewards[2 * slot..2 * slot + 2], [rewards.first, rewards.second]);
                assert_eq!(arrays.terminated[slot], u8::from(is_over));
                assert_eq!(arrays.players[slot], state.current_player() as u8);
                if step % 10 == 0 {
                    let (mut out, mut mask) = (vec![0.0; kind.len()], [0; Action::COUNT]);
                    kind.write(state, &mut out).expect("as long as it says");
                    game.mask(state, &mut mask).expect("680 entries");
                    assert_eq!(arrays.observations[slot * kind.len()..(slot + 1) * kind.len()], out);
                    assert_eq!(arrays.masks[slot * Action::COUNT..(slot + 1) * Action::COUNT], mask);
                }
            }
        }
        assert!(ended > 500, "{ended}");
        assert_eq!(matches > 0, !game.terms.stakes.is_money());
    }
}

#[test]
fn one_bad_action_changes_nothing() {
    let mut batch = Batch::new(Backgammon::default(), 200, 3, Observation::FULL);
    let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(4));
    batch.observe(&mut arrays.buffers()).expect("as long as asked");
    let good = arrays.choose(&mut rng);
    let before: Vec<_> = (0..200).map(|slot| batch.state(slot).copied()).collect();
    let written = arrays.clone();
    let illegal = ActionError::Illegal(Action::DROP.named());
    let no_action = |number| ActionError::Number { number, first: 0, last: 679 };
    for (number, source) in [(679, illegal), (680, no_action(680)), (-1, no_action(-1))] {
        let mut actions = good.clone();
        actions[177] = number;
        actions[131] = number;
        let result = batch.step(&actions, &mut arrays.buffers());
        assert_eq!(result, Err(BatchError::Action { slot: 131, source }));
    }
    assert!(matches!(batch.step(&good[1..], &mut arrays.buffers()), Err(BatchError::Buffer(_))));
    let mut short = arrays.clone();
    short.masks.pop();
    assert!(matches!(batch.step(&good, &mut short.buffers()), Err(BatchError::Buffer(_))));
    assert_eq!((0..200).map(|slot| batch.state(slot).copied()).collect::<Vec<_>>(), before);
    assert_eq!((batch.state(200), arrays), (None, written));
    let mut fresh = Arrays::new(&batch);
    batch.step(&good, &mut fresh.buffers()).expect("legal");
}

#[test]
fn an_empty_batch_steps() {
    let mut batch = Batch::new(Backgammon::default(), 0, 3, Observation::FULL);
    let mut arrays = Arrays::new(&batch);
    batch.step::<i64>(&[], &mut arrays.buffers()).expect("nothing to do");
}

/// The games are the same with and without the extra buffers.
#[test]
fn extras_are_extra() {
    let mut batch = Batch::new(kinds()[4], 70, 5, Observation::FULL);
    let mut other = batch.clone();
    let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(6));
    let mut plain = arrays.clone();
    batch.observe(&mut arrays.buffers()).expect("as long as asked");
    for _ in 0..300 {
        let actions = arrays.choose(&mut rng);
        batch.step(&actions, &mut arrays.buffers()).expect("legal");
        other.step(&actions, &mut Buffers { extras: Extras::default(), ..plain.buffers() }).expect("legal");
        assert_eq!((&arrays.observations, &arrays.rewards), (&plain.observations, &plain.rewards));
        assert_eq!((&arrays.masks, &arrays.terminated), (&plain.masks, &plain.terminated));
    }
    assert!(plain.match_over.iter().all(|&is_over| is_over == UNSET));
    for (what, expected) in [("final observation", 70 * 74 * 26), ("context", 70 * 12), ("match over", 70)] {
        let (mut none, mut short) = ([0u8; 0], Arrays::new(&batch));
        let mut buffers = short.buffers();
        match what {
            "context" => buffers.extras.contexts = Some(&mut []),
            "match over" => buffers.extras.match_over = Some(&mut none),
            _ => buffers.extras.final_observations = Some(&mut []),
        }
        let error = BufferError { what, expected, found: 0 };
        assert_eq!(batch.observe(&mut buffers), Err(BatchError::Buffer(error)));
    }
}

/// A state that is put into a slot goes on with the dice of the slot. The other slots do not change.
#[test]
fn a_slot_takes_a_state() {
    let game = kinds()[4];
    let mut batch = Batch::new(game, 70, 8, Observation::FULL);
    let mut arrays = Arrays::new(&batch);
    let before: Vec<_> = (0..70).map(|slot| batch.state(slot).copied()).collect();
    let mut dice = slot_rng(8, 66);
    let _ = State::reset(&game, None, &mut dice);

    let mut other = game;
    let score = Score::new(7, BySide { first: 6, second: 4 }, true).expect("a score");
    other.terms.stakes = Stakes::Match(score);
    let mut expected = State::begin(&other, Side::Second);
    batch.set_state(66, expected).expect("a match of the same kind");
    expected.settle(&mut dice);
    assert_eq!(batch.state(66), Some(&expected));
    assert!(matches!(expected.position().phase(), Phase::Play(_)));
    batch.observe(&mut arrays.buffers()).expect("as long as asked");
    assert_eq!(arrays.contexts[66 * CONTEXT..67 * CONTEXT], context(&expected));
    assert_eq!(arrays.players[66], 1);

    // A state in which a player is to choose stays unchanged.
    batch.set_state(66, expected).expect("a choice");
    assert_eq!(batch.state(66), Some(&expected));

    batch.reset_slot(66).expect("there is such a slot");
    assert_eq!(batch.state(66), Some(&State::reset(&game, None, &mut dice)));
    for slot in (0..70).filter(|&slot| slot != 66) {
        assert_eq!(batch.state(slot).copied(), before[slot]);
    }
}

#[test]
fn a_slot_takes_no_other_game() {
    let game = kinds()[4];
    let mut batch = Batch::new(game, 70, 8, Observation::FULL);
    let before: Vec<_> = (0..70).map(|slot| batch.state(slot).copied()).collect();
    let begin = |change: &dyn Fn(&mut Backgammon)| {
        let mut other = game;
        change(&mut other);
        State::begin(&other, Side::First)
    };
    for foreign in [
        begin(&|game| game.terms.dice = Dice::Doubles),
        begin(&|game| game.terms.with_cube = false),
        begin(&|game| game.terms.cube_limit = Doublings::default()),
        begin(&|game| game.terms.stakes = Stakes::Money { jacoby: false }),
    ] {
        assert_eq!(batch.set_state(3, foreign), Err(BatchError::Foreign { slot: 3 }));
    }
    let (mut over, mut rng) = (begin(&|_| ()), Rng::new(1));
    over.settle(&mut rng);
    while !over.is_terminal() {
        let action = any_of(&common::legal(&over), &mut rng);
        over.step(action, &mut rng).expect("legal");
    }
    assert_eq!(batch.set_state(3, over), Err(BatchError::Over { slot: 3 }));
    let none = BatchError::Slot { slot: 70, count: 70 };
    assert_eq!(batch.set_state(70, begin(&|_| ())), Err(none.clone()));
    assert_eq!(batch.reset_slot(70), Err(none));
    assert_eq!(batch.reset_slot(usize::MAX), Err(BatchError::Slot { slot: usize::MAX, count: 70 }));
    assert_eq!((0..70).map(|slot| batch.state(slot).copied()).collect::<Vec<_>>(), before);

    let money = |jacoby| {
        let mut game = Backgammon::default();
        game.terms.stakes = Stakes::Money { jacoby };
        game
    };
    let mut batch = Batch::new(money(true), 1, 8, Observation::FULL);
    let state = |jacoby| State::begin(&money(jacoby), Side::First);
    assert_eq!(batch.set_state(0, state(false)), Err(BatchError::Foreign { slot: 0 }));
    assert_eq!(batch.set_state(0, state(true)), Ok(()));
}
