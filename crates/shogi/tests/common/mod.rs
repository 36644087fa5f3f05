//! Helpers of the tests: the start positions of handicaps, and a function that reads all games of a CSA file.
#![allow(dead_code, reason = "each test uses only a part of it")]

use endspiel_shogi::Position;
use endspiel_shogi::records::{Game, RecordError, csa, kif};

pub const HANDICAPS: [&str; 15] = [
    "香落ち",
    "右香落ち",
    "角落ち",
    "飛車落ち",
    "飛香落ち",
    "二枚落ち",
    "三枚落ち",
    "四枚落ち",
    "五枚落ち",
    "左五枚落ち",
    "六枚落ち",
    "左七枚落ち",
    "右七枚落ち",
    "八枚落ち",
    "十枚落ち",
];

/// The start position of the handicap with this name in KIF.
pub fn handicap(name: &str) -> Position {
    *kif::read(&format!("手合割：{name}")).expect(name).line.start()
}

pub fn read_csa(text: &str) -> Vec<Result<Game, RecordError>> {
    csa::read(text).collect()
}
