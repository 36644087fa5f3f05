//! Tests the indices of endgames: their laws, their sizes, and what has no index.

use endspiel_chess::{Board, Chess, Material, Piece, Position, Setup, Symmetry};
use game::{Catalogue, Endgame, Index, Location, Position as _, Value, laws};
use proptest::prelude::*;

fn material_at(number: prop::sample::Index) -> Material {
    let all = Material::all();
    all[number.index(all.len())]
}

/// The image of a position. If the colours are exchanged, near and far are exchanged too.
fn image(position: &Position, symmetry: Symmetry, exchanges: bool) -> Position {
    let mut board = Board::EMPTY;
    let flip = if exchanges { Symmetry::FLIP } else { Symmetry::IDENTITY };
    let side = |side: game::Side| if exchanges { side.other() } else { side };
    for (square, piece) in position.board().pieces() {
        board.set(flip.then(symmetry).square(square), Some(Piece { side: side(piece.side), ..piece }));
    }
    let clock = position.clock();
    let setup =
        Setup { board, turn: side(position.turn()), castling: Default::default(), en_passant: None, clock };
    Position::try_from(setup).expect("the image of a legal position")
}

fn check(material: Material, index: Index) {
    let chess = Chess::STANDARD;
    laws::of_index(&chess, material, index);
    let Some(position) = chess.unrank(material, index) else { return };
    laws::of_location(&chess, &position);
    let symmetries = if material.pawns() == 0 { &Symmetry::ALL[..] } else { &Symmetry::ALL[..2] };
    let mut images = Vec::new();
    for &symmetry in symmetries {
        for exchanges in [false, true] {
            let image = image(&position, symmetry, exchanges);
            assert_eq!(chess.locate(&image), Location::At(material, index), "{image}");
            if !exchanges {
                images.push(image.to_string());
            }
        }
    }
    images.sort();
    images.dedup();
    assert_eq!(chess.multiplicity(&position), images.len() as u64, "{position}");
    assert_eq!(chess.multiplicity_at(material, index), images.len() as u64, "{position}");
    let turns = chess.indices_by_turn(material).expect("sides are kept apart");
    assert!(turns[position.turn()].contains(&index.0));
}

proptest! {
    #[test]
    fn indices_keep_the_laws(material: prop::sample::Index, at: u64) {
        let material = material_at(material);
        check(material, Index(at % Chess::STANDARD.size(material)));
    }

    /// A position with both kings on the diagonal shares its index with its image.
    #[test]
    fn kings_on_the_diagonal_keep_the_laws(
        material: prop::sample::Index,
        pair in 0..21usize,
        at: u64,
        is_second_half: bool,
    ) {
        let material = material_at(material);
        let fold = material.fold();
        let own_images: Vec<u16> = (0..fold.pairs() as u16)
            .filter(|&pair| fold.numbered(pair).is_some_and(|kings| fold.is_own_image(kings)))
            .collect();
        if let Some(&pair) = own_images.get(pair) {
            let arrangements = material.arrangements();
            let half = if is_second_half { Chess::STANDARD.size(material) / 2 } else { 0 };
            let half = if material.is_symmetric() { 0 } else { half };
            check(material, Index(half + u64::from(pair) * arrangements + at % arrangements));
        }
    }
}

#[test]
fn sizes_are_those_of_the_formula() {
    let chess = Chess::STANDARD;
    let size = |name| chess.size(chess.slice(name).expect("a material"));
    assert_eq!(size("KQvK"), 2 * 462 * 64);
    assert_eq!(size("KPvK"), 2 * 1806 * 48);
    assert_eq!(size("KQvKQ"), 462 * 64 * 64, "only White to move");
    assert_eq!(size("KQvKR"), 2 * 462 * 64 * 64);
    assert_eq!(size("KNNNvK"), 2 * 462 * 64 * 63 * 62 / 6);
    assert_eq!(size("KPPvKP"), 2 * 1806 * (48 * 47 / 2) * 48);
    let selected = ["2", "3", "4", "5", "6", "x", ""].map(|men| chess.select(men).map(|list| list.len()));
    assert_eq!(selected, [None, Some(5), Some(35), Some(145), None, None, None]);
    assert_eq!(chess.starter().len(), 5);
}

/// Up to 100 plies the 50-move rule allows a value, and a capture or pawn move starts the count again.
#[test]
fn conversions_restart_the_count() {
    use game::Plies;
    let before = |value| Chess::STANDARD.before_irreversible(value);
    for (plies, restarted) in [(0, 1), (1, 1), (100, 1), (101, 101), (250, 101)] {
        assert_eq!(before(Value::Loss(Plies(plies))), Value::Win(Plies(restarted)));
        assert_eq!(before(Value::Win(Plies(plies))), Value::Loss(Plies(restarted)));
    }
    assert_eq!(before(Value::Draw), Value::Draw);
}

#[test]
fn what_has_no_index_says_why() {
    let chess = Chess::STANDARD;
    let locate = |fen: &str| chess.locate(&fen.parse().expect(fen));
    assert_eq!(locate("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Location::Over(Value::Draw));
    let castling = "a side may still castle, and such positions are outside the tables; write `-` for the castling rights to ask without them";
    assert_eq!(locate("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Location::Beyond(castling));
    let many = "tables have up to five men, with the kings";
    assert_eq!(locate("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1"), Location::Beyond(many));
    assert_eq!(locate("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1"), Location::Through);
    // The pawn is pinned, so there is no right.
    assert!(matches!(locate("8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1"), Location::At(..)));
    assert!(matches!(locate("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), Location::At(..)));
    assert_eq!(chess.unrank(chess.slice("KQvK").expect("a material"), Index(u64::MAX)), None);
}
