//! Numbers and names as people read them.

use std::time::Duration;

/// 7746995 as `7,746,995`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many per second, in two or three digits: `412 million`.
pub fn rate(count: u64, time: Duration) -> String {
    let per_second = count as f64 / time.as_secs_f64().max(1e-9);
    match per_second {
        r if r >= 1e9 => format!("{:.2} billion", r / 1e9),
        r if r >= 1e8 => format!("{:.0} million", r / 1e6),
        r if r >= 1e6 => format!("{:.1} million", r / 1e6),
        r if r >= 1e3 => format!("{:.0} thousand", r / 1e3),
        r => format!("{r:.0}"),
    }
}

/// `blue` as `Blue`.
pub fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A count with its noun: `1 move`, `2 moves`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            ["0", "999", "1,000", "7,746,995"],
            [0, 999, 1_000, 7_746_995].map(thousands).each_ref().map(String::as_str)
        );
        assert_eq!(rate(250_000_000, Duration::from_secs(1)), "250 million");
        assert_eq!(rate(1_500, Duration::from_secs(1)), "2 thousand");
        assert_eq!(counted(1, "move"), "1 move");
        assert_eq!(capitalised("blue"), "Blue");
    }
}
