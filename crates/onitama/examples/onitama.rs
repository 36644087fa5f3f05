//! Sets up a position, lists and plays moves, counts them, draws the board, and asks the tables of a folder if one is given:
//! `cargo run -p endspiel-onitama --example onitama [FOLDER]`.

use endspiel_onitama::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let onitama = Onitama::default();
    let start = onitama.start();
    assert_eq!(onitama.position_text(&start), "1121100000000000000033433 b boar,ox elephant,horse crab");
    assert_eq!(perft(&start, 4), 28_509);
    for m in start.moves() {
        println!("{}", onitama.move_text(&start, m));
    }
    let next = start.play(onitama.parse_move(&start, "boar:c1c2")?)?;
    println!("{}", onitama.draw(&next, Style::Plain));
    assert_eq!(onitama.position_text(&next), "1101100200000000000033433 r crab,ox elephant,horse boar");

    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    let prober = Prober::new(Onitama::default(), Arc::new(Library::new(folder, DEFAULT_CACHE_BYTES)));
    let ending =
        Onitama::default().parse_position("4300000000000020010000000 b boar,crab elephant,horse ox")?;
    println!("{:?}", prober.value(&ending)?);
    for RankedMove { m, value, .. } in prober.moves(&ending)? {
        println!("{}: {value:?}", Onitama::default().move_text(&ending, m));
    }
    Ok(())
}
