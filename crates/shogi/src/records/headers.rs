//! The headers of a game: who played, where and when.

use game::{Side, quoted};

/// The player with Black.
pub const BLACK: &str = "先手";
/// The player with White.
pub const WHITE: &str = "後手";
/// The tournament.
pub const EVENT: &str = "棋戦";
/// The place where the game was played.
pub const SITE: &str = "場所";
/// The time when the game began.
pub const BEGUN: &str = "開始日時";
/// The time when the game ended.
pub const ENDED: &str = "終了日時";
/// The time that the players had.
pub const TIME_LIMIT: &str = "持ち時間";
/// The opening.
pub const OPENING: &str = "戦型";

/// The headers that both formats have: the name in KIF, then the name in CSA.
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
/// The most headers of a game. Real games have fewer, and a search through all of them is still fast.
const MOST: usize = 200;
pub(super) const HANDICAP: &str = "手合割";
pub(super) const VARIATION: &str = "変化";

/// Names and values in their order. A header that both formats have is stored under its name in KIF. There are
/// constants for these names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers(Vec<(String, String)>);

/// Why a header cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// The name is not allowed.
    #[error(
        "{} is not the name of a header: it has no colon, and does not begin with a digit, `*`, `#`, `&` or `|`",
        quoted(name)
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The header follows from the game.
    #[error("the header {} follows from the game; it cannot be set", quoted(name))]
    Decided {
        /// The name.
        name: String,
    },
    /// There are too many headers.
    #[error("there are more than {MOST} headers")]
    TooMany,
}

impl Headers {
    /// Returns the value of a header. The name may be that of either format.
    pub fn get(&self, name: &str) -> Option<&str> {
        let name = canonical(name);
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a header. The name may be that of either format. A new header comes last. Spaces around name and value
    /// are removed, and control characters become spaces.
    ///
    /// # Errors
    /// Returns an error if the name is not allowed, if the header follows from the game, or if there are too many
    /// headers.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), HeaderError> {
        let cleaned = clean(name);
        let name = canonical(cleaned.trim());
        // Lines of KIF that begin with one of these are not headers.
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

/// Returns the side with this name in KIF. The second name of each side is used in handicap games.
pub(super) fn side_named(name: &str) -> Option<Side> {
    match name {
        "先手" | "下手" => Some(Side::First),
        "後手" | "上手" => Some(Side::Second),
        _ => None,
    }
}

/// Returns the side whose hand this header of KIF lists.
pub(super) fn hand_of(name: &str) -> Option<Side> {
    side_named(name.strip_suffix("の持駒").or_else(|| name.strip_suffix("の持ち駒"))?)
}

/// Replaces control characters by spaces, so that the text fits into a line.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
