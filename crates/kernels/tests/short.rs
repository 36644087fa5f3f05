//! Checks that the bits of a packed row are in the order of the game's short numbering.

use bits::subsets::{self, of_25};
use endspiel_kernels::onitama::deals::Deals;
use endspiel_kernels::onitama::row::{Row, dense, words};
use game::{Index, Rng, ShortNumbering};
use onitama::{Card, Onitama, Slice};

fn rows_agree<const A: usize, const B: usize>() {
    let slice = Slice::new(A as u32, B as u32).unwrap();
    let (mut rng, mut compared) = (Rng::new(7), 0);
    for cards in
        ["boar,ox,elephant,horse,crab", "crab,dragon,elephant,goose,horse", "cobra,eel,frog,rabbit,tiger"]
    {
        let cards: Vec<Card> = cards.split(',').map(|name| name.parse().unwrap()).collect();
        let onitama = Onitama::with_deal(cards.try_into().unwrap()).unwrap();
        let (cards, starts) = (onitama.table_cards(), onitama.short_row_starts(slice));
        let folded = cards.mirror() == cards;
        let deals = Deals::new(cards);
        let is_there = |men: u32| {
            let mirrored = onitama::SquareSet::from_word(men).mirrored().word();
            !folded || men <= mirrored
        };
        for (rank, &men) in of_25::of_size(A as u32).iter().enumerate() {
            if !is_there(men) {
                assert_eq!(starts[rank], starts[rank + 1]);
            }
        }
        for _ in 0..3 {
            let rank = rng.below(subsets::count(25, A as u32)) as usize;
            let men = of_25::unrank(rank as u32, A as u32);
            if is_there(men) {
                compared += row_agrees::<A, B>(&onitama, slice, &deals, rank, &mut rng);
            }
        }
    }
    assert!(compared > 1_000, "{slice}: only {compared} bits are compared");
}

/// Compares bits of one row. Returns how many were compared.
fn row_agrees<const A: usize, const B: usize>(
    onitama: &Onitama,
    slice: Slice,
    deals: &Deals,
    rank: usize,
    rng: &mut Rng,
) -> u32 {
    let starts = onitama.short_row_starts(slice);
    let row = Row::<B>::new(deals, of_25::unrank(rank as u32, A as u32));
    assert_eq!(starts[rank + 1] - starts[rank], row.open_bits().next_multiple_of(64));
    let mut words_of_row = dense(A, B);
    words_of_row.iter_mut().for_each(|word| *word = rng.below(1 << 30) as u32);
    let mut packed = Vec::new();
    row.pack(&words_of_row, &mut packed);
    let mut compared = 0;
    for _ in 0..20_000 {
        let at = rng.below(words(A, B) as u64);
        let deal = rng.below(30);
        let (placement, theirs, ours) = (at / (A * B) as u64, at / A as u64 % B as u64, at % A as u64);
        let set = rank as u64 * row.placements().len() as u64 + placement;
        let index = Index(((set * A as u64 + ours) * B as u64 + theirs) * 30 + deal);
        let bit = deals.numbered(true)[deal as usize];
        if let Some(Index(short)) = onitama.short_index(slice, index) {
            let place = (short - starts[rank]) as usize;
            let found = packed[place / 8] >> (place % 8) & 1;
            assert_eq!(u32::from(found), words_of_row[at as usize] >> bit & 1, "{slice}, index {index:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn packed_rows_have_the_short_numbering() {
    rows_agree::<4, 1>();
    rows_agree::<1, 4>();
    rows_agree::<5, 1>();
    rows_agree::<3, 4>();
    rows_agree::<5, 5>();
}
