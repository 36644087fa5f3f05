//! The thirty deals of five cards as the bits of one word.
//!
//! In an attack one player, the *attacker*, wants to win. The other player, the *defender*, wants not to lose. A deal says
//! which cards they hold. It does not depend on the side to move.
//!
//! A player who uses a card exchanges it with the card beside the board. The other player's hand does not change. So the
//! deals form ten triples with the same hand of the attacker, and a move of the defender stays within a triple: with card
//! `x` beside the board, the defender holds the two other cards of the triple, `y` and `z`, and puts one of them beside the
//! board.
//!
//! A word *by the attacker's hand* has three planes of ten bits. There is one plane for each place that the card beside the
//! board can have among the three cards of a triple. So the defender's choice of a card is a rotation of the word by one or
//! by two planes. For moves of the attacker the same holds for words *by the defender's hand*. A table converts one order
//! into the other.

use super::mirror;
use onitama::{Card, CardSet};
use std::sync::OnceLock;

/// A bit for each deal.
pub type Word = u32;

/// The word with the bits of all deals.
pub const ALL: Word = (1 << 30) - 1;

const PLANE: u32 = 10;

/// The word rotated by one plane: each deal gets the bit of the next deal of its triple.
#[inline]
pub fn next(word: Word) -> Word {
    word >> PLANE | word << (2 * PLANE) & ALL
}

/// The word rotated by two planes: each deal gets the bit of the deal after the next in its triple.
#[inline]
pub fn after_next(word: Word) -> Word {
    word >> (2 * PLANE) | word << PLANE & ALL
}

/// The deals before a move for which the bit is set after each of the two cards that can be played.
#[inline]
pub fn both(word: Word) -> Word {
    next(word) & after_next(word)
}

/// The deals before a move for which the bit is set after at least one of the two cards that can be played.
#[inline]
fn either(word: Word) -> Word {
    next(word) | after_next(word)
}

/// A rearrangement of the bits of a word, with a lookup table for each plane.
#[derive(Clone)]
pub struct Rearrangement([[Word; 1 << PLANE]; 3]);

impl Rearrangement {
    /// Makes the tables from the image of each bit. The image of a word is the union of the images of its bits.
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

/// The hands of both players, as bits among the five cards.
#[derive(Clone, Copy)]
struct Deal {
    attacker: u32,
    defender: u32,
}

impl Deal {
    fn side_card(self) -> u32 {
        !(self.attacker | self.defender) & 0b11111
    }

    /// The bit of the deal in words by the attacker's hand.
    fn by_attacker(self) -> u32 {
        bit(self.attacker, self.side_card())
    }

    /// The bit of the deal in words by the defender's hand.
    fn by_defender(self) -> u32 {
        bit(self.defender, self.side_card())
    }
}

/// The bit of a deal by this hand. Hands of two cards are numbered in the order of their bits. The plane is the place of the
/// card beside the board among the three cards that are not in the hand.
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

/// The tables of a card set: the cards for each move, and operations on words.
pub struct Deals {
    /// `moves[from][to]`: the cards, as bits among the five, with which the attacker moves so. The defender moves from `to`
    /// to `from` with the same cards.
    moves: [[u8; 25]; 25],
    /// Converts words by the defender's hand, after the attacker's move, to words by the attacker's hand, before the move.
    before_attack: Box<Rearrangement>,
    /// Converts words by the attacker's hand to words by the defender's hand.
    by_defender: Box<Rearrangement>,
    /// For each set of cards: the deals with one of them in the attacker's hand, by the attacker's hand.
    attacker_has: [Word; 32],
    /// For each set of cards: the deals with one of them beside the board, by the attacker's hand.
    beside: [Word; 32],
    /// For each set of cards: the deals with one of them beside the board, by the defender's hand.
    beside_by_defender: [Word; 32],
    /// Exchanges left and right, by the attacker's hand, if the card set is its own mirror image.
    mirror: Option<Box<Rearrangement>>,
    /// Computed when it is first needed: only attacks with five men on a side need it.
    stuck: OnceLock<Stuck>,
    /// The bit, by the attacker's hand, of each deal in the game's numbering: with the attacker or the defender to move.
    numbered: [[u8; 30]; 2],
}

/// Sets of five men that cannot move with some hand: the squares, and the deals with this hand by the attacker's hand.
#[derive(Default)]
struct Stuck {
    attackers: Vec<(u32, Word)>,
    defenders: Vec<(u32, Word)>,
}

impl Deals {
    /// The tables of five cards.
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

    /// The cards with which the attacker moves from one square to another.
    #[inline]
    pub fn attacks(&self, from: usize, to: usize) -> usize {
        self.moves[from][to].into()
    }

    /// The cards with which the defender moves from one square to another. They are the attacker's cards for the way back.
    #[inline]
    pub fn defends(&self, from: usize, to: usize) -> usize {
        self.moves[to][from].into()
    }

    /// The deals in which the attacker has one of these cards.
    #[inline]
    pub fn attacker_has(&self, cards: usize) -> Word {
        self.attacker_has[cards]
    }

    /// The deals in which one of these cards was just used, so that it is beside the board. By the attacker's hand.
    #[inline]
    pub fn beside(&self, cards: usize) -> Word {
        self.beside[cards]
    }

    /// The deals in which one of these cards was just used, so that it is beside the board. By the defender's hand.
    #[inline]
    pub fn beside_by_defender(&self, cards: usize) -> Word {
        self.beside_by_defender[cards]
    }

    /// The deals, by the attacker's hand, from which a move of the attacker leads to one of `after`, by the defender's hand.
    #[inline]
    pub fn before_attack(&self, after: Word) -> Word {
        self.before_attack.of(after)
    }

    /// Converts a word by the attacker's hand to a word by the defender's hand.
    #[inline]
    pub fn by_defender(&self, word: Word) -> Word {
        self.by_defender.of(word)
    }

    /// The exchange of left and right for words. `None` if the card set is not its own mirror image.
    pub fn mirror(&self) -> Option<&Rearrangement> {
        self.mirror.as_deref()
    }

    /// Returns whether the row of these men is kept. Otherwise its mirror image stands for it.
    #[inline]
    pub fn keeps(&self, men: u32) -> bool {
        self.mirror.is_none() || men <= mirror::set(men)
    }

    /// The deals in which the attacker cannot move any of these men.
    pub fn stuck_attacker(&self, men: u32) -> Word {
        find_stuck(&self.stuck().attackers, men)
    }

    /// The deals in which the defender cannot move any of these men.
    #[inline]
    pub fn stuck_defender(&self, men: u32) -> Word {
        find_stuck(&self.stuck().defenders, men)
    }

    fn stuck(&self) -> &Stuck {
        self.stuck.get_or_init(|| Stuck::new(&self.moves))
    }

    /// The bit of each deal, by the attacker's hand, in the order of the game's numbering. The numbering depends on whether
    /// the attacker or the defender is to move.
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
    /// Finds all sets of men that are stuck. Only sets of five men can be: fewer men always have a step.
    fn new(moves: &[[u8; 25]; 25]) -> Self {
        let mut stuck = Self::default();
        let deals_with = |hand: u32, attacks: bool| {
            let holds = |deal: &Deal| if attacks { deal.attacker == hand } else { deal.defender == hand };
            deals().filter(holds).fold(0, |word, deal| word | 1 << deal.by_attacker())
        };
        // The squares that each card reaches from each square, for both players.
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
