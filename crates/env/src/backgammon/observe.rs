//! Observations: a state as numbers, seen by the player to act.
//!
//! There are nine observations: three [tiers](Tier), which differ in how much they contain, in three
//! [encodings](Encoding), which differ in the arrangement of the numbers. All contain the board as 12 numbers for each
//! of 26 places: my bar, the points 1 to 24 in my direction of play, the opponent's bar. Six of the 12 numbers are for
//! my checkers at the place, and six for the opponent's: five flags "at least 1, 2, 3, 4, 5", and the part above five,
//! divided by ten. In addition they contain 30, 62 or 122 single numbers, which [`features`] lists.
//!
//! The encodings are those of BackgammonNet.jl 0.4.1, without its mistakes:
//!
//! * Its `full_flat` and `biased_flat` lack the twelve numbers of cube and match, so all later numbers come twelve
//!   entries too early. Here every encoding has them.
//! * Its flat and hybrid encodings write a run, home points or anchors of six as 0.1, its 3-D encodings as 1. Here it is
//!   always 1.
//! * Its points that each side needs do not change places with the turn. Here those of the player to act come first.
//! * Its 3-D arrays have the channel as the fastest index (Julia's order). Here they are in C-order,
//!   `(channels, 1, 26)`, and so are the hybrid boards, `(12, 26)`.

use super::features::{self, BIASED, FULL, MINIMAL, STEPS};
use super::state::State;
use super::view::{PLACES, View};
use crate::error::BufferError;
use crate::observation::ObservationKind;
use game::Position as _;

/// How much an observation contains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tier {
    /// The board, the dice, the cube and the score. Nothing has to be computed.
    Minimal,
    /// In addition, results of simple arithmetic: contact, pips, which side can bear off.
    Full,
    /// In addition, features that people look for: runs, home points, anchors, blots.
    Biased,
}

/// How the numbers of an observation are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Channels × 1 × 26 places, with the single numbers repeated at every place. For convolutional networks.
    Spatial,
    /// The twelve numbers of each of the 26 places, then the single numbers.
    Flat,
    /// A board of 12 × 26, then the single numbers. For networks with two inputs.
    Hybrid,
}

/// A kind of observation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Observation {
    /// How much it contains.
    pub tier: Tier,
    /// How its numbers are arranged.
    pub encoding: Encoding,
}

/// The number of entries for each place of the board.
const BOARD_ROWS: usize = 12;
const BOARD: usize = BOARD_ROWS * PLACES;

impl Tier {
    /// All tiers, the smallest first.
    pub const ALL: [Self; 3] = [Self::Minimal, Self::Full, Self::Biased];

    /// The number of single numbers, which are not part of the board.
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

impl Encoding {
    /// All encodings.
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
        write!(f, "{}_{}", self.tier.name(), self.encoding.name())
    }
}

impl ObservationKind for Observation {
    /// All nine observations. [`Observation::FULL`] comes first.
    fn all() -> Vec<Self> {
        let usual = std::iter::once(Self::FULL);
        let others =
            Tier::ALL.into_iter().flat_map(|tier| Encoding::ALL.map(|encoding| Self { tier, encoding }));
        usual.chain(others.filter(|&kind| kind != Self::FULL)).collect()
    }

    /// Spatial: one array of three dimensions. Flat: one array of one dimension. Hybrid: a board of two dimensions, and
    /// an array of the single numbers.
    fn shapes(self) -> Vec<Vec<usize>> {
        let globals = self.tier.globals();
        match self.encoding {
            Encoding::Spatial => vec![vec![BOARD_ROWS + globals, 1, PLACES]],
            Encoding::Flat => vec![vec![BOARD + globals]],
            Encoding::Hybrid => vec![vec![BOARD_ROWS, PLACES], vec![globals]],
        }
    }

    #[inline]
    fn length(self) -> usize {
        self.len()
    }
}

impl Observation {
    /// The usual observation: 74 × 1 × 26.
    pub const FULL: Self = Self { tier: Tier::Full, encoding: Encoding::Spatial };

    /// The number of entries.
    #[expect(clippy::len_without_is_empty, reason = "no observation is empty")]
    pub const fn len(self) -> usize {
        match self.encoding {
            Encoding::Spatial => (BOARD_ROWS + self.tier.globals()) * PLACES,
            Encoding::Flat | Encoding::Hybrid => BOARD + self.tier.globals(),
        }
    }

    /// Writes the observation of the player to act. The hybrid encoding has the board first, then the single numbers.
    ///
    /// # Errors
    /// Returns an error if the length of the buffer is not the length of the observation.
    #[inline]
    pub fn write(self, state: &State, out: &mut [f32]) -> Result<(), BufferError> {
        BufferError::check("observation", self.len(), out.len())?;
        self.write_to(state, out);
        Ok(())
    }

    /// Writes the observation to a buffer that is known to have the right length.
    #[inline]
    pub(super) fn write_to(self, state: &State, out: &mut [f32]) {
        match self.tier {
            Tier::Minimal => write_tier::<MINIMAL>(state, self.encoding, out),
            Tier::Full => write_tier::<FULL>(state, self.encoding, out),
            Tier::Biased => write_tier::<BIASED>(state, self.encoding, out),
        }
    }
}

/// Writes the observation of the tier with N single numbers. Those of the smaller tiers come first.
#[inline]
fn write_tier<const N: usize>(state: &State, encoding: Encoding, out: &mut [f32]) {
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
    match encoding {
        Encoding::Spatial => {
            write_board(&view, out);
            let (rows, _) = out.as_chunks_mut::<PLACES>();
            write_broadcast(&globals, rows.get_mut(BOARD_ROWS..).unwrap_or_default());
        }
        Encoding::Flat => {
            let (board, rest) = out.split_at_mut(BOARD);
            let (sixes, _) = board.as_chunks_mut::<6>();
            let places = view.mine.counts.into_iter().zip(view.theirs.counts).flat_map(|(m, t)| [m, t]);
            sixes.iter_mut().zip(places).for_each(|(six, count)| *six = STEPS[usize::from(count & 15)]);
            rest.copy_from_slice(&globals);
        }
        Encoding::Hybrid => {
            write_board(&view, out);
            out[BOARD..].copy_from_slice(&globals);
        }
    }
}

/// Writes a row for each single number, which is repeated at every place.
#[inline]
fn write_broadcast(globals: &[f32], rows: &mut [[f32; PLACES]]) {
    // Four rows are 13 whole vectors of eight, and three of these lie across two rows. The vectors are written out one by
    // one, because the compiler vectorized an equivalent loop in one place but not in another.
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

/// The number of entries that are written for a row: whole vectors.
const WHOLE: usize = 32;

/// Writes the board, a row for each of the twelve numbers.
///
/// Each row is written six entries too long. The next row overwrites them. After the last row, the single numbers overwrite
/// them; every encoding with rows has more than six of these.
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

/// Writes 1 at every place with more than `step` checkers, and 0 elsewhere.
#[inline]
fn write_step(counts: &[u8; WHOLE], step: i8, row: &mut [f32; WHOLE]) {
    for (entry, &count) in row.iter_mut().zip(counts) {
        // Vector instructions compare signed bytes directly.
        *entry = if (count as i8) > step { 1.0 } else { 0.0 };
    }
}

/// Writes the number of checkers above five at every place, divided by ten.
#[inline]
fn write_above_five(counts: &[u8; WHOLE], row: &mut [f32; WHOLE]) {
    *row = [0.0; WHOLE];
    // More than five checkers at a place are rare, and division is slow.
    if counts.iter().fold(false, |any, &count| any | (count as i8 > 5)) {
        for (entry, &count) in row.iter_mut().zip(counts) {
            *entry = f32::from(count.saturating_sub(5)) / 10.0;
        }
    }
}
