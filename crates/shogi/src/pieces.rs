//! The kinds of men, and the hand of a side.

use game::Side;

/// A kind of man. The number of a promoted kind is that of its original kind plus eight.
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
    /// The kinds that are not promoted.
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
    /// The kinds that can be held in hand.
    pub const IN_HAND: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// The original kind, before promotion.
    #[inline]
    pub const fn original(self) -> Self {
        Self::ORIGINAL[self as usize % 8]
    }

    /// The kind after promotion, or `None` if the kind does not promote.
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

    /// Returns whether the kind becomes much stronger by promotion. A lance, knight or silver rather changes its way.
    #[inline]
    pub const fn gains_by_promotion(self) -> bool {
        matches!(self, Self::Pawn | Self::Bishop | Self::Rook)
    }

    /// Returns whether the kind is promoted.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= 8
    }

    /// The number of men of this kind in a set, for both sides together. Promoted kinds count as their originals.
    pub const fn supply(self) -> u32 {
        match self.original() {
            Self::Pawn => 18,
            Self::King | Self::Bishop | Self::Rook => 2,
            _ => 4,
        }
    }

    /// The SFEN letter of the original kind, in upper case.
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

    /// Returns the original kind with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ORIGINAL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The kanji of the kind on a drawn board.
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

    /// The English name, for messages.
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

/// A man: its side and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The SFEN letter of its original kind: upper case for Black, lower case for White.
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.kind.letter(),
            Side::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

/// The hand of a side: the number of men of each kind, in one byte each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hand(u64);

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// One man of a kind, in its byte. A promoted kind counts as its original. A king is never held in hand.
    const fn one(kind: Kind) -> u64 {
        match kind {
            Kind::King => 0,
            _ => 1 << (8 * (kind as u32 % 8)),
        }
    }

    /// The number of men of a kind.
    #[inline]
    pub const fn count(self, kind: Kind) -> u32 {
        (self.0 >> (8 * (kind as u32 % 8)) & 0xff) as u32
    }

    /// Returns whether the hand has a man of this kind.
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    /// Returns whether the hand is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of men.
    #[inline]
    pub const fn len(self) -> u32 {
        // The product adds all bytes in the highest one.
        (self.0.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Returns the hand with one more man of a kind. A king changes nothing.
    #[inline]
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0.wrapping_add(Self::one(kind)))
    }

    /// Returns the hand with one man less of a kind that it has.
    #[inline]
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0.wrapping_sub(Self::one(kind)))
    }

    /// The kinds in the hand with the number of men of each.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Kind, u32)> {
        Kind::IN_HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }
}
