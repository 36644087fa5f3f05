//! Sets up a position, lists and plays moves, counts them, draws the board, and asks the tables of a folder if one is given:
//! `cargo run -p endspiel-cotulenh --example cotulenh [FOLDER]`.

use endspiel_cotulenh::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cotulenh = CoTuLenh::default();
    let position: Position = "7c2h/11/11/11/11/11/11/3i(TI)6/3Cm6/11/11/11 r - - 0 1".parse()?;
    assert!(position.is_check());
    assert_eq!((position.count_moves(), perft(&cotulenh.start(), 2)), (8, 13_460));
    for turn in position.moves() {
        println!("{}", position.turn_text(turn));
    }
    let next = position.play(cotulenh.parse_move(&position, "e5::T>xd5,I>xe4")?)?;
    println!("{}", cotulenh.draw(&next, Style::Plain));
    assert_eq!(next.board().of_kind(Side::First, Kind::Infantry).names(), "e4");

    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    let prober = Prober::new(CoTuLenh::default(), Arc::new(Library::new(folder, DEFAULT_CACHE_BYTES)));
    let ending = CoTuLenh::default().parse_position("11/11/11/11/11/11/11/11/11/11/9c1/N9C r - - 0 1")?;
    println!("{:?}", prober.value(&ending)?);
    for RankedMove { m, value, .. } in prober.moves(&ending)? {
        println!("{}: {value:?}", CoTuLenh::default().move_text(&ending, m));
    }
    Ok(())
}
