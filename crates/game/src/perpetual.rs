//! The rule on perpetual check by its definition, on an explicit graph. Tests compare solvers with it.
//!
//! A side that can stay within the draws only by giving check for ever loses. So a side, called X here, wants to make
//! infinitely many moves that give no check, and to stay. This is a Büchi game: while X cannot force one more such move from
//! some positions, these are lost for X, and so are all positions from which the opponent can force them.

/// The draws of a game as a graph.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    /// For each draw, the draws that its moves lead to. There is at least one.
    pub moves: Vec<Vec<u32>>,
    /// For each draw, whether the side to move is in check.
    pub is_check: Vec<bool>,
}

/// What the rule decides: for each draw, whether the side to move wins, or loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The draws that the side to move wins by rule.
    pub won: Vec<u32>,
    /// The draws that the side to move loses by rule.
    pub lost: Vec<u32>,
}

impl Draws {
    /// Decides the draws by the definition of the rule.
    ///
    /// # Panics
    /// Panics if the graph has more than 2³¹ draws, or if a draw has no moves.
    pub fn decided(&self) -> Decided {
        let count = self.moves.len();
        assert!(self.moves.iter().all(|moves| !moves.is_empty()), "play goes on from a draw");
        // A state is a draw, and whether X is to move there: `2 * draw + 1` if so.
        let mut before = vec![Vec::new(); count];
        for (draw, moves) in (0..).zip(&self.moves) {
            moves.iter().for_each(|&next| before[next as usize].push(draw));
        }
        let mut alive = vec![true; 2 * count];
        loop {
            let is_quiet =
                |state: &usize| alive[*state] && state.is_multiple_of(2) && !self.is_check[state / 2];
            let quiet: Vec<usize> = (0..2 * count).filter(is_quiet).collect();
            let safe = self.attracted(&before, &alive, 1, quiet);
            let lost: Vec<usize> = (0..2 * count).filter(|&state| alive[state] && !safe[state]).collect();
            if lost.is_empty() {
                break;
            }
            let lost = self.attracted(&before, &alive, 0, lost);
            alive.iter_mut().zip(lost).for_each(|(alive, lost)| *alive &= !lost);
        }
        let removed = |parity: usize| {
            (0..count as u32).filter(|&draw| !alive[2 * draw as usize + parity]).collect::<Vec<_>>()
        };
        Decided { won: removed(0), lost: removed(1) }
    }

    /// The states from which a side can force one of the `target` states. The side is X if `side` is 1.
    fn attracted(&self, before: &[Vec<u32>], alive: &[bool], side: usize, target: Vec<usize>) -> Vec<bool> {
        let alive_moves = |state: usize| {
            let next = |&&draw: &&u32| alive[2 * draw as usize + (1 - state % 2)];
            self.moves[state / 2].iter().filter(next).count()
        };
        let mut attracted = vec![false; alive.len()];
        let mut left: Vec<u32> = vec![u32::MAX; alive.len()];
        target.iter().for_each(|&state| attracted[state] = true);
        let mut open = target;
        while let Some(state) = open.pop() {
            for &draw in &before[state / 2] {
                let earlier = 2 * draw as usize + (1 - state % 2);
                if !alive[earlier] || attracted[earlier] {
                    continue;
                }
                if left[earlier] == u32::MAX {
                    left[earlier] = alive_moves(earlier) as u32;
                }
                left[earlier] -= 1;
                if earlier % 2 == side || left[earlier] == 0 {
                    attracted[earlier] = true;
                    open.push(earlier);
                }
            }
        }
        attracted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(nodes: &[(&[u32], bool)]) -> (Vec<u32>, Vec<u32>) {
        let draws = Draws {
            moves: nodes.iter().map(|(moves, _)| moves.to_vec()).collect(),
            is_check: nodes.iter().map(|&(_, is_check)| is_check).collect(),
        };
        let Decided { won, lost } = draws.decided();
        (won, lost)
    }

    #[test]
    fn who_can_only_give_check_loses() {
        // 0 gives check, 1 flees: X at 0 has no other move.
        assert_eq!(decided(&[(&[1], false), (&[0], true)]), (vec![1], vec![0]));
        // 0 has a quiet move to 2, and 2 goes on quietly.
        assert_eq!(decided(&[(&[1, 2], false), (&[0], true), (&[0], false)]), (vec![], vec![]));
        // The one in check can also leave to 2 and 3, where nobody checks. It need not.
        let nodes: &[(&[u32], bool)] = &[(&[1], false), (&[0, 2], true), (&[3], false), (&[2], false)];
        assert_eq!(decided(nodes), (vec![1], vec![0]));
        // 2 can go to a pursuit of the opponent and wins; 3 must let it.
        let nodes: &[(&[u32], bool)] = &[(&[1], false), (&[0], true), (&[0], false), (&[2], false)];
        assert_eq!(decided(nodes), (vec![1, 2], vec![0, 3]));
    }
}
