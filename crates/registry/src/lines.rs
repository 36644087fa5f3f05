//! Lines in, lines out: many questions through one pipe.

use std::io::{self, BufRead, BufReader, Read, Write};

/// No position is longer; what is, cannot fill the memory.
const LONGEST_LINE: usize = 1 << 16;
/// Answers are written in pieces of this size, or as soon as there is no further question waiting.
const BUFFER: usize = 1 << 16;

/// Calls `answer` for each line, with the line and the text to append its answer to. Bytes that are not UTF-8 arrive
/// as replacement characters; of a line that is too long only the beginning arrives.
pub(crate) fn answer_each(
    input: &mut dyn Read,
    output: &mut dyn Write,
    mut answer: impl FnMut(&str, &mut String),
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut line = Vec::new();
    let mut answers = String::with_capacity(2 * BUFFER);
    while read_line(&mut input, &mut line)? {
        match std::str::from_utf8(&line) {
            Ok(text) => answer(text, &mut answers),
            Err(_) => answer(&String::from_utf8_lossy(&line), &mut answers),
        }
        answers.push('\n');
        if answers.len() >= BUFFER || input.buffer().is_empty() {
            output.write_all(answers.as_bytes())?;
            output.flush()?;
            answers.clear();
        }
    }
    Ok(())
}

/// Reads a line without its end; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = LONGEST_LINE as u64;
    if input.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == LONGEST_LINE {
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

    fn lengths(input: &[u8]) -> Vec<usize> {
        let mut output = Vec::new();
        answer_each(&mut { input }, &mut output, |line, out| out.push_str(&line.len().to_string()))
            .expect("no I/O");
        String::from_utf8(output).expect("digits").lines().map(|n| n.parse().expect("digits")).collect()
    }

    #[test]
    fn every_line_has_its_answer() {
        assert_eq!(lengths(b""), [0usize; 0]);
        assert_eq!(lengths(b"ab\n\nabc"), [2, 0, 3]);
        assert_eq!(lengths(b"ab\r\n\xff\n"), [2, '\u{fffd}'.len_utf8()]);
        let mut long = vec![b'x'; 3 * LONGEST_LINE];
        long.extend_from_slice(b"\nab\n");
        assert_eq!(lengths(&long), [LONGEST_LINE, 2]);
    }
}
