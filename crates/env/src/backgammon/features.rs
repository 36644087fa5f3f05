//! The single numbers of an observation, which follow the board. They are the same in every encoding.
//!
//! | entries | tier | what |
//! |---|---|---|
//! | 0–5, 6–11 | minimal | the higher die and the lower die, one-hot; all 0 if there is no roll |
//! | 12–15 | | the number of steps that will be made, 1 to 4, one-hot |
//! | 16, 17 | | checkers off, mine and the opponent's, divided by 15 |
//! | 18–20 | | I decide whether to double; I was doubled; I play a roll |
//! | 21 | | the number of doublings of the cube, divided by 6 |
//! | 22, 23, 24 | | I own the cube; nobody owns it; cube and score allow me to double |
//! | 25, 26, 27 | | a money game; the points that I need and that the opponent needs, divided by 25 |
//! | 28, 29 | | the Crawford game; a game after the Crawford game |
//! | 30, 31 | full | sum and difference of the dice, divided by 12 and 5 |
//! | 32 | | contact: a checker can still meet one of the other side |
//! | 33, 34, 35 | | my pips, the opponent's pips and their difference, divided by 167 |
//! | 36, 37 | | I can bear off; the opponent can bear off |
//! | 38–49 | | checkers outside the home board, mine and the opponent's, stepwise |
//! | 50–61 | | checkers not off, mine and the opponent's, stepwise |
//! | 62–73 | biased | longest run of made points, mine and the opponent's, stepwise |
//! | 74–85 | | home points: made points in the own home board, mine and the opponent's, stepwise |
//! | 86–97 | | anchors: made points in the other side's home board, mine and the opponent's, stepwise |
//! | 98–109, 110–121 | | blots; points with exactly two checkers; mine and the opponent's, stepwise |
//!
//! "My" means: of the player to act. A stepwise count is six numbers: five flags "at least 1, 2, 3, 4, 5", and the part
//! above five, divided by ten. Runs, home points and anchors are never more than six; their sixth number is a flag "at
//! least 6".

use super::state::State;
use super::view::{Army, MY_HOME, THEIR_HOME, View};
use crate::error::BufferError;
use backgammon::{Phase, Position, Score, Stakes};
use game::{Position as _, Side};

/// The number of entries of each tier. Each tier begins with the entries of the smaller ones.
pub(super) const MINIMAL: usize = 30;
pub(super) const FULL: usize = 62;
pub(super) const BIASED: usize = 122;

/// The six numbers of every stepwise count; the sixth is the part above five, divided by ten.
pub(super) const STEPS: [[f32; 6]; 16] = {
    let mut steps = stepwise();
    let mut count = 6;
    while count < 16 {
        steps[count][5] = (count as f32 - 5.0) / 10.0;
        count += 1;
    }
    steps
};

/// The six numbers of every stepwise count that is never above six; the sixth is a flag "at least 6".
const STEPS_TO_SIX: [[f32; 6]; 16] = stepwise();

const fn stepwise() -> [[f32; 6]; 16] {
    let mut steps = [[0.0; 6]; 16];
    let mut count = 0;
    while count < 16 {
        let mut step = 0;
        while step < 6 {
            steps[count][step] = if count > step { 1.0 } else { 0.0 };
            step += 1;
        }
        count += 1;
    }
    steps
}

#[inline]
fn flag(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// Writes two stepwise counts, each at most 15.
#[inline]
fn put<const N: usize>(values: &mut [f32; N], at: usize, table: &[[f32; 6]; 16], mine: u8, theirs: u8) {
    for (at, count) in [(at, mine), (at + 6, theirs)] {
        if let Some(six) = values.get_mut(at..at + 6) {
            six.copy_from_slice(&table[usize::from(count & 15)]);
        }
    }
}

/// Writes entries 0 to 29.
#[inline]
pub(super) fn minimal(state: &State, view: &View, playable: u32, values: &mut [f32; MINIMAL]) {
    let position = state.position();
    *values = [0.0; MINIMAL];
    if let Some(roll) = position.roll() {
        values[usize::from(roll.high() - 1)] = 1.0;
        values[usize::from(roll.low() + 5)] = 1.0;
    }
    if let 1..=4 = playable {
        values[11 + playable as usize] = 1.0;
    }
    values[16] = f32::from(view.mine.off) / 15.0;
    values[17] = f32::from(view.theirs.off) / 15.0;
    write_stakes(position, values);
}

/// Writes entries 18 to 29 directly to their places. To collect them in another array first would be slower, because copying
/// it would wait for the writes.
#[inline]
fn write_stakes(position: &Position, values: &mut [f32; MINIMAL]) {
    let (me, cube) = (position.turn(), position.cube());
    match position.phase() {
        Phase::Double => values[18] = 1.0,
        Phase::Answer => values[19] = 1.0,
        Phase::Play(_) => values[20] = 1.0,
        Phase::Opening | Phase::Roll | Phase::Dropped => {}
    }
    values[21] = doublings(position);
    values[22] = flag(cube.owner() == Some(me));
    values[23] = flag(cube.owner().is_none());
    values[24] = flag(position.may_double(me));
    match position.terms().stakes {
        Stakes::Money { .. } => values[25] = 1.0,
        Stakes::Match(score) => {
            values[26] = f32::from(score.away(me)) / 25.0;
            values[27] = f32::from(score.away(me.other())) / 25.0;
            values[28] = flag(score.is_crawford());
            values[29] = flag(score.is_post_crawford());
        }
    }
}

#[inline]
fn phase_flags(position: &Position) -> [f32; 3] {
    let phase = position.phase();
    [flag(phase == Phase::Double), flag(phase == Phase::Answer), flag(matches!(phase, Phase::Play(_)))]
}

fn doublings(position: &Position) -> f32 {
    f32::from(position.cube().doublings().number()) / 6.0
}

/// Writes entries 30 to 61.
#[inline]
pub(super) fn full(state: &State, view: &View, values: &mut [f32; FULL - MINIMAL]) {
    let (high, low) = match state.position().roll() {
        Some(roll) => (f32::from(roll.high()), f32::from(roll.low())),
        None => (0.0, 0.0),
    };
    let (my_pips, their_pips) = view.pips();
    let of_start = |pips: i32| pips as f32 / 167.0;
    let (mine_home, theirs_home) = view.can_bear_off();
    let (mine_outside, theirs_outside) = view.outside();
    values[0] = (high + low) / 12.0;
    values[1] = (high - low) / 5.0;
    values[2] = flag(view.has_contact());
    values[3] = of_start(my_pips);
    values[4] = of_start(their_pips);
    values[5] = of_start(my_pips - their_pips).clamp(-1.0, 1.0);
    values[6] = flag(mine_home);
    values[7] = flag(theirs_home);
    put(values, 8, &STEPS, mine_outside, theirs_outside);
    put(values, 20, &STEPS, view.mine.on_board(), view.theirs.on_board());
}

/// Writes entries 62 to 121.
#[inline]
pub(super) fn biased(view: &View, values: &mut [f32; BIASED - FULL]) {
    let View { mine, theirs } = view;
    let size = |set: u32| set.count_ones() as u8;
    let made = |army: &Army, home: u32| size(army.made & home);
    put(values, 0, &STEPS_TO_SIX, mine.prime(), theirs.prime());
    put(values, 12, &STEPS_TO_SIX, made(mine, MY_HOME), made(theirs, THEIR_HOME));
    put(values, 24, &STEPS_TO_SIX, made(mine, THEIR_HOME), made(theirs, MY_HOME));
    put(values, 36, &STEPS, size(mine.blots()), size(theirs.blots()));
    put(values, 48, &STEPS, mine.pairs(), theirs.pairs());
}

/// The number of entries of a context.
pub const CONTEXT: usize = 12;

/// The context says what the game is played for, as the player to act sees it.
///
/// | entries | what |
/// |---|---|
/// | 0 | the number of doublings of the cube, divided by 6 |
/// | 1 | the owner of the cube: 1 me, −1 the opponent, 0 nobody |
/// | 2 | cube and score allow me to double |
/// | 3 | a money game |
/// | 4, 5 | the points that I need and that the opponent needs, divided by the larger of the two |
/// | 6, 7 | the Crawford game; a game after the Crawford game |
/// | 8 | the Jacoby rule |
/// | 9, 10, 11 | I decide whether to double; I was doubled; I play a roll |
pub fn context(state: &State) -> [f32; CONTEXT] {
    let position = state.position();
    let (me, stakes) = (position.turn(), position.terms().stakes);
    let score = stakes.score();
    let away = |side: Side| score.map_or(0.0, |score| f32::from(score.away(side)));
    let most = away(me).max(away(me.other())).max(1.0);
    let owner = position.cube().owner().map_or(0.0, |owner| if owner == me { 1.0 } else { -1.0 });
    let [double, answer, play] = phase_flags(position);
    [
        doublings(position),
        owner,
        flag(position.may_double(me)),
        flag(stakes.is_money()),
        away(me) / most,
        away(me.other()) / most,
        flag(score.is_some_and(Score::is_crawford)),
        flag(score.is_some_and(Score::is_post_crawford)),
        flag(stakes == Stakes::Money { jacoby: true }),
        double,
        answer,
        play,
    ]
}

/// A context of zeros, for agents that are to play without the context.
pub const fn masked_context() -> [f32; CONTEXT] {
    [0.0; CONTEXT]
}

/// Writes the [context].
///
/// # Errors
/// Returns an error if the buffer does not have 12 entries.
pub fn write_context(state: &State, out: &mut [f32]) -> Result<(), BufferError> {
    write(context(state), out)
}

/// Writes the [context of zeros](masked_context).
///
/// # Errors
/// Returns an error if the buffer does not have 12 entries.
pub fn write_masked_context(out: &mut [f32]) -> Result<(), BufferError> {
    write(masked_context(), out)
}

fn write(context: [f32; CONTEXT], out: &mut [f32]) -> Result<(), BufferError> {
    BufferError::check("context", CONTEXT, out.len())?;
    out.copy_from_slice(&context);
    Ok(())
}
