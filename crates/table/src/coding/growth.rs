//! Finds the decision tree that makes a sample of symbols cheapest.

use super::logarithm::{BIT, n_log_n};
use super::tree::{MOST_CONTEXTS, MOST_LEAVES, Node, Tree};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of values of a feature.
const VALUES: usize = 64;

/// Places of a plane: the features and the symbol of each.
#[derive(Clone, Default, Debug)]
pub(super) struct Sample {
    /// The number of features of a place.
    pub width: usize,
    /// The features of one place after another.
    pub features: Vec<u8>,
    pub symbols: Vec<u8>,
}

impl Sample {
    /// The places of both.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.width = self.width.max(other.width);
        self.features.extend(other.features);
        self.symbols.extend(other.symbols);
        self
    }

    #[inline]
    fn feature(&self, place: u32, feature: usize) -> u8 {
        self.features[place as usize * self.width + feature]
    }
}

/// How a tree may grow.
#[derive(Clone, Copy, Debug)]
struct Limits {
    leaves: usize,
    contexts: usize,
}

/// What a split saves must be worth more than its bytes.
const LEAST_GAIN: i64 = 40 * BIT as i64;
/// The bits that one more symbol of a leaf takes in the model.
const BITS_OF_A_SYMBOL: u64 = 8;

struct Growth<'a> {
    sample: &'a Sample,
    symbols: usize,
    /// Each place of the sample stands for so many.
    scale: u64,
    contexts: usize,
    cuts: Vec<Vec<u8>>,
    parts: Vec<Part>,
}

/// A node of the growing tree.
struct Part {
    places: Vec<u32>,
    split: Option<(usize, u8, [usize; 2])>,
}

/// A split that could be made. Greater is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    gain: i64,
    part: Reverse<usize>,
    feature: usize,
    cut: u8,
}

/// The tree for symbols below `symbols` that makes a sample cheapest. Each place of the sample stands for `scale` places.
pub(super) fn grow(sample: &Sample, symbols: usize, scale: u64) -> Tree {
    let limits = Limits { leaves: MOST_LEAVES, contexts: MOST_CONTEXTS };
    Growth::run(sample, symbols, scale, limits).0.into_tree()
}

/// By feature: what a tree with so many leaves saves by asking for it.
pub(super) fn gains(sample: &Sample, symbols: usize, scale: u64, leaves: usize) -> Vec<i64> {
    Growth::run(sample, symbols, scale, Limits { leaves, contexts: usize::MAX }).1
}

impl<'a> Growth<'a> {
    /// Lets a tree grow. Returns also what the splits by each feature have saved.
    fn run(sample: &'a Sample, symbols: usize, scale: u64, limits: Limits) -> (Self, Vec<i64>) {
        let all = Part { places: (0..sample.symbols.len() as u32).collect(), split: None };
        let (cuts, parts) = (vec![Vec::new(); sample.width], vec![all]);
        let mut growth = Self { sample, symbols, scale, contexts: limits.contexts, cuts, parts };
        let mut gains = vec![0; sample.width];
        let mut offers = BinaryHeap::from_iter(growth.best_split(0));
        let mut leaves = 1;
        while let Some(Offer { gain, part, feature, cut }) = offers.pop() {
            if leaves >= limits.leaves {
                break;
            }
            if !growth.allows(feature, cut) {
                // Other splits have used up the contexts since this one was offered.
                offers.extend(growth.best_split(part.0));
                continue;
            }
            gains[feature] += gain;
            leaves += 1;
            for below in growth.split(part.0, feature, cut) {
                offers.extend(growth.best_split(below));
            }
        }
        (growth, gains)
    }

    fn contexts(&self) -> usize {
        self.cuts.iter().fold(1, |all, cuts| all.saturating_mul(cuts.len() + 1))
    }

    /// Returns whether a cut exists, or another one leaves few enough contexts.
    fn allows(&self, feature: usize, cut: u8) -> bool {
        let cuts = &self.cuts[feature];
        cuts.contains(&cut)
            || (self.contexts() / (cuts.len() + 1)).saturating_mul(cuts.len() + 2) <= self.contexts
    }

    fn cost(&self, counts: &[u32]) -> i64 {
        let (mut total, mut sum, mut present) = (0, 0, 0);
        for &count in counts.iter().filter(|&&count| count > 0) {
            total += u64::from(count);
            sum += n_log_n(count.into());
            present += 1;
        }
        ((n_log_n(total) - sum) * self.scale + present * BITS_OF_A_SYMBOL * BIT) as i64
    }

    fn best_split(&self, part: usize) -> Option<Offer> {
        let (places, symbols) = (&self.parts[part].places, self.symbols);
        let mut all = vec![0u32; symbols];
        places.iter().for_each(|&place| all[usize::from(self.sample.symbols[place as usize])] += 1);
        let base = self.cost(&all);
        if base < LEAST_GAIN {
            return None;
        }
        let mut best: Option<Offer> = None;
        let (mut by_value, mut totals) = (vec![0u32; VALUES * symbols], [0u32; VALUES]);
        for feature in 0..self.cuts.len() {
            by_value.fill(0);
            totals.fill(0);
            for &place in places {
                let value = usize::from(self.sample.feature(place, feature));
                by_value[value * symbols + usize::from(self.sample.symbols[place as usize])] += 1;
                totals[value] += 1;
            }
            let has_room = self.allows(feature, u8::MAX);
            let (mut low, mut high) = (vec![0; symbols], all.clone());
            let mut passed = 0;
            for value in 0..VALUES {
                if totals[value] == 0 {
                    continue;
                }
                passed += totals[value] as usize;
                if passed == places.len() {
                    break;
                }
                let counts = &by_value[value * symbols..][..symbols];
                for ((low, high), count) in low.iter_mut().zip(&mut high).zip(counts) {
                    *low += count;
                    *high -= count;
                }
                let cut = value as u8;
                if !has_room && !self.cuts[feature].contains(&cut) {
                    continue;
                }
                let gain = base - self.cost(&low) - self.cost(&high);
                if gain >= LEAST_GAIN && best.as_ref().is_none_or(|best| gain > best.gain) {
                    best = Some(Offer { gain, part: Reverse(part), feature, cut });
                }
            }
        }
        best
    }

    /// Splits a part in two, and returns their numbers.
    fn split(&mut self, part: usize, feature: usize, cut: u8) -> [usize; 2] {
        if let Err(at) = self.cuts[feature].binary_search(&cut) {
            self.cuts[feature].insert(at, cut);
        }
        let places = std::mem::take(&mut self.parts[part].places);
        let is_low = |place: &u32| self.sample.feature(*place, feature) <= cut;
        let (low, high) = places.into_iter().partition(is_low);
        let below = [self.parts.len(), self.parts.len() + 1];
        self.parts[part].split = Some((feature, cut, below));
        self.parts.extend([low, high].map(|places| Part { places, split: None }));
        below
    }

    fn into_tree(self) -> Tree {
        let (mut nodes, mut open) = (Vec::new(), vec![0]);
        while let Some(part) = open.pop() {
            nodes.push(match self.parts[part].split {
                None => Node::Leaf,
                Some((feature, cut, [low, high])) => {
                    open.extend([high, low]);
                    let number = self.cuts[feature].iter().position(|&of| of == cut);
                    Node::Split { feature: feature as u8, cut: number.expect("every cut is listed") as u8 }
                }
            });
        }
        Tree::new(self.cuts, nodes).expect("it grew as a tree")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols that follow from two of three features are cheap with the right tree.
    #[test]
    fn splits_are_found() {
        let mut sample = Sample { width: 3, ..Sample::default() };
        for i in 0..20_000u32 {
            let random = i.wrapping_mul(2_654_435_761) >> 8;
            let features = [(random % 50) as u8, (random / 50 % 40) as u8, (random / 2000 % 7) as u8];
            sample.features.extend(features);
            sample
                .symbols
                .push(u8::from(features[0] > 20) + 2 * u8::from(features[0] > 20 && features[2] > 3));
        }
        assert_eq!(grow(&sample, 4, 1).leaves(), 3);
        let saved = gains(&sample, 4, 1, 10);
        assert!(saved[0] > 0 && saved[1] == 0 && saved[2] > 0);
        let limits = Limits { leaves: 10, contexts: 2 };
        assert_eq!(Growth::run(&sample, 4, 1, limits).0.into_tree().leaves(), 2);
        assert_eq!(grow(&Sample::default(), 4, 1).leaves(), 1);
    }
}
