//! Fits the weights of the estimate of chess or shogi positions, and prints `weights.rs` of the game.
//!
//!     cargo run --release -p endspiel-search --example fit -- shogi positions.txt > weights.rs
//!
//! Each line of the file has a position, its score for the first side in hundredths of a pawn by another engine, and the result of its
//! game for the first side, separated by semicolons. `tools/label_positions.py` and `tools/label_shogi_positions.py` make such files. The
//! expected result of the estimate is brought as near as possible to a mixture of score and result, by gradient descent (Adam).

use endspiel_search::{Group, Tapered, chess, shogi};
use game::Rng;
use std::io::BufRead;
use std::{env, fs, io};

const EPOCHS: usize = 300;
const BATCH: usize = 16_384;
/// How strongly weights are kept near those of the start, so that features that hardly occur learn no accidents.
const PULL: f64 = 1e-8;

/// What the estimate of a game is made of, and how it is fitted.
struct Subject {
    groups: &'static [Group],
    weights: &'static [Tapered],
    /// The features of a position, and the parts of the middlegame and of the endgame that count.
    features_of: fn(&str) -> Option<Features>,
    /// The part of the result in the target.
    result: f64,
    /// Scores beyond this are left out: the game is decided.
    most_score: f64,
    /// The pawn of the other engine's scores, in hundredths of ours.
    pawn: f64,
    /// Results of games with many mistakes say little about the scale of the scores. Then it is given.
    scale: Option<f64>,
}

type Features = (Vec<(usize, i32)>, f64, f64);

const CHESS: Subject = Subject {
    groups: chess::GROUPS,
    weights: &chess::WEIGHTS,
    features_of: |text| {
        let (features, phase, winnable) = chess::features_of(&text.parse().ok()?);
        let phase = f64::from(phase) / f64::from(chess::MOST_PHASE);
        Some((features, phase, (1.0 - phase) * f64::from(winnable) / 64.0))
    },
    result: 0.25,
    most_score: 1_500.0,
    pawn: 100.0,
    scale: None,
};

const SHOGI: Subject = Subject {
    groups: shogi::GROUPS,
    weights: &shogi::WEIGHTS,
    features_of: |text| {
        let (features, phase) = shogi::features_of(&text.parse().ok()?);
        let phase = f64::from(phase) / f64::from(shogi::MOST_PHASE);
        Some((features, phase, 1.0 - phase))
    },
    result: 0.15,
    most_score: 3_500.0,
    pawn: 88.0,
    scale: Some(600.0),
};

struct Sample {
    features: Vec<(u16, i8)>,
    middle: f64,
    end: f64,
    score: f64,
    result: f64,
}

fn expected(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

fn read(path: &str, subject: &Subject) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for line in io::BufReader::new(fs::File::open(path)?).lines() {
        let line = line?;
        let mut parts = line.split(';');
        let (Some(position), Some(score), Some(result)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (Ok(score), Ok(result)) = (score.parse::<f64>(), result.parse::<f64>()) else { continue };
        if score.abs() > subject.most_score {
            continue;
        }
        let Some((features, middle, end)) = (subject.features_of)(position) else { continue };
        let features = features.into_iter().map(|(number, count)| (number as u16, count as i8)).collect();
        samples.push(Sample { features, middle, end, score: score * subject.pawn / 100.0, result });
    }
    Ok(samples)
}

/// The scale at which scores predict results best.
fn scale_of(samples: &[Sample]) -> f64 {
    let error = |scale: f64| -> f64 {
        samples.iter().map(|sample| (expected(sample.score, scale) - sample.result).powi(2)).sum()
    };
    (50..400).step_by(5).map(f64::from).min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(150.0)
}

fn estimate(sample: &Sample, weights: &[[f64; 2]]) -> f64 {
    let (mut middle, mut end) = (0.0, 0.0);
    for &(number, count) in &sample.features {
        let [of_middle, of_end] = weights[usize::from(number)];
        middle += of_middle * f64::from(count);
        end += of_end * f64::from(count);
    }
    middle * sample.middle + end * sample.end
}

fn main() -> io::Result<()> {
    const USAGE: &str = "usage: fit (chess | shogi) FILE [PULL [EPOCHS]]";
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (subject, path) = match &arguments[..] {
        [game, path, ..] if game == "chess" => (CHESS, path),
        [game, path, ..] if game == "shogi" => (SHOGI, path),
        _ => return Err(io::Error::other(USAGE)),
    };
    let pull = arguments.get(2).and_then(|pull| pull.parse().ok()).unwrap_or(PULL);
    let epochs = arguments.get(3).and_then(|epochs| epochs.parse().ok()).unwrap_or(EPOCHS);
    let mut samples = read(path, &subject)?;
    let scale = subject.scale.unwrap_or_else(|| scale_of(&samples));
    eprintln!("{} positions, scale {scale}", samples.len());
    // Positions of the same game are alike, so the tested ones are of other games. The others are shuffled.
    let tested = samples.len() / 20;
    let mut rng = Rng::new(1);
    for at in (tested + 1..samples.len()).rev() {
        let other = tested + rng.below((at - tested + 1) as u64) as usize;
        samples.swap(at, other);
    }
    let (tested, trained) = samples.split_at(tested);
    let target = |sample: &Sample| {
        (1.0 - subject.result) * expected(sample.score, scale) + subject.result * sample.result
    };
    let error = |weights: &[[f64; 2]], samples: &[Sample]| -> f64 {
        let square = |sample: &Sample| (expected(estimate(sample, weights), scale) - target(sample)).powi(2);
        samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64
    };
    let mut weights: Vec<[f64; 2]> =
        subject.weights.iter().map(|weight| [f64::from(weight.middle()), f64::from(weight.end())]).collect();
    eprintln!(
        "before: error {:.6}, on positions that are not fitted {:.6}",
        error(&weights, trained),
        error(&weights, tested)
    );
    let start = weights.clone();
    let count = weights.len();
    let (mut momentum, mut variance) = (vec![[0.0; 2]; count], vec![[0.0; 2]; count]);
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = if epoch < epochs * 3 / 4 { 2.0 } else { 0.3 };
        for batch in trained.chunks(BATCH) {
            let mut gradient = vec![[0.0; 2]; count];
            for sample in batch {
                let found = expected(estimate(sample, &weights), scale);
                let slope = (found - target(sample)) * found * (1.0 - found);
                for &(number, count) in &sample.features {
                    let of_feature = &mut gradient[usize::from(number)];
                    of_feature[0] += slope * f64::from(count) * sample.middle;
                    of_feature[1] += slope * f64::from(count) * sample.end;
                }
            }
            steps += 1;
            for number in 0..count {
                for part in 0..2 {
                    let strayed = weights[number][part] - start[number][part];
                    let slope = gradient[number][part] / batch.len() as f64 + pull * strayed;
                    let (first, second) = (&mut momentum[number][part], &mut variance[number][part]);
                    *first = 0.9 * *first + 0.1 * slope;
                    *second = 0.999 * *second + 0.001 * slope * slope;
                    let corrected = *second / (1.0 - 0.999f64.powi(steps));
                    weights[number][part] -=
                        rate * *first / (1.0 - 0.9f64.powi(steps)) / (corrected.sqrt() + 1e-8);
                }
            }
        }
        if epoch % 20 == 19 || epoch == 0 {
            eprintln!(
                "epoch {}: error {:.6}, on positions that were not fitted {:.6}",
                epoch + 1,
                error(&weights, trained),
                error(&weights, tested)
            );
        }
    }
    print(&subject, &weights);
    Ok(())
}

fn print(subject: &Subject, weights: &[[f64; 2]]) {
    println!("//! The weights of the features, fitted by `examples/fit.rs`.\n");
    println!("use super::features::COUNT;\nuse crate::features::Tapered;\n");
    println!("const fn w(middle: i16, end: i16) -> Tapered {{\n    Tapered::new(middle, end)\n}}\n");
    println!("/// The weight of each feature.\n#[rustfmt::skip]\npub static WEIGHTS: [Tapered; COUNT] = [");
    for group in subject.groups {
        println!("    // {}", group.name);
        for line in weights[group.first..group.first + group.count].chunks(8) {
            let written =
                |[middle, end]: &[f64; 2]| format!("w({}, {})", middle.round() as i16, end.round() as i16);
            let line: Vec<String> = line.iter().map(written).collect();
            println!("    {},", line.join(", "));
        }
    }
    println!("];");
}
