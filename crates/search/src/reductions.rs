//! By how much less deeply late moves are searched.

/// One ply.
pub(crate) const ONE: i32 = 1_024;

/// The reduction of a move after `tried` others, in parts of [`ONE`] ply.
#[inline]
pub(crate) fn of(depth: i32, tried: usize) -> i32 {
    let [depth, tried] = [depth as usize, tried].map(|number| LOGARITHMS[number.min(63)]);
    match depth * tried {
        0 => 0,
        product => 800 + product / 1_900,
    }
}

/// The natural logarithms of 1 to 64, in parts of [`ONE`].
static LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut number = 1;
    while number < 64 {
        table[number] = logarithm(number as u64);
        number += 1;
    }
    table
};

/// The logarithm by doubling: squares tell one binary digit after the other.
const fn logarithm(number: u64) -> i32 {
    const DIGITS: u32 = 16;
    const LN_2: u64 = 709_783; // parts of a million: 0.693147 of `ONE`
    let exponent = number.ilog2();
    let mut mantissa = (number << 30) >> exponent;
    let mut binary = (exponent as u64) << DIGITS;
    let mut digit = DIGITS;
    while digit > 0 {
        digit -= 1;
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            binary |= 1 << digit;
        }
    }
    ((binary * LN_2 / 1_000) >> DIGITS) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (number, &found) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (number as f64).ln() * f64::from(ONE);
            assert!((f64::from(found) - exact).abs() < 2.0, "{number}: {found} {exact}");
        }
    }
}
