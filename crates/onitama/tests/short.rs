//! Compares the short numbering with walks over whole rows. The walks find wins at once with the moves of the rules.

use bits::subsets;
use endspiel_onitama::{Card, CardSet, Onitama, Position, Setup, Slice, SquareSet};
use game::{BySide, Endgame, Game, Index, Location, Metric, Position as _, Rng, ShortNumbering, Side};
use std::collections::HashMap;

fn onitama(cards: &str) -> Onitama {
    let cards: Vec<Card> = cards.split(',').map(|name| name.parse().unwrap()).collect();
    Onitama::with_deal(cards.try_into().unwrap()).unwrap()
}

/// Three card sets: one that is its own mirror image, one that is not, and one that uses the tables of its mirror image.
fn games() -> [Onitama; 3] {
    let games =
        ["boar,ox,elephant,horse,crab", "crab,dragon,elephant,goose,horse", "tiger,rabbit,ox,monkey,mantis"];
    let games = games.map(onitama);
    let is = |game: &Onitama| (game.cards().mirror() == game.cards(), game.cards() == game.table_cards());
    assert_eq!(games.map(|game| is(&game)), [(true, true), (false, true), (false, false)]);
    games
}

/// The deals in the order of the short numbering: the hands, and the card beside the board.
fn deals(cards: CardSet) -> Vec<(BySide<CardSet>, Card)> {
    let five: Vec<Card> = cards.iter().collect();
    let mut deals = Vec::new();
    for place in 0..3 {
        // Hands in the order of their bits.
        for second in 0..5 {
            for first in 0..second {
                let held = CardSet::of(five[first]).with(five[second]);
                let others: Vec<Card> = five.iter().copied().filter(|&card| !held.contains(card)).collect();
                let side_card = others[place];
                let theirs = others.into_iter().filter(|&card| card != side_card).collect();
                deals.push((BySide { first: held, second: theirs }, side_card));
            }
        }
    }
    deals
}

/// Visits all positions of a row in order, with Blue to move. Visits `None` if a master is on its goal.
fn positions_of_row(cards: CardSet, men: SquareSet, opponents: u32, mut visit: impl FnMut(Option<Position>)) {
    let free: Vec<_> = (!men).iter().collect();
    let deals = deals(cards);
    for placement in subsets::all(25 - men.len(), opponents) {
        let theirs: SquareSet =
            (0..free.len()).filter(|i| placement >> i & 1 != 0).map(|i| free[i]).collect();
        for their_master in theirs {
            for our_master in men {
                let masters = BySide { first: SquareSet::from(our_master), second: their_master.into() };
                for &(hands, side_card) in &deals {
                    let setup = Setup {
                        students: BySide { first: men & !masters.first, second: theirs & !masters.second },
                        masters,
                        hands,
                        side_card,
                        turn: Side::First,
                    };
                    let position = Position::try_from(setup).ok();
                    visit(position.filter(|position| position.outcome().is_none()));
                }
            }
        }
    }
}

fn wins_at_once(position: &Position) -> bool {
    position.moves().into_iter().any(|m| position.play_unchecked(m).outcome().is_some())
}

fn short_index(onitama: &Onitama, slice: Slice, position: &Position) -> Option<Index> {
    match onitama.locate(position) {
        Location::At(found, index) if found == slice => onitama.short_index(slice, index),
        location => panic!("{location:?}"),
    }
}

/// Checks that a row has its open positions in order and is filled up to a multiple of 64.
fn row_is_in_order(onitama: &Onitama, slice: Slice, rank: usize, men: SquareSet, opponents: u32) {
    let cards = onitama.table_cards();
    let (folded, turned) = (cards.mirror() == cards, onitama.cards() != cards);
    let starts = onitama.short_row_starts(slice);
    let mut next = starts[rank];
    let is_there = !(folded && men.mirrored().word() < men.word());
    positions_of_row(cards, men, opponents, |position| {
        let Some(position) = position else { return };
        let asked = if turned { position.mirror() } else { position };
        let found = short_index(onitama, slice, &asked);
        assert_eq!(found, short_index(onitama, slice, &asked.rotate()), "seen by the mover");
        assert_eq!(found.is_none(), wins_at_once(&position), "{position:?}");
        match found {
            None => {}
            Some(found) if is_there => {
                assert_eq!(found, Index(next), "{position:?}");
                next += 1;
            }
            Some(found) => assert_eq!(Some(found), short_index(onitama, slice, &position.mirror())),
        }
    });
    assert_eq!(starts[rank + 1], next.next_multiple_of(64), "{slice}, row {rank}");
}

fn some_rows(mover: u32, opponents: u32, step: usize) {
    let slice = Slice::new(mover, opponents).unwrap();
    for onitama in games() {
        let rows: Vec<u64> = subsets::all(25, mover).collect();
        for (rank, &men) in rows.iter().enumerate().step_by(step) {
            row_is_in_order(&onitama, slice, rank, SquareSet::from_word(men as u32), opponents);
        }
    }
}

#[test]
fn four_against_one() {
    some_rows(4, 1, 101);
}

#[test]
fn five_against_one() {
    some_rows(5, 1, 997);
}

#[test]
fn one_against_four() {
    // The two rows: a man in the corner, and a man on the square before the goal.
    some_rows(1, 4, 17);
}

#[test]
fn only_large_tables_without_distances_are_short() {
    for onitama in games() {
        for slice in onitama.groups().concat() {
            for metric in Metric::ALL {
                let numbering = onitama.numbering(slice, metric);
                let large = slice.to_string().contains(['4', '5']);
                if large && metric == Metric::Wdl {
                    assert_eq!(numbering.name, "men-open-deals-1");
                    assert_eq!(Some(&numbering.entries), onitama.short_row_starts(slice).last());
                    assert!(numbering.entries < onitama.size(slice));
                } else {
                    assert_eq!((numbering.name, numbering.entries), (Onitama::INDEX, onitama.size(slice)));
                }
            }
        }
    }
}

/// A position that does not win at once has a number of its own. Its mirror image shares the number if the card set is its
/// own mirror image.
#[test]
fn positions_have_numbers_of_their_own() {
    let mut rng = Rng::new(1);
    let mut checked = 0;
    for onitama in games() {
        let folded = onitama.cards().mirror() == onitama.cards();
        for slice in
            onitama.groups().concat().into_iter().filter(|slice| slice.to_string().contains(['4', '5']))
        {
            let numbering = onitama.numbering(slice, Metric::Wdl);
            let mut seen = HashMap::new();
            // Consecutive indices from a random place, so that short numbers have a chance to collide.
            for _ in 0..10 {
                let first = rng.below(onitama.size(slice) - 1000);
                for index in (first..first + 1000).map(Index) {
                    let Some(position) = onitama.unrank(slice, index) else { continue };
                    let short = onitama.short_index(slice, index);
                    assert_eq!(short.is_none(), position.wins_in_one(), "{position:?}");
                    let Some(short) = short else { continue };
                    checked += 1;
                    assert!(short.0 < numbering.entries);
                    let class = if folded { position.min(position.mirror()) } else { position };
                    if let Some(other) = seen.insert(short, class) {
                        assert_eq!(other, class, "{short:?}");
                    }
                    // A row that is its own mirror image contains both positions.
                    if folded && position.men(Side::First) != position.men(Side::First).mirrored() {
                        assert_eq!(short_index(&onitama, slice, &position.mirror()), Some(short));
                    }
                }
            }
        }
    }
    assert!(checked > 100_000, "only {checked} positions are not won in one move");
}

/// A card set and its mirror image share their tables.
#[test]
fn mirrored_games_share_their_numbers() {
    let [_, _, turned] = games();
    let straight = onitama("tiger,frog,horse,monkey,mantis");
    assert_eq!(straight.table_rules_id(), turned.table_rules_id());
    let (position, _) = game::playout(&turned.start(), 6, &mut Rng::new(3));
    let Location::At(slice, index) = turned.locate(&position) else { panic!("{position:?} is over") };
    assert_eq!(straight.locate(&position.mirror()), Location::At(slice, index));
    assert_eq!(straight.short_index(slice, index), turned.short_index(slice, index));
}
