//! Pictures of tables, as SVG.

use registry::SliceStats;
use std::fmt::Write;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 56.0;

/// One chart per slice: how many positions take how many plies, the scale by powers of ten. Odd distances are wins of
/// the side to move in most games, even ones losses; they have their own colours.
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
    let shares = format!(
        "{}: {} positions, {} won, {} lost, {} drawn",
        slice.slice,
        stats.positions(),
        stats.wins,
        stats.losses,
        stats.draws
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
    text(MARGIN + WIDTH, bottom + 32.0, "end", "plies");
    let bar = (WIDTH / f64::from(longest + 1) * 0.8).max(0.5);
    for (plies, &count) in &stats.plies {
        let height = HEIGHT * scale(count) / most;
        let colour = if plies.0 % 2 == 1 { "#2b6cb0" } else { "#c05621" };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{bar:.2}\" height=\"{height:.2}\" fill=\"{colour}\">\
             <title>{plies}: {count}</title></rect>",
            x(plies.to_owned().0),
            bottom - height
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{MARGIN}\" y1=\"{bottom}\" x2=\"{}\" y2=\"{bottom}\" stroke=\"black\"/>",
        MARGIN + WIDTH
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
