//! What is said about a game: who played, where and when.

use game::{Side, quoted};

/// Who played Black.
pub const BLACK: &str = "先手";
/// Who played White.
pub const WHITE: &str = "後手";
/// The tournament.
pub const EVENT: &str = "棋戦";
/// Where it was played.
pub const SITE: &str = "場所";
/// When it began.
pub const BEGUN: &str = "開始日時";
/// When it ended.
pub const ENDED: &str = "終了日時";
/// How long the players had.
pub const TIME_LIMIT: &str = "持ち時間";
/// How it was opened.
pub const OPENING: &str = "戦型";

/// What both formats have, each under a name of its own: KIF's, then CSA's.
const SHARED: [(&str, &str); 8] = [
    (BLACK, "N+"),
    (WHITE, "N-"),
    (EVENT, "EVENT"),
    (SITE, "SITE"),
    (BEGUN, "START_TIME"),
    (ENDED, "END_TIME"),
    (TIME_LIMIT, "TIME_LIMIT"),
    (OPENING, "OPENING"),
];
/// More than any game has; and so few that all may be looked at for each.
const MOST: usize = 200;
pub(super) const HANDICAP: &str = "手合割";
pub(super) const VARIATION: &str = "変化";

/// Names and values in their order. What both formats have stands under its name in KIF, for which there are constants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers(Vec<(String, String)>);

/// Why a header cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// No such name is possible.
    #[error(
        "{} is not the name of a header: it has no colon, and does not begin with a digit, `*`, `#`, `&` or `|`",
        quoted(name)
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The game says it.
    #[error("the header {} follows from the game; it is not set", quoted(name))]
    Decided {
        /// The name.
        name: String,
    },
    /// No game has as many.
    #[error("there are more than {MOST} headers")]
    TooMany,
}

impl Headers {
    /// The value of a header, under its name in either format.
    pub fn get(&self, name: &str) -> Option<&str> {
        let name = canonical(name);
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a header, under its name in either format; a new one comes last. Both are without spaces around them, and
    /// control characters become spaces.
    ///
    /// # Errors
    /// If there can be no such header.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), HeaderError> {
        let cleaned = clean(name);
        let name = canonical(cleaned.trim());
        // KIF takes what begins so for something else.
        let is_other = |c: char| c.is_ascii_digit() || matches!(c, '*' | '#' | '&' | '|');
        if name.is_empty() || name.contains([':', '：']) || name.starts_with(is_other) {
            return Err(HeaderError::Name { name: name.to_owned() });
        }
        if name == HANDICAP || name == VARIATION || hand_of(name).is_some() {
            return Err(HeaderError::Decided { name: name.to_owned() });
        }
        let value = clean(value).trim().to_owned();
        match self.0.iter().position(|(known, _)| known == name) {
            Some(at) => self.0[at].1 = value,
            None if self.0.len() == MOST => return Err(HeaderError::TooMany),
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }
}

fn canonical(name: &str) -> &str {
    match side_named(name) {
        Some(Side::First) => BLACK,
        Some(Side::Second) => WHITE,
        None => SHARED.iter().find(|(_, csa)| *csa == name).map_or(name, |&(kif, _)| kif),
    }
}

/// The name of a header in CSA.
pub(super) fn csa_name(name: &str) -> &str {
    SHARED.iter().find(|(kif, _)| *kif == name).map_or(name, |&(_, csa)| csa)
}

/// A side as KIF names it; the second names are those of handicap games.
pub(super) fn side_named(name: &str) -> Option<Side> {
    match name {
        "先手" | "下手" => Some(Side::First),
        "後手" | "上手" => Some(Side::Second),
        _ => None,
    }
}

/// Whose men in hand this header of KIF tells.
pub(super) fn hand_of(name: &str) -> Option<Side> {
    side_named(name.strip_suffix("の持駒").or_else(|| name.strip_suffix("の持ち駒"))?)
}

/// A text that fits into a line.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
