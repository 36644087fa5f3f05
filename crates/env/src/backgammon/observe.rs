//! Observations: a state as numbers, seen by whoever is to act.
//!
//! There are nine, three [tiers](Tier) of how much is said in three [forms](Form) of how it is laid out. All say the board as
//! 12 numbers for each of 26 places (my bar, the points 1 to 24 on my way, the opponent's bar): six for my checkers there and
//! six for the opponent's, each "at least 1, 2, 3, 4, 5" and what is above five, of ten. Beside it they say 30, 62 or 122
//! single numbers, which the file `features.rs` lists.
//!
//! The layouts are those of BackgammonNet.jl 0.4.1, without its mistakes:
//!
//! * in its `full_flat` and `biased_flat` the twelve numbers of cube and match are missing and what follows stands twelve too
//!   early; here they are in every form;
//! * its flat and hybrid forms write a run, home points or anchors of six as 0.1, its 3-D forms as 1; here it is 1 in all;
//! * its points away do not change sides with the turn; here mine are mine;
//! * its 3-D arrays have the channel as the fastest index (Julia's order); here they are in C-order, `(channels, 1, 26)`, and so
//!   are the hybrid boards, `(12, 26)`.

use super::features::{self, BIASED, FULL, MINIMAL, STEPS};
use super::state::State;
use super::view::{PLACES, View};
use crate::error::BufferError;
use crate::observation::ObservationKind;
use game::Position as _;

/// How much an observation says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tier {
    /// The board, the dice, the cube and the score: nothing that has to be computed.
    Minimal,
    /// And what is simple arithmetic: contact, pips, who bears off.
    Full,
    /// And what people look for: runs, home points, anchors, blots.
    Biased,
}

/// How an observation is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Channels × 1 × 26 places, single numbers repeated at every place: for convolutions.
    Spatial,
    /// Twelve numbers for each of 26 places, then the single numbers.
    Flat,
    /// A board of 12 × 26, then the single numbers: for networks with two inputs.
    Hybrid,
}

/// A kind of observation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation {
    /// How much it says.
    pub tier: Tier,
    /// How it is laid out.
    pub form: Form,
}

/// Numbers for each place of the board.
const BOARD_ROWS: usize = 12;
const BOARD: usize = BOARD_ROWS * PLACES;

impl Tier {
    /// All, from the smallest.
    pub const ALL: [Self; 3] = [Self::Minimal, Self::Full, Self::Biased];

    /// How many single numbers there are beside the board.
    pub const fn globals(self) -> usize {
        match self {
            Self::Minimal => MINIMAL,
            Self::Full => FULL,
            Self::Biased => BIASED,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Full => "full",
            Self::Biased => "biased",
        }
    }
}

impl Form {
    /// All.
    pub const ALL: [Self; 3] = [Self::Spatial, Self::Flat, Self::Hybrid];

    const fn name(self) -> &'static str {
        match self {
            Self::Spatial => "3d",
            Self::Flat => "flat",
            Self::Hybrid => "hybrid",
        }
    }
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", self.tier.name(), self.form.name())
    }
}

impl ObservationKind for Observation {
    /// All nine.
    fn all() -> Vec<Self> {
        let usual = std::iter::once(Self::FULL);
        let others = Tier::ALL.into_iter().flat_map(|tier| Form::ALL.map(|form| Self { tier, form }));
        usual.chain(others.filter(|&kind| kind != Self::FULL)).collect()
    }

    /// In three dimensions; in one; or a board of two dimensions, followed by single numbers.
    fn shapes(self) -> Vec<Vec<usize>> {
        let globals = self.tier.globals();
        match self.form {
            Form::Spatial => vec![vec![BOARD_ROWS + globals, 1, PLACES]],
            Form::Flat => vec![vec![BOARD + globals]],
            Form::Hybrid => vec![vec![BOARD_ROWS, PLACES], vec![globals]],
        }
    }

    #[inline]
    fn length(self) -> usize {
        self.len()
    }
}

impl Observation {
    /// The one that is used most: 74 × 1 × 26.
    pub const FULL: Self = Self { tier: Tier::Full, form: Form::Spatial };

    /// How many numbers it has.
    #[expect(clippy::len_without_is_empty, reason = "no observation is empty")]
    pub const fn len(self) -> usize {
        match self.form {
            Form::Spatial => (BOARD_ROWS + self.tier.globals()) * PLACES,
            Form::Flat | Form::Hybrid => BOARD + self.tier.globals(),
        }
    }

    /// Writes the observation of the player to act. The hybrid form has the board first, then the single numbers.
    ///
    /// # Errors
    /// If the buffer is not as long as the observation.
    #[inline]
    pub fn write(self, state: &State, out: &mut [f32]) -> Result<(), BufferError> {
        BufferError::check("observation", self.len(), out.len())?;
        self.write_to(state, out);
        Ok(())
    }

    /// The same to a buffer that is known to be as long.
    #[inline]
    pub(super) fn write_to(self, state: &State, out: &mut [f32]) {
        match self.tier {
            Tier::Minimal => write_tier::<MINIMAL>(state, self.form, out),
            Tier::Full => write_tier::<FULL>(state, self.form, out),
            Tier::Biased => write_tier::<BIASED>(state, self.form, out),
        }
    }
}

/// Where N is the number of single numbers, of which those of a smaller tier come first.
#[inline]
fn write_tier<const N: usize>(state: &State, form: Form, out: &mut [f32]) {
    let position = state.position();
    let view = View::new(position.board(), position.turn(), state.field());
    let mut globals = [0.0; N];
    if let Some(values) = globals.first_chunk_mut() {
        features::minimal(state, &view, state.playable(), values);
    }
    if let Some(values) = globals.get_mut(MINIMAL..).and_then(|rest| rest.first_chunk_mut()) {
        features::full(state, &view, values);
    }
    if let Some(values) = globals.get_mut(FULL..).and_then(|rest| rest.first_chunk_mut()) {
        features::biased(&view, values);
    }
    match form {
        Form::Spatial => {
            write_board(&view, out);
            let (rows, _) = out.as_chunks_mut::<PLACES>();
            write_broadcast(&globals, rows.get_mut(BOARD_ROWS..).unwrap_or_default());
        }
        Form::Flat => {
            let (board, rest) = out.split_at_mut(BOARD);
            let (sixes, _) = board.as_chunks_mut::<6>();
            let places = view.mine.counts.into_iter().zip(view.theirs.counts).flat_map(|(m, t)| [m, t]);
            sixes.iter_mut().zip(places).for_each(|(six, count)| *six = STEPS[usize::from(count & 15)]);
            rest.copy_from_slice(&globals);
        }
        Form::Hybrid => {
            write_board(&view, out);
            out[BOARD..].copy_from_slice(&globals);
        }
    }
}

/// A row for each number, which is the same at every place.
#[inline]
fn write_broadcast(globals: &[f32], rows: &mut [[f32; PLACES]]) {
    // Four rows are 13 whole vectors, of which three lie across two rows. Spelt out: found by the compiler in one place,
    // a loop that says the same was not in another.
    let (fours, rest) = rows.as_chunks_mut::<4>();
    let (values, values_rest) = globals.as_chunks::<4>();
    for (rows, &[a, b, c, d]) in fours.iter_mut().zip(values) {
        let (vectors, _) = rows.as_flattened_mut().as_chunks_mut::<8>();
        if let [a1, a2, a3, ab, b1, b2, bc, c1, c2, cd, d1, d2, d3] = vectors {
            (*a1, *a2, *a3) = ([a; 8], [a; 8], [a; 8]);
            *ab = [a, a, b, b, b, b, b, b];
            (*b1, *b2) = ([b; 8], [b; 8]);
            *bc = [b, b, b, b, c, c, c, c];
            (*c1, *c2) = ([c; 8], [c; 8]);
            *cd = [c, c, c, c, c, c, d, d];
            (*d1, *d2, *d3) = ([d; 8], [d; 8], [d; 8]);
        }
    }
    rest.iter_mut().zip(values_rest).for_each(|(row, &value)| *row = [value; PLACES]);
}

/// Entries of a row as it is written: whole vectors.
const WHOLE: usize = 32;

/// The board, a row for each of the twelve numbers.
///
/// A row is written six entries too long: the next row is written over them, and over those of the last row what comes
/// after the board, which is more than that in every form that has rows.
#[inline]
fn write_board(view: &View, out: &mut [f32]) {
    for (first, army) in [(0, &view.mine), (BOARD_ROWS / 2, &view.theirs)] {
        for (row, step) in (first..).zip(0..5) {
            if let Some(place) = whole_row(out, row) {
                write_step(&army.counts, step, place);
            }
        }
        if let Some(place) = whole_row(out, first + 5) {
            write_above_five(&army.counts, place);
        }
    }
}

#[inline]
fn whole_row(out: &mut [f32], row: usize) -> Option<&mut [f32; WHOLE]> {
    out.get_mut(row * PLACES..)?.first_chunk_mut()
}

/// Where there are more than so many.
#[inline]
fn write_step(counts: &[u8; WHOLE], step: i8, row: &mut [f32; WHOLE]) {
    for (entry, &count) in row.iter_mut().zip(counts) {
        // As signed bytes, which are compared at once.
        *entry = if (count as i8) > step { 1.0 } else { 0.0 };
    }
}

/// How many there are above five, of ten.
#[inline]
fn write_above_five(counts: &[u8; WHOLE], row: &mut [f32; WHOLE]) {
    *row = [0.0; WHOLE];
    // Such heaps are rare, and dividing takes its time.
    if counts.iter().fold(false, |any, &count| any | (count as i8 > 5)) {
        for (entry, &count) in row.iter_mut().zip(counts) {
            *entry = f32::from(count.saturating_sub(5)) / 10.0;
        }
    }
}
