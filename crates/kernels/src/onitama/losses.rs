//! The positions of a row that the defender loses. The rows from which the attacker moves to this row need them.

use super::deals::Word;

/// Losses by placement. For each placement there are the defender's men on the board, a set of bits that says which words
/// follow, and these words, by the defender's hand.
#[derive(Clone, Debug, Default)]
pub struct Losses(Vec<u32>);

impl Losses {
    /// Removes all losses.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the losses of a placement, if there are any.
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

    /// The list as numbers.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

/// Visits the placements of a list: the defender's men, the bits of the words that are present, and these words.
#[inline]
pub fn visit(mut list: &[u32], mut each: impl FnMut(u32, u32, &[Word])) {
    while let [defenders, present, rest @ ..] = list {
        let (words, rest) = rest.split_at(present.count_ones() as usize);
        each(*defenders, *present, words);
        list = rest;
    }
}

/// Iterates over the numbers of the set bits of `present` and the words that belong to them.
#[inline]
pub fn numbered(mut present: u32, words: &[Word]) -> impl Iterator<Item = (usize, Word)> {
    words.iter().map(move |&word| {
        let number = present.trailing_zeros() as usize;
        present &= present - 1;
        (number, word)
    })
}
