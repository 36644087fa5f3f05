//! Laws that every environment must keep, as functions that tests call.

mod arrays;

pub use arrays::{Arrays, UNSEEN, UNSET};

use crate::batch::{Batch, slot_rng};
use crate::environment::Environment;
use crate::error::{ActionError, BatchError};
use crate::numbered::Numbered;
use crate::observation::ObservationKind;
use game::{BySide, Position, Rng};
use std::collections::HashSet;

/// Checks all laws on this number of random games.
pub fn hold<E: Environment>(environment: &E, games: u32, seed: u64) {
    kinds_agree_with_their_shapes::<E>();
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        random_game(environment, &mut rng, |state| of_state(environment, state));
    }
    explicit_chance_is_complete(environment, games, &mut rng);
    a_clone_replays_the_same(environment, &mut rng);
    batches_are_their_games(environment, seed);
    threads_do_not_matter(environment, seed);
    wrong_actions_change_nothing(environment, seed);
}

/// Checks that all observations have different names, and that the length of each agrees with its shapes.
pub fn kinds_agree_with_their_shapes<E: Environment>() {
    let kinds = E::Observation::all();
    let names: HashSet<String> = kinds.iter().map(ToString::to_string).collect();
    assert!(!kinds.is_empty() && names.len() == kinds.len(), "{names:?}");
    for kind in kinds {
        let numbers: usize = kind.shapes().iter().map(|shape| shape.iter().product::<usize>()).sum();
        assert_eq!(numbers, kind.length(), "{kind}");
        assert_eq!(E::Observation::named(&kind.to_string()), Ok(kind));
    }
    assert!(E::Observation::named("nothing of this name").is_err());
}

/// Plays a random game with sampled chance. Calls `see` with every state, including the last one.
fn random_game<E: Environment>(environment: &E, rng: &mut Rng, mut see: impl FnMut(&E::State)) {
    let mut state = environment.reset(rng);
    loop {
        see(&state);
        if environment.is_terminal(&state) {
            return;
        }
        let chosen = any(&environment.actions(&state), rng);
        environment.step(&mut state, chosen, rng).expect("a listed action is legal");
    }
}

fn any<T: Copy>(list: &[T], rng: &mut Rng) -> T {
    list[rng.below(list.len() as u64) as usize]
}

/// Checks the laws of one state.
pub fn of_state<E: Environment>(environment: &E, state: &E::State) {
    mask_list_and_legality_agree(environment, state);
    rewards_are_for_the_end(environment, state);
    chances_are_weighed(environment, state);
    if !environment.is_mid_turn(state) {
        moves_are_actions(environment, state);
    }
    for kind in E::Observation::all() {
        let mut out = vec![f32::NAN; kind.length()];
        environment.observe(state, kind, &mut out).expect("as long as it says");
        assert!(out.iter().all(|value| value.is_finite()), "{kind} of {state:?}");
        assert!(environment.observe(state, kind, &mut out[1..]).is_err(), "{kind}");
    }
    assert!(environment.holds(state), "{state:?}");
}

/// The mask, the list, `is_legal` and `apply_action` agree on the legal actions. The list is in ascending order. An action
/// that is not legal changes nothing.
fn mask_list_and_legality_agree<E: Environment>(environment: &E, state: &E::State) {
    let actions = environment.actions(state);
    assert!(actions.is_sorted_by(|a, b| a < b), "{actions:?} of {state:?}");
    let nobody_acts = environment.is_terminal(state) || environment.is_chance_node(state);
    assert_eq!(actions.is_empty(), nobody_acts, "{state:?}");
    let mut mask = vec![9; E::Action::COUNT];
    environment.mask(state, &mut mask).expect("an entry for every action");
    for (index, action) in E::Action::all().enumerate() {
        assert_eq!((action.index(), environment.action(index as i64).ok()), (index, Some(action)));
        let is_listed = actions.binary_search(&action).is_ok();
        let found = (environment.is_legal(state, action), mask[index]);
        assert_eq!(found, (is_listed, u8::from(is_listed)), "{action} in {state:?}");
        if !is_listed {
            let mut same = state.clone();
            let error = environment.apply_action(&mut same, action).expect_err("it is not legal");
            assert!(error.to_string().contains(&index.to_string()), "{error}");
            assert_eq!(same, *state, "{action}");
        }
    }
    for number in [-1, E::Action::COUNT as i64, i64::MIN, i64::MAX] {
        assert!(matches!(environment.action(number), Err(ActionError::Number { .. })), "{number}");
    }
}

/// Rewards are 0 before the end of the game, and their sum is always 0.
fn rewards_are_for_the_end<E: Environment>(environment: &E, state: &E::State) {
    let rewards = environment.rewards(state);
    assert_eq!(rewards.first + rewards.second, 0.0, "{state:?}");
    assert!(environment.is_terminal(state) || rewards == BySide::default(), "{state:?}");
}

/// Chance nodes, and only they, have outcomes. The outcomes are in ascending order with weights above 0. Any other
/// outcome is an error.
fn chances_are_weighed<E: Environment>(environment: &E, state: &E::State) {
    let mut chances = Vec::new();
    environment.visit_chances(state, |chance, weight| {
        assert!(weight > 0, "{chance:?} of {state:?}");
        chances.push(chance);
    });
    assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
    assert_eq!(chances.is_empty(), !environment.is_chance_node(state), "{state:?}");
    for chance in E::Chance::all() {
        let mut next = state.clone();
        let applied = environment.apply_chance(&mut next, chance);
        assert_eq!(applied.is_ok(), chances.contains(&chance), "{chance:?} in {state:?}");
        assert_eq!(applied.is_err(), next == *state, "{chance:?} in {state:?}");
    }
}

/// Every legal move has one list of actions, which leads to the position after the move. Different moves have different
/// lists. Every list of legal actions leads to the position after a legal move.
fn moves_are_actions<E: Environment>(environment: &E, state: &E::State) {
    if environment.is_terminal(state) || environment.is_chance_node(state) {
        return;
    }
    let position = environment.position(state);
    let moves = position.moves();
    let after: HashSet<E::Position> = moves.iter().map(|&m| position.play_unchecked(m)).collect();
    let mut lists = HashSet::new();
    for &m in &moves {
        let actions = environment.actions_of(position, m).expect("the move is legal");
        let mut end = state.clone();
        for (at, &action) in actions.iter().enumerate() {
            assert_eq!(environment.is_mid_turn(&end), at > 0, "{m:?} in {position:?}");
            environment.apply_action(&mut end, action).expect("an action of a legal move");
        }
        assert!(!environment.is_mid_turn(&end), "{m:?} in {position:?}");
        assert_eq!(*environment.position(&end), position.play_unchecked(m), "{m:?} in {position:?}");
        let indices: Vec<usize> = actions.into_iter().map(Numbered::index).collect();
        assert!(lists.insert(indices), "{m:?} in {position:?} has the actions of another move");
    }
    let mut open = vec![state.clone()];
    while let Some(state) = open.pop() {
        for action in environment.actions(&state) {
            let mut next = state.clone();
            environment.apply_action(&mut next, action).expect("a listed action is legal");
            match environment.is_mid_turn(&next) {
                true => open.push(next),
                false => assert!(after.contains(environment.position(&next)), "{action} in {state:?}"),
            }
        }
    }
}

/// Every state that is reached with explicit chance keeps the laws too. After `settle`, no state is a chance node.
fn explicit_chance_is_complete<E: Environment>(environment: &E, games: u32, rng: &mut Rng) {
    for _ in 0..games {
        let mut state = environment.begin_state(rng);
        while !environment.is_terminal(&state) {
            of_state(environment, &state);
            let mut settled = state.clone();
            environment.settle(&mut settled, &mut rng.clone());
            assert!(!environment.is_chance_node(&settled), "{settled:?}");
            let mut chances = Vec::new();
            environment.visit_chances(&state, |chance, _| chances.push(chance));
            match chances.as_slice() {
                [] => {
                    let action = any(&environment.actions(&state), rng);
                    environment.apply_action(&mut state, action).expect("a listed action is legal");
                }
                chances => {
                    environment.apply_chance(&mut state, any(chances, rng)).expect("it was shown");
                }
            }
        }
        of_state(environment, &state);
    }
}

/// A clone with the same random generator and the same actions reaches the same states. The original and the clone do not
/// influence each other.
fn a_clone_replays_the_same<E: Environment>(environment: &E, rng: &mut Rng) {
    let (mut state, mut luck) = (environment.reset(rng), rng.clone());
    let (mut copy, mut same_luck) = (state.clone(), luck.clone());
    let mut played = Vec::new();
    let mut seen = vec![state.clone()];
    while !environment.is_terminal(&state) {
        let action = any(&environment.actions(&state), rng);
        environment.step(&mut state, action, &mut luck).expect("a listed action is legal");
        played.push(action);
        seen.push(state.clone());
    }
    assert_eq!(copy, seen[0]);
    for (action, expected) in played.into_iter().zip(&seen[1..]) {
        environment.step(&mut copy, action, &mut same_luck).expect("it was legal");
        assert_eq!(copy, *expected);
    }
}

/// A batch gives the same results as its games, each stepped alone with the random generator of its slot.
fn batches_are_their_games<E: Environment>(environment: &E, seed: u64) {
    let (count, kind) = (70, E::Observation::all()[0]);
    let mut batch = Batch::new(environment.clone(), count, seed, kind);
    let mut luck: Vec<Rng> = (0..count).map(|slot| slot_rng(seed, slot)).collect();
    let mut states: Vec<E::State> = luck.iter_mut().map(|rng| environment.reset(rng)).collect();
    let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(seed));
    batch.observe(&mut arrays.buffers()).expect("as long as asked");
    for _ in 0..200 {
        let actions = arrays.choose(&mut rng);
        arrays.final_observations.fill(UNSEEN);
        batch.step(&actions, &mut arrays.buffers()).expect("legal");
        for (slot, (state, rng)) in states.iter_mut().zip(&mut luck).enumerate() {
            let action = environment.action(actions[slot]).expect("a number");
            environment.step(state, action, rng).expect("legal");
            let (rewards, is_over) = (environment.rewards(state), environment.is_terminal(state));
            let (mut last, mut is_match_over) = (vec![UNSEEN; kind.length()], false);
            if is_over {
                environment.write_observation(state, kind, &mut last);
                let next = environment.next_state(state, rng);
                is_match_over = next.is_none();
                *state = next.unwrap_or_else(|| environment.reset(rng));
            }
            let mut expected = Arrays::new(&Batch::new(environment.clone(), 1, seed, kind));
            environment.write_observation(state, kind, &mut expected.observations);
            environment.write_mask(state, &mut expected.masks);
            environment.write_context(state, &mut expected.contexts);
            expected.final_observations = last;
            expected.rewards = vec![rewards.first, rewards.second];
            expected.terminated = vec![u8::from(is_over)];
            expected.match_over = vec![u8::from(is_match_over)];
            expected.players = vec![environment.current_player(state) as u8];
            assert_eq!(arrays.of_slot(slot), expected, "game {slot}");
            assert_eq!(batch.state(slot), Some(&*state));
        }
    }
}

/// The same seed and the same actions give the same arrays, on any number of threads.
fn threads_do_not_matter<E: Environment>(environment: &E, seed: u64) {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut batch = Batch::new(environment.clone(), 200, seed, E::Observation::all()[0]);
            let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(seed));
            batch.observe(&mut arrays.buffers()).expect("as long as asked");
            let mut all = vec![arrays.clone()];
            for _ in 0..40 {
                let actions = arrays.choose(&mut rng);
                batch.step(&actions, &mut arrays.buffers()).expect("legal");
                all.push(arrays.clone());
            }
            all
        })
    };
    let one = run(1);
    assert!([2, 3].into_iter().all(|threads| run(threads) == one));
}

/// One wrong action in a batch gives an error that names it. No game, no buffer and no random generator is changed.
fn wrong_actions_change_nothing<E: Environment>(environment: &E, seed: u64) {
    let count = 150;
    let mut batch = Batch::new(environment.clone(), count, seed, E::Observation::all()[0]);
    let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(seed));
    batch.observe(&mut arrays.buffers()).expect("as long as asked");
    let good = arrays.choose(&mut rng);
    let mut twin = batch.clone();
    let written = arrays.clone();
    let illegal = |slot: usize| {
        let mask = &written.masks[slot * E::Action::COUNT..(slot + 1) * E::Action::COUNT];
        mask.iter().position(|&legal| legal == 0).expect("not everything is legal") as i64
    };
    for wrong in [illegal(131), -1, E::Action::COUNT as i64, i64::MAX] {
        let mut actions = good.clone();
        actions[131] = wrong;
        match batch.step(&actions, &mut arrays.buffers()) {
            Err(BatchError::Action { slot: 131, source }) => {
                assert!(source.to_string().contains(&wrong.to_string()), "{source}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(batch.step(&good[1..], &mut arrays.buffers()), Err(BatchError::Buffer(_))));
    assert!((0..count).all(|slot| batch.state(slot) == twin.state(slot)));
    assert_eq!(arrays, written);
    let mut other = arrays.clone();
    batch.step(&good, &mut arrays.buffers()).expect("legal");
    twin.step(&good, &mut other.buffers()).expect("legal");
    assert_eq!(arrays, other);
    let none = BatchError::Slot { slot: count, count };
    assert_eq!(batch.reset_slot(count), Err(none));
}
