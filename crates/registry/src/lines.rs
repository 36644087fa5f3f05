//! Reads lines of limited length, and answers each with a line of output: many questions through one pipe.

use std::io::{self, BufRead, BufReader, Read, Write};

/// The longest line that is read, in bytes. No position and no move is longer. The limit keeps a bad input from filling the
/// memory.
pub(crate) const LONGEST_LINE: usize = 1 << 16;
/// The size of the buffers, in bytes. Answers are written when this much is collected, or when no further question is
/// waiting.
const BUFFER: usize = 1 << 16;

/// A line of the input. Bytes that are not UTF-8 are replaced by U+FFFD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputLine<'a> {
    /// The whole line, without its line ending.
    Whole(&'a str),
    /// The beginning of a line that is longer than is read.
    TooLong(&'a str),
}

/// A line is longer than is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the line is longer than {LONGEST_LINE} bytes")]
pub struct LineTooLong;

/// The lines of an input, read one by one. Of a line that is too long, the rest is skipped.
#[derive(Debug)]
pub struct InputLines<R> {
    input: R,
    bytes: Vec<u8>,
    /// The text of a line that is not UTF-8.
    replaced: String,
}

impl<R: BufRead> InputLines<R> {
    /// Reads lines from this input.
    pub const fn new(input: R) -> Self {
        Self { input, bytes: Vec::new(), replaced: String::new() }
    }

    /// Reads a line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub fn read(&mut self) -> io::Result<Option<InputLine<'_>>> {
        if !self.read_bytes()? {
            return Ok(None);
        }
        let is_whole = self.bytes.len() <= LONGEST_LINE;
        self.bytes.truncate(LONGEST_LINE);
        let text = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(_) => {
                self.replaced = String::from_utf8_lossy(&self.bytes).into_owned();
                &self.replaced
            }
        };
        Ok(Some(if is_whole { InputLine::Whole(text) } else { InputLine::TooLong(text) }))
    }

    /// Reads the bytes of a line without its line ending. Returns `false` at the end of the input. Of a line that is too long,
    /// only so many bytes are kept that it is recognised as longer than [`LONGEST_LINE`].
    fn read_bytes(&mut self) -> io::Result<bool> {
        const WITH_ITS_END: usize = LONGEST_LINE + b"\r\n".len();
        let Self { input, bytes, .. } = self;
        bytes.clear();
        if input.by_ref().take(WITH_ITS_END as u64).read_until(b'\n', bytes)? == 0 {
            return Ok(false);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() == WITH_ITS_END {
            input.skip_until(b'\n')?;
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        Ok(true)
    }
}

/// Calls `answer` for each line. Its arguments are the line and the buffer that it appends the answer to.
pub(crate) fn answer_each(
    input: &mut dyn Read,
    output: &mut dyn Write,
    answer: &mut dyn FnMut(InputLine<'_>, &mut Vec<u8>),
) -> io::Result<()> {
    let mut lines = InputLines::new(BufReader::with_capacity(BUFFER, input));
    let mut answers = Vec::with_capacity(2 * BUFFER);
    while let Some(line) = lines.read()? {
        answer(line, &mut answers);
        answers.push(b'\n');
        if answers.len() >= BUFFER || lines.input.buffer().is_empty() {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of each line. It is negative if the line is too long.
    fn lengths(input: &[u8]) -> Vec<isize> {
        let mut lengths = Vec::new();
        let mut output = Vec::new();
        answer_each(&mut { input }, &mut output, &mut |line, _| {
            lengths.push(match line {
                InputLine::Whole(text) => text.len() as isize,
                InputLine::TooLong(text) => -(text.len() as isize),
            });
        })
        .expect("no I/O");
        assert_eq!(output, vec![b'\n'; lengths.len()]);
        lengths
    }

    #[test]
    fn every_line_has_its_answer() {
        assert_eq!(lengths(b""), [0isize; 0]);
        assert_eq!(lengths(b"ab\n\nabc"), [2, 0, 3]);
        assert_eq!(lengths(b"ab\r\n\xff\n"), [2, '\u{fffd}'.len_utf8() as isize]);
    }

    #[test]
    fn long_lines_are_known_for_what_they_are() {
        let longest = LONGEST_LINE as isize;
        for (length, expected) in
            [(longest - 1, longest - 1), (longest, longest), (longest + 1, -longest), (3 * longest, -longest)]
        {
            for end in [&b""[..], b"\n", b"\r\n", b"\nab", b"\r\nab\n"] {
                let mut input = vec![b'x'; length as usize];
                input.extend_from_slice(end);
                let follows = end.contains(&b'a').then_some(2);
                assert_eq!(lengths(&input), [expected].into_iter().chain(follows).collect::<Vec<_>>());
            }
        }
    }
}
