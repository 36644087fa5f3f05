//! The operations on lanes give the same results with vector instructions and without.

use endspiel_bits::lanes::{Lanes, portable};

/// Compares every method of the vector version with that of the portable version.
fn agree(a: [u64; 4], b: [u64; 4], by: [u64; 4]) {
    let (fast, slow) = (Lanes::new, portable::Lanes::new);
    let same =
        |fast: Lanes, slow: portable::Lanes| assert_eq!(fast.to_array(), slow.to_array(), "{a:x?} {b:x?}");
    same(fast(a), slow(a));
    same(fast(a) & fast(b), slow(a) & slow(b));
    same(fast(a) | fast(b), slow(a) | slow(b));
    same(fast(a) ^ fast(b), slow(a) ^ slow(b));
    same(fast(a).without(fast(b)), slow(a).without(slow(b)));
    assert_eq!(fast(a).is_disjoint(fast(b)), slow(a).is_disjoint(slow(b)));
    same(fast(a).shifted_left(fast(by)), slow(a).shifted_left(slow(by)));
    same(fast(a).shifted_right(fast(by)), slow(a).shifted_right(slow(by)));
    assert_eq!(fast(a).union(), slow(a).union());
    assert_eq!(fast(a).count(), slow(a).count());
    assert_eq!(fast(a).count_with(fast(b)), slow(a).count_with(slow(b)));
    same(Lanes::splat(a[0]), portable::Lanes::splat(a[0]));

    same(fast(a).rank_up(), slow(a).rank_up());
    same(fast(a).rank_down(), slow(a).rank_down());
    same(fast(a).file_up(), slow(a).file_up());
    same(fast(a).file_down(), slow(a).file_down());
    assert_eq!(fast(a).to_ranks(), slow(a).to_ranks());
    same(Lanes::from_ranks(fast(a).to_ranks()), portable::Lanes::from_ranks(slow(a).to_ranks()));
    same(Lanes::splat_rank(a[0] as u16), portable::Lanes::splat_rank(a[0] as u16));
    assert_eq!(fast(a).empty_ranks_below(), slow(a).empty_ranks_below());
    assert_eq!(fast(a).empty_ranks_above(), slow(a).empty_ranks_above());
}

/// Compares the portable version with simple operations on each rank.
fn ranks_are_ranks(words: [u64; 4]) {
    let lanes = portable::Lanes::new(words);
    let ranks = lanes.to_ranks();
    assert_eq!(portable::Lanes::from_ranks(ranks).to_array(), lanes.to_array());
    let rank = |i: usize| ranks.get(i).copied().unwrap_or(0);
    for i in 0..16 {
        assert_eq!(u64::from(rank(i)), words[i / 4] >> (i % 4 * 16) & 0xffff);
        assert_eq!(lanes.rank_up().to_ranks()[i], rank(i.wrapping_sub(1)));
        assert_eq!(lanes.rank_down().to_ranks()[i], rank(i + 1));
        assert_eq!(lanes.file_up().to_ranks()[i], rank(i) << 1);
        assert_eq!(lanes.file_down().to_ranks()[i], rank(i) >> 1);
    }
    assert_eq!(lanes.empty_ranks_below() as usize, ranks.iter().take_while(|&&rank| rank == 0).count());
    assert_eq!(lanes.empty_ranks_above() as usize, ranks.iter().rev().take_while(|&&rank| rank == 0).count());
}

/// Generates pseudo-random words without a library, so that every run sees the same words.
fn scattered() -> impl FnMut() -> [u64; 4] {
    let mut state = 1u64;
    move || {
        std::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        })
    }
}

#[test]
fn lanes_agree_with_their_portable_twin() {
    let mut words = scattered();
    for round in 0..10_000u64 {
        let (a, b) = (words(), words());
        let by = words().map(|word: u64| word % (60 + round % 10));
        agree(a, b, by);
        ranks_are_ranks(a);
        // Words with few bits: they have empty ranks at both ends, and nothing in common with their complement.
        let few = (0..4).fold(a, |few, _| {
            let more = words();
            std::array::from_fn(|i| few[i] & more[i])
        });
        agree(few, b, by);
        agree(few, few.map(|word| !word), by);
        ranks_are_ranks(few);
    }
}

#[test]
fn lanes_agree_on_every_bit_alone() {
    agree([0; 4], [0; 4], [64; 4]);
    agree([!0; 4], [!0; 4], [63; 4]);
    ranks_are_ranks([0; 4]);
    for bit in 0..256 {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        agree(words, [!0; 4], [bit as u64; 4]);
        ranks_are_ranks(words);
    }
}

/// Tests lengths below and above the point where a byte would overflow, and the length 0.
#[test]
fn totals_agree_with_the_sum_of_counts() {
    let mut words = scattered();
    for len in (0..=130).chain([1_000]) {
        for all in [vec![[!0; 4]; len], (0..len).map(|_| words()).collect()] {
            let sum = all.iter().map(|&words| portable::Lanes::new(words).count()).sum::<u32>();
            assert_eq!(Lanes::total(&all, |&words| Lanes::new(words)), sum);
            assert_eq!(portable::Lanes::total(&all, |&words| portable::Lanes::new(words)), sum);
        }
    }
}
