//! The encodings of record files: UTF-8, or Shift_JIS, as in most files of the last century.

use encoding_rs::SHIFT_JIS;
use game::quoted;

/// Why bytes cannot be decoded, or a text cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodingError {
    /// The bytes are neither UTF-8 nor Shift_JIS.
    #[error("the text is neither UTF-8 (byte {byte} is wrong) nor Shift_JIS")]
    Neither {
        /// The first byte that is not UTF-8, counted from 1.
        byte: usize,
    },
    /// Shift_JIS cannot represent a character.
    #[error("{} has no form in Shift_JIS", quoted(&found.to_string()))]
    NoForm {
        /// The character.
        found: char,
    },
    /// The Shift_JIS bytes of the text are also valid UTF-8, and then mean another text.
    #[error("in Shift_JIS the text could not be told from UTF-8")]
    Ambiguous,
}

/// Decodes a file: as UTF-8 if it is valid UTF-8, else as Shift_JIS.
///
/// # Errors
/// Returns an error if it is neither.
pub fn decode(bytes: &[u8]) -> Result<String, EncodingError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text).to_owned()),
        Err(error) => SHIFT_JIS
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(Into::into)
            .ok_or(EncodingError::Neither { byte: error.valid_up_to() + 1 }),
    }
}

/// Encodes a text in Shift_JIS. [`decode`] reads it back.
///
/// # Errors
/// Returns an error if Shift_JIS cannot represent the text, or if [`decode`] would take the bytes for UTF-8.
pub fn to_shift_jis(text: &str) -> Result<Vec<u8>, EncodingError> {
    let (bytes, ..) = SHIFT_JIS.encode(text);
    if decode(&bytes).as_deref() == Ok(text) {
        return Ok(bytes.into_owned());
    }
    // Some characters share their bytes with another one: `¥` has the byte of the backslash.
    let returns = |c: char| {
        let text = c.to_string();
        let (bytes, _, is_lost) = SHIFT_JIS.encode(&text);
        !is_lost && SHIFT_JIS.decode_without_bom_handling(&bytes).0 == text
    };
    Err(match text.chars().find(|&c| !returns(c)) {
        Some(found) => EncodingError::NoForm { found },
        None => EncodingError::Ambiguous,
    })
}

/// Removes the byte order mark with which some editors begin their files.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
