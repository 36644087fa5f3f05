//! Answers positions from Syzygy tables: `cargo run --example probe -- FOLDER < positions.txt`.
//!
//! The input has one position per line, as FEN. Each is answered with a line: the value from -2 (loss) to 2 (win), the distance
//! to zeroing in plies, and `exact` or `rounded`; or else the reason why there is no answer.

use endspiel_syzygy::{ProbeError, Tablebase};
use std::error::Error;
use std::io::{BufRead, BufWriter, Write};

fn answer(tables: &Tablebase, fen: &str) -> Result<String, Box<dyn Error>> {
    let position = fen.parse()?;
    let probe = || -> Result<String, ProbeError> {
        let (wdl, dtz) = (tables.wdl(&position)?, tables.dtz(&position)?);
        let rounding = if dtz.is_exact() { "exact" } else { "rounded" };
        Ok(format!("{} {} {rounding}", wdl.number(), dtz.plies()))
    };
    Ok(probe()?)
}

/// Answers every line of the input with a line of the output.
pub fn answer_all(folders: &str, input: impl BufRead, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let tables = Tablebase::open_path(folders)?;
    for line in input.lines() {
        match answer(&tables, &line?) {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(error) => writeln!(output, "error: {error}")?,
        }
    }
    Ok(output.flush()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folders = std::env::args().nth(1).ok_or("give the folder of the tables, or several as DIR:DIR")?;
    answer_all(&folders, std::io::stdin().lock(), &mut BufWriter::new(std::io::stdout().lock()))
}
