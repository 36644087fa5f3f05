//! Checks claims about positions of any material by exhaustive search. It uses no table and no knowledge except the rules.
//!
//! A position is a win if one turn leads to a lost position. It is a loss if every turn leads to a won position. The
//! search goes one ply deeper at a time, so the first depth that decides is the exact distance, counted as in
//! `solve.rs`. If no depth up to the limit decides, the position is a draw or takes longer. As in `solve.rs`, draws by
//! clock and by repetition are ignored.

use crate::board::{Board, Point, Position, Side, Stack};
use crate::rules;
use crate::solve::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::io::BufRead;

/// A position for the search: the side to move and the stacks. The clock and the move number do not matter.
type Key = (Side, Vec<(Point, Stack)>);

fn key(board: &Board, mover: Side) -> Key {
    (mover, board.stacks().map(|(point, stack)| (point, *stack)).collect())
}

/// The positions after all turns, without duplicates.
fn results(position: &Position) -> Vec<Position> {
    let mut known = HashSet::new();
    let mut found = Vec::new();
    rules::for_each_turn(position, &mut |turn| {
        if known.insert(key(turn.after, position.mover.other())) {
            found.push(turn.result(position));
        }
    });
    found
}

/// Returns whether the side to move has lost its commander or is checkmated.
fn is_lost(board: &Board, mover: Side) -> bool {
    if board.commander(mover).is_none() {
        return true;
    }
    // Most turns give no check. Then the replies need not be generated.
    rules::is_attacked(board, mover) && {
        let position = Position { board: board.clone(), mover, half_moves: 0, move_number: 1 };
        let mut can_reply = false;
        rules::for_each_turn(&position, &mut |_| can_reply = true);
        !can_reply
    }
}

/// The search from one position. Results are kept, because turns in another order lead to the same positions again.
#[derive(Default)]
struct Search {
    /// For each position: the least number of plies within which it is known to be lost, and the greatest number of plies
    /// within which it is known not to be lost.
    losses: HashMap<Key, (Option<u16>, Option<u16>)>,
}

impl Search {
    /// Returns whether the side to move can force a win in at most this many plies.
    fn wins_within(&mut self, position: &Position, plies: u16) -> bool {
        match plies {
            0 => false,
            1 => {
                let mut wins = false;
                rules::for_each_turn(position, &mut |turn| {
                    wins = wins || is_lost(turn.after, position.mover.other());
                });
                wins
            }
            _ => results(position).iter().any(|result| self.loses_within(result, plies - 1)),
        }
    }

    /// Returns whether the side to move loses in at most this many plies, whatever it plays.
    fn loses_within(&mut self, position: &Position, plies: u16) -> bool {
        if plies < 2 || position.board.commander(position.mover).is_none() {
            return is_lost(&position.board, position.mover);
        }
        let key = key(&position.board, position.mover);
        let (lost, not_lost) = self.losses.get(&key).copied().unwrap_or_default();
        if lost.is_some_and(|least| least <= plies) {
            return true;
        }
        if not_lost.is_some_and(|greatest| greatest >= plies) {
            return false;
        }
        let results = results(position);
        let loses = if results.is_empty() {
            // Without a legal turn it is checkmate, or stalemate, which is a draw.
            rules::is_attacked(&position.board, position.mover)
        } else {
            results.iter().all(|result| self.wins_within(result, plies - 1))
        };
        // The new bound is better than the old one: otherwise the answer would have been known.
        let bounds = self.losses.entry(key).or_default();
        *(if loses { &mut bounds.0 } else { &mut bounds.1 }) = Some(plies);
        loses
    }
}

/// The value of a position; `None` if it is not decided within the limit.
fn value_within(position: &Position, limit: u16) -> Option<Value> {
    let mut search = Search::default();
    // A side that loses is mated on its own turn, after an even number of plies. A win needs an odd number of plies.
    (0..=limit).find_map(|plies| {
        if plies % 2 == 0 {
            search.loses_within(position, plies).then_some(Value::Loss(plies))
        } else {
            search.wins_within(position, plies).then_some(Value::Win(plies))
        }
    })
}

/// Reads a line `FEN value`. It also reads the output of `solve`: comments are skipped (`None`), and the slice before
/// the FEN is ignored.
fn read_claim(line: &str) -> Result<Option<(Position, Value)>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.first().is_none_or(|word| word.starts_with('#')) {
        return Ok(None);
    }
    let words = if words[0].contains('/') { &words[..] } else { &words[1..] };
    let (fen, value) = words.split_at_checked(6).ok_or("a FEN and a value are needed")?;
    let position = Position::from_fen(&fen.join(" "))?;
    if rules::is_in_danger(&position.board, position.mover.other()) {
        return Err("the side that is not to move is in danger".to_string());
    }
    let value = Value::from_text(&value.join(" ")).ok_or_else(|| format!("no value: {}", value.join(" ")))?;
    Ok(Some((position, value)))
}

pub struct Report {
    pub text: String,
    pub disagreements: usize,
}

/// Checks every claim of the input. Reports each disagreement, then the number of checked claims for each value.
pub fn check_claims(input: impl BufRead, limit: u16) -> Result<Report, String> {
    let mut report = Report { text: String::new(), disagreements: 0 };
    let mut checked: BTreeMap<Value, usize> = BTreeMap::new();
    for line in input.lines() {
        let line = line.map_err(|error| error.to_string())?;
        let Some((position, claim)) = read_claim(&line).map_err(|error| format!("{line}: {error}"))? else {
            continue;
        };
        *checked.entry(claim).or_default() += 1;
        let expected = match claim {
            Value::Win(distance) | Value::Loss(distance) if distance <= limit => Some(claim),
            _ => None,
        };
        let found = value_within(&position, limit);
        if found != expected {
            report.disagreements += 1;
            let found = found.map_or(format!("not decided within {limit}"), Value::text);
            writeln!(report.text, "{}: claimed {}, found {found}", position.to_fen(), claim.text()).unwrap();
        }
    }
    for (claim, count) in &checked {
        writeln!(report.text, "# {}: {count}", claim.text()).unwrap();
    }
    let count: usize = checked.values().sum();
    writeln!(report.text, "# checked {count} within {limit} plies, disagreements {}", report.disagreements)
        .unwrap();
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commander leaves the tank, which becomes heroic and captures the other commander along the diagonal.
    const CAPTURE: &str = "11/11/11/11/7c3/11/11/4(TC)6/11/11/11/11 r - - 0 1";
    /// Navies attack every reachable point of file c, and the other commander sees file d.
    const MATED: &str = "11/11/11/2+N8/3C7/11/11/2c8/11/11/2+N8/11 b - - 0 1";
    /// The commander sees d1 and the navy attacks c2, but nothing attacks c1.
    const STALEMATE: &str = "11/11/11/11/11/11/11/3C7/11/11/N10/2c8 b - - 0 1";

    fn disagreements(claims: &str, limit: u16) -> usize {
        check_claims(claims.as_bytes(), limit).unwrap().disagreements
    }

    #[test]
    fn right_claims_are_told_from_wrong_ones() {
        // The second navy is not yet on file c. The first is not heroic and is too far away to attack.
        let mate_in_one = "11/11/11/2N8/3C7/11/11/2c8/11/11/11/1N9 r - - 0 1";
        // Two positions that `solve` decides by the opposite method, from the end of the game backwards.
        let solved_win = "11/11/11/2c8/11/11/11/11/11/11/N10/3C7 r - - 0 1";
        let solved_loss = "11/11/11/11/11/11/11/11/11/+n10/7c3/3C7 r - - 0 1";
        for (fen, value) in [
            (CAPTURE, "win 1"),
            (mate_in_one, "win 1"),
            (solved_win, "win 3"),
            (MATED, "loss 0"),
            (solved_loss, "loss 2"),
            (STALEMATE, "draw"),
        ] {
            for claim in ["win 1", "win 3", "loss 0", "loss 2", "draw"] {
                let wrong = (claim != value) as usize;
                assert_eq!(disagreements(&format!("{fen} {claim}"), 3), wrong, "{fen} {claim}");
            }
        }
    }

    #[test]
    fn nothing_is_decided_beyond_the_limit() {
        assert_eq!(disagreements(&format!("{CAPTURE} draw\n{CAPTURE} win 1\n{CAPTURE} win 7"), 0), 0);
        let report = check_claims(format!("# solve\nCTvC {CAPTURE} draw\n").as_bytes(), 1).unwrap();
        assert_eq!(
            report.text,
            format!(
                "{CAPTURE}: claimed draw, found win 1\n# draw: 1\n# checked 1 within 1 plies, disagreements 1\n"
            )
        );
    }

    #[test]
    fn claims_that_cannot_be_read_are_refused() {
        let in_danger = MATED.replace(" b ", " r ");
        for line in
            [CAPTURE.to_string(), format!("{CAPTURE} win"), "c".to_string(), format!("{in_danger} win 1")]
        {
            assert!(check_claims(line.as_bytes(), 1).is_err(), "{line}");
        }
    }
}
