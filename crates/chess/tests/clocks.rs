//! Clocks, rights and en-passant squares after every move of long games, compared with an independent program
//! (python-chess, see `oracles/chess/clocks.py`).

use endspiel_chess::{Chess, Move, Position, Start};
use game::{Notation, Position as _};

const FIXTURE: &str = include_str!("../../../fixtures/chess/clocks.txt");

/// The events in the games. They are counted to make sure that a new version of the fixture still contains them.
#[derive(Default, Debug)]
struct Shown {
    games: u32,
    plies: u32,
    castlings: u32,
    /// Moves that captured a rook with a castling right.
    rights_taken: u32,
    en_passant_squares: u32,
    most_quiet_plies: u16,
}

#[test]
fn positions_after_each_move_are_written_as_the_peer_writes_them() {
    let chess = Chess::chess960(Start::STANDARD);
    let mut position = Start::STANDARD.position();
    let mut shown = Shown::default();
    for row in FIXTURE.lines().skip(1) {
        let (played, fen) = row.split_once(' ').expect("a move and what follows from it");
        if played == "start" {
            position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            shown.games += 1;
        } else {
            let m = chess.parse_move(&position, played).unwrap_or_else(|error| panic!("{position}: {error}"));
            shown.see(&position, m);
            position = position.play(m).expect("a move that was read is legal");
        }
        assert!(position.to_string().ends_with(fen), "{position}, not {fen}, after {played}");
        shown.en_passant_squares += u32::from(position.en_passant().is_some());
        shown.most_quiet_plies = shown.most_quiet_plies.max(position.clock().quiet_plies);
    }
    assert!(shown.games == 20 && shown.plies > 2_400 && shown.most_quiet_plies > 150, "{shown:?}");
    assert!(shown.castlings >= 10 && shown.rights_taken >= 5 && shown.en_passant_squares >= 20, "{shown:?}");
}

impl Shown {
    fn see(&mut self, position: &Position, m: Move) {
        self.plies += 1;
        self.castlings += u32::from(m.is_castling());
        let takes_right = position.is_capture(m) && position.castling_rooks().contains(m.to());
        self.rights_taken += u32::from(takes_right);
    }
}
