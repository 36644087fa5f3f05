//! Runs the example `probe`.

#[path = "../examples/probe.rs"]
#[allow(dead_code, reason = "the example's `main` is not called here")]
mod probe;

#[test]
fn the_example_answers_each_line() {
    let folder = fixtures::path("chess/syzygy");
    let lines = "8/8/8/8/8/8/1k1K3Q/8 w - - 0 1\n8/8/8/8/8/2k5/8/K1q5 w - - 0 1\n\
                 4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1\nnonsense\n";
    let mut output = Vec::new();
    probe::answer_all(folder.to_str().expect("a plain path"), lines.as_bytes(), &mut output)
        .expect("answers");
    let output = String::from_utf8(output).expect("text");
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers[..2], ["2 5 rounded", "-2 -2 rounded"]);
    assert_eq!(answers[2], "error: the position has 5 men, and the largest table that was found has 4");
    assert!(answers[3].starts_with("error: "), "{}", answers[3]);
}
