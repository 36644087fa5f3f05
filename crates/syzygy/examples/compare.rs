//! Compares with another program, position by position: `cargo run --example compare -- FOLDER PROGRAM [COUNT SEED]`.
//!
//! The program is started with the folder of the tables, reads one FEN per line, and answers each as the example `probe`
//! does. It is asked for every legal position of all tables in the folder, where mirror images count once, or for COUNT
//! random positions of each. The last line of the output has the number of positions that were compared.

use chess::{Board, Kind, Piece, Position, Setup, Square};
use endspiel_syzygy::{Dtz, Material, Metric, Tablebase, Wdl5};
use game::{Rng, Side};
use std::error::Error;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Positions that are handed over together.
const BATCH: usize = 4096;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, program, sample) = match &arguments[..] {
        [folder, program] => (folder, program, None),
        [folder, program, count, seed] => (folder, program, Some((count.parse::<u32>()?, seed.parse()?))),
        _ => return Err("give the folder of the tables and the program; and a count and a seed".into()),
    };
    let tables = Tablebase::open_path(folder)?;
    let mut materials: Vec<Material> = tables.materials(Metric::Wdl).collect();
    materials.sort_by_key(|material| (material.men(), material.to_string()));
    let (mut all, mut all_otherwise) = (0, 0);
    for material in &materials {
        let mut peer = Command::new(program).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(questions), Some(answers)) = (peer.stdin.take(), peer.stdout.take()) else {
            return Err("the program has no input or output".into());
        };
        let (sender, receiver) = sync_channel(64);
        // One thread makes positions, one writes them to the program and computes our answers, one reads the answers.
        let maker = thread::spawn({
            let material = *material;
            move || make(material, sample, sender)
        });
        let (ours_in, ours_out) = sync_channel(64);
        let (asked, wrong, otherwise_rounded) = thread::scope(|scope| {
            let tables = &tables;
            scope.spawn(move || -> std::io::Result<()> {
                let mut questions = BufWriter::new(questions);
                for batch in receiver {
                    for position in &batch {
                        writeln!(questions, "{position}")?;
                    }
                    questions.flush()?;
                    let answers: Vec<_> = batch.into_iter().map(|position| answer(tables, position)).collect();
                    if ours_in.send(answers).is_err() {
                        break;
                    }
                }
                Ok(())
            });
            let (mut asked, mut wrong, mut otherwise_rounded) = (0u64, 0u64, 0u64);
            let mut theirs = BufReader::with_capacity(1 << 16, answers);
            let mut line = String::new();
            for (position, ours) in ours_out.into_iter().flatten() {
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
        maker.join().map_err(|_| "making positions failed")?;
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

type Answer = Result<(Wdl5, Dtz), String>;

fn answer(tables: &Tablebase, position: Position) -> (Position, Answer) {
    let wdl = tables.wdl(&position);
    let both = wdl.and_then(|wdl| Ok((wdl, tables.dtz(&position)?)));
    (position, both.map_err(|error| error.to_string()))
}

/// Compares the program's answer with ours. Value and distance must be equal. Where a distance is derived from those after
/// each move, programs differ in when they call it rounded: this is `Some(false)`.
fn agree(ours: &Answer, theirs: &str) -> Option<bool> {
    let (wdl, dtz) = ours.as_ref().ok()?;
    let theirs = theirs.strip_prefix(&format!("{} {} ", wdl.number(), dtz.plies()))?;
    Some((theirs == "exact") == dtz.is_exact())
}

/// Sends the positions of a material in batches.
fn make(material: Material, sample: Option<(u32, u64)>, sender: SyncSender<Vec<Position>>) {
    let men: Vec<Piece> = [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn]
        .into_iter()
        .flat_map(|kind| Side::ALL.map(|side| Piece { side, kind }))
        .flat_map(|piece| (0..material.count(piece.side, piece.kind)).map(move |_| piece))
        .collect();
    let mut batch = Vec::with_capacity(BATCH);
    let mut send = |position: Option<Position>| {
        batch.extend(position);
        if batch.len() >= BATCH || position.is_none() {
            let _ = sender.send(std::mem::take(&mut batch));
        }
    };
    match sample {
        None => place(&men, &mut Vec::new(), &mut |board| legal(board, &mut |position| send(Some(position)))),
        Some((count, seed)) => {
            let mut rng = Rng::new(seed ^ u64::from(material.men()) << 32);
            let mut made = 0;
            while made < count {
                let mut board = Board::EMPTY;
                for &piece in &men {
                    let square = Square::from_index(rng.below(64) as u8).unwrap_or_default();
                    board.set(square, Some(piece));
                }
                if board.occupied().len() as usize == men.len() {
                    legal(&board, &mut |position| {
                        made += 1;
                        send(Some(position));
                    });
                }
            }
        }
    }
    send(None);
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

/// The legal positions with these men on these squares: both sides to move, and every right to capture en passant.
fn legal(board: &Board, visit: &mut dyn FnMut(Position)) {
    for turn in Side::ALL {
        let setup =
            Setup { board: *board, turn, castling: Default::default(), en_passant: None, clock: Default::default() };
        let Ok(position) = Position::try_from(setup) else { continue };
        visit(position);
        if board.of(Side::First, Kind::Pawn).is_empty() || board.of(Side::Second, Kind::Pawn).is_empty() {
            continue;
        }
        let behind = if turn == Side::First { 5 } else { 2 };
        for file in 0..8 {
            let en_passant = Some(Square::at(file, behind));
            let with_right = Position::try_from(Setup { en_passant, ..setup });
            with_right.into_iter().filter(|position| position.en_passant().is_some()).for_each(&mut *visit);
        }
    }
}
