//! The game: five cards and how they are dealt.

use crate::grid::{Square, SquareSet, home_rank, temple};
use crate::setup::Setup;
use crate::{Card, CardError, CardSet, Position};
use game::{BySide, Capabilities, DistanceUnit, Game, GameOption, Info, Options, Repetition, Side};

/// A game of Onitama with five cards and their deal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Onitama {
    /// Two cards for Blue, two for Red, one beside the board.
    deal: [Card; 5],
    /// All five cards.
    cards: CardSet,
    /// The cards of the tables: the same five or their mirror images.
    table_cards: CardSet,
}

/// The option that names the five cards.
pub const CARDS: GameOption = GameOption {
    name: "cards",
    value: "FIVE CARDS",
    help: "The five cards as dealt: two for Blue, two for Red, one beside the board, whose stamp says who starts",
    proposed: &["boar,ox,elephant,horse,crab", "tiger,crab,crane,mantis,boar"],
    default: "boar,ox,elephant,horse,crab",
};

impl Onitama {
    /// The game with these cards: two for Blue, two for Red, one beside the board.
    ///
    /// # Errors
    /// Returns an error if a card is named twice.
    pub fn with_deal(deal: [Card; 5]) -> Result<Self, CardError> {
        match deal.iter().enumerate().find(|&(i, card)| deal[..i].contains(card)) {
            Some((_, &card)) => Err(CardError::Repeated { card }),
            None => Ok(Self::of_different_cards(deal)),
        }
    }

    fn of_different_cards(deal: [Card; 5]) -> Self {
        let cards: CardSet = deal.into_iter().collect();
        Self { deal, cards, table_cards: cards.min(cards.mirror()) }
    }

    /// The game with the cards of this position, dealt as they are in the position.
    pub(crate) fn dealt_as(position: &Position) -> Self {
        let mut cards = Side::ALL.into_iter().flat_map(|side| position.hand(side).iter());
        let mut next = || cards.next().expect("a position has two cards in each hand");
        Self::of_different_cards([next(), next(), next(), next(), position.side_card()])
    }

    /// The five cards.
    #[inline]
    pub fn cards(&self) -> CardSet {
        self.cards
    }

    /// The cards of the tables that hold this game's positions. A card set and its mirror image share the tables of the one
    /// whose name comes first.
    #[inline]
    pub fn table_cards(&self) -> CardSet {
        self.table_cards
    }

    pub(crate) fn rules_id_of(cards: CardSet) -> String {
        cards.iter().map(Card::name).collect::<Vec<_>>().join("-")
    }

    /// All 4,368 sets of five cards.
    pub fn all_card_sets() -> impl Iterator<Item = CardSet> {
        bits::subsets::all(16, 5)
            .map(|subset| Card::ALL.into_iter().filter(|&c| subset >> c as u8 & 1 == 1).collect())
    }
}

impl Default for Onitama {
    fn default() -> Self {
        Self::of_different_cards([Card::Boar, Card::Ox, Card::Elephant, Card::Horse, Card::Crab])
    }
}

impl Game for Onitama {
    type Position = Position;
    type OptionError = CardError;

    const INFO: Info = Info {
        name: "onitama",
        title: "Onitama",
        summary: "two masters with their students on 5 × 5 squares; five cards, passed from hand to hand, say how they move",
        sides: BySide { first: "blue", second: "red" },
        options: &[CARDS],
        position_format: "25 digits from a1, b1 … to e5 (0 empty, 1 and 2 Blue's students and master, 3 and 4 Red's), \
                          the side to move (b or r), Blue's cards, Red's cards, the card beside the board",
        move_format: "as the card and two squares, such as boar:a1a2, or boar:pass where no man can move",
        ends: &[],
        rules: include_str!("rules.txt"),
        example_position: "1020100001010000030033400 b boar,ox elephant,horse crab",
        example_endgame: "4300000000000020010000000 b boar,crab elephant,horse ox",
        example_move: "boar:b3b4",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition::ALLOWED,
            most_moves: 40,
            bench_depth: 7,
        },
    };

    fn new(options: &Options) -> Result<Self, CardError> {
        let text = options.get(&CARDS);
        let cards = text.split(',').map(|name| name.trim().parse()).collect::<Result<Vec<Card>, _>>()?;
        let found = cards.len();
        let deal = cards.try_into().map_err(|_| CardError::NotFive { text: text.to_owned(), found })?;
        Self::with_deal(deal)
    }

    /// The start position: all men on their home rank, the cards as dealt. The stamp of the card beside the board says which
    /// side starts.
    fn start(&self) -> Position {
        let [blue_1, blue_2, red_1, red_2, side_card] = self.deal;
        let at_home =
            |side| Square::all().filter(|square| square.rank() == home_rank(side)).collect::<SquareSet>();
        let masters = BySide::from_fn(|side| SquareSet::from(temple(side)));
        let setup = Setup {
            students: BySide::from_fn(|side| at_home(side) & !masters[side]),
            masters,
            hands: BySide { first: CardSet::of(blue_1).with(blue_2), second: CardSet::of(red_1).with(red_2) },
            side_card,
            turn: side_card.stamp(),
        };
        Position::try_from(setup).expect("five different cards and all men at home are legal")
    }

    fn rules_id(&self) -> String {
        Self::rules_id_of(self.cards)
    }
}

/// The letter of a side in a position's text.
pub(crate) const fn letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'r',
    }
}
