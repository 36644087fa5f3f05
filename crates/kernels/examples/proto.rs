use endspiel_kernels::onitama::attack::*;
use endspiel_kernels::onitama::deals::*;
use onitama::*;
use std::time::Instant;
fn main() {
    let men: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let cards = std::env::args().nth(2).unwrap_or("boar,ox,elephant,horse,crab".into());
    let set: CardSet = cards.split(',').map(|c| c.parse::<Card>().unwrap()).collect();
    let deals = Deals::new(set);
    let mut wins: Vec<Vec<Option<Wins>>> = (0..6).map(|_| (0..6).map(|_| None).collect()).collect();
    let mut losses: Vec<Vec<Option<AllLosses>>> = (0..6).map(|_| (0..6).map(|_| None).collect()).collect();
    let (mut w, mut l) = (0, 0);
    let start = Instant::now();
    for total in 2..=2 * men {
        for a in 1..=men {
            let Some(b) = total.checked_sub(a) else { continue };
            if b < 1 || b > men { continue }
            macro_rules! go { ($($a:literal $b:literal $f:literal),*) => { match (a, b) { $(($a, $b) => {
                let attack = Attack::<$a, $b, $f> { deals: &deals, fewer_attackers: wins[a - 1][b].as_ref(), fewer_defenders: losses[a][b - 1].as_ref() };
                let t = Instant::now();
                let (win, loss) = attack.solve();
                let s = t.elapsed().as_secs_f64();
                let c = attack.count(&win, &loss);
                println!("{a}v{b}: won {} lost(other) {} in {s:.3}  packed {} losses {}", c.0, c.1, win.rows.iter().map(|r| r.len() * 8).sum::<usize>(), loss.rows.iter().map(|r| r.len() * 4).sum::<usize>());
                w += c.0; l += c.1;
                wins[a][b] = Some(win); losses[a][b] = Some(loss);
            })* _ => panic!() } } }
            go!(1 1 0, 1 2 0, 1 3 0, 1 4 0, 1 5 0, 2 1 1, 2 2 1, 2 3 1, 2 4 1, 2 5 1, 3 1 2, 3 2 2, 3 3 2, 3 4 2, 3 5 2, 4 1 3, 4 2 3, 4 3 3, 4 4 3, 4 5 3, 5 1 4, 5 2 4, 5 3 4, 5 4 4, 5 5 4);
        }
    }
    println!("total won {w} lost {l} in {:.3}", start.elapsed().as_secs_f64());
}
