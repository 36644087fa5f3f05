//! Sets up a position, lists and plays moves, counts them, draws the board, and asks the tables of a folder if one is given:
//! `cargo run -p endspiel-shogi --example shogi [FOLDER]`.

use endspiel_shogi::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shogi = Shogi::default();
    let start = shogi.start();
    assert_eq!(start.count_moves(), 30);
    assert_eq!(perft(&start, 3), 25_470);
    for m in start.moves() {
        println!("{}", shogi.move_text(&start, m));
    }
    let next = start.play(shogi.parse_move(&start, "7g7f")?)?;
    println!("{}", shogi.draw(&next, Style::Plain));
    assert_eq!(next.to_string(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");

    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    let prober = Prober::new(Shogi::default(), Arc::new(Library::new(folder, DEFAULT_CACHE_BYTES)));
    let ending = Shogi::default().parse_position("9/9/9/9/2k6/9/K8/9/9 b R 1")?;
    println!("{:?}", prober.value(&ending)?);
    for RankedMove { m, value, .. } in prober.moves(&ending)? {
        println!("{}: {value:?}", Shogi::default().move_text(&ending, m));
    }
    Ok(())
}
