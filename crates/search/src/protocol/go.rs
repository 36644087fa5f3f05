//! The command `go`: what to search, and for how long.

use crate::limits::{Clock, Limits};
use crate::searchable::{MoveOf, Searchable};
use game::{MoveError, Notation, Position, Side, quoted};
use std::time::Duration;

/// A request to search or to count.
#[derive(Clone, Debug)]
pub(super) struct Go<M> {
    pub limits: Limits<M>,
    /// Whether the position is one that may come, and the clock does not run yet.
    pub ponders: bool,
    /// Counts sequences of moves of this length instead.
    pub perft: Option<u32>,
}

/// How a protocol counts and names what `go` says.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoWords {
    /// The words before the times left: those of the first side and of the second side.
    pub times: [&'static str; 2],
    /// The words before the increments.
    pub increments: [&'static str; 2],
    /// The longest mate in so many moves or plies, in plies.
    pub plies_of_mate: fn(u32) -> u32,
}

/// Why `go` was not understood.
#[derive(Debug, thiserror::Error)]
pub(super) enum GoError {
    #[error("`{word}` needs a number, not {}", quoted(found))]
    Number { word: &'static str, found: String },
    #[error("`{word}` needs a number")]
    NoNumber { word: &'static str },
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("`go` does not know {}", quoted(word))]
    Unknown { word: String },
}

/// Reads the words after `go`.
pub(super) fn parse<G: Searchable + Notation>(
    game: &G,
    position: &G::Position,
    text: &str,
    names: GoWords,
) -> Result<Go<MoveOf<G>>, GoError> {
    let mut go = Go { limits: Limits::default(), ponders: false, perft: None };
    let mut words = text.split_ascii_whitespace().peekable();
    let us = position.turn();
    let (mut clock, mut has_clock) = (Clock::default(), false);
    while let Some(word) = words.next() {
        let known = [
            "depth",
            "nodes",
            "mate",
            "movetime",
            "movestogo",
            "byoyomi",
            "perft",
            names.times[0],
            names.times[1],
            names.increments[0],
            names.increments[1],
        ];
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.ponders = true,
            "searchmoves" => {
                while let Some(text) = words.peek() {
                    match game.parse_move(position, text) {
                        Ok(m) => go.limits.moves.push(m),
                        // The list ends at the next word of the command.
                        Err(_) if known.contains(text) || ["infinite", "ponder"].contains(text) => break,
                        Err(error) => return Err(error.into()),
                    }
                    words.next();
                }
            }
            _ => {
                let Some(&word) = known.iter().find(|known| **known == word) else {
                    return Err(GoError::Unknown { word: word.to_owned() });
                };
                let found = words.next().ok_or(GoError::NoNumber { word })?;
                // A clock that has run out may be below zero.
                let number: i64 =
                    found.parse().map_err(|_| GoError::Number { word, found: found.to_owned() })?;
                let count = number.clamp(0, u32::MAX.into()) as u32;
                let time = Duration::from_millis(number.clamp(0, 1 << 40) as u64);
                let is_own = |words: [&str; 2]| words[us as usize] == word;
                match word {
                    "depth" => go.limits.depth = Some(count.max(1)),
                    "nodes" => go.limits.nodes = Some(number.max(1) as u64),
                    "mate" => go.limits.mate = Some((names.plies_of_mate)(count)),
                    "movetime" => go.limits.move_time = Some(time),
                    "perft" => go.perft = Some(count),
                    "movestogo" => clock.moves_to_go = Some(count).filter(|&count| count > 0),
                    "byoyomi" => (clock.byoyomi, has_clock) = (time, true),
                    _ if is_own(names.times) => (clock.left, has_clock) = (time, true),
                    _ if is_own(names.increments) => clock.increment = time,
                    // The clock of the opponent.
                    _ => {}
                }
            }
        }
    }
    go.limits.clock = has_clock.then_some(clock);
    let Limits { depth, nodes, mate, move_time, clock, .. } = &go.limits;
    let is_limited = go.perft.is_some()
        || depth.is_some()
        || nodes.is_some()
        || mate.is_some()
        || move_time.is_some()
        || clock.is_some();
    // Without a limit, only `stop` ends the search.
    go.limits.infinite |= !is_limited;
    Ok(go)
}

const _: () = assert!(Side::First as usize == 0 && Side::Second as usize == 1, "sides index the words");

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Chess;
    use game::Game;

    const WORDS: GoWords = GoWords {
        times: ["wtime", "btime"],
        increments: ["winc", "binc"],
        plies_of_mate: |moves| 2 * moves - 1,
    };

    fn go(text: &str) -> Result<Go<chess::Move>, GoError> {
        parse(&Chess::STANDARD, &Chess::STANDARD.start(), text, WORDS)
    }

    #[test]
    fn words_are_limits() {
        let limits = go("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5").unwrap().limits;
        let expected = Clock {
            left: Duration::from_secs(1),
            increment: Duration::from_millis(10),
            moves_to_go: Some(5),
            ..Clock::default()
        };
        assert_eq!(limits.clock, Some(expected));
        let limits = go("depth 3 searchmoves e2e4 d2d4 nodes 99 mate 2").unwrap().limits;
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(3), Some(99), Some(3)));
        assert_eq!(limits.moves.len(), 2);
        assert!(go("").unwrap().limits.infinite && go("searchmoves e2e4 infinite").unwrap().limits.infinite);
        assert!(go("ponder wtime -5 btime 1").unwrap().ponders);
    }

    #[test]
    fn errors_name_the_word() {
        let error = |text| go(text).unwrap_err().to_string();
        assert_eq!(error("depth"), "`depth` needs a number");
        assert_eq!(error("depth x"), "`depth` needs a number, not `x`");
        assert_eq!(error("fast"), "`go` does not know `fast`");
        assert!(error("searchmoves e2e5").contains("`e2e5` is not a legal move"));
    }
}
