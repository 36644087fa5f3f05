//! Writing CSA.

use super::pieces::{code, sign, square_text};
use super::start;
use crate::moves::Move;
use crate::records::Game;
use crate::records::headers::csa_name;
use crate::records::line::Comment;
use game::Position as _;

/// Writes a game in CSA. Variations are left out, because the format has none. Two games need a line with a `/`
/// between them.
///
/// ```
/// use endspiel_shogi::Shogi;
/// use endspiel_shogi::records::{End, Ending, Game, csa};
/// use game::{Game as _, Notation};
///
/// let mut game = Game::new(Shogi::default().start());
/// let first = Shogi::default().parse_move(game.line.start(), "7g7f")?;
/// game.line.push(first)?.seconds = Some(16);
/// game.line.end = Some(End::new(Ending::Resigned));
/// let text = csa::write(&game);
/// assert_eq!(text, "V2.2\nPI\n+\n+7776FU\nT16\n%TORYO\n");
/// assert_eq!(csa::read(&text).next(), Some(Ok(game)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(game: &Game) -> String {
    let mut out = "V2.2\n".to_owned();
    for (name, value) in game.headers.iter() {
        out.push_str(&match csa_name(name) {
            player @ ("N+" | "N-") => format!("{player}{value}\n"),
            name => format!("${name}:{value}\n"),
        });
    }
    let line = &game.line;
    start::write(line.start(), &mut out);
    comments(&line.comments, &mut out);
    for turn in line.turns() {
        out.push_str(&format!("{}{}\n", sign(turn.before().turn()), move_text(turn.played())));
        time(turn.seconds, &mut out);
        comments(&turn.comments, &mut out);
    }
    if let Some(end) = &line.end {
        out.push_str(&format!("{}\n", end.ending.csa(line.last().turn())));
        time(end.seconds, &mut out);
        comments(&end.comments, &mut out);
    }
    out
}

fn move_text(m: Move) -> String {
    let to = square_text(m.to());
    match m {
        Move::Drop { kind, .. } => format!("00{to}{}", code(kind)),
        Move::Step { kind, from, promotes, .. } => {
            let after = kind.promoted().filter(|_| promotes).unwrap_or(kind);
            format!("{}{to}{}", square_text(from), code(after))
        }
    }
}

fn time(seconds: Option<u32>, out: &mut String) {
    if let Some(seconds) = seconds {
        out.push_str(&format!("T{seconds}\n"));
    }
}

fn comments(comments: &[Comment], out: &mut String) {
    comments.iter().for_each(|comment| out.push_str(&format!("'{}\n", comment.text())));
}
