//! Static exchange evaluation and tactical moves: compared with exchanges that are played move by move, and their laws.

use endspiel_shogi::{Board, Centipawns, Kind, Move, Piece, Position, Setup, Shogi, Square};
use game::{BySide, Game, Notation, Position as _, Rng, Side};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// The most that the side to move wins by captures on a square. The legal moves of the game are played.
fn slow_best(position: &Position, target: Square) -> Centipawns {
    let taken = position.board().piece_at(target).expect("a man stands there").kind;
    let side = position.turn();
    // From the side's own camp, from left to right.
    let place = |from: Square| match side {
        Side::First => (from.rank(), from.file()),
        Side::Second => (8 - from.rank(), 8 - from.file()),
    };
    let mut captures = Vec::new();
    position.for_each_move(|m| {
        if let Move::Step { kind, from, to, promotes } = m
            && to == target
        {
            captures.push((kind.value_of_capture(), kind, place(from), !promotes, m));
        }
    });
    let Some(&(_, kind, .., m)) = captures.iter().min() else { return Centipawns(0) };
    let gained = m.arriving().value() - kind.value();
    let after = position.play_unchecked(m);
    (taken.value_of_capture() + gained - slow_best(&after, target)).max(Centipawns(0))
}

fn slow(position: &Position, m: Move) -> Centipawns {
    let taken =
        position.board().piece_at(m.to()).map_or(Centipawns(0), |taken| taken.kind.value_of_capture());
    taken + m.arriving().value() - m.kind().value() - slow_best(&position.play_unchecked(m), m.to())
}

/// Compares `see_at_least` with `see` around its value and far from it.
fn assert_thresholds_agree(position: &Position, m: Move) {
    let value = position.see(m);
    for distance in [-9_000, -900, -200, -1, 0, 1, 200, 900, 9_000] {
        let threshold = value + Centipawns(distance);
        assert_eq!(position.see_at_least(m, threshold), distance <= 0, "{position}: {m} >= {threshold}");
    }
    assert_eq!(position.see_at_least(m, Centipawns(0)), value >= Centipawns(0), "{position}: {m}");
}

#[test]
fn each_rule_has_an_example() {
    let [pawn, silver, rook] = [Kind::Pawn, Kind::Silver, Kind::Rook].map(Kind::value_of_capture);
    let of = |kind: Kind| kind.value();
    let examples = [
        // A man that nobody guards, a guarded one, and one that is guarded by a pinned man.
        ("4k4/9/9/9/4p4/9/4R4/9/4K4 b - 1", "5g5e", pawn),
        ("4k4/9/9/4s4/4p4/9/4R4/9/3K5 b - 1", "5g5e", pawn - rook),
        (
            "4k4/4r4/4p4/3P5/9/9/4R4/9/4K4 b - 1",
            "5g5c+",
            pawn + of(Kind::Dragon) - of(Kind::Rook) - rook - (of(Kind::Dragon) - of(Kind::Rook)),
        ),
        // A lance guards only ahead.
        ("4k4/9/4l4/4p4/9/4R4/9/9/3K5 b - 1", "5f5d", pawn - rook),
        ("4k4/9/4p2R1/4l4/9/9/9/9/3K5 b - 1", "2c5c", pawn),
        // A drop loses the man where it can be captured.
        ("4k4/9/9/9/4r4/9/9/9/3K5 b S 1", "S*5f", Centipawns(0) - silver),
        ("4k4/9/9/9/4r4/9/9/9/3K5 b S 1", "S*4f", Centipawns(0)),
        // A king does not capture what is guarded.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", Centipawns(0)),
    ];
    for (sfen, usi, value) in examples {
        let position: Position = sfen.parse().expect(sfen);
        let m = Shogi::default().parse_move(&position, usi).expect(usi);
        assert_eq!(position.see(m), value, "{usi} in {sfen}");
    }
}

/// The position with the sides exchanged and the board turned, so that the other side is to move.
fn exchanged(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    for (square, Piece { side, kind }) in position.board().pieces() {
        board.set(square.rotate(), Some(Piece { side: side.other(), kind }));
    }
    let hands = BySide { first: position.hand(Side::Second), second: position.hand(Side::First) };
    let setup = Setup { board, hands, turn: position.turn().other(), move_number: 1 };
    setup.try_into().expect("the same rules hold for both sides")
}

fn turned(m: Move) -> Move {
    match m {
        Move::Step { kind, from, to, promotes } => {
            Move::Step { kind, from: from.rotate(), to: to.rotate(), promotes }
        }
        Move::Drop { kind, to } => Move::Drop { kind, to: to.rotate() },
    }
}

fn assert_laws(position: &Position) {
    let other = exchanged(position);
    let mut tactical = Vec::new();
    let _ = position.visit_tactical(|m| {
        tactical.push(m);
        ControlFlow::<()>::Continue(())
    });
    let mut expected = Vec::new();
    position.for_each_move(|m| {
        let is_capture = position.board().piece_at(m.to()).is_some();
        let gains = [Kind::Pawn, Kind::Bishop, Kind::Rook].contains(&m.kind()) && m.arriving() != m.kind();
        assert_eq!(position.is_tactical(m), is_capture || gains, "{position}: {m}");
        expected.extend((is_capture || gains).then_some(m));
        let value = position.see(m);
        assert_eq!(value, slow(position, m), "{position}: {m}");
        assert_eq!(value, other.see(turned(m)), "{position}: {m}, turned");
        assert_thresholds_agree(position, m);
    });
    assert_eq!(tactical, expected, "{position}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn exchanges_are_those_that_are_played(seed: u64, plies in 0u32..200) {
        let (position, _) = game::playout(&Shogi::default().start(), plies, &mut Rng::new(seed));
        assert_laws(&position);
    }
}

#[test]
fn a_pass_only_changes_the_turn() {
    let start = Shogi::default().start();
    let passed = start.pass().expect("nobody is in check");
    let same: Position = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1".parse().unwrap();
    assert_eq!((passed, passed.key()), (same, same.key()));
    let check: Position = "4k4/9/4R4/9/9/9/9/9/4K4 w - 1".parse().unwrap();
    assert_eq!(check.pass(), None);
}
