//! Positions of a material, for tests, the benchmark and the example `compare`.

use chess::{Board, Kind, Piece, Position, Setup, Square};
use endspiel_syzygy::Material;
use game::{Rng, Side};

/// The men of a material, kings first.
pub fn men(material: Material) -> Vec<Piece> {
    let mut men = Vec::new();
    for kind in [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn] {
        for side in Side::ALL {
            men.extend((0..material.count(side, kind)).map(|_| Piece { side, kind }));
        }
    }
    men
}

/// Visits random legal positions with these men until there are `count` or a few more. Every right to capture en passant is
/// visited, too.
pub fn random_positions(material: Material, count: usize, seed: u64, visit: &mut dyn FnMut(Position)) {
    let men = men(material);
    let mut rng = Rng::new(seed ^ men.len() as u64);
    let mut visited = 0;
    while visited < count {
        let mut board = Board::EMPTY;
        for &piece in &men {
            let square = Square::from_index(rng.below(64) as u8).expect("below 64");
            board.set(square, Some(piece));
        }
        if board.occupied().len() as usize == men.len() {
            legal_positions(&board, &mut |position| {
                visited += 1;
                visit(position);
            });
        }
    }
}

/// Visits the legal positions with these men on these squares: both sides to move, and every right to capture en passant.
pub fn legal_positions(board: &Board, visit: &mut dyn FnMut(Position)) {
    for turn in Side::ALL {
        let plain = Setup {
            board: *board,
            turn,
            castling: Default::default(),
            en_passant: None,
            clock: Default::default(),
        };
        let Ok(position) = Position::try_from(plain) else { continue };
        visit(position);
        if Side::ALL.into_iter().any(|side| board.of(side, Kind::Pawn).is_empty()) {
            continue;
        }
        let behind = if turn == Side::First { 5 } else { 2 };
        for file in 0..8 {
            let en_passant = Some(Square::at(file, behind));
            let with_right = Position::try_from(Setup { en_passant, ..plain });
            with_right.into_iter().filter(|position| position.en_passant().is_some()).for_each(&mut *visit);
        }
    }
}
