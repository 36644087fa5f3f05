//! How fast one GNU Backgammon answers, and how fast it plays: `cargo run --release -p endspiel-env --example gnubg_speed -- WHAT`.
//!
//! WHAT is `evaluate`, `best`, `cube`, or `match` with the number of games at once. Run it with `time` to see the processor time,
//! which includes that of gnubg.

use backgammon::{Backgammon, Position};
use endspiel_env::backgammon::agents::gnubg::{Gnubg, Ply};
use endspiel_env::{SeriesSettings, matches};
use game::{Game, Notation, Options, Position as _};
use serde::Deserialize;
use std::error::Error;
use std::time::Instant;

#[derive(Deserialize)]
struct Row {
    id: String,
    #[serde(default)]
    dice: Vec<u8>,
}

/// The positions of a fixture, without finished ones.
fn positions(file: &str, cube: bool) -> Vec<Position> {
    let mut options = Options::default();
    options.set(&backgammon::CUBE, if cube { "on" } else { "off" }.to_owned());
    let game = Backgammon::new(&options).expect("options of this file");
    let rows: Vec<Row> = fixtures::rows(file);
    let read = |row: &Row| {
        let dice: String = row.dice.iter().map(u8::to_string).collect(); // none: before the roll
        game.parse_position(format!("{} {dice}", row.id).trim_end()).expect("a position")
    };
    rows.iter().map(read).filter(|position| position.outcome().is_none()).collect()
}

/// Prints how many answers a second there are at each ply.
fn print_speeds(
    what: &str,
    counts: [usize; 3],
    mut ask: impl FnMut(Ply, usize) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for (ply, count) in Ply::ALL.into_iter().zip(counts) {
        let started = Instant::now();
        ask(ply, count)?;
        let rate = count as f64 / started.elapsed().as_secs_f64();
        println!("{what} at ply {}: {rate:.0}/s", ply.number());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    match what.as_str() {
        "evaluate" => {
            let (positions, mut gnubg) = (positions("backgammon/eval0.jsonl.gz", false), Gnubg::start()?);
            gnubg.evaluate(&positions[0], None)?;
            print_speeds("evaluations", [3_000, 1_000, 100], |ply, count| {
                gnubg.evaluations(&positions[..count], ply)?;
                Ok(())
            })
        }
        "best" => {
            let (positions, mut gnubg) = (positions("backgammon/moves.jsonl.gz", false), Gnubg::start()?);
            print_speeds("best moves with equity", [3_000, 500, 50], |ply, count| {
                gnubg.best_moves(&positions[..count], ply)?;
                Ok(())
            })
        }
        "cube" => {
            let (positions, mut gnubg) = (positions("backgammon/eval0.jsonl.gz", true), Gnubg::start()?);
            print_speeds("opinions about the cube", [300, 300, 50], |ply, count| {
                gnubg.cube_opinions(&positions[..count], ply)?;
                Ok(())
            })
        }
        "match" => {
            let at_once = arguments.next().map(|number| number.parse()).transpose()?;
            let started = Instant::now();
            let settings = SeriesSettings { at_once, ..SeriesSettings::new(["gnubg:0", "random"], 200, 1) };
            matches(Backgammon::default()).play(&settings, &mut |_| true)?;
            println!("gnubg:0 against random: {:.1} games/s", 200.0 / started.elapsed().as_secs_f64());
            Ok(())
        }
        _ => Err("one of evaluate, best, cube and match is needed".into()),
    }
}
