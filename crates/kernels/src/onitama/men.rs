//! Converts a number of men that is known only at run time to a constant, so that the compiler makes code for each number.

/// Runs the body with a constant for a number of men, one to five.
macro_rules! with_men {
    ($men:expr, $constant:ident => $body:expr) => {
        $crate::onitama::men::with_men!(@ $men, $constant => $body, 1, 2, 3, 4, 5)
    };
    (@ $men:expr, $constant:ident => $body:expr, $($n:literal),*) => {
        match $men {
            $($n => {
                const $constant: usize = $n;
                $body
            })*
            men => unreachable!("{men} men"),
        }
    };
}

pub(super) use with_men;
