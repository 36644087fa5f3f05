//! The thirty deals of five cards as the bits of one word.
//!
//! A game of Onitama is seen here by one player who wants to win, the *attacker*, and one who wants to prevent it, the
//! *defender*; a deal says who holds what, whoever is to move. Using a card exchanges it with the one beside the board
//! and leaves the other player's hand alone. So the deals fall into ten triples with the same attacker's hand, and a
//! move of the defender stays within a triple: with card `x` beside the board he holds the two others, `y` and `z`, and
//! puts one of them there. A word *by the attacker's hand* has three planes of ten bits, a plane for each place that
//! the card beside the board can have among the three; the defender's choice is then a turn of the word by one plane
//! or two. For moves of the attacker the same holds *by the defender's hand*, and a table leads from one order
//! to the other.

use super::mirror;
use onitama::{Card, CardSet};
use std::sync::OnceLock;

/// A bit for each deal.
pub type Word = u32;

/// All deals.
pub const ALL: Word = (1 << 30) - 1;

const PLANE: u32 = 10;

/// The word turned by one plane: what each deal finds in the next of its triple.
#[inline]
pub fn next(word: Word) -> Word {
    word >> PLANE | word << (2 * PLANE) & ALL
}

/// The word turned by two planes.
#[inline]
pub fn after_next(word: Word) -> Word {
    word >> (2 * PLANE) | word << PLANE & ALL
}

/// What holds for both cards that can be played.
#[inline]
pub fn both(word: Word) -> Word {
    next(word) & after_next(word)
}

/// What holds for one of the two cards that can be played.
#[inline]
fn either(word: Word) -> Word {
    next(word) | after_next(word)
}

/// A rearrangement of a word's bits, plane by plane.
#[derive(Clone)]
pub struct Rearrangement([[Word; 1 << PLANE]; 3]);

impl Rearrangement {
    /// The one that is a union of what it makes of single bits.
    fn new(of_bit: impl Fn(u32) -> Word) -> Box<Self> {
        let of_bit: [Word; 30] = std::array::from_fn(|bit| of_bit(bit as u32));
        let mut table = Box::new(Self([[0; 1 << PLANE]; 3]));
        for (plane, words) in table.0.iter_mut().enumerate() {
            for ten in 1..words.len() {
                let lowest = plane * PLANE as usize + ten.trailing_zeros() as usize;
                words[ten] = words[ten & (ten - 1)] | of_bit[lowest];
            }
        }
        table
    }

    /// The rearranged word.
    #[inline]
    pub fn of(&self, word: Word) -> Word {
        const TEN: Word = (1 << PLANE) - 1;
        self.0[0][(word & TEN) as usize]
            | self.0[1][(word >> PLANE & TEN) as usize]
            | self.0[2][(word >> (2 * PLANE) & TEN) as usize]
    }
}

/// Who holds which of the five cards, as bits among the five.
#[derive(Clone, Copy)]
struct Deal {
    attacker: u32,
    defender: u32,
}

impl Deal {
    fn side_card(self) -> u32 {
        !(self.attacker | self.defender) & 0b11111
    }

    /// The bit in words by the attacker's hand.
    fn by_attacker(self) -> u32 {
        bit(self.attacker, self.side_card())
    }

    /// The bit in words by the defender's hand.
    fn by_defender(self) -> u32 {
        bit(self.defender, self.side_card())
    }
}

/// Hands of two cards are numbered in the order of their bits; the card beside the board by those of the others before it.
fn bit(hand: u32, side_card: u32) -> u32 {
    let number = (0..hand).filter(|other| other.count_ones() == 2).count() as u32;
    let plane = (!hand & (side_card - 1)).count_ones();
    plane * PLANE + number
}

fn deals() -> impl Iterator<Item = Deal> {
    let hands = || (0..32u32).filter(|hand| hand.count_ones() == 2);
    hands().flat_map(move |attacker| {
        hands()
            .filter(move |defender| attacker & defender == 0)
            .map(move |defender| Deal { attacker, defender })
    })
}

/// What a card set makes of squares and deals.
pub struct Deals {
    /// `moves[from][to]`: the cards, as bits among the five, by which the attacker moves so; the defender
    /// moves back by them.
    moves: [[u8; 25]; 25],
    /// From words by the defender's hand, after the attacker's move, to words by the attacker's hand, before it.
    before_attack: Box<Rearrangement>,
    /// From words by the attacker's hand to words by the defender's.
    by_defender: Box<Rearrangement>,
    /// Deals with one of these cards in the attacker's hand; by the attacker's hand.
    attacker_has: [Word; 32],
    /// Deals with one of these cards beside the board; by the attacker's and by the defender's hand.
    beside: [Word; 32],
    beside_by_defender: [Word; 32],
    /// Left and right exchanged, for a set that is its own mirror image; by the attacker's hand.
    mirror: Option<Box<Rearrangement>>,
    /// Made when five men are first asked about.
    stuck: OnceLock<Stuck>,
    /// Where the deals of the game's own numbering are, for the attacker and for the defender to move.
    numbered: [[u8; 30]; 2],
}

/// Five men who cannot move with some hand: the square set, and the deals by the attacker's hand.
#[derive(Default)]
struct Stuck {
    attackers: Vec<(u32, Word)>,
    defenders: Vec<(u32, Word)>,
}

impl Deals {
    /// Those of five cards.
    pub fn new(cards: CardSet) -> Self {
        let five: Vec<Card> = cards.iter().collect();
        assert_eq!(five.len(), 5, "a game has five cards");
        let moves = std::array::from_fn(|from| {
            std::array::from_fn(|to| {
                let goes = |card: &Card| card.offsets().iter().any(|&step| landing(from, step) == Some(to));
                five.iter().enumerate().filter(|(_, card)| goes(card)).fold(0, |set, (i, _)| set | 1 << i)
            })
        });
        let word = |which: &dyn Fn(Deal) -> bool, bit: fn(Deal) -> u32| {
            deals().filter(|&deal| which(deal)).fold(0, |word, deal| word | 1 << bit(deal))
        };
        let with =
            |bit: fn(Deal) -> u32, number: u32| deals().find(|&deal| bit(deal) == number).expect("a deal");
        let mirrored = |hand: u32| {
            let of = |i: usize| five.iter().position(|card| *card == five[i].mirror()).expect("closed");
            (0..5).filter(|i| hand >> i & 1 != 0).fold(0, |set, i| set | 1 << of(i))
        };
        let before_attack = |number: u32| {
            let (deal, after) = (with(Deal::by_defender, number), 1 << number);
            let before = deals().filter(|before| {
                before.defender == deal.defender && either(after) >> before.by_defender() & 1 != 0
            });
            before.fold(0, |word, deal| word | 1 << deal.by_attacker())
        };
        let own_mirror_image = cards.mirror() == cards;
        Self {
            moves,
            before_attack: Rearrangement::new(before_attack),
            by_defender: Rearrangement::new(|number| 1 << with(Deal::by_attacker, number).by_defender()),
            attacker_has: std::array::from_fn(|set| {
                word(&|deal| deal.attacker & set as u32 != 0, Deal::by_attacker)
            }),
            beside: std::array::from_fn(|set| {
                word(&|deal| deal.side_card() & set as u32 != 0, Deal::by_attacker)
            }),
            beside_by_defender: std::array::from_fn(|set| {
                word(&|deal| deal.side_card() & set as u32 != 0, Deal::by_defender)
            }),
            mirror: own_mirror_image.then(|| {
                Rearrangement::new(|number| {
                    let deal = with(Deal::by_attacker, number);
                    let (attacker, defender) = (mirrored(deal.attacker), mirrored(deal.defender));
                    1 << Deal { attacker, defender }.by_attacker()
                })
            }),
            stuck: OnceLock::new(),
            numbered: [true, false].map(|attacks| {
                let mut deals: Vec<Deal> = deals().collect();
                let mover = |deal: &Deal| if attacks { deal.attacker } else { deal.defender };
                let opponent = |deal: &Deal| if attacks { deal.defender } else { deal.attacker };
                deals.sort_by_key(|deal| (mover(deal), opponent(deal)));
                std::array::from_fn(|number| deals[number].by_attacker() as u8)
            }),
        }
    }

    /// The cards by which the attacker gets from one square to another.
    #[inline]
    pub fn attacks(&self, from: usize, to: usize) -> usize {
        self.moves[from][to].into()
    }

    /// The cards by which the defender does: his way is the attacker's back.
    #[inline]
    pub fn defends(&self, from: usize, to: usize) -> usize {
        self.moves[to][from].into()
    }

    /// Deals in which the attacker has one of these cards.
    #[inline]
    pub fn attacker_has(&self, cards: usize) -> Word {
        self.attacker_has[cards]
    }

    /// Deals in which one of these cards was just used, by the attacker's hand.
    #[inline]
    pub fn beside(&self, cards: usize) -> Word {
        self.beside[cards]
    }

    /// The same by the defender's hand.
    #[inline]
    pub fn beside_by_defender(&self, cards: usize) -> Word {
        self.beside_by_defender[cards]
    }

    /// The deals before a move of the attacker that led to one of these (by the defender's hand); by the attacker's hand.
    #[inline]
    pub fn before_attack(&self, after: Word) -> Word {
        self.before_attack.of(after)
    }

    /// From by the attacker's hand to by the defender's.
    #[inline]
    pub fn by_defender(&self, word: Word) -> Word {
        self.by_defender.of(word)
    }

    /// The word with left and right exchanged, if the card set is its own mirror image.
    pub fn mirror(&self) -> Option<&Rearrangement> {
        self.mirror.as_deref()
    }

    /// Is the row of these men kept, or does its mirror image stand for it?
    #[inline]
    pub fn keeps(&self, men: u32) -> bool {
        self.mirror.is_none() || men <= mirror::set(men)
    }

    /// Deals in which the attacker cannot move any of these men.
    pub fn stuck_attacker(&self, men: u32) -> Word {
        find_stuck(&self.stuck().attackers, men)
    }

    /// Deals in which the defender cannot.
    #[inline]
    pub fn stuck_defender(&self, men: u32) -> Word {
        find_stuck(&self.stuck().defenders, men)
    }

    fn stuck(&self) -> &Stuck {
        self.stuck.get_or_init(|| Stuck::new(&self.moves))
    }

    /// The bit of each deal as the game numbers them, by the attacker's hand; for the attacker or the defender to move.
    pub fn numbered(&self, attacker_moves: bool) -> &[u8; 30] {
        &self.numbered[usize::from(!attacker_moves)]
    }
}

fn find_stuck(known: &[(u32, Word)], men: u32) -> Word {
    known.iter().filter(|(set, _)| *set == men).fold(0, |word, (_, deals)| word | deals)
}

fn landing(from: usize, (dx, dy): (i8, i8)) -> Option<usize> {
    let (x, y) = (from as i32 % 5 + i32::from(dx), from as i32 / 5 + i32::from(dy));
    ((0..5).contains(&x) && (0..5).contains(&y)).then_some((5 * y + x) as usize)
}

impl Stuck {
    /// Only five men can be stuck: fewer always find a free square.
    fn new(moves: &[[u8; 25]; 25]) -> Self {
        let mut stuck = Self::default();
        let deals_with = |hand: u32, attacks: bool| {
            let holds = |deal: &Deal| if attacks { deal.attacker == hand } else { deal.defender == hand };
            deals().filter(holds).fold(0, |word, deal| word | 1 << deal.by_attacker())
        };
        // The squares that each card reaches from a square, for both players.
        let reach: [[[u32; 25]; 5]; 2] = [true, false].map(|attacks| {
            std::array::from_fn(|card| {
                std::array::from_fn(|from| {
                    let goes = |to: &usize| {
                        let cards = if attacks { moves[from][*to] } else { moves[*to][from] };
                        cards >> card & 1 != 0
                    };
                    (0..25).filter(goes).fold(0, |set, to| set | 1 << to)
                })
            })
        });
        for men in bits::subsets::all(25, 5).map(|set| set as u32) {
            for (reach, attacks) in reach.iter().zip([true, false]) {
                let moves_with =
                    |card: &usize| (0..25).any(|from| men >> from & 1 != 0 && reach[*card][from] & !men != 0);
                let idle = (0..5).filter(|card| !moves_with(card)).fold(0, |set, card| set | 1 << card);
                for hand in (0..32u32).filter(|hand| hand.count_ones() == 2 && hand & !idle == 0) {
                    let found = if attacks { &mut stuck.attackers } else { &mut stuck.defenders };
                    found.push((men, deals_with(hand, attacks)));
                }
            }
        }
        stuck
    }
}
