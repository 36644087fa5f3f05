//! Answers positions with shakmaty-syzygy: `endspiel-peer-syzygy FOLDER < positions.txt`. The input has one FEN per line. Each
//! is answered with a line as by the example `probe` of crates/syzygy: value, distance to zeroing, `exact` or `rounded`.

use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};
use shakmaty_syzygy::{AmbiguousWdl, MaybeRounded, Tablebase};
use std::error::Error;
use std::io::{BufRead, BufWriter, Write};

fn answer(tables: &Tablebase<Chess>, fen: &str) -> Result<String, Box<dyn Error>> {
    // Tables also have positions that no game reaches, such as checks by two rooks of one line.
    let setup = fen.parse::<Fen>()?.into_position(CastlingMode::Standard);
    let position: Chess = setup.or_else(PositionError::ignore_impossible_check)?;
    let wdl = match tables.probe_wdl_after_zeroing(&position)?.into() {
        AmbiguousWdl::Loss => -2,
        AmbiguousWdl::BlessedLoss => -1,
        AmbiguousWdl::Draw => 0,
        AmbiguousWdl::CursedWin => 1,
        AmbiguousWdl::Win => 2,
        AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => return Err("an ambiguous value".into()),
    };
    Ok(match tables.probe_dtz(&position)? {
        MaybeRounded::Precise(dtz) => format!("{wdl} {} exact", i32::from(dtz)),
        MaybeRounded::Rounded(dtz) => format!("{wdl} {} rounded", i32::from(dtz)),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of the tables")?;
    // SAFETY: nobody changes the tables while this program runs.
    let mut tables = unsafe { Tablebase::with_mmap_filesystem() };
    tables.add_directory(folder)?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        match answer(&tables, &line?) {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(error) => writeln!(output, "error: {error}")?,
        }
    }
    Ok(output.flush()?)
}
