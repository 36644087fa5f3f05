//! Numbers and names formatted for people.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Formats a number with commas: 7746995 as `7,746,995`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a path for JSON, which has only UTF-8: other bytes are replaced by U+FFFD. Serde would refuse such a path.
pub fn path_in_json(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Formats a rate per second with two or three digits: `412 million`.
pub fn rate(count: u64, time: Duration) -> String {
    rounded(count as f64 / time.as_secs_f64().max(1e-9))
}

/// Formats a large number with two or three digits.
pub fn rounded(number: f64) -> String {
    match number {
        r if r >= 1e9 => format!("{:.2} billion", r / 1e9),
        r if r >= 1e8 => format!("{:.0} million", r / 1e6),
        r if r >= 1e6 => format!("{:.1} million", r / 1e6),
        r if r >= 1e3 => format!("{:.0} thousand", r / 1e3),
        r => format!("{r:.0}"),
    }
}

/// Parses a number of bytes, such as `512M` or `1.5GiB`.
pub fn parse_bytes(text: &str) -> Result<u64, NotASize> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let power = match unit.trim().to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(NotASize),
    };
    // An exbibyte: more than any machine has, and still a `u64`.
    const MOST: f64 = (1u64 << 60) as f64;
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number * f64::from(2).powi(power) < MOST => {
            Ok((number * f64::from(2).powi(power)) as u64)
        }
        _ => Err(NotASize),
    }
}

/// The text is not a number of bytes.
#[derive(Debug, thiserror::Error)]
#[error("it takes a size such as 512M or 8G")]
pub struct NotASize;

/// Formats a time roughly: `40 seconds`, `3 minutes`, `2 hours`.
pub fn duration(time: Duration) -> String {
    match time.as_secs_f64().ceil() as u64 {
        seconds if seconds < 90 => counted(seconds, "second"),
        seconds if seconds < 5400 => counted(seconds.div_ceil(60), "minute"),
        seconds => counted(seconds.div_ceil(3600), "hour"),
    }
}

/// Capitalises the first letter: `blue` as `Blue`.
pub fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The most columns of a line for people.
pub const COLUMNS: usize = 80;

/// Breaks a text at spaces into lines of at most 80 columns. The lines after the first one are indented as it is. What stands
/// between backticks is not broken, so that it can be copied; if it is longer than a line, it has a line of its own.
pub fn wrapped(text: &str) -> String {
    let spaces = text.len() - text.trim_start_matches(' ').len();
    let (indent, text) = text.split_at(spaces);
    broken(indent, indent, text)
}

/// A text behind a label, whose lines all begin at the same column. No space is added behind a label that reaches it.
pub fn labelled(label: &str, column: usize, text: &str) -> String {
    broken(&format!("{label:<column$}"), &" ".repeat(column), text)
}

/// Breaks a text into lines that begin with `indent`, the first one with `first`.
fn broken(first: &str, indent: &str, text: &str) -> String {
    let (mut lines, mut column) = (first.to_owned(), width(first));
    let mut is_empty = true;
    for word in words(text) {
        match is_empty {
            true => is_empty = false,
            false if column + 1 + width(word) > COLUMNS => {
                lines += "\n";
                lines += indent;
                column = width(indent);
            }
            false => {
                lines.push(' ');
                column += 1;
            }
        }
        lines += word;
        column += width(word);
    }
    lines
}

/// The words of a text. A word with an opening backtick ends after the closing one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    text.split(move |c: char| {
        is_quoted ^= c == '`';
        c == ' ' && !is_quoted
    })
}

/// The columns of a text in a terminal. Kanji take two.
fn width(text: &str) -> usize {
    let is_wide =
        |c: char| matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ff00}'..='\u{ff60}');
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Writes a sentence for people, in lines that fit a terminal.
pub fn say(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", wrapped(text))
}

/// Formats a count with its noun: `1 move`, `2 moves`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// The depth of a verification in one word, for JSON.
pub fn depth(depth: table::Depth) -> &'static str {
    match depth {
        table::Depth::Checksums => "checksums",
        table::Depth::Sample { .. } => "sample",
        table::Depth::Everything => "everything",
    }
}

/// An argument of a command that people copy into a shell: in single quotes, if a shell could read it in another way.
pub fn shell_argument(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match !argument.is_empty() && !argument.starts_with('-') && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            ["0", "999", "1,000", "7,746,995"],
            [0, 999, 1_000, 7_746_995].map(thousands).each_ref().map(String::as_str)
        );
        assert_eq!(rate(250_000_000, Duration::from_secs(1)), "250 million");
        assert_eq!(rate(1_500, Duration::from_secs(1)), "2 thousand");
        assert_eq!(counted(1, "move"), "1 move");
        assert_eq!(
            [1, 100, 7000].map(|s| duration(Duration::from_secs(s))),
            ["1 second", "2 minutes", "2 hours"]
        );
        assert_eq!(capitalised("blue"), "Blue");
    }

    #[test]
    fn a_shell_reads_arguments_as_they_are() {
        for argument in
            ["a b", "$(touch pwned)", "it's", "*", "~", "semi;amp&", "-dash", "", "Näf/tables", "plain"]
        {
            let line = format!("printf %s {}", shell_argument(argument));
            let mut shell = std::process::Command::new("sh");
            let printed =
                shell.args(["-c", &line.replace("%s ", "%s -- ")]).output().expect("a shell").stdout;
            assert!(printed.starts_with(b"--") && printed[2..] == *argument.as_bytes(), "{argument}");
        }
        assert_eq!(shell_argument("../tables/onitama-1"), "../tables/onitama-1");
    }

    #[test]
    fn lines_are_broken_at_words() {
        let long = "word ".repeat(40);
        let lengths: Vec<_> = wrapped(long.trim_end()).lines().map(str::len).collect();
        assert_eq!(lengths, [79, 79, 39]);
        assert!(wrapped(&format!("  {}", long.trim_end())).lines().all(|line| line.starts_with("  word")));
        let told = labelled("Label", 7, &format!("{0} {0}", "w".repeat(40)));
        assert_eq!(told, format!("Label  {0}\n       {0}", "w".repeat(40)));
        let command = format!("`endspiel {}`", "x ".repeat(30));
        assert_eq!(
            wrapped(&format!("{} {command}.", "a".repeat(30))).lines().nth(1),
            Some(&*format!("{command}."))
        );
        // A lone backtick breaks nothing.
        assert_eq!(wrapped("it is `"), "it is `");
        assert_eq!(width("☗７六歩"), 7);
        assert_eq!(wrapped(""), "");
    }

    #[test]
    fn sizes_are_read() {
        let size = |text| parse_bytes(text).ok();
        assert_eq!(
            ["32M", "1.5GiB", "2g", "100", "1 KB"].map(size),
            [32 << 20, 3 << 29, 2 << 30, 100, 1024].map(Some)
        );
        assert_eq!(["", "M", "-1G", "1X", "1e3", "1.2.3", "0"].map(size), [None; 7]);
    }
}
