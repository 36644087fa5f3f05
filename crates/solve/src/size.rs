//! Sizes in bytes as readable text.

/// A number of bytes as text: `1.5 GiB`.
///
/// ```
/// assert_eq!([0, 1023, 1024, 1536 << 20].map(endspiel_solve::size_text), ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 GiB"]);
/// ```
pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = (bytes.max(1).ilog2() / 10).min(4);
    let scaled = bytes as f64 / f64::from(1 << 10).powi(unit as i32);
    format!("{scaled:.*} {}", usize::from(unit > 0), UNITS[unit as usize])
}

/// Two sizes as texts that differ where the sizes do: in bytes, if they are too close together for larger units.
pub(crate) fn size_texts(one: u64, other: u64) -> [String; 2] {
    let sizes = [one, other];
    match sizes.map(size_text) {
        [one, other] if one == other => sizes.map(|bytes| format!("{bytes} bytes")),
        texts => texts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_sizes_have_different_texts() {
        assert_eq!(size_texts(3 << 30, 16 << 20), ["3.0 GiB", "16.0 MiB"]);
        assert_eq!(size_texts((16 << 20) + 1, 16 << 20), ["16777217 bytes", "16777216 bytes"]);
    }
}
