//! An independent reference program for CoTuLenh. It plays by the text of the rules, solves the endgames of three
//! pieces by brute force, and searches other positions to a small depth. The tables and the move generator of the
//! workspace can be compared with it, because it shares no code with them.
//!
//! ```text
//! cotulenh-reference check
//!     reads FENs from standard input; for each it prints the number of turns, the number of different results, and
//!     `check` or `quiet`
//! cotulenh-reference moves
//!     prints the same, then every turn with the FEN after it, one per line, in byte order
//! cotulenh-reference solve X [N [SEED]]
//!     solves commander and X against commander, where X is one of N F T E H I M A G S; prints a summary as comments,
//!     then N samples for each side to move (default 600)
//! cotulenh-reference prove D
//!     reads lines `FEN value` from standard input, with values as `solve` writes them, and searches each position to
//!     D plies, without any table. A distance up to D must be exact. In a draw or a longer distance, no side may have a
//!     forced win within D plies. Prints every disagreement, then counts; the exit code is 1 if there is any
//!     disagreement
//! ```
//!
//! Everything is as simple as possible. A board is an array of 132 points, and a turn is played on a copy of it. The
//! values of an endgame are found by visiting every position again and again until nothing changes. There are no
//! unmoves and no symmetries, except that half of the samples are printed with colours exchanged.
//!
//! - `board.rs`: terrain, pieces, stacks (sections 1 to 3 of the rules), FEN (section 10);
//! - `rules.rs`: actions, air defence, danger, promotions, turns (sections 4 to 8, 11);
//! - `solve.rs`: the endgames and their samples;
//! - `prove.rs`: checks of claims about any positions.

mod board;
mod prove;
mod rules;
mod solve;

use board::{Kind, Position};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};

const USAGE: &str = "cotulenh-reference check | moves | solve X [N [SEED]] | prove D";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["check"] => answer_fens(false),
        ["moves"] => answer_fens(true),
        ["solve", piece, ref rest @ ..] if rest.len() <= 2 => solve_ending(piece, rest),
        ["prove", limit] => prove_claims(limit),
        _ => Err(USAGE.to_string()),
    };
    if let Err(message) = result {
        eprintln!("{message}");
        std::process::exit(1);
    }
}

fn answer_fens(list_turns: bool) -> Result<(), String> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let position = Position::from_fen(line.trim()).map_err(|error| format!("{line}: {error}"))?;
        let mut turns = Vec::new();
        rules::for_each_turn(&position, &mut |turn| {
            turns.push(format!("{} {}", turn.notation(), turn.result(&position).to_fen()));
        });
        turns.sort();
        // The notation has no spaces, so the FEN begins after the first space.
        let results: BTreeSet<&str> = turns.iter().filter_map(|turn| Some(turn.split_once(' ')?.1)).collect();
        let check = if rules::is_attacked(&position.board, position.mover) { "check" } else { "quiet" };
        let mut text = format!("{} {} {check}\n", turns.len(), results.len());
        if list_turns {
            turns.iter().for_each(|turn| text += &format!("{turn}\n"));
        }
        output.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    }
    output.flush().map_err(|error| error.to_string())
}

fn solve_ending(piece: &str, rest: &[&str]) -> Result<(), String> {
    let number = |place: usize, otherwise: u64| match rest.get(place) {
        Some(text) => text.parse().map_err(|_| format!("not a number: {text}")),
        None => Ok(otherwise),
    };
    let samples = number(0, 600)?;
    let seed = number(1, 1)?;
    let mut letters = piece.chars();
    match (letters.next().and_then(Kind::from_letter), letters.next()) {
        (Some(kind), None) if kind != Kind::Commander => {
            print!("{}", solve::Ending::solve(kind).report(samples as usize, seed));
            Ok(())
        }
        _ => Err(format!("not one of N F T E H I M A G S: {piece}")),
    }
}

fn prove_claims(limit: &str) -> Result<(), String> {
    let limit = limit.parse().map_err(|_| format!("not a number: {limit}"))?;
    let report = prove::check_claims(std::io::stdin().lock(), limit)?;
    print!("{}", report.text);
    match report.disagreements {
        0 => Ok(()),
        count => Err(format!("{count} claims are wrong")),
    }
}
