//! Compares with another program, position by position: `cargo run --example compare -- FOLDER PROGRAM [COUNT SEED]`.
//!
//! The program is started with the folder of the tables, reads one FEN per line, and answers each as the example `probe`
//! does. It is asked for every legal position of all tables in the folder, where mirror images count once, or for COUNT
//! random positions of each. The last line of the output has the number of positions that were compared.

use chess::{Board, Kind, Piece, Position, Square};
use endspiel_syzygy::{Dtz, Material, Metric, ProbeError, Tablebase, Wdl5};
use std::error::Error;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

#[path = "../tests/common/mod.rs"]
mod common;
use common::{legal_positions, men, random_positions};

/// Positions that are handed over together.
const BATCH: usize = 4096;
/// Batches that wait for each step.
const WAITING: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, program, sample) = match &arguments[..] {
        [folder, program] => (folder, program, None),
        [folder, program, count, seed] => (folder, program, Some((count.parse()?, seed.parse()?))),
        _ => return Err("give the folder of the tables and the program; and a count and a seed".into()),
    };
    let tables = Tablebase::open_path(folder)?;
    let mut materials: Vec<Material> = tables.materials(Metric::Wdl).collect();
    materials.sort_by_key(|material| (material.men(), material.to_string()));
    let (mut all, mut all_otherwise) = (0, 0);
    for material in &materials {
        let mut peer =
            Command::new(program).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(questions), Some(answers)) = (peer.stdin.take(), peer.stdout.take()) else {
            return Err("the program has no input or output".into());
        };
        let (made, to_write) = sync_channel(WAITING);
        let (written, to_answer) = sync_channel(WAITING);
        // One thread makes positions, one writes them to the program, and this one answers them and reads the other answers.
        let (asked, wrong, otherwise_rounded) = thread::scope(|scope| {
            scope.spawn(move || make(*material, sample, &made));
            scope.spawn(move || -> io::Result<()> {
                let mut questions = BufWriter::new(questions);
                for batch in to_write {
                    let lines: String = batch.iter().map(|position| format!("{position}\n")).collect();
                    if written.send(batch).is_err() {
                        break;
                    }
                    questions.write_all(lines.as_bytes())?;
                }
                questions.flush()
            });
            let (mut asked, mut wrong, mut otherwise_rounded) = (0u64, 0u64, 0u64);
            let mut theirs = BufReader::with_capacity(1 << 16, answers);
            let mut line = String::new();
            for position in to_answer.into_iter().flatten() {
                let ours = answer(&tables, &position);
                line.clear();
                let read = theirs.read_line(&mut line);
                asked += 1;
                let agreed = read.ok().and_then(|_| agree(&ours, line.trim()));
                otherwise_rounded += u64::from(agreed == Some(false));
                if agreed.is_none() {
                    wrong += 1;
                    if wrong <= 10 {
                        println!("{position}: {ours:?}, but the program says `{}`", line.trim());
                    }
                }
            }
            (asked, wrong, otherwise_rounded)
        });
        peer.wait()?;
        println!("{material}: {asked} positions, {otherwise_rounded} of them otherwise rounded");
        if wrong > 0 || asked == 0 {
            return Err(format!("{material}: {wrong} of {asked} answers differ").into());
        }
        all += asked;
        all_otherwise += otherwise_rounded;
    }
    println!("{all} positions of {} tables agree, {all_otherwise} are otherwise rounded", materials.len());
    Ok(())
}

type Answer = Result<(Wdl5, Dtz), ProbeError>;

fn answer(tables: &Tablebase, position: &Position) -> Answer {
    Ok((tables.wdl(position)?, tables.dtz(position)?))
}

/// Compares the program's answer with ours. Value and distance must be equal. Where a distance is derived from those after
/// each move, programs differ in when they call it rounded: this is `Some(false)`.
fn agree(ours: &Answer, theirs: &str) -> Option<bool> {
    let (wdl, dtz) = ours.as_ref().ok()?;
    let theirs = theirs.strip_prefix(&format!("{} {} ", wdl.number(), dtz.plies()))?;
    Some((theirs == "exact") == dtz.is_exact())
}

/// Sends the positions of a material in batches.
fn make(material: Material, sample: Option<(usize, u64)>, sender: &SyncSender<Vec<Position>>) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut send = |position| {
        batch.push(position);
        if batch.len() == BATCH {
            // If nobody listens any more, the main thread has failed and says why.
            let _ = sender.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
        }
    };
    match sample {
        Some((count, seed)) => random_positions(material, count, seed, &mut send),
        None => {
            place(&men(material), &mut Vec::new(), &mut |board| legal_positions(board, &mut send));
        }
    }
    let _ = sender.send(batch);
}

/// Places the men that have no square yet in every way, except that mirror images of the board are left out.
fn place(men: &[Piece], squares: &mut Vec<Square>, visit: &mut dyn FnMut(&Board)) {
    let placed = squares.len();
    let Some(&piece) = men.get(placed) else {
        let mut board = Board::EMPTY;
        men.iter().zip(squares.iter()).for_each(|(&piece, &square)| board.set(square, Some(piece)));
        return visit(&board);
    };
    let has_pawns = men.iter().any(|man| man.kind == Kind::Pawn);
    for square in Square::all() {
        let is_image = placed == 0
            && (square.file() > 3 || !has_pawns && (square.rank() > 3 || square.rank() > square.file()));
        let is_twin = placed > 0 && men[placed - 1] == piece && squares[placed - 1] >= square;
        if !is_image && !is_twin && !squares.contains(&square) {
            squares.push(square);
            place(men, squares, visit);
            squares.pop();
        }
    }
}
