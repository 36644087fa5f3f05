//! The lines of a text of any length, read one at a time in bounded memory.

use std::io::{self, BufRead, ErrorKind};

/// The lines of a source, without their ends: `\n`, `\r\n` or `\r`. Of a line that is too long, only the beginning is kept.
///
/// ```
/// use endspiel_game::TextLines;
///
/// let mut lines = TextLines::new("a\r\nb\rlong line\n".as_bytes(), 4);
/// let mut read = Vec::new();
/// while let Some(line) = lines.read()? {
///     read.push(line.to_vec());
/// }
/// assert_eq!(read, [b"a".to_vec(), b"b".to_vec(), b"long".to_vec()]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextLines<R> {
    source: R,
    longest: usize,
    bytes: Vec<u8>,
    /// True if the last line ended in `\r`. A `\n` that follows at once belongs to the same line end.
    is_after_return: bool,
    is_at_end: bool,
}

impl<R: BufRead> TextLines<R> {
    /// Reads lines from a source. `longest` is the number of bytes of a line that are kept.
    pub const fn new(source: R, longest: usize) -> Self {
        Self { source, longest, bytes: Vec::new(), is_after_return: false, is_at_end: false }
    }

    /// Reads the next line. Returns `None` at the end of the source.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read. After it, the source is at its end.
    pub fn read(&mut self) -> io::Result<Option<&[u8]>> {
        self.bytes.clear();
        let mut is_line = false;
        while !self.is_at_end {
            let available = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.is_at_end = true;
                    return Err(error);
                }
                Ok(available) => available,
            };
            if available.is_empty() {
                self.is_at_end = true;
                break;
            }
            if std::mem::take(&mut self.is_after_return) && available[0] == b'\n' {
                self.source.consume(1);
                continue;
            }
            is_line = true;
            let end = line_end(available);
            let part = &available[..end.unwrap_or(available.len())];
            self.bytes.extend_from_slice(&part[..part.len().min(self.longest - self.bytes.len())]);
            self.is_after_return = end.is_some_and(|end| available[end] == b'\r');
            let length = part.len() + usize::from(end.is_some());
            self.source.consume(length);
            if end.is_some() {
                break;
            }
        }
        Ok(is_line.then_some(self.bytes.as_slice()))
    }
}

/// The place of the first line end. Not generic, so that it is compiled here, with full optimization.
fn line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| matches!(byte, b'\n' | b'\r'))
}
