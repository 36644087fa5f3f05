//! Stacks: the pieces that can stand on one point, and which of them are heroic.

use crate::pieces::{Kind, Piece};
use game::Side;

/// The pieces on a point, or none. They are of one side and of different kinds, and the rules let them stand
/// together.
///
/// There are 34 such sets of kinds, and 142 with the marks of heroes. So a byte holds a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stack(u8);

/// A set of kinds: one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Kinds(pub u16);

/// The number of stacks, the empty one included.
const STACKS: usize = 143;

/// The content of a stack, looked up by its number.
#[derive(Clone, Copy)]
struct Content {
    kinds: Kinds,
    /// The kinds that are heroic.
    heroes: Kinds,
    /// The pieces, with the carrier first. Only the first `len` are valid.
    pieces: [Piece; 3],
    len: u8,
    /// The farthest capture of its pieces, straight and diagonally.
    reach: [u8; 2],
    /// The number of the set of kinds, among the sets that can be a stack.
    set: u8,
}

/// The number for kinds that are not a stack.
const NONE: u8 = u8::MAX;

struct Tables {
    contents: [Content; STACKS],
    /// By a set of kinds: the number of the stack without heroes. The stacks with heroes follow it. Their order is
    /// that of the marks, read as a number in which the carrier has the lowest bit.
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
    // An empty stack has no carrier. A ship fills its place and is not used.
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

    /// The sets of some of these kinds, but not of all.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        let next =
            move |part: &Self| Some(Self(part.0.wrapping_sub(self.0) & self.0)).filter(|part| *part != self);
        std::iter::successors(next(&Self::default()), next)
    }

    /// The kinds at these places of a stack. The carrier has the lowest bit of the mask.
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
    /// The empty stack.
    pub const EMPTY: Self = Self(0);

    /// The number of sets of kinds that can be a stack, the empty set included.
    pub(crate) const SETS: usize = 35;

    /// The stack of one piece.
    pub const fn one(kind: Kind, is_heroic: bool) -> Self {
        Self(TABLES.numbers[1 << kind as usize] + is_heroic as u8)
    }

    /// Returns the stack of these kinds with these heroes among them. Returns `None` if the kinds are not a stack.
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

    /// Returns whether the stack is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its kinds.
    #[inline]
    pub(crate) fn kinds(self) -> Kinds {
        self.content().kinds
    }

    /// The kinds that are heroic.
    #[inline]
    pub(crate) fn heroes(self) -> Kinds {
        self.content().heroes
    }

    /// The number of its set of kinds, among the sets that can be a stack.
    #[inline]
    pub(crate) fn set(self) -> usize {
        self.content().set.into()
    }

    /// The number of pieces.
    #[inline]
    pub fn len(self) -> u32 {
        self.content().len.into()
    }

    /// Returns whether the stack has a piece of this kind.
    #[inline]
    pub fn has(self, kind: Kind) -> bool {
        self.kinds().0 >> kind as u16 & 1 != 0
    }

    /// Returns whether the stack has a heroic piece of this kind.
    #[inline]
    pub fn has_hero(self, kind: Kind) -> bool {
        self.content().heroes.0 >> kind as u16 & 1 != 0
    }

    /// The piece that carries the others. For an empty stack it returns a ship.
    #[inline]
    pub(crate) fn carrier(self) -> Piece {
        self.content().pieces[0]
    }

    /// The farthest capture of its pieces.
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

    /// Returns the union of two stacks. Returns `None` if they have a kind in common, or cannot stand on one point.
    #[inline]
    pub fn combined(self, other: Self) -> Option<Self> {
        let (a, b) = (self.content(), other.content());
        let union = Self::of(Kinds(a.kinds.0 | b.kinds.0), Kinds(a.heroes.0 | b.heroes.0));
        union.filter(|_| a.kinds.0 & b.kinds.0 == 0)
    }

    /// The part of the stack with these kinds. Every part of a stack is a stack.
    #[inline]
    #[must_use]
    pub(crate) fn only(self, kinds: Kinds) -> Self {
        let own = self.content();
        Self::of(Kinds(own.kinds.0 & kinds.0), own.heroes).unwrap_or(Self::EMPTY)
    }

    /// The part of the stack without these kinds.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, kinds: Kinds) -> Self {
        self.only(Kinds(!kinds.0))
    }

    /// The stack with its pieces of these kinds made heroic.
    #[inline]
    #[must_use]
    pub(crate) fn promoted(self, kinds: Kinds) -> Self {
        let own = self.content();
        Self::of(own.kinds, Kinds(own.heroes.0 | kinds.0)).unwrap_or(self)
    }

    /// The text of the stack: one letter, or several letters in parentheses. A `+` comes before heroes. Blue has
    /// lower-case letters.
    pub(crate) fn text(self, side: Side) -> String {
        let mut text = String::new();
        self.write(side, &mut text);
        text
    }

    /// Appends the text of the stack.
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
