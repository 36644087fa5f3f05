//! Reads a match file.

use super::error::{MatError, MatErrorKind};
use super::{Action, Game, LONGEST, Match, Tag, clean_name};
use crate::dice::Roll;
use crate::move_text;
use crate::moves::{Move, Turn};
use game::{BySide, Position as _, Side};

/// The tag for the Jacoby rule: gammons count only after the cube was turned. Few programs write it.
pub const JACOBY: &str = "Jacoby";

/// Text that begins left of this column belongs to the left player.
const MIDDLE: usize = 20;

/// Reads a match file and replays it by the rules.
///
/// A session for money does not always say whether the Jacoby rule holds. The rule is assumed if the points are right
/// only with it.
///
/// # Errors
/// Returns an error if the text is not a match file, if a move is not legal, or if the points are not those that were
/// won.
pub fn read(text: &str) -> Result<Match, MatError> {
    if text.len() > LONGEST {
        return Err(MatError { line: 1, kind: MatErrorKind::TooLong });
    }
    // Some editors write a byte order mark at the start of a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let played = read_with(text, false);
    match &played {
        Err(MatError { kind: MatErrorKind::Result { points: Some(_), .. }, .. }) => {
            read_with(text, true).or(played)
        }
        _ => played,
    }
}

fn read_with(text: &str, jacoby: bool) -> Result<Match, MatError> {
    let mut reader = Reader::new(jacoby);
    for (at, line) in text.lines().enumerate() {
        reader.read_line(line).map_err(|kind| MatError { line: at + 1, kind })?;
    }
    let last = MatError { line: text.lines().count().max(1), kind: MatErrorKind::NoLength };
    reader.finish().ok_or(last)
}

#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) jacoby: bool,
    pub(super) tags: Vec<Tag>,
    /// The length of the match: `None` before it is read, 0 for money.
    pub(super) length: Option<u16>,
    pub(super) read: Option<Match>,
    pub(super) stage: Stage,
    /// The points before the next game, if that game is the first of `read`. `None` if they are not known.
    pub(super) expected: Option<BySide<u32>>,
}

/// Where in a game the reader is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Outside of a game.
    Between,
    /// The line with the players comes next.
    Announced,
    /// The players are known, with these points. The side that begins is not known yet.
    Named(BySide<u32>),
    /// In the moves of a game.
    Playing,
}

/// An action of a player, or the end of the game.
struct Cell<'a> {
    /// The player in whose column the text is.
    side: Side,
    text: &'a str,
}

impl Reader {
    pub(super) const fn new(jacoby: bool) -> Self {
        Self { jacoby, tags: Vec::new(), length: None, read: None, stage: Stage::Between, expected: None }
    }

    pub(super) fn read_line(&mut self, line: &str) -> Result<(), MatErrorKind> {
        let found = || line.trim().to_owned();
        let text = line.trim();
        if text.is_empty() {
            return Ok(());
        }
        if let Some(comment) = text.strip_prefix(';') {
            self.read_comment(comment);
            return Ok(());
        }
        if let Stage::Announced = self.stage {
            return self.read_players(text);
        }
        let words: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        match words.as_slice() {
            [length, "point" | "points", "match", ..] if self.read.is_none() && self.length.is_none() => {
                let length: u32 = length.parse().map_err(|_| MatErrorKind::Line { found: found() })?;
                let known = u16::try_from(length);
                let known = known.map_err(|_| crate::terms::ScoreError::Length { length })?;
                self.length = Some(known);
                self.names_only(BySide { first: "?", second: "?" })?;
                Ok(())
            }
            ["Game", number] if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.begin_silently()?;
                if self.length.is_none() {
                    return Err(MatErrorKind::NoLength);
                }
                self.stage = Stage::Announced;
                Ok(())
            }
            ["Wins", ..] => self.end(&Cell { side: side_at(line, text), text }),
            _ => self.read_row(line),
        }
    }

    fn read_comment(&mut self, comment: &str) {
        let inside = comment.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let Some((name, value)) = inside.and_then(|inside| inside.split_once(' ')) else { return };
        let tag = Tag::new(name, value);
        match tag.name() {
            JACOBY => {
                self.jacoby = ["on", "true", "1"].iter().any(|yes| tag.value().eq_ignore_ascii_case(yes))
            }
            _ => self.tags.push(tag),
        }
    }

    /// Returns a match with the length read so far and these players, but without games. Returns an error if no match
    /// can have this length.
    fn names_only(&self, players: BySide<&str>) -> Result<Match, MatErrorKind> {
        Ok(Match::new(self.length.filter(|&length| length > 0), self.jacoby, players)?)
    }

    fn read_players(&mut self, text: &str) -> Result<(), MatErrorKind> {
        let (names, points) =
            parse_players(text).ok_or_else(|| MatErrorKind::Players { found: text.to_owned() })?;
        match &self.read {
            None => {
                let players = BySide { first: names.first.as_str(), second: names.second.as_str() };
                self.read = Some(self.names_only(players)?);
            }
            Some(read) if read.players != names => {
                return Err(MatErrorKind::OtherPlayers { found: text.to_owned() });
            }
            Some(read) => {
                // The result of a game that was broken off is not known.
                let expected = match read.games.last() {
                    Some(last) => last.result().map(|_| last.score_after()),
                    None => self.expected,
                };
                let expected = expected.unwrap_or(points);
                if points != expected {
                    return Err(MatErrorKind::Points { found: points, expected });
                }
            }
        }
        self.stage = Stage::Named(points);
        Ok(())
    }

    /// The current game, or `None` outside of a game. If it has not begun, it begins with this side.
    fn game(&mut self, first: Side) -> Result<Option<&mut Game>, MatErrorKind> {
        let Some(read) = &mut self.read else { return Ok(None) };
        match self.stage {
            Stage::Named(points) => {
                self.stage = Stage::Playing;
                Ok(Some(read.begin_at(points, first)?))
            }
            Stage::Playing => Ok(read.games.last_mut()),
            Stage::Between | Stage::Announced => Ok(None),
        }
    }

    /// Begins a game that has players but no moves, so that it is part of the match, too.
    pub(super) fn begin_silently(&mut self) -> Result<(), MatErrorKind> {
        if let Stage::Named(_) = self.stage {
            self.game(Side::First)?;
        }
        Ok(())
    }

    /// Reads a line with a number and the actions of one or both players.
    fn read_row(&mut self, line: &str) -> Result<(), MatErrorKind> {
        let not_a_row = || MatErrorKind::Line { found: line.trim().to_owned() };
        let (number, _) = line.split_once(')').ok_or_else(not_a_row)?;
        let is_number = !number.trim().is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(not_a_row());
        }
        for cell in cells(line, number.len() + 1)? {
            match cell.text.starts_with("Wins") {
                true => self.end(&cell)?,
                false => self.act(&cell)?,
            }
        }
        Ok(())
    }

    fn act(&mut self, cell: &Cell<'_>) -> Result<(), MatErrorKind> {
        let found = || cell.text.to_owned();
        let game = self.game(cell.side)?.ok_or_else(|| MatErrorKind::Line { found: found() })?;
        if game.result().is_some() || game.unplayed().is_some() {
            return Err(MatErrorKind::AfterEnd { found: found() });
        }
        if game.last().turn() != cell.side {
            return Err(MatErrorKind::Turn { found: found() });
        }
        let cannot = |_| MatErrorKind::Action { found: found() };
        let words: Vec<&str> = cell.text.split_ascii_whitespace().take(4).collect();
        match words.as_slice() {
            ["Takes"] => game.play(Action::Take).map_err(cannot),
            ["Drops"] => game.play(Action::Drop).map_err(cannot),
            ["Doubles"] => game.play(Action::Double).map_err(cannot),
            ["Doubles", "=>", value] => {
                let expected = game.last().cube().value() * 2;
                if value.parse() != Ok(expected) {
                    return Err(MatErrorKind::CubeValue { found: found(), expected });
                }
                game.play(Action::Double).map_err(cannot)
            }
            _ => roll(game, cell.text),
        }
    }

    fn end(&mut self, cell: &Cell<'_>) -> Result<(), MatErrorKind> {
        let found = || cell.text.to_owned();
        let game = self.game(Side::First)?.ok_or_else(|| MatErrorKind::Line { found: found() })?;
        if game.is_resigned() {
            return Err(MatErrorKind::AfterEnd { found: found() });
        }
        let won = game.result();
        let wrong = || MatErrorKind::Result { found: found(), points: won.map(|(_, points)| points) };
        let mut words = cell.text.split_ascii_whitespace().skip(1);
        let points: u32 = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
        match won {
            // Some programs write only the points that the winner still needed.
            Some((winner, all)) if winner == cell.side => {
                let is_right = points == all || Some(points) == game.last().points();
                is_right.then_some(()).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
            None => game.resign(cell.side, points).map_err(|_| wrong()),
        }
    }

    fn finish(mut self) -> Option<Match> {
        self.begin_silently().ok()?;
        if self.read.is_none() && self.length.is_some() {
            self.read = self.names_only(BySide { first: "", second: "" }).ok();
        }
        let mut read = self.read?;
        read.tags = self.tags;
        Some(read)
    }
}

/// Reads a roll and the move that was played with it.
fn roll(game: &mut Game, text: &str) -> Result<(), MatErrorKind> {
    let found = || text.to_owned();
    let (dice, played) = text.split_once(':').ok_or_else(|| MatErrorKind::Cell { found: found() })?;
    let roll = Roll::parse(dice).ok_or_else(|| MatErrorKind::Cell { found: found() })?;
    let rolled = game.rolled(roll).ok_or_else(|| MatErrorKind::Action { found: found() })?;
    let played = played.trim();
    let turn = match played.is_empty() {
        false => match move_text::parse(&rolled, played)? {
            Move::Turn(turn) => turn,
            _ => return Err(MatErrorKind::Cell { found: found() }),
        },
        true if rolled.is_legal(Move::Turn(Turn::DANCE)) => Turn::DANCE,
        true => return game.leave(roll).map_err(|_| MatErrorKind::Action { found: found() }),
    };
    game.play(Action::Play(roll, turn)).map_err(|_| MatErrorKind::Action { found: found() })
}

/// The player in whose column this part of a line is.
fn side_at(line: &str, part: &str) -> Side {
    let column = line.find(part).unwrap_or(0);
    if column < MIDDLE { Side::First } else { Side::Second }
}

/// Splits a line, from this byte on, into cells.
fn cells(line: &str, from: usize) -> Result<Vec<Cell<'_>>, MatErrorKind> {
    let mut starts = Vec::new();
    let mut at = from;
    while let Some(word) = line[at..].split_ascii_whitespace().next() {
        let start = at + line[at..].find(word).unwrap_or(0);
        let is_roll = word.as_bytes().get(2) == Some(&b':');
        let begins = is_roll || matches!(word, "Doubles" | "Takes" | "Drops" | "Wins");
        if begins {
            starts.push(start);
        } else if starts.is_empty() {
            return Err(MatErrorKind::Cell { found: line[start..].trim().to_owned() });
        }
        at = start + word.len();
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    let cell = |(&start, end): (&usize, usize)| Cell {
        side: if start < MIDDLE { Side::First } else { Side::Second },
        text: line[start..end].trim(),
    };
    Ok(starts.iter().zip(ends).map(cell).collect())
}

/// Reads a line such as `Anna : 0   otto : 3`.
fn parse_players(text: &str) -> Option<(BySide<String>, BySide<u32>)> {
    let (head, last) = text.rsplit_once(':')?;
    let second_points = last.trim().parse().ok()?;
    let (first, rest) = head.split_once(':')?;
    let rest = rest.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (first_points, second) = (rest[..digits].parse().ok()?, &rest[digits..]);
    if !second.is_empty() && !second.starts_with(char::is_whitespace) {
        return None;
    }
    let names = BySide { first: clean_name(first), second: clean_name(second) };
    Some((names, BySide { first: first_points, second: second_points }))
}
