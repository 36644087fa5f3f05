//! Indices of endgame positions. A slice is a [`Material`].
//!
//! White has the stronger men; if not, the colours are exchanged. The board is turned and mirrored so that the kings are
//! a numbered pair (see [`Fold`](crate::Fold)). The index is the number of the pair times the number of
//! [arrangements](Material::arrangements), plus the number of the arrangement. The positions with White to move come first,
//! then those with Black to move. If both sides have the same men, only White is to move.
//!
//! If a pair of kings is its own image, a position and its image share the smaller of their two indices, and the larger
//! one is a hole.

use crate::board::Board;
use crate::draws::FIFTY_MOVES;
use crate::grid::{SquareSet, home_rank, rank};
use crate::kings::Kings;
use crate::material::Material;
use crate::moves::Move;
use crate::pieces::{Kind, Piece};
use crate::position::{Clock, Position};
use crate::rules::Chess;
use crate::setup::Setup;
use crate::symmetry::Symmetry;
use game::{
    BySide, Catalogue, Endgame, GameOption, Index, Location, Plies, Position as _, Setup as _, Side, Value,
    Without,
};
use std::ops::{ControlFlow, Range};

/// A position in the form in which its material is numbered.
struct Form {
    material: Material,
    turn: Side,
    kings: Kings,
    /// Takes the squares of the position to those of this form, if the colours stay.
    symmetry: Symmetry,
    is_exchanged: bool,
}

impl Form {
    /// Returns `None` if the position has too many men, or no man besides the kings.
    fn of(position: &Position) -> Option<Self> {
        let board = position.board();
        let (material, mut is_exchanged) = Material::new(|Piece { side, kind }| board.of(side, kind).len())?;
        // Tables of equal armies have only White to move.
        is_exchanged |= material.is_symmetric() && position.turn() == Side::Second;
        let turn = if is_exchanged { position.turn().other() } else { position.turn() };
        let exchange = if is_exchanged { Symmetry::FLIP } else { Symmetry::IDENTITY };
        let kings =
            Kings { own: position.king(position.turn()), other: position.king(position.turn().other()) }
                .image(exchange);
        let fold = material.fold().symmetry(kings);
        let symmetry = exchange.then(fold);
        Some(Self { material, turn, kings: kings.image(fold), symmetry, is_exchanged })
    }

    /// The number of the arrangement of the men of a position, or of an image of it.
    fn arrangement(&self, board: &Board, image: Symmetry) -> u64 {
        self.material.rank(|Piece { side, kind }| {
            let side = if self.is_exchanged { side.other() } else { side };
            self.symmetry.then(image).few(board.of(side, kind)).word()
        })
    }

    /// The number of the arrangement, and that of the image if the kings are their own image.
    fn arrangements(&self, board: &Board) -> (u64, Option<u64>) {
        let is_own_image = self.material.fold().is_own_image(self.kings);
        let image = is_own_image.then(|| self.arrangement(board, Symmetry::TRANSPOSE));
        (self.arrangement(board, Symmetry::IDENTITY), image)
    }
}

/// Returns whether there may be a capture or a promotion. Most positions have none, and this is quicker than to list all moves.
#[inline]
fn may_convert(position: &Position) -> bool {
    let (board, us, them) = (position.board(), position.turn(), position.turn().other());
    let may_promote = board.of(us, Kind::Pawn).intersects(rank(home_rank(them).abs_diff(1)));
    let men = board.of_side(them) & !board.of_kind(Kind::King);
    may_promote
        || position.en_passant().is_some()
        || men.iter().any(|man| !board.attackers(man, us).is_empty())
}

/// The number of indices with one side to move.
fn indices_of_a_side(material: Material) -> u64 {
    material.fold().pairs() as u64 * material.arrangements()
}

impl Endgame for Chess {
    type Slice = Material;
    type Unmoves = Without;
    type Short = Without;

    const INDEX: &'static str = "kings-men-1";
    const FOLDS: bool = true;
    const RETURNS_THROUGH: bool = false;

    /// The moves of both variants are the same without castling.
    fn table_rules_id(&self) -> String {
        "standard".to_owned()
    }

    fn groups(&self) -> Vec<Vec<Material>> {
        Material::all().into_iter().map(|material| vec![material]).collect()
    }

    fn needs(&self, material: Material) -> Vec<Material> {
        material.leads_to()
    }

    fn size(&self, material: Material) -> u64 {
        indices_of_a_side(material) * if material.is_symmetric() { 1 } else { 2 }
    }

    fn digits(&self, material: Material) -> Vec<u64> {
        let turns = if material.is_symmetric() { None } else { Some(2) };
        turns.into_iter().chain([material.fold().pairs() as u64]).chain(material.ways()).collect()
    }

    /// Captures and promotions. A move of the king or of a piece, without a capture, stays in the material.
    #[inline]
    fn conversions<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(&Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !may_convert(position) {
            return ControlFlow::Continue(());
        }
        position.visit_moves(|m| match position.is_capture(m) || m.promotion().is_some() {
            true => visit(&position.play_unchecked(m)),
            false => ControlFlow::Continue(()),
        })
    }

    fn indices_by_turn(&self, material: Material) -> Option<BySide<Range<u64>>> {
        let (half, all) = (indices_of_a_side(material), self.size(material));
        Some(BySide { first: 0..half, second: all - half..all })
    }

    fn locate(&self, position: &Position) -> Location<Material> {
        if !position.castling_rooks().is_empty() {
            return Location::Beyond(
                "a side may still castle, and such positions are outside the tables; write `-` for the castling rights to ask without them",
            );
        }
        let Some(form) = Form::of(position) else {
            return match position.board().occupied().len() {
                // Two bare kings can neither mate nor run out of moves.
                2 => Location::Over(Value::Draw),
                _ => Location::Beyond("tables have up to five men, with the kings"),
            };
        };
        if position.en_passant().is_some() {
            return Location::Through;
        }
        let material = form.material;
        let pair = material.fold().number(form.kings).expect("kings are not next to each other");
        let (arrangement, image) = form.arrangements(position.board());
        let arrangement = arrangement.min(image.unwrap_or(u64::MAX));
        let before = if form.turn == Side::First { 0 } else { material.fold().pairs() as u64 };
        Location::At(material, Index((before + u64::from(pair)) * material.arrangements() + arrangement))
    }

    fn unrank(&self, material: Material, Index(index): Index) -> Option<Position> {
        let half = indices_of_a_side(material);
        let turn = if index < half { Side::First } else { Side::Second };
        if index >= self.size(material) {
            return None;
        }
        let (pair, arrangement) =
            (index % half / material.arrangements(), index % half % material.arrangements());
        let kings = material.fold().numbered(u16::try_from(pair).ok()?)?;
        let mut board = Board::EMPTY;
        board.set(kings.own, Some(Piece { side: turn, kind: Kind::King }));
        board.set(kings.other, Some(Piece { side: turn.other(), kind: Kind::King }));
        for (piece, places) in material.unrank(arrangement) {
            for square in SquareSet::from_word(places) {
                if board.occupied().contains(square) {
                    return None;
                }
                board.set(square, Some(piece));
            }
        }
        // The only fault that is left: kings and pawns stand on squares of their own numberings.
        if board.is_attacked(kings.other, turn) {
            return None;
        }
        let (castling, en_passant, clock) = (SquareSet::EMPTY, None, Clock::default());
        let position = Setup { board, turn, castling, en_passant, clock }.position_unchecked();
        let (_, image) = Form::of(&position)?.arrangements(&board);
        (image.is_none_or(|image| image >= arrangement)).then_some(position)
    }

    fn multiplicity(&self, position: &Position) -> u64 {
        let Some(form) = Form::of(position) else { return 1 };
        let (arrangement, image) = form.arrangements(position.board());
        form.material.fold().images() / if image == Some(arrangement) { 2 } else { 1 }
    }

    fn multiplicity_at(&self, material: Material, index: Index) -> u64 {
        let fold = material.fold();
        let pair = index.0 % indices_of_a_side(material) / material.arrangements();
        let kings = u16::try_from(pair).ok().and_then(|pair| fold.numbered(pair));
        match kings.is_some_and(|kings| fold.is_own_image(kings)) {
            true => self.unrank(material, index).map_or(1, |position| self.multiplicity(&position)),
            false => fold.images(),
        }
    }

    /// Captures and moves of pawns.
    fn is_irreversible(&self, position: &Position, m: Move) -> bool {
        position.is_zeroing(m)
    }

    /// The 50-move rule.
    fn irreversible_within(&self) -> Option<Plies> {
        Some(FIFTY_MOVES)
    }

    fn slice(&self, name: &str) -> Option<Material> {
        Material::parse(name)
    }
}

impl Catalogue for Chess {
    const SELECTOR: Option<GameOption> = Some(GameOption {
        name: "men",
        value: "N",
        help: "All materials with at most N men, kings included; N is 3, 4 or 5",
        proposed: &["3", "4", "5"],
        default: "3",
    });

    fn chapter(&self, material: Material) -> String {
        format!("{} men", material.men())
    }

    fn starter(&self) -> Vec<Material> {
        self.select("3").unwrap_or_default()
    }

    fn select(&self, value: &str) -> Option<Vec<Material>> {
        let most = value.parse().ok().filter(|most| (3..=Material::MOST).contains(most))?;
        Some(Material::all().into_iter().filter(|material| material.men() <= most).collect())
    }
}
