//! The moves of a position as a sorted list of JSON objects.

use std::ops::Range;

/// Moves as texts. The list is reused for every position, so that it does not allocate each time.
#[derive(Default)]
pub(crate) struct MoveList {
    /// The texts of all moves, one after the other, in the order of [`MoveList::push`].
    text: String,
    /// The range of each move in `text`.
    moves: Vec<Range<usize>>,
    keys: Vec<Key>,
}

/// A short text as a number: its letters from the highest byte down, then zeros. The numbers have the same order as the
/// texts. Comparing numbers takes a third of the time of comparing texts.
type Key = u128;

/// The number of letters in a key.
const LONGEST_KEY: usize = size_of::<Key>();
const BEFORE: &[u8; 9] = b"{\"move\":\"";
const AFTER: &[u8; 3] = b"\"},";

impl MoveList {
    /// Removes all moves.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.moves.clear();
    }

    /// Adds a move. `write` appends its text, which is ASCII without quotes and backslashes.
    #[inline]
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.moves.push(start..self.text.len());
    }

    /// Appends an object for each move, sorted by the texts, with commas between the objects.
    pub(crate) fn write_sorted(&mut self, out: &mut Vec<u8>) {
        if self.moves.iter().all(|text| text.len() <= LONGEST_KEY) {
            self.write_sorted_keys(out);
        } else {
            let text = self.text.as_bytes();
            self.moves.sort_unstable_by(|a, b| text[a.clone()].cmp(&text[b.clone()]));
            for object in &self.moves {
                out.extend_from_slice(BEFORE);
                out.extend_from_slice(&text[object.clone()]);
                out.extend_from_slice(AFTER);
            }
        }
        if !self.moves.is_empty() {
            out.pop(); // the last comma
        }
    }

    fn write_sorted_keys(&mut self, out: &mut Vec<u8>) {
        // Padding: the key of the last move is read in full width, past the end of its text.
        self.text.push_str("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        let text = self.text.as_bytes();
        self.keys.clear();
        self.keys.extend(self.moves.iter().map(|letters| {
            let read = text[letters.start..].first_chunk().expect("a key's length of zeros is at the end");
            Key::from_be_bytes(*read) & MASKS[letters.len()]
        }));
        self.keys.sort_unstable();
        for key in &self.keys {
            out.extend_from_slice(BEFORE);
            // The key is written in full width, which needs no loop over the letters, and then cut after the last letter.
            let end = out.len() + LONGEST_KEY - key.trailing_zeros() as usize / 8;
            out.extend_from_slice(&key.to_be_bytes());
            out.truncate(end);
            out.extend_from_slice(AFTER);
        }
    }
}

/// For each number of letters, the mask of the bytes that they fill in a key.
static MASKS: [Key; LONGEST_KEY + 1] = {
    let mut masks = [Key::MAX; LONGEST_KEY + 1];
    let mut letters = 0;
    while letters < LONGEST_KEY {
        masks[letters] = !(Key::MAX >> (8 * letters));
        letters += 1;
    }
    masks
};

#[cfg(test)]
mod tests {
    use super::*;

    fn written(moves: &[&str]) -> String {
        let mut list = MoveList::default();
        list.push(|out| out.push_str("forgotten"));
        list.clear();
        moves.iter().for_each(|text| list.push(|out| out.push_str(text)));
        let mut out = b"[".to_vec();
        list.write_sorted(&mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn moves_are_sorted_whatever_their_length() {
        assert_eq!(written(&[]), "[");
        assert_eq!(written(&["b", "ab", "a"]), r#"[{"move":"a"},{"move":"ab"},{"move":"b"}"#);
        let sixteen = "elephant:a1a2=Qx";
        assert_eq!(written(&[sixteen, "e"]), format!(r#"[{{"move":"e"}},{{"move":"{sixteen}"}}"#));
        let long = format!("{sixteen}+");
        assert_eq!(written(&[&long, sixteen]), format!(r#"[{{"move":"{sixteen}"}},{{"move":"{long}"}}"#));
    }
}
