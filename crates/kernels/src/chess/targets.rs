//! Targets: the tables that moves lead to, looked up with the squares of a row.

use super::board::Board;
use super::values::Codes;
use crate::rows::Score;
use bits::subsets;
use chess::{Kind, Kings, Material, Piece, Square, Symmetry};
use game::{Endgame as _, Side, Value};

/// The men of a board besides the kings: the selectors, and then the last man.
pub const MEN: usize = Material::MOST - 2;

/// The squares of the men. Those that do not exist have any square.
pub type Men = [u8; MEN];

/// What a move does to the men, besides moving one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Change {
    /// The man that is captured.
    pub captured: Option<usize>,
    /// The pawn that promotes, and to what.
    pub promoted: Option<(usize, Kind)>,
}

/// The positions after moves with the same change.
pub struct Target<'a> {
    groups: Vec<Group>,
    /// The score of each code for the side that has moved.
    scores: Vec<Score>,
    /// By slab of the mover and square of its king: where the positions are. `None` if the kings are next to each other.
    places: Vec<Option<Place<'a>>>,
}

/// Men of the same kind and side.
struct Group {
    weight: usize,
    lowest: u8,
    /// The men of the board.
    men: Vec<usize>,
}

/// The positions with one pair of kings.
struct Place<'a> {
    codes: Codes<'a>,
    /// By square of the board: the square in the table.
    squares: &'static [u8; 64],
    /// The same for the image, if the pair is its own image. Of both, one is a hole.
    image: Option<&'static [u8; 64]>,
}

/// By symmetry: the image of each square.
static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut i = 0;
    while i < 8 * 64 {
        let Some(square) = Square::from_index((i % 64) as u8) else { unreachable!() };
        images[i / 64][i % 64] = Symmetry::ALL[i / 64].square(square).index() as u8;
        i += 1;
    }
    images
};

/// The men of a board after a change.
fn men_after(board: &Board, change: Change) -> Vec<Option<Piece>> {
    let men = board.selectors().iter().copied().chain([board.last()]);
    let after = men.enumerate().map(|(i, man)| match change {
        Change { captured: Some(captured), .. } if captured == i => None,
        Change { promoted: Some((pawn, kind)), .. } if pawn == i => Some(Piece { kind, ..man }),
        _ => Some(man),
    });
    after.collect()
}

/// The material after a change, and whether the colours are exchanged in it. `None` if only the kings are left.
pub fn material_after(board: &Board, change: Change) -> Option<(Material, bool)> {
    let men = men_after(board, change);
    Material::new(|piece| men.iter().filter(|man| **man == Some(piece)).count() as u32)
}

impl<'a> Target<'a> {
    /// The target of a change by a mover. `codes` gives the codes of indices of its table: the first, and their number.
    pub fn new(
        board: &Board,
        mover: Side,
        change: Change,
        scores: Vec<Score>,
        codes: impl Fn(usize, usize) -> Codes<'a>,
    ) -> Self {
        let Some((material, is_exchanged)) = material_after(board, change) else {
            return Self::bare_kings(board);
        };
        let is_exchanged = is_exchanged || (material.is_symmetric() && mover == Side::First);
        let exchange = if is_exchanged { Symmetry::FLIP } else { Symmetry::IDENTITY };
        let to_move = if is_exchanged { mover } else { mover.other() };
        let fold = material.fold();
        let by_turn = chess::Chess::STANDARD.indices_by_turn(material).expect("sides are kept apart");
        let arrangements = material.arrangements() as usize;
        let place = |other: Square, king: Square| {
            // It is the other side's turn.
            let kings = Kings { own: other, other: king }.image(exchange);
            let symmetry = fold.symmetry(kings);
            let folded = kings.image(symmetry);
            let pair = usize::from(fold.number(folded)?);
            let all = exchange.then(symmetry);
            let image = fold.is_own_image(folded).then(|| all.then(Symmetry::TRANSPOSE));
            Some(Place {
                codes: codes(by_turn[to_move].start as usize + pair * arrangements, arrangements),
                squares: &IMAGES[all.index()],
                image: image.map(|image| &IMAGES[image.index()]),
            })
        };
        let men = men_after(board, change);
        let groups = Group::all(material, |piece| {
            let side = if is_exchanged { piece.side.other() } else { piece.side };
            (0..men.len()).filter(|&i| men[i] == Some(Piece { side, ..piece })).collect()
        });
        Self { groups, scores, places: places(board, place) }
    }

    /// Two bare kings: a draw.
    fn bare_kings(board: &Board) -> Self {
        let place = |other: Square, king: Square| {
            let are_apart = other != king && !chess::steps::king(other).contains(king);
            let place = Place { codes: Codes::Bytes(&[0]), squares: &IMAGES[0], image: None };
            are_apart.then_some(place)
        };
        let draw = Score::of(Value::Draw).expect("a draw has a score");
        Self { groups: Vec::new(), scores: vec![draw], places: places(board, place) }
    }

    #[inline(always)]
    fn place(&self, slab: usize, king: u8) -> Option<&Place<'a>> {
        self.places[slab % (self.places.len() / 64) * 64 + usize::from(king)].as_ref()
    }

    /// The score of one position.
    #[inline(always)]
    pub fn score(&self, slab: usize, king: u8, men: Men) -> Score {
        let Some(place) = self.place(slab, king) else { return Score::NONE };
        let score = |squares: &[u8; 64]| {
            let index: usize = self.groups.iter().map(|group| group.number(men, squares)).sum();
            self.scores[place.codes.get(index)]
        };
        let found = score(place.squares);
        place.image.map_or(found, |image| found.max(score(image)))
    }

    /// Raises the scores of a row: for each of these squares of the last man, to that of the position with it.
    #[inline(always)]
    pub fn raise_row(
        &self,
        slab: usize,
        king: u8,
        men: Men,
        last: usize,
        squares: u64,
        scores: &mut [Score],
    ) {
        let Some(place) = self.place(slab, king) else { return };
        for images in [Some(place.squares), place.image].into_iter().flatten() {
            let (mut base, mut of_last) = (0, None);
            for group in &self.groups {
                match group.men.contains(&last) {
                    true => of_last = Some(group),
                    false => base += group.number(men, images),
                }
            }
            let Some(group) = of_last else { continue };
            let mut raise = |square: usize, number: usize| {
                let found = self.scores[place.codes.get(base + number)];
                scores[square] = scores[square].max(found);
            };
            match group.men.len() {
                1 => each(squares, |square| {
                    raise(square, group.weight * usize::from(images[square] - group.lowest));
                }),
                _ => each(squares, |square| {
                    let mut men = men;
                    men[last] = square as u8;
                    raise(square, group.number(men, images));
                }),
            }
        }
    }
}

/// By slab of a side and square of the mover's king: the place, from the squares of both kings.
fn places<'a>(board: &Board, place: impl Fn(Square, Square) -> Option<Place<'a>>) -> Vec<Option<Place<'a>>> {
    let others = board.slab_squares().iter();
    others
        .flat_map(|&other| Square::all().map(move |king| (other, king)))
        .map(|(other, king)| place(other, king))
        .collect()
}

impl Group {
    /// The groups of a material. `men` gives the men of the board that belong to a piece of the table.
    fn all(material: Material, men: impl Fn(Piece) -> Vec<usize>) -> Vec<Self> {
        let mut weight = material.arrangements() as usize;
        let groups = material.groups().map(|(piece, count)| {
            let squares = Material::squares(piece.kind);
            weight /= subsets::count(squares.len() as u32, count) as usize;
            Self { weight, lowest: squares.start, men: men(piece) }
        });
        groups.collect()
    }

    /// The part of the index that the men of this group make.
    #[inline(always)]
    fn number(&self, men: Men, images: &[u8; 64]) -> usize {
        let square = |man: usize| usize::from(images[usize::from(men[man])] - self.lowest);
        self.weight
            * match self.men[..] {
                [man] => square(man),
                [a, b] => {
                    let (a, b) = (square(a), square(b));
                    let (low, high) = (a.min(b), a.max(b));
                    high * high.wrapping_sub(1) / 2 + low
                }
                _ => subsets::rank(self.men.iter().fold(0, |set, &man| set | 1 << square(man))) as usize,
            }
    }
}

/// Visits the squares of a set.
#[inline(always)]
pub fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}
