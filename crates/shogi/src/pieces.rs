//! The kinds of men, and what a side holds in its hand.

use game::Side;

/// A kind of man. A promoted one is its original plus eight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// 歩
    Pawn,
    /// 香
    Lance,
    /// 桂
    Knight,
    /// 銀
    Silver,
    /// 金
    Gold,
    /// 角
    Bishop,
    /// 飛
    Rook,
    /// 玉
    King,
    /// と, a promoted pawn
    Tokin,
    /// 杏, a promoted lance
    PromotedLance,
    /// 圭, a promoted knight
    PromotedKnight,
    /// 全, a promoted silver
    PromotedSilver,
    /// 馬, a promoted bishop
    Horse = 13,
    /// 龍, a promoted rook
    Dragon,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
        Self::King,
        Self::Tokin,
        Self::PromotedLance,
        Self::PromotedKnight,
        Self::PromotedSilver,
        Self::Horse,
        Self::Dragon,
    ];
    /// Those that are not promoted.
    pub const ORIGINAL: [Self; 8] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
        Self::King,
    ];
    /// Those that can be held in a hand.
    pub const IN_HAND: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// What it was before it promoted.
    #[inline]
    pub const fn original(self) -> Self {
        Self::ORIGINAL[self as usize % 8]
    }

    /// What it becomes.
    #[inline]
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Self::Pawn => Some(Self::Tokin),
            Self::Lance => Some(Self::PromotedLance),
            Self::Knight => Some(Self::PromotedKnight),
            Self::Silver => Some(Self::PromotedSilver),
            Self::Bishop => Some(Self::Horse),
            Self::Rook => Some(Self::Dragon),
            _ => None,
        }
    }

    /// Has it promoted?
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= 8
    }

    /// How many a set of men has, of both sides together.
    pub const fn supply(self) -> u32 {
        match self.original() {
            Self::Pawn => 18,
            Self::King | Self::Bishop | Self::Rook => 2,
            _ => 4,
        }
    }

    /// The letter of its original in SFEN, in upper case.
    pub const fn letter(self) -> char {
        match self.original() {
            Self::Pawn => 'P',
            Self::Lance => 'L',
            Self::Knight => 'N',
            Self::Silver => 'S',
            Self::Gold => 'G',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            _ => 'K',
        }
    }

    /// The original with this letter, in upper case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ORIGINAL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// One kanji, as on the men of a drawn board.
    pub const fn kanji(self) -> char {
        match self {
            Self::Pawn => '歩',
            Self::Lance => '香',
            Self::Knight => '桂',
            Self::Silver => '銀',
            Self::Gold => '金',
            Self::Bishop => '角',
            Self::Rook => '飛',
            Self::King => '玉',
            Self::Tokin => 'と',
            Self::PromotedLance => '杏',
            Self::PromotedKnight => '圭',
            Self::PromotedSilver => '全',
            Self::Horse => '馬',
            Self::Dragon => '龍',
        }
    }

    /// In a word or two, for sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Lance => "lance",
            Self::Knight => "knight",
            Self::Silver => "silver",
            Self::Gold => "gold",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::King => "king",
            Self::Tokin => "tokin",
            Self::PromotedLance => "promoted lance",
            Self::PromotedKnight => "promoted knight",
            Self::PromotedSilver => "promoted silver",
            Self::Horse => "horse",
            Self::Dragon => "dragon",
        }
    }
}

/// A man: whose, and of which kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The letter of its original in SFEN: upper case for Black.
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.kind.letter(),
            Side::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

/// What a side holds: a number for each kind, in a byte of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hand(u64);

impl Hand {
    /// Nothing.
    pub const EMPTY: Self = Self(0);

    /// One of a kind, as it was before it promoted. A king is never held.
    const fn one(kind: Kind) -> u64 {
        match kind {
            Kind::King => 0,
            _ => 1 << (8 * (kind as u32 % 8)),
        }
    }

    /// How many of a kind.
    #[inline]
    pub const fn count(self, kind: Kind) -> u32 {
        (self.0 >> (8 * (kind as u32 % 8)) & 0xff) as u32
    }

    /// Has it any of a kind?
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    /// Has it nothing?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With one more of a kind; a king changes nothing.
    #[inline]
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0.wrapping_add(Self::one(kind)))
    }

    /// With one less of a kind that it has.
    #[inline]
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0.wrapping_sub(Self::one(kind)))
    }

    /// The kinds it has, with their numbers.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Kind, u32)> {
        Kind::IN_HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }
}
