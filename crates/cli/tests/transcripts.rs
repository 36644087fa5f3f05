//! Compares the output of the command, word for word, with the files in `cmd`. `cargo xtask golden` writes the files again.

#[test]
fn commands_answer_as_before() {
    let files = std::fs::read_dir("tests/cmd").expect("a folder").map(|file| file.expect("a file").path());
    let is_case = |end: &std::ffi::OsStr| end == "trycmd" || end == "toml";
    assert!(files.filter(|path| path.extension().is_some_and(is_case)).count() >= 25, "there are few cases");
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").env("NO_COLOR", "1").run();
}
