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
