//! Stacks: what may stand on one point together, and which of it is heroic.

use crate::pieces::{Kind, Piece};
use game::Side;

/// The pieces on a point, all of one side, no two of a kind, that may stand there together; or none.
///
/// There are 34 sets of kinds that may, and 142 with the marks of heroes: so a byte holds one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stack(u8);

/// Some kinds: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Kinds(pub u16);

/// Every stack, and the empty one.
const STACKS: usize = 143;

/// What a stack's number stands for.
#[derive(Clone, Copy)]
struct Content {
    kinds: Kinds,
    /// Those that are heroic.
    heroes: Kinds,
    /// So many of them are there, the carrier first.
    pieces: [Piece; 3],
    len: u8,
    /// Farther than this none of them takes, straight and diagonally.
    reach: [u8; 2],
    /// The number of the kinds among those that may stand together.
    set: u8,
}

/// No stack has these kinds.
const NONE: u8 = u8::MAX;

struct Tables {
    contents: [Content; STACKS],
    /// The number of the stack of some kinds, none heroic; the others follow, by the heroes counted as a number
    /// whose lowest bit is the carrier's.
    numbers: [u8; 1 << Kind::ALL.len()],
}

static TABLES: Tables = {
    const SETS: [&[u8]; Stack::SETS] = [
        b"", b"N", b"F", b"T", b"E", b"H", b"C", b"I", b"M", b"A", b"G", b"S", b"NF", b"NC", b"NI", b"NM",
        b"NT", b"NFC", b"NFI", b"NFM", b"NFT", b"FT", b"FC", b"FI", b"FM", b"FTC", b"FTI", b"FTM", b"TC",
        b"TI", b"TM", b"EA", b"EG", b"ES", b"HC",
    ];
    let mut tables =
        Tables { contents: [content(Kinds(0), Kinds(0), 0); STACKS], numbers: [NONE; 1 << Kind::ALL.len()] };
    let (mut i, mut number) = (0, 0);
    while i < SETS.len() {
        let mut kinds = 0;
        let mut letter = 0;
        while letter < SETS[i].len() {
            kinds |= 1 << kind_of(SETS[i][letter]) as u16;
            letter += 1;
        }
        tables.numbers[kinds as usize] = number as u8;
        // The subsets of the kinds, from the smallest number up.
        let mut heroes = 0u16;
        loop {
            tables.contents[number] = content(Kinds(kinds), Kinds(heroes), i as u8);
            number += 1;
            heroes = heroes.wrapping_sub(kinds) & kinds;
            if heroes == 0 {
                break;
            }
        }
        i += 1;
    }
    assert!(number == STACKS);
    tables
};

const fn kind_of(letter: u8) -> Kind {
    let mut kind = 0;
    while Kind::ALL[kind].letter() as u8 != letter {
        kind += 1;
    }
    Kind::ALL[kind]
}

const fn content(kinds: Kinds, heroes: Kinds, set: u8) -> Content {
    // An empty stack has no carrier; a ship stands for it, and is not asked.
    let mut pieces = [Piece::from_number(0); 3];
    let (mut len, mut kind) = (0, 0);
    let mut reach = [0; 2];
    while kind < Kind::ALL.len() {
        if kinds.0 >> kind & 1 == 1 {
            let piece = Piece { kind: Kind::ALL[kind], is_heroic: heroes.0 >> kind & 1 == 1 };
            let straight = piece.capture_range(false, true);
            let diagonal = if piece.goes_diagonally() { piece.capture_range(true, true) } else { 0 };
            reach = [max(reach[0], straight), max(reach[1], diagonal)];
            pieces[len as usize] = piece;
            len += 1;
        }
        kind += 1;
    }
    Content { kinds, heroes, pieces, len, reach, set }
}

const fn max(a: u8, b: u8) -> u8 {
    if a > b { a } else { b }
}

impl Kinds {
    /// One kind.
    #[inline]
    pub const fn one(kind: Kind) -> Self {
        Self(1 << kind as u16)
    }

    /// Those of them that a mask of their places tells, the carrier's being the lowest.
    #[inline]
    pub fn at(self, places: u8) -> Self {
        Self(bits::pdep(places.into(), self.0.into()) as u16)
    }
}

impl FromIterator<Self> for Kinds {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Self>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |all, kind| all | kind.0))
    }
}

impl Stack {
    /// Nothing.
    pub const EMPTY: Self = Self(0);

    /// The number of sets of kinds that may stand together, the empty one included.
    pub(crate) const SETS: usize = 35;

    /// One piece.
    pub const fn one(kind: Kind, is_heroic: bool) -> Self {
        Self(TABLES.numbers[1 << kind as usize] + is_heroic as u8)
    }

    /// The stack of these kinds with these heroes among them, if there is one.
    #[inline]
    pub(crate) fn of(kinds: Kinds, heroes: Kinds) -> Option<Self> {
        let number = TABLES.numbers[usize::from(kinds.0) % TABLES.numbers.len()];
        let marks = bits::pext(heroes.0.into(), kinds.0.into()) as u8;
        (number != NONE).then(|| Self(number + marks))
    }

    #[inline]
    fn content(self) -> &'static Content {
        &TABLES.contents[usize::from(self.0) % STACKS]
    }

    /// Is nothing here?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its kinds.
    #[inline]
    pub(crate) fn kinds(self) -> Kinds {
        self.content().kinds
    }

    /// Those that are heroic.
    #[inline]
    pub(crate) fn heroes(self) -> Kinds {
        self.content().heroes
    }

    /// The number of its kinds among the sets that may stand together.
    #[inline]
    pub(crate) fn set(self) -> usize {
        self.content().set.into()
    }

    /// How many pieces.
    #[inline]
    pub fn len(self) -> u32 {
        self.content().len.into()
    }

    /// Is a kind among them?
    #[inline]
    pub fn has(self, kind: Kind) -> bool {
        self.kinds().0 >> kind as u16 & 1 != 0
    }

    /// Is a kind among them, and heroic?
    #[inline]
    pub fn has_hero(self, kind: Kind) -> bool {
        self.content().heroes.0 >> kind as u16 & 1 != 0
    }

    /// The piece that carries the others; of an empty stack, a ship.
    #[inline]
    pub(crate) fn carrier(self) -> Piece {
        self.content().pieces[0]
    }

    /// Farther than this none of its pieces takes.
    #[inline]
    pub(crate) fn reach(self, is_diagonal: bool) -> u8 {
        self.content().reach[usize::from(is_diagonal)]
    }

    /// Its pieces, the carrier first.
    #[inline]
    pub(crate) fn pieces(self) -> impl Iterator<Item = Piece> {
        let content = self.content();
        content.pieces.iter().take(content.len.into()).copied()
    }

    /// Both together, if they have no kind in common and may stand on one point.
    #[inline]
    pub fn combined(self, other: Self) -> Option<Self> {
        let (a, b) = (self.content(), other.content());
        let union = Self::of(Kinds(a.kinds.0 | b.kinds.0), Kinds(a.heroes.0 | b.heroes.0));
        union.filter(|_| a.kinds.0 & b.kinds.0 == 0)
    }

    /// Those of these kinds: a part of a stack is a stack.
    #[inline]
    #[must_use]
    pub(crate) fn only(self, kinds: Kinds) -> Self {
        let own = self.content();
        Self::of(Kinds(own.kinds.0 & kinds.0), own.heroes).unwrap_or(Self::EMPTY)
    }

    /// What is left without these kinds.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, kinds: Kinds) -> Self {
        self.only(Kinds(!kinds.0))
    }

    /// With these of its pieces heroic.
    #[inline]
    #[must_use]
    pub(crate) fn promoted(self, kinds: Kinds) -> Self {
        let own = self.content();
        Self::of(own.kinds, Kinds(own.heroes.0 | kinds.0)).unwrap_or(self)
    }

    /// Its text: a letter, or several in parentheses, `+` before heroic ones; small letters for Blue.
    pub(crate) fn text(self, side: Side) -> String {
        let mut text = String::new();
        self.write(side, &mut text);
        text
    }

    /// Appends its text.
    pub(crate) fn write(self, side: Side, out: &mut String) {
        let is_carrying = self.len() > 1;
        out.extend(is_carrying.then_some('('));
        for piece in self.pieces() {
            out.extend(piece.is_heroic.then_some('+'));
            out.push(match side {
                Side::First => piece.kind.letter(),
                Side::Second => piece.kind.letter().to_ascii_lowercase(),
            });
        }
        out.extend(is_carrying.then_some(')'));
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(Side::First))
    }
}
