//! Compares actions and observations with a transliteration of BackgammonNet.jl, and the positions that actions lead to with
//! GNU Backgammon.

mod common;

use backgammon::Backgammon;
use common::{legal, position};
use endspiel_env::Environment;
use endspiel_env::backgammon::{
    Action, Encoding, NoSuchMove, Observation, State, Tier, actions_of, position_after,
};
use game::{Position as _, Side};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn actions_are_those_of_the_peer() {
    let rows: Vec<Value> = fixtures::rows("backgammon/backgammonnet_actions.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    for row in &rows {
        let expected: Vec<u64> = row["actions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|n| n.as_u64().expect("a number"))
            .collect();
        for side in Side::ALL {
            let state = State::from(position(row, side));
            let actions: Vec<u64> = legal(&state).iter().map(|action| action.number().into()).collect();
            assert_eq!(actions, expected, "{row}");
        }
    }
}

#[test]
fn actions_lead_where_gnu_backgammon_goes() {
    let rows: Vec<Value> = fixtures::rows("backgammon/moves.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    let mut results = 0;
    for (number, row) in rows.iter().enumerate() {
        let side = Side::ALL[number % 2];
        let position = position(row, side);
        let id = |state: &State| state.position().board().position_id(side.other());
        let mut reached = BTreeSet::new();
        for first in legal(&State::from(position)) {
            let mut state = State::from(position);
            state.apply_action(first).expect("legal");
            match state.is_half_played() {
                true => reached.extend(legal(&state).into_iter().map(|second| {
                    let mut end = state;
                    end.apply_action(second).expect("legal");
                    assert!(!end.is_half_played() && end.current_player() == side.other());
                    id(&end)
                })),
                false => _ = reached.insert(id(&state)),
            }
        }
        let expected: BTreeSet<String> = row["next"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|id| id.as_str().expect("an ID").to_owned())
            .collect();
        if expected.is_empty() {
            assert_eq!(legal(&State::from(position)), [Action::PASS]);
        } else {
            assert_eq!(reached, expected, "{row}");
        }
        results += expected.len();

        // The actions of every legal turn lead to the position after the turn.
        position.for_each_move(|m| {
            let actions = actions_of(&position, m).expect("a legal turn");
            assert_eq!(position_after(&position, actions), Ok(position.play_unchecked(m)));
        });
    }
    assert_eq!(results, 68_702);
}

/// Tries all lists of actions on some rows. No list that leads to the same board comes before the list of `actions_of`.
#[test]
fn turns_are_cut_into_the_smallest_actions() {
    let rows: Vec<Value> = fixtures::rows("backgammon/moves.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    for row in rows.iter().step_by(23) {
        let start = State::from(position(row, Side::First));
        let mut first_list = std::collections::BTreeMap::new();
        for first in legal(&start) {
            let mut half = start;
            half.apply_action(first).expect("legal");
            let seconds = if half.is_half_played() { legal(&half) } else { vec![] };
            if seconds.is_empty() {
                first_list.entry(half.position().board().position_id(Side::First)).or_insert((first, None));
            }
            for second in seconds {
                let mut end = half;
                end.apply_action(second).expect("legal");
                first_list
                    .entry(end.position().board().position_id(Side::First))
                    .or_insert((first, Some(second)));
            }
        }
        start.position().for_each_move(|m| {
            let actions = actions_of(start.position(), m).expect("a legal turn");
            let id = start.position().play_unchecked(m).board().position_id(Side::First);
            assert_eq!(first_list.remove(&id), Some((actions.first, actions.second)), "{row}");
        });
        assert!(first_list.is_empty(), "{row}");
    }
}

fn floats(row: &Value, block: &str) -> Vec<f32> {
    let list = row[block].as_array().unwrap_or_else(|| panic!("no {block} in {row}"));
    list.iter().map(|number| number.as_f64().expect("a number") as f32).collect()
}

/// Replaces 0.1 by 1 for runs, home points and anchors of six. BackgammonNet.jl writes 0.1 in its flat encodings and 1
/// in its 3-D encoding.
fn with_whole_sixes(mut biased: Vec<f32>) -> Vec<f32> {
    for six in biased[..36].chunks_exact_mut(6) {
        six[5] = if six[5] > 0.0 { 1.0 } else { 0.0 };
    }
    biased
}

fn observed(state: &State, tier: Tier, encoding: Encoding) -> Vec<f32> {
    let kind = Observation { tier, encoding };
    let mut out = vec![f32::NAN; kind.len()];
    kind.write(state, &mut out).expect("as long as it says");
    out
}

#[track_caller]
fn assert_near(found: &[f32], expected: &[f32], what: &str, row: &Value) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() < 1e-6,
            "{what}[{at}] is {found}, not {expected}: {} {}",
            row["id"],
            row["dice"]
        );
    }
}

#[test]
fn observations_are_those_of_the_peer() {
    let rows: Vec<Value> = fixtures::rows("backgammon/backgammonnet_obs.jsonl.gz");
    assert_eq!(rows.len(), 400);
    let mut sixes = 0;
    for row in &rows {
        let biased = floats(row, "biased_3d");
        assert_near(&with_whole_sixes(floats(row, "biased_flat")), &biased, "the two of the peer", row);
        sixes += usize::from(biased != floats(row, "biased_flat"));
        let board = floats(row, "board");
        let globals = ["dice_feat", "off", "cube", "full"].map(|block| floats(row, block)).concat();
        let globals = [globals, biased].concat();
        assert_eq!(globals.len(), 122);
        for side in Side::ALL {
            let state = State::from(position(row, side));
            for tier in Tier::ALL {
                let globals = &globals[..tier.globals()];
                let by_rows: Vec<f32> = (0..12)
                    .flat_map(|c| (0..26).map(move |w| (c, w)))
                    .map(|(c, w)| board[w * 12 + c])
                    .collect();
                let flat = [&board, globals].concat();
                assert_near(&observed(&state, tier, Encoding::Flat), &flat, "flat", row);
                let hybrid = [&by_rows, globals].concat();
                assert_near(&observed(&state, tier, Encoding::Hybrid), &hybrid, "hybrid", row);
                let broadcast: Vec<f32> = globals.iter().flat_map(|&value| [value; 26]).collect();
                let spatial = [by_rows, broadcast].concat();
                assert_near(&observed(&state, tier, Encoding::Spatial), &spatial, "3-D", row);
            }
        }
    }
    println!("{sixes} rows differ between the encodings of BackgammonNet.jl");
}

/// Illegal moves have no actions: a turn of another roll, or a decision about the cube in a game without one.
#[test]
fn other_moves_have_no_actions() {
    let rows = fixtures::rows("backgammon/moves.jsonl.gz");
    let positions = rows.iter().step_by(40).map(|row| position(row, Side::First));
    let positions: Vec<_> = positions.collect();
    let mut refused = 0;
    for (one, other) in positions.iter().zip(positions.iter().skip(1)) {
        for m in other.moves() {
            match actions_of(one, m) {
                // The turn may be another way to play a legal move.
                Ok(actions) => {
                    let after = position_after(one, actions).expect("legal actions");
                    assert!(one.moves().iter().any(|&m| one.play_unchecked(m) == after), "{m:?} in {one:?}");
                }
                Err(NoSuchMove) => {
                    assert!(!one.is_legal(m), "{m:?} in {one:?}");
                    refused += 1;
                }
            }
            assert_eq!(Backgammon::default().actions_of(one, m).is_some(), one.is_legal(m));
        }
        for m in [backgammon::Move::Roll, backgammon::Move::Double, backgammon::Move::Drop] {
            assert_eq!(actions_of(one, m), Err(NoSuchMove));
        }
    }
    assert!(refused > 100, "{refused}");
}
