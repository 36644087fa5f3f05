//! Answers each line of the input with a line of output: many questions through one pipe.

use std::io::{self, BufRead, BufReader, Read, Write};

/// The longest line that is read, in bytes. No position is longer. The limit keeps a bad input from filling the memory.
const LONGEST_LINE: usize = 1 << 16;
/// The size of the buffers, in bytes. Answers are written when this much is collected, or when no further question is
/// waiting.
const BUFFER: usize = 1 << 16;

/// A line of the input: one question. Bytes that are not UTF-8 are replaced by U+FFFD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputLine<'a> {
    /// The whole line, without its line ending.
    Whole(&'a str),
    /// The beginning of a line that is longer than [`LONGEST_LINE`].
    TooLong(&'a str),
}

/// The error message for a line that is too long.
pub(crate) fn too_long() -> String {
    format!("the line is longer than {LONGEST_LINE} bytes; only the first {LONGEST_LINE} were read")
}

/// Calls `answer` for each line. Its arguments are the line and the buffer that it appends the answer to.
pub(crate) fn answer_each(
    input: &mut dyn Read,
    output: &mut dyn Write,
    mut answer: impl FnMut(InputLine<'_>, &mut Vec<u8>),
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut line = Vec::new();
    let mut answers = Vec::with_capacity(2 * BUFFER);
    while read_line(&mut input, &mut line)? {
        let is_whole = line.len() <= LONGEST_LINE;
        line.truncate(LONGEST_LINE);
        let readable;
        let text = match std::str::from_utf8(&line) {
            Ok(text) => text,
            Err(_) => {
                readable = String::from_utf8_lossy(&line);
                &readable
            }
        };
        answer(if is_whole { InputLine::Whole(text) } else { InputLine::TooLong(text) }, &mut answers);
        answers.push(b'\n');
        if answers.len() >= BUFFER || input.buffer().is_empty() {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
    Ok(())
}

/// Reads a line without its line ending. Returns `false` at the end of the input. Of a line that is too long, only so many
/// bytes are kept that it is recognised as longer than [`LONGEST_LINE`]; the rest is skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    const WITH_ITS_END: usize = LONGEST_LINE + b"\r\n".len();
    line.clear();
    if input.by_ref().take(WITH_ITS_END as u64).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == WITH_ITS_END {
        input.skip_until(b'\n')?;
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of each line. It is negative if the line is too long.
    fn lengths(input: &[u8]) -> Vec<isize> {
        let mut lengths = Vec::new();
        let mut output = Vec::new();
        answer_each(&mut { input }, &mut output, |line, _| {
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
