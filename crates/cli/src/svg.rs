//! Charts of tables, as SVG.

use crate::survey::Surveyed;
use crate::words::thousands;
use game::DistanceUnit;
use registry::SliceStats;
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 56.0;

/// What the colours and the height of the bars mean.
const LEGEND: &str = "blue: odd, in most games won by the side to move; orange: even, lost; the scale of positions is \
                      logarithmic";

/// Draws one chart per slice: the number of positions for each distance in plies, on a logarithmic scale. In most games,
/// odd distances are wins of the side to move and even distances are losses, so they have different colours.
pub fn histogram(title: &str, slices: &[SliceStats]) -> String {
    let charts: Vec<&SliceStats> = slices.iter().filter(|slice| !slice.stats.plies.is_empty()).collect();
    let height = MARGIN + charts.len() as f64 * (HEIGHT + MARGIN);
    let width = WIDTH + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"18\">{}</text>\n",
        escaped(title)
    );
    for (n, slice) in charts.into_iter().enumerate() {
        chart(&mut svg, slice, MARGIN + n as f64 * (HEIGHT + MARGIN));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(svg: &mut String, slice: &SliceStats, top: f64) {
    let stats = &slice.stats;
    let longest = stats.plies.last_key_value().map_or(1, |(plies, _)| plies.0.max(1));
    let scale = |count: u64| (count as f64 + 1.0).log10();
    let most = stats.plies.values().map(|&count| scale(count)).fold(1.0, f64::max);
    let bottom = top + HEIGHT;
    let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    };
    let to_move = slice.to_move.map_or_else(String::new, |side| format!(", {side} to move"));
    let shares = format!(
        "{}{to_move}: {} positions, {} won, {} lost, {} drawn",
        slice.slice,
        thousands(stats.positions()),
        thousands(stats.wins),
        thousands(stats.losses),
        thousands(stats.draws)
    );
    text(MARGIN, top - 6.0, "start", &shares);
    for power in 0..=most.floor() as u32 {
        let y = bottom - HEIGHT * f64::from(power) / most;
        text(MARGIN - 6.0, y + 4.0, "end", &format!("10^{power}"));
    }
    let step = (longest / 12).max(1);
    let x = |plies: u16| MARGIN + WIDTH * f64::from(plies) / f64::from(longest + 1);
    for plies in (0..=longest).step_by(step.into()) {
        text(x(plies), bottom + 16.0, "middle", &plies.to_string());
    }
    text(MARGIN + WIDTH, bottom + 32.0, "end", "plies to the end");
    text(MARGIN, bottom + 32.0, "start", LEGEND);
    let bar = (WIDTH / f64::from(longest + 1) * 0.8).max(0.5);
    for (plies, &count) in &stats.plies {
        let height = HEIGHT * scale(count) / most;
        let colour = if plies.0 % 2 == 1 { "#2b6cb0" } else { "#c05621" };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{bar:.2}\" height=\"{height:.2}\" fill=\"{colour}\">\
             <title>{plies}: {}</title></rect>",
            x(plies.to_owned().0),
            bottom - height,
            thousands(count)
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{MARGIN}\" y1=\"{bottom}\" x2=\"{}\" y2=\"{bottom}\" stroke=\"black\"/>",
        MARGIN + WIDTH
    );
}

/// Draws a row for each slice, with its label: the shares of wins, draws and losses as a bar, and the number of positions for each distance as a
/// strip that is darker where there are more.
pub fn atlas(title: &str, slices: &[(String, &SliceStats)], unit: DistanceUnit) -> String {
    const ROW: f64 = 24.0;
    const BAR: f64 = 260.0;
    const GAP: f64 = 40.0;
    const STRIP: f64 = 640.0;
    // Roughly the width of the longest label.
    let label = slices.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0) as f64 * 6.5;
    let (left, top) = ((MARGIN * 1.4).max(label + 16.0), MARGIN + 24.0);
    let strip_left = left + BAR + GAP;
    let (width, height) = (strip_left + STRIP + MARGIN, top + slices.len() as f64 * ROW + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"28\" font-size=\"18\">{}</text>\n",
        escaped(title)
    );
    let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    };
    // By distance in the unit of the game: the number of positions.
    let distances: Vec<BTreeMap<u16, u64>> = slices
        .iter()
        .map(|(_, slice)| {
            let mut counts = BTreeMap::new();
            slice
                .stats
                .plies
                .iter()
                .for_each(|(&plies, count)| *counts.entry(unit.count(plies)).or_default() += count);
            counts
        })
        .collect();
    let longest = distances.iter().flat_map(BTreeMap::keys).copied().max().unwrap_or(1).max(1);
    let x = |distance: u16| strip_left + STRIP * f64::from(distance) / f64::from(longest + 1);
    text(left, top - 8.0, "start", "won (blue), drawn (grey), lost (red)");
    let named = match unit {
        DistanceUnit::Plies => "plies",
        DistanceUnit::Moves => "moves",
    };
    text(
        strip_left,
        top - 8.0,
        "start",
        &format!("{named} to the end: darker where more positions are, logarithmically"),
    );
    let bottom = top + slices.len() as f64 * ROW;
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| longest / step <= 12).unwrap_or(1000);
    for distance in (0..=longest).step_by(step.into()) {
        text(x(distance), bottom + 18.0, "middle", &distance.to_string());
    }
    for (n, (label, _)) in slices.iter().enumerate() {
        text(left - 8.0, top + n as f64 * ROW + 16.0, "end", label);
    }
    let most = distances.iter().flat_map(BTreeMap::values).copied().max().unwrap_or(1);
    let shade = |count: u64| (count as f64 + 1.0).log10() / (most as f64 + 1.0).log10();
    for (n, (label, slice)) in slices.iter().enumerate() {
        let (y, stats) = (top + n as f64 * ROW + 2.0, &slice.stats);
        let mut from = left;
        for (count, colour, what) in [
            (stats.wins, "#2b6cb0", "won"),
            (stats.draws, "#cbd5e0", "drawn"),
            (stats.losses, "#c53030", "lost"),
        ] {
            let length = BAR * count as f64 / stats.positions().max(1) as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{from:.2}\" y=\"{y:.1}\" width=\"{length:.2}\" height=\"{:.1}\" fill=\"{colour}\">\
                 <title>{}: {} {what}</title></rect>",
                ROW - 4.0,
                escaped(label),
                thousands(count)
            );
            from += length;
        }
        let step = (STRIP / f64::from(longest + 1)).max(0.5);
        let _ = writeln!(svg, "<g stroke=\"#2d3748\" stroke-width=\"{:.0}\">", ROW - 4.0);
        for (&distance, &count) in &distances[n] {
            let (x, y, shade) = (x(distance), y + ROW / 2.0 - 2.0, shade(count));
            let _ = writeln!(svg, "<path d=\"M{x:.1} {y:.0}h{step:.1}\" stroke-opacity=\"{shade:.2}\"/>");
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws a point for each rule set: the draws over the advantage of the side to move. The colour shows the longest win.
pub fn scatter(title: &str, surveyed: &[Surveyed]) -> String {
    const SIDE: f64 = 600.0;
    let (width, height) = (SIDE + 3.0 * MARGIN, SIDE + 3.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"18\">{}</text>\n",
        escaped(title)
    );
    let draws = |one: &Surveyed| (one.draws as f64 + 1.0).log10();
    let longest = |one: &Surveyed| one.longest.as_ref().map_or(0.0, |(plies, _)| f64::from(plies.0));
    let x_axis = Axis::of(surveyed.iter().map(Surveyed::advantage));
    let y_axis = Axis::of(surveyed.iter().map(draws));
    let colours = Axis::of(surveyed.iter().map(longest));
    for one in surveyed {
        let x = 1.5 * MARGIN + SIDE * x_axis.place(one.advantage());
        let y = MARGIN + SIDE * (1.0 - y_axis.place(draws(one)));
        let hue = 220.0 - 220.0 * colours.place(longest(one));
        let plies = one.longest.as_ref().map_or_else(String::new, |(plies, _)| format!(", longest {plies}"));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"hsl({hue:.0},70%,45%)\" fill-opacity=\"0.6\">\
             <title>{}: {} drawn, move worth {:.3}{plies}</title></circle>",
            escaped(&one.rules),
            thousands(one.draws),
            one.advantage()
        );
    }
    let (left, bottom) = (1.5 * MARGIN, MARGIN + SIDE);
    let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    };
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        text(left + SIDE * share, bottom + 18.0, "middle", &format!("{:.3}", x_axis.at(share)));
        let count = 10f64.powf(y_axis.at(share)) - 1.0;
        text(left - 6.0, bottom - SIDE * share + 4.0, "end", &thousands(count.round() as u64));
    }
    text(left + SIDE, bottom + 36.0, "end", "what the move is worth: share of wins less share of losses");
    text(left, bottom + 36.0, "start", "upwards: draws, logarithmically");
    text(
        left,
        bottom + 54.0,
        "start",
        &format!("from blue to red: longest win, {} to {} plies", colours.at(0.0), colours.at(1.0)),
    );
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {MARGIN} V{bottom} H{}\" fill=\"none\" stroke=\"black\"/>\n</svg>",
        left + SIDE
    );
    svg
}

/// The range from the smallest of some numbers to the largest.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let from = numbers.clone().fold(f64::INFINITY, f64::min);
        let to = numbers.fold(f64::NEG_INFINITY, f64::max);
        if from <= to { Self { from, to } } else { Self { from: 0.0, to: 0.0 } }
    }

    /// Returns where a number lies in the range, from 0 to 1.
    fn place(&self, number: f64) -> f64 {
        if self.to > self.from { (number - self.from) / (self.to - self.from) } else { 0.5 }
    }

    fn at(&self, place: f64) -> f64 {
        self.from + place * (self.to - self.from)
    }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
