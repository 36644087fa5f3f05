//! When a search ends.

use std::time::Duration;

/// The limits of a search. Without any, it goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// The depth of the last iteration.
    pub depth: Option<u32>,
    /// The number of positions.
    pub nodes: Option<u64>,
    /// Ends as soon as a win in so many plies is found.
    pub mate: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The moves to search, all if there are none.
    pub moves: Vec<M>,
    /// Whether the search goes on until it is stopped, even at the end of all that there is to search.
    pub infinite: bool,
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The time for each move when no time is left.
    pub byoyomi: Duration,
    /// The number of moves for the time left; `None` if it is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotted {
    /// No iteration begins after this time, if nothing special happens.
    pub soft: Duration,
    /// The search is broken off at this time.
    pub hard: Duration,
}

impl Clock {
    /// The time for the next move. `overhead` is the time that may be lost between the engine and the clock.
    pub fn allotted(self, overhead: Duration) -> Allotted {
        const USUAL_MOVES: u32 = 26;
        const LEAST: Duration = Duration::from_millis(1);
        let Self { left, increment, byoyomi, moves_to_go } = self;
        // What can be used without losing on time.
        let most = (left + byoyomi).saturating_sub(overhead).max(LEAST);
        let moves = moves_to_go.map_or(USUAL_MOVES, |moves| moves.clamp(1, USUAL_MOVES));
        // Each move loses the overhead.
        let usable = left.saturating_sub(overhead * moves.min(10));
        let share = usable / moves + increment * 3 / 4 + byoyomi;
        // The last move before the next control may use all, otherwise something must be left.
        let reserve =
            if moves == 1 { most * 9 / 10 } else { (left * 2 / 5).max(increment.min(left)) + byoyomi };
        let hard = reserve.min(most).max(LEAST);
        Allotted { soft: (share * 7 / 10).clamp(LEAST, hard), hard: (share * 5 / 2).clamp(LEAST, hard) }
    }
}

/// No limits.
impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            moves: Vec::new(),
            infinite: false,
        }
    }
}

impl<M> Limits<M> {
    /// The time for the move, if it is limited.
    pub fn allotted(&self, overhead: Duration) -> Option<Allotted> {
        let fixed = self.move_time.map(|time| {
            let hard = time.saturating_sub(overhead).max(Duration::from_millis(1));
            Allotted { soft: hard, hard }
        });
        fixed.or_else(|| self.clock.map(|clock| clock.allotted(overhead)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [0, 1, 5, 20, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    for overhead in [MS(0), MS(10), MS(300)] {
                        let clock =
                            Clock { left: MS(left), increment: MS(increment), byoyomi: MS(0), moves_to_go };
                        let Allotted { soft, hard } = clock.allotted(overhead);
                        assert!(soft <= hard, "{clock:?}");
                        assert!(hard <= MS(left).saturating_sub(overhead).max(MS(1)), "{clock:?} {hard:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn byoyomi_is_used_when_nothing_else_is_left() {
        let clock = Clock { byoyomi: MS(5_000), ..Clock::default() };
        let Allotted { soft, hard } = clock.allotted(MS(100));
        assert!(soft >= MS(3_000) && hard >= MS(4_500) && hard <= MS(4_900), "{soft:?} {hard:?}");
    }

    #[test]
    fn more_time_is_used_when_there_is_more() {
        let of = |left, moves_to_go| {
            Clock { left: MS(left), moves_to_go, ..Clock::default() }.allotted(MS(10)).soft
        };
        assert!(of(60_000, None) > of(30_000, None));
        assert!(of(60_000, Some(5)) > of(60_000, Some(20)));
    }
}
