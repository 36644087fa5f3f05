//! Decision trees: which places share their frequencies.

use crate::error::Problem;
use crate::format::Fields;

/// The most leaves of a tree.
pub(super) const MOST_LEAVES: usize = 255;
/// The most contexts: the product of the numbers of levels of all features.
pub(super) const MOST_CONTEXTS: usize = 1 << 16;

/// A decision tree over features. Each feature is a small number. Its cuts divide its values into levels, and a node of the tree
/// asks whether a feature is at most one of its cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tree {
    /// By feature, the cuts in ascending order.
    cuts: Vec<Vec<u8>>,
    /// In preorder: a node, what is below it for low values, and what is below it for high ones.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    /// The places that come here share their frequencies.
    Leaf,
    /// Asks whether a feature is at most its cut with this number.
    Split { feature: u8, cut: u8 },
}

impl Tree {
    /// The tree of these nodes, if it is one.
    pub(super) fn new(cuts: Vec<Vec<u8>>, nodes: Vec<Node>) -> Option<Self> {
        let contexts = cuts.iter().try_fold(1usize, |all, cuts| {
            all.checked_mul(cuts.len() + 1).filter(|&all| all <= MOST_CONTEXTS)
        });
        let ascend = cuts.iter().all(|cuts| cuts.is_sorted_by(|a, b| a < b));
        let mut open = 1usize;
        for (i, node) in nodes.iter().enumerate() {
            if open == 0 {
                return None;
            }
            match *node {
                Node::Leaf => open -= 1,
                Node::Split { feature, cut } => {
                    cuts.get(usize::from(feature))?.get(usize::from(cut))?;
                    open += 1;
                }
            }
            if i >= 2 * MOST_LEAVES {
                return None;
            }
        }
        let fits = contexts.is_some() && ascend && open == 0;
        fits.then_some(Self { cuts, nodes })
    }

    /// The number of leaves.
    pub(super) fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| **node == Node::Leaf).count()
    }

    /// For each feature: what a value adds to the number of the context.
    pub(super) fn parts(&self) -> Vec<[u16; 64]> {
        let mut stride = 1;
        let mut part = |cuts: &Vec<u8>| {
            let of_value = |value: usize| {
                let level = cuts.iter().filter(|&&cut| value > usize::from(cut)).count();
                // The largest sum is below the number of contexts, which fits.
                (level * stride) as u16
            };
            let part = std::array::from_fn(of_value);
            stride *= cuts.len() + 1;
            part
        };
        self.cuts.iter().map(&mut part).collect()
    }

    /// By context: the number of the leaf, in preorder.
    pub(super) fn leaf_of_context(&self) -> Vec<u8> {
        let levels: Vec<usize> = self.cuts.iter().map(|cuts| cuts.len() + 1).collect();
        let mut leaf_of = vec![0; levels.iter().product()];
        // What is still to be visited: a box of levels for each feature.
        let mut open: Vec<Vec<(usize, usize)>> = vec![levels.iter().map(|&levels| (0, levels)).collect()];
        let mut leaf = 0;
        for node in &self.nodes {
            let ranges = open.pop().expect("the nodes are a tree");
            match *node {
                Node::Leaf => {
                    fill(&ranges, &levels, leaf, &mut leaf_of);
                    leaf += 1;
                }
                Node::Split { feature, cut } => {
                    let (feature, cut) = (usize::from(feature), usize::from(cut));
                    let (mut low, mut high) = (ranges.clone(), ranges);
                    low[feature].1 = low[feature].1.min(cut + 1);
                    high[feature].0 = high[feature].0.max(cut + 1);
                    open.extend([high, low]);
                }
            }
        }
        leaf_of
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        for cuts in &self.cuts {
            bytes.push(cuts.len() as u8);
            bytes.extend(cuts);
        }
        for node in &self.nodes {
            match *node {
                Node::Leaf => bytes.push(0),
                Node::Split { feature, cut } => bytes.extend([feature + 1, cut]),
            }
        }
    }

    /// Reads the tree of a model with this number of features.
    pub(super) fn read(fields: &mut Fields<'_>, features: usize) -> Result<Self, Problem> {
        let mut cuts = Vec::new();
        for _ in 0..features {
            let count = fields.u8()?.into();
            cuts.push(fields.take(count)?.to_vec());
        }
        let (mut nodes, mut open) = (Vec::new(), 1usize);
        while open > 0 && nodes.len() < 2 * MOST_LEAVES {
            match fields.u8()? {
                0 => {
                    nodes.push(Node::Leaf);
                    open -= 1;
                }
                feature => {
                    nodes.push(Node::Split { feature: feature - 1, cut: fields.u8()? });
                    open += 1;
                }
            }
        }
        Self::new(cuts, nodes).ok_or(Problem::Payload)
    }
}

/// Writes a leaf to all contexts of a box.
fn fill(ranges: &[(usize, usize)], levels: &[usize], leaf: u8, leaf_of: &mut [u8]) {
    // The first feature changes fastest, so its levels are side by side.
    let Some(((&(low, high), others), (&width, of_others))) = ranges.split_first().zip(levels.split_first())
    else {
        leaf_of[0] = leaf;
        return;
    };
    if low >= high || others.iter().any(|(low, high)| low >= high) {
        return;
    }
    let mut at: Vec<usize> = others.iter().map(|&(low, _)| low).collect();
    loop {
        let mut row = 0;
        for (level, levels) in at.iter().zip(of_others).rev() {
            row = row * levels + level;
        }
        leaf_of[row * width + low..row * width + high].fill(leaf);
        let mut feature = 0;
        loop {
            let Some(level) = at.get_mut(feature) else { return };
            *level += 1;
            if *level < others[feature].1 {
                break;
            }
            *level = others[feature].0;
            feature += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_find_the_leaf_that_the_nodes_find() {
        let cuts = vec![vec![3, 9], vec![], vec![0, 5, 7], vec![31]];
        let split = |feature, cut| Node::Split { feature, cut };
        let nodes = vec![
            split(2, 1),
            split(0, 0),
            Node::Leaf,
            split(0, 1),
            Node::Leaf,
            split(2, 0),
            Node::Leaf,
            Node::Leaf,
            split(3, 0),
            Node::Leaf,
            Node::Leaf,
        ];
        let tree = Tree::new(cuts.clone(), nodes.clone()).expect("a tree");
        let (parts, leaf_of) = (tree.parts(), tree.leaf_of_context());
        for number in 0..20_000u32 {
            let values: [usize; 4] =
                std::array::from_fn(|i| (number.wrapping_mul(40_503 + 8 * i as u32) >> 7) as usize % 64);
            let context: usize = parts.iter().zip(values).map(|(part, value)| usize::from(part[value])).sum();
            // Follows the nodes: what is skipped on the way is a whole subtree.
            let (mut node, mut leaf) = (0, 0);
            while let Node::Split { feature, cut } = nodes[node] {
                node += 1;
                if values[usize::from(feature)] > usize::from(cuts[usize::from(feature)][usize::from(cut)]) {
                    let mut open = 1;
                    while open > 0 {
                        match nodes[node] {
                            Node::Leaf => (open, leaf) = (open - 1, leaf + 1),
                            Node::Split { .. } => open += 1,
                        }
                        node += 1;
                    }
                }
            }
            assert_eq!(usize::from(leaf_of[context]), leaf, "{values:?}");
        }
        let mut bytes = Vec::new();
        tree.write(&mut bytes);
        assert_eq!(Tree::read(&mut Fields::new(&bytes), 4).expect("what was written"), tree);
    }

    #[test]
    fn wrong_trees_are_refused() {
        let split = |feature, cut| Node::Split { feature, cut };
        let leaf = Node::Leaf;
        for (cuts, nodes) in [
            (vec![vec![1]], vec![split(0, 0), leaf]),
            (vec![vec![1]], vec![leaf, leaf]),
            (vec![vec![1]], vec![]),
            (vec![vec![1]], vec![split(0, 1), leaf, leaf]),
            (vec![vec![1]], vec![split(1, 0), leaf, leaf]),
            (vec![vec![2, 1]], vec![leaf]),
            (vec![(0..=255).collect(), (0..=255).collect()], vec![leaf]),
        ] {
            assert_eq!(Tree::new(cuts, nodes), None);
        }
    }
}
