//! Moves as players write them: `8/5 6/5`, `bar/22 13/8*/3`, `24/18(2) 8/2(2)`, `6/off(3)`; and `pass`, `roll`, `double`,
//! `take`, `drop`.
//!
//! A text says where each checker starts and ends, and names every point with a hit. Two boards after a turn differ
//! only in the checkers of the side to move and in the hits. So two different turns always have different texts.

use crate::board::Board;
use crate::dice::Roll;
use crate::field::Field;
use crate::moves::{Move, Turn};
use crate::places::{Canonical, Human};
use crate::position::{Phase, Position};
use crate::rules::Backgammon;
use game::{Game as _, MoveError, MoveFault, Position as _, Side};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// The text of a dance: no checker can move.
const PASS: &str = "pass";

/// The most steps in a turn: those of a double.
const MOST_STEPS: usize = 4;

/// Appends the text of a move.
pub(crate) fn write(position: &Position, m: Move, out: &mut String) {
    match (m, position.roll()) {
        (Move::Roll, _) => out.push_str("roll"),
        (Move::Double, _) => out.push_str("double"),
        (Move::Take, _) => out.push_str("take"),
        (Move::Drop, _) => out.push_str("drop"),
        (Move::Turn(turn), Some(roll)) if !turn.is_dance() => write_turn(position, roll, turn, out),
        (Move::Turn(_), _) => out.push_str(PASS),
    }
}

/// One step of one checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) from: Canonical,
    pub(crate) to: Canonical,
    /// Whether the step hits a blot.
    pub(crate) hits: bool,
}

/// The steps of a turn, the rearmost first. If several checkers land on the same blot, the first of them hits it.
pub(crate) fn steps(position: &Position, roll: Roll, turn: Turn) -> Vec<Step> {
    let mut steps = Vec::with_capacity(MOST_STEPS);
    turn.for_each_step(roll, |from, die| steps.push(Step { from, to: from.after(die), hits: false }));
    steps.sort_by_key(|step| (step.from, step.to));
    let mut blots = position.field().blots;
    for step in &mut steps {
        let landing = 1 << step.to.number();
        step.hits = blots & landing != 0;
        blots &= !landing;
    }
    steps
}

fn write_turn(position: &Position, roll: Roll, turn: Turn, out: &mut String) {
    let mut steps = steps(position, roll, turn);
    let mut ways: Vec<(Vec<Step>, usize)> = Vec::with_capacity(MOST_STEPS);
    while !steps.is_empty() {
        // Follow one checker: each of its steps begins where the last one ended.
        let mut way = vec![steps.remove(0)];
        while let Some(next) =
            steps.iter().position(|step| way.last().is_some_and(|last| last.to == step.from))
        {
            way.push(steps.remove(next));
        }
        let same = |(known, _): &&mut (Vec<Step>, usize)| {
            known.len() == way.len() && known.iter().zip(&way).all(|(a, b)| (a.from, a.to) == (b.from, b.to))
        };
        match ways.iter_mut().find(same) {
            // A second checker on the same way has nothing left to hit, so hits are not compared.
            Some((_, number)) => *number += 1,
            None => ways.push((way, 1)),
        }
    }
    for (at, (way, number)) in ways.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        write_way(way, *number, out);
    }
}

fn write_way(way: &[Step], number: usize, out: &mut String) {
    for (at, step) in way.iter().enumerate() {
        if at == 0 {
            let _ = write!(out, "{}", step.from.human());
        }
        // A point on the way is written only if there is a hit.
        if step.hits || at + 1 == way.len() {
            let _ = write!(out, "/{}", step.to.human());
        }
        if step.hits {
            out.push('*');
        }
    }
    if number > 1 {
        let _ = write!(out, "({number})");
    }
}

/// Reads a legal move.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let words = text.split_ascii_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>().join(" ");
    let named = match (position.phase(), words.as_str()) {
        (Phase::Double, "roll" | "no double" | "no-double" | "nodouble" | "no redouble") => Some(Move::Roll),
        (Phase::Double, "double" | "redouble" | "doubles") => Some(Move::Double),
        (Phase::Answer, "take" | "takes" | "accept") => Some(Move::Take),
        (Phase::Answer, "drop" | "drops" | "pass" | "decline" | "reject") => Some(Move::Drop),
        (Phase::Play(_), PASS | "dance" | "dances" | "no move" | "cannot move") => {
            Some(Move::Turn(Turn::DANCE))
        }
        _ => None,
    };
    let fail = |fault, related| Err(MoveError { text: text.to_owned(), fault, related });
    let not_found = MoveFault::NotFound { format: Backgammon::INFO.move_format };
    match (position.phase(), named, Wanted::parse(&words)) {
        (_, Some(m), _) if position.is_legal(m) => Ok(m),
        (Phase::Play(roll), None, Some(wanted)) => {
            let found = wanted.turns(position, roll);
            match (wanted.choose(&found), found.is_empty()) {
                (Some(turn), _) => Ok(Move::Turn(turn)),
                (None, true) => fail(MoveFault::Illegal, similar(position, &words)),
                (None, false) => {
                    let texts = found.iter().map(|found| move_text(position, Move::Turn(found.turn)));
                    fail(MoveFault::Ambiguous, texts.collect())
                }
            }
        }
        (Phase::Double, None, Some(_)) => {
            fail(MoveFault::Forbidden { why: "roll first, with `roll`, or `double`" }, Vec::new())
        }
        (_, Some(_), _) | (_, None, Some(_)) => fail(MoveFault::Illegal, similar(position, &words)),
        (_, None, None) => fail(not_found, similar(position, &words)),
    }
}

fn move_text(position: &Position, m: Move) -> String {
    let mut out = String::new();
    write(position, m, &mut out);
    out
}

/// The legal moves that have the most parts in common with a text. If none has one, returns all moves if there are at
/// most two, and otherwise nothing.
fn similar(position: &Position, words: &str) -> Vec<String> {
    let (mut similar, mut most) = (Vec::new(), 1);
    position.for_each_move(|m| {
        let text = move_text(position, m);
        let shared = text.split(' ').filter(|part| words.split(' ').any(|word| word == *part)).count();
        if shared > most {
            similar.clear();
            most = shared;
        }
        if shared == most {
            similar.push(text);
        }
    });
    // If there are few moves, show all of them.
    if similar.is_empty() && position.count_moves() <= 2 {
        position.for_each_move(|m| similar.push(move_text(position, m)));
    }
    similar.sort();
    similar
}

/// A turn as a text describes it.
struct Wanted {
    /// The checkers that move: the place of each, and the places that it must come to, in reverse order.
    checkers: Vec<Checker>,
    /// The set of points where a checker is hit, one bit each.
    hits: u32,
}

#[derive(Clone, Debug)]
struct Checker {
    at: Canonical,
    way: Vec<Canonical>,
}

/// A legal turn that fits a text, and the set of points where it hits.
struct Found {
    turn: Turn,
    hits: u32,
}

impl Wanted {
    fn parse(words: &str) -> Option<Self> {
        let mut wanted = Self { checkers: Vec::new(), hits: 0 };
        for part in words.split([' ', ',']).filter(|part| !part.is_empty()) {
            wanted.read_part(part)?;
            if wanted.checkers.len() > MOST_STEPS {
                return None;
            }
        }
        (!wanted.checkers.is_empty()).then_some(wanted)
    }

    fn read_part(&mut self, part: &str) -> Option<()> {
        let (way, number) = match part.split_once('(') {
            None => (part, 1),
            Some((way, number)) => (way, number.strip_suffix(')')?.parse().ok()?),
        };
        if !(1..=MOST_STEPS).contains(&number) {
            return None;
        }
        let mut places = way.split('/');
        let at = parse_place(places.next()?)?;
        let mut last = at;
        let mut way = Vec::new();
        for place in places {
            let place = match place.strip_suffix('*') {
                None => parse_place(place)?,
                Some(place) => {
                    let place = parse_place(place)?;
                    self.hits |= 1 << place.number();
                    place
                }
            };
            if place <= last {
                return None;
            }
            way.push(place);
            last = place;
        }
        way.reverse();
        if way.is_empty() {
            return None;
        }
        self.checkers.extend(std::iter::repeat_n(Checker { at, way }, number));
        Some(())
    }

    /// Returns the legal turns that fit the text. Turns that hit more than the text says are included.
    fn turns(&self, position: &Position, roll: Roll) -> Vec<Found> {
        let mover = position.turn();
        let dice = [roll.high(), roll.low()];
        let mut ends = Ends { mover, checkers: self.checkers.clone(), ends: Vec::new() };
        match roll.is_double() {
            true => ends.explore(position.board(), 0, &[roll.high(); MOST_STEPS]),
            false => {
                ends.explore(position.board(), 0, &dice);
                ends.explore(position.board(), 0, &[dice[1], dice[0]]);
            }
        }
        let ends = ends.ends;
        let mut found = Vec::new();
        let _ = position.field().visit_turns(roll, |turn| {
            let board = position.board().after(mover, roll, turn);
            let end = ends.iter().find(|(end, hits)| *end == board && hits & self.hits == self.hits);
            found.extend(end.map(|&(_, hits)| Found { turn, hits }));
            ControlFlow::<()>::Continue(())
        });
        found
    }

    /// Returns the turn with exactly the hits of the text, or else the only turn. Returns `None` if there is neither.
    fn choose(&self, found: &[Found]) -> Option<Turn> {
        let exact = found.iter().find(|found| found.hits == self.hits);
        match (exact, found) {
            (Some(exact), _) => Some(exact.turn),
            (None, [only]) => Some(only.turn),
            _ => None,
        }
    }
}

/// Finds the boards that the dice can lead to with the checkers of a text.
struct Ends {
    mover: Side,
    checkers: Vec<Checker>,
    /// The boards, each with the set of points where a checker was hit on the way.
    ends: Vec<(Board, u32)>,
}

impl Ends {
    /// Plays the dice in this order, in every way that fits the text.
    fn explore(&mut self, board: &Board, hits: u32, dice: &[u8]) {
        if self.checkers.iter().all(|checker| checker.way.is_empty()) {
            if !self.ends.contains(&(*board, hits)) {
                self.ends.push((*board, hits));
            }
            return;
        }
        let field = Field::new(board, self.mover);
        let Some((&die, left)) = dice.split_first() else { return };
        for at in 0..self.checkers.len() {
            let Checker { at: from, way } = &self.checkers[at];
            let (from, to) = (*from, from.after(die));
            let Some(&next) = way.last() else { continue };
            if to > next || field.steps(die) >> from.number() & 1 == 0 {
                continue;
            }
            self.checkers[at].at = to;
            if to == next {
                self.checkers[at].way.pop();
            }
            let after = board.stepped(self.mover, from, die);
            self.explore(&after, hits | field.blots & 1 << to.number(), left);
            let checker = &mut self.checkers[at];
            checker.at = from;
            if to == next {
                checker.way.push(next);
            }
        }
    }
}

fn parse_place(text: &str) -> Option<Canonical> {
    let number = match text {
        "bar" | "b" => return Some(Canonical::BAR),
        "off" | "o" => return Some(Canonical::OFF),
        // Only digits are allowed: a number must not have a sign.
        _ if text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok()?,
        _ => return None,
    };
    Human::new(number).map(Human::canonical)
}
