//! The bytes of files: UTF-8, or Shift_JIS as most files of the last century are.

use encoding_rs::SHIFT_JIS;
use game::quoted;

/// Why bytes are no text, or a text no bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodingError {
    /// Neither of the two.
    #[error("the text is neither UTF-8 (byte {byte} is wrong) nor Shift_JIS")]
    Neither {
        /// The first byte that is not UTF-8, from 1.
        byte: usize,
    },
    /// Shift_JIS does not have it.
    #[error("{} has no form in Shift_JIS", quoted(&found.to_string()))]
    NoForm {
        /// The character.
        found: char,
    },
    /// Its bytes happen to be UTF-8, too, and another text.
    #[error("in Shift_JIS the text could not be told from UTF-8")]
    Ambiguous,
}

/// The text of a file: UTF-8 if it can be that, else Shift_JIS.
///
/// # Errors
/// If it is neither.
pub fn decode(bytes: &[u8]) -> Result<String, EncodingError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text).to_owned()),
        Err(error) => SHIFT_JIS
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(Into::into)
            .ok_or(EncodingError::Neither { byte: error.valid_up_to() + 1 }),
    }
}

/// The text in Shift_JIS. [`decode`] gives it back.
///
/// # Errors
/// If it has no such form.
pub fn to_shift_jis(text: &str) -> Result<Vec<u8>, EncodingError> {
    let (bytes, ..) = SHIFT_JIS.encode(text);
    if decode(&bytes).as_deref() == Ok(text) {
        return Ok(bytes.into_owned());
    }
    // Some have a form that another has, too, such as `¥` that of the backslash.
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

/// Without the mark with which some editors begin their files.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
