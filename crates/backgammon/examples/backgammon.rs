//! Sets up a position, lists and plays moves, rolls dice, counts, and draws the board:
//! `cargo run -p endspiel-backgammon --example backgammon`.

use endspiel_backgammon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Backgammon::default();
    let position = game.parse_position("4HPwATDgc/ABMA 31")?;
    assert_eq!(position.count_moves(), 16, "as many boards can be reached with 3 and 1");
    for m in position.moves() {
        println!("{}", game.move_text(&position, m));
    }
    let next = position.play(game.parse_move(&position, "8/5 6/5")?)?;
    assert!(next.awaits_chance(), "now the opponent rolls");
    println!("{}", game.draw(&next, Style::Plain));
    let rolled = next.play_chance(game.parse_chance(&next, "64")?)?;
    println!(
        "{}: {} moves, {} sequences",
        game.position_text(&rolled),
        rolled.count_moves(),
        perft(&rolled, 2)
    );
    Ok(())
}
