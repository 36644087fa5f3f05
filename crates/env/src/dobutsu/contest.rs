//! What Dobutsu shogi brings to contests.

use crate::contest::Contested;
use crate::encounter::{GameReport, Played};
use dobutsu::{Dobutsu, Position};

impl Contested for Dobutsu {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] =
        &[("catch", "lions caught"), ("try", "tries"), ("no moves", "opponents without a move")];

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }
}
