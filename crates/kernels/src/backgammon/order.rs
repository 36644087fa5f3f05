//! The boards of one side in an order in which they can be solved, and the plays between them.

use backgammon::{BearOff, Roll};
use game::parallel;
use std::ops::Range;

/// The number of boards that are computed together.
pub const LANES: usize = 16;

/// The boards of one side, sorted by pips. All boards with the same pips are a *level*. Every play leads to a lower level, so
/// the boards of a level do not depend on each other. A level begins at a multiple of [`LANES`] places; the places at its end that
/// are left over have no board.
pub struct Order {
    numbering: BearOff,
    /// The place of each board.
    places: Vec<u16>,
    /// The board at each place.
    boards: Vec<Option<u32>>,
    /// The places of each level, by pips.
    levels: Vec<Range<usize>>,
    /// Where the plays of each place and roll begin in `targets`, and the end of the last ones.
    starts: Vec<u32>,
    /// The places to which plays lead.
    targets: Vec<u16>,
}

impl Order {
    /// Sorts the boards of a home board.
    ///
    /// # Panics
    /// Panics if there are more boards than 16 bits can number. Six points have few enough.
    pub fn new(numbering: BearOff) -> Self {
        let mut levels =
            vec![Vec::new(); 1 + usize::from(numbering.points()) * usize::from(numbering.checkers())];
        for (number, board) in (0..).zip(numbering.iter()) {
            levels[board.pips() as usize].push(number);
        }
        let (mut boards, mut ranges) = (Vec::new(), Vec::new());
        for level in levels {
            let first = boards.len();
            boards.extend(level.into_iter().map(Some));
            boards.resize(boards.len().next_multiple_of(LANES), None);
            ranges.push(first..boards.len());
        }
        let mut places = vec![0; numbering.boards() as usize];
        for (place, board) in boards.iter().enumerate() {
            if let Some(board) = board {
                places[*board as usize] = u16::try_from(place).expect("few enough boards");
            }
        }
        let (starts, targets) = plays(numbering, &boards, &places);
        Self { numbering, places, boards, levels: ranges, starts, targets }
    }

    /// The numbering of the boards.
    pub fn numbering(&self) -> BearOff {
        self.numbering
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// The places of each level, from the empty board on.
    pub fn levels(&self) -> &[Range<usize>] {
        &self.levels
    }

    /// The number of boards in the first levels.
    pub fn boards_to(&self, levels: usize) -> u64 {
        let end = self.levels[levels - 1].end;
        self.boards[..end].iter().flatten().count() as u64
    }

    /// The place of a board.
    pub fn place(&self, board: u32) -> usize {
        self.places[board as usize].into()
    }

    /// The board at a place, if it has one.
    pub fn board(&self, place: usize) -> Option<u32> {
        self.boards[place]
    }

    /// Of the board at a place, and of each roll: the places to which it leads. Places without a board lead nowhere.
    #[inline]
    pub fn plays(&self, place: usize) -> impl Iterator<Item = (Roll, &[u16])> {
        let starts = &self.starts[place * Roll::ALL.len()..][..=Roll::ALL.len()];
        let targets = starts.windows(2).map(|ends| &self.targets[ends[0] as usize..ends[1] as usize]);
        Roll::ALL.into_iter().zip(targets)
    }
}

/// The plays of all places, as [`Order`] keeps them.
fn plays(numbering: BearOff, boards: &[Option<u32>], places: &[u16]) -> (Vec<u32>, Vec<u16>) {
    let parts = parallel::map(boards.len() / LANES, |part| {
        let (mut counts, mut targets, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for board in &boards[part * LANES..][..LANES] {
            for roll in Roll::ALL {
                let before = targets.len();
                // The empty board is the end.
                if let Some(board) = board.filter(|&board| board > 0) {
                    numbering.plays(&numbering.unrank(board), roll, &mut found);
                    targets.extend(found.iter().map(|&after| places[after as usize]));
                    // Neighbours in memory are read one after another.
                    targets[before..].sort_unstable();
                }
                counts.push((targets.len() - before) as u32);
            }
        }
        (counts, targets)
    });
    let (mut starts, mut targets) = (vec![0], Vec::new());
    for (counts, found) in parts {
        for count in counts {
            starts.push(starts.last().expect("the first is 0") + count);
        }
        targets.extend(found);
    }
    (starts, targets)
}
