//! Solves commander and one other piece (Red's guard) against commander: every position, by forward value iteration.
//!
//! A position is legal if both commanders are on the board, each stack stands on a point where it may stand, and the
//! side that is not to move is not in danger. The guard may be heroic or not, and it may form a stack with its
//! commander. When the guard is captured, commander against commander remains, which is solved at the same time. Draws
//! by clock and by repetition are ignored.
//!
//! Values are for the side to move, and distances count the turns of both sides. The distance is 0 for a side that is
//! checkmated or whose commander has been captured. The distance of a win is one more than the shortest loss that a
//! turn leads to, that of a loss is one more than the longest win. All other positions are draws, including stalemates.

use crate::board::{Board, Kind, POINTS, Piece, Point, Position, Side, Stack};
use crate::rules;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A value. The order of the variants only matters for sorting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Loss(u16),
    /// A draw, or not yet decided.
    Draw,
    Win(u16),
}

impl Value {
    pub fn from_text(text: &str) -> Option<Value> {
        match text.split_once(' ') {
            None => (text == "draw").then_some(Value::Draw),
            Some(("win", distance)) => distance.parse().ok().map(Value::Win),
            Some(("loss", distance)) => distance.parse().ok().map(Value::Loss),
            Some(_) => None,
        }
    }

    pub fn text(self) -> String {
        match self {
            Value::Loss(distance) => format!("loss {distance}"),
            Value::Draw => "draw".to_string(),
            Value::Win(distance) => format!("win {distance}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guard {
    Plain,
    Heroic,
    Gone,
}

/// The pieces of a position by their points. A guard on the point of the red commander forms a stack with it.
#[derive(Clone, Copy, Debug)]
struct Place {
    mover: Side,
    guard: Guard,
    /// The point of the guard; 0 if the guard is gone.
    guard_point: Point,
    red: Point,
    blue: Point,
}

impl Place {
    const COUNT: usize = 2 * 3 * POINTS * POINTS * POINTS;

    fn from_number(number: usize) -> Place {
        let digit = |unit: usize, base: usize| number / unit % base;
        Place {
            blue: digit(1, POINTS),
            red: digit(POINTS, POINTS),
            guard_point: digit(POINTS * POINTS, POINTS),
            guard: [Guard::Plain, Guard::Heroic, Guard::Gone][digit(POINTS * POINTS * POINTS, 3)],
            mover: [Side::Red, Side::Blue][digit(POINTS * POINTS * POINTS * 3, 2)],
        }
    }

    fn number(&self) -> usize {
        let front = self.mover as usize * 3 + self.guard as usize;
        ((front * POINTS + self.guard_point) * POINTS + self.red) * POINTS + self.blue
    }

    fn is_stacked(&self) -> bool {
        self.guard != Guard::Gone && self.guard_point == self.red
    }

    /// The position with this kind of guard; `None` if it is not legal.
    fn position(&self, kind: Kind) -> Option<Position> {
        let commander = Piece { kind: Kind::Commander, heroic: false };
        let guard = Piece { kind, heroic: self.guard == Guard::Heroic };
        let mut board = Board::empty();
        let mut put = |point: Point, side: Side, pieces: &[Piece]| {
            let stack = Stack::new(side, pieces.iter().copied())?;
            let possible = stack.carrier().kind.can_stand(point) && board.points[point].is_none();
            possible.then(|| board.points[point] = Some(stack))
        };
        put(self.blue, Side::Blue, &[commander])?;
        if self.is_stacked() {
            put(self.red, Side::Red, &[guard, commander])?;
        } else {
            put(self.red, Side::Red, &[commander])?;
            match self.guard {
                Guard::Gone if self.guard_point == 0 => {}
                Guard::Gone => return None,
                _ => put(self.guard_point, Side::Red, &[guard])?,
            }
        }
        let legal = !rules::is_in_danger(&board, self.mover.other());
        legal.then_some(Position { board, mover: self.mover, half_moves: 0, move_number: 1 })
    }

    /// The places of the pieces after a turn; `None` if a commander has been captured.
    fn of(board: &Board, mover: Side) -> Option<Place> {
        let red = board.commander(Side::Red)?;
        let blue = board.commander(Side::Blue)?;
        let mut place = Place { mover, guard: Guard::Gone, guard_point: 0, red, blue };
        for (point, stack) in board.stacks() {
            for piece in stack.members() {
                if piece.kind != Kind::Commander {
                    place.guard = if piece.heroic { Guard::Heroic } else { Guard::Plain };
                    place.guard_point = point;
                } else {
                    assert!(!piece.heroic, "no commander becomes heroic");
                }
            }
        }
        Some(place)
    }
}

pub struct Ending {
    kind: Kind,
    /// All legal positions and their values.
    places: Vec<Place>,
    values: Vec<Value>,
}

impl Ending {
    pub fn solve(kind: Kind) -> Ending {
        let places: Vec<Place> = (0..Place::COUNT)
            .map(Place::from_number)
            .filter(|place| place.position(kind).is_some())
            .collect();
        let mut index_of = vec![u32::MAX; Place::COUNT];
        for (index, place) in places.iter().enumerate() {
            index_of[place.number()] = index as u32;
        }
        // An additional index after all places: the side to move has lost its commander.
        let captured = places.len() as u32;
        let mut values = vec![Value::Draw; places.len() + 1];
        values[captured as usize] = Value::Loss(0);

        // The results of all turns are kept, because playing them again in each round would take hours.
        // The results of position i are results[starts[i]..starts[i + 1]].
        let mut results: Vec<u32> = Vec::new();
        let mut starts = vec![0];
        for (index, place) in places.iter().enumerate() {
            let position = place.position(kind).expect("only legal places are listed");
            let mut own = Vec::new();
            rules::for_each_turn(&position, &mut |turn| {
                own.push(match Place::of(turn.after, position.mover.other()) {
                    Some(after) => index_of[after.number()],
                    None => captured,
                });
            });
            assert!(!own.contains(&u32::MAX), "{place:?}: a turn leaves the legal positions");
            if own.is_empty() && rules::is_attacked(&position.board, position.mover) {
                values[index] = Value::Loss(0);
            }
            own.sort();
            own.dedup();
            results.extend(own);
            starts.push(results.len());
        }

        // Round n decides exactly the positions of distance n. Values that the round itself sets do not affect the rest
        // of the round: it only looks for losses in n - 1 and wins below n, but it sets wins in n and losses in n.
        let mut undecided: Vec<usize> =
            (0..places.len()).filter(|index| values[*index] == Value::Draw).collect();
        for round in 1.. {
            let before = undecided.len();
            undecided.retain(|&index| {
                let own = &results[starts[index]..starts[index + 1]];
                let value_of = |result: &u32| values[*result as usize];
                let wins = own.iter().any(|result| value_of(result) == Value::Loss(round - 1));
                let loses = !own.is_empty()
                    && own
                        .iter()
                        .all(|result| matches!(value_of(result), Value::Win(distance) if distance < round));
                if wins {
                    values[index] = Value::Win(round);
                } else if loses {
                    values[index] = Value::Loss(round);
                }
                !wins && !loses
            });
            if undecided.len() == before {
                break;
            }
        }
        values.pop();
        Ending { kind, places, values }
    }

    /// The name of the slice: the material, with the side to move first.
    fn slice(&self, mover: Side) -> String {
        let letter = self.kind.letter();
        if mover == Side::Red { format!("C{letter}vC") } else { format!("CvC{letter}") }
    }

    fn fen(&self, index: usize, flipped: bool) -> String {
        let position = self.places[index].position(self.kind).expect("only legal places are listed");
        if flipped { position.flipped().to_fen() } else { position.to_fen() }
    }

    /// Returns the summary as comments, and `count` samples for each side to move.
    pub fn report(&self, count: usize, seed: u64) -> String {
        let mut text = String::new();
        let mut random = Random(seed);
        for mover in [Side::Red, Side::Blue] {
            self.summarise(mover, &mut text);
        }
        let bare: Vec<usize> =
            (0..self.places.len()).filter(|&index| self.places[index].guard == Guard::Gone).collect();
        writeln!(text, "# CvC after C{}vC, both sides: {}", self.kind.letter(), self.counts(&bare)).unwrap();
        for mover in [Side::Red, Side::Blue] {
            for index in self.sample(mover, count, &mut random) {
                let fen = self.fen(index, random.below(2) == 1);
                writeln!(text, "{} {fen} {}", self.slice(mover), self.values[index].text()).unwrap();
            }
        }
        text
    }

    /// All positions with the guard and this side to move.
    fn indices(&self, mover: Side) -> Vec<usize> {
        let wanted = |place: &Place| place.mover == mover && place.guard != Guard::Gone;
        (0..self.places.len()).filter(|&index| wanted(&self.places[index])).collect()
    }

    fn counts(&self, indices: &[usize]) -> String {
        let number =
            |wanted: fn(Value) -> bool| indices.iter().filter(|index| wanted(self.values[**index])).count();
        format!(
            "positions {} wins {} losses {} draws {}",
            indices.len(),
            number(|value| matches!(value, Value::Win(_))),
            number(|value| matches!(value, Value::Loss(_))),
            number(|value| value == Value::Draw),
        )
    }

    fn summarise(&self, mover: Side, text: &mut String) {
        let slice = self.slice(mover);
        let indices = self.indices(mover);
        write!(text, "# {slice} {}", self.counts(&indices)).unwrap();
        let mut by_value: BTreeMap<Value, Vec<usize>> = BTreeMap::new();
        for &index in &indices {
            by_value.entry(self.values[index]).or_default().push(index);
        }
        let longest_win = by_value.iter().rfind(|(value, _)| matches!(value, Value::Win(_)));
        let longest_loss = by_value.iter().rfind(|(value, _)| matches!(value, Value::Loss(_)));
        for (value, those) in longest_win.iter().chain(longest_loss.iter()) {
            write!(text, "; longest {}: {}", value.text(), self.fen(those[0], false)).unwrap();
        }
        text.push('\n');
        for (name, guard, stacked) in [
            ("alone and heroic", Guard::Heroic, false),
            ("alone and not heroic", Guard::Plain, false),
            ("heroic with the commander", Guard::Heroic, true),
            ("not heroic with the commander", Guard::Plain, true),
        ] {
            let fits = |place: &Place| place.guard == guard && place.is_stacked() == stacked;
            let those: Vec<usize> =
                indices.iter().copied().filter(|index| fits(&self.places[*index])).collect();
            if !those.is_empty() {
                writeln!(text, "# {slice} {} {name}: {}", self.kind.letter(), self.counts(&those)).unwrap();
            }
        }
        let distances: Vec<String> =
            by_value.iter().map(|(value, those)| format!("{}: {}", value.text(), those.len())).collect();
        writeln!(text, "# {slice} by value: {}", distances.join(", ")).unwrap();
    }

    /// Chooses samples. Half of them are chosen from all positions with equal probability. The other half are taken in
    /// turn from each combination of value and state of the guard, so that rare positions are included.
    fn sample(&self, mover: Side, count: usize, random: &mut Random) -> Vec<usize> {
        let indices = self.indices(mover);
        let count = count.min(indices.len());
        let mut taken = BTreeSet::new();
        let mut samples = Vec::new();
        while samples.len() < count / 2 {
            let index = indices[random.below(indices.len())];
            if taken.insert(index) {
                samples.push(index);
            }
        }
        let mut classes: BTreeMap<(Value, Guard, bool), Vec<usize>> = BTreeMap::new();
        for index in indices.into_iter().filter(|index| !taken.contains(index)) {
            let place = &self.places[index];
            classes.entry((self.values[index], place.guard, place.is_stacked())).or_default().push(index);
        }
        while samples.len() < count {
            for class in classes.values_mut().filter(|class| !class.is_empty()) {
                if samples.len() < count {
                    samples.push(class.swap_remove(random.below(class.len())));
                }
            }
        }
        samples
    }
}

/// The random number generator SplitMix64. It gives the same samples on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_places_lead_back_to_them() {
        for number in (0..Place::COUNT).step_by(997) {
            assert_eq!(Place::from_number(number).number(), number);
        }
    }
}
