//! Texts of positions and moves are read back as the same, and agree with GNU Backgammon.

use endspiel_backgammon::{
    Backgammon, Cube, Dice, Doublings, Move, Opening, Phase, Position, Roll, Score, Stakes, Start, Terms,
};
use game::{BySide, Game, MoveFault, Notation, Position as _, Rng, Side, laws};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashSet;

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().expect("a text")
}

fn number(row: &Value, field: &str) -> u64 {
    row[field].as_u64().expect("a number")
}

/// The checkers of a row. The fixtures list them from the ace point to the bar.
fn counts(row: &Value) -> [u8; 25] {
    let mut counts: Vec<u8> = serde_json::from_value(row.clone()).expect("counts");
    counts.reverse();
    counts.try_into().expect("25 places")
}

#[test]
fn position_ids_are_those_of_gnu_backgammon() {
    let game = Backgammon::default();
    let mut seen = 0;
    for row in fixtures::rows::<Value>("backgammon/posid.jsonl.gz") {
        let id = text(&row, "id");
        let position = game.parse_position(id).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(position.board().counts(Side::First), counts(&row["roll"]), "{id}");
        assert_eq!(position.board().counts(Side::Second), counts(&row["opp"]), "{id}");
        assert_eq!(position.board().position_id(Side::First), id);
        assert_eq!(position.turned().board().position_id(Side::Second), id);
        assert_eq!(position.won().is_some(), number(&row, "class") == 0, "{id}");
        laws::text_returns(&game, &position);
        seen += 1;
    }
    assert_eq!(seen, 2_500);
}

/// The short text is read as the same position. Only a position ID may exchange the colours, and a cube or a score is never lost.
#[test]
fn short_texts_lose_nothing() {
    let option = |words: &[(&game::GameOption, &str)]| {
        let mut options = game::Options::default();
        words.iter().for_each(|(option, value)| options.set(option, (*value).to_owned()));
        Backgammon::new(&options).expect("options")
    };
    use endspiel_backgammon::{CUBE, MATCH, OPENING, VARIANT};
    let games = [
        option(&[]),
        option(&[(&CUBE, "on")]),
        option(&[(&MATCH, "3"), (&OPENING, "real")]),
        option(&[(&VARIANT, "hyper2"), (&CUBE, "4")]),
    ];
    let (mut rng, mut ids) = (Rng::new(1), 0);
    for asked in games {
        for (played, plies) in games.iter().flat_map(|played| (0..100).map(move |plies| (played, plies))) {
            let (position, _) = game::playout(&played.start(), plies, &mut rng);
            let Some(next) = position.moves().first().map(|&m| position.play_unchecked(m)) else { continue };
            let text = asked.short_text(&next);
            let is_id = !text.contains(':');
            ids += u32::from(is_id);
            // The options of the game that reads decide what an XGID does not say, so that only its own positions return.
            if is_id || asked == *played {
                let read = asked.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(read == next || is_id && read == next.turned(), "{text}: {read:?}, {next:?}");
            }
        }
    }
    assert!((50..400).contains(&ids), "{ids}");
}

#[test]
fn xgids_and_match_ids_are_those_of_gnu_backgammon() {
    let game = Backgammon::default();
    let mut seen = 0;
    for row in fixtures::rows::<Value>("backgammon/xgid.jsonl.gz") {
        let (xgid, id) = (text(&row, "xgid"), text(&row, "gnubgid"));
        let read = |text: &str| game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let position = read(xgid);
        assert_eq!(position.gnubg_id(), id, "{xgid}");
        // In the ID, the player on roll is player 1.
        let expected = if position.turn() == Side::First { position } else { position.turned() };
        assert_eq!(read(id), expected, "{xgid}");
        assert_eq!(u64::from(position.cube().value()), number(&row, "cube"));
        let dice = &row["posinfo"]["dice"];
        let dice = dice.as_array().expect("dice").iter().map(|die| die.as_u64().expect("a die") as u8);
        assert_eq!(
            position.roll().map_or(vec![0, 0], |roll| vec![roll.high(), roll.low()]),
            dice.collect::<Vec<_>>()
        );
        let score = expected.terms().stakes.score().copied();
        let points = |side| score.map_or(0, |score| u64::from(score.points(side)));
        assert_eq!(row["score"], serde_json::json!([points(Side::Second), points(Side::First)]), "{xgid}");
        assert_eq!(score.map_or(0, |score| u64::from(score.length())), number(&row, "matchto"), "{xgid}");
        laws::text_returns(&game, &position);
        // The text is printed as it was read, except for the order of the dice and the Crawford rule in matches to
        // one point.
        let mut fields: Vec<String> = xgid.split(':').map(str::to_owned).collect();
        if let Some(roll) = position.roll() {
            fields[4] = roll.to_string();
        }
        if fields[8] == "1" {
            fields[7] = "0".to_owned();
        }
        assert_eq!(game.position_text(&position), fields.join(":"));
        seen += 1;
    }
    assert_eq!(seen, 696);
}

#[test]
fn whole_games_are_read_and_written_as_gnu_backgammon_does() {
    let game = Backgammon::default();
    let (mut games, mut moves, mut different) = (0, 0, Vec::new());
    for row in fixtures::rows::<Value>("backgammon/games.jsonl.gz") {
        let side = |field| if number(&row, field) == 1 { Side::First } else { Side::Second };
        let mut position = game.begin(side("first"));
        for played in row["moves"].as_array().expect("moves") {
            let (dice, text) =
                played.as_str().and_then(|played| played.split_once(':')).expect("dice and a move");
            let digit = |at: usize| dice.as_bytes()[at] - b'0';
            position = position.rolled(Roll::new(digit(0), digit(1)).expect("a roll"));
            let text = if text.is_empty() { "pass" } else { text };
            let m = game.parse_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
            let written = game.move_text(&position, m);
            if written != text {
                different.push(format!("{dice}: {text}, not {written}"));
            }
            position = position.play(m).expect("a move that was read is legal");
            moves += 1;
        }
        let (winner, _) = position.won().expect("a whole game");
        assert_eq!(winner, side("winner"));
        assert_eq!(position.points().map(u64::from), Some(number(&row, "points")));
        assert_eq!(position.board().position_id(position.turn()), text(&row, "final_id"));
        games += 1;
    }
    assert_eq!(games, 200);
    assert_eq!((moves, different), (14953, Vec::new()));
}

/// Backgammon with all options that change the texts.
fn games() -> Vec<Backgammon> {
    let money = |jacoby, with_cube, cube_limit| Terms {
        stakes: Stakes::Money { jacoby },
        with_cube,
        cube_limit,
        ..Terms::default()
    };
    let usual = Doublings::USUAL_LIMIT;
    let to = |length, points| {
        let score = Score::new(length, points, false).expect("a score");
        Terms { stakes: Stakes::Match(score), ..money(false, true, usual) }
    };
    let with = |terms| Backgammon { terms, ..Backgammon::default() };
    let crawford = Score::new(3, BySide { first: 0, second: 2 }, true).expect("a score");
    vec![
        Backgammon::default(),
        with(money(false, true, usual)),
        with(money(true, true, Doublings::to(4).expect("a power"))),
        with(to(7, BySide { first: 5, second: 2 })),
        with(to(1, BySide::default())),
        with(Terms { stakes: Stakes::Match(crawford), ..money(false, true, usual) }),
        Backgammon { opening: Opening::Real, ..with(money(false, true, Doublings::MOST)) },
        Backgammon { start: Start::Short, ..with(money(false, true, usual)) },
        with(Terms { dice: Dice::Doubles, ..money(false, true, usual) }),
    ]
}

/// Every position of a random game, including those that await a roll.
fn random_game(game: &Backgammon, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let first = if rng.below(2) == 0 { Side::First } else { Side::Second };
    let mut position = game.begin(first);
    let mut seen = vec![position];
    while position.outcome().is_none() {
        position = match position.awaits_roll() {
            true => position.rolled_by(&mut rng),
            false => {
                let moves = position.moves();
                // Doubles are offered rarely, since games with many doubles are short.
                let most =
                    if position.phase() == Phase::Double && rng.below(4) > 0 { 1 } else { moves.len() };
                position.play_unchecked(moves[rng.below(most as u64) as usize])
            }
        };
        seen.push(position);
    }
    seen
}

#[test]
fn texts_return() {
    for (at, game) in games().iter().enumerate() {
        let mut phases = HashSet::new();
        for seed in 0..12 {
            for position in random_game(game, seed * 100 + at as u64) {
                laws::text_returns(game, &position);
                phases.insert(std::mem::discriminant(&position.phase()));
            }
        }
        let has_cube = game.terms.with_cube && at != 4 && at != 5;
        assert_eq!(
            phases.len(),
            if has_cube { 5 } else { 2 } + usize::from(game.opening == Opening::Real),
            "{game:?}"
        );
    }
}

#[test]
fn an_id_returns_with_its_score() {
    for game in games() {
        for position in random_game(&game, 7) {
            let id = position.gnubg_id();
            let read = game.parse_position(&id);
            if position.outcome().is_some() {
                assert!(read.is_err_and(|error| error.to_string().contains("has ended")), "{id}");
                continue;
            }
            let read = read.unwrap_or_else(|error| panic!("{id}: {error}"));
            let is_turned = read.turn() != position.turn();
            let mut expected = if is_turned { position.turned() } else { position };
            if position.phase() == Phase::Roll && read.phase() == Phase::Double {
                // An ID does not say that a player decided not to double.
                expected = game
                    .parse_position(&game.position_text(&expected).replace(" roll", ""))
                    .expect("an XGID");
            }
            assert_eq!(read, expected, "{id}");
        }
    }
}

#[test]
fn what_a_text_does_not_say_comes_from_the_game() {
    let (plain, cubed) = (Backgammon::default(), games()[1]);
    let read = |game: &Backgammon, text: &str| {
        game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    const START: &str = "4HPwATDgc/ABMA";
    const LATER: &str = "sGfwATDgc/ABMA";
    for game in games().iter().filter(|game| game.start == Start::Standard) {
        assert_eq!(read(game, START), game.begin(Side::First));
    }
    for dice in ["31", "13", "3 1", "3-1", " 3,1 "] {
        for text in [START, "4HPwATDgc/ABMA:cAkAAAAAAAAE", "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"] {
            let position = read(&plain, &format!("{text} {dice}"));
            assert_eq!(position, plain.start().rolled(Roll::new(3, 1).expect("a roll")));
        }
    }
    assert_eq!(read(&plain, LATER).phase(), Phase::Roll);
    assert_eq!(read(&cubed, LATER).phase(), Phase::Double);
    assert_eq!(read(&cubed, &format!("{LATER} ROLL")).phase(), Phase::Roll);
    assert!(!read(&plain, LATER).terms().with_cube);
    // A cube that is in use is in play.
    let owned = read(&plain, "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10");
    assert!(owned.terms().with_cube && owned.phase() == Phase::Double);
    assert_eq!(read(&plain, "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10").phase(), Phase::Roll);
    // The named player has doubled, and the other one answers.
    let doubled = read(&plain, "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10");
    assert_eq!(
        (doubled.turn(), doubled.phase(), doubled.cube()),
        (Side::Second, Phase::Answer, Cube::CENTRED)
    );
    assert_eq!(doubled.gnubg_id(), "4HPwATDgc/ABMA:cBHgAAAAAAAE");
    let dropped = doubled.play(Move::Drop).expect("an answer");
    assert_eq!(dropped.gnubg_id(), "4HPwATDgc/ABMA:cATgAAAACAAE");
    assert_eq!(plain.position_text(&dropped), "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10 drop");
    let taken = doubled.play(Move::Take).expect("an answer");
    assert_eq!(taken.gnubg_id(), "4HPwATDgc/ABMA:QQngAAAAAAAE");
}

#[test]
fn what_is_wrong_with_a_position_is_named() {
    let fault = |text: &str| match Backgammon::default().parse_position(text) {
        Ok(position) => panic!("{text}: {position:?}"),
        Err(error) => error.to_string(),
    };
    for (text, part) in [
        ("", "empty"),
        (" \t ", "empty"),
        ("XGID=", "10 fields"),
        ("4HPwATDgc/ABM", "is no position ID"),
        ("4HPwATDgc/ABMA:", "is no match ID"),
        ("4HPwATDgc/ABMA 37", "`37` behind"),
        ("4HPwATDgc/ABMA 3 1 1", "behind"),
        ("4HPwATDgc/ABMA drop", "no double"),
        ("4HPwATDgc/ABMA double", "allows no double here"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10 42", "already"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10 roll", "already"),
        ("XGID=-b----E-C---eE---c-e----B-:0:1:1:00:0:0:0:7:10", "the cube cannot be at 1"),
        ("XGID=-b----E-C---eE---c-e----B-:3:0:1:00:0:0:0:7:10", "the cube cannot be at 8"),
        ("XGID=-b----E-C---eE---c-e----B-:4:1:1:00:0:0:0:7:3", "the cube cannot be at 16"),
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:7:10", "allows no double here"),
        ("XGID=-b----E-C---eE---c-e----C-:0:0:1:00:0:0:0:7:10", "16 checkers"),
        ("XGID=--------------------------:0:0:1:00:0:0:0:7:10", "neither side"),
        ("XGID=-b------------------------:0:0:1:31:0:0:0:7:10", "over"),
    ] {
        assert!(fault(text).contains(part), "{text}: {}", fault(text));
    }
    assert!(fault(&"x".repeat(100_000)).len() < 1_000);
}

/// A position with White on roll.
fn at(xgid: &str, roll: &str) -> Position {
    let text = format!("XGID={xgid}:0:0:1:{roll}:0:0:0:0:10");
    Backgammon::default().parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn moves_are_read_leniently() {
    let game = Backgammon::default();
    const START: &str = "-b----E-C---eE---c-e----B-";
    let alike = |position: &Position, written: &str, others: &[&str]| {
        for other in others.iter().chain([&written]) {
            let m = game.parse_move(position, other).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(game.move_text(position, m), written, "{other}");
        }
    };
    let start = |roll| at(START, roll);
    alike(&start("31"), "8/5 6/5", &["6/5 8/5", " 6/5,  8/5 "]);
    alike(&start("65"), "24/13", &["24/18/13", "24/18 18/13", "18/13 24/18"]);
    alike(&start("66"), "24/18(2) 13/7(2)", &["13/7 24/18 13/7 24/18", "13/7(2) 24/18(2)"]);
    alike(&start("44"), "24/16(2)", &["24/20(2) 20/16(2)", "24/20/16(2)", "24/16 24/16"]);
    let entering = at("-a-a-a--------------bAB--A", "32");
    alike(&entering, "bar/23 21/18", &["BAR/23 21/18", "21/18 25/23", "b/23, 21/18"]);
    let home = at("-ABBAA------------------a-", "61");
    alike(&home, "5/off 4/3", &["5/0 4/3", "5/OFF 4/3", "5/o 4/3"]);
    let dancing = at("-------------------bbbbbbA", "31");
    alike(&dancing, "pass", &["dance", "Dances", "cannot move", "no move"]);
    let fault =
        |position: &Position, text: &str| game.parse_move(position, text).map_err(|error| error.fault);
    for text in ["24/18/13 24/18", "24/20/13", "24/18", "13/24", "24/18/19", "24/13(2)", "pass", "roll"] {
        assert!(fault(&start("65"), text).is_err(), "{text}");
    }
    assert_eq!(fault(&start("65"), "24/13*"), Err(MoveFault::Illegal));
    for text in [
        "",
        "/",
        "24",
        "24/",
        "/13",
        "24//13",
        "24/-1",
        "24/+13",
        "24/13()",
        "24/13(0)",
        "24/13(5)",
        "24/13(99999999999999999999)",
        "2\u{664}/13",
        "24/13*(",
        "26/20",
        "*",
    ] {
        assert!(
            matches!(fault(&start("65"), text), Err(MoveFault::NotFound { .. } | MoveFault::Illegal)),
            "{text}"
        );
    }
}

#[test]
fn a_hit_on_the_way_is_said() {
    let game = Backgammon::default();
    // From 24 to 13 with blots on 18 and 19: one of them is hit, and 13 alone does not say which.
    let both = at("-b----E-C---cE----aa----B-", "65");
    let text = |text: &str| game.parse_move(&both, text).map(|m| game.move_text(&both, m));
    assert_eq!(text("24/18*/13").as_deref(), Ok("24/18*/13"));
    assert_eq!(text("24/19/13").as_deref(), Ok("24/19*/13"));
    let error = text("24/13").expect_err("two ways");
    assert_eq!((error.fault, error.related.len()), (MoveFault::Ambiguous, 2));
    // With one blot, a text without a hit means the way that does not hit.
    let one = at("-b----E-C---cE----a-----B-", "65");
    let text = |text: &str| game.parse_move(&one, text).map(|m| game.move_text(&one, m));
    assert_eq!(text("24/13").as_deref(), Ok("24/13"));
    assert_eq!(text("24/18/13").as_deref(), Ok("24/18*/13"));
}

#[test]
fn cube_moves_have_their_words() {
    let game = games()[1];
    let position = game.parse_position("sGfwATDgc/ABMA").expect("a position");
    let read = |position: &Position, text| game.parse_move(position, text);
    for (text, m) in [
        ("roll", Move::Roll),
        ("No double", Move::Roll),
        ("double", Move::Double),
        ("redouble", Move::Double),
    ] {
        assert_eq!(read(&position, text), Ok(m));
    }
    let doubled = position.play(Move::Double).expect("a double");
    for (text, m) in [("take", Move::Take), ("TAKE", Move::Take), ("drop", Move::Drop), ("pass", Move::Drop)]
    {
        assert_eq!(read(&doubled, text), Ok(m));
    }
    let error = read(&doubled, "8/5").expect_err("no dice");
    assert_eq!(
        (error.fault, error.related),
        (MoveFault::Illegal, vec!["drop".to_owned(), "take".to_owned()])
    );
}

proptest! {
    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}") {
        let _ = Backgammon::default().parse_position(&text);
    }

    #[test]
    fn any_fields_are_a_position_that_returns_or_an_error(
        places in "[-A-Oa-o]{26}",
        fields in "[0-3]:(0|1|-1):(1|-1):(00|D|[1-6]{2}):[0-9]:[0-9]:[0-3]:([0-9]|1[0-9]):1?[0-9]",
        behind in "( (roll|double|opening|drop|[0-7]{2}))?",
    ) {
        // Fewer letters give fewer checkers.
        let thin: String = places.chars().map(|c| if "ABCab".contains(c) { c } else { '-' }).collect();
        for game in games() {
            if let Ok(position) = game.parse_position(&format!("XGID={thin}:{fields}{behind}")) {
                laws::text_returns(&game, &position);
            }
        }
    }

    #[test]
    fn any_letters_are_an_id_that_returns_or_an_error(id in "[A-Za-z0-9+/]{14}", other in "[A-Za-z0-9+/]{12}") {
        for text in [id.clone(), format!("{id}:{other}"), format!("4HPwATDgc/ABMA:{other}")] {
            for game in games() {
                if let Ok(position) = game.parse_position(&text) {
                    laws::text_returns(&game, &position);
                }
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC{0,30}", parts in "((bar|off|[0-9]{1,2})[/*( )]{0,2}){0,8}") {
        let game = Backgammon::default();
        let position = game.start().rolled(Roll::new(4, 4).expect("a roll"));
        for text in [text, parts] {
            if let Ok(m) = game.parse_move(&position, &text) {
                prop_assert!(position.is_legal(m));
            }
        }
    }
}

/// Dice are read in either order, with or without a separator. The error for an impossible roll lists the possible
/// ones.
#[test]
fn rolls_are_read_as_people_write_them() {
    let game = Backgammon { opening: Opening::Real, ..Backgammon::default() };
    let start = game.start();
    let roll = Roll::new(3, 1).expect("dice");
    for text in ["31", "13", "3-1", "1 3", "3,1"] {
        assert_eq!(game.parse_chance(&start, text), Ok(roll), "{text}");
    }
    let refused = |position: &Position, text: &str| {
        game.parse_chance(position, text).expect_err("not here").to_string()
    };
    let possible = "21, 31, 41, 51, 61, 32, 42, 52, 62, 43, 53, 63, 54, 64, 65";
    for text in ["33", "70", "3", "", "3 -1", "311"] {
        assert_eq!(refused(&start, text), format!("`{text}` is not possible here; possible are {possible}"));
    }
    let rolled = start.play_chance(roll).expect("no double");
    assert_eq!(refused(&rolled, "31"), "`31` is not possible here: no roll or other chance event is due now");
}
