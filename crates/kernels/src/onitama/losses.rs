//! Positions that the defender has lost, of one row: what the rows from which the attacker gets there want to know.

use super::deals::Word;

/// Losses by layout: the defender's men on the board, which words follow, and these words, by the defender's hand.
#[derive(Clone, Debug, Default)]
pub struct Losses(Vec<u32>);

impl Losses {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds those of a layout, if there are any.
    #[inline]
    pub fn push(&mut self, defenders: u32, words: &[Word]) {
        let head = self.0.len();
        self.0.extend_from_slice(&[defenders, 0]);
        let mut present = 0;
        for (i, &word) in words.iter().enumerate() {
            if word != 0 {
                present |= 1 << i;
                self.0.push(word);
            }
        }
        if present == 0 {
            self.0.truncate(head);
        } else {
            self.0[head + 1] = present;
        }
    }

    /// As numbers.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

/// The layouts of a list: the defender's men, which words, the words.
#[inline]
pub fn visit(mut list: &[u32], mut each: impl FnMut(u32, u32, &[Word])) {
    while let [defenders, present, rest @ ..] = list {
        let (words, rest) = rest.split_at(present.count_ones() as usize);
        each(*defenders, *present, words);
        list = rest;
    }
}

/// The numbers of the set bits, with the words that belong to them.
#[inline]
pub fn numbered(mut present: u32, words: &[Word]) -> impl Iterator<Item = (usize, Word)> {
    words.iter().map(move |&word| {
        let number = present.trailing_zeros() as usize;
        present &= present - 1;
        (number, word)
    })
}
