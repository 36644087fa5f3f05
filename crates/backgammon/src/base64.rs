//! Base64 without padding, as in position IDs and match IDs. These IDs count the bits of a byte from the lowest one.

/// The number of bits in the longest ID.
pub(crate) const MOST_BITS: usize = 80;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Why a text cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undecodable {
    /// The text has the wrong length, or a character that is not in the base64 alphabet.
    Letters,
    /// The last letter has bits that do not fit into the bytes.
    Surplus,
}

/// Decodes a text, which must have the right length for this number of bytes.
pub(crate) fn decode<const BYTES: usize>(text: &str) -> Result<[u8; BYTES], Undecodable> {
    let letters = text.as_bytes();
    if letters.len() != (BYTES * 8).div_ceil(6) {
        return Err(Undecodable::Letters);
    }
    let mut bytes = [0; BYTES];
    for (at, letter) in letters.iter().enumerate() {
        let known = LETTERS.iter().position(|known| known == letter);
        let value = known.ok_or(Undecodable::Letters)?;
        for bit in 0..6 {
            let place = at * 6 + bit;
            let is_set = value >> (5 - bit) & 1 != 0;
            match bytes.get_mut(place / 8) {
                Some(byte) => *byte |= u8::from(is_set) << (7 - place % 8),
                None if is_set => return Err(Undecodable::Surplus),
                None => {}
            }
        }
    }
    Ok(bytes)
}

/// Appends the base64 letters of the bytes.
pub(crate) fn encode(bytes: &[u8], out: &mut String) {
    for at in 0..(bytes.len() * 8).div_ceil(6) {
        let bit = |place: usize| bytes.get(place / 8).map_or(0, |byte| byte >> (7 - place % 8) & 1);
        let value = (0..6).fold(0, |value, offset| value << 1 | bit(at * 6 + offset));
        out.push(char::from(LETTERS[usize::from(value)]));
    }
}
