//! From numbers of men that are known when the program runs to code that is made for them.

/// Runs the body with constants for the attackers, the defenders, and one attacker less; for up to five men each.
macro_rules! with_men {
    ($men:expr, $a:ident $b:ident $fewer:ident => $body:expr) => {
        $crate::onitama::men::with_men!(@ $men, $a $b $fewer => $body,
            1 1, 1 2, 1 3, 1 4, 1 5, 2 1, 2 2, 2 3, 2 4, 2 5, 3 1, 3 2, 3 3, 3 4, 3 5,
            4 1, 4 2, 4 3, 4 4, 4 5, 5 1, 5 2, 5 3, 5 4, 5 5)
    };
    (@ $men:expr, $a:ident $b:ident $fewer:ident => $body:expr, $($m:literal $n:literal),*) => {
        match $men {
            $(($m, $n) => {
                #[allow(dead_code)]
                const $a: usize = $m;
                #[allow(dead_code)]
                const $b: usize = $n;
                #[allow(dead_code)]
                const $fewer: usize = $m - 1;
                $body
            })*
            (attackers, defenders) => unreachable!("{attackers} men against {defenders}"),
        }
    };
}

/// The same for up to three men each: what is made for tables with distances and all positions need not be made for more.
macro_rules! with_few_men {
    ($men:expr, $a:ident $b:ident $fewer:ident => $body:expr) => {
        $crate::onitama::men::with_men!(@ $men, $a $b $fewer => $body,
            1 1, 1 2, 1 3, 2 1, 2 2, 2 3, 3 1, 3 2, 3 3)
    };
}

pub(super) use with_few_men;
pub(super) use with_men;
