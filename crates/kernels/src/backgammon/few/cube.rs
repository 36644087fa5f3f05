//! What a position is worth to the side to move, from the means over the rolls: without the cube, with it, and with bounds on both
//! sides.
//!
//! All numbers are in units of the present value of the cube. A position has an equity for each state of the cube: the side to move
//! owns it, the opponent owns it, it is in the middle, or it is in the middle and gammons do not count yet (Jacoby). The side to move
//! may double before the roll if the opponent does not own the cube. A drop gives 1; a take gives twice the equity of a
//! position in which the opponent owns the cube.

use super::sweep::Rule;

/// Without the cube.
pub struct Cubeless;

impl Rule<1> for Cubeless {
    fn after(&self, [mean]: [f64; 1]) -> [f64; 1] {
        [-mean]
    }
}

/// With the cube: the player who has just played owns it, the other player owns it, it is in the middle, in the middle by Jacoby's rule.
pub struct Cube;

impl Rule<4> for Cube {
    fn after(&self, [owned, theirs, centred, jacoby]: [f64; 4]) -> [f64; 4] {
        // The opponent drops or takes, whichever is better for him.
        let doubled = (2.0 * theirs).min(1.0);
        // Who owned the cube after his play is the opponent of the next side to move.
        [-theirs, -owned.max(doubled), -centred.max(doubled), -jacoby.max(doubled)]
    }
}

/// With the cube, but the side to move does not double this turn. The tables hold these numbers: with them the decision is known too.
pub struct Held;

impl Rule<4> for Held {
    fn after(&self, [owned, theirs, centred, jacoby]: [f64; 4]) -> [f64; 4] {
        [-theirs, -owned, -centred, -jacoby]
    }
}

impl Held {
    /// The numbers with the right to double, which [`Cube`] gives, from those of a side to move that does not double.
    pub fn with_doubling([theirs, owned, centred, jacoby]: [f64; 4]) -> [f64; 4] {
        // What `after` gives is seen by the opponent, so its smaller numbers are better for the side to move.
        let doubled = (2.0 * theirs).max(-1.0);
        [theirs, owned.min(doubled), centred.min(doubled), jacoby.min(doubled)]
    }
}

/// Bounds of the numbers of another rule: first *K* upper bounds, then *K* lower ones, for the player who has just played.
///
/// Every sweep moves the bounds apart by a slack. When a step from both bounds stays within them, they are proven: see
/// `docs/backgammon.md`.
pub struct Bounds<T> {
    /// The rule.
    pub rule: T,
    /// The slack.
    pub slack: f64,
}

impl Rule<2> for Bounds<Cubeless> {
    fn after(&self, [upper, lower]: [f64; 2]) -> [f64; 2] {
        // The best for the side to move is the worst for the opponent.
        let [[below], [above]] = [upper, lower].map(|mean| self.rule.after([mean]));
        [above + self.slack, below - self.slack]
    }
}

impl Rule<8> for Bounds<Cube> {
    fn after(&self, means: [f64; 8]) -> [f64; 8] {
        let [a, b, c, d, e, f, g, h] = means;
        let below = self.rule.after([a, b, c, d]);
        let above = self.rule.after([e, f, g, h]);
        std::array::from_fn(|k| if k < 4 { above[k] + self.slack } else { below[k - 4] - self.slack })
    }
}
