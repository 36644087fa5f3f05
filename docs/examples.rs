//! The Rust blocks of these pages are compiled and run as documentation tests.
//!
//! Only `add-a-game.md` is tested elsewhere, in `crates/dobutsu`: its examples are written inside this workspace.

macro_rules! pages {
    ($($name:ident $file:literal)*) => {
        $(#[cfg(doctest)]
        #[doc = include_str!($file)]
        mod $name {})*

        #[cfg(test)]
        const TESTED: &[&str] = &[$($file),*];
    };
}

pages! {
    chess "chess.md"
    cotulenh "cotulenh.md"
    shogi "shogi.md"
    syzygy "syzygy.md"
}

#[cfg(test)]
mod tests {
    use super::TESTED;
    use std::fs;

    #[test]
    fn every_page_with_rust_is_tested() {
        let pages = fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("the folder of the pages");
        for page in pages.map(|page| page.expect("a page").path()) {
            let name = page.file_name().and_then(|name| name.to_str()).expect("a name");
            let text = fs::read_to_string(&page).unwrap_or_default();
            if name.ends_with(".md") && text.contains("```rust") {
                assert!(name == "add-a-game.md" || TESTED.contains(&name), "{name} is not in examples.rs");
            }
        }
    }
}
