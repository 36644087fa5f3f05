//! Finds the decision tree that makes a sample of symbols cheapest.

use super::logarithm::{BIT, n_log_n};
use super::tree::{MOST_CONTEXTS, MOST_LEAVES, Node, Tree};
use game::parallel;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// The number of values of a feature.
const VALUES: usize = 64;

/// Places of a plane: the features and the symbol of each.
#[derive(Clone, Default, Debug)]
pub(super) struct Sample {
    /// By feature, then by place. So a search by one feature reads memory in order.
    pub features: Vec<Vec<u8>>,
    pub symbols: Vec<u8>,
}

impl Sample {
    /// No places, with so many features.
    pub(super) fn of_width(width: usize) -> Self {
        Self { features: vec![Vec::new(); width], symbols: Vec::new() }
    }

    /// The places of both.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.features.iter_mut().zip(other.features).for_each(|(to, from)| to.extend(from));
        self.symbols.extend(other.symbols);
        self
    }
}

/// Tells a long computation whether it goes on. It is asked often, from any thread, and its error ends the computation.
pub(super) type GoOn<'a> = &'a (dyn Fn() -> io::Result<()> + Sync);

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

/// What the cost of some counts depends on. It is kept while single counts change.
#[derive(Clone, Copy, Default)]
struct Counted {
    total: u64,
    /// The sum of n · log₂ n.
    sum: u64,
    /// How many are not 0.
    present: u64,
}

impl Counted {
    fn of(counts: &[u32]) -> Self {
        let mut counted = Self::default();
        counts.iter().for_each(|&count| counted.change(&mut 0, |_| count));
        counted
    }

    /// Changes one of the counts.
    #[inline]
    fn change(&mut self, count: &mut u32, change: impl Fn(u32) -> u32) {
        let (before, after) = (u64::from(*count), u64::from(change(*count)));
        self.total = self.total + after - before;
        self.sum = self.sum + n_log_n(after) - n_log_n(before);
        self.present = self.present + u64::from(after > 0) - u64::from(before > 0);
        *count = after as u32;
    }
}

/// The counts that are not 0, and what they count.
fn occurring(counts: &[u32]) -> impl Iterator<Item = (usize, u32)> + Clone {
    counts.iter().copied().enumerate().filter(|&(_, count)| count > 0)
}

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
pub(super) fn grow(sample: &Sample, symbols: usize, scale: u64, go_on: GoOn<'_>) -> io::Result<Tree> {
    let limits = Limits { leaves: MOST_LEAVES, contexts: MOST_CONTEXTS };
    Growth::run(sample, symbols, scale, limits, go_on).map(|(growth, _)| growth.into_tree())
}

/// By feature: what a tree with so many leaves saves by asking for it.
pub(super) fn gains(
    sample: &Sample,
    symbols: usize,
    scale: u64,
    leaves: usize,
    go_on: GoOn<'_>,
) -> io::Result<Vec<i64>> {
    let limits = Limits { leaves, contexts: usize::MAX };
    Growth::run(sample, symbols, scale, limits, go_on).map(|(_, gains)| gains)
}

impl<'a> Growth<'a> {
    /// Lets a tree grow. Returns also what the splits by each feature have saved.
    fn run(
        sample: &'a Sample,
        symbols: usize,
        scale: u64,
        limits: Limits,
        go_on: GoOn<'_>,
    ) -> io::Result<(Self, Vec<i64>)> {
        let all = Part { places: (0..sample.symbols.len() as u32).collect(), split: None };
        let width = sample.features.len();
        let (cuts, parts) = (vec![Vec::new(); width], vec![all]);
        let mut growth = Self { sample, symbols, scale, contexts: limits.contexts, cuts, parts };
        let mut gains = vec![0; width];
        let mut offers = BinaryHeap::from_iter(growth.best_split(0));
        let mut leaves = 1;
        while let Some(Offer { gain, part, feature, cut }) = offers.pop() {
            if leaves >= limits.leaves {
                break;
            }
            go_on()?;
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
        Ok((growth, gains))
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

    /// What the places of a part cost.
    fn cost(&self, counted: &Counted) -> i64 {
        let bits = (n_log_n(counted.total) - counted.sum) * self.scale;
        (bits + counted.present * BITS_OF_A_SYMBOL * BIT) as i64
    }

    fn best_split(&self, part: usize) -> Option<Offer> {
        /// For fewer places, other threads are not worth asking.
        const PLACES_FOR_THREADS: usize = 1 << 14;
        let places = &self.parts[part].places;
        let mut all = vec![0u32; self.symbols];
        places.iter().for_each(|&place| all[usize::from(self.sample.symbols[place as usize])] += 1);
        let base = self.cost(&Counted::of(&all));
        if base < LEAST_GAIN {
            return None;
        }
        // Small parts have few of the symbols, so these are numbered again.
        let mut number_of = vec![0u8; self.symbols];
        let mut present = Vec::new();
        for (symbol, count) in occurring(&all) {
            number_of[symbol] = present.len() as u8;
            present.push(count);
        }
        let number = |&place: &u32| number_of[usize::from(self.sample.symbols[place as usize])];
        let numbers: Vec<u8> = places.iter().map(number).collect();
        let of_feature = |feature: usize| self.best_cut(part, feature, &numbers, &present, base);
        let features = self.cuts.len();
        let offers = match places.len() < PLACES_FOR_THREADS {
            true => (0..features).map(of_feature).collect(),
            false => parallel::map(features, of_feature),
        };
        // The first of the best ones.
        offers.into_iter().flatten().rev().max_by_key(|offer| offer.gain)
    }

    /// The best split of a part by a feature. `numbers` are the symbols of its places, numbered among those that occur; `all` are
    /// their counts, and `base` is what the part costs.
    fn best_cut(&self, part: usize, feature: usize, numbers: &[u8], all: &[u32], base: i64) -> Option<Offer> {
        let values = &self.sample.features[feature];
        let mut by_value = vec![0u32; VALUES * all.len()];
        for (&place, &number) in self.parts[part].places.iter().zip(numbers) {
            by_value[usize::from(values[place as usize]) * all.len() + usize::from(number)] += 1;
        }
        let has_room = self.allows(feature, u8::MAX);
        let (mut low, mut high) = (vec![0; all.len()], all.to_vec());
        let (mut of_low, mut of_high) = (Counted::default(), Counted::of(all));
        let mut best: Option<Offer> = None;
        for (cut, counts) in by_value.chunks(all.len()).enumerate() {
            let moved = occurring(counts);
            if moved.clone().next().is_none() {
                continue;
            }
            for (number, count) in moved {
                of_low.change(&mut low[number], |of| of + count);
                of_high.change(&mut high[number], |of| of - count);
            }
            if of_high.total == 0 {
                break;
            }
            let cut = cut as u8;
            if !has_room && !self.cuts[feature].contains(&cut) {
                continue;
            }
            let gain = base - self.cost(&of_low) - self.cost(&of_high);
            if gain >= LEAST_GAIN && best.as_ref().is_none_or(|best| gain > best.gain) {
                best = Some(Offer { gain, part: Reverse(part), feature, cut });
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
        let values = &self.sample.features[feature];
        let is_low = |place: &u32| values[*place as usize] <= cut;
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
        let mut sample = Sample::of_width(3);
        for i in 0..20_000u32 {
            let random = i.wrapping_mul(2_654_435_761) >> 8;
            let features = [(random % 50) as u8, (random / 50 % 40) as u8, (random / 2000 % 7) as u8];
            sample.features.iter_mut().zip(features).for_each(|(to, feature)| to.push(feature));
            sample
                .symbols
                .push(u8::from(features[0] > 20) + 2 * u8::from(features[0] > 20 && features[2] > 3));
        }
        let grown = |sample: &Sample| grow(sample, 4, 1, &|| Ok(())).expect("nothing stops it").leaves();
        assert_eq!(grown(&sample), 3);
        let saved = gains(&sample, 4, 1, 10, &|| Ok(())).expect("nothing stops it");
        assert!(saved[0] > 0 && saved[1] == 0 && saved[2] > 0);
        let limits = Limits { leaves: 10, contexts: 2 };
        let (few, _) = Growth::run(&sample, 4, 1, limits, &|| Ok(())).expect("nothing stops it");
        assert_eq!(few.into_tree().leaves(), 2);
        assert_eq!(grown(&Sample::default()), 1);
        assert!(grow(&sample, 4, 1, &|| Err(io::ErrorKind::Interrupted.into())).is_err());
    }
}
