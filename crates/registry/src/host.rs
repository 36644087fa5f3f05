//! A game behind its name: every verb is called once per command and works on the game's own types inside.

use crate::error::Error;
use crate::session::{Ending, GameSession, Session};
use crate::{json, lines};
use game::perft::{self, Counting};
use game::{Info, Notation, Position, Rng};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Arc;

/// A game with its options fixed, spoken to in text.
pub trait Host: Send + Sync {
    /// What the game says about itself.
    fn info(&self) -> &'static Info;

    /// Names its rules among those of the same game.
    fn rules_id(&self) -> String;

    /// A game to play or look at, from a position or from the start.
    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error>;

    /// Reads a position per line and answers each with a line of JSON: its legal moves and its outcome.
    fn moves(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;

    /// The number of sequences of `depth` moves, on the threads of the current rayon pool. `progress` hears how many
    /// of how many parts are done.
    fn perft(
        &self,
        position: Option<&str>,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<u64, Error>;

    /// The same by first moves, sorted by their text.
    fn divide(
        &self,
        position: Option<&str>,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<(String, u64)>, Error>;

    /// Writes unfinished positions, reached by random play from the start, one per line.
    fn sample(&self, count: u64, seed: u64, output: &mut dyn Write) -> io::Result<()>;
}

/// Makes any game a [`Host`].
pub struct Hosted<G>(Arc<G>);

impl<G: Notation> Hosted<G> {
    /// Hosts the game.
    pub fn new(game: G) -> Self {
        Self(Arc::new(game))
    }

    fn position(&self, text: Option<&str>) -> Result<G::Position, Error> {
        let Some(text) = text else { return Ok(self.0.start()) };
        self.0.parse_position(text).map_err(|source| Error::Position {
            game: G::INFO.title,
            text: shortened(text),
            source: Box::new(source),
        })
    }
}

/// A text as an error quotes it: hostile ones can be long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl<G: Notation> Host for Hosted<G> {
    fn info(&self) -> &'static Info {
        &G::INFO
    }

    fn rules_id(&self) -> String {
        self.0.rules_id()
    }

    fn session(&self, position: Option<&str>) -> Result<Box<dyn Session>, Error> {
        Ok(Box::new(GameSession::new(Arc::clone(&self.0), self.position(position)?)))
    }

    fn moves(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        let mut moves = MoveList::default();
        lines::answer_each(input, output, |line, out| {
            out.push_str("{\"position\":");
            json::push_string(out, line);
            match self.0.parse_position(line) {
                Err(error) => {
                    out.push_str(",\"error\":");
                    json::push_string(out, &error.to_string());
                }
                Ok(position) => {
                    out.push_str(",\"moves\":[");
                    moves.clear();
                    position.for_each_move(|m| moves.push(|text| self.0.write_move(&position, m, text)));
                    moves.write_sorted(out);
                    out.push_str("],\"outcome\":");
                    Ending::push_json(position.outcome().map(|outcome| Ending::new(&G::INFO, outcome)), out);
                }
            }
            out.push('}');
        })
    }

    fn perft(
        &self,
        position: Option<&str>,
        depth: u32,
        counting: Counting,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<u64, Error> {
        Ok(perft::count_parallel(&self.position(position)?, depth, counting, progress))
    }

    fn divide(
        &self,
        position: Option<&str>,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<(String, u64)>, Error> {
        let position = self.position(position)?;
        let parts = perft::divide(&position, depth, counting).into_iter();
        let mut parts: Vec<_> = parts.map(|(m, nodes)| (self.0.move_text(&position, m), nodes)).collect();
        parts.sort();
        Ok(parts)
    }

    fn sample(&self, count: u64, seed: u64, output: &mut dyn Write) -> io::Result<()> {
        let (start, mut rng) = (self.0.start(), Rng::new(seed));
        let mut line = String::new();
        for _ in 0..count {
            line.clear();
            self.0.write_position(&game::sample(&start, &mut rng), &mut line);
            line.push('\n');
            output.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

/// The moves of a position as a sorted list of JSON objects. Kept between positions, so that nothing is allocated.
#[derive(Default)]
struct MoveList {
    /// `{"move":"…"},` for each, as they came; at the end some zeros to read over.
    text: String,
    /// Where each object stands in it.
    objects: Vec<Range<usize>>,
    /// The first letters of each move as a number, and its place in `objects` in the two bytes below them.
    keys: Vec<u128>,
}

impl MoveList {
    const BEFORE: &str = "{\"move\":\"";
    const AFTER: &str = "\"},";
    /// Bytes of a key, and how many of them are letters.
    const KEY: usize = size_of::<u128>();
    const LETTERS: usize = Self::KEY - size_of::<u16>();

    fn clear(&mut self) {
        self.text.clear();
        self.objects.clear();
        self.keys.clear();
    }

    #[inline]
    fn push(&mut self, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        self.text.push_str(Self::BEFORE);
        write(&mut self.text);
        self.text.push_str(Self::AFTER);
        self.objects.push(start..self.text.len());
    }

    /// Appends the objects, sorted by their moves, with commas between them.
    fn write_sorted(&mut self, out: &mut String) {
        let longest = self.objects.iter().map(|object| Self::letters(object).len()).max().unwrap_or(0);
        if longest <= Self::LETTERS && self.objects.len() <= usize::from(u16::MAX) {
            self.sort_by_keys(out);
        } else {
            self.objects
                .sort_unstable_by(|a, b| self.text[Self::letters(a)].cmp(&self.text[Self::letters(b)]));
            self.objects.iter().for_each(|object| out.push_str(&self.text[object.clone()]));
        }
        if !self.objects.is_empty() {
            out.pop();
        }
    }

    /// Where the move itself stands in its object.
    #[inline]
    fn letters(object: &Range<usize>) -> Range<usize> {
        object.start + Self::BEFORE.len()..object.end - Self::AFTER.len()
    }

    /// Sorting bare numbers takes a third of the time of sorting texts.
    fn sort_by_keys(&mut self, out: &mut String) {
        self.text.push_str("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        for (place, object) in self.objects.iter().enumerate() {
            let letters = Self::letters(object);
            let first = &self.text.as_bytes()[letters.start..letters.start + Self::KEY];
            let first = u128::from_be_bytes(first.try_into().expect("zeros follow the last move"));
            let behind = u128::MAX >> (8 * letters.len());
            self.keys.push(first & !behind | place as u128);
        }
        self.keys.sort_unstable();
        for key in &self.keys {
            out.push_str(&self.text[self.objects[usize::from(*key as u16)].clone()]);
        }
    }
}
