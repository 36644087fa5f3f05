//! Sets up a position, lists and plays moves, counts them, draws the board, and asks the tables of a folder if one is given:
//! `cargo run -p endspiel-chess --example chess [FOLDER]`.

use endspiel_chess::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chess = Chess::STANDARD;
    let kiwipete: Position =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse()?;
    assert_eq!(kiwipete.count_moves(), 48);
    assert_eq!(perft(&kiwipete, 3), 97_862);
    for m in kiwipete.moves() {
        println!("{}", chess.move_text(&kiwipete, m));
    }
    let castled = kiwipete.play(chess.parse_move(&kiwipete, "O-O")?)?;
    println!("{castled}\n{}", chess.draw(&castled, Style::Plain));

    let Some(folder) = std::env::args().nth(1) else { return Ok(()) };
    let prober = Prober::new(Chess::STANDARD, Arc::new(Library::new(folder, DEFAULT_CACHE_BYTES)));
    let ending = Chess::STANDARD.parse_position("8/8/8/8/8/2k5/8/KQ6 b - - 0 1")?;
    println!("{:?}", prober.value(&ending)?);
    for RankedMove { m, value, .. } in prober.moves(&ending)? {
        println!("{}: {value:?}", Chess::STANDARD.move_text(&ending, m));
    }
    Ok(())
}
