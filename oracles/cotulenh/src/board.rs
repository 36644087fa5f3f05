//! Terrain, pieces, stacks, the board and FEN: sections 1, 2, 3 and 10 of the rules.

use std::fmt::Write;

pub const FILES: i32 = 11;
pub const RANKS: i32 = 12;
pub const POINTS: usize = 132;

/// A point by its number, in the order a1, b1, ... k1, a2, ... k12. Ranks and files count from 0 in this program.
pub type Point = usize;

pub fn file_of(point: Point) -> i32 {
    point as i32 % FILES
}

pub fn rank_of(point: Point) -> i32 {
    point as i32 / FILES
}

/// The point at a file and a rank; `None` if it is not on the board.
pub fn point_at(file: i32, rank: i32) -> Option<Point> {
    let on_board = (0..FILES).contains(&file) && (0..RANKS).contains(&rank);
    on_board.then_some((rank * FILES + file) as Point)
}

pub fn point_name(point: Point) -> String {
    format!("{}{}", (b'a' + file_of(point) as u8) as char, rank_of(point) + 1)
}

fn is_deep_water(point: Point) -> bool {
    file_of(point) <= 1
}

/// Returns whether the point is on file c, or on files d and e on either bank of the river.
fn is_mixed(point: Point) -> bool {
    let (file, rank) = (file_of(point), rank_of(point) + 1);
    file == 2 || ((file == 3 || file == 4) && (rank == 6 || rank == 7))
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    Red,
    Blue,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Red => Side::Blue,
            Side::Blue => Side::Red,
        }
    }
}

/// The kinds of pieces, in the order in which the members of a stack are written. The first member is the carrier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Navy,
    AirForce,
    Tank,
    Engineer,
    Headquarters,
    Commander,
    Infantry,
    Militia,
    Artillery,
    AntiAir,
    Missile,
}

use Kind::*;

const LETTERS: [(Kind, char); 11] = [
    (Navy, 'N'),
    (AirForce, 'F'),
    (Tank, 'T'),
    (Engineer, 'E'),
    (Headquarters, 'H'),
    (Commander, 'C'),
    (Infantry, 'I'),
    (Militia, 'M'),
    (Artillery, 'A'),
    (AntiAir, 'G'),
    (Missile, 'S'),
];

impl Kind {
    pub fn letter(self) -> char {
        LETTERS[self as usize].1
    }

    pub fn from_letter(letter: char) -> Option<Kind> {
        LETTERS.iter().find(|entry| entry.1 == letter).map(|entry| entry.0)
    }

    pub fn can_stand(self, point: Point) -> bool {
        if self == Navy { is_deep_water(point) || is_mixed(point) } else { !is_deep_water(point) }
    }

    pub fn is_heavy(self) -> bool {
        matches!(self, Artillery | AntiAir | Missile)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub kind: Kind,
    pub heroic: bool,
}

/// A range that no distance on the board exceeds.
const UNLIMITED: i32 = 12;

impl Piece {
    pub fn move_range(self) -> i32 {
        let plain = match self.kind {
            Commander => return UNLIMITED,
            Headquarters => return self.heroic as i32,
            Infantry | Militia | Engineer | AntiAir => 1,
            Tank | Missile => 2,
            Artillery => 3,
            AirForce | Navy => 4,
        };
        plain + self.heroic as i32
    }

    /// The capture range against a stack with this carrier.
    pub fn capture_range(self, target: Kind) -> i32 {
        let plain = match self.kind {
            Commander => return 1,
            Headquarters => return self.heroic as i32,
            Infantry | Militia | Engineer | AntiAir => 1,
            Tank | Missile => 2,
            Artillery => 3,
            AirForce => 4,
            Navy => 3 + (target == Navy) as i32,
        };
        plain + self.heroic as i32
    }

    /// The upper limit of its ranges along a diagonal. Only for the missile is it below the ranges. It is 0 for a piece that
    /// cannot act along diagonals.
    pub fn diagonal_limit(self) -> i32 {
        match self.kind {
            Missile => 1 + self.heroic as i32,
            Militia | Artillery | AirForce | Navy => UNLIMITED,
            _ if self.heroic => UNLIMITED,
            _ => 0,
        }
    }

    /// The level of its air defence; 0 if it has none.
    pub fn air_defence(self) -> i32 {
        match self.kind {
            AntiAir | Navy => 1 + self.heroic as i32,
            Missile => 2 + self.heroic as i32,
            _ => 0,
        }
    }

    /// Writes the letter of the piece. The notation of turns uses uppercase letters for both colours.
    fn write(self, text: &mut String, side: Side) {
        if self.heroic {
            text.push('+');
        }
        let letter = self.kind.letter();
        text.push(if side == Side::Red { letter } else { letter.to_ascii_lowercase() });
    }
}

const LEGAL_STACKS: [&str; 23] = [
    "NF", "NC", "NI", "NM", "NT", "NFC", "NFI", "NFM", "NFT", "FT", "FC", "FI", "FM", "FTC", "FTI", "FTM",
    "TC", "TI", "TM", "EA", "EG", "ES", "HC",
];

/// One to three pieces of one side, in canonical order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stack {
    pub side: Side,
    members: [Option<Piece>; 3],
}

impl Stack {
    /// Creates a stack of these members, given in any order. Returns `None` if the rules do not allow it, if there are no
    /// members, or if there are too many.
    pub fn new(side: Side, pieces: impl Iterator<Item = Piece>) -> Option<Stack> {
        let mut members = [None; 3];
        let mut count = 0;
        for piece in pieces {
            *members.get_mut(count)? = Some(piece);
            count += 1;
        }
        members[..count].sort_by_key(|member| member.map(|piece| piece.kind));
        let stack = Stack { side, members };
        let legal = match count {
            0 => false,
            1 => true,
            _ => LEGAL_STACKS
                .iter()
                .any(|known| known.chars().eq(stack.members().map(|piece| piece.kind.letter()))),
        };
        legal.then_some(stack)
    }

    pub fn members(&self) -> impl Iterator<Item = Piece> {
        self.members.iter().copied().flatten()
    }

    pub fn size(&self) -> usize {
        self.members().count()
    }

    pub fn carrier(&self) -> Piece {
        self.members[0].expect("a stack has a carrier")
    }

    pub fn holds(&self, kind: Kind) -> bool {
        self.members().any(|piece| piece.kind == kind)
    }

    pub fn combine(&self, other: &Stack) -> Option<Stack> {
        Stack::new(self.side, self.members().chain(other.members()))
    }

    /// The part of the stack with the wanted kinds; `None` if it is empty. Any other part of a legal stack is legal.
    pub fn part(&self, wanted: impl Fn(Kind) -> bool) -> Option<Stack> {
        Stack::new(self.side, self.members().filter(|piece| wanted(piece.kind)))
    }

    pub fn make_heroic(&mut self, kind: Kind) {
        for piece in self.members.iter_mut().flatten() {
            piece.heroic |= piece.kind == kind;
        }
    }

    pub fn text(&self, side: Side) -> String {
        let mut text = String::new();
        self.members().for_each(|piece| piece.write(&mut text, side));
        if self.size() > 1 { format!("({text})") } else { text }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    pub points: [Option<Stack>; POINTS],
}

impl Board {
    pub fn empty() -> Board {
        Board { points: [None; POINTS] }
    }

    pub fn stacks(&self) -> impl Iterator<Item = (Point, &Stack)> {
        self.points.iter().enumerate().filter_map(|(point, stack)| Some((point, stack.as_ref()?)))
    }

    pub fn stacks_of(&self, side: Side) -> impl Iterator<Item = (Point, &Stack)> {
        self.stacks().filter(move |(_, stack)| stack.side == side)
    }

    /// The point of a side's commander, alone or carried.
    pub fn commander(&self, side: Side) -> Option<Point> {
        self.stacks_of(side).find(|(_, stack)| stack.holds(Commander)).map(|(point, _)| point)
    }
}

#[derive(Clone)]
pub struct Position {
    pub board: Board,
    pub mover: Side,
    pub half_moves: u32,
    pub move_number: u32,
}

impl Position {
    /// The position with colours exchanged and the board seen from the other side. The game is the same.
    pub fn flipped(&self) -> Position {
        let mut board = Board::empty();
        for (point, stack) in self.board.stacks() {
            let target = point_at(file_of(point), RANKS - 1 - rank_of(point)).expect("a rank of the board");
            board.points[target] = Some(Stack { side: stack.side.other(), ..*stack });
        }
        Position { board, mover: self.mover.other(), ..*self }
    }

    pub fn to_fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                match &self.board.points[(rank * FILES + file) as Point] {
                    None => empty += 1,
                    Some(stack) => {
                        if empty > 0 {
                            write!(text, "{empty}").expect("a string takes everything");
                            empty = 0;
                        }
                        text += &stack.text(stack.side);
                    }
                }
            }
            if empty > 0 {
                write!(text, "{empty}").expect("a string takes everything");
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let mover = if self.mover == Side::Red { 'r' } else { 'b' };
        write!(text, "{mover} - - {} {}", self.half_moves, self.move_number)
            .expect("a string takes everything");
        text
    }

    /// Reads a FEN. Both commanders must be on the board, because only such positions can be played.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [placement, mover, "-", "-", half_moves, move_number] = fields[..] else {
            return Err("six fields are needed, the third and fourth of them dashes".to_string());
        };
        let mover = match mover {
            "r" => Side::Red,
            "b" => Side::Blue,
            _ => return Err(format!("no side: {mover}")),
        };
        let count = |text: &str| text.parse().map_err(|_| format!("not a number: {text}"));
        let (half_moves, move_number) = (count(half_moves)?, count(move_number)?);
        let ranks: Vec<&str> = placement.split('/').collect();
        if ranks.len() != RANKS as usize {
            return Err(format!("{} ranks", ranks.len()));
        }
        let mut board = Board::empty();
        for (row, text) in ranks.iter().enumerate() {
            read_rank(text, RANKS - 1 - row as i32, &mut board)?;
        }
        for side in [Side::Red, Side::Blue] {
            let commanders = board.stacks_of(side).filter(|(_, stack)| stack.holds(Commander)).count();
            if commanders != 1 {
                return Err(format!("{commanders} commanders of {side:?}"));
            }
        }
        Ok(Position { board, mover, half_moves, move_number })
    }
}

fn read_rank(text: &str, rank: i32, board: &mut Board) -> Result<(), String> {
    let mut rest = text;
    let mut file = 0;
    let mut after_number = false;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            let empty: i32 = rest[..digits].parse().map_err(|_| format!("rank {text}"))?;
            if !(1..=FILES).contains(&empty) || after_number {
                return Err(format!("number of empty points in {text}"));
            }
            file += empty;
            after_number = true;
            rest = &rest[digits..];
            continue;
        }
        after_number = false;
        let pieces;
        if first == '(' {
            let end = rest.find(')').ok_or_else(|| format!("open stack in {text}"))?;
            pieces = &rest[1..end];
            rest = &rest[end + 1..];
        } else {
            let end = rest.find(|letter: char| letter != '+').ok_or_else(|| format!("rank {text}"))? + 1;
            pieces = rest.get(..end).ok_or_else(|| format!("rank {text}"))?;
            rest = &rest[end..];
        }
        let stack = read_stack(pieces).ok_or_else(|| format!("no stack: {pieces}"))?;
        let point = point_at(file, rank).ok_or_else(|| format!("too many points in {text}"))?;
        if !stack.carrier().kind.can_stand(point) {
            return Err(format!("{pieces} cannot stand on {}", point_name(point)));
        }
        board.points[point] = Some(stack);
        file += 1;
    }
    if file == FILES { Ok(()) } else { Err(format!("{file} points in {text}")) }
}

fn read_stack(text: &str) -> Option<Stack> {
    let mut pieces = Vec::new();
    let mut sides = Vec::new();
    let mut heroic = false;
    for letter in text.chars() {
        if letter == '+' {
            if heroic {
                return None;
            }
            heroic = true;
            continue;
        }
        pieces.push(Piece { kind: Kind::from_letter(letter.to_ascii_uppercase())?, heroic });
        sides.push(if letter.is_ascii_uppercase() { Side::Red } else { Side::Blue });
        heroic = false;
    }
    let side = *sides.first()?;
    let in_order = pieces.is_sorted_by_key(|piece: &Piece| piece.kind);
    if heroic || !in_order || sides.iter().any(|other| *other != side) {
        return None;
    }
    Stack::new(side, pieces.into_iter())
}
