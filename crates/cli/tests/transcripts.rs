//! What the command prints, word for word: the files in `cmd`. `cargo xtask golden` writes them anew.

#[test]
fn commands_answer_as_before() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").env("NO_COLOR", "1").run();
}
