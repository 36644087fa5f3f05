//! Writing KIF.

use super::{moves, start};
use crate::records::Game;
use crate::records::ending::Ending;
use crate::records::headers::{self, VARIATION};
use crate::records::line::{Comment, Line};
use game::{Position as _, Side};

/// The width of a written move in columns. A kanji is two columns wide.
const COLUMNS: usize = 12;

/// Writes a game in KIF.
///
/// ```
/// use endspiel_shogi::Shogi;
/// use endspiel_shogi::records::{End, Ending, Game, kif};
/// use game::{Game as _, Notation};
///
/// let mut game = Game::new(Shogi::default().start());
/// let first = Shogi::default().parse_move(game.line.start(), "7g7f")?;
/// game.line.push(first)?.seconds = Some(16);
/// game.line.end = Some(End::new(Ending::Resigned));
/// let text = kif::write(&game);
/// assert!(text.contains("\n   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 投了\nまで1手で先手の勝ち\n"));
/// assert_eq!(kif::read(&text)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(game: &Game) -> String {
    let mut out = String::new();
    let start = game.line.start();
    start::write(start, &mut out);
    let sides = match start::handicap_of(start) {
        None => [headers::BLACK, headers::WHITE],
        Some(_) => ["下手", "上手"],
    };
    for (name, value) in game.headers.iter() {
        let name = headers::side_named(name).map_or(name, |side| sides[side as usize]);
        out.push_str(&format!("{name}：{value}\n"));
    }
    out.push_str("手数----指手---------消費時間--\n");
    Writer { out: &mut out, sides }.line(&game.line, [0; 2]);
    out
}

struct Writer<'a> {
    out: &'a mut String,
    /// The names of the sides.
    sides: [&'static str; 2],
}

/// The total time of each side, in seconds.
type Totals = [u64; 2];

impl Writer<'_> {
    fn line(&mut self, line: &Line, mut totals: Totals) {
        self.comments(&line.comments);
        let mut totals_before = Vec::with_capacity(line.turns().len() + 1);
        for (at, turn) in line.turns().iter().enumerate() {
            totals_before.push(totals);
            let text = moves::text(turn.played(), line.previous(at));
            self.numbered(
                line.first + at + 1,
                &text,
                turn.seconds,
                &mut totals[turn.before().turn() as usize],
            );
            self.comments(&turn.comments);
        }
        totals_before.push(totals);
        if let Some(end) = &line.end {
            let (played, turn) = (line.first + line.turns().len(), line.last().turn());
            self.numbered(played + 1, end.ending.kif(), end.seconds, &mut totals[turn as usize]);
            self.comments(&end.comments);
            let sentence = self.sentence(end.ending, turn);
            self.out.push_str(&format!("まで{played}手で{sentence}\n"));
        }
        // Variations of later moves come first. Otherwise a variation could seem to be part of the one before it.
        for (&at, variations) in line.variations.iter().rev() {
            for variation in variations {
                self.out.push_str(&format!("\n{VARIATION}：{}手\n", variation.first + 1));
                self.line(variation, totals_before.get(at).copied().unwrap_or(totals));
            }
        }
    }

    /// Writes a move or an end, with its number and time.
    fn numbered(&mut self, number: usize, text: &str, seconds: Option<u32>, total: &mut u64) {
        self.out.push_str(&format!("{number:>4} {text}"));
        if let Some(spent) = seconds {
            *total += u64::from(spent);
            let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            let gap = " ".repeat(COLUMNS.saturating_sub(width) + 1);
            let (hours, minutes) = (*total / 3600, *total / 60 % 60);
            let time =
                format!("{:>2}:{:02}/{hours:02}:{minutes:02}:{:02}", spent / 60, spent % 60, *total % 60);
            self.out.push_str(&format!("{gap}({time})"));
        }
        self.out.push('\n');
    }

    fn comments(&mut self, comments: &[Comment]) {
        comments.iter().for_each(|comment| self.out.push_str(&format!("*{}\n", comment.text())));
    }

    /// The sentence that names the winner, or the end of a game without a winner.
    fn sentence(&self, ending: Ending, turn: Side) -> String {
        let side = |side: Side| self.sides[side as usize];
        match (ending, ending.winner(turn)) {
            (Ending::IllegalMove, _) => format!("{}の反則負け", side(turn)),
            (Ending::OpponentIllegal | Ending::Declared, _) => format!("{}の{}", side(turn), ending.kif()),
            (Ending::TimeUp, Some(winner)) => format!("時間切れにより{}の勝ち", side(winner)),
            (_, Some(winner)) => format!("{}の勝ち", side(winner)),
            (_, None) => ending.kif().to_owned(),
        }
    }
}
