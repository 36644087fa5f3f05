//! The eleven kinds, and stacks of them.

use crate::grid::Point;
use game::Side;

/// A kind of piece, in the order in which stacks are written: whatever carries comes before what it carries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// N
    Navy,
    /// F
    AirForce,
    /// T
    Tank,
    /// E
    Engineer,
    /// H
    Headquarters,
    /// C
    Commander,
    /// I
    Infantry,
    /// M
    Militia,
    /// A
    Artillery,
    /// G
    AntiAir,
    /// S
    Missile,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Navy,
        Self::AirForce,
        Self::Tank,
        Self::Engineer,
        Self::Headquarters,
        Self::Commander,
        Self::Infantry,
        Self::Militia,
        Self::Artillery,
        Self::AntiAir,
        Self::Missile,
    ];

    /// Its letter, in upper case.
    pub const fn letter(self) -> char {
        match self {
            Self::Navy => 'N',
            Self::AirForce => 'F',
            Self::Tank => 'T',
            Self::Engineer => 'E',
            Self::Headquarters => 'H',
            Self::Commander => 'C',
            Self::Infantry => 'I',
            Self::Militia => 'M',
            Self::Artillery => 'A',
            Self::AntiAir => 'G',
            Self::Missile => 'S',
        }
    }

    /// The kind with this letter, in upper case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// May a stack that it carries stand there?
    #[inline]
    pub(crate) const fn can_stand(self, point: Point) -> bool {
        match self {
            Self::Navy => point.is_deep() || point.is_mixed(),
            _ => !point.is_deep(),
        }
    }

    /// Crosses the river by the bridges only.
    #[inline]
    pub(crate) const fn is_heavy(self) -> bool {
        matches!(self, Self::Artillery | Self::AntiAir | Self::Missile)
    }

    /// Captures over other pieces.
    #[inline]
    pub(crate) const fn reaches_over(self) -> bool {
        matches!(self, Self::Artillery | Self::Missile | Self::AirForce | Self::Navy)
    }

    /// How far its air defence reaches, not heroic; 0 for none.
    #[inline]
    pub(crate) const fn air_defence(self) -> u8 {
        match self {
            Self::AntiAir | Self::Navy => 1,
            Self::Missile => 2,
            _ => 0,
        }
    }
}

/// A kind, heroic or not, and what it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub kind: Kind,
    pub is_heroic: bool,
}

impl Piece {
    /// Does it go along diagonals?
    #[inline]
    pub const fn goes_diagonally(self) -> bool {
        self.is_heroic
            || matches!(
                self.kind,
                Kind::Militia | Kind::Artillery | Kind::Missile | Kind::AirForce | Kind::Navy
            )
    }

    /// How far it moves.
    #[inline]
    pub const fn move_range(self, is_diagonal: bool) -> u8 {
        let range = match self.kind {
            Kind::Commander => return u8::MAX,
            Kind::Headquarters => return self.is_heroic as u8,
            Kind::Missile if is_diagonal => 1,
            Kind::Infantry | Kind::Militia | Kind::Engineer | Kind::AntiAir => 1,
            Kind::Tank | Kind::Missile => 2,
            Kind::Artillery => 3,
            Kind::AirForce | Kind::Navy => 4,
        };
        range + self.is_heroic as u8
    }

    /// How far it captures a stack, which a ship carries or not.
    #[inline]
    pub const fn capture_range(self, is_diagonal: bool, of_navy: bool) -> u8 {
        match self.kind {
            Kind::Commander => 1,
            Kind::Navy if !of_navy => 3 + self.is_heroic as u8,
            _ => self.move_range(is_diagonal),
        }
    }
}

/// The pieces on a point, all of one side, no two of a kind; or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stack {
    /// A bit for each kind.
    kinds: u16,
    /// And for those that are heroic.
    heroic: u16,
}

/// A bit for each set of kinds that may stand on a point, by the number of the set.
static LEGAL: [u64; 32] = {
    let texts: [&[u8]; 23] = [
        b"NF", b"NC", b"NI", b"NM", b"NT", b"NFC", b"NFI", b"NFM", b"NFT", b"FT", b"FC", b"FI", b"FM",
        b"FTC", b"FTI", b"FTM", b"TC", b"TI", b"TM", b"EA", b"EG", b"ES", b"HC",
    ];
    let mut table = [0; 32];
    let mut i = 0;
    while i < 11 {
        let set = 1usize << i;
        table[set / 64] |= 1 << (set % 64);
        i += 1;
    }
    i = 0;
    while i < texts.len() {
        let mut set = 0usize;
        let mut letter = 0;
        while letter < texts[i].len() {
            let mut kind = 0;
            while kind < 11 {
                if Kind::ALL[kind].letter() as u8 == texts[i][letter] {
                    set |= 1 << kind;
                }
                kind += 1;
            }
            letter += 1;
        }
        table[set / 64] |= 1 << (set % 64);
        i += 1;
    }
    table
};

impl Stack {
    /// Nothing.
    pub const EMPTY: Self = Self { kinds: 0, heroic: 0 };

    /// One piece.
    pub const fn one(kind: Kind, is_heroic: bool) -> Self {
        let kinds = 1 << kind as u16;
        Self { kinds, heroic: if is_heroic { kinds } else { 0 } }
    }

    /// Is nothing here?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.kinds == 0
    }

    /// How many pieces.
    #[inline]
    pub const fn len(self) -> u32 {
        self.kinds.count_ones()
    }

    /// Is a kind among them?
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.kinds >> kind as u16 & 1 != 0
    }

    /// The piece that carries the others; of an empty stack, a ship.
    #[inline]
    pub(crate) fn carrier(self) -> Piece {
        let number = self.kinds.trailing_zeros() as usize % Kind::ALL.len();
        Piece { kind: Kind::ALL[number], is_heroic: self.heroic >> number & 1 != 0 }
    }

    /// Its pieces, the carrier first.
    pub(crate) fn pieces(self) -> impl Iterator<Item = Piece> {
        Kind::ALL
            .into_iter()
            .filter(move |&kind| self.has(kind))
            .map(move |kind| Piece { kind, is_heroic: self.heroic >> kind as u16 & 1 != 0 })
    }

    /// May they stand on one point?
    #[inline]
    pub const fn is_legal(self) -> bool {
        LEGAL[self.kinds as usize / 64 % 32] >> (self.kinds % 64) & 1 != 0
    }

    /// Both together, if they have no kind in common and may stand on one point.
    #[inline]
    pub fn combined(self, other: Self) -> Option<Self> {
        let union = self.with(other);
        (self.kinds & other.kinds == 0 && union.is_legal()).then_some(union)
    }

    /// Both together.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { kinds: self.kinds | other.kinds, heroic: self.heroic | other.heroic }
    }

    /// What is left without these kinds.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self { kinds: self.kinds & !other.kinds, heroic: self.heroic & !other.kinds }
    }

    /// Those of these kinds.
    #[inline]
    #[must_use]
    pub const fn only(self, other: Self) -> Self {
        Self { kinds: self.kinds & other.kinds, heroic: self.heroic & other.kinds }
    }

    /// With this piece heroic.
    #[inline]
    #[must_use]
    pub const fn promoted(self, kind: Kind) -> Self {
        Self { kinds: self.kinds, heroic: self.heroic | self.kinds & 1 << kind as u16 }
    }

    /// Every set of its pieces but the empty one.
    pub(crate) fn parts(self) -> impl Iterator<Item = Self> {
        // The subsets of a set of bits, from the smallest number up.
        let mut kinds = 0u16;
        std::iter::from_fn(move || {
            kinds = kinds.wrapping_sub(self.kinds) & self.kinds;
            (kinds != 0).then_some(Self { kinds, heroic: self.heroic & kinds })
        })
    }

    /// Its text: a letter, or several in parentheses, `+` before heroic ones; small letters for Blue.
    pub(crate) fn text(self, side: Side) -> String {
        let letter = |piece: Piece| {
            let letter = match side {
                Side::First => piece.kind.letter(),
                Side::Second => piece.kind.letter().to_ascii_lowercase(),
            };
            if piece.is_heroic { format!("+{letter}") } else { letter.to_string() }
        };
        let letters: String = self.pieces().map(letter).collect();
        if self.len() > 1 { format!("({letters})") } else { letters }
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(Side::First))
    }
}
