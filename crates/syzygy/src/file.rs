//! One file: its header, its parts, and the value that it stores for a position.

use crate::arrangement::{Arrangement, Men};
use crate::error::{Metric, Problem};
use crate::material::Material;
use crate::pairs::Pairs;
use crate::reader::{CHECKSUM_BYTES, Reader};
use crate::values::Wdl5;
use chess::{Kind, Piece};
use game::Side;
use table::Source;

/// An open file of a material.
pub(crate) struct TableFile {
    source: Box<dyn Source>,
    material: Material,
    /// One part for each file of the leading pawn and each side to move that is stored.
    parts: Box<[Part]>,
    /// The number of sides to move in the file: two for WDL, unless both sides have the same men.
    sides: usize,
    /// The side whose pawns lead.
    lead_side: Option<Side>,
}

/// The positions of a table with one side to move, and with the leading pawn on one file.
struct Part {
    arrangement: Arrangement,
    pairs: Pairs,
    flags: Flags,
    /// The distances behind the stored numbers, for DTZ: for wins, losses, cursed wins and blessed losses.
    maps: Option<[Box<[u16]>; 4]>,
}

/// What a part says about itself.
#[derive(Clone, Copy)]
struct Flags(u8);

impl Flags {
    const BLACK_TO_MOVE: u8 = 1;
    const MAPPED: u8 = 2;
    const WINS_IN_PLIES: u8 = 4;
    const LOSSES_IN_PLIES: u8 = 8;
    const WIDE: u8 = 16;
    const SINGLE: u8 = 128;

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// A distance as a file stores it, in plies after the first one.
pub(crate) struct Stored {
    pub plies: u32,
    /// Whether the file counts plies. Otherwise the distance may be longer by one.
    pub is_exact: bool,
}

impl Metric {
    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Flags of the whole file: both sides to move differ, and there are pawns.
const SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;

/// The man with this code: 1 to 6 for White, 9 to 14 for Black, from the pawn to the king.
fn piece(code: u8) -> Option<Piece> {
    let side = if code & 8 == 0 { Side::First } else { Side::Second };
    let kind = *Kind::ALL.get(usize::from(code & 7).checked_sub(1)?)?;
    Some(Piece { side, kind })
}

impl TableFile {
    /// Reads and checks the header. All that is not in blocks is checked here; blocks are checked when they are read.
    pub fn new(source: Box<dyn Source>, material: Material, metric: Metric) -> Result<Self, Problem> {
        let length = source.len();
        let mut reader = Reader::new(&*source);
        if reader.array()? != metric.magic() {
            return Err(Problem::NotATable);
        }
        if length % 64 != CHECKSUM_BYTES {
            return Err(Problem::Length { length });
        }
        let flags = reader.u8()?;
        let has_pawns = material.has_pawns();
        if (flags & HAS_PAWNS != 0) != has_pawns || (flags & SPLIT == 0) != material.is_symmetric() {
            return Err(Problem::Pieces);
        }
        let sides = if metric == Metric::Wdl && !material.is_symmetric() { 2 } else { 1 };
        let files = if has_pawns { 4 } else { 1 };

        let arrangements = Self::read_arrangements(&mut reader, material, sides, files)?;
        reader.align(2);
        let mut parts = Vec::with_capacity(arrangements.len());
        for arrangement in arrangements {
            let flags = Flags(reader.u8()?);
            let pairs = Pairs::read(&mut reader, flags.has(Flags::SINGLE), arrangement.size())?;
            parts.push(Part { arrangement, pairs, flags, maps: None });
        }
        if metric == Metric::Dtz {
            for part in &mut parts {
                part.read_maps(&mut reader)?;
            }
            reader.align(2);
        }
        parts.iter_mut().try_for_each(|part| part.pairs.place_index(&mut reader))?;
        parts.iter_mut().try_for_each(|part| part.pairs.place_lengths(&mut reader))?;
        parts.iter_mut().try_for_each(|part| part.pairs.place_data(&mut reader))?;

        let lead_side = parts[0].arrangement.lead_side();
        if parts.iter().any(|part| part.arrangement.lead_side() != lead_side) {
            return Err(Problem::Pieces);
        }
        Ok(Self { source, material, parts: parts.into(), sides, lead_side })
    }

    /// The orders of the groups and the lists of men, for each file and side.
    fn read_arrangements(
        reader: &mut Reader<'_>,
        material: Material,
        sides: usize,
        files: usize,
    ) -> Result<Vec<Arrangement>, Problem> {
        let both_have_pawns = Side::ALL.into_iter().all(|side| material.count(side, Kind::Pawn) > 0);
        let mut arrangements = Vec::with_capacity(sides * files);
        for file in 0..files {
            let leads = reader.u8()?;
            let pawns = if both_have_pawns { reader.u8()? } else { 0 };
            let codes = reader.bytes(material.men() as usize)?;
            for side in 0..sides {
                // Two half bytes: the lower one for White to move.
                let of_side = |byte: u8| byte >> (4 * side) & 15;
                let pieces: Option<Vec<_>> = codes.iter().map(|&code| piece(of_side(code))).collect();
                let orders = (of_side(leads).into(), of_side(pawns).into());
                let pieces = pieces.ok_or(Problem::Pieces)?;
                arrangements.push(Arrangement::new(&pieces, material, orders, file)?);
            }
        }
        Ok(arrangements)
    }

    /// Returns whether a position must be probed with the colours exchanged: if Black has the men that the file gives to
    /// White; with equal men, if Black is to move.
    #[inline]
    fn turns_board(&self, board_is_swapped: bool, turn: Side) -> bool {
        board_is_swapped || self.sides == 1 && self.material.is_symmetric() && turn == Side::Second
    }

    /// The part for the men of a position, and their index in it.
    #[inline]
    fn part(&self, men: &Men, side: usize) -> (&Part, u64) {
        let file = self.lead_side.map_or(0, |lead| men.lead_file(lead));
        let part = &self.parts[(file * self.sides + side).min(self.parts.len() - 1)];
        (part, part.arrangement.index(men))
    }

    /// The stored value of a position whose men are those of the file, or with `swapped` those of the file with exchanged
    /// sides. A capture may be better than this value.
    #[inline]
    pub fn wdl(&self, board: &chess::Board, turn: Side, swapped: bool) -> Result<Wdl5, Problem> {
        let turned = self.turns_board(swapped, turn);
        let men = Men::of(board, turned);
        let side = usize::from((turn == Side::Second) != turned) & (self.sides - 1);
        let (part, index) = self.part(&men, side);
        let value = part.pairs.value(&*self.source, index)?;
        Wdl5::ALL.get(usize::from(value)).copied().ok_or(Problem::Value { found: value })
    }

    /// The stored distance of a position that has this value, which is not a draw. `None` if the file has the positions
    /// with the other side to move.
    pub fn dtz(
        &self,
        board: &chess::Board,
        turn: Side,
        swapped: bool,
        wdl: Wdl5,
    ) -> Result<Option<Stored>, Problem> {
        let turned = self.turns_board(swapped, turn);
        let men = Men::of(board, turned);
        let (part, index) = self.part(&men, 0);
        let black_to_move = (turn == Side::Second) != turned;
        let stores_both = self.material.is_symmetric() && self.lead_side.is_none();
        if part.flags.has(Flags::BLACK_TO_MOVE) != black_to_move && !stores_both {
            return Ok(None);
        }
        let value = part.pairs.value(&*self.source, index)?;
        part.distance(value, wdl).map(Some)
    }
}

impl Part {
    /// Reads the lists of distances, if there are any.
    fn read_maps(&mut self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        if !self.flags.has(Flags::MAPPED) {
            return Ok(());
        }
        let is_wide = self.flags.has(Flags::WIDE);
        if is_wide {
            reader.align(2);
        }
        let mut maps: [Box<[u16]>; 4] = Default::default();
        for map in &mut maps {
            *map = if is_wide {
                let count = u16::from_le_bytes(reader.array()?);
                reader.numbers(count.into())?.into()
            } else {
                let count = reader.u8()?;
                reader.bytes(count.into())?.iter().map(|&byte| byte.into()).collect()
            };
        }
        self.maps = Some(maps);
        Ok(())
    }

    /// The distance behind a stored number.
    fn distance(&self, value: u16, wdl: Wdl5) -> Result<Stored, Problem> {
        let (list, is_exact) = match wdl {
            Wdl5::Win => (0, self.flags.has(Flags::WINS_IN_PLIES)),
            Wdl5::Loss => (1, self.flags.has(Flags::LOSSES_IN_PLIES)),
            Wdl5::CursedWin | Wdl5::Draw => (2, false),
            Wdl5::BlessedLoss => (3, false),
        };
        let distance = match &self.maps {
            Some(maps) => *maps[list].get(usize::from(value)).ok_or(Problem::Value { found: value })?,
            None => value,
        };
        Ok(Stored { plies: u32::from(distance) * if is_exact { 1 } else { 2 }, is_exact })
    }
}
