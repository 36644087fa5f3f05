//! The terms of an estimate: finds the features of a position.

use super::features::*;
use super::view::*;
use crate::features::{Counts, Tally};
use chess::{Board, Kind, Position, Square, SquareSet, sliders, steps};
use game::{Position as _, Side};

/// The phase of a position with all pieces. Without pieces, it is 0.
pub const MOST_PHASE: i32 = 24;
/// What a piece of a kind adds to the phase.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase of a board: how much of it is middlegame.
pub(super) fn phase(board: &Board) -> i32 {
    let of_kind = |kind: Kind| PHASE[kind as usize] * board.of_kind(kind).len() as i32;
    Kind::ALL.into_iter().map(of_kind).sum::<i32>().min(MOST_PHASE)
}

/// The ranks on which passed pawns are advanced, and the squares of outposts.
const ADVANCED: usize = 3;
const OUTPOSTS: u64 = 0x0000_ffff_ff00_0000;

fn square(number: usize) -> Square {
    Square::at((number % 8) as u8, (number / 8) as u8)
}

fn set(square: usize) -> u64 {
    1 << square
}

/// The squares that a piece of a kind attacks.
#[inline]
fn reach(kind: Kind, from: usize, occupied: u64) -> u64 {
    let (from, occupied) = (square(from), SquareSet::from_word(occupied));
    match kind {
        Kind::Pawn => SquareSet::EMPTY,
        Kind::Knight => steps::knight(from),
        Kind::Bishop => sliders::bishop(from, occupied),
        Kind::Rook => sliders::rook(from, occupied),
        Kind::Queen => sliders::bishop(from, occupied) | sliders::rook(from, occupied),
        Kind::King => steps::king(from),
    }
    .word()
}

/// What the pieces of a side attack, as the side sees it.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacks {
    by_pawns: u64,
    by_minors: u64,
    by_rooks: u64,
    all: u64,
    twice: u64,
    /// What the enemy's king has to fear.
    danger: i32,
}

impl Attacks {
    /// The attacks as the other side sees them.
    fn turned(self) -> Self {
        Self {
            by_pawns: self.by_pawns.swap_bytes(),
            by_minors: self.by_minors.swap_bytes(),
            by_rooks: self.by_rooks.swap_bytes(),
            all: self.all.swap_bytes(),
            twice: self.twice.swap_bytes(),
            danger: self.danger,
        }
    }

    #[inline]
    fn add(&mut self, attacked: u64) {
        self.twice |= self.all & attacked;
        self.all |= attacked;
    }
}

/// The pawns of a side, without what depends on pieces. Returns its passed pawns.
pub(super) fn pawns(view: &View, tally: &mut impl Tally) -> u64 {
    let (own, enemies) = (view.mine(Kind::Pawn), view.theirs(Kind::Pawn));
    let enemy_attacks = pawn_attacks_down(enemies);
    let own_attacks = pawn_attacks_up(own);
    // An enemy pawn on one of these squares, or one that can come to attack one, stops a pawn.
    let stopped = fill_down(widened(enemies));
    let mut passed = 0;
    for pawn in squares(own) {
        let (bit, rank) = (set(pawn), pawn / 8);
        let beside = widened(FILE_A << (pawn % 8)) & !(FILE_A << (pawn % 8));
        let is_opposed = usize::from(fill_up(bit) & enemies != 0);
        if bit & stopped == 0 && fill_up(bit) & own == 0 {
            passed |= bit;
            tally.add(PASSED + rank);
        }
        if fill_up(bit) & own != 0 {
            tally.add(DOUBLED);
        }
        let is_guarded = own_attacks & bit != 0;
        let is_abreast = widened(bit) & own != bit;
        if is_guarded {
            tally.add(GUARDED + rank);
        }
        if is_abreast {
            tally.add(ABREAST + rank);
        }
        if own & beside == 0 {
            tally.add(ISOLATED + is_opposed);
        } else if !is_guarded && !is_abreast {
            let is_last = own & beside & (fill_down(bit << 8) | fill_down(widened(bit))) == 0;
            if is_last && (bit << 8) & (enemy_attacks | enemies) != 0 {
                tally.add(BACKWARD + is_opposed);
            }
        }
    }
    passed
}

/// The pieces of a side, and what they attack.
pub(super) fn pieces(view: &View, passed: u64, tally: &mut impl Tally) -> Attacks {
    let (own_pawns, enemy_pawns) = (view.mine(Kind::Pawn), view.theirs(Kind::Pawn));
    let occupied = view.occupied();
    let king = view.mine(Kind::King).trailing_zeros() as usize & 63;
    let enemy_king = view.theirs(Kind::King).trailing_zeros() as usize & 63;
    let ring = reach(Kind::King, enemy_king, 0) | set(enemy_king);
    // The squares in front of the ring are near enough, too.
    let ring = ring | ring >> 8;
    let enemy_pawn_attacks = pawn_attacks_down(enemy_pawns);
    let own_pawn_attacks = pawn_attacks_up(own_pawns);
    let blocked = own_pawns & occupied >> 8;
    let area = !(enemy_pawn_attacks | blocked | view.mine(Kind::King));

    let mut attacks = Attacks { by_pawns: own_pawn_attacks, ..Attacks::default() };
    attacks.add(reach(Kind::King, king, 0));
    attacks.add(own_pawn_attacks);

    // Squares from which a piece of the kind would give check.
    let straight = reach(Kind::Rook, enemy_king, occupied);
    let diagonal = reach(Kind::Bishop, enemy_king, occupied);
    let checks = [0, reach(Kind::Knight, enemy_king, 0), diagonal, straight, straight | diagonal, 0];
    let mut checking = [0u64; 6];

    // Sliders look through own sliders of the same kind.
    let diagonal_blockers = occupied & !view.mine(Kind::Queen);
    let straight_blockers = diagonal_blockers & !view.mine(Kind::Rook);
    let kinds = [
        (Kind::Knight, KNIGHT_MOBILITY, occupied, 2),
        (Kind::Bishop, BISHOP_MOBILITY, diagonal_blockers, 2),
        (Kind::Rook, ROOK_MOBILITY, straight_blockers, 3),
        (Kind::Queen, QUEEN_MOBILITY, occupied, 4),
    ];
    for (kind, mobility, blockers, weight) in kinds {
        for from in squares(view.mine(kind)) {
            let attacked = reach(kind, from, blockers);
            attacks.add(attacked);
            match kind {
                Kind::Knight | Kind::Bishop => attacks.by_minors |= attacked,
                Kind::Rook => attacks.by_rooks |= attacked,
                _ => {}
            }
            tally.add(mobility + ((attacked & area).count_ones() as usize).min(27));
            if attacked & ring != 0 {
                attacks.danger += weight + (attacked & ring).count_ones() as i32 / 2;
            }
            checking[kind as usize] |= attacked & checks[kind as usize];
        }
    }
    attacks.danger += (own_pawn_attacks & ring).count_ones() as i32;
    // What is left of the checks once it is known what the enemy guards is up to `relations`.
    let unguarded = !(enemy_pawn_attacks | reach(Kind::King, enemy_king, 0));
    for (kind, weight) in [(Kind::Knight, 3), (Kind::Bishop, 2), (Kind::Rook, 3), (Kind::Queen, 2)] {
        if checking[kind as usize] & unguarded & !view.own != 0 {
            attacks.danger += weight;
        }
    }

    let bishops = view.mine(Kind::Bishop);
    const DARK: u64 = 0xaa55_aa55_aa55_aa55;
    if bishops & DARK != 0 && bishops & !DARK != 0 {
        tally.add(BISHOP_PAIR);
    }
    for bishop in squares(bishops) {
        let colour = if set(bishop) & DARK != 0 { DARK } else { !DARK };
        tally.add(BISHOP_PAWNS + (own_pawns & colour).count_ones() as usize);
    }
    let driven_away = enemy_pawn_attacks | fill_down(enemy_pawn_attacks);
    let safe_from_pawns = !driven_away & OUTPOSTS & own_pawn_attacks;
    tally.count(OUTPOST, (view.mine(Kind::Knight) & safe_from_pawns).count_ones() as i32);
    tally.count(OUTPOST + 1, (bishops & safe_from_pawns).count_ones() as i32);
    for rook in squares(view.mine(Kind::Rook)) {
        let file = FILE_A << (rook % 8);
        if own_pawns & file == 0 {
            tally.add(ROOK_FILE + usize::from(enemy_pawns & file != 0));
        }
        if fill_up(set(rook)) & passed != 0 {
            tally.add(ROOK_BEHIND_PASSED);
        }
    }
    shelter(king, own_pawns, enemy_pawns, tally);
    attacks
}

/// The pawns before a king.
#[inline]
fn shelter(king: usize, own_pawns: u64, enemy_pawns: u64, tally: &mut impl Tally) {
    let (file, rank) = (king % 8, king / 8);
    // A king at the edge has the same three files as its neighbour.
    let middle = file.clamp(1, 6);
    let ahead = !0u64 << (8 * rank);
    for near in middle - 1..=middle + 1 {
        let on_file = FILE_A << near & ahead;
        let distance_of = |pawns: u64| match pawns & on_file {
            0 => 0,
            pawns => (pawns.trailing_zeros() as usize / 8 - rank).min(7),
        };
        let own = distance_of(own_pawns);
        tally.add(if near == file { SHELTER } else { SHELTER_BESIDE } + own);
        tally.add(STORM + distance_of(enemy_pawns));
    }
}

/// What the two sides do to each other, as one of them sees it.
pub(super) fn relations(view: &View, passed: u64, own: &Attacks, enemy: &Attacks, tally: &mut impl Tally) {
    let enemy = enemy.turned();
    let king = view.mine(Kind::King).trailing_zeros() as usize & 63;
    let enemy_king = view.theirs(Kind::King).trailing_zeros() as usize & 63;
    for pawn in squares(passed) {
        let (rank, ahead) = (pawn / 8, set(pawn) << 8);
        if ahead & view.occupied() == 0 {
            tally.add(PASSED_FREE + rank);
        }
        if ahead & enemy.all == 0 {
            tally.add(PASSED_SAFE + rank);
        }
        if rank >= ADVANCED {
            let weight = rank as i32 - 2;
            tally.count(PASSED_OWN_KING + distance(king, (pawn + 8) & 63), weight);
            tally.count(PASSED_ENEMY_KING + distance(enemy_king, (pawn + 8) & 63), weight);
        }
    }
    let guarded = enemy.all & !(own.twice & !enemy.twice);
    for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let men = view.theirs(kind);
        let number = kind as usize;
        for (feature, by) in
            [(THREAT_BY_PAWN, own.by_pawns), (THREAT_BY_MINOR, own.by_minors), (THREAT_BY_ROOK, own.by_rooks)]
        {
            tally.count(feature + number, (men & by).count_ones() as i32);
        }
        tally.count(HANGING + number, (men & own.all & !guarded).count_ones() as i32);
    }
    let steps = view.mine(Kind::Pawn) << 8 & !view.occupied();
    let steps = steps | (steps & 0xff_0000) << 8 & !view.occupied();
    let safe = steps & (!enemy.all | own.all) & !enemy.by_pawns;
    let pieces = view.enemies & !view.theirs(Kind::Pawn);
    tally.count(THREAT_BY_PUSH, (pawn_attacks_up(safe) & pieces & !own.by_pawns).count_ones() as i32);

    // The king's own guards make it safer; squares that only the king guards are weak.
    let ring = reach(Kind::King, enemy_king, 0);
    let weak = ring & own.all & !enemy.twice;
    let danger = (own.danger + weak.count_ones() as i32).clamp(0, 31) as usize;
    tally.add(if view.mine(Kind::Queen) != 0 { DANGER } else { DANGER_WITHOUT_QUEEN } + danger);
}

/// All features of a position with their counts, those of White less those of Black; the phase; and the part of the endgame that
/// counts, in 64ths. Weights are fitted with this.
pub fn features_of(position: &Position) -> (Vec<(usize, i32)>, i32, i32) {
    let board = position.board();
    let mut notes = Counts::new(COUNT);
    let views = Side::ALL.map(|side| View::of(board, side));
    let mut attacks = [Attacks::default(); 2];
    let mut passed = [0; 2];
    for (number, view) in views.iter().enumerate() {
        notes.sign = 1 - 2 * number as i32;
        for kind in Kind::ALL {
            squares(view.mine(kind)).for_each(|square| notes.add(PLACEMENT + 64 * kind as usize + square));
        }
        passed[number] = pawns(view, &mut notes);
        attacks[number] = pieces(view, passed[number], &mut notes);
        let rights = position.castling_rooks() & board.of_side(Side::ALL[number]);
        notes.count(CASTLING, rights.len() as i32);
    }
    for (number, view) in views.iter().enumerate() {
        notes.sign = 1 - 2 * number as i32;
        relations(view, passed[number], &attacks[number], &attacks[1 - number], &mut notes);
    }
    notes.sign = if position.turn() == Side::First { 1 } else { -1 };
    notes.add(TEMPO);
    (notes.into_list(), phase(board), super::evaluator::winnable(board))
}
