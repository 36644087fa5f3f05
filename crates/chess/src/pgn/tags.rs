//! The tags of a game.

use super::{MOST_TAGS, Verdict};
use game::quoted;

pub(super) const VARIANT: &str = "Variant";
pub(super) const CHESS960: &str = "Chess960";
pub(super) const FEN: &str = "FEN";
pub(super) const SETUP: &str = "SetUp";
pub(super) const RESULT: &str = "Result";
/// Tags whose values follow from the game itself.
const DECIDED: [&str; 3] = [FEN, SETUP, RESULT];
/// The seven tags that every game has, without the result, and their values for "unknown".
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];
/// The names that programs use for chess and Chess960, without spaces and hyphens, in lower case.
const VARIANTS: [&str; 9] = [
    "standard",
    "normal",
    "chess",
    "fromposition",
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
];

/// The tags of a game; the standard tags come first. `Result`, `FEN` and `SetUp` are not included, because result and start
/// position are stored in the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags(Vec<(String, String)>);

/// The reason why a tag cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TagError {
    /// The name is not possible.
    #[error(
        "{} is not the name of a tag: letters, digits and signs, without brackets and quotation marks",
        quoted(name)
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The value of the tag follows from the game.
    #[error("the tag `{name}` is derived from the game and cannot be set")]
    Decided {
        /// The name.
        name: &'static str,
    },
    /// The variant is not chess.
    #[error("variant {} is not one of `Standard` and `Chess960`", quoted(found))]
    Variant {
        /// The value.
        found: String,
    },
    /// There are too many tags.
    #[error("a game has more than {MOST_TAGS} tags")]
    TooMany,
}

impl Default for Tags {
    /// The standard tags with unknown values.
    fn default() -> Self {
        Self(ROSTER.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
    }
}

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a tag. A new tag is added at the end. Control characters in the value become spaces.
    ///
    /// # Errors
    /// Returns an error if the name or the variant is not possible, if the value follows from the game, or if there are too
    /// many tags.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name) {
            return Err(TagError::Name { name: name.to_owned() });
        }
        if let Some(name) = DECIDED.into_iter().find(|&decided| decided == name) {
            return Err(TagError::Decided { name });
        }
        if name == VARIANT && !is_variant(value) {
            return Err(TagError::Variant { found: value.to_owned() });
        }
        if !self.has_room_for(name) {
            return Err(TagError::TooMany);
        }
        self.put(name, value);
        Ok(())
    }

    /// Returns whether a tag can be set without there being too many.
    pub(super) fn has_room_for(&self, name: &str) -> bool {
        self.0.len() < MOST_TAGS || self.get(name).is_some()
    }

    /// Sets a tag that is known to be possible.
    pub(super) fn put(&mut self, name: &str, value: &str) {
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// All tags with the result in seventh place, as the standard asks.
    pub(super) fn with_verdict<'a>(&'a self, verdict: Verdict) -> impl Iterator<Item = (&'a str, &'a str)> {
        let (roster, others) = self.0.split_at(ROSTER.len());
        let pairs = |tags: &'a [(String, String)]| tags.iter().map(|(name, value)| (&**name, &**value));
        pairs(roster).chain([(RESULT, verdict.text())]).chain(pairs(others))
    }
}

/// Returns whether a tag can have this name. The standard has letters, digits and `_`; some programs also use `-` and
/// other characters.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_in_name)
}

/// Returns whether the name of a tag can contain this character.
pub(super) fn is_in_name(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '"' | '[' | ']')
}

/// Returns whether this is a name for chess or Chess960.
pub(super) fn is_variant(value: &str) -> bool {
    let plain: String =
        value.chars().filter(|c| !matches!(c, ' ' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    VARIANTS.contains(&plain.as_str())
}
