//! Pins: men that shield their king from a slider.

use crate::board::Board;
use crate::grid::{Square, SquareSet};
use crate::pieces::Kind;
use crate::{sliders, steps};
use game::Side;

/// A man that must stay on a line, because it shields its king from an enemy slider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pin {
    /// The square of the pinned man.
    pub pinned: Square,
    /// The square of the bishop, rook or queen that pins it.
    pub pinner: Square,
    /// The square of the king behind it.
    pub king: Square,
    /// The squares from the one beside the king to that of the pinner. The pinned man stays on them.
    pub line: SquareSet,
}

impl Board {
    /// All pins of men of this side. They are found on any board, legal or not.
    ///
    /// ```
    /// use endspiel_chess::Board;
    /// use game::Side;
    ///
    /// let board: Board = "4r1k1/8/8/8/8/4N3/8/4K3".parse()?;
    /// let pin = board.pins(Side::First).next().expect("the knight is pinned");
    /// assert_eq!((pin.pinned.to_string(), pin.pinner.to_string()), ("e3".to_owned(), "e8".to_owned()));
    /// # Ok::<(), endspiel_chess::FenError>(())
    /// ```
    pub fn pins(&self, side: Side) -> impl Iterator<Item = Pin> {
        self.of(side, Kind::King).iter().flat_map(move |king| {
            let snipers = sliders::rook_rays(king) & self.straight_sliders(side.other())
                | sliders::bishop_rays(king) & self.diagonal_sliders(side.other());
            snipers.iter().filter_map(move |pinner| {
                let between = steps::between(king, pinner);
                let shields = between & self.occupied();
                let pinned = shields.first().filter(|_| !shields.is_several())?;
                let line = between | SquareSet::from(pinner);
                self.of_side(side).contains(pinned).then_some(Pin { pinned, pinner, king, line })
            })
        })
    }
}
