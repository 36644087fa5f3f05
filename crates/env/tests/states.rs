//! Laws of every state, checked by enumeration on the states of random games.

mod common;

use backgammon::{Backgammon, Canonical, Dice, Opening, Phase, Position, Score, Stakes, Start};
use common::{any_of, legal};
use endspiel_env::backgammon::{
    Action, CONTEXT, Chance, Kind, Legacy, MatchState, Observation, State, context, masked_context,
    write_context, write_masked_context,
};
use endspiel_env::{ActionError, BufferError, Environment as _, Numbered, ObservationKind, OutcomeError};
use game::{BySide, Rng, Side};

/// Games with all combinations of options.
fn games() -> Vec<Backgammon> {
    let mut games = Vec::new();
    for with_cube in [false, true] {
        for dice in [Dice::Any, Dice::Doubles] {
            for start in [Start::Standard, Start::Short] {
                for stakes in [
                    Stakes::Money { jacoby: false },
                    Stakes::Money { jacoby: true },
                    Stakes::Match(Score::start(1).expect("a match")),
                    Stakes::Match(Score::start(5).expect("a match")),
                ] {
                    for opening in [Opening::Plain, Opening::Real] {
                        let mut game = Backgammon { start, opening, ..Backgammon::default() };
                        game.terms.with_cube = with_cube;
                        game.terms.dice = dice;
                        game.terms.stakes = stakes;
                        games.push(game);
                    }
                }
            }
        }
    }
    games
}

/// Chooses a random action. It doubles seldom and takes often, so that games last longer.
fn choose(state: &State, rng: &mut Rng) -> Action {
    let actions = legal(state);
    match state.position().phase() {
        Phase::Double if rng.below(10) > 0 => Action::ROLL,
        Phase::Answer if rng.below(4) > 0 => Action::TAKE,
        _ => any_of(&actions, rng),
    }
}

#[test]
fn legal_is_what_can_be_played() {
    let mut rng = Rng::new(7);
    let (mut seen, mut halves) = (0, 0);
    for game in games() {
        for _ in 0..3 {
            let mut state = State::reset(&game, None, &mut rng);
            while !state.is_terminal() {
                let actions = legal(&state);
                assert!(!actions.is_empty() && actions.is_sorted_by(|a, b| a < b), "{actions:?}");
                let mut mask = [9; Action::COUNT];
                Backgammon::default().mask(&state, &mut mask).expect("680 entries");
                for action in Action::all() {
                    let is_legal = actions.contains(&action);
                    assert_eq!(
                        (state.is_legal(action), mask[action.index()]),
                        (is_legal, u8::from(is_legal))
                    );
                    let mut next = state;
                    match next.apply_action(action) {
                        Ok(()) => assert!(is_legal && next != state, "{action} in {state:?}"),
                        Err(error) => {
                            assert_eq!(error, ActionError::Illegal(action.named()));
                            assert!(!is_legal && next == state);
                        }
                    }
                }
                halves += u32::from(state.is_half_played());
                seen += 1;
                let chosen = choose(&state, &mut rng);
                state.step(chosen, &mut rng).expect("legal");
            }
        }
    }
    assert!(seen > 10_000 && halves > 1_000, "{seen} {halves}");
}

#[test]
fn random_games_end_with_sane_rewards() {
    let mut rng = Rng::new(3);
    for game in games() {
        let mut seen = [0u32; 4];
        for _ in 0..60 {
            let mut state = State::reset(&game, None, &mut rng);
            let mut actions = 0;
            while !state.is_terminal() {
                assert!(!state.is_chance_node() && state.rewards() == BySide::default());
                assert_ne!(legal(&state), [Action::PASS], "a pass is not a choice");
                let chosen = choose(&state, &mut rng);
                state.step(chosen, &mut rng).expect("legal");
                actions += 1;
                assert!(actions < 20_000, "{game:?}");
            }
            let (reward, rewards) = (state.reward(), state.rewards());
            let cube = state.position().cube().value() as f32;
            assert_eq!((rewards.first, rewards.second), (reward, -reward));
            assert_eq!(state.winner(), Some(if reward > 0.0 { Side::First } else { Side::Second }));
            let multiple = reward.abs() / cube;
            match game.terms.stakes {
                Stakes::Money { jacoby: true } if cube == 1.0 => assert_eq!(reward.abs(), 1.0),
                Stakes::Money { .. } => assert!([1.0, 2.0, 3.0].contains(&multiple), "{reward} {cube}"),
                Stakes::Match(score) => assert!(reward.abs() <= f32::from(score.away(Side::First))),
            }
            assert!(legal(&state).is_empty() && !state.is_chance_node());
            let mut after = state;
            assert_eq!(after.apply_action(Action::PASS), Err(ActionError::Over(Action::PASS.named())));
            seen[(multiple as usize).min(3)] += 1;
        }
        if game.start == Start::Standard && game.terms.stakes == (Stakes::Money { jacoby: false }) {
            assert!(seen[1..].iter().all(|&count| count > 0), "{game:?}: {seen:?}");
        }
    }
}

#[test]
fn chance_is_what_the_dice_are() {
    for game in games() {
        let start = State::begin(&game, Side::Second);
        assert!(start.is_chance_node() && legal(&start).is_empty() && start.actions_left() == 0);
        let action = Action::PASS;
        assert_eq!(start.clone().apply_action(action), Err(ActionError::AwaitsChance(action.named())));
        let outcomes = start.chance_outcomes();
        let total: u32 = outcomes.iter().map(|outcome| outcome.weight).sum();
        let sum: f64 = outcomes.iter().map(|outcome| outcome.probability()).sum();
        let expected = match (game.terms.dice, game.opening) {
            (Dice::Doubles, _) => 6,
            (Dice::Any, Opening::Plain) => 36,
            (Dice::Any, Opening::Real) => 30,
        };
        assert_eq!((total, outcomes[0].of), (expected, expected));
        assert!((sum - 1.0).abs() < 1e-12);
        for (number, outcome) in (1..).zip(outcomes) {
            let (chance, roll) = (outcome.chance, outcome.chance.roll());
            assert_eq!((usize::from(chance.number()), chance.index()), (number, number - 1));
            assert_eq!(Chance::from_index(number - 1), Some(chance));
            let mut next = start;
            match next.apply_chance(outcome.chance) {
                Ok(()) => {
                    assert!(outcome.weight > 0);
                    assert_eq!(next.position().roll(), Some(roll));
                    assert_eq!(next.actions_left(), 1 + u32::from(roll.is_double()));
                    assert_eq!(
                        next.apply_chance(outcome.chance),
                        Err(OutcomeError::NotAwaited(chance.named()))
                    );
                    assert!(next.chance_outcomes().iter().all(|outcome| outcome.weight == 0));
                }
                Err(error) => {
                    assert_eq!((error, outcome.weight), (OutcomeError::Impossible(chance.named()), 0));
                }
            }
        }
        assert_eq!(Chance::from_index(21), None);
    }
}

/// Applying actions, rolls and passes one by one gives the same states as stepping.
#[test]
fn explicit_chance_is_the_sampled_one() {
    let mut rng = Rng::new(11);
    for game in games() {
        let mut sampled = State::reset(&game, Some(Side::First), &mut rng.clone());
        let mut explicit = State::begin(&game, Side::First);
        let mut dice = rng.clone();
        rng.next_u64();
        let mut sampling = {
            let mut rng = dice.clone();
            let _ = State::reset(&game, Some(Side::First), &mut rng);
            rng
        };
        for _ in 0..400 {
            // Apply rolls and passes up to the next choice.
            while explicit.is_chance_node() || legal(&explicit) == [Action::PASS] {
                if explicit.is_chance_node() {
                    let roll = explicit.position().rolled_by(&mut dice).roll().expect("rolled");
                    explicit.apply_chance(roll.into()).expect("possible");
                } else {
                    explicit.apply_action(Action::PASS).expect("legal");
                }
            }
            assert_eq!(explicit, sampled);
            if sampled.is_terminal() {
                break;
            }
            let action = choose(&sampled, &mut rng);
            sampled.step(action, &mut sampling).expect("legal");
            explicit.apply_action(action).expect("legal");
        }
    }
}

#[test]
fn matches_are_played_to_their_end() {
    let mut rng = Rng::new(5);
    for length in 1..=7 {
        for with_cube in [false, true] {
            let mut game = Backgammon::default();
            game.terms.with_cube = with_cube;
            game.terms.stakes = Stakes::Match(Score::start(length).expect("a match"));
            for _ in 0..10 {
                let mut play = MatchState::reset(&game, None, &mut rng);
                let mut points = BySide { first: 0.0, second: 0.0 };
                let mut crawford_games = 0;
                let winner = loop {
                    let score = *play.score().expect("a match");
                    assert_eq!(
                        (f32::from(score.points(Side::First)), f32::from(score.points(Side::Second))),
                        (points.first, points.second)
                    );
                    let may_double = play.state().position().phase() == Phase::Double;
                    assert!(!may_double || with_cube && !score.is_crawford() && length > 1);
                    let before = score.is_crawford();
                    let action = choose(play.state(), &mut rng);
                    let Some(event) = play.step(action, &mut rng).expect("legal") else { continue };
                    let won = event.rewards.first.max(event.rewards.second);
                    let side = if event.rewards.first > 0.0 { Side::First } else { Side::Second };
                    points[side] += won;
                    crawford_games += u32::from(before);
                    assert!(points[side] <= length as f32);
                    assert_eq!(event.match_winner.is_some(), points[side] == length as f32);
                    if let Some(winner) = event.match_winner {
                        assert!(play.is_over() && winner == side);
                        break winner;
                    }
                    let score = play.score().expect("a match");
                    let anyone_near = Side::ALL.into_iter().any(|side| score.away(side) == 1);
                    assert_eq!(score.is_crawford(), anyone_near && crawford_games == 0);
                    assert_eq!(score.is_post_crawford(), anyone_near && crawford_games == 1);
                };
                assert_eq!(points[winner], length as f32);
                assert!(crawford_games <= 1);
            }
        }
    }
}

#[test]
fn observations_say_what_the_state_is() {
    let (mut rng, mut turned_boards) = (Rng::new(13), 0);
    for game in games() {
        let mut play = MatchState::reset(&game, None, &mut rng);
        for _ in 0..300 {
            if play.is_over() {
                break;
            }
            let state = play.state();
            for kind in Observation::all() {
                assert_eq!(Observation::named(&kind.to_string()), Ok(kind));
                let numbers: usize = kind.shapes().iter().map(|shape| shape.iter().product::<usize>()).sum();
                assert_eq!((numbers, kind.length()), (kind.len(), kind.len()));
                let mut out = vec![f32::NAN; kind.len()];
                kind.write(state, &mut out).expect("as long as it says");
                assert!(out.iter().all(|value| (-1.0..=3.0).contains(value)), "{kind} of {state:?}");
                assert!(kind.write(state, &mut out[1..]).is_err());
                // The turned board gives the same observation.
                let turned = State::from(state.position().turned());
                if !state.is_half_played() {
                    let mut other = vec![f32::NAN; kind.len()];
                    kind.write(&turned, &mut other).expect("as long as it says");
                    assert_eq!(out, other, "{kind} of {state:?}");
                    turned_boards += 1;
                }
            }
            for kind in [Legacy::Fast, Legacy::Full] {
                let mut out = vec![f32::NAN; kind.len()];
                kind.write(state, &mut out).expect("as long as it says");
                assert!(out.iter().all(|value| (-1.0..=1.0).contains(value)), "{kind:?} of {state:?}");
                // Each side has fifteen checkers, so my numbers and the opponent's cancel out.
                assert!(out[..28].iter().sum::<f32>().abs() < 1e-5);
            }
            let context = context(state);
            let mut out = [f32::NAN; CONTEXT];
            write_context(state, &mut out).expect("12 numbers");
            assert_eq!(out, context);
            assert_eq!(context[9..].iter().sum::<f32>(), 1.0);
            assert_eq!(context[3] == 1.0, state.position().terms().stakes.is_money());
            let action = choose(state, &mut rng);
            play.step(action, &mut rng).expect("legal");
        }
    }
    assert!(turned_boards > 2_000, "only {turned_boards} turned boards");
    assert_eq!(masked_context(), [0.0; CONTEXT]);
    let mut out = [f32::NAN; CONTEXT];
    write_masked_context(&mut out).expect("12 numbers");
    assert_eq!(out, masked_context());
    let state = State::begin(&Backgammon::default(), Side::First);
    let error = BufferError { what: "context", expected: 12, found: 11 };
    assert_eq!(write_context(&state, &mut out[1..]), Err(error));
    assert_eq!(write_masked_context(&mut out[1..]), Err(error));
}

/// States have the documented sizes. A search that keeps millions of them relies on this.
#[test]
fn states_are_small() {
    assert_eq!((size_of::<Position>(), size_of::<State>()), (64, 112));
}

/// The number of steps in an observation agrees with the actions that are played.
#[test]
fn steps_to_come_are_those_that_come() {
    let mut rng = Rng::new(17);
    let kind = Observation::named("minimal_flat").expect("a name");
    let mut seen = [0u32; 5];
    for _ in 0..300 {
        let mut state = State::begin(&Backgammon::default(), Side::First);
        while !state.is_terminal() {
            if state.is_chance_node() {
                let roll = state.position().rolled_by(&mut rng).roll().expect("rolled");
                state.apply_chance(roll.into()).expect("possible");
            }
            let mut out = vec![0.0; kind.len()];
            kind.write(&state, &mut out).expect("as long as it says");
            let told = out[324..328].iter().position(|&value| value == 1.0).map_or(0, |at| at + 1);
            let player = state.current_player();
            let (mut last, mut steps) = (state, 0);
            while last.current_player() == player && last.position().roll().is_some() {
                let action = legal(&last)[0];
                let Kind::Play(first, second) = action.kind() else { panic!("a roll is to be played") };
                steps += [first, second].iter().filter(|&&place| place != Canonical::OFF).count();
                last.apply_action(action).expect("legal");
            }
            // After bearing off the last checker, a player makes no more steps.
            assert_eq!(told, steps, "{state:?}");
            seen[told] += 1;
            let actions = legal(&state);
            state.apply_action(any_of(&actions, &mut rng)).expect("legal");
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// The points that each side needs are seen by the player to act. BackgammonNet.jl does not exchange them with the turn.
#[test]
fn points_away_are_those_of_whoever_looks() {
    let mut game = Backgammon::default();
    let score = Score::new(9, BySide { first: 6, second: 1 }, false).expect("a score");
    game.terms.stakes = Stakes::Match(score);
    game.terms.with_cube = true;
    let kind = Observation::named("minimal_flat").expect("a name");
    for (side, mine, theirs) in [(Side::First, 3.0, 8.0), (Side::Second, 8.0, 3.0)] {
        let mut state = State::begin(&game, side);
        state.apply_chance(Chance::from_index(1).expect("21")).expect("a roll");
        let mut out = vec![0.0; kind.len()];
        kind.write(&state, &mut out).expect("as long as it says");
        assert_eq!(
            out[330..],
            [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, mine / 25.0, theirs / 25.0, 0.0, 0.0]
        );
        assert_eq!(
            context(&state),
            [0.0, 0.0, 1.0, 0.0, mine / 8.0, theirs / 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        );
    }
}

/// Checks the legacy observations of the start with the rolls 31 and 66 by hand.
#[test]
fn old_observations_by_hand() {
    let mut state = State::begin(&Backgammon::default(), Side::Second);
    state.apply_chance(Chance::from_index(2).expect("31")).expect("a roll");
    let mut out = [0.0; 86];
    Legacy::Full.write(&state, &mut out).expect("86 numbers");
    let board = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2];
    assert_eq!(out[..24], board.map(|count: i8| f32::from(count) / 15.0));
    assert_eq!(out[24..34], [0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.25, 0.0, 0.0, 0.0]);
    assert_eq!(out[34..38], [0.0; 4]);
    assert_eq!(out[38..62], [0.0; 24]);
    assert_eq!(out[62..], board.map(|count: i8| f32::from(count.signum())));

    let mut state = State::begin(&Backgammon::default(), Side::First);
    state.apply_chance(Chance::from_index(20).expect("66")).expect("a roll");
    let mut out = [0.0; 34];
    Legacy::Fast.write(&state, &mut out).expect("34 numbers");
    assert_eq!(out[28..], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    state.apply_action(legal(&state)[0]).expect("legal");
    Legacy::Fast.write(&state, &mut out).expect("34 numbers");
    assert_eq!(out[28..], [0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
}
