//! Boards and turns as GNU Backgammon's interface for other programs writes them: the board of the server FIBS, and a turn as
//! a list of single steps.

use backgammon::{Board, CHECKERS, Canonical, Human, Move, Position, Roll};
use game::{Position as _, Side};
use std::fmt::Write;

/// The number that FIBS uses for the length of a game for money.
const UNLIMITED: u32 = 9999;

/// The board as FIBS writes it for `player`, whose turn it is. It is a game for money with a cube in the middle, and the roll
/// is to be played if there is one.
///
/// FIBS has 26 places: the opponent's bar, the points 1 to 24 of `player`, the bar of `player`. The checkers of `player` are
/// positive.
pub(super) fn board_text(board: &Board, player: Side, roll: Option<Roll>) -> String {
    let (mine, theirs) = (board.counts(player), board.counts(player.other()));
    let mut places = [0i32; 26];
    for canonical in 0..25 {
        places[25 - canonical] += i32::from(mine[canonical]);
        places[canonical] -= i32::from(theirs[canonical]);
    }
    let mut text = format!("board:a:b:{UNLIMITED}:0:0");
    for place in places {
        write!(text, ":{place}").expect("a text can be extended");
    }
    let (high, low) = roll.map_or((0, 0), |roll| (roll.high(), roll.low()));
    let off = [player, player.other()].map(|side| board.off(side).min(CHECKERS));
    // Whose turn it is, both rolls, the cube and who may double, who was doubled, colour and direction, the places of home and
    // bar, checkers off and on the bar, and four numbers that gnubg does not need.
    write!(
        text,
        ":1:{high}:{low}:0:0:1:1:1:0:1:-1:0:25:{}:{}:{}:{}:0:0:0:0",
        off[0], off[1], mine[0], theirs[0]
    )
    .expect("a text can be extended");
    text
}

/// The legal turn that consists of these steps, such as `25/22* 22/18*`; 25 is the bar and 0 is off. An empty text is a dance.
/// Returns `None` if the text is no such list, or if the turn is not legal.
pub(super) fn turn_of(position: &Position, text: &str) -> Option<Move> {
    let mut end = *position;
    for step in text.split_whitespace() {
        let (from, to) = step.trim_end_matches('*').split_once('/')?;
        let (from, to): (u8, u8) = (from.parse().ok()?, to.parse().ok()?);
        let from_place = Human::new(from)?.canonical();
        if to >= from || end.board().count(position.turn(), from_place) == 0 || from_place == Canonical::OFF {
            return None;
        }
        end = end.stepped_unchecked(from_place, from - to);
    }
    position.moves().into_iter().find(|&m| position.play_unchecked(m).board() == end.board())
}

#[cfg(test)]
mod tests {
    use super::*;
    use backgammon::Backgammon;
    use game::Notation;

    /// The FIBS documentation has this board as its example of the start; the player with the positive checkers moves down.
    #[test]
    fn the_start_as_fibs_writes_it() {
        let text = board_text(&Board::START, Side::First, Roll::new(3, 1));
        let start = ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:";
        assert_eq!(text, format!("board:a:b:9999:0:0{start}1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"));
        assert_eq!(board_text(&Board::START, Side::Second, Roll::new(3, 1)), text);
    }

    #[test]
    fn steps_are_one_turn() {
        let game = Backgammon::default();
        let turn = |position: &str, text| {
            let position = game.parse_position(position).expect("a position");
            turn_of(&position, text).map(|m| game.move_text(&position, m))
        };
        let start = "4HPwATDgc/ABMA 31";
        assert_eq!(turn(start, "8/5 6/5").as_deref(), Some("8/5 6/5"));
        assert_eq!(turn(start, "6/5 8/5").as_deref(), Some("8/5 6/5"));
        for wrong in ["", "8/5", "8/5 6/4", "5/8 6/5", "24/21 22/21", "8/5 bar/5", "0/0 6/5", "26/25 6/5"] {
            assert_eq!(turn(start, wrong), None, "{wrong}");
        }
        assert_eq!(turn("27YPAADg/wcAQA 66", "").as_deref(), Some("pass"));
        assert_eq!(turn("/48EAIAAAAAAAA 61", "1/0").as_deref(), Some("1/off"));
    }
}
