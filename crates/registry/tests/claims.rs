//! Draws that end a game although the position still has moves: declared by the rules, or claimed by a player.

use endspiel_registry::{After, Ending, Error, Listing, Opened};
use game::perft::Counting;
use game::{
    BySide, Capabilities, DistanceUnit, Game, Info, NoChance, Notation, Options, Outcome, Position,
    Repetition, Rng, Rulebook, Side, laws,
};
use std::convert::Infallible;
use std::num::ParseIntError;
use std::ops::ControlFlow;

/// A token on the hours of a clock. A move goes one hour forward or back. The game is drawn at midnight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Hour(u8);

impl Position for Hour {
    type Move = u8;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        if self.0.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn visit_moves<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        [(self.0 + 1) % 12, (self.0 + 11) % 12].into_iter().try_for_each(visit)
    }

    fn play_unchecked(&self, hour: u8) -> Self {
        Self(hour)
    }
}

struct Clock;

impl Game for Clock {
    type Position = Hour;
    type OptionError = Infallible;
    const INFO: Info = Info {
        name: "clock",
        title: "Clock",
        summary: "round and round",
        sides: BySide { first: "even", second: "odd" },
        options: &[],
        position_format: "an hour",
        move_format: "an hour",
        ends: &[],
        rules: "",
        example_position: "7",
        example_endgame: "7",
        example_move: "8",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition { claim: Some(3), draw: Some(5) },
            most_moves: 2,
            bench_depth: 1,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Hour {
        Hour(3)
    }

    fn rulebook(&self) -> Rulebook<Hour> {
        Rulebook {
            ends: |hour| (hour.0 == 0).then(|| Outcome::draw("midnight")),
            claims: |hour| (hour.0 == 6).then(|| Outcome::draw("tea time")),
            ..Rulebook::new(Self::INFO.capabilities.repetition)
        }
    }
}

impl Notation for Clock {
    type PositionError = ParseIntError;

    fn parse_position(&self, text: &str) -> Result<Hour, ParseIntError> {
        text.parse::<u8>().map(|hour| Hour(hour % 12))
    }

    fn write_position(&self, hour: &Hour, out: &mut String) {
        *out += &hour.0.to_string();
    }

    fn write_move(&self, _: &Hour, hour: u8, out: &mut String) {
        *out += &hour.to_string();
    }
}

const fn draw(by: &'static str) -> Option<Ending> {
    Some(Ending { winner: None, by, points: None })
}

#[test]
fn a_drawn_game_has_no_moves_but_its_position_has() {
    let mut session = Opened::new(Clock).session(Some("11")).expect("an hour");
    session.play("0").expect("the next hour");
    assert_eq!(session.ending(), draw("midnight"));
    assert_eq!(session.moves(), [""; 0]);
    assert_eq!(session.position_moves(Listing::All), ["1", "11"]);
    assert!(matches!(session.play("1"), Err(Error::Finished)));
    assert!(matches!(session.claim(), Err(Error::Finished)));
    assert_eq!(session.play_random(&mut Rng::new(1)), None);
    assert_eq!((session.undo().as_deref(), session.ending()), (Some("0"), None));

    let mut answer = Vec::new();
    Opened::new(Clock)
        .rules()
        .moves(Listing::All, After::Omitted, &mut "0".as_bytes(), &mut answer)
        .expect("no I/O");
    let expected = r#"{"position":"0","moves":[{"move":"1"},{"move":"11"}],"outcome":null}"#;
    assert_eq!(String::from_utf8(answer).expect("UTF-8").trim_end(), expected);
}

#[test]
fn a_draw_is_claimed_where_a_rule_allows_it() {
    let mut session = Opened::new(Clock).session(Some("5")).expect("an hour");
    assert_eq!(session.claimable(), None);
    let refused = session.claim().expect_err("no rule");
    assert_eq!(refused.to_string(), "nothing can be claimed here: no rule allows it");
    session.play("6").expect("the next hour");
    assert_eq!((session.claimable(), session.ending()), (draw("tea time"), None));
    session.claim().expect("tea time");
    assert_eq!((session.claimable(), session.ending()), (None, draw("tea time")));
    assert_eq!((session.undo().as_deref(), session.ending()), (Some("6"), None));
}

#[test]
fn repetition_is_claimed_or_waited_for() {
    let mut session = Opened::new(Clock).session(None).expect("the start");
    let mut seen = Vec::new();
    while session.ending().is_none() {
        seen.push(session.claimable().map(|ending| ending.by));
        let next = if seen.len() % 2 == 1 { "4" } else { "3" };
        session.play(next).expect("an hour");
    }
    assert_eq!(session.ending(), draw("repetition"));
    let three = Some("repetition");
    assert_eq!(seen, [None, None, None, None, three, three, three, three]);
}

/// With a transposition table, perft reaches depths whose counts do not fit into a `u64`.
#[test]
fn what_cannot_be_counted_is_told() {
    let (game, counting) = (Opened::new(Clock), Counting { hash: Some(1 << 16), ..Counting::default() });
    let start = game.session(None).expect("the start");
    assert_eq!(game.rules().perft(&*start, 63, counting, &|_, _| ()).expect("the last that fits"), 1 << 63);
    assert!(matches!(
        game.rules().perft(&*start, 64, counting, &|_, _| ()),
        Err(Error::TooMany { depth: 64 })
    ));
    assert!(matches!(game.rules().divide(&*start, 64, counting), Err(Error::TooMany { depth: 64 })));
}

#[test]
fn rules_keep_the_laws() {
    for seed in 0..100 {
        laws::of_rules(&Clock, seed, seed as u32);
    }
}
