//! What Onitama brings to contests.

use crate::contest::Contested;
use crate::encounter::{GameReport, Played};
use onitama::{Onitama, Position};

impl Contested for Onitama {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] =
        &[("stone", "masters taken"), ("stream", "temples entered")];

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }
}
