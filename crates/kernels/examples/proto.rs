use endspiel_kernels::onitama::attack::*;
use endspiel_kernels::onitama::deals::*;
use endspiel_kernels::onitama::store::*;
use onitama::*;
use std::time::Instant;
fn main() {
    let men: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let cards = std::env::args().nth(2).unwrap_or("boar,ox,elephant,horse,crab".into());
    let dir = std::env::args().nth(3);
    let set: CardSet = cards.split(',').map(|c| c.parse::<Card>().unwrap()).collect();
    let deals = Deals::new(set);
    let mut wins: Vec<Vec<Option<Rows>>> = (0..6).map(|_| (0..6).map(|_| None).collect()).collect();
    let (mut w, mut l) = (0, 0);
    let start = Instant::now();
    let spill_dir = dir.clone().unwrap_or("/tmp".into());
    let spill = || { static N: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let p = format!("{spill_dir}/spill{}-{}", std::process::id(), N.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let f = std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&p)?; std::fs::remove_file(&p)?; Ok(f) };
    let interrupt = Default::default();
    let room = std::env::var("ROOM").map_or(4 << 30, |s| s.parse().unwrap());
    let means = Means { room, spill: &spill, interrupt: &interrupt, watch: &|_, _, _| () };
    for total in 2..=2 * men {
        for a in 1..=men {
            let Some(b) = total.checked_sub(a) else { continue };
            if b < 1 || b > men { continue }
            macro_rules! go { ($($a:literal $b:literal $f:literal $g:literal),*) => { match (a, b) { $(($a, $b) => {
                let t = Instant::now();
                let taken = wins[a][b - 1].as_ref().map(|won| Attack::<$a, $g, $f> { deals: &deals, won, fewer_attackers: wins[a - 1][b - 1].as_ref(), means: &means }.losses().ok().unwrap());
                let n = bits::subsets::count(25, a as u32) as usize;
                let sizes = Attack::<$a, $b, $f>::row_sizes(&deals);
                let won = match &dir {
                    Some(dir) => { let f = std::fs::File::options().read(true).write(true).create(true).open(format!("{dir}/{a}v{b}.rows")).unwrap(); Rows::in_file(f, 0, sizes.clone()).unwrap() }
                    None => Rows::in_memory(n) };
                let attack = Attack::<$a, $b, $f> { deals: &deals, won: &won, fewer_attackers: wins[a - 1][b].as_ref(), means: &means };
                let counts = if dir.is_some() && a + b >= 8 { Rows::in_file(spill().unwrap(), 0, sizes.iter().map(|s| if *s == 0 { 0 } else { (endspiel_kernels::onitama::row::layouts::<$a, $b>() * $b) as u64 })).unwrap() } else { Rows::in_memory(n) };
                attack.solve(taken.as_ref(), &counts).ok().unwrap();
                drop(counts); drop(taken);
                let s = t.elapsed().as_secs_f64();
                if std::env::var_os("COUNT").is_some() {
                let loss = attack.losses().ok().unwrap();
                let c = attack.count(&loss).ok().unwrap();
                println!("{a}v{b}: won {} lost(other) {} in {s:.3}  packed {} losses {}", c.0, c.1, sizes.iter().sum::<u64>(), loss.numbers() * 4);
                w += c.0; l += c.1;
                } else { println!("{a}v{b}: {s:.3} s"); }
                wins[a][b] = Some(won);
            })* _ => panic!() } } }
            go!(1 1 0 0, 1 2 0 1, 1 3 0 2, 1 4 0 3, 1 5 0 4, 2 1 1 0, 2 2 1 1, 2 3 1 2, 2 4 1 3, 2 5 1 4, 3 1 2 0, 3 2 2 1, 3 3 2 2, 3 4 2 3, 3 5 2 4, 4 1 3 0, 4 2 3 1, 4 3 3 2, 4 4 3 3, 4 5 3 4, 5 1 4 0, 5 2 4 1, 5 3 4 2, 5 4 4 3, 5 5 4 4);
        }
    }
    println!("total won {w} lost {l} in {:.3}", start.elapsed().as_secs_f64());
}
