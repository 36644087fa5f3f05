//! The positions from the start of the game to the one that is searched, for the rules about repetition.

use game::{Key, Plies, Repetition, Value};

/// The way to a position.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    steps: Vec<Step>,
    /// The number of positions before the root, and the root.
    to_root: usize,
    /// Whether perpetual check loses.
    check_loses: bool,
    /// How often a position of the game must have occurred before the root, so that its next occurrence is a draw.
    needed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    key: Key,
    /// The number of positions in a row, this one included, in which the side to move here was in check.
    checks: u32,
    /// The number of moves since the last pass, or since the first position.
    since_pass: usize,
}

impl Path {
    /// A path of no positions, under these rules.
    pub fn new(repetition: Repetition, check_loses: bool) -> Self {
        let limit = repetition.claim.or(repetition.draw).unwrap_or(2);
        Self { steps: Vec::new(), to_root: 0, check_loses, needed: limit as usize - 1 }
    }

    /// Adds the next position.
    #[inline]
    pub fn push(&mut self, key: Key, is_check: bool) {
        let before = self.steps.len().checked_sub(2).map_or(0, |at| self.steps[at].checks);
        let since_pass = self.steps.last().map_or(0, |last| last.since_pass + 1);
        self.steps.push(Step { key, checks: if is_check { before + 1 } else { 0 }, since_pass });
    }

    /// Adds the position after a pass. No game has it, so nothing before it can be repeated.
    pub fn push_pass(&mut self, key: Key) {
        self.steps.push(Step { key, checks: 0, since_pass: 0 });
    }

    /// Returns whether the side to move in the last position is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.steps.last().is_some_and(|last| last.checks > 0)
    }

    /// Removes the last position.
    #[inline]
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// Makes the last position the root.
    pub fn begin(&mut self) {
        self.to_root = self.steps.len();
    }

    /// The value of the last position by repetition, if it occurred before: once since the root, or as often as the rules say. Only
    /// the last `reversible` plies can contain it.
    ///
    /// A player who can repeat a position once can do it again. So the search need not wait until the rule ends the game.
    #[inline]
    pub fn repeated(&self, reversible: usize) -> Option<Value> {
        let now = self.steps.len() - 1;
        let mut times = 0;
        let mut back = 4;
        let most = reversible.min(self.steps[now].since_pass);
        while back <= most {
            let at = now - back;
            if self.steps[at].key == self.steps[now].key {
                times += 1;
                if at + 1 >= self.to_root || times == self.needed {
                    return Some(self.verdict(back));
                }
            }
            back += 2;
        }
        None
    }

    /// The value of a repetition of the position `back` plies ago, for the side to move.
    fn verdict(&self, back: usize) -> Value {
        if !self.check_loses {
            return Value::Draw;
        }
        let now = self.steps.len() - 1;
        // Every second position since then, and this one.
        let moves = (back / 2) as u32;
        let (checked, checks) = (self.steps[now].checks >= moves, self.steps[now - 1].checks >= moves);
        match (checked, checks) {
            (true, false) => Value::Win(Plies(0)),
            (false, true) => Value::Loss(Plies(0)),
            _ => Value::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(repetition: Repetition, check_loses: bool, keys: &[(u64, bool)], root: usize) -> Path {
        let mut path = Path::new(repetition, check_loses);
        for (at, &(key, is_check)) in keys.iter().enumerate() {
            path.push(Key(key), is_check);
            if at == root {
                path.begin();
            }
        }
        path
    }

    const CHESS: Repetition = Repetition { claim: Some(3), draw: Some(5) };
    const CALM: [(u64, bool); 5] = [(1, false), (2, false), (3, false), (4, false), (1, false)];

    #[test]
    fn a_repetition_after_the_root_is_a_draw() {
        assert_eq!(path(CHESS, false, &CALM, 0).repeated(99), Some(Value::Draw));
        assert_eq!(path(CHESS, false, &CALM, 0).repeated(3), None, "an irreversible move is between");
        assert_eq!(path(CHESS, false, &CALM[1..], 0).repeated(99), None);
    }

    #[test]
    fn a_repetition_of_the_game_needs_more() {
        assert_eq!(path(CHESS, false, &CALM, 3).repeated(99), None);
        let twice: Vec<_> = [&CALM[..], &CALM[1..]].concat();
        assert_eq!(path(CHESS, false, &twice, 7).repeated(99), Some(Value::Draw));
        assert_eq!(path(Repetition::draw_at(4), false, &twice, 7).repeated(99), None);
    }

    #[test]
    fn perpetual_check_loses() {
        let checked = [(1, true), (2, false), (3, true), (4, false), (1, true)];
        assert_eq!(path(CHESS, true, &checked, 0).repeated(99), Some(Value::Win(Plies(0))));
        assert_eq!(path(CHESS, false, &checked, 0).repeated(99), Some(Value::Draw));
        let checks = [(1, false), (2, true), (3, false), (4, true), (1, false)];
        assert_eq!(path(CHESS, true, &checks, 0).repeated(99), Some(Value::Loss(Plies(0))));
        let once_quiet = [(1, false), (2, true), (3, false), (4, false), (1, false)];
        assert_eq!(path(CHESS, true, &once_quiet, 0).repeated(99), Some(Value::Draw));
    }
}
