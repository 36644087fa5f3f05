//! A row: all positions in which the attacker's men stand on the same squares.
//!
//! The defender's moves stay within a row, so a row is solved like a separate game. The attacker's moves lead to other rows.
//! A *placement* of the row is a set of squares for the defender's men. Only free squares are numbered: those without an
//! attacker's man. So the placements of every row are subsets of the same numbers and have the same ranks.
//!
//! A position is *won at once* if the attacker wins with the next move.

use super::deals::{ALL, Deals, Word};
use super::men::with_men;
use bits::subsets::{self, of_25};
use bits::{pdep, pext};

/// The temple that the attacker's master must reach.
pub const ATTACKERS_GOAL: usize = 22;
/// The temple that the defender's master must reach.
pub const DEFENDERS_GOAL: usize = 2;

/// The number of lanes: one word for each master of the attacker, at most five, filled up to eight for the vector unit.
pub const LANES: usize = 8;
/// The words of a placement and a master of the defender, one for each master of the attacker.
pub type Lanes = [Word; LANES];

/// The set of all squares.
pub const BOARD: u32 = (1 << 25) - 1;

/// The most men of a player.
pub const MOST_MEN: usize = 5;

/// The number of placements in a row.
pub fn placements(attackers: usize, defenders: usize) -> usize {
    subsets::count(25 - attackers as u32, defenders as u32) as usize
}

/// The number of words in a row.
pub fn words(attackers: usize, defenders: usize) -> usize {
    placements(attackers, defenders) * attackers * defenders
}

/// The words of a row: by placement, then by the defender's master, then by the attacker's master. There are a few more
/// words at the end, so that lanes can be read from any word.
pub type Dense = Vec<Word>;

/// A row in which all words are zero.
pub fn dense(attackers: usize, defenders: usize) -> Dense {
    vec![0; words(attackers, defenders) + LANES]
}

/// The lanes that begin with the word at `at`.
#[inline]
pub fn lanes(dense: &[Word], at: usize) -> &Lanes {
    dense[at..at + LANES].try_into().expect("as many")
}

/// Returns whether all lanes are zero.
#[inline]
pub fn are_zero<const B: usize>(words: &[Lanes; B]) -> bool {
    let mut any = [0; LANES];
    for lanes in words {
        for lane in 0..LANES {
            any[lane] |= lanes[lane];
        }
    }
    any == [0; LANES]
}

/// A quiet move (without a capture) of a defender's man: the square, and the deals that the move does not lead to.
#[derive(Clone, Copy, Default)]
struct Step {
    to: u32,
    other_deals: Word,
}

/// The capture of an attacker's man: its lane, and the deals that the move does not lead to.
#[derive(Clone, Copy, Default)]
struct Taking {
    lane: u8,
    other_deals: Word,
}

/// The spare bytes at the end of a packed row, so that eight bytes can be read from any of its bytes on. Their content does
/// not matter.
pub const SPARE: usize = 8;

/// The most steps from a square: five cards with at most four offsets each.
const MOST_STEPS: usize = 20;

/// A short list.
#[derive(Clone, Copy)]
struct Few<T> {
    items: [T; MOST_STEPS],
    len: usize,
}

impl<T: Copy + Default> Few<T> {
    fn new() -> Self {
        Self { items: [T::default(); MOST_STEPS], len: 0 }
    }

    #[inline]
    fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    #[inline]
    fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items[..self.len].iter()
    }
}

/// The data of a row that does not depend on the defender's men.
///
/// The number `B` of defenders is a constant, because the inner loops run over the defenders. The attackers are lanes of
/// vectors. Their number is a constant only where that makes a hot loop faster.
pub struct Row<const B: usize> {
    /// The attacker's men.
    pub men: u32,
    /// The number of the attacker's men.
    pub attackers: usize,
    /// The squares without an attacker's man.
    pub free: u32,
    /// By free square: the quiet moves of a defender there.
    quiet: [Few<Step>; 25],
    /// By free square: the free squares from which a quiet move of a defender leads there.
    sources: [u32; 25],
    /// By free square: the attacker's men that a defender there can capture.
    takings: [Few<Taking>; 25],
    /// By free square and lane: the deals after a move in which a defender there did not capture the master of the lane.
    spares_master: [Lanes; 25],
    /// By free square: the deals after a move in which the defender's master did not move from there to its goal.
    off_goal: [Word; 25],
    /// The defender's goal as a set of free squares. It is empty if an attacker's man stands there.
    goal: u32,
    /// By the free square of the defender's master, and by lane: the deals in which the attacker wins at once.
    wins_at_once: [Lanes; 25],
    /// By the free square of the defender's master, and by lane: the deals that are not won at once and must be solved.
    open: [Lanes; 25],
    /// By lane: all deals if the master of the lane is not on its goal, otherwise none.
    masters: Lanes,
}

/// `PLACES[n][i][j][g]`: `n` times the new place of the `g`th man when the `i`th man moves and becomes the `j`th.
static PLACES: [[[[u8; MOST_MEN]; MOST_MEN]; MOST_MEN]; MOST_MEN + 1] = {
    let mut places = [[[[0; MOST_MEN]; MOST_MEN]; MOST_MEN]; MOST_MEN + 1];
    let mut i = 0;
    while i < 6 * 125 {
        let (times, from, to, g) = (i / 125, i / 25 % 5, i / 5 % 5, i % 5);
        let among_others = if g > from { g - 1 } else { g };
        let place = if g == from {
            to
        } else if among_others >= to {
            among_others + 1
        } else {
            among_others
        };
        places[times][from][to][g] = (times * place) as u8;
        i += 1;
    }
    places
};

/// The new place of the `g`th man when the `from`th man moves to a square with `to` of the other men before it.
#[inline]
pub fn place(from: usize, to: usize, g: usize) -> usize {
    PLACES[1][from][to][g].into()
}

/// The set on the board turned by 180 degrees, as the other player sees it.
#[inline]
pub fn turned(set: u32) -> u32 {
    set.reverse_bits() >> 7
}

/// The squares of a set, in order. The items after the last square are 32.
#[inline]
pub fn squares<const N: usize>(mut set: u32) -> [usize; N] {
    std::array::from_fn(|_| {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        square
    })
}

impl<const B: usize> Row<B> {
    /// The row of these men.
    pub fn new(deals: &Deals, men: u32) -> Self {
        let free = !men & BOARD;
        let attackers = men.count_ones() as usize;
        let squares: [usize; MOST_MEN] = squares(men);
        let squares = &squares[..attackers];
        let mut row = Self {
            men,
            attackers,
            free,
            quiet: [Few::new(); 25],
            sources: [0; 25],
            takings: [Few::new(); 25],
            spares_master: [[ALL; LANES]; 25],
            off_goal: [ALL; 25],
            goal: pext(1 << DEFENDERS_GOAL & u64::from(free), free.into()) as u32,
            wins_at_once: [[0; LANES]; 25],
            open: [[0; LANES]; 25],
            masters: [0; LANES],
        };
        let mut reaches_goal = [0; MOST_MEN];
        for (lane, &master) in squares.iter().enumerate() {
            if master != ATTACKERS_GOAL {
                row.masters[lane] = ALL;
                if men >> ATTACKERS_GOAL & 1 == 0 {
                    reaches_goal[lane] = deals.attacks(master, ATTACKERS_GOAL);
                }
            }
        }
        for from in 0..25 - attackers {
            let square = row.square(from);
            for to in 0..25 {
                let cards = deals.defends(square, to);
                if cards == 0 {
                    continue;
                }
                let deals_after = deals.beside(cards);
                let other_deals = !deals_after & ALL;
                if let Some(lane) = squares.iter().position(|&man| man == to) {
                    row.takings[from].push(Taking { lane: lane as u8, other_deals });
                    row.spares_master[from][lane] &= other_deals;
                } else {
                    let to_free = (free & ((1 << to) - 1)).count_ones();
                    row.quiet[from].push(Step { to: 1 << to_free, other_deals });
                    row.sources[to_free as usize] |= 1 << from;
                }
                if to == DEFENDERS_GOAL {
                    row.off_goal[from] &= other_deals;
                }
            }
            if square == DEFENDERS_GOAL {
                // A master there has already won, so there is no position.
                row.off_goal[from] = 0;
                continue;
            }
            let takes = squares.iter().fold(0, |cards, &man| cards | deals.attacks(man, square));
            for (lane, reaches_goal) in reaches_goal[..attackers].iter().enumerate() {
                let wins = deals.attacker_has(takes | reaches_goal);
                row.wins_at_once[from][lane] = wins & row.masters[lane];
                row.open[from][lane] = !wins & row.masters[lane];
            }
        }
        row
    }

    /// The square of the board with this number among the free squares.
    fn square(&self, free: usize) -> usize {
        pdep(1 << free, self.free.into()).trailing_zeros() as usize
    }

    /// The placements, by rank, as sets of free squares.
    #[inline]
    pub fn placements(&self) -> &'static [u32] {
        &of_25::of_size(B as u32)[..placements(self.attackers, B)]
    }

    /// The rank of a placement that is given as squares of the board.
    #[inline]
    pub fn rank_on_board(&self, defenders: u32) -> usize {
        of_25::rank_of::<B>(pext(defenders.into(), self.free.into()) as u32) as usize
    }

    /// Converts a placement to squares of the board.
    #[inline]
    pub fn on_board(&self, placement: u32) -> u32 {
        pdep(placement.into(), self.free.into()) as u32
    }

    /// The number of open deals over all placements: those that are not won at once.
    pub fn open_bits(&self) -> u64 {
        self.over_all_placements(&self.open)
    }

    /// The number of deals in which the attacker wins at once, over all placements.
    pub fn bits_won_at_once(&self) -> u64 {
        self.over_all_placements(&self.wins_at_once)
    }

    fn over_all_placements(&self, by_square: &[Lanes; 25]) -> u64 {
        let bits: u64 = by_square.iter().flatten().map(|word| u64::from(word.count_ones())).sum();
        bits * subsets::count(24 - self.attackers as u32, B as u32 - 1)
    }

    /// The deals in which the attacker wins at once, with the attacker's master in `lane` and the defender's master on free
    /// square `square`. Returns `None` if one of the masters is on its goal.
    pub fn won_at_once(&self, square: usize, lane: usize) -> Option<Word> {
        let is_over =
            self.masters[lane] == 0 || square < 25 - self.attackers && self.square(square) == DEFENDERS_GOAL;
        (!is_over).then_some(self.wins_at_once[square][lane])
    }

    /// Fills the words at the start of solving: only the wins at once are set.
    pub fn start(&self, dense: &mut Dense) {
        let a = self.attackers;
        for (placement, words) in self.placements().iter().zip(dense.chunks_exact_mut(a * B)) {
            for (square, words) in squares::<B>(*placement).into_iter().zip(words.chunks_exact_mut(a)) {
                for (word, &won) in words.iter_mut().zip(&self.wins_at_once[square]) {
                    *word = won;
                }
            }
        }
    }

    /// The number of bytes that [`pack`](Self::pack) writes.
    pub fn packed_bytes(&self) -> u64 {
        self.open_bits().div_ceil(64) * 8 + SPARE as u64
    }

    /// Packs the open deals of all words without gaps, followed by spare bytes.
    pub fn pack(&self, dense: &Dense, packed: &mut Vec<u8>) {
        with_men!(self.attackers, A => self.pack_of::<A>(dense, packed));
    }

    fn pack_of<const A: usize>(&self, dense: &Dense, packed: &mut Vec<u8>) {
        let bytes = self.packed_bytes() as usize;
        packed.clear();
        packed.reserve(bytes + 8);
        let (mut held, mut bits) = (0u64, 0);
        for (placement, words) in self.placements().iter().zip(dense.chunks_exact(A * B)) {
            for (square, words) in squares::<B>(*placement).into_iter().zip(words.chunks_exact(A)) {
                for (&word, &open) in words.iter().zip(&self.open[square]) {
                    let gathered = pext(word.into(), open.into());
                    held |= gathered << bits;
                    bits += open.count_ones();
                    if bits >= 64 {
                        packed.extend_from_slice(&held.to_le_bytes());
                        bits -= 64;
                        held = gathered >> (open.count_ones() - bits);
                    }
                }
            }
        }
        packed.extend_from_slice(&held.to_le_bytes());
        packed.resize(bytes, 0);
    }

    /// Unpacks a row; the inverse of [`pack`](Self::pack).
    pub fn unpack(&self, packed: &[u8], dense: &mut Dense) {
        with_men!(self.attackers, A => self.unpack_of::<A>(packed, dense));
    }

    fn unpack_of<const A: usize>(&self, packed: &[u8], dense: &mut Dense) {
        let mut at = 0usize;
        for (placement, words) in self.placements().iter().zip(dense.chunks_exact_mut(A * B)) {
            for (square, words) in squares::<B>(*placement).into_iter().zip(words.chunks_exact_mut(A)) {
                let (open, won) = (&self.open[square], &self.wins_at_once[square]);
                for ((word, &open), &won) in words.iter_mut().zip(open).zip(won) {
                    // Thirty bits always fit into the eight bytes from here on.
                    let bytes: [u8; 8] = packed[at / 8..at / 8 + 8].try_into().expect("eight");
                    let bits = u64::from_le_bytes(bytes) >> (at % 8);
                    *word = won | pdep(bits, open.into()) as Word;
                    at += open.count_ones() as usize;
                }
            }
        }
    }

    /// Finds the deals that the defender can reach only with losing moves: the attacker wins after each move that leads to
    /// the deal, or there is no such move. The result is by the defender's master.
    ///
    /// It considers quiet moves, and moves that capture the master or reach the goal, after which the attacker has not won.
    /// [`takings`](Self::takings) adds the captures of other men.
    #[inline(always)] // so that the number `a` of attackers is a constant where the caller has one
    pub fn quiet_replies(&self, a: usize, won: &[Word], placement: u32) -> [Lanes; B] {
        let men: [usize; B] = squares(placement);
        let mut spared = self.masters;
        for man in men {
            for (spared, deals) in spared.iter_mut().zip(&self.spares_master[man]) {
                *spared &= deals;
            }
        }
        let goal_is_free = placement & self.goal == 0;
        let mut replies: [Lanes; B] = std::array::from_fn(|g| {
            // The goal cannot be reached if an own man stands on it.
            let at_goal = self.goal >> men[g] & 1 != 0;
            let off_goal = if goal_is_free || at_goal { self.off_goal[men[g]] } else { ALL };
            spared.map(|deals| deals & off_goal)
        });
        for (i, &man) in men.iter().enumerate() {
            let others = placement ^ 1 << man;
            for &Step { to, other_deals } in self.quiet[man].iter() {
                if others & to != 0 {
                    continue;
                }
                let moved = of_25::rank_of::<B>(others | to) as usize * (a * B);
                let j = (others & (to - 1)).count_ones() as usize;
                let places = &PLACES[a][i][j];
                for g in 0..B {
                    let won = lanes(won, moved + usize::from(places[g]));
                    for lane in 0..LANES {
                        replies[g][lane] &= won[lane] | other_deals;
                    }
                }
            }
            if are_zero(&replies) {
                break;
            }
        }
        replies
    }

    /// Adds the captures of men other than the master to the result of [`quiet_replies`](Self::quiet_replies).
    /// `fewer[lane]` is the row without the attacker's man of that lane.
    pub fn takings(&self, fewer: &[&Dense], placement: u32, replies: &mut [Lanes; B]) {
        let a = self.attackers;
        let men: [usize; B] = squares(placement);
        let attackers: [usize; MOST_MEN] = squares(self.men);
        for (i, &man) in men.iter().enumerate() {
            for &Taking { lane, other_deals } in self.takings[man].iter() {
                let lane = usize::from(lane);
                let taken = 1 << attackers[lane];
                let others = self.on_board(placement ^ 1 << man);
                let free = self.free | taken;
                let moved = of_25::rank_of::<B>(pext((others | taken).into(), free.into()) as u32) as usize;
                let j = (others & (taken - 1)).count_ones() as usize;
                for (g, replies) in replies.iter_mut().enumerate() {
                    let at = moved * (a - 1) * B + place(i, j, g) * (a - 1);
                    let won = &fewer[lane][at..at + a - 1];
                    // In the lane of the captured man the master was captured, so it is skipped.
                    for (reply, won) in replies[..lane].iter_mut().zip(&won[..lane]) {
                        *reply &= won | other_deals;
                    }
                    for (reply, won) in replies[lane + 1..a].iter_mut().zip(&won[lane..]) {
                        *reply &= won | other_deals;
                    }
                }
            }
        }
    }

    /// Visits the placements from which a quiet move of the defender leads to this one.
    #[inline]
    pub fn before(&self, placement: u32, mut visit: impl FnMut(usize)) {
        let mut men = placement;
        while men != 0 {
            let others = placement & !(men & men.wrapping_neg());
            let mut from = self.sources[men.trailing_zeros() as usize] & !placement;
            while from != 0 {
                visit(of_25::rank_of::<B>(others | (from & from.wrapping_neg())) as usize);
                from &= from - 1;
            }
            men &= men - 1;
        }
    }
}
