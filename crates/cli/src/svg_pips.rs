//! Pictures of bear-offs by the pip counts of both sides, as SVG.

use crate::svg::escaped;
use crate::words::thousands;
use registry::{PipCell, PipMap};
use std::fmt::Write;

/// The length of the side of a cell.
const CELL: f64 = 9.0;
const MARGIN: f64 = 56.0;
const LEGEND: f64 = 240.0;

/// The colour of a cell, and what it says.
type Painted = Option<(String, String)>;

/// A map of all cells.
struct Panel {
    title: &'static str,
    /// The colours of the legend, with their meanings.
    legend: Vec<(String, String)>,
    paint: fn(&PipCell) -> Painted,
}

/// Draws the chance to win, the best action with a cube in the middle if the table knows the cube, and the error of the one-sided
/// approximation if that is known.
pub fn pip_maps(title: &str, map: &PipMap) -> String {
    let mut panels = vec![chances()];
    panels.extend(map.has_cube.then(doubles));
    let has_error = map.cells.values().any(|cell| cell.one_sided_error.is_some());
    panels.extend(has_error.then(errors));
    let (mine, theirs) = map.most();
    let [wide, high] = [theirs, mine].map(|most| f64::from(most + 1) * CELL);
    let (width, step) = (wide + LEGEND + 2.0 * MARGIN, high + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"18\">{}</text>\n",
        panels.len() as f64 * step + MARGIN,
        escaped(title)
    );
    for (number, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, map, (wide, high), MARGIN * 1.5 + number as f64 * step);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel, map: &PipMap, (wide, high): (f64, f64), top: f64) {
    let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    };
    text(MARGIN, top - 24.0, "start", panel.title);
    text(MARGIN + wide / 2.0, top + high + 34.0, "middle", "pips of the opponent");
    text(6.0, top - 6.0, "start", "own pips");
    let (mine, theirs) = map.most();
    let step = if mine.max(theirs) > 40 { 10 } else { 5 };
    for pips in (0..=theirs).step_by(step) {
        text(MARGIN + (f64::from(pips) + 0.5) * CELL, top + high + 16.0, "middle", &pips.to_string());
    }
    for pips in (0..=mine).step_by(step) {
        text(MARGIN - 6.0, top + (f64::from(pips) + 0.8) * CELL, "end", &pips.to_string());
    }
    let left = MARGIN + wide + 16.0;
    for (row, (_, meaning)) in panel.legend.iter().enumerate() {
        text(left + 18.0, top + 10.0 + 18.0 * row as f64, "start", meaning);
    }
    for (row, (colour, _)) in panel.legend.iter().enumerate() {
        let y = top + 18.0 * row as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\" stroke=\"#999\"/>"
        );
    }
    for (&(mine, theirs), cell) in &map.cells {
        let Some((colour, said)) = (panel.paint)(cell) else { continue };
        let (x, y) = (MARGIN + f64::from(theirs) * CELL, top + f64::from(mine) * CELL);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\"><title>{mine} against \
             {theirs} pips: {said}</title></rect>"
        );
    }
}

/// A colour between two others.
fn between(from: [u8; 3], to: [u8; 3], share: f64) -> String {
    let share = share.clamp(0.0, 1.0);
    let mix = |n: usize| (f64::from(from[n]) + (f64::from(to[n]) - f64::from(from[n])) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

const RED: [u8; 3] = [0xc0, 0x56, 0x21];
const BLUE: [u8; 3] = [0x2b, 0x6c, 0xb0];
const WHITE: [u8; 3] = [0xf7, 0xf7, 0xf7];
const GREY: [u8; 3] = [0xa0, 0xa0, 0xa0];
const BLACK: [u8; 3] = [0x20, 0x20, 0x20];

/// Red where the side to move loses, blue where it wins.
fn chance_colour(win: f64) -> String {
    match win < 0.5 {
        true => between(RED, WHITE, 2.0 * win),
        false => between(WHITE, BLUE, 2.0 * win - 1.0),
    }
}

fn chances() -> Panel {
    let legend = (0..=4).rev().map(|quarter| f64::from(quarter) / 4.0);
    Panel {
        title: "The chance of the side to move to win, on average",
        legend: legend.map(|win| (chance_colour(win), format!("{:.0} %", 100.0 * win))).collect(),
        paint: |cell| Some((chance_colour(cell.win()), format!("{:.2} %", 100.0 * cell.win()))),
    }
}

fn doubles() -> Panel {
    let named = |colour, meaning: &str| (between(colour, colour, 0.0), meaning.to_owned());
    Panel {
        title: "A cube in the middle: what the side to move does in most of the positions",
        legend: vec![
            named(GREY, "rolls"),
            named(BLUE, "doubles, and the opponent takes"),
            named(RED, "doubles, and the opponent drops"),
        ],
        paint: |cell| {
            let rolls = cell.positions - cell.takes - cell.drops;
            let most = rolls.max(cell.takes).max(cell.drops);
            let colour = if most == rolls {
                GREY
            } else if most == cell.takes {
                BLUE
            } else {
                RED
            };
            let [rolled, taken, dropped] = [rolls, cell.takes, cell.drops].map(thousands);
            let said = format!("{rolled} roll, {taken} are taken, {dropped} are dropped");
            Some((between(colour, colour, 0.0), said))
        },
    }
}

/// The error that is drawn in the darkest colour.
const LARGE: f64 = 0.02;

fn errors() -> Panel {
    let legend = (0..=4).map(|quarter| f64::from(quarter) / 4.0);
    let told = |share: f64| format!("{:.1} %", 100.0 * LARGE * share);
    Panel {
        title: "The largest error of the chance to win if both sides bear off as if they were alone",
        legend: legend.map(|share| (between(WHITE, BLACK, share), told(share))).collect(),
        paint: |cell| {
            let error = cell.one_sided_error?;
            Some((between(WHITE, BLACK, error / LARGE), format!("{:.3} %", 100.0 * error)))
        },
    }
}
