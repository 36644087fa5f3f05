//! The entropy coder: range asymmetric numeral systems (rANS) with several lanes in one stream.
//!
//! A state is a number of 32 bits. To decode a symbol, the lowest bits of the state tell the symbol, by its share of all
//! [`TOTAL`] slots. The encoder does the same steps backwards, so it begins with the last symbol.

/// The binary logarithm of [`TOTAL`].
pub(super) const TOTAL_BITS: u32 = 14;
/// The sum of the frequencies of all symbols.
pub(super) const TOTAL: u32 = 1 << TOTAL_BITS;
/// The least state. A decoder ends here, because the encoder begins here.
const LEAST: u32 = 1 << 16;

/// The number of lanes. Symbols of different lanes do not wait for each other.
pub(super) const LANES: usize = 4;

/// The slots of a symbol: the first, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slots {
    pub first: u32,
    pub count: u32,
}

/// Encodes symbols, which are given from the last to the first.
pub(super) struct Encoder {
    states: [u32; LANES],
    words: Vec<u16>,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { states: [LEAST; LANES], words: Vec::new() }
    }

    pub(super) fn push(&mut self, lane: usize, slots: Slots) {
        let state = &mut self.states[lane];
        // After the step, the state must have 32 bits at most.
        if u64::from(*state) >= u64::from(slots.count) << (32 - TOTAL_BITS) {
            self.words.push(*state as u16);
            *state >>= 16;
        }
        *state = ((*state / slots.count) << TOTAL_BITS) + *state % slots.count + slots.first;
    }

    /// The stream: the states, and then the words in the order in which a decoder needs them.
    pub(super) fn finish(self) -> Vec<u8> {
        let states = self.states.iter().flat_map(|state| state.to_le_bytes());
        states.chain(self.words.iter().rev().flat_map(|word| word.to_le_bytes())).collect()
    }
}

/// Decodes symbols from the first to the last.
pub(super) struct Decoder<'a> {
    states: [u32; LANES],
    words: &'a [[u8; 2]],
    /// The number of words that were taken, and of those that were missing.
    taken: usize,
}

impl<'a> Decoder<'a> {
    /// Returns `None` if the bytes are too short, or not a whole number of words.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (states, words) = bytes.split_at_checked(4 * LANES)?;
        let (states, (words, rest)) = (states.as_chunks::<4>().0, words.as_chunks::<2>());
        let states = std::array::from_fn(|lane| u32::from_le_bytes(states[lane]));
        rest.is_empty().then_some(Self { states, words, taken: 0 })
    }

    /// The slot of the next symbol of a lane.
    #[inline(always)]
    pub(super) fn slot(&self, lane: usize) -> u32 {
        self.states[lane] & (TOTAL - 1)
    }

    /// Goes on to the symbol after the one with these slots. `RARELY` says that few symbols need a word, so that the machine can
    /// guess that this one needs none. Otherwise, there is nothing to guess.
    #[inline(always)]
    pub(super) fn advance<const RARELY: bool>(&mut self, lane: usize, slots: Slots) {
        let state = self.states[lane];
        // A state below the least one can come from a damaged stream only. It must not overflow.
        let next =
            slots.count.wrapping_mul(state >> TOTAL_BITS).wrapping_add((state & (TOTAL - 1)) - slots.first);
        let is_low = next < LEAST;
        if RARELY && !is_low {
            self.states[lane] = next;
            return;
        }
        let word = self.words.get(self.taken).map_or(0, |&word| u16::from_le_bytes(word));
        self.states[lane] = if is_low { next << 16 | u32::from(word) } else { next };
        self.taken += usize::from(is_low);
    }

    /// Returns whether the stream ended where it should.
    pub(super) fn is_done(&self) -> bool {
        self.taken == self.words.len() && self.states == [LEAST; LANES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let slots =
            [(0, 1), (1, 9_000), (9_001, 7_382), (16_383, 1)].map(|(first, count)| Slots { first, count });
        let symbols: Vec<usize> =
            (0..5_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as usize % 4).collect();
        let mut encoder = Encoder::new();
        for (i, &symbol) in symbols.iter().enumerate().rev() {
            encoder.push(i % LANES, slots[symbol]);
        }
        let bytes = encoder.finish();
        let decode = |bytes: &[u8]| {
            let mut decoder = Decoder::new(bytes)?;
            let mut decoded = Vec::new();
            for i in 0..symbols.len() {
                let slot = decoder.slot(i % LANES);
                let symbol =
                    slots.iter().rposition(|slots| slots.first <= slot).expect("all slots are taken");
                decoder.advance::<false>(i % LANES, slots[symbol]);
                decoded.push(symbol);
            }
            decoder.is_done().then_some(decoded)
        };
        assert_eq!(decode(&bytes), Some(symbols.clone()));
        assert_eq!(decode(&bytes[..bytes.len() - 2]), None);
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(decode(&[&bytes[..], &[0, 0]].concat()), None);
        assert_eq!(decode(&[]), None);
    }
}
