//! Sets up a position, lists and plays moves, counts them, draws the board, and asks the tables of a folder if one is given:
//! `cargo run -p endspiel-dobutsu --example dobutsu [FOLDER]`.

use endspiel_dobutsu::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Dobutsu.start();
    assert_eq!(Dobutsu.position_text(&start), "gle/1c1/1C1/ELG b - 1");
    assert_eq!(perft(&start, 3), 123);
    for m in start.moves() {
        println!("{}", Dobutsu.move_text(&start, m));
    }
    // The chick takes a chick, which goes to the hand, and attacks the lion.
    let next = start.play(Dobutsu.parse_move(&start, "2c2b")?)?;
    println!("{}", Dobutsu.draw(&next, Style::Plain));
    assert_eq!(Dobutsu.position_text(&next), "gle/1C1/3/ELG w C 1");

    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    let prober = Prober::new(Dobutsu, Arc::new(Library::new(folder, DEFAULT_CACHE_BYTES)));
    let ending = Dobutsu.parse_position("gle/1c1/1C1/ELG b - 1")?;
    println!("{:?}", prober.value(&ending)?);
    for RankedMove { m, value, .. } in prober.moves(&ending)? {
        println!("{}: {value:?}", Dobutsu.move_text(&ending, m));
    }
    Ok(())
}
