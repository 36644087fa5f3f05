//! Compares counts with published and independently computed ones. Sources: `fixtures/onitama/README.md`.

use endspiel_onitama::{Card, CardSet, Move, Onitama, Position, Setup, SetupFault, SquareSet};
use game::perft::{self, Counting};
use game::{BySide, Catalogue, Endgame, Game, Notation, Options, Position as _, Side, laws};
use std::collections::BTreeSet;

#[test]
fn perft_from_the_start() {
    let start = Onitama::default().start();
    let nodes = [1, 10, 130, 1_989, 28_509, 487_752, 7_746_995];
    let with_ended = [1, 10, 130, 1_989, 28_509, 487_780, 7_748_422];
    for depth in 0..nodes.len() {
        assert_eq!(perft::perft(&start, depth as u32), nodes[depth]);
        let ended = Counting { ended: true, ..Counting::default() };
        assert_eq!(perft::count(&start, depth as u32, ended).expect("a thread"), with_ended[depth]);
    }
}

#[test]
fn card_sets_up_to_mirror() {
    let sets: BTreeSet<CardSet> = Onitama::all_card_sets().collect();
    assert_eq!(sets.len(), 4_368);
    let classes: BTreeSet<CardSet> = sets.iter().map(|&set| set.min(set.mirror())).collect();
    assert_eq!(classes.len(), 2_348);
    assert_eq!(sets.iter().filter(|set| set.mirror() == **set).count(), 328);
}

/// The indices of all slices with at most this number of men, half of them on each side. Those of up to six men were also counted
/// by hand: sets of squares, masters and deals.
#[test]
fn indices_up_to_a_number_of_men() {
    let onitama = Onitama::default();
    let indices = |men: &str| -> u64 {
        onitama.select(men).expect("a number of men").into_iter().map(|slice| onitama.size(slice)).sum()
    };
    assert_eq!(["2", "4", "6"].map(indices), [18_000, 9_954_000, 1_166_670_000]);
    let ways = |n: u64, k: u64| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    let slices = (1..=3).flat_map(|mover| (1..=3).map(move |opponent| (mover, opponent)));
    let by_hand = |(mover, opponent)| ways(25, mover) * ways(25 - mover, opponent) * mover * opponent * 30;
    assert_eq!(slices.map(by_hand).sum::<u64>(), 1_166_670_000);
}

/// The thirty deals of five cards: the hands of the side to move and the opponent, and the card beside the board.
fn deals(cards: CardSet) -> Vec<(BySide<CardSet>, Card)> {
    let cards: Vec<Card> = cards.iter().collect();
    let mut deals = Vec::new();
    for &side_card in &cards {
        let rest: Vec<Card> = cards.iter().copied().filter(|&card| card != side_card).collect();
        for subset in bits::subsets::all(4, 2) {
            let (mine, yours): (Vec<_>, Vec<_>) = (0..4).partition(|&i| subset >> i & 1 == 1);
            let hand = |held: Vec<usize>| held.into_iter().map(|i| rest[i]).collect();
            deals.push((BySide { first: hand(mine), second: hand(yours) }, side_card));
        }
    }
    assert_eq!(deals.len(), 30);
    deals
}

/// Visits all legal unfinished positions with Blue to move and these numbers of men, over all deals of the cards.
fn for_each_position(cards: CardSet, men: BySide<u32>, mut visit: impl FnMut(Position)) {
    let deals = deals(cards);
    for first in bits::subsets::all(25, men.first) {
        for second in bits::subsets::all(25, men.second).filter(|second| second & first == 0) {
            let sets = BySide { first: first as u32, second: second as u32 }.map(SquareSet::from_word);
            for blue_master in sets.first {
                for red_master in sets.second {
                    let masters = BySide { first: blue_master, second: red_master }.map(SquareSet::from);
                    let students = BySide::from_fn(|side| sets[side] & !masters[side]);
                    for &(hands, side_card) in &deals {
                        let setup = Setup { students, masters, hands, side_card, turn: Side::First };
                        match Position::try_from(setup) {
                            Ok(position) if position.outcome().is_none() => visit(position),
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn wins_in_one_of_two_and_four_men() {
    for (most, valid, expected) in [(1, 16_590, 5_181), (2, 9_174_270, 3_787_692)] {
        let (mut positions, mut wins) = (0, 0);
        for first in 1..=most {
            for second in 1..=most {
                for_each_position(Onitama::default().cards(), BySide { first, second }, |position| {
                    positions += 1;
                    let mut wins_by_playing = false;
                    position.for_each_move(|m| {
                        let outcome = position.play_unchecked(m).outcome();
                        wins_by_playing |= outcome.is_some_and(|outcome| outcome.winner == Some(Side::First));
                    });
                    assert_eq!(wins_by_playing, position.wins_in_one());
                    wins += u64::from(wins_by_playing);
                });
            }
        }
        assert_eq!((positions, wins), (valid, expected), "{most} men each");
    }
}

/// Finds all hands of two cards and sets of own men with which no man can move.
fn hands_without_a_step() -> Vec<(CardSet, SquareSet)> {
    let mut found = Vec::new();
    for (i, &a) in Card::ALL.iter().enumerate() {
        for &b in &Card::ALL[..i] {
            for size in 1..=5 {
                for men in bits::subsets::all(25, size).map(|word| SquareSet::from_word(word as u32)) {
                    let blocked =
                        |card: Card| men.iter().all(|from| (card.reach(Side::First, from) & !men).is_empty());
                    if blocked(a) && blocked(b) {
                        found.push((CardSet::of(a).with(b), men));
                    }
                }
            }
        }
    }
    found
}

/// Checks the laws of rules and symmetry in a position that random play does not reach.
fn keeps_the_laws(position: &Position) {
    laws::moves_agree(position);
    laws::text_returns(&Onitama::default(), position);
    laws::perft_agrees(position);
    laws::symmetry_keeps_moves(position);
    laws::symmetries_compose(position);
}

#[test]
fn five_hands_cannot_move_and_pass_with_a_swap() {
    let cases = hands_without_a_step();
    let names: BTreeSet<String> = cases.iter().map(|(hand, men)| format!("{hand} {men:?}")).collect();
    let expected = [
        "boar,crab {a5, b5, c5, d5, e5}",
        "boar,elephant {a5, b5, c5, d5, e5}",
        "crab,elephant {a5, b5, c5, d5, e5}",
        "horse,tiger {a1, a2, a3, a4, a5}",
        "ox,tiger {e1, e2, e3, e4, e5}",
    ];
    assert!(names.iter().eq(expected.iter()), "{names:?}");

    for (hand, men) in cases {
        for master in men.iter().filter(|master| master.to_string() != "c5") {
            let mut others = Card::ALL.into_iter().filter(|card| !hand.contains(*card));
            let mut next = || others.next().expect("fourteen other cards");
            let red_master = SquareSet::full().iter().find(|&s| !men.contains(s) && s.to_string() != "c1");
            let setup = Setup {
                students: BySide { first: men & !SquareSet::from(master), second: SquareSet::EMPTY },
                masters: BySide { first: master.into(), second: red_master.expect("a free square").into() },
                hands: BySide { first: hand, second: CardSet::of(next()).with(next()) },
                side_card: next(),
                turn: Side::First,
            };
            let position = Position::try_from(setup).expect("a legal position");
            let passes: Vec<Move> = hand.iter().map(|card| Move::Pass { card }).collect();
            assert_eq!(position.moves(), passes);
            keeps_the_laws(&position);
            for pass in passes {
                let next = position.play(pass).expect("a pass is legal here");
                assert_eq!(next.side_card(), pass.card());
                assert!(next.hand(Side::First).contains(setup.side_card), "the side card was taken");
                assert!(!next.hand(Side::First).contains(pass.card()));
                assert_eq!(next.hand(Side::Second), setup.hands.second);
                assert_eq!((next.men(Side::First), next.men(Side::Second)), (men, setup.masters.second));
                assert_eq!(next.turn(), Side::Second);
            }
        }
    }
}

#[test]
fn a_pass_is_illegal_where_a_man_can_move() {
    let onitama = Onitama::default();
    let start = onitama.start();
    assert!(start.play(Move::Pass { card: Card::Boar }).is_err());
    assert!(onitama.parse_move(&start, "boar:pass").is_err());
}

#[test]
fn men_beyond_the_board_are_refused() {
    let start = Onitama::default().start();
    let setup = Setup {
        students: BySide::from_fn(|side| start.men(side) & !start.master(side)),
        masters: BySide::from_fn(|side| start.master(side)),
        hands: BySide::from_fn(|side| start.hand(side)),
        side_card: start.side_card(),
        turn: start.turn(),
    };
    assert_eq!(Position::try_from(setup), Ok(start));
    for side in Side::ALL {
        for bit in 25..32 {
            let beyond = SquareSet::from_word(1 << bit);
            let mut students = setup;
            students.students[side] |= beyond;
            let mut masters = setup;
            masters.masters[side] = beyond;
            for wrong in [students, masters] {
                let faults = Position::try_from(wrong).expect_err("men beyond the board");
                assert!(faults.contains(&SetupFault::OffBoard { side }), "{wrong:?}: {faults}");
            }
        }
    }
}

/// The offsets and stamps of the cards equal those of an independent source.
#[test]
fn cards_equal_the_oracle() {
    let cards: serde_json::Value = fixtures::json("onitama/cards.json");
    let cards = cards["cards"].as_object().expect("cards");
    assert_eq!(cards.len(), 16);
    for (name, facts) in cards {
        let card: Card = name.parse().expect("a card of ours");
        let stamp = if facts["stamp_litama"] == "blue" { Side::First } else { Side::Second };
        assert_eq!(card.stamp(), stamp, "{card}");
        let ours: BTreeSet<(i64, i64)> = card.offsets().iter().map(|&(x, y)| (x.into(), y.into())).collect();
        let theirs: BTreeSet<(i64, i64)> = facts["moves_dx_dy"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|offset| (offset[0].as_i64().expect("dx"), offset[1].as_i64().expect("dy")))
            .collect();
        assert_eq!(ours, theirs, "{card}");
    }
}

/// Compares `perft` of other deals with the counts in the fixture, which an independent brute-force program made.
#[test]
fn perft_of_other_deals_equals_the_oracle() {
    let oracle: serde_json::Value = fixtures::json("onitama/cards.json");
    let rows = oracle["perft"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    let mut compared = 0;
    for row in rows {
        let names = |key: &str| {
            let list = row[key].as_array().expect("a hand");
            list.iter().map(|name| name.as_str().expect("a name").to_owned()).collect::<Vec<_>>().join(",")
        };
        let (mover, opponent, side) =
            (names("mover"), names("opponent"), row["side"].as_str().expect("a card"));
        let text = format!("1121100000000000000033433 b {mover} {opponent} {side}");
        let start = Onitama::default().parse_position(&text).expect(&text);
        for (i, nodes) in row["nodes"].as_array().expect("counts").iter().enumerate() {
            let ended = row["convention"] != "only leaves at the exact depth count";
            let counting = Counting { ended, ..Counting::default() };
            assert_eq!(
                perft::count(&start, i as u32 + 1, counting).expect("a thread"),
                nodes.as_u64().expect("a count"),
                "{text}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 15);
}

#[test]
fn options_name_five_cards() {
    let game = |cards: &str| {
        let mut options = Options::default();
        options.set(&endspiel_onitama::CARDS, cards.to_owned());
        Onitama::new(&options).map(|game| game.rules_id()).map_err(|error| error.to_string())
    };
    assert_eq!(game("tiger,crab, boar,ox,eel"), Ok("boar-crab-eel-ox-tiger".to_owned()));
    assert_eq!(
        game("tiger,crab,bear,ox,eel"),
        Err("there is no card `bear`; the cards are boar, cobra, crab, crane, dragon, eel, elephant, frog, goose, \
             horse, mantis, monkey, ox, rabbit, rooster, tiger"
            .to_owned())
    );
    assert_eq!(
        game("ox,crab,boar,ox,eel"),
        Err("the card `ox` is named twice; there is one of each".to_owned())
    );
    assert_eq!(
        game("ox,crab"),
        Err("`ox,crab` names 2 cards; a game takes five, such as boar,ox,elephant,horse,crab".to_owned())
    );
}
