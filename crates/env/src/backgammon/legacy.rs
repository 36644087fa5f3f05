//! The observations of BackgammonNet.jl before 0.3: 34 numbers, or 86.
//!
//! | entries | what |
//! |---|---|
//! | 0–23 | checkers on the points, in my direction of play, mine positive and the opponent's negative, divided by 15 |
//! | 24, 25 | checkers on the bar, mine and (negative) the opponent's, divided by 15 |
//! | 26, 27 | checkers off, likewise |
//! | 28–33 | for each number from 1 to 6, how many dice that show it are still to be played, divided by 4 |
//! | 34 | a race: no checker can meet one of the other side any more |
//! | 35, 36 | I can bear off; the opponent can bear off |
//! | 37 | my pips minus the opponent's, divided by 375 |
//! | 38–61 | blots on the points: 1 mine, −1 the opponent's |
//! | 62–85 | made points, likewise |

use super::state::State;
use super::view::View;
use crate::error::BufferError;
use game::Position as _;

/// An observation of older versions of BackgammonNet.jl.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Legacy {
    /// The first 34 numbers.
    Fast,
    /// All 86 numbers.
    Full,
}

impl Legacy {
    /// The number of entries.
    #[expect(clippy::len_without_is_empty, reason = "no observation is empty")]
    pub const fn len(self) -> usize {
        match self {
            Self::Fast => 34,
            Self::Full => 86,
        }
    }

    /// Writes the observation of the player to act.
    ///
    /// # Errors
    /// Returns an error if the length of the buffer is not the length of the observation.
    pub fn write(self, state: &State, out: &mut [f32]) -> Result<(), BufferError> {
        BufferError::check("observation", self.len(), out.len())?;
        let position = state.position();
        let view = View::new(position.board(), position.turn(), state.field());
        let difference = |mine: u8, theirs: u8| f32::from(mine) - f32::from(theirs);
        let (mine, theirs) = (view.mine.counts, view.theirs.counts);
        out.fill(0.0);
        for point in 0..24 {
            out[point] = difference(mine[point + 1], theirs[point + 1]) / 15.0;
        }
        out[24] = difference(view.mine.bar, 0) / 15.0;
        out[25] = difference(0, view.theirs.bar) / 15.0;
        out[26] = difference(view.mine.off, 0) / 15.0;
        out[27] = difference(0, view.theirs.off) / 15.0;
        if let Some(roll) = position.roll() {
            let each = if roll.is_double() { 2.0 * state.actions_left() as f32 } else { 1.0 };
            for die in [roll.high(), roll.low()] {
                out[27 + usize::from(die)] = each / 4.0;
            }
        }
        if self == Self::Full {
            write_rest(&view, out);
        }
        Ok(())
    }
}

fn write_rest(view: &View, out: &mut [f32]) {
    let flag = |is: bool| f32::from(u8::from(is));
    let (mine, theirs) = view.can_bear_off();
    let (my_pips, their_pips) = view.pips();
    out[34] = flag(!view.has_contact());
    out[35] = flag(mine);
    out[36] = flag(theirs);
    out[37] = (my_pips - their_pips) as f32 / 375.0;
    let has = |set: u32, point: usize| flag(set >> point & 1 != 0);
    for point in 1..=24 {
        out[37 + point] = has(view.mine.blots(), point) - has(view.theirs.blots(), point);
        out[61 + point] = has(view.mine.made, point) - has(view.theirs.made, point);
    }
}
