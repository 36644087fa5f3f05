//! Runs the target that `ENDSPIEL_FUZZ_TARGET` names under libFuzzer.
#![no_main]

use endspiel_fuzz::targets;
use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("ENDSPIEL_FUZZ_TARGET").expect("ENDSPIEL_FUZZ_TARGET names the target");
    let target = targets().into_iter().find(|target| target.name == name);
    target.unwrap_or_else(|| panic!("no target {name}")).run
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
